import { createLedger, type Times } from './ledger';

/** A verified delivery: the node that received it, and the keys by which it is known again. */
export interface Delivery {
	node: string;
	keys: string[];
}

/** What this process knows of the deliveries to all its trigger nodes. */
export interface Repeats {
	/**
	 * Asks for the right to process a delivery. `new`: it is yours, until `accept` or `release`. `repeat`: it was accepted
	 * within 24 hours, here or according to `stored`. `underway`: another request processes it and may still fail, so it
	 * must neither be processed nor be called accepted.
	 */
	claim(delivery: Delivery, stored: Times, now: number): 'new' | 'repeat' | 'underway';
	/** What to store for a delivery that n8n is about to accept. */
	toStore(delivery: Delivery, stored: Times, now: number): Times;
	/** Ends a claim: the delivery is accepted. */
	accept(delivery: Delivery, now: number): void;
	/** Ends a claim: the delivery may come again. */
	release(delivery: Delivery): void;
}

const minute = 60_000;
const hour = 60 * minute;

/** A claim that nobody ended counts no longer. It lasts longer than n8n takes to store an execution. */
const longestClaim = 10 * minute;

/** Room for 10,000 deliveries of two keys each. They take 2 MB. */
const limits = { keptFor: 24 * hour, most: 20_000, mostStored: 2_000 };

/** Knows nothing at first, for the life of the process. */
export function createRepeats(): Repeats {
	const accepted = createLedger(limits);
	/** When each claim was made, the oldest first. */
	const claims = new Map<string, number>();
	const claimsOf = ({ node, keys }: Delivery) => keys.map((key) => `${key} ${node}`);

	function release(delivery: Delivery) {
		for (const claim of claimsOf(delivery)) claims.delete(claim);
	}

	return {
		claim(delivery, stored, now) {
			const { node, keys } = delivery;
			if (accepted.timeOf(node, keys, stored, now) !== undefined) return 'repeat';
			for (const [claim, since] of claims) {
				if (now - since < longestClaim) break;
				claims.delete(claim);
			}
			const own = claimsOf(delivery);
			if (own.some((claim) => claims.has(claim))) return 'underway';
			for (const claim of own) claims.set(claim, now);
			return 'new';
		},
		toStore: ({ node, keys }, stored, now) => accepted.toStore(node, keys, stored, now),
		accept(delivery, now) {
			accepted.note(delivery.node, delivery.keys, now);
			release(delivery);
		},
		release,
	};
}
