const hour = 60 * 60 * 1000;

/** How long a delivery is known; milliseconds, as all times here. */
const knownFor = 24 * hour;

/** How long the sender of one delivery is asked to come again. */
const deferredFor = hour;

/** A claim that nobody released counts no longer. It lasts longer than n8n takes to store an execution. */
const claimedFor = hour / 6;

const mostNodes = 100;
/** Deliveries to one node. In static data they are 80 KB, which n8n writes to its database each time. */
const mostDeliveries = 2000;

/** A delivery: the node that received it, and the key by which it is known again. */
export interface DeliveryId {
	node: string;
	key: string;
}

const states = ['deferred', 'failed', 'accepted'] as const;
type State = (typeof states)[number];

/** The state of a delivery since a time in milliseconds of Unix time. */
interface Mark {
	state: State;
	since: number;
}

/** What static data holds: since when, by state and key. */
export type Stored = Partial<Record<State, Readonly<Record<string, number>>>>;

/**
 * What is known of deliveries, for 24 hours:
 *
 *               tryClaim              commit
 *        new ─────────────▶ claimed ───────────▶ accepted    the workflow started with results: a repeat
 *         ▲                 │ ▲ │ ▲
 *         │ release         │ │ │ └────────────┐
 *         └─────────────────┤ │ │ commit       │ tryClaim
 *                           │ │ └─────────▶ failed           it started with an error: a repeat if it fails again
 *                     defer ▼ │ tryClaim
 *                        deferred                            the sender is asked to come again, for an hour
 *
 * A claim is in the memory of this process, which decides at once. The other states are in its memory and in the node's static
 * data, which survives a restart and serves other processes, but is written after the answer and may be lost. So each write
 * holds all that is known, and of two marks the later one counts.
 */
export function createDeliveryLog(now: () => number) {
	/** By node, the longest unused first. */
	const memory = new Map<string, Map<string, Mark>>();
	const claims = new Map<string, number>();
	const claimOf = ({ node, key }: DeliveryId) => `${node} ${key}`;

	/** By key, in the order of time. */
	function marksOf(node: string, stored: Stored): Map<string, Mark> {
		const ofOthers = states.flatMap((state) =>
			Object.entries(stored[state] ?? {}).map(([key, since]) => [key, { state, since }] as const),
		);
		const known = [...(memory.get(node) ?? []), ...ofOthers]
			.filter(([, { since }]) => now() - since < knownFor)
			.sort(([, one], [, other]) => one.since - other.since);
		const marks = new Map<string, Mark>();
		for (const [key, mark] of known) put(marks, key, mark, mostDeliveries);
		return marks;
	}

	const markOf = ({ node, key }: DeliveryId, stored: Stored) => marksOf(node, stored).get(key);

	function remember({ node, key }: DeliveryId, mark: Mark): void {
		const marks = memory.get(node) ?? new Map<string, Mark>();
		put(marks, key, mark, mostDeliveries);
		put(memory, node, marks, mostNodes);
	}

	function persisted({ node, key }: DeliveryId, mark: Mark, stored: Stored): Stored {
		const marks = marksOf(node, stored);
		put(marks, key, mark, mostDeliveries);
		const times = { deferred: emptyTimes(), failed: emptyTimes(), accepted: emptyTimes() };
		for (const [one, { state, since }] of marks) times[state][one] = since;
		return times;
	}

	return {
		/** `claimed`: it is yours until `release`. `repeat`: it was accepted. `underway`: another request processes it and may fail. */
		tryClaim(id: DeliveryId, stored: Stored): 'claimed' | 'repeat' | 'underway' {
			if (markOf(id, stored)?.state === 'accepted') return 'repeat';
			const since = claims.get(claimOf(id)) ?? -Infinity;
			if (now() - since < claimedFor) return 'underway';
			put(claims, claimOf(id), now(), mostNodes * mostDeliveries);
			return 'claimed';
		},
		/** Ends a claim. */
		release(id: DeliveryId): void {
			claims.delete(claimOf(id));
		},
		/** Asks the sender to come again. Gives what to store; undefined if it was first asked an hour ago. */
		defer(id: DeliveryId, stored: Stored): Stored | undefined {
			const mark = markOf(id, stored);
			const deferred =
				mark?.state === 'deferred' ? mark : ({ state: 'deferred', since: now() } as const);
			if (now() - deferred.since >= deferredFor) return undefined;
			remember(id, deferred);
			return persisted(id, deferred, stored);
		},
		/** Whether the workflow started with an error the last time. */
		hasFailed: (id: DeliveryId, stored: Stored) => markOf(id, stored)?.state === 'failed',
		/** What to store of a delivery that n8n is about to take. It may still fail to, so nothing is committed. */
		toPersist: (id: DeliveryId, state: 'accepted' | 'failed', stored: Stored) =>
			persisted(id, { state, since: now() }, stored),
		/** Notes that n8n took the delivery: it stored the execution, or nothing had to start. */
		commit(id: DeliveryId, state: 'accepted' | 'failed'): void {
			remember(id, { state, since: now() });
		},
	};
}

/** A thousand new keys take 3 ms in an ordinary object, and 0.05 ms in one without a prototype. */
const emptyTimes = () => Object.create(null) as Record<string, number>;

/** Adds a value as the latest, and drops the earliest beyond `most`. */
export function put<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
	map.delete(key);
	map.set(key, value);
	for (const [earliest] of map) {
		if (map.size <= most) break;
		map.delete(earliest);
	}
}
