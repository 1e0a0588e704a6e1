import { hasValue } from '../shared/json';
import { remember } from '../shared/maps';
import { createReportSchema, type ReportSchema } from './reportSchema';
import {
	fieldNames,
	groupTaughtWords,
	replaceableNames,
	type ServiceNames,
	type WordGroup,
	wordGroups,
	wordsInNames,
} from './standardNames';
import {
	createVocabulary,
	type MeaningOfTexts,
	isOneOf,
	lookUp,
	normalizeName,
	splitWords,
	type Vocabulary,
} from './vocabulary';

/**
 * The meaning of a name: the list of `fieldNames` that has it, or one of these.
 *
 * - `jobId`, `state`: it is the name of a field that holds the ID or the state of a job
 * - `completion`, `failure`, `unfinished`: it is a word of a state, as in `completedAt`,
 *   `failed_items` and `pending`
 * - `replacedState`: it is a standard name of a state, and a user taught others
 * - `past`: it is the name of an earlier report or state, as `previous_result` is
 */
export type Meaning =
	| keyof typeof fieldNames
	| 'jobId'
	| 'state'
	| NonNullable<WordGroup['asName']>
	| 'replacedState'
	| 'past';

/** What a name is about; `unknown` if it has other words than those of a screening. */
export type Topic = 'screening' | 'unknown' | 'other';

const notFinalMeanings: Array<Meaning | undefined> = [
	'failure',
	'error',
	'unfinished',
	'partial',
	'provisional',
	'withdrawn',
	'expired',
	'missingSources',
];

/**
 * Whether a name of this meaning is that of a failure or a lack, so that nothing under it is a
 * final report.
 */
export const meansNotFinal = (meaning: Meaning | undefined): boolean =>
	notFinalMeanings.includes(meaning);

/**
 * The meaning of a word of a state: `unknown` for one that no list has, `number` for a number, and
 * `partly` for one such as "completed_with_errors".
 */
export type StateWord = WordGroup['asValue'] | 'partly' | 'unknown' | 'number';

/**
 * How many names are kept with their meanings. An answer repeats a few of them thousands of times.
 */
const maxMeanings = 2000;

/**
 * A path as places have it, e.g. `.review.status`. It begins with a point, so that only whole names
 * match.
 */
const normalizePath = (name: string) => `.${name.split('.').map(normalizeName).join('.')}`;

/** A dot path that a user taught: the end of the paths that it stands for, and what they mean. */
interface TaughtPath {
	end: string;
	meaning: Meaning;
}

/** Lists the dot paths among names. */
const listPaths = (entries: Array<MeaningOfTexts<Meaning>>): TaughtPath[] =>
	entries.flatMap(([meaning, names]) =>
		names
			.filter((name) => name.includes('.'))
			.map((name) => ({ end: normalizePath(name), meaning })),
	);

/** The words of groups as names, with what they mean as such. */
const entriesAsNames = (groups: WordGroup[]): Array<MeaningOfTexts<Meaning>> =>
	groups.flatMap(({ words, asName }): Array<MeaningOfTexts<Meaning>> =>
		asName ? [[asName, words]] : [],
	);

/** Makes a vocabulary of the words of groups. Only whether it has a word matters. */
const wordsOf = (groups: WordGroup[]): Vocabulary<true> =>
	createVocabulary(groups.map(({ words }) => [true, words]));

/** The last name of a dot path. */
const lastName = (path: string) => path.split('.').at(-1)!;

/**
 * The contract with one service: what its names and words mean, the standard ones and those that a
 * user taught. Its two main questions are about a field such as `"finishedAt": "2026-11-26"` or
 * `"status": "Baked"`: what does the name mean, and what the word?
 *
 *     const contract = new Contract({ state: ['review.status'], complete: ['baked'] })
 *     contract.meaningOf('status', '.job.review')    'state'
 *     contract.meaningOf('finishedAt', '.job')       'completion'
 *     contract.meaningOf('colour', '.job')           undefined
 *     contract.stateWordOf('Baked')                  'complete'
 *     contract.stateWordOf('IN_PROGRESS')            'running'
 *     contract.stateWordOf('ripe')                   'unknown'
 *
 * The first of these that fits a name gives its meaning:
 *
 * 1. a taught path
 * 2. a word of the past: `previous_status` is of the past
 * 3. the names of an ID and of a state
 * 4. `fieldNames`: where `partial` is taught as a word of completion, the field `partial: true`
 *    still states that a source is missing
 * 5. a taught word, as a name
 * 6. a standard word, as a name
 * 7. where other names of a state are taught: a standard name of a state
 * 8. an ending like that of a state, as in `kyc_status`
 * 9. the opposite of a word of completion, as in `unscreened`
 *
 * Of words, a taught one comes before a standard one.
 */
