import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	INodeExecutionData,
	IRunExecutionData,
	IWorkflowBase,
} from 'n8n-workflow';

export interface Credential {
	readonly name: string;
	readonly type: string;
	readonly data: ICredentialDataDecryptedObject;
}

export type Saved<T> = T & { readonly id: string };

export type Workflow = Pick<
	IWorkflowBase,
	'name' | 'nodes' | 'connections' | 'settings' | 'pinData'
>;

export interface Execution {
	readonly id: string;
	/** The name of the workflow. */
	readonly workflow: string;
	readonly status: string;
	readonly data: IRunExecutionData;
	/** The values that nodes stored with the execution, by which n8n finds it. */
	readonly customData: Record<string, string>;
}

/** The items that came out of `output` of a node, in its last run. */
export function itemsOf({ data }: Execution, node: string, output = 0): INodeExecutionData[] {
	return data.resultData.runData[node]?.at(-1)?.data?.main?.[output] ?? [];
}

/** The workflow, the node and the reason of an execution that failed, in a sentence. */
export function failureOf({ workflow, status, data }: Execution): string {
	const { error, lastNodeExecuted } = data.resultData;
	return `"${workflow}" failed at its node "${lastNodeExecuted}": ${error?.message ?? status}`;
}

/** @throws an error with the workflow, the node and the reason, unless the execution succeeded */
export function requireSuccess(execution: Execution): void {
	if (execution.status !== 'success') throw new Error(failureOf(execution));
}

/** The output of a trigger, for a run that begins there. */
export const outputOf = (...items: IDataObject[]) => ({
	startTime: 0,
	executionTime: 0,
	executionIndex: 0,
	source: [],
	executionStatus: 'success',
	data: { main: [items.map((json) => ({ json }))] },
});
