/** Only an all-clear and the bar of a good sign are `good`. */
export type Tone = 'good' | 'caution' | 'bad';

/** A sentence of its own. */
export interface SentenceRow {
	kind: 'sentence';
	text: string;
}

/** A value with its name. */
export interface ValueRow {
	kind: 'value';
	label: string;
	value: string;
}

/**
 * A value with its name, and a bar of which a share from 0 to 1 is filled. The bar is grey without
 * a tone.
 */
export interface ShareRow {
	kind: 'share';
	label: string;
	value: string;
	share: number;
	tone: Tone | undefined;
}

/** A link to a report. */
interface LinkRow {
	kind: 'link';
	label: string;
	url: string;
}

/** The text of such a link, where the place can show one. */
export const linkText = 'Open the screening report';

/** An item of a list, with what is said about it. */
export interface ItemRow {
	kind: 'item';
	label: string;
	/** Empty if only the rows say something. */
	value: string;
	tone: Tone;
	rows: FactRow[];
}

export type FactRow = ValueRow | LinkRow;
export type Row = SentenceRow | FactRow | ShareRow | ItemRow;

/**
 * A part of a bar or of a column; grey without a tone. Its share, from 0 to 1, is that of the whole
 * bar, or of the highest column.
 */
export interface ChartPart {
	label: string;
	share: number;
	tone?: Tone | undefined;
}

/**
 * A table with a row for each address and a column for each category. A cell without a number stays
 * empty.
 */
export interface HeatMap {
	columns: string[];
	rows: Array<{
		label: string;
		tone: Tone;
		shares: Array<number | undefined>;
		score: number | undefined;
	}>;
}

/** The histogram of the scores. */
export interface ScoreHistogram {
	/** The columns from 0 to the highest score, each with its parts. */
	columns: ChartPart[][];
	highest: string;
}

/**
 * The content of a message. Each text but the title is one line of bounded length, which is not yet
 * safe for any place.
 */
export interface Message {
	/** A subject in plain text, of at most 120 characters once it is rendered. */
	title: string;
	tone: Tone;
	/** The outcome, or the name of the message, in a few words. */
	badge: string;
	headline: string;
	/** How many items there are of each standing. The pictures are only in the HTML. */
	standingBar?: ChartPart[];
	histogram?: ScoreHistogram | undefined;
	heatMap?: HeatMap;
	sections: Section[];
}

/**
 * Rows that belong together. The first section of a message and the last of a digest need no
 * heading.
 */
export interface Section {
	heading?: string;
	rows: Row[];
}
