/** What went wrong, in one word. The list is part of the package's public names. */
export type ErrorClass =
	| 'invalid_input'
	| 'bad_request'
	| 'unauthorized'
	| 'forbidden'
	| 'not_found'
	| 'rate_limited'
	| 'server'
	| 'network'
	| 'invalid_response'
	| 'job_failed'
	| 'job_timeout'
	| 'missing_result';

/** What is known of the failed request, in the service's spelling; shown to the user with the error. */
export interface Known {
	address?: string;
	report_id?: string;
	job_id?: string;
	job_ids?: string[];
	entry?: unknown;
	body?: unknown;
	parameter?: string;
	/** Settings of the trigger node that would fit. */
	suggestion?: unknown;
}

interface Extra {
	httpCode?: number | undefined;
	/** The code of a network fault, e.g. `ECONNREFUSED`. */
	networkCode?: string;
	known?: Known;
}

/** The one error of this package below n8n's own: `message` says what happened, `description` how to get unstuck. */
export class ScreeningError extends Error {
	readonly httpCode: number | undefined;

	readonly networkCode: string | undefined;

	readonly known: Known;

	constructor(
		readonly errorClass: ErrorClass,
		message: string,
		readonly description: string,
		{ httpCode, networkCode, known = {} }: Extra = {},
	) {
		super(message);
		this.name = 'ScreeningError';
		this.httpCode = httpCode;
		this.networkCode = networkCode;
		this.known = known;
	}

	/** The same error with more known about its request. */
	with(known: Known): ScreeningError {
		return new ScreeningError(this.errorClass, this.message, this.description, {
			httpCode: this.httpCode,
			...(this.networkCode && { networkCode: this.networkCode }),
			known: { ...this.known, ...known },
		});
	}
}

/** An input that the node itself refuses, before any request. `parameter` is the label that the user sees. */
export function invalidInput(
	parameter: string,
	message: string,
	description: string,
	known?: Known,
): ScreeningError {
	return new ScreeningError('invalid_input', message, description, {
		known: { parameter, ...known },
	});
}

/** The error as one of this package; any other goes on up. */
export function own(error: unknown): ScreeningError {
	if (!(error instanceof ScreeningError)) throw error;
	return error;
}

/** Runs `work` and adds to the error that it may throw what is known of its subject. */
export async function about<T>(known: Known, work: () => Promise<T>): Promise<T> {
	try {
		return await work();
	} catch (error) {
		throw error instanceof ScreeningError ? error.with(known) : error;
	}
}

/** A 2xx answer that does not hold what the specification promises. `what` completes "The service answered with …". */
export function invalidResponse(what: string, httpCode?: number, known?: Known): ScreeningError {
	return new ScreeningError(
		'invalid_response',
		`The service answered with ${what}`,
		'Nothing can be concluded about the address from such an answer, so none is given. Run it again later; if it stays, check that the base URL of the credential is the address of the service, and send this text to its support.',
		{ httpCode, ...(known && { known }) },
	);
}

const networkDescriptions: Record<string, string> = {
	ECONNREFUSED:
		'Nothing listens at the base URL of the credential. Check the address and its port, and whether the service is up.',
	ENOTFOUND:
		'The host name of the base URL is not known. Check it in the credential for a typing slip.',
	EAI_AGAIN:
		'The host name of the base URL could not be looked up. Check the DNS of the machine that runs n8n.',
	TIMEOUT:
		"The answer did not come in time. Run it again later, or raise 'Request Timeout' in the options.",
};

/** No usable answer. `code` is the network's own, e.g. `ECONNRESET`, or `TIMEOUT`. */
export function networkFault(code: string, seconds?: number): ScreeningError {
	const message =
		code === 'TIMEOUT'
			? `The service did not answer within ${seconds} seconds`
			: 'The connection to the service could not be made, or broke';
	const advice =
		networkDescriptions[code] ??
		'Check the base URL in the credential and the network, proxy and TLS settings of the machine that runs n8n, then run it again.';
	// Not in the message: n8n replaces a message that holds such a code by its own.
	const description = code === 'TIMEOUT' ? advice : advice.replace(/\.$/, ` (${code}).`);
	return new ScreeningError('network', message, description, { networkCode: code });
}

const statusTexts: Record<number, [ErrorClass, string, string]> = {
	401: [
		'unauthorized',
		'The service does not accept the API key',
		"Check 'API Key' in the credential: it may be mistyped, expired or of another environment. Keys are issued by the vendor's sales team.",
	],
	403: [
		'forbidden',
		'The API key is not allowed to do this',
		'Screening and bulk jobs need a key with write scope. If the key has it, the IP address of this n8n may be missing from the allowlist of the key. Ask the vendor to change either.',
	],
	404: [
		'not_found',
		'The service does not know what was asked for',
		'Check the ID, and that it was made with a key of the same account. If no ID is involved, check the base URL in the credential.',
	],
	429: [
		'rate_limited',
		'The service still limits the rate of this API key',
		"Run it again later. If this returns, set 'Plan' in the credential to Custom with a lower rate, or use fewer workflows with this key at once.",
	],
};

/** The error that a status outside 2xx means (section 7). `said` is the service's own explanation, if it gave one. */
export function statusError(status: number, said: string | undefined): ScreeningError {
	const [errorClass, message, description] = statusTexts[status] ?? otherStatus(status);
	return new ScreeningError(
		errorClass,
		message,
		said ? `${description} The service says: ${said}` : description,
		{ httpCode: status },
	);
}

function otherStatus(status: number): [ErrorClass, string, string] {
	if (status >= 500) {
		return [
			'server',
			`The service is not able to answer at the moment (status ${status})`,
			'The request was repeated and is still not answered. Run it again later.',
		];
	}
	if (status >= 400) {
		return [
			'bad_request',
			`The service refuses the request (status ${status})`,
			'The service cannot make sense of a value that was sent, e.g. of the address or the chain. Correct it and run again.',
		];
	}
	return [
		'invalid_response',
		`The service answered with a status that it does not document (${status})`,
		'Check that the base URL of the credential is the address of the service itself and not of a page that forwards to it.',
	];
}
