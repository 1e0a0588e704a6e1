import type { Job } from '../answers/jobAnswer';
import { Reader } from '../answers/reader';
import type { Report } from '../answers/report';
import type { Subject } from '../answers/results';
import type { ServiceNames } from '../answers/standardNames';
import {
	type ErrorDetails,
	rethrowUnlessScreeningError,
	type ScreeningError,
} from '../shared/errors';
import { type Answer, isSuccess } from '../shared/http';
import { tryParseJson } from '../shared/json';
import { toLogText } from '../shared/text';
import type { Clock } from '../shared/time';
import {
	maxBytesOfJob,
	maxBytesOfPdf,
	maxBytesOfReport,
	maxBytesOfSmallJob,
	requireJson,
	requirePdf,
} from './answerBody';
import { answerError } from './statusErrors';
import type { Caller, RequestQueue } from './rate/rateLimiter';
import { type LastAttempt, type Repetition, type RetryLimits, withRetries } from './retry';

/** A request to the service, as it is sent. */
export interface ServiceRequest {
	method: 'GET' | 'POST';
	url: string;
	accept: string;
	body?: Record<string, unknown>;
	/** The longest answer that is read, in bytes after decompression. */
	maxBytes: number;
}

/**
 * Sends one request with the key, and returns what came back, without any secret in it.
 *
 * @throws {ScreeningError} `network` if nothing usable came
 */
export type Send = (request: ServiceRequest) => Promise<Answer>;

/** What a client needs of the connection, of the run and of the process. */
export interface ClientOptions {
	/** The base URL without `/v1` and without a trailing slash. */
	baseUrl: string;
	send: Send;
	queue: RequestQueue;
	caller: Caller;
	clock: Clock;
	/** Uniform in [0, 1). */
	random: () => number;
	/** How often a request is sent again after a 5xx or a network fault. */
	maxRetries: number;
	/** How often a screening with a lost answer is sent again: the service may bill each. */
	resends: number;
	/** What was taught of the service, see `ServiceNames`. */
	serviceNames?: ServiceNames | undefined;
	/**
	 * Takes a line for the log, without an address, a key, or the ID of a report or a job, and the
	 * milliseconds until a request goes out again.
	 */
	onRepetition?: (line: string, wait: number) => void;
}

/** A report that was made now. */
export interface Screening {
	report: Report;
	/** How many requests for the report the service may have carried out, and may bill. */
	sent: number;
}

/** How many addresses one POST /v1/bulk takes (section 8). */
export const maxPerJob = 1000;

/** What a request has beside its method and its path. */
interface RequestParts {
	/** What the error of the request names of it. */
	details: ErrorDetails;
	/** What stands for `{id}` in the path. */
	id?: string;
	/** A GET has none. */
	body?: Record<string, unknown>;
	/** The type of the answer; default: JSON. */
	accept?: string;
	/** The longest answer that is read, in bytes. */
	maxBytes: number;
	/** Default: `defaultRetryLimits`. */
	retryLimits?: RetryLimits;
}

/**
 * The service under one key, with a method for each endpoint. Addresses, chains and IDs are clean
 * (`address/input.ts`). `statusErrors.ts` has what each status of section 7 means, and `pauses.ts` what
 * follows one before it becomes an error.
 *
 * @throws {ScreeningError} Each method, with what is known of its request, for each failure that
 * retries did not end.
 * @throws Each method, the reason of the signal of the caller or the clock, as it is, unless a
 * request was sent before that the service may bill: then its failure is thrown.
 */
export class Client {
	/** What was taught of the service, see `ServiceNames`. */
	readonly serviceNames: ServiceNames | undefined;
	private readonly reader: Reader;

	constructor(private readonly options: ClientOptions) {
		this.serviceNames = options.serviceNames;
		this.reader = new Reader(options.serviceNames);
	}

	/**
	 * POST /v1/screen (section 4.1). Without `chain` the service determines it.
	 * @throws {ScreeningError} with the address, and with `sent` if the service may bill it
	 */
	async screen(address: string, chain?: string): Promise<Screening> {
		const subject = { address, ...(chain && { chain }) };
		const parts = {
			details: subject,
			body: subject,
			maxBytes: maxBytesOfReport,
			retryLimits: { ...this.defaultRetryLimits(), lost: this.options.resends },
		};
		return await this.request('POST', '/screen', parts, (answer, sent) => ({
			report: this.readReport(answer, { address }),
			sent,
		}));
	}

	/**
	 * GET /v1/reports/{id} (section 4.2).
	 * @throws {ScreeningError} with the ID
	 */
	async getReport(id: string): Promise<Report> {
		const wanted = { report_id: id };
		const parts = { details: wanted, id, maxBytes: maxBytesOfReport };
		return await this.request('GET', '/reports/{id}', parts, (answer) =>
			this.readReport(answer, wanted),
		);
	}

	/**
	 * GET /v1/reports/{id}/pdf (section 4.5): the bytes, known to have the beginning and the end of a
	 * PDF.
	 * @throws {ScreeningError} with the ID
	 */
	async getPdf(id: string): Promise<Buffer> {
		const details = { report_id: id };
		const parts = { details, id, accept: 'application/pdf', maxBytes: maxBytesOfPdf };
		return await this.request('GET', '/reports/{id}/pdf', parts, ({ body, status }) =>
			requirePdf(body, status),
		);
	}

