import type { IExecuteFunctions } from 'n8n-workflow';

/* What n8n's editor shows beside the items. */

/** Shows a line above the output. */
export function showHint(
	context: IExecuteFunctions,
	message: string,
	type: 'info' | 'warning' | 'danger',
): void {
	context.addExecutionHints({ message: withoutTags(message), type, location: 'outputPane' });
}

/**
 * Replaces the signs of tags in a text. n8n 2.41 shows hints and the descriptions of errors as HTML,
 * in which a link from outside would be alive.
 */
export function withoutTags(text: string): string {
	return text.replace(/[<>]/g, (sign) => (sign === '<' ? '‹' : '›'));
}
