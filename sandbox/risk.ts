export type Level = 'green' | 'yellow' | 'red';

/** The score of each category, by its name in section 2.3. */
export type Categories = Record<
	'sanctions' | 'darknet' | 'mixer' | 'scam' | 'stolen' | 'clean_exchange',
	number
>;

/** Assessment of an address (section 2.2). `score` lies between 0 and 1, and 1 is the worst. */
export interface Risk {
	level: Level;
	score: number;
	categories: Categories;
}

/** The colour of a level. A level may have any name (section 2.2). */
export function colorOf(level: string): Level | 'grey' {
	if (level === 'amber') return 'yellow';
	return level === 'green' || level === 'yellow' || level === 'red' ? level : 'grey';
}

/**
 * The categories as the sandbox shows them: a name for people, the filled share of the bar, and its colour. The highest risk
 * comes first. The clean origin comes last: it is good news however large it is.
 */
export function barsOf(categories: Partial<Categories>) {
	const bars = Object.entries(categories).map(([category, value]) => {
		const isGood = category === 'clean_exchange';
		const words = category.replaceAll('_', ' ');
		const name = words.charAt(0).toUpperCase() + words.slice(1) + (isGood ? ' (good)' : '');
		const color: Level = value < 0.7 ? 'yellow' : 'red';
		return {
			isGood,
			name,
			value,
			share: Math.min(1, Math.max(0, value)),
			color: isGood || value < 0.3 ? ('green' as const) : color,
		};
	});
	return bars.sort(
		(one, other) => Number(one.isGood) - Number(other.isGood) || other.value - one.value,
	);
}
