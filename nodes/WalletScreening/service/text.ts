/**
 * Characters that show nothing, break a line or turn the direction of reading, as a class of a regular expression. White space
 * is not among them. All rooms use this list.
 */
export const invisible =
	'\\p{Cc}\\p{Cf}\\p{Cs}\\p{Co}\\p{Zl}\\p{Zp}\\p{Default_Ignorable_Code_Point}\\p{Noncharacter_Code_Point}\\u2800';

/** What copy and paste leave around a text: white space and characters without width, but no control characters. */
const edge = /^[\s\p{Cf}\p{Default_Ignorable_Code_Point}\u2800]$/u;

/** The text without what copy and paste leave around it. */
export function withoutEdges(text: string): string {
	let start = 0;
	let end = text.length;
	while (start < end && edge.test(String.fromCodePoint(text.codePointAt(start)!))) {
		start += text.codePointAt(start)! > 0xffff ? 2 : 1;
	}
	while (end > start) {
		const isPair = end - start > 1 && text.codePointAt(end - 2)! > 0xffff;
		const last = isPair ? end - 2 : end - 1;
		if (!edge.test(text.slice(last, end))) break;
		end = last;
	}
	return text.slice(start, end);
}
