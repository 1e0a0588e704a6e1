import type { ServiceNames } from '../answers/contract';
import { createReader, type Job } from '../answers/reader';
import type { Report } from '../answers/report';
import type { Subject as ReportSubject } from '../answers/result';
import type { Clock } from './clock';
import type { QueueKey, RateLimiter } from './rateLimiter';
import { type Retries, withRetries } from './retry';
import {
	asScreeningError,
	type ErrorDetails,
	invalidResponse,
	type ScreeningError,
	withErrorDetails,
} from '../shared/errors';
import { answerError, isPermanent } from './faults';
import { jsonOrNothing, parseJson } from '../shared/json';
import { type Answer, isAnswer, isSuccess } from '../shared/http';
import { mostPerJob } from './ids';

export interface Request {
	method: 'GET' | 'POST';
	url: string;
	accept: string;
	body?: Record<string, unknown>;
	/** Of the answer, after decompression. */
	mostBytes: number;
}

/** Sends one request with the key: gives what came back, without any secret in it, or the `network` fault in its place. */
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

const megabyte = 2 ** 20;
/** Any answer but a PDF may be so long. */
const usualBytes = 16 * megabyte;
/** Of the results of a job, for each of its addresses: 64 KB of its report, and what stands around it. */
const mostBytesPerAddress = 65 * 1024;
const mostBytesOfPdf = 64 * megabyte;

/** A job whose number of addresses is not known is taken for a full one (section 4.3). */
const bytesOfJob = (addressCount = mostPerJob) =>
	Math.max(usualBytes, addressCount * mostBytesPerAddress);

/** What a request is about, and what is not usual in it. */
interface Subject {
	/** What its error says. */
	details: ErrorDetails;
	body?: Record<string, unknown>;
	accept?: string;
	mostBytes?: number;
	retries?: Retries;
}

/**
 * The service, with a method for each endpoint. Addresses, chains and IDs are clean (`address/input.ts`). Each method throws
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

	/** What `read` makes of the 2xx answer to a request, after retries, and of how often the service may have carried it out. */
	async function request<T>(
		method: Request['method'],
		path: string,
		subject: Subject,
		read: (answer: Answer, sent: number) => T,
	): Promise<T> {
		const { details, body, accept = 'application/json', retries = repeatable } = subject;
		const { mostBytes = usualBytes } = subject;
		const outgoing = {
			method,
			url: `${baseUrl}/v1${path}`,
			accept,
			mostBytes,
			...(body && { body }),
		};
		const attempt = async (again: boolean) =>
			await options.limiter.run(async () => await options.send(outgoing), options.queueKey, again);
		const isFinal = (failure: Answer | ScreeningError) =>
			!isAnswer(failure) && isPermanent(failure);
		return await withErrorDetails(details, async () => {
			const { result, sent } = await withRetries(attempt, { clock, random, retries, isFinal });
			const isBillable = method === 'POST' && sent > 0;
			return await withErrorDetails({ sent: isBillable ? sent : undefined }, () => {
				if (isAnswer(result) && isSuccess(result)) return read(result, sent);
				throw isAnswer(result) ? answerError(result) : result;
			});
		});
	}

	/** The job that a submit made; its ID may be in the header `Location` only. */
	function acceptedJob({ body, status, headers }: Answer): Job {
		const json = headers.location === undefined ? parseJson(body, status) : jsonOrNothing(body);
		return reader.readHandle({ body: json, status, headers });
	}

	const reportPath = (id: string) => `/reports/${encodeURIComponent(id)}`;
	const reportIn = ({ body, status }: Answer, subject: ReportSubject) =>
		reader.readReport({ body: parseJson(body, status), status }, subject);

	return {
		/** What was added to the usual names of the service. */
		serviceNames,
		/**
		 * POST /v1/screen (section 4.1). Without `chain` the service determines it. `sent`: how many requests for the report the
		 * service may have carried out, and may bill.
		 */
		async screen(address: string, chain?: string) {
			const subject = {
				details: { address },
				body: { address, ...(chain && { chain }) },
				retries: { ...repeatable, lost: Math.min(options.resends, maxRetries) },
			};
			return await request('POST', '/screen', subject, (answer, sent) => ({
				report: reportIn(answer, { address }),
				sent,
			}));
		},
		/** GET /v1/reports/{id} (section 4.2). */
		async getReport(id: string): Promise<Report> {
			const asked = { report_id: id };
			return await request('GET', reportPath(id), { details: asked }, (answer) =>
				reportIn(answer, asked),
			);
		},
		/** GET /v1/reports/{id}/pdf (section 4.5): the bytes, known to have the beginning and the end of a PDF. */
		async getPdf(id: string): Promise<Buffer> {
			const details = { report_id: id };
			const subject = { details, accept: 'application/pdf', mostBytes: mostBytesOfPdf };
			return await request('GET', `${reportPath(id)}/pdf`, subject, ({ body, status }) => {
				if (!beginsAsPdf(body)) throw invalidPdf('a body that is not a PDF', status);
				if (!endsAsPdf(body)) throw invalidPdf('a part of a PDF', status);
				return body;
			});
		},
		/** POST /v1/bulk (section 4.3). Sent again only if certainly not carried out; an error with `sent`: the job may exist. */
		async submitBulk(addresses: string[]): Promise<Job> {
			const retries = { notCarriedOut: maxRetries, serverError: 0, lost: 0 };
			const subject = { details: {}, body: { addresses }, retries };
			return await request('POST', '/bulk', subject, acceptedJob).catch((error: unknown) => {
				const failure = asScreeningError(error);
				throw failure.details.sent === undefined ? failure : unsure(failure);
			});
		},
		/** GET /v1/bulk/{job_id} (section 4.4); `addresses` are those submitted, if they are known. */
		async getBulk(jobId: string, addresses?: string[]): Promise<Job> {
			const subject = { details: { job_id: jobId }, mostBytes: bytesOfJob(addresses?.length) };
			const path = `/bulk/${encodeURIComponent(jobId)}`;
			return await request('GET', path, subject, ({ body, headers, status }) => {
				// These statuses say by themselves that the job is still in progress.
				const isSilent = body.length === 0 && (status === 202 || status === 204);
				const json = isSilent ? {} : parseJson(body, status);
				return reader.readJob({ body: json, status, headers }, jobId);
			});
		},
	};
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

/** Viewers look for the marks of a PDF among so many bytes at its beginning and its end (PDF Reference 1.7, appendix H.3). */
const maxBytesToMark = 1024;

export const beginsAsPdf = (body: Buffer): boolean =>
	body.subarray(0, maxBytesToMark).includes('%PDF-');

/** Whether the end of a PDF is there: one that was cut has none. */
const endsAsPdf = (body: Buffer): boolean => body.subarray(-maxBytesToMark).includes('%%EOF');
