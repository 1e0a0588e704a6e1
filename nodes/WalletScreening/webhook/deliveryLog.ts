import { setBounded } from '../shared/bounded';
import { day, hour, minute } from '../shared/time';

/** How long a delivery is known, in milliseconds, as are all times here. */
const maxAge = day;

/** How long the sender of one delivery is asked to come again. */
const maxDeferral = hour;

/** How long a claim counts that was never released, which is longer than n8n takes to store an execution. */
const maxClaim = 10 * minute;

const maxWorkflows = 100;
/** Deliveries to one workflow. In static data they are 80 KB, which n8n writes to its database each time. */
const maxDeliveries = 2000;

/** A delivery: the workflow that it starts, and the key by which it is known again. */
export interface DeliveryId {
	workflow: string;
	/** Two triggers of a workflow have different keys for the same delivery. */
	key: string;
}

const states = ['deferred', 'failed', 'accepted'] as const;
type State = (typeof states)[number];

/** The state of a delivery since a time in milliseconds of Unix time. */
interface Mark {
	state: State;
	since: number;
}

/** The marks as static data holds them: since when, by state and key. */
export type StoredMarks = Partial<Record<State, Readonly<Record<string, number>>>>;

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
 * A claim is in the memory of this process, which decides at once. The other states are in its memory and in the static data of
 * the workflow, which survive a restart and serve other processes. n8n writes static data as a whole, and a write may be lost.
 * So each write holds all that is known of the workflow, and of two marks the later one counts.
 */
export class DeliveryLog {
	/** The marks of each workflow by key, the workflow that was longest unused first. */
	private readonly memory = new Map<string, Map<string, Mark>>();

	/** When a delivery was claimed. */
	private readonly claims = new Map<string, number>();

	/** @param now gives milliseconds of Unix time */
	constructor(private readonly now: () => number) {}

	/** Claims a delivery. `claimed`: it is the caller's until `release`. `repeat`: it was accepted. `underway`: another request processes it and may fail. */
	tryClaim(id: DeliveryId, stored: StoredMarks): 'claimed' | 'repeat' | 'underway' {
		if (this.markOf(id, stored)?.state === 'accepted') return 'repeat';
		const since = this.claims.get(claimOf(id)) ?? -Infinity;
		if (this.now() - since < maxClaim) return 'underway';
		setBounded(this.claims, claimOf(id), this.now(), maxWorkflows * maxDeliveries);
		return 'claimed';
	}

	/** Ends a claim. */
	release(id: DeliveryId): void {
		this.claims.delete(claimOf(id));
	}

	/** Asks the sender to come again. Returns the marks to store; undefined if the sender was first asked an hour ago. */
	defer(id: DeliveryId, stored: StoredMarks): StoredMarks | undefined {
		const known = this.markOf(id, stored);
		const mark: Mark =
			known?.state === 'deferred' ? known : { state: 'deferred', since: this.now() };
		if (this.now() - mark.since >= maxDeferral) return undefined;
		this.remember(id, mark);
		return this.marksToStore(id, mark, stored);
	}

	/** Whether the workflow started with an error the last time. */
	hasFailed(id: DeliveryId, stored: StoredMarks): boolean {
		return this.markOf(id, stored)?.state === 'failed';
	}

	/** The marks to store for a delivery that n8n is about to take. It may still fail to, so nothing is committed. */
	toStore(id: DeliveryId, state: 'accepted' | 'failed', stored: StoredMarks): StoredMarks {
		return this.marksToStore(id, { state, since: this.now() }, stored);
	}

	/** Notes that n8n took the delivery: it stored the execution, or nothing had to start. */
	commit(id: DeliveryId, state: 'accepted' | 'failed'): void {
		this.remember(id, { state, since: this.now() });
	}

	private remember({ workflow, key }: DeliveryId, mark: Mark): void {
		const marks = this.memory.get(workflow) ?? new Map<string, Mark>();
		setBounded(marks, key, mark, maxDeliveries);
		setBounded(this.memory, workflow, marks, maxWorkflows);
	}

	private markOf({ workflow, key }: DeliveryId, stored: StoredMarks): Mark | undefined {
		return this.marksOf(workflow, stored).get(key);
	}

	/** The marks of a workflow by key, in the order of time. */
	private marksOf(workflow: string, stored: StoredMarks): Map<string, Mark> {
		const storedMarks = states.flatMap((state) =>
			Object.entries(stored[state] ?? {}).map(([key, since]) => [key, { state, since }] as const),
		);
		const known = [...(this.memory.get(workflow) ?? []), ...storedMarks]
			.filter(([, { since }]) => this.now() - since < maxAge)
			.sort(([, one], [, other]) => one.since - other.since);
		const marks = new Map<string, Mark>();
		for (const [key, mark] of known) setBounded(marks, key, mark, maxDeliveries);
		return marks;
	}

	private marksToStore(id: DeliveryId, mark: Mark, stored: StoredMarks): StoredMarks {
		const marks = this.marksOf(id.workflow, stored);
		setBounded(marks, id.key, mark, maxDeliveries);
		const times = { deferred: emptyTimes(), failed: emptyTimes(), accepted: emptyTimes() };
		for (const [key, { state, since }] of marks) times[state][key] = since;
		return times;
	}
}

const claimOf = ({ workflow, key }: DeliveryId) => `${workflow} ${key}`;

/** A thousand new keys take 3 ms in an ordinary object, and 0.05 ms in one without a prototype. */
const emptyTimes = () => Object.create(null) as Record<string, number>;
