import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { setBounded } from '../shared/maps';
import { day, hour, minute } from '../shared/time';
import { changeStaticData, whenAnswered, writeAfterOthers } from '../transport/staticData';

/** How long a delivery is known, in milliseconds, as are all times here. */
const maxAge = day;

/** How long the sender of one delivery is asked to come again. */
const maxDeferral = hour;

/** How long a claim counts that nobody releases. n8n takes less time to store an execution. */
const maxClaim = 10 * minute;

const maxWorkflows = 100;
/**
 * Deliveries to one workflow. In static data they are 80 KB, which n8n writes to its database each
 * time.
 */
const maxDeliveries = 2000;

/**
 * A delivery: the workflow that it starts, and the keys by which it is known again. Two triggers of
 * a workflow have different ones.
 */
export interface DeliveryId {
	workflow: string;
	key: string;
	/** The key once the delivery has failed; the same as `key`, or a narrower one. */
	failureKey: string;
}

/** What is remembered of one delivery, so that it starts the workflow once. */
export interface DeliveryMemory {
	/**
	 * `claimed`: it is the caller's until `release`. `repeat`: it was accepted. `underway`: another
	 * request handles it and may fail.
	 */
	claim(): 'claimed' | 'repeat' | 'underway';
	/** Ends the claim, if there is one. */
	release(): void;
	/**
	 * Whether the sender may be asked to come again: it was not asked before, or first less than an
	 * hour ago.
	 */
	mayDefer(): boolean;
	/** Notes that the sender is asked to come again. */
	defer(): Promise<void>;
	/** Whether the workflow started with an error for the same delivery the last time. */
	hasFailed(): boolean;
	/**
	 * Notes how the delivery ends, and ends the claim, once n8n has stored the execution that it
	 * starts; at once if it starts none.
	 */
	finish(state: 'accepted' | 'failed', isStarting: boolean): Promise<void>;
}

/** Remembers nothing: to the editor that listens (`isTest`), each delivery is new. */
export const forgetfulMemory: DeliveryMemory = {
	claim: () => 'claimed',
	release() {},
	mayDefer: () => true,
	async defer() {},
	hasFailed: () => false,
	async finish() {},
};

const states = ['deferred', 'failed', 'accepted'] as const;
type State = (typeof states)[number];

/** The state of a delivery since a time in milliseconds of Unix time. */
interface Mark {
	state: State;
	since: number;
}

/** The marks as static data holds them: since when, by state and key. */
export type StoredMarks = Partial<Record<State, Readonly<Record<string, number>>>>;

/** What survives a restart and serves other processes: the marks of a workflow. */
export interface MarkStore {
	read(): StoredMarks;
	/**
	 * Writes the marks, which are made at that moment. Resolves as soon as they are written. Calls
	 * `complete` then.
	 */
	write(createMarks: () => StoredMarks, complete?: () => Promise<void>): Promise<void>;
	/** Resolves when n8n has stored the execution that the delivery starts, or has failed to. */
	isExecutionStored(): Promise<boolean>;
}

/** What one process remembers. */
export class ProcessMemory {
	/** The marks of each workflow by key, the workflow that was longest unused first. */
	readonly marks = new Map<string, Map<string, Mark>>();

	/** When a delivery was claimed. */
	readonly claims = new Map<string, number>();
}

/**
 * What is known of a delivery, for 24 hours:
 *
 *     from                     by         to
 *     new, deferred, failed    claim      claimed
 *     claimed                  release    as it was before
 *     claimed                  defer      deferred    for an hour: the sender is asked again
 *     claimed                  finish     accepted    the workflow started with results
 *     claimed                  finish     failed      the workflow started with an error
 *
 * When it comes again, `claim` finds a claimed one `underway` and an accepted one a `repeat`. A
 * failed one is a repeat if it fails again.
 *
 * A claim is in the memory of this process, which decides at once. The other states are in its
 * memory and in the store. n8n writes static data as a whole, and a write may be lost. So each
 * write holds all that is known of the workflow, and of two marks the later one counts.
 */
export class LastingMemory implements DeliveryMemory {
	private readonly claimKey: string;

	/** @param now gives milliseconds of Unix time */
	constructor(
		private readonly id: DeliveryId,
		private readonly store: MarkStore,
		private readonly process: ProcessMemory,
		private readonly now: () => number,
	) {
		this.claimKey = `${id.workflow} ${id.key}`;
	}

