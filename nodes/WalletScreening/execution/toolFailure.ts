import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';
import { isErrorItem } from '../shared/failureItem';
import { tryStringify } from '../shared/json';
import { excerptJson, formatCount } from '../shared/text';
import type { CreatedResources } from './ledger';
import { describeCreated, maxIdsShown } from './created';
import { keepMessage } from './nodeErrors';

/** The most characters of the output that the answer of a tool shows. */
const maxToolOutput = 20_000;

/**
 * Ends the node with the first failure among its items, for a tool whose caller takes every
 * returned item for a success. The message holds the whole output, because it may be billed. If that
 * is too long, it holds the first failure and the IDs of what the run made.
 * @throws {NodeOperationError} if one of the items is an error item
 */
export function throwFailureOfTool(
	context: IExecuteFunctions,
	items: INodeExecutionData[],
	created: CreatedResources,
): void {
	const outputs = items.map(({ json }) => json);
	const failures = outputs.flatMap((json) => (isErrorItem(json) ? [json] : []));
	const [first] = failures;
	if (!first) return;
	const output = tryStringify(outputs);
	const isShort = output !== undefined && output.length <= maxToolOutput;
	const parts = isShort
		? [output]
		: [
				`${failures.length} of ${formatCount(outputs.length, 'item')} failed.`,
				...describeCreated(created, maxIdsShown),
				excerptJson(first, maxToolOutput),
			];
	const message = [first.error, ...parts].join(' ');
	const { description } = first.details;
	const options = { ...(description && { description }) };
	const error = keepMessage(new NodeOperationError(context.getNode(), message, options), message);
	const { report_ids, job_ids } = created;
	Object.assign(error.context, { report_ids, job_ids });
	throw error;
}
