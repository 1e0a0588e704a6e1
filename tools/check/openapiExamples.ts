import { sample } from 'openapi-sampler';
import { answerSchema, type CompleteSchema } from './openapiSchema';
import type { JsonObject } from '../../nodes/WalletScreening/shared/json';

/** The value of each text in the example of an answer. */
export const sampleText = 'sample-1';

/** The keys of a schema whose lists have branches. */
const branchKeys = ['oneOf', 'anyOf'];

/**
 * Examples of the answer to a request that succeeds, which together show each word and each branch
 * of its schema. Of branches in branches, they show those with one number at all depths.
 *
 * @param endpoint the method, and the end of the path with `{}` for a parameter
 * @throws an Error with a message for the user if the document has no schema of such an answer
 * @example In sandbox/openapi.yaml, `post /bulk` has { job_id: 'sample-1', status: 'queued' }, and
 * the same with each of the other states.
 */
export function examplesOf(document: JsonObject, endpoint: string): unknown[] {
	const schema = answerSchema(document, endpoint);
	const examples = new Set<string>();
	for (let branch = 0; branch < longestList(schema, branchKeys); branch++) {
		const inBranch = withEntryAt(schema, branchKeys, branch);
		for (let at = 0; at < longestList(inBranch, ['enum']); at++)
			examples.add(exampleOf(withEntryAt(inBranch, ['enum'], at)));
	}
	return [...examples].map((json): unknown => JSON.parse(json));
}

/** The length of the longest list under one of these keys; 1 without any. */
function longestList(schema: CompleteSchema, keys: string[]): number {
	let longest = 1;
	JSON.stringify(schema, (key, value: unknown) => {
		if (keys.includes(key) && Array.isArray(value)) longest = Math.max(longest, value.length);
		return value;
	});
	return longest;
}

/**
 * The schema in which each list under one of these keys has one entry only.
 *
 * @example With `enum` and 1, `[queued, scored]` becomes `[scored]`, and `[ETH]` stays `[ETH]`. An entry
 * that is beyond the end of a list is its last one.
 */
const withEntryAt = (schema: CompleteSchema, keys: string[], at: number) =>
	JSON.parse(JSON.stringify(schema), (key, value: unknown) =>
		keys.includes(key) && Array.isArray(value) ? [value[Math.min(at, value.length - 1)]] : value,
	) as CompleteSchema;

/** The first example that a schema allows, as JSON. */
function exampleOf(complete: CompleteSchema): string {
	const schema = complete.schema as Parameters<typeof sample>[0];
	const json = JSON.stringify(sample(schema, { quiet: true }, complete)) ?? 'null';
	return json.replaceAll('"string"', JSON.stringify(sampleText));
}
