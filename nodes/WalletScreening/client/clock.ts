/** Milliseconds. */
export const minute = 60_000;

/** Time as the service layer sees it, so that the code that ships also runs in virtual time. */
export interface Clock {
	/** Milliseconds since some moment. They never run backwards, whatever is done to the clock of the machine. */
	now(): number;
	/** Resolves after `ms` milliseconds; rejects with the reason of the clock's signal, if it has one, as soon as that is aborted. */
	sleep(ms: number): Promise<void>;
}
