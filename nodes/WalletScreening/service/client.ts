import { addressKey } from './address';
import type { Clock } from '../pace/clock';
import { about, invalidResponse, ScreeningError } from './errors';
import { cleanAddress, cleanChain, cleanId } from './input';
import { maskedJson, parseJson } from './json';
import { type Job, parseJob, parseReport, type Report } from './shapes';
import type { Lane, RateLimiter } from '../pace/rateLimiter';
import { type Answer, mayHaveArrived, withRetries } from '../pace/retry';

export interface Request {
	method: 'GET' | 'POST';
	url: string;
	accept: string;
	body?: Record<string, unknown>;
}

/** Sends one request with the key and gives what came back, or the `network` fault that stood in its place. */
export type Send = (request: Request) => Promise<Answer | ScreeningError>;

/** Values come as the user gave them; each method refuses what cannot be right with `invalid_input`, before any request. */
export interface Client {
	/** POST /v1/screen (section 4.1). Where `chain` is blank the service determines it. */
	screen(address: unknown, chain: unknown): Promise<Report>;
	/** GET /v1/reports/{id} (section 4.2). */
	getReport(reportId: unknown): Promise<Report>;
	/** GET /v1/reports/{id}/pdf (section 4.5): the bytes, known to begin as a PDF does. */
	getPdf(reportId: unknown): Promise<Buffer>;
	/** POST /v1/bulk (section 4.3), at most 1,000 addresses. Never sent twice where a second job might be billed. */
	submitBulk(addresses: string[]): Promise<Job>;
	/** GET /v1/bulk/{job_id} (section 4.4). The ID is as the service gave it, or cleaned. */
	getBulk(jobId: string): Promise<Job>;
}

export interface ClientOptions {
	/** Without `/v1` and without a trailing slash. */
	baseUrl: string;
	send: Send;
	limiter: RateLimiter;
	lane: Lane;
	clock: Clock;
	random: () => number;
	maxRetries: number;
	/** Aborted when the user stops the execution. */
	signal?: AbortSignal | undefined;
	/** Texts that must not appear in any error. */
	secrets: string[];
}

const pdfMagic = Buffer.from('%PDF-');

/**
 * The service as methods, one per endpoint. Each throws a `ScreeningError` that says what is known of the request; the
 * statuses of section 7 are read here and nowhere else.
 */
export function createClient({
	baseUrl,
	send,
	limiter,
	lane,
	signal,
	secrets,
	...retry
}: ClientOptions): Client {
	async function request(
		method: Request['method'],
		path: string,
		{ accept = 'application/json', repeatable = true, body = undefined as Request['body'] } = {},
	) {
		const outgoing = { method, url: `${baseUrl}/v1${path}`, accept, ...(body && { body }) };
		return await withRetries(async () => await send(outgoing), {
			...retry,
			repeatable,
			inTurn: async (request, again) => await limiter.run(request, lane, { again, signal }),
			explain: ({ body: said }) => explanation(said, secrets),
		});
	}

	const reportPath = (id: string) => `/reports/${encodeURIComponent(id)}`;

	return {
		async screen(givenAddress, givenChain) {
			const address = cleanAddress(givenAddress);
			const chain = cleanChain(givenChain);
			return await about({ address }, async () => {
				const answer = await request('POST', '/screen', {
					body: { address, ...(chain && { chain }) },
				});
				const report = parseReport(parseJson(answer.body, answer.status, secrets), answer.status);
				if (addressKey(report.address) !== addressKey(address)) {
					throw invalidResponse('the report of another address', answer.status);
				}
				return report;
			});
		},
		async getReport(givenId) {
			const id = cleanId(givenId, 'Report ID');
			return await about({ report_id: id }, async () => {
				const answer = await request('GET', reportPath(id));
				const report = parseReport(parseJson(answer.body, answer.status, secrets), answer.status);
				if (report.report_id !== id) {
					throw invalidResponse('another report', answer.status);
				}
				return report;
			});
		},
		async getPdf(givenId) {
			const id = cleanId(givenId, 'Report ID');
			return await about({ report_id: id }, async () => {
				const { body, status } = await request('GET', `${reportPath(id)}/pdf`, {
					accept: 'application/pdf',
				});
				if (!isPdf(body)) {
					throw invalidResponse('something that is not a PDF', status);
				}
				return body;
			});
		},
		async submitBulk(addresses) {
			try {
				const answer = await request('POST', '/bulk', { body: { addresses }, repeatable: false });
				return parseJob(parseJson(answer.body, answer.status, secrets), answer.status);
			} catch (error) {
				throw error instanceof ScreeningError && mayBeBilled(error) ? unsure(error) : error;
			}
		},
		async getBulk(jobId) {
			return await about({ job_id: jobId }, async () => {
				const { body, status } = await request('GET', `/bulk/${encodeURIComponent(jobId)}`);
				// These statuses say by themselves that there is nothing to tell yet.
				const isSilent = body.length === 0 && (status === 202 || status === 204);
				return parseJob(isSilent ? {} : parseJson(body, status, secrets), status, jobId);
			});
		},
	};
}

/** Whether the job may exist: the connection broke in the middle, or a 2xx holds no handle that can be read. */
function mayBeBilled(error: ScreeningError): boolean {
	return mayHaveArrived(error) || (error.httpCode !== undefined && error.httpCode < 300);
}

function unsure(error: ScreeningError): ScreeningError {
	const { errorClass, message, httpCode, networkCode, known } = error;
	return new ScreeningError(
		errorClass,
		`${message} while a bulk job was submitted`,
		'The service may have accepted the job and bill it, so it was not submitted a second time. Ask the vendor or wait for its webhook before you submit these addresses again.',
		{ httpCode, ...(networkCode !== undefined && { networkCode }), known },
	);
}

const longestExplanation = 300;

function isPdf(body: Buffer): boolean {
	return body.subarray(0, pdfMagic.length).equals(pdfMagic);
}

/**
 * What the service says about a refusal, as one line. The specification does not show the shape of error bodies (section
 * 7), so the usual places are tried.
 */
function explanation(body: Buffer, secrets: string[]): string | undefined {
	const said = explanationIn(body, secrets)
		?.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ')
		.trim();
	if (!said) return undefined;
	return said.length > longestExplanation ? `${said.slice(0, longestExplanation)}…` : said;
}

function explanationIn(body: Buffer, secrets: string[]): string | undefined {
	let parsed: unknown;
	try {
		parsed = maskedJson(body, secrets);
	} catch {
		return undefined;
	}
	for (let depth = 0; depth < 2 && typeof parsed === 'object' && parsed !== null; depth++) {
		const { error, message, detail, title } = parsed as Record<string, unknown>;
		const text = [message, detail, error, title].find((value) => typeof value === 'string');
		if (text !== undefined) return text as string;
		parsed = error;
	}
	return undefined;
}
