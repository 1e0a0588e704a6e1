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
	/** By node, the one that accepted a delivery last at the end; within a node by digest, the latest at the end. */
	accepted: Map<string, Map<string, number>>;
}

const REMEMBERED_MILLISECONDS = 24 * 60 * 60 * 1000;
/** They take 1.3 MB. */
const DELIVERIES_PER_NODE = 10_000;
/** Fewer, because n8n writes all of them to its database with each delivery. */
const DELIVERIES_STORED = 1000;
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
	const accepted = withStored(memory.accepted.get(node) ?? new Map<string, number>(), stored, now);
	accepted.delete(digest);
	accepted.set(digest, now);
	for (const [oldest, acceptedAt] of accepted) {
		if (accepted.size <= DELIVERIES_PER_NODE && isRecent(acceptedAt, now)) break;
		accepted.delete(oldest);
	}

	memory.accepted.delete(node);
	memory.accepted.set(node, accepted);
	const [longestUnused] = memory.accepted.keys();
	if (memory.accepted.size > NODES && longestUnused !== undefined) {
		memory.accepted.delete(longestUnused);
	}
	return latest(accepted, now);
}

/** Ends a claim. After `settle` the delivery stays accepted; without it, it may come again. */
export function release(memory: DeliveryMemory, delivery: VerifiedDelivery): void {
	memory.underway.delete(claimKey(delivery));
}

/** Takes back what `settle` has recorded in this process. */
export function forget(memory: DeliveryMemory, { node, digest }: VerifiedDelivery): void {
	memory.accepted.get(node)?.delete(digest);
}

function claimKey({ node, digest }: VerifiedDelivery): string {
	return `${digest} ${node}`;
}

function isRecent(acceptedAt: number, now: number): boolean {
	return now - acceptedAt < REMEMBERED_MILLISECONDS;
}

/** What this process knows of a node, and what only static data does, in the order of acceptance. */
function withStored(
	accepted: Map<string, number>,
	stored: AcceptedDeliveries,
	now: number,
): Map<string, number> {
	const others = Object.entries(stored).filter(
		([digest, acceptedAt]) => !accepted.has(digest) && isRecent(acceptedAt, now),
	);
	// There are none but after a start, or where other processes accept deliveries too.
	if (others.length === 0) return accepted;
	return new Map([...accepted, ...others].sort(([, one], [, other]) => one - other));
}

function latest(accepted: ReadonlyMap<string, number>, now: number): AcceptedDeliveries {
	// A thousand new keys take 3 ms in an ordinary object, which is a twentieth of what n8n needs for
	// a whole delivery, and 0.05 ms in one without a prototype.
	const entries = Object.create(null) as Record<string, number>;
	for (const [digest, acceptedAt] of [...accepted].slice(-DELIVERIES_STORED)) {
		if (isRecent(acceptedAt, now)) entries[digest] = acceptedAt;
	}
	return entries;
}
