import type { Headers } from '../pace/retryAfter';
import { mostPerJob } from './input';
import { type Fields, fieldOf, isFields } from './json';
import { partialContent, type Report } from './report';
import {
	countIn,
	is,
	isBadWord,
	isFalse,
	isText,
	isTrue,
	isWord,
	lacksPart,
	lettersOf,
	says,
	saysLack,
	wordsOf,
} from './spellings';
import { isEventWithErrors } from './state';
import { lastOf, type Layer, type List, speaksOfJob } from './survey';

/** What a body says of results that are not among the entries, and where. */
export function signsIn(layers: Layer[], reports: Array<Report | undefined>): Fields {
	const present = reports.length;
	const lacking = reports.filter((one) => !one).length;
	const levels = reports.map((one) => one && lettersOf(one.risk.level));
	const signs: Fields = {};
	for (const layer of layers) {
		const { fields, path, isLast, isUnscreened } = layer;
		let ofKinds = 0;
		for (const [name, value] of Object.entries(fields)) {
			const count = countIn(isFields(value) ? fieldOf(value, 'value') : value) ?? 0;
			const isOfNone = is(name, 'unscreened') || (isUnscreened && is(name, 'total'));
			const isOfLevel = is(name, 'level');
			if (isOfNone || isOfLevel || is(name, 'kind')) ofKinds += count;
			if (
				(is(name, 'next') && says(value)) ||
				(is(name, 'cursor') && says(value) && !isLast && !isFields(value)) ||
				(is(name, 'more') && (isTrue(value) || count > 0 || (isFields(value) && says(value)))) ||
				((is(name, 'range') || is(name, 'progress')) && lastNumberIn(value) > present) ||
				(/pages\.$/i.test(path) && /^(?:total|count|last)$/i.test(name) && count > 1) ||
				(is(name, 'last') && isFalse(value)) ||
				((is(name, 'pages') || is(name, 'page')) && lastPageIn(value) > 1) ||
				(is(name, 'links') && linksOn(value)) ||
				(isOfNone && count > lacking) ||
				(isOfLevel && count > levels.filter((one) => one === levelIn(name)).length) ||
				(is(name, 'flagged') &&
					(Array.isArray(value) ? value.length : count) >
						levels.filter((one) => one !== 'green').length) ||
				((is(name, 'total') || is(name, 'totalIn')) && !isOfNone && count > present) ||
				(lacking === 0 && !isUnscreened && saysOfAll(layer, name, value))
			)
				signs[`${path}${name}`] = value;
		}
		if (ofKinds > present) signs[`${path}*`] = ofKinds;
	}
	return signs;
}

/** The size of a page that is full, if nothing says that it is the last one. A job has no more results than addresses. */
export function fullPageIn(layers: Layer[], present: number): Fields | undefined {
	if (present >= mostPerJob) return undefined;
	let full: Fields | undefined;
	for (const { fields, path, isLast } of layers) {
		const isPage =
			/^pag/i.test(lastOf(path)) || Object.keys(fields).some((name) => is(name, 'page'));
		for (const [name, value] of Object.entries(fields)) {
			if (isLast || saysNoMore(name, value, present)) return undefined;
			const isSize = is(name, 'pageSize') || (isPage && is(name, 'limit'));
			if (isSize && countIn(value) === present) full = { [`${path}${name}`]: value };
		}
	}
	return full;
}

const saysNoMore = (name: string, value: unknown, present: number) =>
	(is(name, 'next') && !says(value)) ||
	(is(name, 'last') && !/first/i.test(name) && isTrue(value)) ||
	(is(name, 'pages') && lastPageIn(value) === 1) ||
	((is(name, 'total') || is(name, 'totalIn')) && countIn(value) === present);

