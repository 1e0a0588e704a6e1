import type { IHttpRequestOptions } from 'n8n-workflow';
import { answerTooLargeError, beginsAsPdf } from '../client/answerBody';
import type { ServiceRequest } from '../client/client';
import { foreignRefusalError } from '../client/statusErrors';
import { findFaultCode, networkFault } from '../client/networkFaults';
import { readRetryAfter } from '../client/answerHeaders';
import { unlessAborted } from '../shared/abort';
import { ScreeningError } from '../shared/errors';
import {
	type Answer,
	type HeaderFields,
	isEncryptedOrLocal,
	isLoopback,
	isSuccess,
	parseUrl,
} from '../shared/http';
import type { Connection } from './connection';
import type { Context } from './context';
import { credentialType } from './credential';
import { maskBytes } from './mask';
import { createTimeoutSignal, stopSignal, withSignal } from './signals';

/** How one request of a run is sent. */
export interface SendSettings {
	/** Seconds. */
	requestTimeout: number;
	/** The signal of the run: it ends what was not sent yet, and a GET on the wire. */
	signal?: AbortSignal | undefined;
}

const maxRedirects = 5;
/** How much of an answer outside 2xx is read: enough for the service's explanation. */
const maxBytesOfErrorBody = 2 ** 16;
/**
 * The reason with which each request is ended on the wire once its outcome is known. All requests
 * share it, so that an abort creates no error with a stack.
 */
const requestOver = new Error('The request is over');

/**
 * The one place where a request leaves: through n8n's helper, so that the proxy, SSRF and
 * credential rules of the instance apply. The key goes only to the origin of the connection, and no
 * secret of the connection is in what comes back. What ends a request on the wire:
 *
 *     end                            a GET    a POST, which may be billed    what is thrown
 *     `stop`, the stop button        ends     ends                           its reason; POST: `STOPPED`
 *     `settings.signal`, the run     ends     goes on                        its reason
 *     `deadline`, its own time-out   ends     ends                           `TIMEOUT`
 *
 * Each of them ends the waiting; `wire` then ends the request itself, as after an answer.
 */
export class Sender {
	/** The stop button: of the signals of a run, only this one ends a POST on the wire. */
	private readonly stop: AbortSignal | undefined;
	/** The base URL of the connection. */
	private readonly service: URL;
	/** Whole milliseconds, as n8n's helper takes them: 64.1 * 1000 is a fraction. */
	private readonly timeout: number;

	constructor(
		private readonly context: Context,
		private readonly connection: Pick<Connection, 'baseUrl' | 'credentialForHelper' | 'mask'>,
		private readonly settings: SendSettings,
	) {
		this.stop = stopSignal(context);
		this.service = new URL(connection.baseUrl);
		this.timeout = Math.ceil(settings.requestTimeout * 1000);
	}

	/**
	 * Sends a request, and gives the answer with any status.
	 * @throws {ScreeningError} `network` for any transport failure, and with the code `STOPPED` for a
	 * POST that the stop button ended
	 * @throws the reason of the signal, if one was aborted before the request left, or ended a GET
	 */
	async send(request: ServiceRequest): Promise<Answer> {
		const ends = [this.stop, this.settings.signal];
		for (const end of ends) end?.throwIfAborted();
		if (request.method !== 'POST') return await this.sendUntil(ends, request);
		try {
			return await this.sendUntil([this.stop], request);
		} catch (error) {
			// As a fault, it counts as sent: the service may bill it.
			throw this.stop?.aborted ? networkFault('STOPPED') : error;
		}
	}

	/**
	 * Sends a request, and gives the answer, unless one of these signals or the time-out ends it.
	 * @throws the reason of the signal, else what `createFault` makes of the failure
	 */
	private async sendUntil(
		ends: Array<AbortSignal | undefined>,
		request: ServiceRequest,
	): Promise<Answer> {
		// The helper's own time-out ends with the first byte; this one covers a body that never ends.
		const deadline = createTimeoutSignal(this.timeout);
		const wire = new AbortController();
		try {
			const work = this.followRedirects(request, wire.signal);
			const answer = await unlessAborted(work, [...ends, deadline]);
			return this.maskAnswer(request, answer);
		} catch (error) {
			for (const end of ends) end?.throwIfAborted();
			throw this.createFault(error, deadline);
		} finally {
			wire.abort(requestOver);
		}
	}

	/**
	 * Makes the error of a failure, without any data of the request: n8n's own error holds its
	 * headers, the key among them.
	 */
	private createFault(error: unknown, deadline: AbortSignal): ScreeningError {
		const { requestTimeout } = this.settings;
		if (deadline.aborted) return networkFault('TIMEOUT', requestTimeout);
		if (error instanceof ScreeningError) return error;
		return networkFault(findFaultCode(error), requestTimeout);
	}

