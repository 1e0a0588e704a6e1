/** Whether two names of levels are the same, without regard to case and to white space around them. */
export function sameName(one: unknown, other: unknown): boolean {
	if (typeof one !== 'string' || typeof other !== 'string') return false;
	return one.trim().toLowerCase() === other.trim().toLowerCase();
}

/** Whether a level is the one that gives no cause for concern. The specification leaves open which others there are (section 2.2). */
export const isGreen = (level: unknown): boolean => sameName(level, 'green');
