/** Whether two risk levels are the same, without regard to case. Which levels there are is not specified (section 2.2). */
export function sameLevel(one: string, other: string): boolean {
	return plain(one) === plain(other);
}

/** Whether a level is the one that gives no cause for concern. */
export function isGreen(level: string): boolean {
	return sameLevel(level, 'green');
}

function plain(level: string): string {
	return level.trim().toLowerCase();
}