/** Whether a field says of the results as a whole that some are missing, or that something is amiss with them. */
function saysOfAll(layer: Layer, name: string, value: unknown): boolean {
	return (
		(is(name, 'error') && !Array.isArray(value) && says(value)) ||
		(is(name, 'bad') && isTrue(value)) ||
		(is(name, 'state') && wordsOf(value).some((word) => isWord(word, 'withErrors'))) ||
		(is(name, 'grade') &&
			speaksOfJob(layer) &&
			isText(value) &&
			(isBadWord(value) || isWord(value, 'withErrors'))) ||
		(is(name, 'event') && isEventWithErrors(value)) ||
		(is(name, 'warning') && saysLack(value)) ||
		lacksPart(name, value)
	);
}

/** The level whose reports are counted under a name such as `red` or `red_count`. */
const levelIn = (name: string) => lettersOf(name).replace(/count|cnt|total/, '');

/** Lists that call themselves a part of the results, if no list calls itself the results. */
export function excerptsIn(lists: List[]): Fields {
	if (lists.some(({ kind, values }) => kind === 'results' && values.length > 0)) return {};
	const excerpts = lists.filter(({ name, values }) => is(name, 'excerpt') && values.length > 0);
	return Object.fromEntries(excerpts.map(({ name, values }) => [name, values.length]));
}

/** The greatest of the pages that a value names, such as `3` or `Page 1 of 3`. */
function lastPageIn(value: unknown): number {
	const pages = isText(value) ? /\d\s*(?:of|\/)\s*(\d{1,9})/i.exec(value)?.[1] : undefined;
	return countIn(pages ?? value) ?? 0;
}

/** How many there are by a range, such as `1-2 of 9 results`. */
const lastNumberIn = (range: unknown) =>
	isText(range) ? Number(/\b(?:of|\/)\s*(\d{1,15})[a-z\s]*$/i.exec(range)?.[1] ?? 0) : 0;

const linksOn = (links: unknown) =>
	Array.isArray(links)
		? links.some(
				(link) =>
					isFields(link) &&
					['rel', 'relation', 'name'].some(
						(name) => String(fieldOf(link, name)).toLowerCase() === 'next',
					),
			)
		: isText(links) && /\brel\s*=\s*["']?[\w\s]*\bnext\b/i.test(links);

const pagingHeader =
	/^(?:x-)?(?:wp-|pagination-)?(link|content-range|pagination|total(?:-?(?:count|results|items|records|pages))?|pages?-(?:count|total)|next(?:-(?:page|cursor|token|link|url|offset))?|has-(?:more|next)(?:-page)?|(?:ms-)?continuation(?:-token)?)$/;

/** What each header and the status of an answer say of more results: `Link` (RFC 8288), `X-Total-Count`, 206 and the like. */
export function pagingIn(headers: Headers, httpCode: number): Fields[] {
	const said = Object.entries(headers).flatMap(([header, value]): Fields[] => {
		const name = pagingHeader.exec(header.toLowerCase())?.[1];
		return name === undefined ? [] : [saidBy(name, [value ?? []].flat().join(', '))];
	});
	return [...said, { partial: httpCode === partialContent }];
}

/** Headers may hold secrets, so the text of a link or a cursor goes no further. */
function saidBy(name: string, text: string): Fields {
	if (name === 'link') return { link: linksOn(text) ? 'rel="next"' : '' };
	if (name === 'pagination') return pagingInJson(text);
	if (name.startsWith('next')) return { [name]: says(text) };
	if (name.includes('continuation')) return { next: says(text) };
	return { [name]: greatestIn(text) };
}

/** The same of a header that holds an object as JSON, such as `{"TotalPages":2}`. */
function pagingInJson(text: string): Fields {
	let object: unknown;
	try {
		object = JSON.parse(text);
	} catch {
		return {};
	}
	const fields = Object.entries(isFields(object) ? object : {});
	return Object.fromEntries(fields.map(([name, value]) => [name, countIn(value) ?? says(value)]));
}

/** The greatest of the numbers that a repeated header was joined of; any other text as it is. */
function greatestIn(text: string): unknown {
	const numbers = text.split(',').map(countIn);
	return numbers.includes(undefined) ? text : Math.max(...(numbers as number[]));
}
