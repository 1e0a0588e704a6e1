import { decodeSegment, parseUrl } from '../shared/http';
import { isNonBlankText } from '../shared/json';
import type { Contract } from './contract';
import { holdsProgress, type Place } from './places';
import { isId } from './report';
import { namesFollowUp } from './resultPlaces';
import { kindOf } from './values';
import { normalizeName } from './vocabulary';

/** The ID of a job, and the objects of an answer that have it. */
export interface JobIdentity {
	job_id: string | undefined;
	objects: Place[];
}

/**
 * Finds the ID of a job in the objects that may be about it. The first of these counts:
 *
 *     { "job_id": "j" }           the most specific name (section 2.4)
 *     Location: /v1/bulk/j        the header of the answer, which leads to the job (section 4.4)
 *     { "self": "/v1/bulk/j" }    the links to a job, if all lead to the same
 *     { "job": { "id": "j" } }    another name: `batch_id` or `job.id` before a bare `id`
 *
 * If the most specific name holds a number that JavaScript has rounded, no ID is found: any other
 * ID would belong to something else.
 *
 * @param jobId the ID that was asked for, if one was: then the objects are those that have this one
 */
export function findJobIdentity(
	contract: Contract,
	outerObjects: Place[],
	location: unknown,
	jobId?: string,
): JobIdentity {
	const idFields = findIdFields(contract, sortByLikelihood(outerObjects));
	const mostSpecific = idFields.find(({ end }) => end === contract.jobIdPaths[0]);
	const job_id = mostSpecific
		? mostSpecific.id
		: (findIdInLinks(idFields, outerObjects, location) ?? idFields.find(({ id }) => id)?.id);
	const own = idFields.filter(({ id }) => id !== undefined && id === (jobId ?? job_id));
	return { job_id, objects: own.map(({ place }) => place) };
}

/**
 * Sorts objects: first those that state how far along they are. Of these and of the others, events
 * come last, because they have IDs of their own.
 */
function sortByLikelihood(objects: Place[]): Place[] {
	const others = objects.filter((place) => !holdsProgress(place));
	// `type: "job"` names a kind of object, and `type: "bulk.completed"` an event.
	const namesEvent = ({ fields }: Place) =>
		fields.some(({ meaning, statements }) => meaning === 'event' && statements.job !== undefined);
	const mayBeEvent = ({ fields }: Place) => fields.some(({ meaning }) => meaning === 'event');
	return [
		...eventsLast(objects.filter(holdsProgress), namesEvent),
		...eventsLast(others, mayBeEvent),
	];
}

const eventsLast = (objects: Place[], isEvent: (place: Place) => boolean): Place[] => [
	...objects.filter((place) => !isEvent(place)),
	...objects.filter(isEvent),
];

/** A field that holds the ID of a job. */
interface IdField {
	/** Undefined for a number that JavaScript has rounded. */
	id: string | undefined;
	/** The object that has the field. */
	place: Place;
	/** The end of the path of the field, as the contract has it. */
	end: string;
}

/** Finds the fields that hold the ID of a job, those under the most specific names first. */
function findIdFields({ jobIdPaths }: Contract, objects: Place[]): IdField[] {
	return jobIdPaths.flatMap((end) => objects.flatMap((place) => findIdFieldsIn(place, end)));
}

/** Finds the fields of an object that hold the ID of a job, and whose path has this end. */
function findIdFieldsIn(place: Place, end: string): IdField[] {
	return place.fields.flatMap(({ name, value, meaning }) => {
		if (meaning !== 'jobId' || !isAtPath(place, name, end)) return [];
		if (isId(value)) return { id: String(value).trim(), place, end };
		return Number.isInteger(value) ? { id: undefined, place, end } : [];
	});
}

/** Whether the path of a field of an object has this end. */
const isAtPath = ({ path }: Place, name: string, end: string): boolean =>
	`${path}.${normalizeName(name)}`.endsWith(end);

/**
 * Finds the name of a field that may hold the ID of a job, where none was found: a name like that
 * of an ID, else one that the contract does not have.
 * @example Of `{ ticket: "T-1", screening_id: "s-1" }`: `screening_id`
 */
export function findPossibleIdName(
	{ jobIdPaths }: Contract,
	outerObjects: Place[],
): string | undefined {
	const fields = outerObjects.flatMap((place) =>
		place.fields.filter(({ name }) => !jobIdPaths.some((end) => isAtPath(place, name, end))),
	);
	const likeId = fields.find(({ meaning, value }) => meaning === 'jobId' && isId(value));
	const unknown = fields.filter(({ meaning, value }) => meaning === undefined && mayBeId(value));
	// A number of 14 digits may be a time, and an ID.
	const surest = unknown.find(({ value }) => kindOf(value) !== 'time');
	return (likeId ?? surest ?? unknown[0])?.name;
}

/** Whether a value under an unknown name may be an ID: a text with a digit, no link and no time. */
const mayBeId = (value: unknown): boolean =>
	isNonBlankText(value) && /^[^\s/:]*\d[^\s/:]*$/.test(value);

/**
 * Finds the ID to which the header or the links lead. `/v1/bulk/7.json` beside `id: 7` leads to 7.
 */
function findIdInLinks(
	idFields: IdField[],
	objects: Place[],
	location: unknown,
): string | undefined {
	const linked = jobIdOfLink(location) ?? findCommonLink(objects);
	const withoutExtension = idFields.find(({ id }) => id && linked?.startsWith(`${id}.`));
	return withoutExtension?.id ?? linked;
}

/**
 * Finds the ID to which all links to a job lead; undefined without one, or with several IDs. A link
 * such as `callback_url` leads to another service, whose paths may look alike.
 */
function findCommonLink(objects: Place[]): string | undefined {
	const fields = objects
		.filter((place) => !namesFollowUp(place.name))
		.flatMap((place) => place.fields)
		.filter(({ name, meaning }) => meaning !== 'past' && !namesFollowUp(name));
	const linked = fields.flatMap(({ value }) => jobIdOfLink(value) ?? []);
	const [id, ...others] = new Set(linked);
	return others.length === 0 ? id : undefined;
}

/**
 * The ID of the job to whose path (section 4.4) a link leads, which may be relative. A template
 * such as `/v1/bulk/{id}` leads to none.
 */
function jobIdOfLink(link: unknown): string | undefined {
	if (typeof link !== 'string' || !link.includes('bulk/') || link.includes('{')) return undefined;
	const { pathname = '' } = parseUrl(link.slice(0, 2000), 'https://any/v1/') ?? {};
	const [id, ...more] = (pathname.split('/v1/bulk/')[1] ?? '').split('/').filter(Boolean);
	return id === undefined || more.length > 0 ? undefined : decodeSegment(id);
}
