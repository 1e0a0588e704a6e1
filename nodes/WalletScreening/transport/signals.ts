import type { IAllExecuteFunctions } from 'n8n-workflow';
import type { Context } from './context';

/** The signal that is aborted when the user stops the execution; a webhook cannot be stopped. */
export function stopSignal(context: Context): AbortSignal | undefined {
	return 'getExecutionCancelSignal' in context ? context.getExecutionCancelSignal() : undefined;
}

/**
 * Makes a signal that is aborted after so many milliseconds, rounded up: `AbortSignal.timeout`
 * takes whole ones, and 4.1 * 60,000 is not whole.
 */
export function createTimeoutSignal(ms: number): AbortSignal {
	return AbortSignal.timeout(Math.ceil(ms));
}

/**
 * n8n 2.41: its helper `httpRequestWithAuthentication` replaces the abort signal of the request by
 * that of the execution, which it takes from the context. This context has `signal` in that place.
 * The helper `httpRequest` keeps to the signal of the request, and needs no such context.
 */
export function withSignal(context: Context, signal: AbortSignal): IAllExecuteFunctions {
	return Object.create(context, {
		getExecutionCancelSignal: { value: () => signal },
	}) as IAllExecuteFunctions;
}
