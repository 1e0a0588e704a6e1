import { setMaxListeners } from 'node:events';

/**
 * Creates the controller that n8n aborts when the user stops an execution. As in n8n, its signal
 * takes any number of listeners.
 */
export function createStopButton(): AbortController {
	const stop = new AbortController();
	setMaxListeners(Infinity, stop.signal);
	return stop;
}
