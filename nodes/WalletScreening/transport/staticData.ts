import { type IDataObject, type IWebhookFunctions, sleep } from 'n8n-workflow';

/*
 * n8n 2.41 stores the execution that a webhook starts, then saves the static data of the workflow
 * as a whole, then answers. `webhook/burst.ts` keeps deliveries from undoing what others noted. The
 * example at `DeliveryMemory` in `webhook/deliveryMemory.ts` has the whole course of a delivery.
 */

/**
 * Changes the static data of a workflow. n8n saves static data only if it is marked as changed, and
 * each change sets the mark. n8n 2.41 clears the mark while it stores an execution, because it makes
 * a second workflow object of the same data. So the change is made again a moment later.
 */
export function changeStaticData(staticData: IDataObject, changes: IDataObject): void {
	Object.assign(staticData, changes);
	void sleep(0).then(() => Object.assign(staticData, changes));
}

/**
 * Wraps `response.end`, to learn with which status n8n answers a webhook: 200 after it has stored
 * the execution, 500 if it failed to. n8n ends the response also when the sender has hung up; no
 * event says so, because nothing can be sent any more.
 */
export async function whenAnswered(context: IWebhookFunctions): Promise<number> {
	const response = context.getResponseObject();
	const end = response.end as (...given: unknown[]) => typeof response;
	return await new Promise((resolve) => {
		response.end = (...given: unknown[]) => {
			response.end = end as typeof response.end;
			resolve(response.statusCode);
			return end.apply(response, given);
		};
	});
}
