import { addressKey } from '../address/key';
import { type Answer, isSuccess, partialContent } from '../pace/answer';
import type { Clock } from '../pace/clock';
import type { QueueKey, RateLimiter } from '../pace/rateLimiter';
import { mayBeCarriedOut, type Retries, withRetries } from '../pace/retry';
import { about, invalidResponse, own, ScreeningError } from './errors';
import { explanation } from './explanation';
import { isForbidden, statusError, withLongPause } from './faults';
import type { Additions } from './dialect/names';
import { createReader, type Job } from './dialect/reader';
import type { Report } from './report';
import { jsonOrNothing, parseJson } from './json';
import { decoded, parseUrl } from './url';

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
	serviceNames?: Additions | undefined;
}

const megabyte = 2 ** 20;
/** A job of 1,000 reports of 16 KB each, or any other answer but a PDF; n8n takes no longer deliveries. */
const mostBytes = 16 * megabyte;
const mostBytesOfPdf = 64 * megabyte;
const pdfMagic = Buffer.from('%PDF-');

/**
 * The service, with a method for each endpoint. Addresses, chains and IDs are clean (`service/input.ts`). Each method throws
 * a `ScreeningError` that says what is known of its request. The statuses of section 7 are read here and nowhere else.
 */
export function createClient(options: ClientOptions) {
	const { baseUrl, maxRetries, clock, random, serviceNames } = options;
	const reader = createReader(serviceNames);
	const repeatable: Retries = {
		notProcessed: maxRetries,
		serverError: maxRetries,
		unknownOutcome: maxRetries,
	};

	async function request(
		method: Request['method'],
		path: string,
		{
			accept = 'application/json',
			most = mostBytes,
			retries = repeatable,
			body = undefined as Request['body'],
			wasCarriedOut = (_: Answer): boolean => false,
		} = {},
	) {
		const url = `${baseUrl}/v1${path}`;
		const outgoing = { method, url, accept, mostBytes: most, ...(body && { body }) };
		const attempt = async (again: boolean) =>
			await options.limiter.run(async () => await options.send(outgoing), options.queueKey, again);
		const isFinal = (failure: Answer | ScreeningError) =>
			failure instanceof ScreeningError ? isForbidden(failure) : wasCarriedOut(failure);
		const result = await withRetries(attempt, { clock, random, retries, isFinal });
		if (result instanceof ScreeningError) throw result;
		if (isSuccess(result)) return result;
		throw withLongPause(statusError(result.status, explanation(result.body)), result);
	}

	/** The job whose path (section 4.4) is in the header `Location`. */
	function locatedJobId({ headers: { location } }: Answer): string | undefined {
		if (typeof location !== 'string') return undefined;
		const { pathname = '' } = parseUrl(location.slice(0, 2000), `${baseUrl}/v1/bulk`) ?? {};
		const [id, ...others] = (pathname.split('/v1/bulk/')[1] ?? '').split('/').filter(Boolean);
		return id === undefined || others.length > 0 ? undefined : decoded(id);
	}

	/** The job that a refusal names. */
	const refusedJobId = (answer: Answer) =>
		reader.refusedJobId(jsonOrNothing(answer.body)) ?? locatedJobId(answer);

	/** The job that a submit made. */
	function acceptedJob(answer: Answer): Job {
		const { body, status } = answer;
		const located = locatedJobId(answer);
		const told = located === undefined ? parseJson(body, status) : jsonOrNothing(body);
		return reader.handle(told, status, located);
	}

	const reportPath = (id: string) => `/reports/${encodeURIComponent(id)}`;
	const reportIn = ({ body, status }: Answer) => reader.report(parseJson(body, status), status);

	return {
		/** What was added to the usual names of the service. */
		serviceNames,
		/** POST /v1/screen (section 4.1). Without `chain` the service determines it. */
		async screen(address: string, chain?: string): Promise<Report> {
			return await about({ address }, async () => {
				const answer = await request('POST', '/screen', {
					body: { address, ...(chain && { chain }) },
					retries: { ...repeatable, unknownOutcome: Math.min(options.resends, maxRetries) },
				});
				const report = reportIn(answer);
				if (addressKey(report.address) !== addressKey(address)) {
					const { report_id } = report;
					throw invalidResponse('the report of another address', answer.status, {
						report_id,
						entry: report,
					});
				}
				return report;
			});
		},
		/** GET /v1/reports/{id} (section 4.2). */
		async getReport(id: string): Promise<Report> {
			return await about({ report_id: id }, async () => {
				const answer = await request('GET', reportPath(id));
				const report = reportIn(answer);
				if (report.report_id !== id) throw invalidResponse('a report of another ID', answer.status);
				return report;
			});
		},
		/** GET /v1/reports/{id}/pdf (section 4.5): the bytes, known to begin as a PDF does. */
		async getPdf(id: string): Promise<Buffer> {
			return await about({ report_id: id }, async () => {
				const { body, status } = await request('GET', `${reportPath(id)}/pdf`, {
					accept: 'application/pdf',
					most: mostBytesOfPdf,
				});
				if (status === partialContent) throw invalidPdf('a part of a PDF', status);
				if (!isPdf(body)) throw invalidPdf('a body that is not a PDF', status);
				return body;
			});
		},
		/** POST /v1/bulk (section 4.3), at most 1,000 addresses. Sent again only if the service certainly did not carry it out. */
		async submitBulk(addresses: string[]): Promise<Job> {
			let job_id: string | undefined;
			try {
				const answer = await request('POST', '/bulk', {
					body: { addresses },
					retries: { notProcessed: maxRetries, serverError: 0, unknownOutcome: 0 },
					// Asked for each refusal: the last one counts.
					wasCarriedOut: (refusal) => (job_id = refusedJobId(refusal)) !== undefined,
				});
				return acceptedJob(answer);
			} catch (error) {
				const failure = own(error);
				if (job_id !== undefined) {
					if (failure.httpCode === seeOther) return reader.handle({}, seeOther, job_id);
					throw unsure(failure).with({ job_id });
				}
				const isUnsure = answersCarriedOut.has(failure.httpCode) || mayBeCarriedOut(failure);
				throw isUnsure ? unsure(failure) : failure;
			}
		},
		/** GET /v1/bulk/{job_id} (section 4.4). */
		async getBulk(jobId: string): Promise<Job> {
			return await about({ job_id: jobId }, async () => {
				const answer = await request('GET', `/bulk/${encodeURIComponent(jobId)}`);
				const { body, headers, status } = answer;
				// These statuses say by themselves that the job is still in progress.
				const isSilent = body.length === 0 && (status === 202 || status === 204);
				const told = isSilent ? {} : parseJson(body, status);
				return reader.job(told, status, jobId, headers);
			});
		},
	};
}

/** Answers a POST that was carried out, and says where its result is (RFC 9110, section 15.4.4). */
const seeOther = 303;
/** So may 301 and 302; 307 and 308 do not. */
const answersCarriedOut = new Set<number | undefined>([301, 302, seeOther]);

function unsure(error: ScreeningError): ScreeningError {
	return error.saying({
		message: `${error.message} while a bulk job was submitted`,
		description:
			'The service may have accepted the job and bill it, so the node did not submit it again. Ask the vendor, or wait for its webhook, before you submit these addresses again.',
	});
}

/** The screening is done, whatever became of its PDF. */
function invalidPdf(what: string, status: number): ScreeningError {
	return invalidResponse(what, status).saying({
		description:
			'The service may still be making the PDF. Run it again later. If the answer stays the same, send this text to the vendor.',
	});
}

/** Whether the bytes begin as those of a PDF. */
export function isPdf(body: Buffer): boolean {
	return body.subarray(0, pdfMagic.length).equals(pdfMagic);
}