export class Contract {
	readonly reportSchema: ReportSchema;

	/** The ends of paths that lead to the ID of a job, the most specific first, e.g. `.jobid`. */
	readonly jobIdPaths: readonly string[];

	/** The paths of the results of a job, if a user taught them. */
	readonly reportPaths: readonly string[];

	/** What a word of a state means, e.g. `Baked` in `"status": "Baked"`: `complete`. */
	private readonly wordMeanings: Vocabulary<StateWord>;

	/** What a name means by rules 3 to 7, e.g. `finishedAt` in `"finishedAt": "…"`: `completion`. */
	private readonly nameMeanings: Vocabulary<Meaning>;

	/** The words that are always bad, e.g. `timeout` in `"kyc_status": "timeout"`. */
	private readonly badWords: Vocabulary<true>;

	/**
	 * The taught words of a failed or a running job. Nothing under one as a name is a final report,
	 * as in `"spoiled": [{ … }]`, also if an earlier rule gives the name another meaning.
	 */
	private readonly taughtNotFinalNames: Vocabulary<true>;

	private readonly taughtPaths: TaughtPath[];

	/**
	 * Whether a user taught the names of a state. Then no other name states how far along a job is.
	 * For a result, a word that is always bad still counts under any name of a state.
	 */
	readonly hasTaughtStates: boolean;

	/**
	 * What a name is about: `sanctions_check` has only words of a screening, and `kyc_status` one of
	 * something else. `transaction_screening` is not known: it may be a part of the screening.
	 */
	readonly topicOf = remember((name): Topic => {
		const words = splitWords(name);
		if (words.some((word) => isOneOf(wordsInNames.otherTopic, word)))
			return isOneOf(wordsInNames.analysis, words.at(-1) ?? '') ? 'unknown' : 'other';
		return words.every((word) => isOneOf(wordsInNames.screening, word)) ? 'screening' : 'unknown';
	}, maxMeanings);

	/** Returns the meaning of a name by rules 2 to 9. */
	private readonly meaningOfName = remember((name) => this.findMeaning(name), maxMeanings);

	constructor(taught: ServiceNames = {}) {
		const { jobId, state, reports, categories } = { ...replaceableNames, ...taught };
		const taughtGroups = groupTaughtWords(taught);
		const groups = [...taughtGroups, ...wordGroups];
		this.reportSchema = createReportSchema(categories);
		this.jobIdPaths = jobId.map(normalizePath);
		this.reportPaths = reports.map(normalizePath);
		this.wordMeanings = createVocabulary(groups.map(({ words, asValue }) => [asValue, words]));
		// Rules 3 to 7.
		this.nameMeanings = createVocabulary<Meaning>([
			// `findTaughtMeaning` has the paths of a state.
			['state', state.filter((name) => !name.includes('.'))],
			// `findIdFieldsIn` checks the rest of the path.
			['jobId', jobId.map(lastName)],
			...(Object.entries(fieldNames) as Array<MeaningOfTexts<Meaning>>),
			...entriesAsNames(groups),
			// A taught one has its meaning already.
			['replacedState', replaceableNames.state],
		]);
		this.badWords = wordsOf(groups.filter(({ isAlwaysBad }) => isAlwaysBad));
		this.taughtNotFinalNames = wordsOf(
			taughtGroups.filter(({ asName }) => asName !== 'completion'),
		);
		this.taughtPaths = listPaths([...entriesAsNames(taughtGroups), ['state', state]]);
		this.hasTaughtStates = taught.state !== undefined;
	}

	/** The meaning of a name in an object at this path; undefined for a name that no list has. */
	meaningOf(name: string, path: string): Meaning | undefined {
		return this.findTaughtMeaning(name, path) ?? this.meaningOfName(name);
	}

	/** Whether nothing under a name in an object at this path is a final report. */
	isNotFinal(name: string, path: string): boolean {
		if (meansNotFinal(this.meaningOf(name, path))) return true;
		return lookUp(this.taughtNotFinalNames, splitWords(name)) ?? false;
	}

