import { createHash } from 'crypto';

/**
 * Accepted deliveries of one node: the digest of the body, and when it was accepted (milliseconds
 * since 1970). A plain object, so that it can be kept in the node's static data; never changed in
 * place.
 */
export type AcceptedDeliveries = Readonly<Record<string, number>>;

/** A verified delivery: the node that it came to, and `digestOf` its body. */
export interface VerifiedDelivery {
	node: string;
	digest: string;
}

/** What this process knows; it decides at once, where static data is written after the answer. */
export interface DeliveryMemory {
	underway: Set<string>;
	/** By node, the one that accepted a delivery last at the end; within a node by digest. */
	accepted: Map<string, ReadonlyMap<string, number>>;
}

const REMEMBERED_MILLISECONDS = 24 * 60 * 60 * 1000;
const DELIVERIES_PER_NODE = 1000;
const NODES = 100;

/** A memory that knows nothing, for the life of the process. */
export function emptyMemory(): DeliveryMemory {
	return { underway: new Set(), accepted: new Map() };
}

/** SHA-256 of the body, base64. The job id is in the body, so equal digests mean equal jobs. */
export function digestOf(body: Buffer): string {
	return createHash('sha256').update(body).digest('base64');
}

/**
 * Asks for the right to process a delivery. `new`: it is yours, until `release`. `repeat`: it was
 * accepted within the last 24 hours, here or according to `stored`. `underway`: another request is
 * processing it and may still fail, so it must neither be processed nor be called accepted.
 */
export function claim(
	memory: DeliveryMemory,
	delivery: VerifiedDelivery,
	stored: AcceptedDeliveries,
	now: number,
): 'new' | 'repeat' | 'underway' {
	const { node, digest } = delivery;
	const acceptedAt = [memory.accepted.get(node)?.get(digest), stored[digest]];
	if (acceptedAt.some((time) => time !== undefined && isRecent(time, now))) return 'repeat';
	const key = claimKey(delivery);
	if (memory.underway.has(key)) return 'underway';
	memory.underway.add(key);
	return 'new';
}

/**
 * Records that a claimed delivery is accepted. Returns what to store: at most 1,000 deliveries of
 * the last 24 hours, also those of this process that an earlier write to `stored` has lost.
 */
export function settle(
	memory: DeliveryMemory,
	delivery: VerifiedDelivery,
	stored: AcceptedDeliveries,
	now: number,
): AcceptedDeliveries {
	const { node, digest } = delivery;
	const known = [...Object.entries(stored), ...(memory.accepted.get(node) ?? [])];
	const accepted = remember(known, digest, now);

	memory.accepted.delete(node);
	memory.accepted.set(node, accepted);
	const [longestUnused] = memory.accepted.keys();
	if (memory.accepted.size > NODES && longestUnused !== undefined) {
		memory.accepted.delete(longestUnused);
	}
	return plain(accepted);
}

/** Ends a claim. After `settle` the delivery stays accepted; without it, it may come again. */
export function release(memory: DeliveryMemory, delivery: VerifiedDelivery): void {
	memory.underway.delete(claimKey(delivery));
}

/** Takes back what `settle` has recorded in this process. */
export function forget(memory: DeliveryMemory, { node, digest }: VerifiedDelivery): void {
	const others = [...(memory.accepted.get(node) ?? [])].filter(([known]) => known !== digest);
	memory.accepted.set(node, new Map(others));
}

function claimKey({ node, digest }: VerifiedDelivery): string {
	return `${digest} ${node}`;
}

function isRecent(acceptedAt: number, now: number): boolean {
	return now - acceptedAt < REMEMBERED_MILLISECONDS;
}

function remember(
	known: Array<[string, number]>,
	digest: string,
	now: number,
): ReadonlyMap<string, number> {
	const others = new Map(known.filter(([, acceptedAt]) => isRecent(acceptedAt, now)));
	const latestFirst = [...others].sort(([, one], [, other]) => other - one);
	return new Map([[digest, now] as const, ...latestFirst].slice(0, DELIVERIES_PER_NODE));
}

function plain(accepted: ReadonlyMap<string, number>): AcceptedDeliveries {
	// A thousand new keys take 3 ms in an ordinary object, which is a twentieth of what n8n needs for
	// a whole delivery, and 0.05 ms in one without a prototype.
	const entries = Object.create(null) as Record<string, number>;
	for (const [digest, acceptedAt] of accepted) entries[digest] = acceptedAt;
	return entries;
}