	/**
	 * Sends a request, and again to where it is redirected, and gives the last answer.
	 * @throws {ScreeningError} `server` if another server than that of the connection refuses the
	 * request
	 */
	private async followRedirects(request: ServiceRequest, signal: AbortSignal): Promise<Answer> {
		let { url } = request;
		for (let hops = 0; ; hops++) {
			const isOwn = new URL(url).origin === this.service.origin;
			const answer = await this.sendOnce(request, url, isOwn, signal);
			const isRefused = answer.status >= 400 && answer.status < 500;
			if (!isOwn && isRefused) throw foreignRefusalError(answer.status);
			const target = findRedirect(answer, url, this.service);
			// A POST that is repeated elsewhere would send the address, and maybe the bill, to a place
			// that the user did not name.
			if (!target || request.method !== 'GET' || hops === maxRedirects) return answer;
			url = target;
		}
	}

	/**
	 * Sends a request to one URL, with the key or without.
	 * @throws {ScreeningError} `invalid_response` for an answer that is too large
	 */
	private async sendOnce(
		request: ServiceRequest,
		url: string,
		withKey: boolean,
		signal: AbortSignal,
	): Promise<Answer> {
		const options = this.createHttpOptions(request, url, signal);
		const { helpers } = this.context;
		const { statusCode, headers, body } = withKey
			? await helpers.httpRequestWithAuthentication.call(
					withSignal(this.context, signal),
					credentialType,
					options,
					{ credentialsDecrypted: this.connection.credentialForHelper },
				)
			: await helpers.httpRequest(options);
		const isSuccessful = isSuccess(statusCode);
		const maxBytes = isSuccessful ? request.maxBytes : maxBytesOfErrorBody;
		const { bytes, isCut } = await readBytes(body as AsyncIterable<Buffer>, maxBytes);
		if (isCut && isSuccessful) throw answerTooLargeError(statusCode, maxBytes);
		const retryAfter = readRetryAfter(headers as HeaderFields, Date.now());
		return { status: statusCode, headers, body: bytes, retryAfter };
	}

	/**
	 * Asks n8n's helper for the full response of any status as a stream, without redirects: this
	 * class follows them itself.
	 */
	private createHttpOptions(
		{ method, accept, body }: ServiceRequest,
		url: string,
		signal: AbortSignal,
	): IHttpRequestOptions {
		return {
			method,
			url,
			headers: { Accept: accept, ...(body && { 'Content-Type': 'application/json' }) },
			...(body && { body }),
			encoding: 'stream',
			returnFullResponse: true,
			ignoreHttpStatusErrors: true,
			disableFollowRedirect: true,
			timeout: this.timeout,
			abortSignal: signal,
		};
	}

	/** Takes the secrets out of an answer. A PDF is no text, and goes only into a file. */
	private maskAnswer({ accept }: ServiceRequest, answer: Answer): Answer {
		const { mask } = this.connection;
		const { headers, body } = answer;
		const isPdf = accept === 'application/pdf' && isSuccess(answer.status) && beginsAsPdf(body);
		const texts = Object.entries(headers).map(([name, value]) => [
			name,
			Array.isArray(value) ? value.map(mask) : value && mask(value),
		]);
		return {
			...answer,
			headers: Object.fromEntries(texts) as HeaderFields,
			body: isPdf ? body : maskBytes(body, mask),
		};
	}
}

/** The bytes of a body, as they are after decompression. */
interface BodyBytes {
	bytes: Buffer;
	/** Whether the body is longer, and the rest was not read. */
	isCut: boolean;
}

/** Reads at most `maxBytes` of a stream. */
async function readBytes(stream: AsyncIterable<Buffer>, maxBytes: number): Promise<BodyBytes> {
	const chunks: Buffer[] = [];
	let length = 0;
	let isCut = false;
	for await (const chunk of stream) {
		length += chunk.length;
		isCut = length > maxBytes;
		// Leaving the loop ends the connection.
		if (isCut) break;
		chunks.push(chunk);
	}
	return { bytes: Buffer.concat(chunks), isCut };
}

/**
 * Finds the target of a redirect, if it may be followed: the key and the report stay on encrypted
 * connections, and a service elsewhere forwards to no `http:` address of this machine.
 */
export function findRedirect(
	{ status, headers }: Pick<Answer, 'status' | 'headers'>,
	from: string,
	service: URL,
): string | undefined {
	const { location } = headers;
	if (status < 300 || status > 399 || typeof location !== 'string') return undefined;
	const target = parseUrl(location, from);
	if (!target || !isEncryptedOrLocal(target)) return undefined;
	return target.protocol === 'https:' || isLoopback(service) ? target.href : undefined;
}
