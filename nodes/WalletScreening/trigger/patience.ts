import { createLedger, type Times } from './ledger';

/** How long the sender is asked to deliver again, since the first time; milliseconds. */
const longestWait = 60 * 60 * 1000;

/** They are kept for longer than a sender pauses between two attempts. */
const limits = { keptFor: 3 * 24 * 60 * 60 * 1000, most: 1000, mostStored: 1000 };

/** What a delivery to a node is about: the key of its job, or that of its content. */
export interface Subject {
	node: string;
	key: string;
}

/** The jobs whose results could not be fetched yet, and since when. */
export interface Patience {
	/** What to store when the sender is asked to deliver again; undefined if it was asked for an hour. */
	again(subject: Subject, stored: Times, now: number): Times | undefined;
	/** What to store when the wait is over; undefined if nothing has to change there. */
	over(subject: Subject, stored: Times): Times | undefined;
}

/** Waits for nothing at first, for the life of the process. */
export function createPatience(): Patience {
	const waiting = createLedger(limits);
	return {
		again({ node, key }, stored, now) {
			const since = waiting.timeOf(node, [key], stored, now);
			if (since !== undefined && now - since >= longestWait) return undefined;
			if (since === undefined) waiting.note(node, [key], now);
			return waiting.toStore(node, [], stored, now);
		},
		over({ node, key }, stored) {
			waiting.forget(node, [key]);
			if (stored[key] === undefined) return undefined;
			const { [key]: _, ...others } = stored;
			return others;
		},
	};
}