	/**
	 * POST /v1/bulk (section 4.3). It is sent again only if it was certainly not carried out.
	 * @throws {ScreeningError} with `sent` if the job may exist
	 */
	async submitBulk(addresses: string[]): Promise<Job> {
		const retryLimits = { ...this.defaultRetryLimits(), unsure: 0, lost: 0 };
		const parts = { details: {}, body: { addresses }, maxBytes: maxBytesOfSmallJob, retryLimits };
		try {
			return await this.request('POST', '/bulk', parts, (answer) => this.readAcceptedJob(answer));
		} catch (error) {
			const failure = rethrowUnlessScreeningError(error);
			throw failure.details.sent === undefined ? failure : perhapsAcceptedError(failure);
		}
	}

	/**
	 * GET /v1/bulk/{job_id} (section 4.4); `addresses` are those whose results are wanted, if they are
	 * known. The size of the answer is limited by the number of addresses in the job: a job whose
	 * number is not known is taken for a full one (section 4.3).
	 * @throws {ScreeningError} with the ID
	 */
	async getBulk(jobId: string, addresses?: string[], addressCount = maxPerJob): Promise<Job> {
		const details = { job_id: jobId };
		const parts = { details, id: jobId, maxBytes: maxBytesOfJob(addressCount) };
		return await this.request('GET', '/bulk/{id}', parts, ({ body, headers, status }) => {
			// With an empty body, these two statuses mean that the job is still in progress.
			const isSilent = body.length === 0 && (status === 202 || status === 204);
			const json = isSilent ? {} : requireJson(body, status);
			return this.reader.readJob({ body: json, status, headers }, jobId, addresses);
		});
	}

	/** The option Max Retries for each limit. */
	private defaultRetryLimits(): RetryLimits {
		const { maxRetries } = this.options;
		return { total: maxRetries, unsure: maxRetries, lost: maxRetries };
	}

	/**
	 * Sends a request, with retries, and gives what `read` makes of the 2xx answer, and of how often
	 * the service may have carried out the request. `path` has `{id}` in the place of an ID.
	 * @throws {ScreeningError} with the details of the request
	 * @throws the reason of the signal of the caller or the clock, unless the service may bill a request
	 * that was sent before
	 */
	private async request<T>(
		method: ServiceRequest['method'],
		path: string,
		parts: RequestParts,
		read: (answer: Answer, sent: number) => T,
	): Promise<T> {
		const { details, id = '', body, maxBytes, retryLimits = this.defaultRetryLimits() } = parts;
		const outgoing: ServiceRequest = {
			method,
			url: `${this.options.baseUrl}/v1${path.replace('{id}', () => encodeURIComponent(id))}`,
			accept: parts.accept ?? 'application/json',
			maxBytes,
			...(body && { body }),
		};
		const last = await this.sendWithRetries(outgoing, path, retryLimits);
		try {
			return read(requireSuccess(last), last.sent);
		} catch (failure) {
			const isBillable = method === 'POST' && last.sent > 0;
			throw rethrowUnlessScreeningError(failure).withDetails({
				...details,
				...(isBillable && { sent: last.sent }),
			});
		}
	}

	/** Sends a request when its turn has come, and again as often as these limits let it. */
	private async sendWithRetries(
		outgoing: ServiceRequest,
		path: string,
		limits: RetryLimits,
	): Promise<LastAttempt> {
		const { queue, caller, send, clock, random, onRepetition } = this.options;
		const attempt = async (isRepetition: boolean) =>
			await queue.run(async () => await send(outgoing), caller, isRepetition);
		return await withRetries(attempt, {
			clock,
			random,
			limits,
			isBillable: outgoing.method === 'POST',
			onRepetition: (repetition) =>
				onRepetition?.(describeRepetition(outgoing, path, repetition), repetition.wait),
		});
	}

	/** Reads the job that a submit made; its ID may be in the header `Location` only. */
	private readAcceptedJob({ body, status, headers }: Answer): Job {
		const json = headers.location === undefined ? requireJson(body, status) : tryParseJson(body);
		return this.reader.readSubmittedJob({ body: json, status, headers });
	}

	private readReport({ body, status }: Answer, subject: Subject): Report {
		return this.reader.readReport({ body: requireJson(body, status), status }, subject);
	}
}

/**
 * Returns the answer of the last attempt, if its status is 2xx.
 * @throws {ScreeningError} what failed, or what any other status means
 */
function requireSuccess({ value: answer, error }: LastAttempt): Answer {
	if (error) throw error;
	if (!isSuccess(answer.status)) throw answerError(answer, answer.keyPause);
	return answer;
}

/**
 * Describes a repetition as a line of n8n's log, e.g. "GET /v1/reports/{id}: attempt 1 ended with
 * status 503 (request r-17); the next one in 0.5 s". The path stays without the ID that the user
 * entered, which may be a secret that was pasted by mistake.
 */
function describeRepetition(
	{ method }: ServiceRequest,
	path: string,
	{ attempt, failure, wait, requestId }: Repetition,
): string {
	const id = requestId === undefined ? '' : ` (request ${toLogText(requestId)})`;
	const seconds = Math.round(wait / 100) / 10;
	return `${method} /v1${path}: attempt ${attempt} ended with ${failure}${id}; the next one in ${seconds} s`;
}

/** Makes the error of a submit that the service may have carried out. */
function perhapsAcceptedError(error: ScreeningError): ScreeningError {
	return error.withText({
		message: `${error.message} while a bulk job was submitted`,
		description:
			'The service may have accepted the job and may charge for it, so the node did not submit it again. Ask the vendor, or wait for its webhook, before you submit these addresses again.',
	});
}
