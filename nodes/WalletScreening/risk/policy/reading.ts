import { ScreeningError } from '../../service/errors';
import { isFields } from '../../service/json';
import { withoutEdges } from '../../service/text';
import { show } from '../values';

/** Evidence holds every text of a policy. */
const longestText = 2_000;
const longestNumber = 64;
/** A decimal number, and no other notation that JavaScript would read as one. */
const decimal = /^[+-]?(\d+(\.\d*)?|\.\d+)(e[+-]?\d+)?$/i;

/** The errors `invalid_input` on a subject, e.g. `Rule 2`. `advice` counts if no better one is given. */
export function refusing(subject: string, advice: string) {
	return (what: string, how = advice) =>
		new ScreeningError('invalid_input', `${subject} ${what}`, how);
}

export type Reader = ReturnType<typeof readerOf>;

/**
 * Readers of the values of an object; null counts as missing. Refuses other names than `names`: one may be a misspelt condition.
 * Refuses a name without any value, too: so ends an expression with a mistyped name, and what it should have given may matter.
 */
export function readerOf(
	given: unknown,
	names: readonly string[],
	refuse: ReturnType<typeof refusing>,
) {
	if (!isFields(given)) throw refuse('is not an object');
	const value = (name: string): unknown => given[name] ?? undefined;
	const unknown = Object.keys(given).find(
		(name) => !names.includes(name) && value(name) !== undefined,
	);
	if (unknown !== undefined) {
		throw refuse(`has an unknown name (${show(unknown, 100)})`, `Use only ${names.join(', ')}.`);
	}
	const lost = names.find((name) => Object.hasOwn(given, name) && given[name] === undefined);
	if (lost !== undefined) {
		throw refuse(`has a '${lost}' whose expression gives nothing`, 'Check the names in it.');
	}

	/** Without what copy and paste leave around it; empty if it is missing. */
	function text(name: string): string {
		const found = value(name) ?? '';
		if (typeof found !== 'string') throw refuse(`has a '${name}' that is not a text`);
		if (found.length > longestText) throw refuse(`has a '${name}' that is too long`);
		return withoutEdges(found);
	}

	return {
		...{ refuse, value, text },
		/** Not blank. */
		filled(name: string): string {
			const found = text(name);
			if (found !== '') return found;
			throw refuse(value(name) === undefined ? `has no '${name}'` : `has a blank '${name}'`);
		},
		/** One of the words; `otherwise` if it is missing. */
		word<Word extends string>(name: string, words: readonly Word[], otherwise?: unknown): Word {
			const said = value(name) ?? otherwise;
			const found = words.find((word) => word === said);
			if (found !== undefined) return found;
			const wanted = `Use ${words.slice(0, -1).join(', ')} or ${words.at(-1)}.`;
			throw refuse(`has an unknown ${name} (${show(said, 100)})`, wanted);
		},
		/** False if it is missing. What one person could take for a yes and another for a no is refused. */
		flag(name: string): boolean {
			const found = value(name) ?? false;
			const word = typeof found === 'string' ? found.trim().toLowerCase() : found;
			if (word === true || word === 'true') return true;
			if (word === false || word === 'false' || word === '') return false;
			throw refuse(`has a '${name}' that is neither true nor false`, 'Use true or false.');
		},
		/** Empty if it is missing; each entry has a number, from 1. */
		list<Entry>(name: string, read: (entry: unknown, number: number) => Entry): Entry[] {
			const found = value(name) ?? [];
			if (!Array.isArray(found)) throw refuse(`has a '${name}' that is not a list`);
			return Array.from(found as unknown[], (entry, index) => read(entry, index + 1));
		},
	};
}

/** The number that a value is, also as text in decimals; undefined for any other value. */
export function numberIn(value: unknown): number | undefined {
	const written = typeof value === 'string' && value.length <= longestNumber ? value.trim() : '';
	const number = typeof value === 'number' || decimal.test(written) ? Number(value) : NaN;
	return Number.isFinite(number) ? number : undefined;
}
