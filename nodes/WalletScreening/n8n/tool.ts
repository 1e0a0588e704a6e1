import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { isFailure } from './nodeError';
import { throwsForTool } from './quirks';

/**
 * Throws if the node runs as a tool whose caller takes every returned item for a success, and one of them is a failure. The
 * message holds what else came: it may be billed.
 */
export function throwFailureOfTool(context: IExecuteFunctions, items: INodeExecutionData[]): void {
	const failures = items.flatMap(({ json }) => (isFailure(json) ? [json] : []));
	const [first] = failures;
	if (!first || !throwsForTool(context)) return;
	const { error, details } = first;
	// n8n replaces a message that holds a system's error code, and descriptions may hold one.
	const { description, ...known } = details;
	const all = items.map(({ json }) =>
		isFailure(json) ? { ...json, details: { ...json.details, description: undefined } } : json,
	);
	const said =
		items.length === 1
			? `${error} ${JSON.stringify(known)}`
			: `${failures.length} of ${items.length} results are failures: ${JSON.stringify(all)}`;
	throw new NodeOperationError(context.getNode(), said, { ...(description && { description }) });
}
