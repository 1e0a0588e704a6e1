import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { select, shownIf } from '../description/fields';
import type { MenuEntry, Operation, OperationChoice } from '../execution/operation';
import { checkOperation } from './address/check';
import { screenOperation } from './address/screen';
import { createDigestOperation } from './alert/createDigest';
import { getJobOperation } from './bulkJob/get';
import { screenAndWaitOperation } from './bulkJob/screenAndWait';
import { submitOperation } from './bulkJob/submit';
import { decideOperation } from './decision/decide';
import { verifyOperation } from './decision/verify';
import { compareOperation } from './report/compare';
import { downloadPdfOperation } from './report/downloadPdf';
import { getReportOperation } from './report/get';

interface Resource extends MenuEntry {
	/** The value of the operation that a new node starts with. */
	preselected: string;
	operations: Operation[];
}

/** Everything the action node offers. */
export const resources: Resource[] = [
	{
		name: 'Address',
		value: 'address',
		description: 'Screen or check one wallet address per item. For long lists choose Bulk Job.',
		preselected: 'screen',
		operations: [screenOperation, checkOperation],
	},
	{
		name: 'Alert',
		value: 'alert',
		description: 'Make one message from many reports',
		preselected: 'createDigest',
		operations: [createDigestOperation],
	},
	{
		name: 'Bulk Job',
		value: 'bulkJob',
		description: 'Screen many wallet addresses at once',
		preselected: 'screenAndWait',
		operations: [screenAndWaitOperation, submitOperation, getJobOperation],
	},
	{
		name: 'Decision',
		value: 'decision',
		description: 'Check reports that you already have against your rules',
		preselected: 'decide',
		operations: [decideOperation, verifyOperation],
	},
	{
		name: 'Report',
		value: 'report',
		description: 'Work with reports that the service made earlier',
		preselected: 'get',
		operations: [getReportOperation, downloadPdfOperation, compareOperation],
	},
];

/** The operations that send no request, so that the node needs no credential for them. */
export const operationsWithoutCredential = resources.flatMap(({ operations }) =>
	operations.filter(({ sendsNothing }) => sendsNothing).map(({ value }) => value),
);

const titles = Object.fromEntries(
	resources.flatMap(({ name, value, operations }) =>
		operations.map((operation) => [`${value}.${operation.value}`, `${name}: ${operation.name}`]),
	),
);

/** What the canvas shows below the name of the node: the titles of resource and operation. */
export const subtitle = `={{ (${JSON.stringify(titles)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;

/** Reads which operation the user chose: one for all items, because neither takes an expression. */
export function readOperationChoice(context: IExecuteFunctions): OperationChoice {
	const resource = String(context.getNodeParameter('resource', 0));
	const value = String(context.getNodeParameter('operation', 0));
	const operations = resources.find((one) => one.value === resource)?.operations;
	return { resource, value, operation: operations?.find((one) => one.value === value) };
}

function createChoiceField(
	displayName: string,
	parameter: string,
	preselected: string,
	entries: MenuEntry[],
) {
	const options = entries.map(({ name, value, description, action, builderHint }) => ({
		name,
		value,
		description,
		...(action !== undefined && { action }),
		...(builderHint !== undefined && { builderHint }),
	}));
	return select(displayName, parameter, preselected, options, { noDataExpression: true });
}

/** The parameters of the action node, each shown only for its operation. */
export const actionProperties: INodeProperties[] = [
	createChoiceField('Resource', 'resource', 'address', resources),
	...resources.flatMap(({ value, preselected, operations }) =>
		shownIf({ resource: [value] }, [
			createChoiceField('Operation', 'operation', preselected, operations),
		]),
	),
	...resources.flatMap((resource) =>
		resource.operations.flatMap(({ value, fields }) =>
			shownIf({ resource: [resource.value], operation: [value] }, fields),
		),
	),
];
