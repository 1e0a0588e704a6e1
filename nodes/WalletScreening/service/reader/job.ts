import { type Fields, isFilled, quoted } from '../json';
import { decoded } from '../url';
import type { Node } from './answer';
import type { ServiceNames } from './names';
import { addressIn, isGiven, isId, isTime, lettersOf, switchIn } from './values';
import type { Kind, Statement, Vocabulary } from './words';

type Said = Statement<Node>;

/** How far a job is. Nothing of one that runs is final, and one that failed is over. */
export interface Progress {
	state: 'running' | 'complete' | 'failed';
	/** The fields that say so. */
	says: Said[];
	/** Names and values that may say it, and are not known to. */
	unread: string[];
	/** What to teach the nodes of the service, if the first of them means that. */
	add: ServiceNames | undefined;
}

/** What says that a job is in a state. */
const kindsOf: Record<Progress['state'], Kind[]> = {
	running: ['running', 'unknown'],
	failed: ['failed'],
	complete: ['complete', 'partly'],
};

/**
 * Reads how far a job is from what is said outside of its results. `ofJob` is the object that has its ID, `unstated` its state
 * if nothing says how far it is. A delivery need not say that its job is complete (section 6).
 */
export function progressIn(
	outer: Node[],
	all: Said[],
	{
		ofJob,
		isDelivery,
		unstated,
	}: { ofJob: Node | undefined; isDelivery: boolean; unstated: Progress['state'] },
): Progress {
	for (let at = ofJob; at; at = at.parent) at.leads = true;
	const isLed = outer.some(({ leads }) => leads);
	const isTop = ({ level }: Said) => (isLed ? level.leads : !level.parent);
	const ended = new Set(
		all.flatMap(({ by, kind, level }) => (by === 'time' && kind === 'complete' ? level : [])),
	);
	const said = all.flatMap((one): Said[] => {
		const { kind, by, level } = one;
		// Beside the ID of the job it is not that of the request.
		if (kind === 'success' && by === 'state' && level === ofJob)
			return [{ ...one, kind: 'complete' }];
		const isSilent = kind === 'fine' || kind === 'success' || (isDelivery && kind === 'unknown');
		const isEnded = by === 'time' && kind === 'running' && ended.has(level);
		return isSilent || isEnded || (by === 'event' && !isDelivery) ? [] : [one];
	});

	/** Words are surer than switches and times, what leads to the results or to the ID than what is beside it. */
	function orderOf(one: Said): number {
		const isCode = one.kind === 'unknown' && typeof one.value === 'number';
		const order = (isTop(one) ? 0 : 4) + (one.by === 'like' ? 2 : 0) + (isCode ? 1 : 0);
		return one.by === 'error'
			? Infinity
			: one.by === 'switch' || one.by === 'time'
				? order + 8
				: order;
	}
	const first = said.reduce((order, one) => Math.min(order, orderOf(one)), 99);
	const surest = said.filter((one) => orderOf(one) === first);
	const against = said.filter((one) => isTop(one) && speaksAgainst(one));
	const states =
		first < 8
			? (['running', 'failed', 'complete'] as const)
			: (['failed', 'running', 'complete'] as const);
	for (const state of states) {
		const says = [...surest, ...against].filter(({ kind }) => kindsOf[state].includes(kind));
		const levels = new Set(says.map(({ level }) => level));
		const open = said.filter(
			({ by, kind, level }) => by === 'time' && kind === 'running' && levels.has(level),
		);
		const isOpen = state === 'complete' && open.length > 0;
		if (says.length > 0) {
			return progress(
				isOpen ? 'running' : state,
				isOpen ? [...says, ...open] : says,
				says.filter(({ kind }) => kind === 'unknown'),
			);
		}
	}
	return progress(unstated, [], unstated === 'running' ? outer.flatMap(possibleStates) : []);
}

/** Whether it is an error of the whole job, neither those of addresses nor their number, or a success that is off. */
const speaksAgainst = ({ by, kind, value }: Said) =>
	by === 'error'
		? !Array.isArray(value) && typeof value !== 'number' && addressIn(value) === undefined
		: by === 'switch' && kind === 'failed' && switchIn(value) === false;

type Field = Pick<Said, 'name' | 'value'> & { kind?: Kind };
const isLikely = ({ name }: Field) => /stat|stag|phase|step|progress/i.test(name);
const fieldsOf = (level: Node): Field[] =>
	Object.entries(level.value as Fields).map(([name, value]) => ({ name, value }));

