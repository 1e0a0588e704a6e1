/**
 * What ended a request that has no usable answer. `client/failureKind.ts` has what each code shows,
 * and `client/networkFaults.ts` the text for it.
 */
export type FaultCode = OwnFaultCode | SystemCode;

/** The codes of this package. */
type OwnFaultCode =
	/** n8n could not read the credential. Nothing was sent. */
	| 'CREDENTIAL'
	/** n8n's own rules forbid the request. Nothing was sent. */
	| 'SSRF'
	/** The user stopped the execution. */
	| 'STOPPED'
	/** The time of the request was up. */
	| 'TIMEOUT'
	/** The answer is longer than the node reads. */
	| 'TOO_LARGE'
	/** No answer came, and no code of the system says why. */
	| 'NO_ANSWER';

/**
 * A code of Node, of the system, of DNS or of TLS, as it is, e.g. `ECONNREFUSED` or
 * `CERT_HAS_EXPIRED`. No list has them all, but each begins with an E or has an underscore.
 */
export type SystemCode = `E${string}` | `${string}_${string}`;

/** Whether a value is a code of the system. */
export const isSystemCode = (code: unknown): code is SystemCode =>
	typeof code === 'string' && /^(E[A-Z0-9]+|[A-Z][A-Z0-9]*_[A-Z0-9_]+)$/.test(code);
