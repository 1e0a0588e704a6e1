import type { ExecutionError, INodeExecutionData } from 'n8n-workflow';

/** Where the demo's workflows run: n8n's engine in this process, or a real n8n. Each throws when its workflow fails. */
export interface Place {
	/** Screens the wallets of `workflow.json` one by one and downloads the PDF report on the riskiest. */
	screenList(): Promise<ListRun>;
	/** Screens the addresses of `bulk.ts`. @returns the report items */
	screenInBulk(): Promise<INodeExecutionData[]>;
}

/** What came of the list. */
export interface ListRun {
	readonly reports: readonly INodeExecutionData[];
	/** The report on the riskiest wallet. */
	readonly riskiest: INodeExecutionData;
	/** Its PDF. */
	readonly pdf: { readonly fileName: string; readonly bytes: Buffer };
}

/** @throws what kept a workflow from its end, in n8n's words */
export function failIf(error: ExecutionError | undefined): void {
	if (error) throw new Error(`The workflow failed: ${error.message}. ${error.description ?? ''}`);
}