/** Fields that may say how far a job is: switches, words, and numbers under a likely name. */
const possibleStates = (level: Node): Field[] =>
	fieldsOf(level).filter((field) => {
		const isText = lettersOf(field.value) !== '' && /^[^\d/:@]+$/.test(String(field.value));
		return typeof field.value === 'number' ? isLikely(field) : isText;
	});

function progress(state: Progress['state'], says: Said[], unread: Field[] = []): Progress {
	const [first] = [...unread.filter(isLikely), ...unread];
	const texts = unread.map(({ name, value }) => `${quoted(name)}: ${quoted(value)}`);
	const add = first && (first.kind ? { complete: [String(first.value)] } : { state: [first.name] });
	return { state, says, unread: [...new Set(texts)].slice(0, 10), add };
}

/** The field outside of results, or the header, that promises more than came. */
export function remainderIn(
	v: Vocabulary,
	all: Fields[],
	results: number,
	failures: number,
): Fields | undefined {
	for (const [name, value] of all.flatMap(Object.entries) as Array<[string, unknown]>) {
		const { role, isComplete, isMore, isUnfinished } = v.meaningOf(name);
		const ofResults = role === 'total' || isComplete ? results : isUnfinished ? failures : Infinity;
		const count = isFilled(value) || typeof value === 'number' ? Number(value) : 0;
		const isLink = /^links?$/i.test(name) && /rel\W{1,5}next/.test(JSON.stringify(value));
		const isOpen = isLink || (isUnfinished && switchIn(value)) || (isMore && isGiven(value));
		if (isOpen || (count > (role === 'pages' ? 1 : ofResults) && count < 1e9))
			return { [name]: value };
	}
	return undefined;
}

/** The ID of a job, and the name and the object that have it. */
export interface JobId {
	job_id: string;
	name?: string;
	level?: Node | undefined;
	rank?: number;
}

/** The path of a job (section 4.4). */
const pathOfJob = /\/v1\/bulk\/([^/?#]+)\/?(?:$|[?#])/;

/**
 * The ID of the job in an answer: under the surest name, else `located`, from a header, else in links that all lead to one job,
 * else under another name, beside the state of the job, or outermost. An event has an ID of its own.
 */
export function jobIdIn(v: Vocabulary, outer: Node[], located?: string): JobId | undefined {
	function orderOf(level: Node): number {
		const ways = v.statementsIn(level).map(({ by }) => by);
		return ways.some((by) => ['state', 'switch', 'time'].includes(by))
			? 0
			: ways.includes('event')
				? 2
				: 1;
	}
	const ids = outer.flatMap((level) =>
		fieldsOf(level).flatMap(({ name, value }) => {
			const rank = v.idRank(name, level);
			return rank >= 0 && isId(value) ? { job_id: String(value).trim(), name, level, rank } : [];
		}),
	);
	const [best] = ids.sort(
		(one, other) => one.rank - other.rank || orderOf(one.level) - orderOf(other.level),
	);
	if (best?.rank === 0) return best;
	if (located !== undefined) return { job_id: located };
	const texts = outer
		.flatMap(fieldsOf)
		.map(({ value }) => (isFilled(value) ? value.slice(0, 500) : ''));
	const [id, ...others] = new Set(texts.flatMap((text) => pathOfJob.exec(text)?.[1] ?? []));
	return id === undefined || others.length > 0 ? best : { job_id: decoded(id) };
}

/** The object with a field that is this ID, or ends with it. */
export const levelOfJob = (outer: Node[], job_id: string) =>
	outer.find((level) =>
		fieldsOf(level).some(({ value }) => `/${String(value)}`.endsWith(`/${job_id}`)),
	);

/** What to teach the nodes of a service whose job has no ID that they know: neither a sum, nor a link, nor a time. */
export function proposedId(outer: Node[]): ServiceNames | undefined {
	const names = outer.flatMap(fieldsOf).flatMap(({ name, value }) => {
		const isLike = isId(value) && /^(?=\D*\d)[^\s:/]+$/.test(String(value));
		return isLike && !(isTime(value) && Date.parse(String(value))) ? name : [];
	});
	const [name] = [
		...names.filter((one) => /id$|key$|handle|ticket|ref|token/i.test(one)),
		...names,
	];
	return name === undefined ? undefined : { jobId: [name] };
}
