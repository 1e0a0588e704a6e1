import { checkText, trimText } from '../address/input';
import { type Rule, textRules } from '../address/refusal';
import { decoded, parseUrl } from '../shared/url';

/** Section 8: addresses per POST /v1/bulk. */
export const maxPerJob = 1000;

const adviceOfId = 'Give the ID as the service returned it.';

const idRules: Rule[] = [
	{ fits: (text) => text === '', what: 'is empty', advice: adviceOfId },
	...textRules,
	{
		fits: (text) => text === '.' || /[/\\]|\.\./.test(text),
		what: 'is not an ID',
		advice: "Give only the ID, without '/' or '..'.",
	},
];

/** A job ID, safe to be one segment of a path. */
export function cleanId(value: unknown, label: string): string {
	const id = trimText(typeof value === 'number' ? String(value) : value, label, adviceOfId);
	return checkText(id, label, idRules);
}

/** A report ID, safe to be one segment of a path. Takes a `report_url` too, whose path ends with the ID (section 2.1). */
export function cleanReportId(value: unknown, label: string): string {
	const text = typeof value === 'string' ? trimText(value, label, '') : '';
	const url = parseUrl(text.startsWith('<') && text.endsWith('>') ? text.slice(1, -1) : text);
	const isLink = url?.protocol === 'https:' || url?.protocol === 'http:';
	const last = isLink ? url.pathname.split('/').findLast((segment) => segment !== '') : undefined;
	return cleanId(last === undefined ? value : decoded(last), label);
}
