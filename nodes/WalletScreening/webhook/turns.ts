import { unlessAborted } from '../n8n/time';

/** Milliseconds. n8n takes longer to store an execution only if its database is slow, or if it waits for other executions to end. */
const maxWait = 5000;

const lastTurns = new Map<string, Promise<void>>();

/**
 * Lets those who use the same thing do so one after the other: resolves when it is the caller's turn, with what ends the turn.
 * Nobody waits longer than 5 seconds.
 */
export async function takeTurn(subject: string): Promise<() => void> {
	const before = lastTurns.get(subject);
	let end = () => {};
	const turn = new Promise<void>((resolve) => (end = resolve)).then(() => {
		if (lastTurns.get(subject) === turn) lastTurns.delete(subject);
	});
	lastTurns.set(subject, turn);
	// It ends with the turn before, or with the time.
	if (before) await unlessAborted(before, [AbortSignal.timeout(maxWait)]).catch(() => {});
	return end;
}
