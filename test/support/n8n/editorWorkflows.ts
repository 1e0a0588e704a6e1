import type { IDataObject, INodeParameters } from 'n8n-workflow';
import type { Credential, Saved, Workflow } from '../../../tools/host/workflow';
import { screeningNode, startNode, triggerNode, workflowOf } from './workflows';

/** Names of the nodes, as the pictures show them. */
export const screenNodeName = 'Screen the Sender';
export const completedNodeName = 'When a Bulk Job Is Complete';

/** Parameters with a policy that blocks a sanctioned address. */
export const blockingPolicy = {
	addDecision: true,
	decisionRules: {
		rules: [
			{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
			{ field: 'sanctions', operator: 'notEquals', value: '0', outcome: 'block' },
		],
	},
};

/**
 * Returns a workflow to show in the editor: a click hands on `input`, and an address is screened.
 */
export function editorWorkflow(
	credential: Saved<Credential>,
	parameters: INodeParameters,
	input: IDataObject[] = [{}],
): Workflow {
	const screen = screeningNode(credential, parameters, { name: screenNodeName });
	return {
		...workflowOf('Screen the sender of a payment', startNode, screen),
		pinData: { [startNode.name]: input.map((json) => ({ json })) },
	};
}

/** A part of the URLs of the trigger. */
export const triggerWebhookId = '5e6f3f0a-3f0a-4c1e-9d63-6a2f7b1c0d11';

export function triggerWorkflow(credential: Saved<Credential>): Workflow {
	const node = triggerNode(credential, {}, triggerWebhookId);
	return workflowOf('Bulk jobs', { ...node, name: completedNodeName });
}
