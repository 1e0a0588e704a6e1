import { type Answer, isAnswer, isSuccess } from '../pace/answer';
import type { Clock } from '../pace/clock';
import type { QueueKey, RateLimiter } from '../pace/rateLimiter';
import { type Retries, withRetries } from '../pace/retry';
import { withErrorDetails, invalidResponse, asScreeningError, type ScreeningError } from './errors';
import { explanation } from './explanation';
import { isPermanent, statusError, withLongPause } from './faults';
import { mostPerJob } from './input';
import type { ServiceNames } from './reader/names';
import { createReader, type Job } from './reader/reader';
import type { Report } from './report';
import { jsonOrNothing, parseJson } from './json';
import { jobIdInUrl } from './url';

export interface Request {
	method: 'GET' | 'POST';
	url: string;
	accept: string;
	body?: Record<string, unknown>;
	/** Of the answer, after decompression. */
	mostBytes: number;
}

/**
 * Sends one request with the key and gives what came back, without any secret in it, or the `network` fault that stood in its
 * place.
 */
export type Send = (request: Request) => Promise<Answer | ScreeningError>;

/** What asks one service with one key. */
export type Client = ReturnType<typeof createClient>;

export interface ClientOptions {
	/** Without `/v1` and without a trailing slash. */
	baseUrl: string;
	send: Send;
	limiter: RateLimiter;
	queueKey: QueueKey;
	clock: Clock;
	random: () => number;
	/** How often a request is sent again after a 5xx or a network fault. */
	maxRetries: number;
	/** How often a screening with a lost answer is sent again: the service may bill each. */
	resends: number;
	/** What this service uses beside the usual names. */
	serviceNames?: ServiceNames | undefined;
}

/** A report that was made, and how many requests for it the service may have carried out, and may bill. */
export interface Screening {
	report: Report;
	sent: number;
}

const megabyte = 2 ** 20;
/** Any answer but a PDF may be so long. */
const mostBytes = 16 * megabyte;
/** Of the results of a job, for each of its addresses: 64 KB of its report, and what stands around it. */
const mostBytesPerAddress = 65 * 1024;
const mostBytesOfPdf = 64 * megabyte;

/** A job whose number of addresses is not known is taken for a full one (section 4.3). */
const bytesOfJob = (addressCount = mostPerJob) =>
	Math.max(mostBytes, addressCount * mostBytesPerAddress);

/**
 * The service, with a method for each endpoint. Addresses, chains and IDs are clean (`service/input.ts`). Each method throws
 * a `ScreeningError` that says what is known of its request. The statuses of section 7 are read here and nowhere else.
 */
