/** A row of a table on the page: a figure and, in most rows, another figure of the same run. */
export interface Row {
	name: string;
	/** The figure, with its unit. */
	measured: string;
	/** What it is compared with, and the figure of that; empty if there is none. */
	against: string;
	/**
	 * `measured` divided by `against`; undefined if there is nothing to compare with. Below 1 is better,
	 * unless the name of the row has "more is better".
	 */
	ratio: number | undefined;
	/** What the row means for a user of the nodes. */
	meaning: string;
}

export const formatCount = (count: number) => count.toLocaleString('en');

export const formatKilobytes = (bytes: number) => `${Number((bytes / 1000).toPrecision(2))} KB`;

export const formatSeconds = (ms: number, digits = 2) => `${(ms / 1000).toFixed(digits)} s`;
