import type { IWebhookFunctions } from 'n8n-workflow';
import { setBounded } from '../shared/maps';
import { hour, minute } from '../shared/time';
import { isTest } from '../transport/context';
import {
	addMark,
	type Mark,
	type Marks,
	maxMarks,
	mergeMarks,
	type StoredMarks,
	toStoredMarks,
} from './deliveryMarks';
import { createMarkStore, noStore, type MarkStore } from './markStore';

/** How long the sender of one delivery is asked to come again, in milliseconds. */
const maxDeferral = hour;

/**
 * How long a claim counts that nothing ends, in milliseconds. n8n takes less time to store an
 * execution.
 */
const maxClaim = 10 * minute;

const maxWorkflows = 100;

/**
 * A delivery: the workflow that it starts, and the keys by which it is known again. Two triggers of
 * a workflow have different ones.
 */
export interface DeliveryId {
	workflow: string;
	key: string;
	/** The key under which its failure is noted: of its exact bytes, and never equal to `key`. */
	failureKey: string;
}

/** What one process remembers. */
export class ProcessMemory {
	/** The marks of each workflow, the least recently used workflow first. */
	readonly marks = new Map<string, Marks>();

	/** The claim of each delivery that a request handles. */
	readonly claims = new Map<string, Claim>();
}

/** A claim, which only the request that made it can end. */
interface Claim {
	/** Milliseconds of Unix time. */
	since: number;
}

/**
 * What is remembered of one delivery, for one request that brings it, so that it starts the workflow
 * once. After a `claim`, the caller calls one of `release`, `defer` and `finish`, and that one ends
 * the claim. A delivery is known for 24 hours:
 *
 *     from                     by         to
 *     new, deferred, failed    claim      claimed
 *     claimed                  release    as it was before
 *     claimed                  defer      deferred    for an hour: the sender is asked again
 *     claimed                  finish     accepted    the workflow started with results, or the
 *                                                     user wants none of them
 *     claimed                  finish     failed      the workflow started with an error
 *
 * When it comes again, `claim` finds a claimed one `underway` and an accepted one a `repeat`. A
 * failed one is a repeat if it fails again.
 *
 * A claim is in the memory of this process, which decides at once. The other states are marks in
 * its memory and in the store. n8n writes static data as a whole, and a write may be lost. So each
 * write holds all that is known of the workflow.
 *
 * @example A delivery comes that n8n takes 50 ms to store:
 *
 *     0 ms       claim       `delivery.ts` claims it, and creates its items
 *     10 ms      finish      waits for its turn to write, in a burst of deliveries
 *     10 ms        write     puts the mark `accepted` into the static data, and `finish` resolves
 *     10-60 ms   n8n         stores the execution, then the static data with the mark
 *     60 ms      n8n         answers with 200, so `isExecutionStored` resolves with true
 *     60 ms      remember    the mark goes into the memory of this process, too
 *     60 ms      release     the claim ends: the same delivery was `underway`, and now is a `repeat`
 *     60 ms      endTurn     the next delivery of the burst may write
 *
 * The mark is written before n8n stores the execution, because n8n saves the static data right after
 * that and not again. If n8n answers with 500, it saved neither, so nothing is remembered, and the
 * delivery counts as new when it comes again.
 */
export class DeliveryMemory {
	private readonly claimKey: string;
	/** The claim of this request; undefined before it, and if another request has the claim. */
	private ownClaim: Claim | undefined;

	/** @param now gives milliseconds of Unix time */
	constructor(
		private readonly id: DeliveryId,
		private readonly store: MarkStore,
		private readonly process: ProcessMemory,
		private readonly now: () => number,
	) {
		this.claimKey = `${id.workflow} ${id.key}`;
	}

	/**
	 * `claimed`: no other request handles the delivery until the claim ends or expires. `repeat`: it
	 * was accepted. `underway`: another request handles it and may fail.
	 */
	claim(): 'claimed' | 'repeat' | 'underway' {
		if (this.readMark(this.id.key)?.state === 'accepted') return 'repeat';
		const { claims } = this.process;
		const current = claims.get(this.claimKey);
		if (current && this.now() - current.since < maxClaim) return 'underway';
		this.ownClaim = { since: this.now() };
		setBounded(claims, this.claimKey, this.ownClaim, maxWorkflows * maxMarks);
		return 'claimed';
	}

