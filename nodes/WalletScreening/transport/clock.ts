import { sleep } from 'n8n-workflow';
import { unlessAborted } from '../shared/abort';
import type { Clock } from '../shared/time';

/**
 * Makes a clock that does not follow changes of the machine's time. Its sleeps reject with the
 * signal's reason.
 */
export function systemClock(signal?: AbortSignal): Clock {
	return {
		now: () => performance.now(),
		sleep: async (ms) => await unlessAborted(sleep(ms), [signal]),
	};
}

/** Milliseconds of work after which n8n gets a moment for its other work. */
const maxWork = 50;

/** Makes a function that gives n8n that moment when it is due. */
export function createBreather(): () => Promise<void> {
	let since = performance.now();
	return async () => {
		if (performance.now() - since < maxWork) return;
		await sleep(0);
		since = performance.now();
	};
}
