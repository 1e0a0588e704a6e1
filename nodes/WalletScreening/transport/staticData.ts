import { type IDataObject, type IWebhookFunctions, sleep } from 'n8n-workflow';
import { unlessAborted } from '../shared/abort';

/*
 * n8n 2.41 stores the execution that a webhook starts, then saves the static data of the workflow
 * as a whole, then answers. The functions here keep deliveries from undoing what others noted in
 * the static data.
 */

/**
 * Changes the static data of a workflow for n8n to save. While n8n 2.41 stores an execution, it
 * makes a second workflow of the same static data, whereby it forgets that they have changed. So
 * they change again meanwhile.
 */
export function changeStaticData(staticData: IDataObject, changes: IDataObject): void {
	Object.assign(staticData, changes);
	void sleep(0).then(() => Object.assign(staticData, changes));
}

/**
 * Resolves with the status with which n8n answers a webhook: 200 after it has stored the execution,
 * 500 if it failed to. n8n ends the response also when the sender has hung up; no event says so,
 * because nothing can be sent any more.
 */
export async function whenAnswered(context: IWebhookFunctions): Promise<number> {
	const response = context.getResponseObject();
	const end = response.end as (...given: unknown[]) => typeof response;
	return await new Promise((resolve) => {
		response.end = (...given: unknown[]) => {
			response.end = end as typeof response.end;
			resolve(response.statusCode);
			return end.apply(response, given);
		};
	});
}

/**
 * Milliseconds that the last delivery of a burst waits for the others, at most. n8n stores some 20
 * deliveries in a second, and many senders take a delivery for lost after ten seconds.
 */
const maxWait = 8_000;

/**
 * The deliveries to a workflow that n8n is storing, and the one that waits for them.
 *
 * @example Three deliveries A, B and C come, each while n8n stores those before:
 * 1. A finds none, and writes `a`.
 * 2. B finds A, and waits.
 * 3. C finds A, lets B go, and waits in its place. B writes `b`.
 * 4. n8n has stored A and B, and the save of one may have undone the other. C writes `a`, `b` and
 *    `c`, and is saved last.
 */
class Burst {
	/** The deliveries that n8n is storing, but for those that were given up. */
	private readonly storing = new Set<symbol>();
	/** Lets the waiting delivery go on. Undefined if none waits. */
	private letGo: (() => void) | undefined;

	/** Whether a delivery that comes has to wait for its turn. */
	get isStoring(): boolean {
		return this.storing.size > 0;
	}

	/** Whether no delivery is being stored, and none waits. */
	get isOver(): boolean {
		return !this.isStoring && this.letGo === undefined;
	}

	/**
	 * Lets the waiting delivery go, and waits in its place. Resolves when n8n has stored the
	 * others, when a later delivery waits instead, or when the time is over.
	 */
	async waitForTurn(): Promise<void> {
		this.letGo?.();
		let letGo = () => {};
		const wasLetGo = new Promise<void>((resolve) => (letGo = resolve));
		this.letGo = letGo;
		// After the time, no delivery waits again for those that n8n has not stored.
		const giveUp = () => this.storing.clear();
		await unlessAborted(wasLetGo, [AbortSignal.timeout(maxWait)]).catch(giveUp);
		// A later delivery has put its own there.
		if (this.letGo === letGo) this.letGo = undefined;
	}

	/** Notes that n8n is storing a delivery. */
	enter(): symbol {
		const delivery = Symbol('delivery');
		this.storing.add(delivery);
		return delivery;
	}

	/** Notes that n8n has stored a delivery. After the last one, the waiting delivery goes on. */
	leave(delivery: symbol): void {
		this.storing.delete(delivery);
		if (!this.isStoring) this.letGo?.();
	}
}

const bursts = new Map<string, Burst>();

/**
 * Calls `write`, which changes the static data of a workflow, when no other delivery can undo the
 * change: n8n saves the static data with each delivery as they were before it stored that one, so
 * the last save of several at once would lose what the others wrote. Therefore the last one that
 * came waits until n8n has stored the others, and then writes what is known of all. No other waits.
 * The delivery is in the burst until `complete` resolves. This function resolves as soon as `write`
 * has returned.
 */
export async function writeAfterOthers(
	workflow: string,
	write: () => void,
	complete = async (): Promise<void> => {},
): Promise<void> {
	const burst = bursts.get(workflow) ?? new Burst();
	bursts.set(workflow, burst);
	if (burst.isStoring) await burst.waitForTurn();
	const delivery = burst.enter();
	let completion = Promise.resolve();
	try {
		write();
		completion = complete();
	} finally {
		void completion.finally(() => {
			burst.leave(delivery);
			if (burst.isOver && bursts.get(workflow) === burst) bursts.delete(workflow);
		});
	}
}
