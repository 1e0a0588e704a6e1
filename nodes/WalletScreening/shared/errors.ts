import type { FaultCode } from './faultCode';

/*
 * What is known of a failure is in three parts: `PublicDetails` under the names that a workflow reads,
 * `ErrorDetails` with two more that become such names, and `ErrorFacts` with what the texts and the
 * advice are made of.
 */

/** The kind of a failure, in one word. The list is part of the package's public names. */
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

/**
 * What the `details` of an error item tell. The names of these fields are part of the package's public
 * names. IDs and addresses are as the service spells them.
 */
interface PublicDetails {
	address?: string | undefined;
	/** The user's own name of the matter, e.g. the ID of a payment. */
	reference?: string | undefined;
	chain?: string;
	report_id?: string;
	report_ids?: string[];
	job_id?: string | undefined;
	job_ids?: string[];
	/** The part of the answer that is the reason. */
	entry?: unknown;
	/** The beginning of the answer. */
	body?: unknown;
	/** The label of a parameter in the editor. */
	parameter?: string;
	/** How many of the requests the service may have carried out, and may bill. */
	sent?: number | undefined;
	/** Stands for a private key, which the error must not repeat. */
	withheld?: string;
	/** What the check of the address found, if that is why it was refused. */
	checksum?: 'invalid' | 'none';
	/** Settings of the trigger node that would fit. */
	suggestion?: unknown;
}

/**
 * What is known of what failed. `publicDetails` in `execution/nodeErrors.ts` makes the details of an
 * error item of it: there, the two fields below have no names of their own.
 */
export interface ErrorDetails extends PublicDetails {
	/**
	 * The beginning of a refused text that is too long to repeat. It finds no row again, so it is not
	 * the `address` that other code looks rows up by.
	 */
	addressExcerpt?: string;
	/** The item of a report that was made before something after it failed. */
	reportItem?: object;
}

/** What is known of an error beside its texts. */
interface ErrorFacts {
	httpCode?: number | undefined;
	/** What ended a request without a usable answer. */
	faultCode?: FaultCode | undefined;
	/** The service's own explanation. */
	serviceMessage?: string | undefined;
	/**
	 * What to add to the names of the service, as `{ name: [texts] }`, if that makes the answer
	 * readable.
	 */
	proposedNames?: Partial<Record<string, string[]>> | undefined;
	details?: ErrorDetails;
	/** The stack of where it happened first. */
	stack?: string | undefined;
}

const omitUndefined = (details: ErrorDetails): ErrorDetails =>
	Object.fromEntries(Object.entries(details).filter(([, value]) => value !== undefined));

/**
 * The one error of this package below n8n's own: `message` is what happened, `description` what it
 * means and how to get unstuck. For a failed request, `execution/advice.ts` adds what the user can
 * change, because that depends on the operation.
 */
export class ScreeningError extends Error {
	readonly httpCode: ErrorFacts['httpCode'];
	readonly faultCode: ErrorFacts['faultCode'];
	readonly serviceMessage: ErrorFacts['serviceMessage'];
	readonly proposedNames: ErrorFacts['proposedNames'];
	readonly details: ErrorDetails;

	constructor(
		readonly errorClass: ErrorClass,
		message: string,
		readonly description: string,
		facts: ErrorFacts = {},
	) {
		super(message);
		this.name = 'ScreeningError';
		this.httpCode = facts.httpCode;
		this.faultCode = facts.faultCode;
		this.serviceMessage = facts.serviceMessage;
		this.proposedNames = facts.proposedNames;
		this.details = omitUndefined(facts.details ?? {});
		if (facts.stack !== undefined) this.stack = facts.stack;
	}

	/** Copies the error, with more facts about its request. */
	withDetails(details: ErrorDetails): ScreeningError {
		const known = { ...this.details, ...omitUndefined(details) };
		const facts = { ...this.facts(), details: known };
		return new ScreeningError(this.errorClass, this.message, this.description, facts);
	}

	/** Copies the error, with other texts. */
	withText({
		message = this.message,
		description = this.description,
		serviceMessage = this.serviceMessage,
	}): ScreeningError {
		const facts = { ...this.facts(), serviceMessage };
		return new ScreeningError(this.errorClass, message, description, facts);
	}

