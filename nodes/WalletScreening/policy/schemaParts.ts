import { z } from 'zod';
import { halfCharacter } from '../shared/canonical';
import { isJsonObject } from '../shared/json';
import { trimInvisible } from '../shared/text';

/* What the schemas of a policy have in common: its texts and its objects. */

/**
 * What a schema adds to an issue, as its `params`, because it knows more than that a value is wrong.
 * `parsePolicy.ts` makes an error of both.
 */
export interface IssueNote {
	/** What to do about the value. Without it, the advice is that for its field. */
	advice?: string;
	/** Whether the value is a secret, which no error may repeat. */
	isSecret?: boolean;
}

/** The note on an issue; empty if no schema added one. */
export const noteOf = (issue: z.ZodIssue): IssueNote =>
	(issue.code === 'custom' ? (issue.params as IssueNote | undefined) : undefined) ?? {};

const maxTextLength = 2_000;

const tooLong: IssueNote = {
	advice: `Shorten this text. A text of a policy has at most ${maxTextLength} characters.`,
};
const withHalfCharacter: IssueNote = {
	advice: 'It contains half of a character. Write this text again.',
};

/**
 * A text that canonical JSON can hold, because evidence keeps it. The result lacks what copy and
 * paste leave around a text.
 */
export const policyText = z
	.string()
	.refine((given) => given.length <= maxTextLength, { params: tooLong })
	.refine((given) => !halfCharacter.test(given), { params: withHalfCharacter })
	.transform(trimInvisible);
export const requiredText = policyText.refine((given) => given !== '');

/**
 * An object with these fields and no others: to ignore a misspelled field, e.g. `chian`, would
 * silently remove a condition. A field that is null counts as missing. One that is undefined is an
 * issue: an expression with a mistyped name gives that, and the value may matter.
 *
 * @example An exception with `chain: null` is for every chain. One with `chain: undefined` is
 * refused: it may be meant for one chain.
 */
export const strictObject = <Shape extends z.ZodRawShape>(shape: Shape) =>
	z
		.unknown()
		.superRefine((given, context) => addUndefinedFields(given, Object.keys(shape), context))
		.transform(withoutNulls)
		.pipe(z.object(shape).strict());

/** Adds an issue for each of these fields that an object has, but as undefined. */
function addUndefinedFields(given: unknown, names: string[], context: z.RefinementCtx): void {
	if (!isJsonObject(given)) return;
	const isUndefined = (name: string) => Object.hasOwn(given, name) && given[name] === undefined;
	for (const name of names.filter(isUndefined)) context.addIssue({ code: 'custom', path: [name] });
}

function withoutNulls(given: unknown): unknown {
	if (!isJsonObject(given)) return given;
	return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
