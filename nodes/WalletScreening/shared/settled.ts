import type { ScreeningError } from './errors';

/**
 * One of the several outcomes of one call: a value, or the error in its place. A call that has only one outcome returns the value
 * or throws the error.
 */
export type Settled<T> =
	| { readonly value: T; readonly error?: undefined }
	| { readonly value?: undefined; readonly error: ScreeningError };
