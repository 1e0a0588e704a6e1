import { type Fields, isFilled, quoted } from '../service/json';
import { jobIdInUrl } from '../service/url';
import type { Node } from './places';
import { likely, type ServiceNames } from './contract';
import { addressIn, saysAnything, isId, isTime, lettersOf, switchIn } from './values';
import type { Kind, Statement, Vocabulary } from './fields';

type Said = Statement<Node>;

/** How far a job is. Nothing of one that runs is final, and one that failed is over. */
export interface Progress {
	state: 'running' | 'complete' | 'failed';
	/** The fields that say so. */
	says: string[];
	/** Names and values that may say it, and are not known to. */
	unread: string[];
	/** What to teach the nodes of the service, if the first of them means that. */
	add: ServiceNames | undefined;
	/** The field that says that some addresses have no report. */
	partly?: Said | undefined;
}

/** The state of a job for which this is said. A word that no list has may mean that it runs. */
const stateOf: Partial<Record<Kind, Progress['state']>> = {
	running: 'running',
	unknown: 'running',
	failed: 'failed',
	complete: 'complete',
	partly: 'complete',
};

const isTimed = (kind: Kind) => (one: Said) => one.by === 'time' && one.kind === kind;
const levelsOf = (some: Said[]) => new Set(some.map(({ level }) => level));

/** Reads how far a job is from what is said outside of its results. `unstated` is its state if nothing says how far it is. */
export function progressIn(
	outer: Node[],
	all: Said[],
	{ job_id, level: ofJob }: Partial<JobId> = {},
	{ isDelivery, unstated }: { isDelivery: boolean; unstated: Progress['state'] },
): Progress {
	for (let at = ofJob; at; at = at.parent) at.leads = true;
	const isLed = outer.some(({ leads }) => leads);
	const isTop = ({ level }: Said) => (isLed ? level.leads : !level.parent);
	/** Words are surer than switches and times, what leads to the results or to the ID than what is beside it. */
	const doubtOf = (one: Said) =>
		(one.by === 'switch' || one.by === 'time' ? 8 : 0) +
		(isTop(one) ? 0 : 4) +
		(one.by === 'like' ? 2 : 0) +
		(one.kind === 'unknown' && typeof one.value === 'number' ? 1 : 0);
	/** Beside the ID of the job it is not that of the request. */
	const isSuccess = ({ kind, by, level }: Said) =>
		kind === 'success' && by === 'state' && level === ofJob;
	const said = all
		.map((one): Said => (isSuccess(one) ? { ...one, kind: 'complete' } : one))
		.filter(({ kind }) => stateOf[kind])
		// A delivery need not say that its job is complete (section 6).
		.filter(({ kind, by }) => (isDelivery ? kind !== 'unknown' : by !== 'event'));
	const states = said.filter(({ by }) => by !== 'error' && by !== 'verdict');
	const least = states.reduce((doubt, one) => Math.min(doubt, doubtOf(one)), Infinity);
	/** A state may be an object, and hold its error. */
	const stated = new Set(states.filter((one) => doubtOf(one) === least).map(({ value }) => value));
	const against = said.filter(
		(one) => speaksAgainst(one) && (isTop(one) || stated.has(one.level.value)),
	);
	const [ended, erroneous] = [said.filter(isTimed('complete')), against].map(levelsOf);
	/** An unknown word beside an error and the time of the end. */
	const isOfFailed = ({ kind, level }: Said) =>
		kind === 'unknown' && ended!.has(level) && erroneous!.has(level);
	const surest = states.filter((one) => doubtOf(one) === least && !isOfFailed(one));
	const counted = [...surest, ...against];
	const order: Array<Progress['state']> =
		least < 8 ? ['running', 'failed', 'complete'] : ['failed', 'running', 'complete'];
	const state = order.find((one) => counted.some(({ kind }) => stateOf[kind] === one));
	if (state === undefined) {
		const words = all.filter(({ kind, level }) => kind === 'fine' && level === ofJob);
		const possible = outer
			.flatMap(fieldsOf)
			.filter((field) => (typeof field.value === 'number' ? isLikely(field) : isWord(field)));
		const fields = [...words.filter(isWord), ...possible];
		const unread = fields.filter(({ value }) => unstated === 'running' && value !== job_id);
		return progress(unstated, [], unread);
	}
	const says = counted.filter(({ kind }) => stateOf[kind] === state);
	const levels = levelsOf(says);
	const open = said.filter((one) => isTimed('running')(one) && levels.has(one.level));
	if (state === 'complete' && open.length > 0) return progress('running', [...says, ...open], []);
	const unread = says.filter(({ kind }) => kind === 'unknown');
	return { ...progress(state, says, unread), partly: says.find(({ kind }) => kind === 'partly') };
}

/** Whether it is an error of the whole job, neither those of addresses nor their number, a verdict, or a success that is off. */
const speaksAgainst = ({ by, kind, value }: Said) =>
	by === 'error'
		? kind === 'failed' &&
			!Array.isArray(value) &&
			typeof value !== 'number' &&
			addressIn(value) === undefined
		: by === 'verdict' || (by === 'switch' && kind === 'failed' && switchIn(value) === false);

type Field = Pick<Said, 'name' | 'value'> & { kind?: Kind };
const fieldsOf = ({ value }: Node): Field[] =>
	Object.entries(value as Fields).map(([name, one]) => ({ name, value: one }));
const isLikely = ({ name }: Field) => likely.state.some((part) => lettersOf(name).includes(part));
/** Neither a number, nor a time, nor an address of any kind. */
const isWord = ({ value }: Field) => lettersOf(value) !== '' && /^[^\d/:@]+$/.test(String(value));

