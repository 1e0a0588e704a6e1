import { type IExecuteFunctions, type IWebhookFunctions, NodeConnectionTypes } from 'n8n-workflow';

/* Where a node runs: its context, its workflow and its n8n. */

/** What both nodes get from n8n. */
export type Context = IExecuteFunctions | IWebhookFunctions;

/** The ID of the workflow; empty if n8n gives none. */
export function workflowIdOf(context: Context): string {
	return String(context.getWorkflow().id ?? '');
}

/** Whether a delivery came to the editor's test URL. */
export function isTest(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/**
 * Returns the type of the connections between nodes.
 * @throws {Error} in a very old n8n, which has no name for it, and shows the error
 */
export function requireMainConnection() {
	const { Main } = (NodeConnectionTypes as Partial<typeof NodeConnectionTypes> | undefined) ?? {};
	if (Main) return Main;
	throw new Error(
		'This n8n is too old for n8n-nodes-wallet-screening. Update n8n to version 2.41 or later, then restart it.',
	);
}