	/**
	 * Leaves the delivery as it was before the claim. If the claim has expired, another request may
	 * have made one since then, which stays.
	 */
	release(): void {
		const { claims } = this.process;
		if (claims.get(this.claimKey) === this.ownClaim) claims.delete(this.claimKey);
	}

	/**
	 * Whether the sender may be asked to come again: it was not asked before, or first less than an
	 * hour ago.
	 */
	mayDefer(): boolean {
		return this.now() - this.createDeferral().since < maxDeferral;
	}

	/** Notes that the sender is asked to come again. */
	async defer(): Promise<void> {
		const keys = [this.id.key];
		const endTurn = await this.store.waitForTurn();
		try {
			const mark = this.createDeferral();
			this.remember(keys, mark);
			this.store.write(this.marksToStore(keys, mark));
		} finally {
			endTurn();
		}
		this.release();
	}

	/** Whether the workflow started with an error when this delivery last came. */
	hasFailed(): boolean {
		return this.readMark(this.id.failureKey)?.state === 'failed';
	}

	/**
	 * Notes how the delivery ends. The claim ends once n8n has stored the execution that it starts;
	 * at once if it starts none.
	 */
	async finish(state: 'accepted' | 'failed', isStarting: boolean): Promise<void> {
		// The mark under `key` ends a deferral, also when the delivery fails.
		const keys = [this.id.key, ...(state === 'failed' ? [this.id.failureKey] : [])];
		const endTurn = await this.store.waitForTurn();
		const mark = { state, since: this.now() };
		let isWritten = false;
		try {
			this.store.write(this.marksToStore(keys, mark));
			isWritten = true;
		} finally {
			// This is no `catch`, which n8n's lint rules forbid to throw again what it caught.
			if (!isWritten) endTurn();
		}
		// n8n stores the execution after this function has resolved, so this does not wait for it.
		void this.rememberOnceStored(keys, mark, isStarting).finally(endTurn);
	}

	/** Remembers a mark if n8n stores the execution, and ends the claim in any case. */
	private async rememberOnceStored(keys: string[], mark: Mark, isStarting: boolean): Promise<void> {
		const isStored = !isStarting || (await this.store.isExecutionStored());
		if (isStored) this.remember(keys, mark);
		this.release();
	}

	/** A delivery that was deferred before keeps the time of that, because its hour began then. */
	private createDeferral(): Mark {
		const known = this.readMark(this.id.key);
		return known?.state === 'deferred' ? known : { state: 'deferred', since: this.now() };
	}

	/** Adds a new mark of this delivery to the memory of this process. */
	private remember(keys: string[], mark: Mark): void {
		const { workflow } = this.id;
		const marks = this.rememberedMarks();
		addMark(marks, keys, mark);
		setBounded(this.process.marks, workflow, marks, maxWorkflows);
	}

	private readMark(key: string): Mark | undefined {
		return this.readMarks().get(key);
	}

	/** All marks of the workflow, with a new one of this delivery. Remembers nothing. */
	private marksToStore(keys: string[], mark: Mark): StoredMarks {
		const marks = this.readMarks();
		addMark(marks, keys, mark);
		return toStoredMarks(marks);
	}

	/** All marks of the workflow. */
	private readMarks(): Marks {
		return mergeMarks(this.rememberedMarks(), this.store.read(), this.now());
	}

	private rememberedMarks(): Marks {
		return this.process.marks.get(this.id.workflow) ?? new Map<string, Mark>();
	}
}

const processMemory = new ProcessMemory();

/**
 * Creates the memory of a delivery, in this process and in the static data of its workflow. To the
 * editor that listens (`isTest`), each delivery is new, so its memory begins and ends with it.
 */
export function createMemory(context: IWebhookFunctions, id: DeliveryId): DeliveryMemory {
	return isTest(context)
		? new DeliveryMemory(id, noStore, new ProcessMemory(), () => Date.now())
		: new DeliveryMemory(id, createMarkStore(context, id.workflow), processMemory, () =>
				Date.now(),
			);
}
