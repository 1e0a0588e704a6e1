import { type Fields, fieldOf, isFields, jsonOrNothing } from './json';

const longestExplanation = 300;

/** What the service says about a refusal, on one line, from the usual places: section 7 does not show the shape of error bodies. */
export function explanation(body: Buffer): string | undefined {
	const refusal = jsonOrNothing(body);
	const reason = isFields(refusal) ? reasonIn(refusal) : undefined;
	const said = reason?.replace(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();
	if (!said) return undefined;
	return said.length > longestExplanation ? `${said.slice(0, longestExplanation)}…` : said;
}

/** Where a refusal gives its reason, the most telling name first. */
const reasons = ['message', 'detail', 'error_description', 'error', 'errors', 'msg', 'title'];

/** The first reason in a refusal: a text under one of the usual names, or in a list under the name of the field that is wrong. */
function reasonIn(value: unknown, depth = 3): string | undefined {
	if (typeof value === 'string') return value.trim() === '' ? undefined : value;
	if (depth === 0 || typeof value !== 'object' || value === null) return undefined;
	const parts = Array.isArray(value)
		? value
		: [
				...reasons.map((name) => fieldOf(value as Fields, name)),
				...Object.values(value).filter(Array.isArray),
			];
	for (const part of parts) {
		const reason = reasonIn(part, depth - 1);
		if (reason !== undefined) return reason;
	}
	return undefined;
}
