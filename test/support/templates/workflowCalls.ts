import type { IDataObject } from 'n8n-workflow';
import { failureOf, itemsOf, type Saved, type Workflow } from '../../../tools/host/workflow';
import { resourceLocator } from '../../../tools/trial/wiring';
import { type PlainNode, startNode, workflowOf } from '../n8n/workflows';
import { stage } from './stage';

/** Returns a node that hands its items to a workflow. */
export const callNodeFor = (called: Saved<Workflow>): PlainNode => ({
	name: 'Call',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	parameters: { workflowId: resourceLocator('id', called.id), options: {} },
});

/**
 * Hands items to a workflow, as another workflow does.
 *
 * @returns the items that it gives back
 * @throws an error with the reason, if it fails
 */
export async function callWorkflow<T extends IDataObject>(
	called: Saved<Workflow>,
	items: IDataObject[],
): Promise<T[]> {
	const call = callNodeFor(called);
	const pinData = { [startNode.name]: items.map((json) => ({ json })) };
	const caller = { ...workflowOf(`Calls ${called.name}`, startNode, call), pinData };
	const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow(caller));
	if (run.data.resultData.error) throw new Error(failureOf(run));
	return itemsOf(run, call.name).map(({ json }) => json as T);
}
