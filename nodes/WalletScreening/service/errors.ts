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
	| 'missing_result'
	| 'storage';

/** What is known of the failed request, in the service's spelling; shown to the user with the error. */
export interface Known {
	address?: string;
	chain?: string;
	report_id?: string;
	report_ids?: string[];
	job_id?: string;
	job_ids?: string[];
	/** A report that was made before something after it failed, and its decision. */
	report?: unknown;
	decision?: unknown;
	entry?: unknown;
	body?: unknown;
	parameter?: string;
	/** Settings of the trigger node that would fit. */
	suggestion?: unknown;
}

interface Extra {
	httpCode?: number | undefined;
	/** The code of a network fault, e.g. `ECONNREFUSED`. */
	networkCode?: string | undefined;
	/** The service's own explanation. */
	said?: string | undefined;
	known?: Known;
}

/**
 * The one error of this package below n8n's own: `message` says what happened, `description` what it means and how to get
 * unstuck. Neither names a field of the editor; `n8n/advice.ts` adds those.
 */
export class ScreeningError extends Error {
	readonly httpCode: number | undefined;

	readonly networkCode: string | undefined;

	readonly said: string | undefined;

	readonly known: Known;

	constructor(
		readonly errorClass: ErrorClass,
		message: string,
		readonly description: string,
		{ httpCode, networkCode, said, known = {} }: Extra = {},
	) {
		super(message);
		this.name = 'ScreeningError';
		this.httpCode = httpCode;
		this.networkCode = networkCode;
		this.said = said;
		this.known = known;
	}

	/** The same error, with more facts about its request. */
	with(known: Known): ScreeningError {
		return this.copy({ known: { ...this.known, ...known } });
	}

	/** The same error with another text. */
	saying({ message = this.message, description = this.description }): ScreeningError {
		return this.copy({ message, description });
	}

	private copy({ message = this.message, description = this.description, known = this.known }) {
		const { errorClass, httpCode, networkCode, said } = this;
		return new ScreeningError(errorClass, message, description, {
			...{ httpCode, networkCode, said, known },
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

/** The error as one of this package; any other is thrown again. */
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
		'Treat the address as not screened. Run it again later. If the answer stays the same, send this text to the vendor.',
		{ httpCode, ...(known && { known }) },
	);
}

const networkTexts: Record<string, [string, string]> = {
	ECONNREFUSED: [
		'No server responds at the address of the service',
		'Check the host name and the port, and ask the vendor whether the service is up.',
	],
	ENOTFOUND: ['The host name of the service is unknown', 'Check the spelling of the host name.'],
	EAI_AGAIN: [
		'The host name of the service could not be looked up for now',
		'Run it again in a minute. If this returns, ask the administrator of this n8n to check its DNS.',
	],
	SSRF: [
		"This n8n's own rules forbid requests to the address of the service",
		'Nothing was sent. Ask the administrator of this n8n to allow the host (N8N_SSRF_ALLOWED_HOSTNAMES) or its IP address (N8N_SSRF_ALLOWED_IP_RANGES).',
	],
	SSRF_REDIRECT: [
		"The service forwards to an address that this n8n's own rules forbid",
		'Ask the vendor for that address, and the administrator of this n8n to allow it (N8N_SSRF_ALLOWED_HOSTNAMES).',
	],
};
/** Faults whose text needs no code. */
const named = ['TIMEOUT', 'SSRF', 'SSRF_REDIRECT'];

/** Whether this n8n forbids the request, by a rule or because the credential is gone: another try would end the same way. */
export function isForbidden({ networkCode = '' }: ScreeningError): boolean {
	return ['SSRF', 'SSRF_REDIRECT', 'CREDENTIAL_GONE'].includes(networkCode);
}

/** No usable answer. `code` is the network's own, e.g. `ECONNRESET`, or `TIMEOUT`, `SSRF` or `SSRF_REDIRECT`. */
export function networkFault(code: string, seconds?: number): ScreeningError {
	const [message, description] = networkTexts[code] ?? [
		code === 'TIMEOUT'
			? `The service did not answer within ${seconds} ${seconds === 1 ? 'second' : 'seconds'}`
			: 'Could not connect to the service, or the connection was interrupted',
		code === 'TIMEOUT'
			? 'Run it again later.'
			: 'Check the network, proxy and TLS settings of the machine that runs n8n, then run it again.',
	];
	// The code is not in the message, because n8n replaces a message that holds one by its own.
	const text = named.includes(code) ? description : description.replace(/\.$/, ` (${code}).`);
	return new ScreeningError('network', message, text, { networkCode: code });
}

const statusTexts: Record<number, [ErrorClass, string, string]> = {
	401: [
		'unauthorized',
		'The service does not accept the API key',
		'The key may be mistyped, expired or of another environment. The vendor issues keys.',
	],
	403: [
		'forbidden',
		'The API key is not allowed to do this',
		"The key may lack the scope for this, or this n8n's IP address is missing from the key's allowlist. Ask the vendor.",
	],
	404: [
		'not_found',
		'The service did not find what was asked for',
		'The service answered with status 404.',
	],
	429: [
		'rate_limited',
		'The service takes no more requests with this API key for now',
		'Run it again later, or use fewer workflows with this key at the same time.',
	],
};

const badValue =
	'The service does not accept a value in the request, e.g. the address or the chain. Correct the value and run again.';
const notNow = 'The service cannot carry out the request for now. Run it again later.';

/** What a rejection means. The specification names 400 (section 7); the others mean what they mean in HTTP. */
const rejections: Record<number, string> = {
	400: badValue,
	402: 'The account of the API key may have no credit left, or a plan that does not include this. Ask the vendor.',
	405: 'Nothing at this address takes such a request.',
	408: notNow,
	409: notNow,
	410: 'The service no longer keeps what was asked for. Ask the vendor how long it keeps jobs and reports.',
	413: 'The request is too long for the service, or for a proxy before it. In a bulk job, submit fewer addresses at once.',
	422: badValue,
	423: notNow,
	425: notNow,
};

/** Whether the service rejected what the request holds, e.g. one of many addresses. */
export function rejectsContent({ httpCode }: Pick<ScreeningError, 'httpCode'>): boolean {
	return httpCode === 400 || httpCode === 422;
}

/** A refusal by another host, to which the service forwards. The key is not sent there, so it is not the reason. */
export function refusedElsewhere(httpCode: number): ScreeningError {
	return new ScreeningError(
		'forbidden',
		`The address that the service forwards to refused the request (status ${httpCode})`,
		'The node sends the API key only to the service itself. Run it again later. If this returns, ask the vendor.',
		{ httpCode },
	);
}

/** The error that a status outside 2xx means (section 7). `said` is the service's own explanation, if it gave one. */
export function statusError(status: number, said: string | undefined): ScreeningError {
	const [errorClass, message, description] = statusTexts[status] ?? otherStatus(status);
	return new ScreeningError(errorClass, message, description, { httpCode: status, said });
}

function otherStatus(status: number): [ErrorClass, string, string] {
	if (status >= 500) {
		return [
			'server',
			`The service is unavailable (status ${status})`,
			'The service cannot answer for now. Run it again later.',
		];
	}
	if (status >= 400) {
		const description =
			rejections[status] ??
			'The answer may come from a proxy or a gateway before the service. Ask the vendor what this status means.';
		return ['bad_request', `The service rejected the request (status ${status})`, description];
	}
	return [
		'invalid_response',
		`The service answered with an undocumented status (${status})`,
		'The answer may come from a proxy, or from a page that forwards to the service.',
	];
}