	claim(): 'claimed' | 'repeat' | 'underway' {
		if (this.readMark(this.id.key)?.state === 'accepted') return 'repeat';
		const { claims } = this.process;
		const since = claims.get(this.claimKey) ?? -Infinity;
		if (this.now() - since < maxClaim) return 'underway';
		setBounded(claims, this.claimKey, this.now(), maxWorkflows * maxDeliveries);
		return 'claimed';
	}

	release(): void {
		this.process.claims.delete(this.claimKey);
	}

	mayDefer(): boolean {
		return this.now() - this.createDeferral().since < maxDeferral;
	}

	async defer(): Promise<void> {
		await this.store.write(() => {
			const mark = this.createDeferral();
			this.remember([this.id.key], mark);
			return this.createMarks([this.id.key], mark);
		});
	}

	hasFailed(): boolean {
		return this.readMark(this.id.failureKey)?.state === 'failed';
	}

	async finish(state: 'accepted' | 'failed', isStarting: boolean): Promise<void> {
		// The mark under `key` ends a deferral, also when the delivery fails.
		const keys = [this.id.key, ...(state === 'failed' ? [this.id.failureKey] : [])];
		// n8n saves the static data right after it has stored the execution, and not again. So the mark
		// is written before.
		await this.store.write(
			() => this.createMarks(keys, { state, since: this.now() }),
			async () => await this.settleWhenStored(keys, state, isStarting),
		);
	}

	/**
	 * Ends the claim, once n8n has stored the execution if one starts. If n8n failed to, the delivery
	 * counts as new when it comes again.
	 */
	private async settleWhenStored(
		keys: string[],
		state: 'accepted' | 'failed',
		isStarting: boolean,
	): Promise<void> {
		const isStored = !isStarting || (await this.store.isExecutionStored());
		if (isStored) this.remember(keys, { state, since: this.now() });
		this.release();
	}

	/** A delivery that was deferred before keeps the time of that, because its hour began then. */
	private createDeferral(): Mark {
		const known = this.readMark(this.id.key);
		return known?.state === 'deferred' ? known : { state: 'deferred', since: this.now() };
	}

	private remember(keys: string[], mark: Mark): void {
		const { workflow } = this.id;
		const marks = this.process.marks.get(workflow) ?? new Map<string, Mark>();
		for (const key of keys) setBounded(marks, key, mark, maxDeliveries);
		setBounded(this.process.marks, workflow, marks, maxWorkflows);
	}

	private readMark(key: string): Mark | undefined {
		return this.readMarks().get(key);
	}

	/** The marks of the workflow by key, in the order of time. */
	private readMarks(): Map<string, Mark> {
		const stored = this.store.read();
		const storedMarks = states.flatMap((state) =>
			Object.entries(stored[state] ?? {}).map(([key, since]) => [key, { state, since }] as const),
		);
		const known = [...(this.process.marks.get(this.id.workflow) ?? []), ...storedMarks]
			.filter(([, { since }]) => this.now() - since < maxAge)
			.sort(([, one], [, other]) => one.since - other.since);
		const marks = new Map<string, Mark>();
		for (const [key, mark] of known) setBounded(marks, key, mark, maxDeliveries);
		return marks;
	}

	/** The marks to store, with a new one of this delivery. */
	private createMarks(keys: string[], mark: Mark): StoredMarks {
		const marks = this.readMarks();
		for (const key of keys) setBounded(marks, key, mark, maxDeliveries);
		const times = { deferred: emptyTimes(), failed: emptyTimes(), accepted: emptyTimes() };
		for (const [key, { state, since }] of marks) times[state][key] = since;
		return times;
	}
}

/** A thousand new keys take 3 ms in an ordinary object, and 0.05 ms in one without a prototype. */
const emptyTimes = () => Object.create(null) as Record<string, number>;

const processMemory = new ProcessMemory();

/** Creates the memory of a delivery, in this process and in the static data of its workflow. */
export function createMemory(context: IWebhookFunctions, id: DeliveryId): DeliveryMemory {
	const store = createStore(context, id.workflow);
	return new LastingMemory(id, store, processMemory, () => Date.now());
}

/** Where the static data of a workflow hold the marks of all its triggers. */
const marksKey = 'walletScreeningDeliveries';

function createStore(context: IWebhookFunctions, workflow: string): MarkStore {
	const staticData = context.getWorkflowStaticData('global');
	return {
		read: () => (staticData[marksKey] ?? {}) as StoredMarks,
		async write(createMarks, complete) {
			const write = () =>
				changeStaticData(staticData, { [marksKey]: createMarks() as IDataObject });
			await writeAfterOthers(workflow, write, complete);
		},
		isExecutionStored: async () => (await whenAnswered(context)) < 400,
	};
}
