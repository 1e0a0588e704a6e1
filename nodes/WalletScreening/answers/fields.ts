import { type Fields, isFields } from '../service/json';
import { likely, others, past, type ServiceNames, silent, usual } from './contract';
import { saysAnything, isTime, lettersOf, switchIn } from './values';

/** What a word says. `partly`: complete, except some addresses. Of several words in one state the first of these counts. */
const kinds = ['running', 'failed', 'partly', 'complete', 'success', 'fine'] as const;
export type Kind = (typeof kinds)[number] | 'unknown';

/** An object of an answer, and the letters of the names that lead to it, each after a dot. */
interface Level {
	value: unknown;
	path: string;
}

/** What a field says of how far a job or a result is. */
export interface Statement<L = unknown> {
	name: string;
	value: unknown;
	kind: Kind;
	/** `like`: a word under a name that is only like that of a state. `time`: that of the end, which may be empty. */
	by: 'state' | 'like' | 'event' | 'error' | 'verdict' | 'switch' | 'time';
	level: L;
}

/** Before a name or a word: whose it is. */
const owner =
	/^(?:(?:job|bulk|batch|task|run|operation|execution|check|scan|report|result|screening|processing|process|analysis|status|state)(?=.))+/;
/** Around the name of a list or of a number: of what it is, and that it is a number. */
const noun =
	'address(?:es)?|wallets?|items?|results?|reports?|records?|rows?|entries|elements|list|size';
const amount = 'x?total|counts?|num(?:ber)?of|num(?:ber)?(?=.)';
const counted = new RegExp(`^(?:${noun}|${amount})+(?=.)|(?<=.)(?:${noun}|${amount})+$`, 'g');
/** The number of all, such as `total_addresses` and `numItems`. */
const total = new RegExp(`^(?:${noun})*(?:${amount})(?:${noun}|${amount})*$`);
/** What says that there is another page, such as `hasMore` and `@odata.nextLink`. */
const furtherPage =
	/^(?=.*(?:next|more|continu|truncated))(?:x|odata|has|is|next|more|page|records|results|token|cursor|marker|ur[il]|link|key|offset|continuation|truncated)+$/;
/** Around the word of a time. */
const ofTime = /^(?:time|date)|(?:at|on|time|date)$/g;
const partial = /^partial(?:ly)?|partial(?:ly)?$/;

/** Parts of names that stay true after the end. */
const begun = ['started', 'created', 'accepted', 'submitted'];
/** Names of the end, without `at` and the like. */
const namesOfEnd = ['completion', 'finish', 'end'];

/** Gives the rank of the name that a path ends with; -1 if it ends with none of them. */
function rankAmong(names: string[] = []) {
	const paths = names.map((name) => ['', ...name.split('.').map(lettersOf)].join('.'));
	return (path: string, letters?: string) => {
		const whole = letters === undefined ? path : `${path}.${letters}`;
		return paths.findIndex((end) => whole.endsWith(end));
	};
}

/** Names and words, ready to be asked. */
export type Vocabulary = ReturnType<typeof createVocabulary>;

