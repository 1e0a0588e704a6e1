import type { INodeProperties } from 'n8n-workflow';
import { limits, type Options } from './options';

export const chain: INodeProperties = {
	displayName: 'Chain',
	name: 'chain',
	type: 'string',
	default: '',
	placeholder: 'e.g. ETH',
	description:
		"Use the service's name, e.g. ETH. Leave empty to let the service determine the chain.",
};

export const reportId: INodeProperties = {
	displayName: 'Report',
	name: 'reportId',
	type: 'resourceLocator',
	required: true,
	default: { mode: 'id', value: '' },
	description: 'A report that the service made earlier',
	modes: [
		{
			displayName: 'By ID',
			name: 'id',
			type: 'string',
			placeholder: 'e.g. rep_9f2c41d0',
			hint: "The 'report_id' of an earlier screening",
		},
		{
			displayName: 'By URL',
			name: 'url',
			type: 'string',
			placeholder: 'e.g. https://app.example.com/reports/rep_9f2c41d0',
			hint: "The 'report_url' of an earlier screening",
		},
	],
};

export const reportField: INodeProperties = {
	displayName: 'Report Field',
	name: 'reportField',
	type: 'string',
	default: '',
	placeholder: 'e.g. report',
	description:
		'Name of the field of the input item that holds the report, with dots for nested fields. Leave empty if the item itself is the report.',
};

const includePdf: INodeProperties = {
	displayName: 'Include PDF',
	name: 'includePdf',
	type: 'boolean',
	default: false,
	description: 'Whether to download the PDF version of the report as well',
};

export const binaryPropertyName: INodeProperties = {
	displayName: 'Put Output File in Field',
	name: 'binaryPropertyName',
	type: 'string',
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the PDF in',
};

export const fileName: INodeProperties = {
	displayName: 'File Name',
	name: 'fileName',
	type: 'string',
	default: '{report_id}.pdf',
	placeholder: 'e.g. {date} {report_id}.pdf',
	description:
		'The name of the file. The node fills in {report_id} and {date}, and with a report also {address} and {level}.',
};

/** Include PDF, and where the PDF goes. */
export const pdfFields: INodeProperties[] = [
	includePdf,
	...[binaryPropertyName, fileName].map((field) => ({
		...field,
		displayOptions: { show: { includePdf: [true] } },
	})),
];

// A switch in the options is on when the user adds it, and off without it (`readOptions`).
export const alertText: INodeProperties = {
	displayName: 'Alert Text',
	name: 'alertText',
	type: 'boolean',
	default: true,
	description:
		'Whether to add ready-made alert texts: title, plain text, HTML e-mail, Slack blocks',
};

export const simplify: INodeProperties = {
	displayName: 'Simplify',
	name: 'simplify',
	type: 'boolean',
	default: true,
	description: 'Whether to return a simplified version of the response instead of the raw data',
};

const includeInputFields: INodeProperties = {
	displayName: 'Include Input Fields',
	name: 'includeInputFields',
	type: 'boolean',
	default: true,
	description:
		'Whether to add the fields of the input item to each output item. Fields of the report take precedence.',
};

export const onlyNotGreen: INodeProperties = {
	displayName: 'Only Not Green',
	name: 'onlyNotGreen',
	type: 'boolean',
	default: true,
	description:
		'Whether to leave out reports whose level is green. Items without a report, unknown levels, and reports with the decision review or block stay.',
};

function between(name: keyof typeof limits) {
	const [minValue, maxValue] = limits[name];
	return { minValue, maxValue };
}

const optionFields: INodeProperties[] = [
	alertText,
	{
		displayName: 'Check Addresses',
		name: 'checkAddresses',
		type: 'boolean',
		default: true,
		description:
			'Whether to refuse a mistyped address before it is sent. The node finds it by its checksum.',
	},
	{
		displayName: 'Concurrency',
		name: 'concurrency',
		type: 'number',
		typeOptions: between('concurrency'),
		default: '',
		placeholder: 'e.g. 20',
		description:
			'How many requests, or bulk jobs, may be in progress at once. Leave empty to let the node choose. The node keeps to the rate limit of the key in any case.',
	},
	includeInputFields,
	{
		displayName: 'Mark Execution',
		name: 'markExecution',
		type: 'boolean',
		default: true,
		description:
			"Whether to store the worst outcome and the counts with the execution, so that you find it by them in n8n's executions list. No address is stored.",
	},
	{
		displayName: 'Max Listed Items',
		name: 'mostListed',
		type: 'number',
		typeOptions: between('mostListed'),
		default: 50,
		description: 'The message lists at most this many items. It counts all of them.',
	},
	{
		displayName: 'Max Retries',
		name: 'maxRetries',
		type: 'number',
		typeOptions: between('maxRetries'),
		default: 5,
		description:
			'How often to send a request again when the service is unavailable or the connection breaks. The service may bill each screening that it carried out. Without this option, the node repeats a screening with a lost response only once.',
	},
	{
		displayName: 'Only Changes',
		name: 'onlyChanges',
		type: 'boolean',
		default: true,
		description: 'Whether to leave out items whose report is the same as the earlier one',
	},
	onlyNotGreen,
	{
		displayName: 'Poll Interval (Seconds)',
		name: 'pollInterval',
		type: 'number',
		typeOptions: between('pollInterval'),
		default: 2,
		description:
			'The longest pause between two status requests in the first minute. Later pauses grow to 30 seconds.',
	},
	{
		displayName: 'Request Timeout (Seconds)',
		name: 'requestTimeout',
		type: 'number',
		typeOptions: { ...between('requestTimeout'), numberPrecision: 3 },
		default: 30,
		description: 'How long one request may take',
	},
	simplify,
	{
		displayName: 'Timeout (Minutes)',
		name: 'timeout',
		type: 'number',
		typeOptions: between('timeout'),
		default: 30,
		description:
			'How long to wait for all bulk jobs together. The service keeps processing the job afterwards.',
	},
];

export type OptionName = Exclude<keyof Options, 'resends'>;

/** The collection "Options" with the named ones of all options. */
export function options(...names: OptionName[]): INodeProperties {
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: optionFields.filter(({ name }) => names.includes(name as OptionName)),
	};
}