export function createClient(options: ClientOptions) {
	const { baseUrl, maxRetries, clock, random, serviceNames } = options;
	const reader = createReader(serviceNames);
	const repeatable: Retries = {
		notCarriedOut: maxRetries,
		serverError: maxRetries,
		lost: maxRetries,
	};

	/** The 2xx answer to a request, after retries, and how often the service may have carried it out. */
	async function request(
		method: Request['method'],
		path: string,
		{
			accept = 'application/json',
			most = mostBytes,
			retries = repeatable,
			body = undefined as Request['body'],
		} = {},
	) {
		const url = `${baseUrl}/v1${path}`;
		const outgoing = { method, url, accept, mostBytes: most, ...(body && { body }) };
		const attempt = async (again: boolean) =>
			await options.limiter.run(async () => await options.send(outgoing), options.queueKey, again);
		const isFinal = (failure: Answer | ScreeningError) =>
			!isAnswer(failure) && isPermanent(failure);
		const { result, sent } = await withRetries(attempt, { clock, random, retries, isFinal });
		if (isAnswer(result) && isSuccess(result)) return { answer: result, sent };
		const isBillable = method === 'POST' && sent > 0;
		throw errorOf(result).withDetails(isBillable ? { sent } : {});
	}

	/** The job that a submit made; its ID may be in the header `Location` only. */
	function acceptedJob({ body, status, headers }: Answer): Job {
		const located = jobIdInUrl(headers.location, `${baseUrl}/v1/bulk`);
		const told = located === undefined ? parseJson(body, status) : jsonOrNothing(body);
		return reader.handle(told, status, located);
	}

	const reportPath = (id: string) => `/reports/${encodeURIComponent(id)}`;
	const reportIn = ({ body, status }: Answer, asked: { address?: string; report_id?: string }) =>
		reader.report(parseJson(body, status), status, asked);

	return {
		/** What was added to the usual names of the service. */
		serviceNames,
		/** POST /v1/screen (section 4.1). Without `chain` the service determines it. */
		async screen(address: string, chain?: string): Promise<Screening> {
			return await withErrorDetails({ address }, async () => {
				const { answer, sent } = await request('POST', '/screen', {
					body: { address, ...(chain && { chain }) },
					retries: { ...repeatable, lost: Math.min(options.resends, maxRetries) },
				});
				return await withErrorDetails({ sent }, async () => ({
					report: reportIn(answer, { address }),
					sent,
				}));
			});
		},
		/** GET /v1/reports/{id} (section 4.2). */
		async getReport(id: string): Promise<Report> {
			return await withErrorDetails({ report_id: id }, async () => {
				const { answer } = await request('GET', reportPath(id));
				return reportIn(answer, { report_id: id });
			});
		},
		/** GET /v1/reports/{id}/pdf (section 4.5): the bytes, known to begin and end as a PDF does. */
		async getPdf(id: string): Promise<Buffer> {
			return await withErrorDetails({ report_id: id }, async () => {
				const { answer } = await request('GET', `${reportPath(id)}/pdf`, {
					accept: 'application/pdf',
					most: mostBytesOfPdf,
				});
				const { body, status } = answer;
				if (!beginsAsPdf(body)) throw invalidPdf('a body that is not a PDF', status);
				if (!endsAsPdf(body)) throw invalidPdf('a part of a PDF', status);
				return body;
			});
		},
		/**
		 * POST /v1/bulk (section 4.3), at most 1,000 addresses. Sent again only if the service certainly did not carry it out. An
		 * error with `sent` says that the job may exist.
		 */
		async submitBulk(addresses: string[]): Promise<Job> {
			try {
				const { answer, sent } = await request('POST', '/bulk', {
					body: { addresses },
					retries: { notCarriedOut: maxRetries, serverError: 0, lost: 0 },
				});
				return await withErrorDetails({ sent }, async () => acceptedJob(answer));
			} catch (error) {
				const failure = asScreeningError(error);
				throw failure.details.sent === undefined ? failure : unsure(failure);
			}
		},
		/** GET /v1/bulk/{job_id} (section 4.4); `addresses` are those submitted, if they are known. */
		async getBulk(jobId: string, addresses?: string[]): Promise<Job> {
			return await withErrorDetails({ job_id: jobId }, async () => {
				const { answer } = await request('GET', `/bulk/${encodeURIComponent(jobId)}`, {
					most: bytesOfJob(addresses?.length),
				});
				const { body, headers, status } = answer;
				// These statuses say by themselves that the job is still in progress.
				const isSilent = body.length === 0 && (status === 202 || status === 204);
				const told = isSilent ? {} : parseJson(body, status);
				return reader.job(told, status, jobId, headers, addresses);
			});
		},
	};
}

/** The error that an answer outside 2xx, or what stands in its place, means. */
function errorOf(failure: Answer | ScreeningError): ScreeningError {
	if (!isAnswer(failure)) return failure;
	return withLongPause(statusError(failure.status, explanation(failure.body)), failure);
}

function unsure(error: ScreeningError): ScreeningError {
	return error.withText({
		message: `${error.message} while a bulk job was submitted`,
		description:
			'The service may have accepted the job and bill it, so the node did not submit it again. Ask the vendor, or wait for its webhook, before you submit these addresses again.',
	});
}

/** The screening is done, whatever became of its PDF. */
function invalidPdf(what: string, status: number): ScreeningError {
	return invalidResponse(what, status).withText({
		description:
			'The service may still be making the PDF. Run it again later. If the answer stays the same, send this text to the vendor.',
	});
}

const pdfBeginning = Buffer.from('%PDF-');
const pdfEnding = Buffer.from('%%EOF');
/** The white space of PDF. */
const pdfBlanks = Buffer.from('\0\t\n\f\r ');

/** Whether the bytes begin as those of a PDF. */
export function beginsAsPdf(body: Buffer): boolean {
	return body.subarray(0, pdfBeginning.length).equals(pdfBeginning);
}

/** Whether the bytes end as those of a PDF, apart from blanks: one that was cut does not. */
function endsAsPdf(body: Buffer): boolean {
	let { length } = body;
	while (length > 0 && pdfBlanks.includes(body[length - 1]!)) length--;
	return body.subarray(0, length).subarray(-pdfEnding.length).equals(pdfEnding);
}
