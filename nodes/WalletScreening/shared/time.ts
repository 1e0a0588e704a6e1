/* All times are milliseconds. */

export const minute = 60_000;
export const hour = 60 * minute;
export const day = 24 * hour;

/**
 * Tells the time and waits. All code that waits takes it as an argument, so that tests and
 * simulations run in virtual time.
 */
export interface Clock {
	/**
	 * The time since some moment. It never runs backwards, even if the clock of the machine is set.
	 */
	now(): number;
	/**
	 * Resolves after so much time; rejects with the reason of the clock's signal, if it has one, as
	 * soon as that is aborted.
	 */
	sleep(ms: number): Promise<void>;
}
