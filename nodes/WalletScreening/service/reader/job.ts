import { type Fields, isFilled, quoted } from '../json';
import { jobIdInUrl } from '../url';
import type { Node } from './answer';
import { likely, type ServiceNames } from './names';
import { addressIn, isGiven, isId, isTime, lettersOf, switchIn } from './values';
import type { Kind, Statement, Vocabulary } from './words';

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

/** What says that a job is in a state. Of one that is over, and nothing says how it went, nothing is final. */
const kindsOf: Record<Progress['state'] | 'over', Kind[]> = {
	running: ['running', 'unknown'],
	failed: ['failed'],
	complete: ['complete', 'partly'],
	over: ['over'],
};

/**
 * Reads how far a job is from what is said outside of its results. `unstated` is its state if nothing says how far it is. A
 * delivery need not say that its job is complete (section 6).
 */
export function progressIn(
	outer: Node[],
	all: Said[],
	{ job_id, level: ofJob }: Partial<JobId> = {},
	{ isDelivery, unstated }: { isDelivery: boolean; unstated: Progress['state'] },
): Progress {
	for (let at = ofJob; at; at = at.parent) at.leads = true;
	const isLed = outer.some(({ leads }) => leads);
	const isTop = ({ level }: Said) => (isLed ? level.leads : !level.parent);
	const isTimed = (kind: Kind) => (one: Said) => one.by === 'time' && one.kind === kind;
	const ended = new Set(all.filter(isTimed('complete')).map(({ level }) => level));
	const said = all.flatMap((one): Said[] => {
		const { kind, by, level } = one;
		// Beside the ID of the job it is not that of the request.
		if (kind === 'success' && by === 'state' && level === ofJob)
			return [{ ...one, kind: 'complete' }];
		const isSilent = kind === 'fine' || kind === 'success' || (isDelivery && kind === 'unknown');
		const isEnded = isTimed('running')(one) && ended.has(level);
		return isSilent || isEnded || (by === 'event' && !isDelivery) ? [] : [one];
	});

	/** Words are surer than switches and times, what leads to the results or to the ID than what is beside it. */
	const orderOf = (one: Said) =>
		(isTop(one) ? 0 : 4) +
		(one.by === 'like' ? 2 : 0) +
		(one.kind === 'unknown' && typeof one.value === 'number' ? 1 : 0) +
		(one.by === 'switch' || one.by === 'time' ? 8 : 0);
	const states = said.filter(({ by }) => by !== 'error');
	const first = states.reduce((order, one) => Math.min(order, orderOf(one)), 99);
	const against = said.filter((one) => isTop(one) && speaksAgainst(one));
	const erroneous = new Set(against.map(({ level }) => level));
	/** An unknown word beside an error and the time of the end. */
	const isOfFailed = ({ kind, level }: Said) =>
		kind === 'unknown' && ended.has(level) && erroneous.has(level);
	const surest = [
		...states.filter((one) => orderOf(one) === first && !isOfFailed(one)),
		...against,
	];
	const order =
		first < 8
			? (['running', 'failed', 'complete', 'over'] as const)
			: (['failed', 'running', 'complete', 'over'] as const);
	const told = order.find((one) => surest.some(({ kind }) => kindsOf[one].includes(kind)));
	if (told === undefined) {
		const words = all.filter(({ kind, level }) => kind === 'fine' && level === ofJob);
		const fields = [...words.filter(isWord), ...outer.flatMap(possibleStates)];
		const unread = fields.filter(({ value }) => unstated === 'running' && value !== job_id);
		return progress(unstated, [], unread);
	}
	const state = told === 'over' ? 'failed' : told;
	const says = surest.filter(({ kind }) => kindsOf[told].includes(kind));
	const levels = new Set(says.map(({ level }) => level));
	const open = said.filter((one) => isTimed('running')(one) && levels.has(one.level));
	const isOpen = state === 'complete' && open.length > 0;
	const unread = says.filter(({ kind }) => kind === 'unknown');
	if (isOpen) return progress('running', [...says, ...open], unread);
	return { ...progress(state, says, unread), partly: says.find(({ kind }) => kind === 'partly') };
}

/** Whether it is an error of the whole job, neither those of addresses nor their number, or a success that is off. */
const speaksAgainst = ({ by, kind, value }: Said) =>
	by === 'error'
		? kind === 'failed' &&
			!Array.isArray(value) &&
			typeof value !== 'number' &&
			addressIn(value) === undefined
		: by === 'switch' && kind === 'failed' && switchIn(value) === false;

