import { createHash } from 'crypto';
import { isFields } from '../service/json';
import type { Completion } from '../service/shapes';

/** Fields that count or date a delivery and say nothing of the job, in small letters, without `_` and `-`. */
const ofTheAttempt = new Set([
	'attempt',
	'attempts',
	'attemptcount',
	'attemptedat',
	'attemptid',
	'attemptnumber',
	'deliveredat',
	'delivery',
	'deliveryattempt',
	'deliveryattempts',
	'deliverycount',
	'deliveryid',
	'deliverynumber',
	'deliverytime',
	'deliverytimestamp',
	'dispatchedat',
	'nonce',
	'redelivered',
	'redelivery',
	'retries',
	'retry',
	'retrycount',
	'retrynumber',
	'sentat',
	'time',
	'timestamp',
	'tries',
]);
const ofTheAttemptAtAJob = new Set([...ofTheAttempt, 'requestid']);

/**
 * The keys by which a delivery is known when it comes again; one that is known is enough. The first stands for its content
 * without what counts or dates the delivery. A message ID, which the sender keeps when it delivers again, adds a second, for
 * the message with the same job, event, state and results: a sender that uses an ID twice loses no results.
 */
export function keysOf(
	completion: Completion,
	bytes: Buffer,
	messageId: string | undefined,
): string[] {
	try {
		const content = digestOf('content', contentOf(completion));
		if (messageId === undefined) return [content];
		return [content, digestOf('message', [messageId, substanceOf(completion, content)])];
	} catch {
		// Nested too deeply for a recursion.
		return [shortDigest(bytes)];
	}
}

/**
 * What is the same each time a delivery comes. The ID of a request is of the attempt only beside that of the job, and without
 * results either, anything may be all that tells two events apart: one too many starts rather than one too few.
 */
function contentOf({ job_id, entries, body }: Completion): unknown {
	if (job_id === undefined && entries === undefined) return body;
	return withoutAttempt(body, job_id === undefined ? ofTheAttempt : ofTheAttemptAtAJob);
}

/** The key of the job; that of the content if the delivery names no job. */
export function subjectOf({ job_id }: Completion, [content = '']: string[]): string {
	return job_id === undefined ? content : digestOf('job', job_id);
}

function substanceOf({ job_id, state, entries, body }: Completion, content: string): unknown {
	if (job_id === undefined && entries === undefined) return content;
	const { event, type } = body as Record<string, unknown>;
	return [job_id, state, event ?? type, entries?.map(({ value }) => value)];
}

/** The body, and what it wraps, without the fields that differ from one attempt to deliver it to the next. */
function withoutAttempt(body: unknown, names: Set<string>, parent?: string): unknown {
	if (!isFields(body)) return body;
	const isLeftOut = ([name, value]: [string, unknown]) =>
		(typeof value !== 'object' || value === null) &&
		[name, (parent ?? '') + name].some((text) =>
			names.has(text.toLowerCase().replace(/[_-]/g, '')),
		);
	return Object.fromEntries(
		Object.entries(body)
			.filter((field) => !isLeftOut(field))
			.map(([name, value]) => [
				name,
				parent === undefined ? withoutAttempt(value, names, name) : value,
			]),
	);
}

function digestOf(kind: string, value: unknown): string {
	return shortDigest(`${kind}\n${JSON.stringify(inOrder(value))}`);
}

/** The same for values that differ in the order of their fields. */
function inOrder(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(inOrder);
	const fields = value as Record<string, unknown>;
	const names = Object.keys(fields).sort();
	return Object.fromEntries(names.map((name) => [name, inOrder(fields[name])]));
}

/** 132 bits: enough for content that a secret has signed. */
function shortDigest(content: string | Buffer): string {
	return createHash('sha256').update(content).digest('base64url').slice(0, 22);
}