	/** What a copy of the error keeps beside its texts. */
	private facts(): ErrorFacts {
		const { httpCode, faultCode, serviceMessage, proposedNames, details, stack } = this;
		return { httpCode, faultCode, serviceMessage, proposedNames, details, stack };
	}
}

/**
 * Makes the error of an input that the node itself refuses, before any request. `parameter` is the
 * label that the user sees.
 */
export function invalidInput(
	parameter: string,
	message: string,
	description: string,
	details?: ErrorDetails,
): ScreeningError {
	return new ScreeningError('invalid_input', message, description, {
		details: { parameter, ...details },
	});
}

/**
 * Makes the error of a 2xx answer that does not hold what the specification promises. `what`
 * completes "The service answered with …".
 */
export function invalidResponse(what: string, facts: ErrorFacts = {}): ScreeningError {
	return new ScreeningError(
		'invalid_response',
		`The service answered with ${what}`,
		'Treat the address as not screened. Run it again later. If the answer stays the same, send this text to the vendor.',
		facts,
	);
}

/**
 * Makes the error of an answer beyond a limit: another one would be as large. `limit` completes
 * "more than …", and `limits`, which names all limits of the kind, "The node reads …".
 */
export function tooLargeError(limit: string, limits: string, httpCode?: number): ScreeningError {
	return new ScreeningError(
		'invalid_response',
		`The answer of the service is too large: more than ${limit}`,
		`The node reads ${limits}. Treat the address as not screened. Ask the vendor how to get smaller reports.`,
		{ httpCode, faultCode: 'TOO_LARGE' },
	);
}

/**
 * What came of one of the several things that a call works on: a value, or the error in its place.
 * A call that works on one thing returns the value or throws the error.
 */
export type Settled<T> =
	| { readonly value: T; readonly error?: undefined }
	| { readonly value?: undefined; readonly error: ScreeningError };

/*
 * What becomes of an error that was caught. Any other than a `ScreeningError` is a defect of this
 * package, or the end of the run:
 *
 *                                    a ScreeningError               any other
 *     catchScreeningError, …Async    is the error of its `Settled`  is thrown again
 *     rethrowUnlessScreeningError    is returned                    is thrown again
 *     wrapAsScreeningError           is returned                    becomes one: no item is lost
 */

/**
 * The value that `work` gives, or in its place the error that it throws.
 * @throws anything else that `work` throws: a defect, or the end of the run
 */
export function catchScreeningError<T>(work: () => T): Settled<T> {
	try {
		return { value: work() };
	} catch (error) {
		return { error: rethrowUnlessScreeningError(error) };
	}
}

/**
 * The value that `work` resolves to, or in its place the error that it rejects with.
 * @throws anything else that `work` rejects with: a defect, or the end of the run
 */
export async function catchScreeningErrorAsync<T>(work: () => Promise<T>): Promise<Settled<T>> {
	try {
		return { value: await work() };
	} catch (error) {
		return { error: rethrowUnlessScreeningError(error) };
	}
}

/**
 * Returns an error of this package.
 * @throws any other error again: a defect, or the end of the run
 */
export function rethrowUnlessScreeningError(error: unknown): ScreeningError {
	if (!(error instanceof ScreeningError)) throw error;
	return error;
}

/**
 * Returns an error of this package, or one that stands for a fault in it: then nothing is known of
 * the item. The public classes have none for such a fault. It is an `invalid_response`, the class by
 * which a workflow learns that there is no report, and that another attempt would not give one.
 */
export function wrapAsScreeningError(error: unknown): ScreeningError {
	if (error instanceof ScreeningError) return error;
	return new ScreeningError(
		'invalid_response',
		`The node stopped unexpectedly: ${messageOf(error)}`,
		'Treat the address as not screened. Send this text to the authors of the node.',
		{ stack: error instanceof Error ? error.stack : undefined },
	);
}

/** The description of what n8n threw, if it has one. */
export function descriptionOf(thrown: unknown): string | undefined {
	return (thrown as { description?: string } | null | undefined)?.description;
}

/** The message of what n8n or a fault of this package threw, which may be any value. */
export function messageOf(thrown: unknown): string {
	return (thrown as Error | undefined)?.message ?? String(thrown);
}