	/**
	 * The meaning of the word of a state; undefined for a blank text, and for a value that is no
	 * word. A sentence, or a sign without letters and digits, is `unknown`.
	 */
	stateWordOf(value: unknown): StateWord | undefined {
		if (typeof value === 'object' || !hasValue(value)) return undefined;
		const words = splitWords(value);
		const known = lookUp(this.wordMeanings, words);
		if (known !== undefined) return known;
		if (words.length === 0) return 'unknown';
		if (this.meansPartly(words)) return 'partly';
		if (this.meansNoEnd(words)) return 'running';
		return Number.isNaN(Number(words.join(''))) ? 'unknown' : 'number';
	}

	/** The meaning of the last word in the name of an event that the contract has. */
	eventWordOf(value: unknown): StateWord | undefined {
		const whole = this.stateWordOf(value);
		if (whole !== 'unknown') return whole;
		const meanings = splitWords(value).map((word) => this.wordMeanings.get(word));
		return meanings.findLast((meaning) => meaning !== undefined) ?? whole;
	}

	/** Whether a word means "not over" or "went wrong" under any name. */
	isBadWord(value: unknown): boolean {
		return typeof value === 'string' && (lookUp(this.badWords, splitWords(value)) ?? false);
	}

	/**
	 * Whether a word that the contract does not have may be taught as one of completion. It has no
	 * blank, because a sentence may state anything. None of the words in it, nor two in a row, means
	 * anything else. A number is that of a state, and not a status of HTTP.
	 * @example `baked`, `ALL_DONE` and 3 may be one, `fetch_failed`, `almost done`, 500 and `67%` not
	 */
	mayMeanEnd(word: unknown): boolean {
		if (!/^(?:\d{1,2}|\p{L}[\p{L}\d_.-]*)$/u.test(String(word))) return false;
		const words = splitWords(word);
		const pairs = words.slice(1).map((second, index) => `${words[index]}_${second}`);
		return ![...words, ...pairs].some((one) => {
			const meant = this.stateWordOf(one);
			if (meant === 'failed' || meant === 'running' || meant === 'partly') return true;
			return meansNotFinal(this.meaningOfName(one));
		});
	}

	/**
	 * Whether words together mean the end of a job in which something failed: "partially_done",
	 * "finished_with_errors", and not "failed_to_complete".
	 */
	private meansPartly(words: string[]): boolean {
		const meanings = words.flatMap((word) => this.wordMeanings.get(word) ?? []);
		const isEnd = (meaning?: StateWord) => meaning === 'complete' || meaning === 'success';
		const hasFailed = meanings.includes('failed');
		const isPartial = words.includes('partial') || words.includes('partially');
		return isPartial ? hasFailed || meanings.some(isEnd) : hasFailed && isEnd(meanings[0]);
	}

	/**
	 * Whether words mean that something is not over: "scoring", "not_ready_yet", "unfinished".
	 * "completed_with_warning" may mean the end, and "address_missing" a failure.
	 */
	private meansNoEnd(words: string[]): boolean {
		if (this.meansOpposite(words)) return true;
		const [first] = withoutSubject(words);
		const last = words.at(-1)!;
		const isGoingOn = last.endsWith('ing') && last !== 'warning';
		return first === 'not' || (isGoingOn && this.wordMeanings.get(last) !== 'failed');
	}

	/** Whether words are the opposite of a word of completion: "unscreened", "not analyzed". */
	private meansOpposite(words: string[]): boolean {
		const [, end] = /^(?:un|not)(.+)$/.exec(withoutSubject(words).join('')) ?? [];
		return end !== undefined && this.wordMeanings.get(end) === 'complete';
	}

	/** Rule 1. */
	private findTaughtMeaning(name: string, path: string): Meaning | undefined {
		if (this.taughtPaths.length === 0) return undefined;
		const fullPath = path + normalizePath(name);
		return this.taughtPaths.find(({ end }) => fullPath.endsWith(end))?.meaning;
	}

	/** Rules 2 to 9. */
	private findMeaning(name: string): Meaning | undefined {
		const words = splitWords(name);
		if (words.some((word) => wordsInNames.past.has(word))) return 'past';
		const known = lookUp(this.nameMeanings, words);
		if (known !== undefined) return known;
		// What follows `by` is an order: `errors_by_address`.
		const by = words.indexOf('by');
		if (by > 0) return lookUp(this.nameMeanings, words.slice(0, by));
		if (wordsInNames.stateEnding.has(words.at(-1) ?? '')) return 'likeState';
		return this.meansOpposite(words) ? 'unfinished' : undefined;
	}
}

/** The words of a name but for those for its subject. */
const withoutSubject = (words: string[]): string[] =>
	words.filter((word) => !wordsInNames.subject.has(word));