/** Unless it cannot mean `complete`: a word such as `validating` and `not_done`, or a switch that is off, which would be a failure. */
function mayBeTaught({ kind, value }: Field): boolean {
	const letters = lettersOf(value);
	const isOpen = letters.endsWith('ing') || ['not', 'un'].some((one) => letters.startsWith(one));
	return kind === undefined ? switchIn(value) !== false : !isOpen;
}

function progress(state: Progress['state'], says: Field[], unread: Field[]): Progress {
	const textsOf = (fields: Field[]) => [
		...new Set(fields.map(({ name, value }) => `${quoted(name)}: ${quoted(value)}`)),
	];
	const taught = unread.filter(mayBeTaught);
	const [first] = [...taught.filter(isLikely), ...taught];
	const add = first && (first.kind ? { complete: [String(first.value)] } : { state: [first.name] });
	return { state, says: textsOf(says), unread: textsOf(unread).slice(0, 10), add };
}

/** The field outside of results, or the header, that promises more than came. */
export function remainderIn(
	v: Vocabulary,
	all: Fields[],
	results: number,
	failures: number,
): Fields | undefined {
	for (const [name, value] of all.flatMap(Object.entries) as Array<[string, unknown]>) {
		const { role, isTotal, isUnfinished } = v.meaningOf(name);
		const number = isFilled(value) || typeof value === 'number' ? Number(value) : 0;
		// A larger one is a time, a broken one a rate.
		const count = number < 1e9 && Number.isInteger(number) ? number : 0;
		const isLink = role === 'link' && /rel\W{1,5}next/.test(JSON.stringify(value));
		const isRest =
			isLink ||
			(role === 'more' && saysAnything(value)) ||
			(role === 'pages' && count > 1) ||
			(isTotal && count > results) ||
			(isUnfinished && (count > failures || switchIn(value)));
		if (isRest) return { [name]: value };
	}
	return undefined;
}

/** The ID of a job, the object that has it, and how sure its name is: 0 is the surest. */
interface JobId {
	job_id: string;
	level?: Node | undefined;
	rank?: number;
}

/**
 * The ID of the job in an answer: under the surest name, else `located`, from a header, else in links that all lead to one job,
 * else under another name, beside the state of the job, or outermost. An event has an ID of its own.
 */
export function jobIdIn(v: Vocabulary, outer: Node[], located?: string): JobId | undefined {
	function orderOf(level: Node): number {
		const ways = v.statementsIn(level).map(({ by }) => by);
		const isJob = ways.some((by) => ['state', 'switch', 'time'].includes(by));
		return isJob ? 0 : ways.includes('event') ? 2 : 1;
	}
	const ids = outer.flatMap((level) =>
		fieldsOf(level).flatMap(({ name, value }) => {
			const rank = v.idRank(name, level);
			const { name: path } = level.value as Fields;
			// Google and Kubernetes find by its `name` what has a `uid`, too.
			const id = name === 'uid' && isFilled(path) ? path : value;
			return rank >= 0 && isId(id) ? { job_id: String(id).trim(), level, rank } : [];
		}),
	);
	const [best] = ids.sort((a, b) => a.rank - b.rank || orderOf(a.level) - orderOf(b.level));
	if (best?.rank === 0) return best;
	if (located !== undefined) return { job_id: located };
	const fields = outer.flatMap(fieldsOf);
	const links = fields.map(({ value }) => String(value)).filter((link) => link.includes('bulk/'));
	const linked = links.flatMap((link) => jobIdInUrl(link, 'https://any/v1/') ?? []);
	const [id, ...others] = new Set(linked);
	if (id !== undefined && others.length === 0) return { job_id: id };
	const [only, ...more] = fields.filter((field) => mayBeId(field) && !isOfOther(field));
	// Google's operations have their ID as `name`.
	const isSure = only && (fields.length === 1 || only.name === 'name' || isReference(only));
	return best ?? (isSure && more.length === 0 ? { job_id: String(only.value).trim() } : undefined);
}

/** The object with a field that is this ID, or ends with it. */
export const levelOfJob = (outer: Node[], job_id: string) =>
	outer.find((level) =>
		fieldsOf(level).some(({ value }) => `/${String(value)}`.endsWith(`/${job_id}`)),
	);

/** Words, sums, links and versions. */
const noId = /^\D*$|[ /]|^v\d+$|^v?\d+\.\d/i;

const isLikelyId = ({ name }: Field) => likely.jobId.some((end) => lettersOf(name).endsWith(end));
const isReference = (field: Field) => isLikelyId(field) && typeof field.value === 'string';
const isOfOther = ({ name }: Field) =>
	likely.otherId.some((start) => lettersOf(name).startsWith(start));

/** Whether a field under an unknown name may be an ID: no time, and a number only under a likely name. */
function mayBeId(field: Field): boolean {
	const text = String(field.value);
	const isOther = noId.test(text) || (isTime(text) && !Number.isNaN(Date.parse(text)));
	return isId(field.value) && !isOther && (isLikelyId(field) || typeof field.value === 'string');
}

/** What to teach the nodes of a service whose job has no ID that they know: a text rather than a number. */
export function proposedId(outer: Node[]): ServiceNames | undefined {
	const fields = outer.flatMap(fieldsOf).filter(mayBeId);
	const own = fields.filter((field) => !isOfOther(field));
	const likeliest = likely.jobId.flatMap((end) =>
		own.filter(({ name }) => lettersOf(name).endsWith(end)),
	);
	const texts = own.filter(({ value }) => typeof value === 'string');
	const [field] = [...likeliest, ...texts, ...fields];
	return field && { jobId: [field.name] };
}
