import { type Fields, isFields } from '../json';
import { others, type ServiceNames, silent, usual } from './names';
import { isGiven, isTime, lettersOf, switchIn } from './values';

const kinds = ['success', 'fine', 'complete', 'failed', 'running'] as const;
/** What a word says. `partly`: complete, except some addresses. */
export type Kind = (typeof kinds)[number] | 'partly' | 'unknown';

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
	by: 'state' | 'like' | 'event' | 'error' | 'switch' | 'time';
	level: L;
}

/** Before a name or a word: whose it is. */
const owner =
	/^(?:(?:job|bulk|batch|task|report|result|screening|processing|process|analysis|status|state)(?=.))+/;
/** After the name of a list or of a number: of what it is. */
const counted = /(?<=.)(?:addresses|wallets|items|results|reports|records|entries|list|count)$/;

/** Gives the rank of what a path ends with; -1 if it ends with none of these. */
function endsIn(paths: string[]) {
	const lettersIn = (path: string) => path.split('.').map((step) => `.${lettersOf(step)}`);
	const ends = paths.map((path) => lettersIn(path).join(''));
	return (path: string): number => ends.findIndex((end) => path.endsWith(end));
}

/** The same for a name and the object that has it. */
function rankIn(paths: string[] = []) {
	const rankOf = endsIn(paths);
	return (name: string, { path }: Level) => rankOf(`${path}.${lettersOf(name)}`);
}

/** Names and words, ready to be asked. */
export type Vocabulary = ReturnType<typeof createVocabulary>;

export function createVocabulary(taught: ServiceNames = {}) {
	const words = new Map<string, Kind>();
	for (const lists of [silent, usual, taught] as Array<Partial<Record<Kind, string[]>>>) {
		for (const kind of kinds)
			for (const word of lists[kind] ?? []) words.set(lettersOf(word), kind);
	}
	const roles = new Map<string, keyof typeof others | 'state'>();
	const named = { ...others, state: taught.state ? [] : usual.state };
	for (const role of ['error', 'event', 'total', 'pages', 'state'] as const) {
		for (const name of named[role]) roles.set(lettersOf(name), role);
	}
	const stateRank = rankIn(taught.state);
	const failuresRank = rankIn(taught.failures);

	function kindOf(word: unknown): Kind {
		const letters = lettersOf(word);
		const bare = letters.replace(owner, '');
		const whole = words.get(bare.replace(/^partial(?:ly)?|with.*/g, ''));
		const isPartly = whole === 'complete' || whole === 'success';
		return words.get(letters) ?? words.get(bare) ?? (isPartly ? 'partly' : 'unknown');
	}

	/** What a name says of its value. */
	function meaningMade(name: string) {
		const letters = lettersOf(name);
		const bare = letters.replace(owner, '');
		const members = words.get(letters.replace(counted, ''));
		const isFailures = members === 'failed' || /^(?:fail|err)/.test(letters);
		const isBegun = ['started', 'created', 'accepted', 'submitted'].includes(bare);
		const stem = bare.replace(/(?:at|on|time|date)$/, '');
		const isEnd = ['completion', 'finish', 'end'].includes(stem);
		const isLike = !taught.state && /(?:status|state)$/.test(letters);
		return {
			role: roles.get(letters) ?? roles.get(bare) ?? (isLike && 'like'),
			isFailures,
			isUnfinished: isFailures || (members === 'running' && !isBegun),
			isComplete: members === 'complete',
			isMore: /^(?:has)?(?:more|next)(?:page)?(?:token|cursor|marker|ur[il]|link|key)?$/.test(
				letters,
			),
			/** What it says as a switch, which may stay on after the end, and as a time. */
			switched: isBegun ? undefined : words.get(bare.replace(/^(?:is|has|was)/, '')),
			timed: stem === bare ? undefined : isEnd ? 'complete' : words.get(stem),
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

	function saidBy(name: string, value: unknown, level: Level): [Kind | undefined, Statement['by']] {
		const { role, switched, timed } = meaningOf(name);
		const isState = stateRank(name, level) >= 0;
		if (isState || role === 'state' || role === 'like' || role === 'event') {
			// A state may be an object that holds its word.
			const inner = isFields(value) ? Object.values(value).map(kindOf) : [];
			const kind =
				inner.find((one) => one !== 'unknown') ?? (lettersOf(value) ? kindOf(value) : undefined);
			return [kind, isState ? 'state' : (role as 'state')];
		}
		if (role === 'error') return [isGiven(value) ? 'failed' : undefined, role];
		const isOn = switchIn(value);
		if (isOn === true) return [switched, 'switch'];
		const isRequest = switched === 'success' || name === 'ok';
		if (isOn === false)
			return [switched === 'complete' ? 'running' : isRequest ? 'failed' : undefined, 'switch'];
		if (timed === 'complete') return [isTime(value) ? timed : 'running', 'time'];
		return [timed === 'failed' && isTime(value) ? timed : undefined, 'time'];
	}

	return {
		kindOf,
		meaningOf,
		/** What the fields of an object say. */
		statementsIn<L extends Level>(level: L): Array<Statement<L>> {
			return Object.entries(level.value as Fields).flatMap(([name, value]) => {
				const [kind, by] = saidBy(name, value, level);
				return kind ? { name, value, kind, by, level } : [];
			});
		},
		/** Whether nothing that stands under a name is a final report. */
		isFailing: (name: string, level: Level, isList: boolean) =>
			meaningOf(name)[isList ? 'isUnfinished' : 'isFailures'] || failuresRank(name, level) >= 0,
		/** Whether results stand at a path, if that was taught. */
		hasReports: taught.reports && ((path: string) => endsIn(taught.reports!)(path) >= 0),
		idRank: rankIn(taught.jobId ?? usual.jobId),
		categories: taught.categories ?? usual.categories,
	};
}
