import type { INodeProperties, INodePropertyOptions } from 'n8n-workflow';
import { check } from './address/check';
import { screen } from './address/screen';
import { createDigest } from './alert/createDigest';
import { get as getJob } from './bulkJob/get';
import { screenAndWait } from './bulkJob/screenAndWait';
import { submit } from './bulkJob/submit';
import { decide } from './decision/decide';
import { verify } from './decision/verify';
import type { Operation } from './operation';
import { compare } from './report/compare';
import { downloadPdf } from './report/downloadPdf';
import { get as getReport } from './report/get';

interface Resource {
	option: INodePropertyOptions;
	/** The value of the operation that a new node starts with. */
	preselected: string;
	operations: Operation[];
}

/** Everything the action node offers. */
export const resources: Resource[] = [
	{
		option: {
			name: 'Address',
			value: 'address',
			description: 'Screen or check one wallet address per item. For long lists choose Bulk Job.',
		},
		preselected: 'screen',
		operations: [check, screen],
	},
	{
		option: {
			name: 'Alert',
			value: 'alert',
			description: 'Make one message from many reports',
		},
		preselected: 'createDigest',
		operations: [createDigest],
	},
	{
		option: {
			name: 'Bulk Job',
			value: 'bulkJob',
			description: 'Screen many wallet addresses at once',
		},
		preselected: 'screenAndWait',
		operations: [getJob, screenAndWait, submit],
	},
	{
		option: {
			name: 'Decision',
			value: 'decision',
			description: 'Check reports that you already have against your rules',
		},
		preselected: 'decide',
		operations: [decide, verify],
	},
	{
		option: {
			name: 'Report',
			value: 'report',
			description: 'Work with reports that the service made earlier',
		},
		preselected: 'get',
		operations: [compare, downloadPdf, getReport],
	},
];

/** The operations that send no request, so that the node needs no credential for them. */
export const withoutCredential = resources.flatMap(({ operations }) =>
	operations.filter(({ sendsNothing }) => sendsNothing).map(({ option }) => option.value),
);

const titles = Object.fromEntries(
	resources.flatMap(({ option, operations }) =>
		operations.map((operation) => [
			`${option.value}.${operation.option.value}`,
			`${option.name}: ${operation.option.name}`,
		]),
	),
);

/** What the canvas shows below the name of the node: the titles of resource and operation. */
export const subtitle = `={{ (${JSON.stringify(titles)})[$parameter["resource"] + "." + $parameter["operation"]] }}`;

/** The operation that the user chose. */
export function operationOf(resource: string, operation: string): Operation | undefined {
	return resources
		.find(({ option }) => option.value === resource)
		?.operations.find(({ option }) => option.value === operation);
}

const resourceField: INodeProperties = {
	displayName: 'Resource',
	name: 'resource',
	type: 'options',
	noDataExpression: true,
	default: 'address',
	options: resources.map(({ option }) => option),
};

function operationField({ option, preselected, operations }: Resource): INodeProperties {
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		displayOptions: { show: { resource: [option.value] } },
		default: preselected,
		options: operations.map((operation) => operation.option),
	};
}

function shownFor(
	resource: Resource,
	operation: Operation,
	field: INodeProperties,
): INodeProperties {
	const show = {
		...field.displayOptions?.show,
		resource: [resource.option.value],
		operation: [operation.option.value],
	};
	return { ...field, displayOptions: { ...field.displayOptions, show } };
}

/** The parameters of the action node, each shown only for its operation. */
export const properties: INodeProperties[] = [
	resourceField,
	...resources.map(operationField),
	...resources.flatMap((resource) =>
		resource.operations.flatMap((operation) =>
			operation.fields.map((field) => shownFor(resource, operation, field)),
		),
	),
];
