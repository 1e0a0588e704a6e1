import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { changeStaticData } from '../transport/quirks';
import { joinBurst } from './burst';
import { type DeliveryId, DeliveryLog, type StoredMarks } from './deliveryLog';
import { whenAnswered } from './respond';

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
