import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { changeStaticData, unlessAborted } from '../transport/n8n';
import { type DeliveryId, DeliveryLog, type StoredMarks } from './deliveryLog';

const log = new DeliveryLog(() => Date.now());

/** Where the static data of a workflow hold the marks of all its triggers. */
const marksKey = 'walletScreeningDeliveries';

/** One attempt of the sender to deliver something, and what is remembered of it, in memory and in the workflow's static data. */
export class DeliveryAttempt {
	private readonly staticData: IDataObject;

	private readonly stored: StoredMarks;

	constructor(
		private readonly context: IWebhookFunctions,
		private readonly id: DeliveryId,
	) {
		this.staticData = context.getWorkflowStaticData('global');
		this.stored = (this.staticData[marksKey] ?? {}) as StoredMarks;
	}

	/** `claimed`: no other attempt processes the delivery until the claim ends. */
	claim(): 'claimed' | 'repeat' | 'underway' {
		return log.tryClaim(this.id, this.stored);
	}

	/** Whether the sender may be asked to come again: it was first asked less than an hour ago. */
	async defer(): Promise<boolean> {
		const leaveBurst = await joinBurst(this.id.workflow);
		const marks = log.defer(this.id, this.stored);
		if (marks) this.write(marks);
		leaveBurst();
		return marks !== undefined;
	}

	/** Whether the workflow started with an error the last time. */
	hasFailed(): boolean {
		return log.hasFailed(this.id, this.stored);
	}

	/** Remembers how the delivery ends, once n8n has stored the execution that it starts; at once if it starts none. */
	async end(state: 'accepted' | 'failed', isStarting: boolean): Promise<void> {
		const leaveBurst = await joinBurst(this.id.workflow);
		this.write(log.toStore(this.id, state, this.stored));
		const commit = (status: number) => {
			// If n8n failed to store the execution, the delivery counts as new when it comes again.
			if (status < 400) log.commit(this.id, state);
			this.release();
			leaveBurst();
		};
		if (isStarting) whenAnswered(this.context, commit);
		else commit(200);
	}

	/** Ends the claim. */
	release(): void {
		log.release(this.id);
	}

	private write(marks: StoredMarks): void {
		changeStaticData(this.staticData, { [marksKey]: marks as IDataObject });
	}
}

/**
 * Milliseconds that the last delivery of a burst waits for the others, at most. n8n stores some 20 deliveries in a second, and
 * many senders take a delivery for lost after ten seconds.
 */
const maxWait = 8_000;

/** The deliveries to a workflow that n8n is storing, and the one that waits for them. */
interface Burst {
	storing: number;
	/** Lets the waiting one go; undefined if none waits. */
	release: (() => void) | undefined;
}

const bursts = new Map<string, Burst>();

/**
 * n8n saves the static data of a workflow as a whole, with each delivery as the node left them before n8n stored it. So of
 * several deliveries at once the save of the last would undo what the others noted. Therefore the last one that came waits until
 * n8n has stored the others, and then notes all of them; no other delivery waits. Resolves when the delivery may be noted, with what
 * to call once n8n has stored it.
 */
export async function joinBurst(workflow: string): Promise<() => void> {
	const burst = bursts.get(workflow) ?? { storing: 0, release: undefined };
	bursts.set(workflow, burst);
	burst.release?.();
	if (burst.storing > 0) await waitForOthers(burst);
	burst.storing++;
	return () => {
		burst.storing = Math.max(0, burst.storing - 1);
		if (burst.storing > 0) return;
		if (burst.release) burst.release();
		else bursts.delete(workflow);
	};
}

/** Resolves when n8n has stored the others, when a later delivery waits instead, or when the time is over. */
async function waitForOthers(burst: Burst): Promise<void> {
	let release = () => {};
	const released = new Promise<void>((resolve) => (release = resolve));
	burst.release = release;
	// After the time, no delivery waits again for those that n8n has not stored.
	const giveUp = () => void (burst.storing = 0);
	await unlessAborted(released, [AbortSignal.timeout(maxWait)]).catch(giveUp);
	if (burst.release === release) burst.release = undefined;
}

/**
 * Calls `notify` once, with the status with which n8n answers: 200 after it has stored the execution, 500 if it failed to.
 * n8n ends the response also when the sender has hung up; no event says so, because nothing can be sent any more.
 */
function whenAnswered(context: IWebhookFunctions, notify: (status: number) => void): void {
	const response = context.getResponseObject();
	const end = response.end as (...given: unknown[]) => typeof response;
	response.end = (...given: unknown[]) => {
		response.end = end as typeof response.end;
		notify(response.statusCode);
		return end.apply(response, given);
	};
}
