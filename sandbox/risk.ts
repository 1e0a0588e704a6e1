/** The score of each category, by its name in section 2.3. */
export type Categories = Record<
	'sanctions' | 'darknet' | 'mixer' | 'scam' | 'stolen' | 'clean_exchange',
	number
>;

/**
 * Assessment of an address (section 2.2). The specification leaves the levels open, and clients must
 * cope with missing categories.
 */
export interface Risk {
	level: string;
	/** From 0 to 1; 1 is the worst. */
	score: number;
	categories: Partial<Categories>;
}

export type Color = 'green' | 'yellow' | 'red' | 'grey';

/** The colour of a level; grey for a name that the sandbox does not know. */
export function levelColor(level: string): Color {
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
	readonly color: Color;
}

function riskColor(value: number): Color {
	if (value < 0.3) return 'green';
	return value < 0.7 ? 'yellow' : 'red';
}

/**
 * The categories as the sandbox shows them. The highest risk comes first. The clean origin comes
 * last: it is good news however large it is.
 */
export function categoryBars({ clean_exchange, ...risks }: Partial<Categories>): Bar[] {
	const bars = Object.entries(risks)
		.map(([category, value]) => barOf(category, value, riskColor(value)))
		.sort((one, other) => other.value - one.value);
	if (clean_exchange !== undefined)
		bars.push(barOf('clean exchange (good)', clean_exchange, 'green'));
	return bars;
}

function barOf(category: string, value: number, color: Color): Bar {
	const name = category.charAt(0).toUpperCase() + category.slice(1);
	return { name, value, share: Math.min(1, Math.max(0, value)), color };
}
