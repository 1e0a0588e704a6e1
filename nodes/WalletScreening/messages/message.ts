import { neutralizeMarkup, plainUrl } from '../shared/neutralize';

/** Only what is known to be an all-clear is `good`. */
export type Tone = 'good' | 'caution' | 'bad';

/** A sentence (`value`), a named value, a link to a report, or an item with rows of its own. */
export interface Row {
	label?: string;
	value?: string;
	/** How much of a bar it fills, from 0 to 1. */
	share?: number | undefined;
	url?: string;
	/** The colour of its bar or border; grey without one. */
	tone?: Tone | undefined;
	rows?: Row[];
}

/** A part of a whole, from 0 to 1, in a bar; grey without a tone. */
export interface Part {
	label: string;
	share: number;
	tone?: Tone | undefined;
}

/** A table with a row for each address and a column for each category. A cell without a number stays empty. */
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
export interface ScoreStrip {
	/** Columns from 0 to the highest score. A share of 1 is as high as the highest column. */
	columns: Part[][];
	highest: string;
}

/** The content of a message. Each text but the title is one line of bounded length, which is not yet safe for any place. */
export interface Message {
	/** A subject in plain text, of at most 120 characters once it is rendered. */
	title: string;
	tone: Tone;
	/** The outcome, or the name of the message, in a few words. */
	verdict: string;
	headline: string;
	/** The pictures are only in the HTML: the other places have their words. */
	parts?: Part[];
	strip?: ScoreStrip | undefined;
	heatMap?: HeatMap;
	/** The first section has no heading. */
	sections: Array<{ heading?: string; rows: Row[] }>;
}

/** A bar of ten blocks. A share above 0 always shows. */
export function drawBar(share: number): string {
	return '█'.repeat(Math.min(10, Math.ceil(share * 10))).padEnd(10, '░');
}

/** Writes a message as plain text. Each line begins with a word or a mark of this package, and no value leaves its line. */
export function renderText({ title, sections }: Message): string {
	const paragraphs = sections.map(({ heading, rows }) => {
		if (heading === undefined) return rows.map(lineOf);
		const lines = rows.flatMap((row) => [
			`- ${lineOf(row)}`,
			...(row.rows ?? []).map((inner) => `  ${lineOf(inner)}`),
		]);
		return [neutralizeMarkup(heading), ...lines];
	});
	return [[title], ...paragraphs].map((lines) => lines.join('\n')).join('\n\n');
}

function lineOf({ label, value, share, url }: Row): string {
	if (url !== undefined) return `${label}: ${plainUrl(url)}`;
	const named = neutralizeMarkup([label, value].filter(Boolean).join(': '));
	return share === undefined ? named : `${drawBar(share)} ${named}`;
}
