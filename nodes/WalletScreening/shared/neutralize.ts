/*
 * One rule for text from outside, in every place: nothing in it is active. No program may find a
 * mention, a link, a command, an emoji or formatting in it, and people can still read it. A
 * character that could begin one gets a space after it (`@ everyone`), and a character of a pair or
 * of a link becomes another that looks like it (`evil·example`). What `harmless` lists stays as it is, so
 * that amounts, dates and addresses can be copied. Whole lines go through it, with the words of this
 * package, so that no value is forgotten.
 */
const harmless = [
	// A point or a colon within a number: 0.98, 12:30
	/(?<![\d.:])\d+[.:]\d+(?![\d.:])/,
	// A point at the end of a word
	/\.(?=[\s,;!?)'"”]|$)/,
	// A slash between letters or digits: and/or
	/(?<=[a-z\d])\/(?=[a-z\d])/,
	// The colon of an address with a prefix: bitcoincash:qpm2…
	/(?<=[a-z]):(?=[a-z\d]{25,}(?![\w.:@]))/,
	// The colon of TON's raw form: 0:ca6e…
	/(?<=(?<![\w.:@/-])(?:0|-1)):(?=[a-f\d]{64}(?![\w.:@+-]))/,
	// The points of an account of Hedera: 0.0.2024
	/(?<![\w.:@/-])0\.0\.\d{1,12}(?![\w.:@/-])/,
];
const linking = /[.。．｡․/<>]|@(?=\S)|:(?=[\w+-])/;
const markup = /[#*_~`|\\[\]{}]|[$&](?=\S)/;
/** Replacements that look alike, and start no link and no markup. */
const lookalikes = new Map([
	['.', '·'],
	['。', '·'],
	['．', '·'],
	['｡', '·'],
	['․', '·'],
	['/', '⁄'],
	['\\', '⁄'],
	['|', '¦'],
	['#', '№'],
	['*', '×'],
	['_', '‗'],
	['~', '˜'],
	['`', '‘'],
	['[', '('],
	[']', ')'],
	['{', '('],
	['}', ')'],
	['<', '‹'],
	['>', '›'],
]);
const links = activePattern(linking);
const linksAndMarkup = activePattern(linking, markup);

/** A line for plain text: mail, Slack, Telegram's and Discord's Markdown, a sheet. */
export function neutralizeMarkup(line: string): string {
	return line.replace(linksAndMarkup, neutralize);
}

/**
 * A line for a place without markup, which may still make links of addresses and names: an element
 * of HTML or of Slack.
 */
export function neutralizeLinks(line: string): string {
	return line.replace(links, neutralize);
}

/** A web address in which every character that is markup somewhere is percent-encoded. */
export function plainUrl(href: string): string {
	const hex = (character: string) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
	return href.replace(/[^a-z\d\-.:/?#=&%+]/gi, hex);
}

/**
 * A value in quotation marks, which it cannot leave, without symbols: a reader would take a ✅ for
 * the verdict.
 */
export function inQuotes(value: string): string {
	return `“${value.replace(/[“”]/g, '"').replace(/\p{So}/gu, '\uFFFD')}”`;
}

/** Matches what is harmless, and in its only group what is active. */
function activePattern(...parts: RegExp[]): RegExp {
	const sources = (some: RegExp[]) => some.map(({ source }) => source).join('|');
	return new RegExp(`${sources(harmless)}|(${sources(parts)})`, 'gi');
}

function neutralize(found: string, active?: string): string {
	return active === undefined ? found : (lookalikes.get(active) ?? `${active} `);
}
