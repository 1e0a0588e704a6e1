export type Level = 'green' | 'yellow' | 'red';

/** By the names of section 2.3. */
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
