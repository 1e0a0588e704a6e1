import { isFields } from '../json';
import { type Additions, affixes, type Kind, type Role } from './names';
import { flagIn, isName, isTime, isUnderway, lettersOf, switchIn } from './values';

/** A field of an answer: its rank in each list that has its name, and what the name says as a switch. */
export interface Field extends Partial<Record<Role, number>> {
	kind?: Kind;
	/** Whether the name can only be that of a switch: `isComplete`. */
	isFlag?: true;
	name: string;
	value: unknown;
	/** Whether no list has its name. */
	isUnknown: boolean;
}

/** What a field says of how far a job or a report is: by its name as a switch, or by a word. */
export interface Said extends Pick<Field, 'name' | 'value'> {
	kind: Kind | 'unknown';
	isSwitch: boolean;
}

export const isUnfinished = (kind = '') => ['running', 'failed', 'partly'].includes(kind);

/** Whether it says what the service found, and nothing of how far it is. */
export const isFinding = (kind = '') => ['verdict', 'good', 'alarm'].includes(kind);

/** What every name of `more` with `next` begins with. */
const isNext = /^(?:x|is|has)?next/;

/** Names and words, ready to be asked. */
export type Vocabulary = ReturnType<typeof createVocabulary>;

/** The first dialect that has a name, a word or categories says what they mean. */
export function createVocabulary(dialects: Additions[]) {
	const meanings = new Map<string, Partial<Field>>();
	const kinds = new Map<string, Kind>();
	let rank = 0;
	function learn(names: string[], meaning: Partial<Field>) {
		for (const name of names.map(lettersOf)) {
			meanings.set(name, { ...meaning, ...meanings.get(name) });
		}
	}
	const asSwitch = (name: string) => [name, ...affixes.switches.map((before) => before + name)];
	const asCount = (name: string) => [name, ...affixes.counts.map((after) => name + after)];
	for (const { words = {}, categories: _, ...roles } of dialects) {
		for (const [role, names] of Object.entries(roles)) {
			const isCount = role === 'unscreened' || role === 'total';
			const spelled = isCount ? asCount : role === 'more' ? asSwitch : (name: string) => [name];
			for (const name of names) learn(spelled(name), { [role]: ++rank });
		}
		for (const [said, list] of Object.entries(words) as Array<[Kind, string[]]>) {
			const [kind, ofWord]: [Kind, Kind] = said === 'begun' ? ['verdict', 'running'] : [said, said];
			for (const word of list) {
				kinds.set(lettersOf(word), kinds.get(lettersOf(word)) ?? ofWord);
				learn([word], { kind });
				learn(asSwitch(word).slice(1), { kind, isFlag: true });
			}
		}
	}

	const next = meanings.get('next');
	function fieldsOf(value: unknown): Field[] {
		return Object.entries(isFields(value) ? value : {}).map(([name, one]) => {
			const letters = lettersOf(name);
			const meaning = meanings.get(letters) ?? (isNext.test(letters) ? next : undefined);
			// An answer has thousands of fields without a meaning.
			if (!meaning) return { name, value: one, isUnknown: isName(name) };
			return { ...meaning, name, value: one, isUnknown: false };
		});
	}

	/** What a word of a state says; undefined if no list has it. */
	function kindOf(word: unknown): Kind | undefined {
		const letters = isName(word) ? lettersOf(String(word)) : '';
		const before = affixes.words.find((one) => letters.startsWith(one));
		return kinds.get(letters) ?? (before ? kindOf(letters.slice(before.length)) : undefined);
	}

	/** The words of a state or an event; of an object only those under the names for it. */
	function wordsOf({ state, event, value }: Field): unknown[] {
		if (!(state || event) || value === null || value === '') return [];
		const named = fieldsOf(value).filter((one) => one.stateName || (event && one.event));
		const words = named.length > 0 ? named.map((one) => one.value) : [value].flat();
		return event ? words.flatMap(partsOf) : words;
	}

	/** What the words of an event say, or else those that are no name either: `bulk.completed` says `completed`. */
	function partsOf(event: unknown): unknown[] {
		const parts = typeof event === 'string' ? event.slice(0, 100).split(/[.:/]/) : [];
		const known = [event, ...parts].filter((part) => kindOf(part));
		return known.length > 0 ? known : parts.filter((part) => !meanings.has(lettersOf(part)));
	}

	function saidBy(field: Field): Said[] {
		const { name, value, kind, isFlag, doneAt, progress } = field;
		const isOn = kind && (isFlag ? flagIn(value) : switchIn(value));
		if (kind && isOn) return [{ name, value, kind, isSwitch: true }];
		const isOff = kind && isOn === false && !isFinding(kind) && !isUnfinished(kind);
		const isNotDone = (doneAt && !isTime(value)) || (progress && isUnderway(value));
		if (isOff || isNotDone) return [{ name, value, kind: 'running', isSwitch: true }];
		return wordsOf(field).map((word) => {
			return { name, value: word, kind: kindOf(word) ?? 'unknown', isSwitch: false };
		});
	}

	const categories = dialects.find((one) => one.categories)?.categories ?? [];
	return { fieldsOf, kindOf, saidBy, categories };
}
