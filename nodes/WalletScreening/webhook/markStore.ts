import type { IDataObject, IWebhookFunctions } from 'n8n-workflow';
import { changeStaticData, whenAnswered } from '../transport/staticData';
import { waitForTurn } from './burst';
import type { StoredMarks } from './deliveryMarks';

/**
 * Where the marks of a workflow survive a restart and serve other processes. The example at
 * `DeliveryMemory` has its methods in the order of a delivery.
 */
export interface MarkStore {
	read(): StoredMarks;
	/**
	 * Resolves when no other delivery can undo what this one writes, with the function that ends its
	 * turn.
	 */
	waitForTurn(): Promise<() => void>;
	write(marks: StoredMarks): void;
	/**
	 * Resolves when n8n has stored the execution that the delivery starts, or has failed to. It is
	 * called before n8n answers the delivery: of an answer that was sent before, it never learns.
	 */
	isExecutionStored(): Promise<boolean>;
}

/** A store that keeps nothing. */
export const noStore: MarkStore = {
	read: () => ({}),
	waitForTurn: async () => await Promise.resolve(() => {}),
	write() {},
	isExecutionStored: async () => await Promise.resolve(false),
};

/** The field of static data that holds the marks of all triggers of a workflow. */
const marksKey = 'walletScreeningDeliveries';

/** Creates the store in the static data of a workflow, for one delivery to it. */
export function createMarkStore(context: IWebhookFunctions, workflow: string): MarkStore {
	const staticData = context.getWorkflowStaticData('global');
	return {
		read: () => (staticData[marksKey] ?? {}) as StoredMarks,
		waitForTurn: async () => await waitForTurn(workflow),
		write: (marks) => changeStaticData(staticData, { [marksKey]: marks as IDataObject }),
		isExecutionStored: async () => (await whenAnswered(context)) < 400,
	};
}
