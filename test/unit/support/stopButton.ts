import { setMaxListeners } from 'events';

/** What n8n aborts when the user stops the execution; as there, any number may listen to its signal. */
export function stopButton(): AbortController {
	const stop = new AbortController();
	setMaxListeners(Infinity, stop.signal);
	return stop;
}
