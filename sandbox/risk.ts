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
export function levelColor(level: string): Level | 'grey' {
	if (level === 'amber') return 'yellow';
	return level === 'green' || level === 'yellow' || level === 'red' ? level : 'grey';
}

/** A category as the sandbox shows it. */
export interface Bar {
	/** The category in words. */
	readonly name: string;
	readonly value: number;
	/** The filled share of the bar, from 0 to 1. */
	readonly share: number;
	readonly color: Level;
	/** Whether a high value is good news. */
	readonly isGood: boolean;
}

function barColor(value: number): Level {
	if (value < 0.3) return 'green';
	return value < 0.7 ? 'yellow' : 'red';
}

/**
 * The categories as the sandbox shows them. The highest risk comes first. The clean origin comes
 * last: it is good news however large it is.
 */
export function categoryBars(categories: Partial<Categories>): Bar[] {
	const bars = Object.entries(categories).map(([category, value]): Bar => {
		const isGood = category === 'clean_exchange';
		const words = category.replaceAll('_', ' ');
		const name = words.charAt(0).toUpperCase() + words.slice(1) + (isGood ? ' (good)' : '');
		const share = Math.min(1, Math.max(0, value));
		return { name, value, share, color: isGood ? 'green' : barColor(value), isGood };
	});
	return bars.sort(
		(one, other) => Number(one.isGood) - Number(other.isGood) || other.value - one.value,
	);
}
