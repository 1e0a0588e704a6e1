const hour = 60 * 60 * 1000;

/** How long the sender is asked to deliver again if the results cannot be fetched; milliseconds, as all times here. */
const longestWait = hour;

/** How long each state is known. A wait is known for longer than senders pause between two attempts. */
const knownFor = { accepted: 24 * hour, waiting: 72 * hour };

/** A claim that nobody ended counts no longer. It lasts longer than n8n takes to store an execution. */
const longestClaim = hour / 6;

const mostNodes = 100;
/** Deliveries to one node. In static data they are 80 KB, which n8n writes to its database each time. */
const mostDeliveries = 2000;

/** A delivery: the node that received it, and the key by which it is known again. */
export interface Id {
	node: string;
	key: string;
}

/** The time of day, which may jump, and that of the process, which only goes on. */
export interface Now {
	day: number;
	process: number;
}

type State = keyof typeof knownFor;

/** What static data holds: the time of day by state and key. */
export type Stored = Partial<Record<State, Readonly<Record<string, number>>>>;

/** A delivery was accepted, or first asked to come again, at this time of the process. */
interface Mark {
	state: State;
	at: number;
}

/**
 * What is known of deliveries: in the memory of this process, which decides at once, and in static data, which survives a
 * restart and is written after the answer. Durations are those of the process, so no change of the clock makes them longer
 * or shorter. What static data dates in the future is of now.
 */
export function createSeen(clock: () => Now) {
	/** The longest unused node first; within a node the oldest mark. */
	const nodes = new Map<string, Map<string, Mark>>();
	const claims = new Map<string, number>();
	const claimOf = ({ node, key }: Id) => `${node} ${key}`;
	const markNow = (state: State): Mark => ({ state, at: clock().process });

	/** The marks of a node, with those that only static data has: after a start, or of other processes. */
	function marksOf(node: string, stored: Stored): Map<string, Mark> {
		const now = clock();
		let marks = nodes.get(node) ?? new Map<string, Mark>();
		const others = new Map<string, Mark>();
		for (const state of ['waiting', 'accepted'] as const) {
			for (const [key, day] of Object.entries(stored[state] ?? {})) {
				const own = marks.get(key);
				const isNews = !isKnown(own, now) || (own.state === 'waiting' && state === 'accepted');
				if (!isNews) continue;
				const mark = { state, at: now.process - Math.max(0, now.day - day) };
				if (isKnown(mark, now)) others.set(key, mark);
			}
		}
		if (others.size > 0) {
			const all = [...marks, ...others].sort(([, one], [, other]) => one.at - other.at);
			marks = new Map(all.slice(-mostDeliveries));
		}
		put(nodes, node, marks, mostNodes);
		return marks;
	}

	function known({ node, key }: Id, stored: Stored): Partial<Mark> {
		const mark = marksOf(node, stored).get(key);
		return isKnown(mark, clock()) ? mark : {};
	}

	function note({ node, key }: Id, state: State) {
		put(marksOf(node, {}), key, markNow(state), mostDeliveries);
	}

	function toStore(marks: Map<string, Mark>): Stored {
		const now = clock();
		const stored = { accepted: emptyTimes(), waiting: emptyTimes() };
		for (const [key, mark] of marks) {
			const { state, at } = mark;
			if (isKnown(mark, now)) stored[state][key] = Math.round(now.day - (now.process - at));
		}
		return stored;
	}

	const isRepeat = (id: Id, stored: Stored) => known(id, stored).state === 'accepted';

	return {
		/** Whether it was accepted within 24 hours. */
		isRepeat,
		/** `new`: it is yours until `release`. `repeat`: accepted within 24 hours. `underway`: another request processes it and may fail. */
		claim(id: Id, stored: Stored): 'new' | 'repeat' | 'underway' {
			if (isRepeat(id, stored)) return 'repeat';
			const since = claims.get(claimOf(id)) ?? -Infinity;
			const now = clock().process;
			if (now - since < longestClaim) return 'underway';
			put(claims, claimOf(id), now, mostNodes * mostDeliveries);
			return 'new';
		},
		/** Ends a claim. */
		release(id: Id) {
			claims.delete(claimOf(id));
		},
		/** Notes that the sender is asked to deliver again. Gives what to store; undefined if it was first asked an hour ago. */
		wait(id: Id, stored: Stored): Stored | undefined {
			const { state, at = 0 } = known(id, stored);
			if (state !== 'waiting') note(id, 'waiting');
			else if (clock().process - at >= longestWait) return undefined;
			return toStore(marksOf(id.node, stored));
		},
		/** What to store for a delivery that n8n is about to accept. It may still fail to, so nothing is noted. */
		accepting({ node, key }: Id, stored: Stored): Stored {
			const marks = new Map(marksOf(node, stored));
			put(marks, key, markNow('accepted'), mostDeliveries);
			return toStore(marks);
		},
		/** Notes that a delivery was accepted. */
		accept(id: Id) {
			note(id, 'accepted');
		},
	};
}

/** A thousand new keys take 3 ms in an ordinary object, and 0.05 ms in one without a prototype. */
const emptyTimes = () => Object.create(null) as Record<string, number>;

const isKnown = (mark: Mark | undefined, { process }: Now): mark is Mark =>
	mark !== undefined && process - mark.at < knownFor[mark.state];

/** Adds a value as the latest, and drops the earliest beyond `most`. */
export function put<K, V>(map: Map<K, V>, key: K, value: V, most: number): void {
	map.delete(key);
	map.set(key, value);
	for (const [earliest] of map) {
		if (map.size <= most) break;
		map.delete(earliest);
	}
}
