const minute = 60_000;

/** Gives each key a value that is made anew every minute: what may be spent or said in that minute. Times in milliseconds. */
export function eachMinute<T>(make: () => T): (key: string, now: number) => T {
	const current = new Map<string, { since: number; value: T }>();
	const isCurrent = (since: number, now: number) => Math.abs(now - since) < minute;
	return (key, now) => {
		const known = current.get(key);
		if (known && isCurrent(known.since, now)) return known.value;
		for (const [other, { since }] of current) if (!isCurrent(since, now)) current.delete(other);
		const value = make();
		current.set(key, { since: now, value });
		return value;
	};
}
