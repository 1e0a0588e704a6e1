import { sample } from 'openapi-sampler';
import { type Fields, isFields } from '../nodes/WalletScreening/service/json';
import { isStateName } from './shape';

/** Fields that a good answer omits or leaves empty, if the schema allows it. */
const ofTrouble =
	/err|fail|fault|warn|reason|pending|invalid|missing|skipp|unprocessed|partial|truncated|next|cursor|more/i;
const deepest = 6;

/** Bodies as an OpenAPI file describes them. */
export interface Samples {
	/** The value, or what it refers to. Throws an Error for a reference out of the file. */
	deref(value: unknown): unknown;
	/**
	 * The examples of a media type, or samples of its schema: one for each alternative and each word of a state. A good answer omits
	 * fields that report trouble.
	 */
	of(media: unknown, isGood: boolean): unknown[];
	/** One value of a schema, for a header. */
	one(schema: unknown): unknown;
}

export function createSamples(document: Fields): Samples {
	function deref(value: unknown, hops = 20): unknown {
		if (!isFields(value) || typeof value.$ref !== 'string') return value;
		if (!value.$ref.startsWith('#/') || hops === 0) {
			throw new Error('The OpenAPI file refers to another file. Bundle it into one file first.');
		}
		const names = value.$ref
			.slice(2)
			.split('/')
			.map((name) => decodeURIComponent(name).replaceAll('~1', '/').replaceAll('~0', '~'));
		const target = names.reduce<unknown>(
			(at, name) => (isFields(at) ? at[name] : undefined),
			document,
		);
		return deref(target, hops - 1);
	}

	const sampled = (schema: object, skipNonRequired: boolean) =>
		sample(schema, { quiet: true, skipNonRequired }, document);

	function alternatives(schema: unknown): Fields[] {
		const whole = deref(schema);
		if (!isFields(whole)) return [];
		const { oneOf, anyOf, ...rest } = whole;
		const branches = (oneOf ?? anyOf) as unknown[] | undefined;
		if (!Array.isArray(branches)) return [whole];
		return branches.flatMap(alternatives).map((branch) => ({ allOf: [rest, branch] }));
	}

	/** The words of each state in a schema, by the name of its field; lists hold no state of the job. */
	function statesOf(schema: unknown, depth = deepest): Array<[name: string, words: string[]]> {
		const whole = deref(schema);
		if (!isFields(whole) || depth === 0) return [];
		const parts = [whole.allOf, whole.oneOf, whole.anyOf].flatMap((all) =>
			Array.isArray(all) ? (all as unknown[]) : [],
		);
		return [
			...parts.flatMap((part) => statesOf(part, depth - 1)),
			...Object.entries((whole.properties ?? {}) as Fields).flatMap(([name, property]) => {
				const { enum: words, const: word } = (deref(property) ?? {}) as Fields;
				const all = [words ?? word ?? []].flat().filter((one) => typeof one === 'string');
				if (isStateName(name) && all.length > 0) return [[name, all] as [string, string[]]];
				return statesOf(property, depth - 1);
			}),
		];
	}

	function bodiesOf(schema: Fields, isGood: boolean): unknown[] {
		const full = sampled(schema, false);
		const body = isGood ? withoutTrouble(full, sampled(schema, true)) : full;
		const states = statesOf(schema);
		if (states.length === 0) return [body];
		return states.flatMap(([name, words]) => words.map((word) => withState(body, name, word)));
	}

	return {
		deref,
		of(media, isGood) {
			const { example, examples, schema } = (deref(media) ?? {}) as Fields;
			if (example !== undefined) return [example];
			if (isFields(examples) && Object.keys(examples).length > 0) {
				return Object.values(examples).map((one) => (deref(one) as Fields).value);
			}
			return alternatives(schema).flatMap((one) => bodiesOf(one, isGood));
		},
		one: (schema) => {
			const whole = deref(schema);
			return isFields(whole) ? sampled(whole, false) : undefined;
		},
	};
}

/** `lean` is the same body with the required fields only. */
function withoutTrouble(full: unknown, lean: unknown): unknown {
	if (Array.isArray(full)) {
		return full.map((one, at) => withoutTrouble(one, Array.isArray(lean) ? lean[at] : undefined));
	}
	if (!isFields(full)) return full;
	const required = isFields(lean) ? lean : {};
	return Object.fromEntries(
		Object.entries(full)
			.filter(([name]) => !ofTrouble.test(name) || name in required)
			.map(([name, value]) => [
				name,
				ofTrouble.test(name) ? emptied(value) : withoutTrouble(value, required[name]),
			]),
	);
}

function emptied(value: unknown): unknown {
	if (Array.isArray(value)) return [];
	if (typeof value === 'boolean') return false;
	return typeof value === 'number' ? 0 : null;
}

function withState(body: unknown, state: string, word: string): unknown {
	if (!isFields(body)) return body;
	return Object.fromEntries(
		Object.entries(body).map(([name, value]) => [
			name,
			name === state ? word : withState(value, state, word),
		]),
	);
}
