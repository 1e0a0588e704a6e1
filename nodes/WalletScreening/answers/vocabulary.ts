import { wordsInNames } from './standardNames';

/* Finds a name or a word of an answer in a list, in any spelling. */

/** Between two words in `jobStatus`, `check1Status` and `AMLStatus`. */
const wordBoundary = /(?<=[\p{Ll}\p{N}])(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu;

/** Longer texts are never looked up. */
const maxLength = 60;

/**
 * The words of a name or a text, in small letters: `jobStatus`, `job_status` and `Job-Status` have
 * the same.
 */
export function splitWords(text: unknown): string[] {
	if (typeof text === 'object' || String(text).length > maxLength) return [];
	const spaced = String(text).replace(wordBoundary, ' ');
	return spaced
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u)
		.filter(Boolean);
}

/** Whether a word is in a list of words in the singular, itself or in the plural. */
export const isOneOf = (list: ReadonlySet<string>, word: string): boolean =>
	list.has(word) || list.has(word.replace(/ies$/, 'y').replace(/s$/, ''));

/**
 * The letters and digits of a name or a word, in small letters: nothing else in it counts. Empty
 * for an object, for a text of more than 60 characters, and for one without a letter or a digit.
 */
export const normalizeName = (text: unknown): string => splitWords(text).join('');

/**
 * What names or words mean, by their letters and digits: `{ jobid: 'jobId', status: 'state', … }`.
 */
export type Vocabulary<Meant> = ReadonlyMap<string, Meant>;

/** A meaning, and the names or words that have it. */
export type MeaningOfTexts<Meant> = [meaning: Meant, texts: string[]];

/** Makes a vocabulary. Of two entries with the same text, the first one counts. */
export function createVocabulary<Meant>(entries: Array<MeaningOfTexts<Meant>>): Vocabulary<Meant> {
	const vocabulary = new Map<string, Meant>();
	for (const [meaning, texts] of entries) {
		for (const text of texts) {
			const name = normalizeName(text);
			if (!vocabulary.has(name)) vocabulary.set(name, meaning);
		}
	}
	return vocabulary;
}

/**
 * Looks up a text by its words: all of them, then without those for its subject, then also without
 * those of a suffix, such as `at` and `count`.
 * @example `batchCompletedAt` is looked up as `batchcompletedat`, `completedat` and `completed`,
 * which means `completion`
 */
export function lookUp<Meant>(vocabulary: Vocabulary<Meant>, words: string[]): Meant | undefined {
	const whole = vocabulary.get(words.join(''));
	if (whole !== undefined) return whole;
	const bare = words.filter((word) => !wordsInNames.subject.has(word));
	const stem = bare.filter((word) => !wordsInNames.suffix.has(word));
	return vocabulary.get(bare.join('')) ?? vocabulary.get(stem.join(''));
}