type Field = Pick<Said, 'name' | 'value'> & { kind?: Kind };
const fieldsOf = ({ value }: Node): Field[] =>
	Object.entries(value as Fields).map(([name, one]) => ({ name, value: one }));
const isLikely = ({ name }: Field) => likely.state.some((part) => lettersOf(name).includes(part));
/** Neither a number, nor a time, nor an address of any kind. */
const isWord = ({ value }: Field) => lettersOf(value) !== '' && /^[^\d/:@]+$/.test(String(value));

/** Fields that may say how far a job is: switches, words, and numbers under a likely name. */
const possibleStates = (level: Node): Field[] =>
	fieldsOf(level).filter((field) =>
		typeof field.value === 'number' ? isLikely(field) : isWord(field),
	);

function progress(state: Progress['state'], says: Field[], unread: Field[]): Progress {
	const textsOf = (fields: Field[]) => [
		...new Set(fields.map(({ name, value }) => `${quoted(name)}: ${quoted(value)}`)),
	];
	const [first] = [...unread.filter(isLikely), ...unread];
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
		const { role, isComplete, isMore, isUnfinished } = v.meaningOf(name);
		const ofResults = role === 'total' || isComplete ? results : isUnfinished ? failures : Infinity;
		const count = isFilled(value) || typeof value === 'number' ? Number(value) : 0;
		const isLink =
			['link', 'links'].includes(name.toLowerCase()) && relNext.test(JSON.stringify(value));
		const isOpen = isLink || (isUnfinished && switchIn(value)) || (isMore && isGiven(value));
		if (isOpen || (count > (role === 'pages' ? 1 : ofResults) && count < 1e9))
			return { [name]: value };
	}
	return undefined;
}
const relNext = /rel\W{1,5}next/;

/** The ID of a job, and the name and the object that have it. */
export interface JobId {
	job_id: string;
	name?: string;
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
			return rank >= 0 && isId(value) ? { job_id: String(value).trim(), name, level, rank } : [];
		}),
	);
	const [best] = ids.sort((a, b) => a.rank - b.rank || orderOf(a.level) - orderOf(b.level));
	if (best?.rank === 0) return best;
	if (located !== undefined) return { job_id: located };
	const fields = outer.flatMap(fieldsOf);
	const links = fields.map(({ value }) => String(value).replace(/^(?:v1\/)?bulk\//, '/v1/bulk/'));
	const paths = links.filter((link) => link.includes('/v1/bulk/'));
	const [id, ...others] = new Set(paths.flatMap((link) => jobIdInUrl(link, 'https://any') ?? []));
	if (id !== undefined && others.length === 0) return { job_id: id };
	const [only, ...more] = fields.filter(
		(field) => mayBeId(field) && (typeof field.value === 'string' || isLikeId(field)),
	);
	// Google's operations have their ID as `name`.
	const isOnly = only && more.length === 0 && (fields.length === 1 || only.name === 'name');
	return best ?? (isOnly ? { job_id: String(only.value).trim() } : undefined);
}

const isLikeId = ({ name }: Field) => likely.jobId.some((end) => lettersOf(name).endsWith(end));

/** The object with a field that is this ID, or ends with it. */
export const levelOfJob = (outer: Node[], job_id: string) =>
	outer.find((level) =>
		fieldsOf(level).some(({ value }) => `/${String(value)}`.endsWith(`/${job_id}`)),
	);

/** Whether a value may be an ID: neither a word or a sum, nor a link, a time or a version. */
function mayBeId(field: Field): boolean {
	const text = String(field.value);
	const isOther = isWord(field) || [' ', '/'].some((sign) => text.includes(sign));
	const isVersion = /^v?\d+\.\d|^v\d+$/i.test(text);
	return isId(field.value) && !isOther && !isVersion && !(isTime(text) && Date.parse(text));
}

/** What to teach the nodes of a service whose job has no ID that they know. */
export function proposedId(outer: Node[]): ServiceNames | undefined {
	const fields = outer.flatMap(fieldsOf).filter(mayBeId);
	const likeliest = likely.jobId.flatMap((end) =>
		fields.filter(({ name }) => lettersOf(name).endsWith(end)),
	);
	const [field] = [...likeliest, ...fields];
	return field && { jobId: [field.name] };
}
