import type { IExecuteFunctions } from 'n8n-workflow';
import { showHint } from '../transport/display';

/** How many warnings of one kind a run shows at most, because a user does not read more. */
const maxWarnings = 5;

/**
 * Makes a function that shows the warnings of one kind above the output: each once, and only the
 * first few.
 */
export function createWarner(context: IExecuteFunctions): (message: string) => void {
	const shown = new Set<string>();
	return (message) => {
		if (shown.has(message) || shown.size === maxWarnings) return;
		shown.add(message);
		showHint(context, message, 'warning');
	};
}
