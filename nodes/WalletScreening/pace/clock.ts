/** Time as the service layer sees it, so that the code that ships also runs in virtual time. */
export interface Clock {
	/** Milliseconds since the epoch. */
	now(): number;
	/** Resolves after `ms` milliseconds; rejects as soon as the user stops the execution. */
	sleep(ms: number): Promise<void>;
}

/** Milliseconds that never run backwards: if the machine's clock is set back, they stand still for a moment. */
export function steadyTime({ now }: Clock): () => number {
	let ahead = 0;
	let last = -Infinity;
	return () => {
		const time = now() + ahead;
		if (time < last) ahead += last - time;
		last = Math.max(last, time);
		return last;
	};
}
