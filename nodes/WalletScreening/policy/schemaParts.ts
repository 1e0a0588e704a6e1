import { z } from 'zod';
import { halfCharacter } from '../shared/canonical';
import { isJsonObject } from '../shared/json';
import { trimInvisible } from '../shared/text';

/* What the schemas of a policy have in common: its texts and its objects. */

export const maxTextLength = 2_000;

/**
 * A text that canonical JSON can hold, because evidence keeps it. The result lacks what copy and
 * paste leave around a text.
 */
export const policyText = z
	.string()
	.max(maxTextLength)
	.refine((given) => !halfCharacter.test(given))
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
