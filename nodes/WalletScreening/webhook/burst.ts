import { unlessAborted } from '../shared/abort';

/**
 * Milliseconds that the last delivery of a burst waits for the others, at most. n8n stores some 20
 * deliveries in a second, and many senders take a delivery for lost after ten seconds.
 */
const maxWait = 8_000;

/** A delivery that waits for its turn to write, and what lets it go on. */
interface WaitingDelivery {
	delivery: symbol;
	goOn: () => void;
}

/**
 * The deliveries to a workflow that come while n8n stores others. n8n is storing some of them. At
 * most one other waits until these are stored:
 *
 *     from       by                              to
 *     over       a delivery comes                storing    it writes
 *     storing    a delivery comes                waiting    it waits
 *     waiting    a delivery comes                waiting    it waits, and the one before it writes
 *     waiting    all but the last are stored     storing    the last one writes
 *     waiting    `maxWait` is over               storing    it writes, and stops waiting for them
 *     storing    all are stored                  over
 *
 * @example Three deliveries A, B and C come, each while n8n stores those before:
 * 1. A finds none, and writes `a`.
 * 2. B finds A, and waits.
 * 3. C finds A, lets B go on, and waits in its place. B writes `b`.
 * 4. n8n has stored A and B, and the save of one may have undone the other. C writes `a`, `b` and
 *    `c`, and is saved last.
 */
class Burst {
	/** The deliveries that n8n is storing, without those that are no longer waited for. */
	private readonly beingStored = new Set<symbol>();
	/** The delivery that waits for these, in the state `waiting`. */
	private waiting: WaitingDelivery | undefined;

	get state(): 'over' | 'storing' | 'waiting' {
		if (this.waiting) return 'waiting';
		return this.beingStored.size > 0 ? 'storing' : 'over';
	}

	/** Notes that a delivery comes. Resolves when it is its turn to write. */
	async enter(delivery: symbol): Promise<void> {
		if (this.state === 'over') {
			this.beingStored.add(delivery);
			return;
		}
		this.letWaitingGoOn();
		const turn = new Promise<void>((resolve) => (this.waiting = { delivery, goOn: resolve }));
		const giveUp = () => this.giveUpWaiting(delivery);
		await unlessAborted(turn, [AbortSignal.timeout(maxWait)]).catch(giveUp);
	}

	/** Notes that n8n has stored a delivery, or that it could not be written. */
	leave(delivery: symbol): void {
		this.beingStored.delete(delivery);
		if (this.beingStored.size === 0) this.letWaitingGoOn();
	}

	/**
	 * Lets a delivery write, and forgets those that n8n has not stored, so that no later one waits for
	 * them either.
	 */
	private giveUpWaiting(delivery: symbol): void {
		// A later one may wait in its place since then.
		if (this.waiting?.delivery !== delivery) return;
		this.beingStored.clear();
		this.letWaitingGoOn();
	}

	private letWaitingGoOn(): void {
		if (!this.waiting) return;
		const { delivery, goOn } = this.waiting;
		this.waiting = undefined;
		this.beingStored.add(delivery);
		goOn();
	}
}

const bursts = new Map<string, Burst>();

/**
 * Resolves when a delivery may change the static data of a workflow, and no other can undo the
 * change. While n8n stores a delivery, it holds the static data from before. If it stores several at
 * once, its last save overwrites what the others wrote. So the last delivery to arrive waits until
 * n8n has stored the others, and then writes what is known of all. No other waits. The example at
 * `DeliveryMemory` has the whole course of a delivery.
 * @returns what ends the turn, for the caller to call once n8n has stored the delivery, or once the
 * delivery could not be written
 */
export async function waitForTurn(workflow: string): Promise<() => void> {
	const burst = bursts.get(workflow) ?? new Burst();
	bursts.set(workflow, burst);
	const delivery = Symbol('delivery');
	await burst.enter(delivery);
	return () => {
		burst.leave(delivery);
		if (burst.state === 'over' && bursts.get(workflow) === burst) bursts.delete(workflow);
	};
}
