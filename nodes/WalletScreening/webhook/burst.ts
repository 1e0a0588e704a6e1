import { unlessAborted } from '../transport/time';

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
 * n8n has stored the others, and then notes all of them; nobody else waits. Resolves when the delivery may be noted, with what
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
	// After the time, nobody waits again for those that n8n has not stored.
	const giveUp = () => void (burst.storing = 0);
	await unlessAborted(released, [AbortSignal.timeout(maxWait)]).catch(giveUp);
	if (burst.release === release) burst.release = undefined;
}