export function createVocabulary(taught: ServiceNames = {}) {
	const words = new Map<string, Kind>();
	for (const lists of [silent, usual, taught] as Array<Partial<Record<Kind, string[]>>>)
		for (const kind of kinds.toReversed())
			for (const word of lists[kind] ?? []) words.set(lettersOf(word), kind);
	const named = { ...others, state: taught.state ? [] : usual.state };
	const roles = new Map(
		Object.entries(named).flatMap(([role, names]) =>
			names.map((name) => [lettersOf(name), role as keyof typeof named] as const),
		),
	);
	const stateRank = rankAmong(taught.state);
	const failuresRank = rankAmong(taught.failures);
	const reportsRank = rankAmong(taught.reports);
	const idRank = rankAmong(taught.jobId ?? usual.jobId);

	function kindOf(word: unknown): Kind {
		const letters = lettersOf(word);
		const bare = letters.replace(owner, '');
		// `FINISH` says what `finished` says.
		const forms = [letters, bare, `${bare}ed`, `${bare}d`];
		const known = forms.map((one) => words.get(one)).find(Boolean);
		if (known) return known;
		const whole = words.get(bare.replace(partial, '').split('with')[0]!);
		if (whole === 'failed' && !partial.test(bare)) return 'failed';
		return ['failed', 'complete', 'success'].includes(whole!) ? 'partly' : 'unknown';
	}

	/** What a name says of its value. */
	function meaningMade(name: string) {
		const letters = lettersOf(name);
		const bare = letters.replace(owner, '');
		// `processed_at` is not of a process.
		const base = words.has(letters.replace(ofTime, '')) ? letters : bare;
		const stem = base.replace(ofTime, '');
		const member = letters.replace(counted, '');
		const members = words.get(member);
		const isFailures =
			members === 'failed' ||
			[letters, member].some((one) => one.startsWith('fail') || one.startsWith('err')) ||
			words.get(/^(?:un|not)(.+)/.exec(member)?.[1] ?? '') === 'complete';
		const isBegun = begun.some((one) => letters.includes(one));
		const isRunning = members === 'running' && !isBegun;
		const isLike = !taught.state && usual.state.some((one) => letters.endsWith(one));
		const role = furtherPage.test(letters)
			? 'more'
			: (roles.get(letters) ?? roles.get(bare) ?? (isLike ? 'like' : undefined));
		return {
			letters,
			role,
			isFailures,
			/** Whether its value, or its number, still runs. */
			isRunning,
			isUnfinished: isFailures || isRunning,
			/** Whether an object under it is an error, such as `errorResult`, and no list of them. */
			isOfOneError: letters.startsWith('error') && !letters.startsWith('errors'),
			/** Whether it is the number of results. */
			isTotal:
				total.test(letters) ||
				total.test(bare) ||
				members === 'complete' ||
				['submitted', 'accepted'].includes(member),
			/** What it says as a switch, which may stay on after the end, and as a time. */
			switched: isBegun ? undefined : words.get(base.replace(/^(?:is|has|was)/, '')),
			timed: stem === base ? undefined : words.get(namesOfEnd.includes(stem) ? 'ended' : stem),
		};
	}
	/** Answers repeat a few names thousands of times. */
	const meanings = new Map<string, ReturnType<typeof meaningMade>>();
	function meaningOf(name: string) {
		const meaning = meanings.get(name) ?? meaningMade(name);
		if (meanings.size > 2000) meanings.clear();
		meanings.set(name, meaning);
		return meaning;
	}

	/** What a state says, which may be an object that holds its word, or has it for its only name. */
	function kindIn(value: unknown): Kind | undefined {
		if (!isFields(value)) return lettersOf(value) ? kindOf(value) : undefined;
		const entries = Object.entries(value).filter(([name]) => !past.test(name));
		const said = entries.map(([name, one]) => {
			if (isFields(one)) return entries.length === 1 ? kindOf(name) : undefined;
			const isOn = switchIn(one);
			if (isOn !== undefined) return isOn ? meaningOf(name).switched : undefined;
			const kind = kindOf(one);
			return kind === 'unknown' && lettersOf(one).endsWith('ing') ? 'running' : kind;
		});
		return kinds.find((kind) => said.includes(kind));
	}

	/** What a field says whose name begins with that of a number, also as text: `status: 3, status_text: "Completed"`. */
	const spelledIn = (fields: Fields, code: string) =>
		Object.keys(fields)
			.filter((name) => lettersOf(name).startsWith(lettersOf(code)))
			.map((name) => kindOf(fields[name]))
			.find((kind) => kind !== 'unknown');

	function saidBy(
		name: string,
		value: unknown,
		{ path }: Level,
	): [Kind | undefined, Statement['by']] {
		const { letters, role, isOfOneError, switched, timed } = meaningOf(name);
		if (stateRank(path, letters) >= 0) return [kindIn(value), 'state'];
		if (role === 'state' || role === 'like' || role === 'event') return [kindIn(value), role];
		if (role === 'verdict') return [kindOf(value) === 'failed' ? 'failed' : undefined, role];
		const isError = role === 'error' || (isOfOneError && isFields(value));
		if (isError) return [saysAnything(value) ? 'failed' : undefined, 'error'];
		const isOn = switchIn(value);
		if (isOn) return [switched, 'switch'];
		const isRequest = switched === 'success' || name === 'ok';
		if (isOn === false)
			return [switched === 'complete' ? 'running' : isRequest ? 'failed' : undefined, 'switch'];
		if (timed === 'complete') return [isTime(value) ? timed : 'running', 'time'];
		return [timed === 'failed' && isTime(value) ? timed : undefined, 'time'];
	}

	return {
		meaningOf,
		/** What the fields of an object say. */
		statementsIn<L extends Level>(level: L): Array<Statement<L>> {
			const fields = level.value as Fields;
			return Object.entries(fields).flatMap(([name, value]) => {
				const [said, by] = saidBy(name, value, level);
				const isCode = said === 'unknown' && by === 'state' && Number.isFinite(Number(value));
				const kind = (isCode && spelledIn(fields, name)) || said;
				return kind ? { name, value, kind, by, level } : [];
			});
		},
		/** Whether nothing that stands under a name is a final report. */
		isFailing(name: string, { path }: Level, isList: boolean): boolean {
			const { letters, isFailures, isUnfinished } = meaningOf(name);
			return (isList ? isUnfinished : isFailures) || failuresRank(path, letters) >= 0;
		},
		/** Whether results stand at a path, if that was taught. */
		hasResults: taught.reports && (({ path }: Level) => reportsRank(path) >= 0),
		/** Ranks the names that the ID of a job may have: 0 is the surest, -1 is no such name. */
		idRank(name: string, { path }: Level): number {
			const { letters } = meaningOf(name);
			const rank = idRank(path, letters);
			const isOfOther = ['report', 'result', 'stat'].some((other) => letters.includes(other));
			const bare = letters.replace(owner, '');
			const isOfJob =
				!taught.jobId && !isOfOther && bare !== letters && likely.jobId.includes(bare);
			return rank < 0 && isOfJob ? usual.jobId.length : rank;
		},
		categories: taught.categories ?? usual.categories,
	};
}
