/** Time as the service layer sees it, so that the code that ships also runs in virtual time. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms` milliseconds; rejects as soon as the user stops the execution. */
	sleep(ms: number): Promise<void>;
}
