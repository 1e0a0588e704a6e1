import { requireAllowed, type TextRule, textRules, trimText } from './cleanText';
import { decodeSegment, parseUrl } from './http';

const advice = 'Give the ID as the service returned it.';

const idRules: TextRule[] = [
	{ applies: (text) => text === '', problem: 'is empty', advice },
	...textRules,
	{
		applies: (text) => text === '.' || /[/\\]|\.\./.test(text),
		problem: 'is not an ID',
		advice: "Give only the ID, without '/' or '..'.",
	},
];

/**
 * Cleans an ID, e.g. of a job, so that it is safe as one segment of a path.
 * @throws {ScreeningError} `invalid_input` for a text that is no ID
 */
export function cleanId(value: unknown, label: string): string {
	const id = trimText(typeof value === 'number' ? String(value) : value, label, advice);
	return requireAllowed(id, label, idRules);
}

/**
 * Cleans the ID of a report as `cleanId` does. Takes a `report_url` too, whose path ends with the ID (section 2.1).
 * @throws {ScreeningError} `invalid_input` for a text that is neither
 */
export function cleanReportId(value: unknown, label: string): string {
	const text = typeof value === 'string' ? trimText(value, label, advice) : '';
	const url = parseUrl(text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text);
	const isLink = url?.protocol === 'https:' || url?.protocol === 'http:';
	const last = isLink ? url.pathname.split('/').findLast((segment) => segment !== '') : undefined;
	return cleanId(last === undefined ? value : decodeSegment(last), label);
}
