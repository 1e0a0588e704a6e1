import { ScreeningError } from '../shared/errors';
import { type FaultCode, isSystemCode } from '../shared/faultCode';
import { isObjectOrList } from '../shared/json';
import { formatCount } from '../shared/text';

/* A request without an answer: by which code it is known, and what its error tells. */

/** The text of an error: what happened, and how to get unstuck. */
export interface FaultText {
	message: string;
	description: string;
}

/** The text for a fault of the network, by its code. `%` stands for the time that was waited. */
const networkTexts: Partial<Record<FaultCode, FaultText>> = {
	ECONNREFUSED: {
		message: 'No server responds at the address of the service',
		description:
			'Check the host name and the port, and ask the vendor whether the service is up (ECONNREFUSED).',
	},
	ENOTFOUND: {
		message: 'The host name of the service is unknown',
		description: 'Check the spelling of the host name (ENOTFOUND).',
	},
	EAI_AGAIN: {
		message: 'The host name of the service could not be resolved for now',
		description:
			'Run it again in a minute. If this returns, ask the administrator of this n8n to check its DNS (EAI_AGAIN).',
	},
	STOPPED: {
		message: 'The execution was stopped before the service answered',
		description: 'The service may have carried out the request.',
	},
	TIMEOUT: {
		message: 'The service did not answer within %',
		description: 'Run it again later.',
	},
	SSRF: {
		message:
			"This n8n's own rules forbid requests to the address of the service, or to where it forwards",
		description:
			'Nothing was sent there. Ask the administrator of this n8n to allow the host (N8N_SSRF_ALLOWED_HOSTNAMES) or its IP address (N8N_SSRF_ALLOWED_IP_RANGES).',
	},
};

/**
 * Makes the error of a request without a usable answer. `seconds` is the time that was waited, for
 * the code `TIMEOUT`.
 */
export function networkFault(code: FaultCode, seconds?: number): ScreeningError {
	const { message, description } = networkTexts[code] ?? {
		message: 'Could not connect to the service, or the connection was interrupted',
		description: `Check the network, proxy and TLS settings of the machine that runs n8n, then run it again (${code}).`,
	};
	const time = seconds === undefined ? '' : formatCount(seconds, 'second');
	return new ScreeningError('network', message.replace('%', time), description, {
		faultCode: code,
	});
}

/** What an error of the network may hold. Its message may hold anything and is not used. */
interface NetworkError {
	name?: unknown;
	code?: unknown;
	syscall?: unknown;
	cause?: unknown;
	/** Of an `AggregateError`: one for each IP address of the host. */
	errors?: unknown;
}

/**
 * Only with the system call `connect` do these codes mean that no connection was made. Otherwise the
 * service may already be working on the request.
 */
const codesOfConnect: FaultCode[] = ['EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT'];
/** The codes with which n8n's helper ends a request whose time is up. */
const codesOfTimeout: FaultCode[] = ['ECONNABORTED', 'ESOCKETTIMEDOUT', 'ETIMEDOUT'];

/**
 * Finds the code of a fault in an error, or in what it wraps.
 *
 * @example
 *
 *     { code: 'ECONNRESET' }                                            ECONNRESET
 *     { code: 'ETIMEDOUT', cause: { syscall: 'connect' } }              ETIMEDOUT: not connected
 *     { code: 'ETIMEDOUT' }                                             TIMEOUT: the time is up
 *     { code: 'EHOSTUNREACH', syscall: 'read' }                         NO_ANSWER
 */
export function findFaultCode(error: unknown): FaultCode {
	const all = listCauses(error);
	if (all.some(({ name }) => typeof name === 'string' && /^ssrf/i.test(name))) return 'SSRF';
	const code = all.map((one) => one.code).find(isSystemCode);
	if (code === undefined) return 'NO_ANSWER';
	const syscall = all.map((one) => one.syscall).find((one) => one !== undefined);
	if (codesOfConnect.includes(code) && syscall === 'connect') return code;
	if (codesOfTimeout.includes(code) && syscall === undefined) return 'TIMEOUT';
	return codesOfConnect.includes(code) ? 'NO_ANSWER' : code;
}

/** No error of n8n or Node wraps more. */
const maxCauses = 20;

/** Lists an error and what it wraps, the outer ones first. */
function listCauses(error: unknown): NetworkError[] {
	const found: NetworkError[] = [];
	const left = [error];
	while (left.length > 0 && found.length < maxCauses) {
		const next = left.shift();
		if (!isObjectOrList(next)) continue;
		const one = next as NetworkError;
		found.push(one);
		left.push(one.cause, ...(Array.isArray(one.errors) ? (one.errors as unknown[]) : []));
	}
	return found;
}
