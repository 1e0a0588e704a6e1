import type { IDataObject, IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { invalidInput, own, type ScreeningError } from '../../service/errors';
import { cleanAddress } from '../../service/input';

/** Where the addresses of a bulk job come from. */
export const addressFields: INodeProperties[] = [
	{
		displayName: 'Address Source',
		name: 'addressSource',
		type: 'options',
		default: 'inputItems',
		description: 'Where the addresses come from',
		options: [
			{
				name: 'Input Items',
				value: 'inputItems',
				description: 'One address in a field of each input item',
			},
			{ name: 'List', value: 'list', description: 'All addresses in one text or array' },
		],
	},
	{
		displayName: 'Address Field',
		name: 'addressField',
		type: 'string',
		required: true,
		default: 'address',
		placeholder: 'e.g. customer.wallet',
		description:
			'Name of the field that holds the address, with dots for nested fields. No expression is needed.',
		displayOptions: { show: { addressSource: ['inputItems'] } },
	},
	{
		displayName: 'Addresses',
		name: 'addresses',
		type: 'string',
		typeOptions: { rows: 5 },
		required: true,
		default: '',
		placeholder:
			'e.g. 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045, 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		description:
			'One address per line or comma-separated, or an array from an expression. Read once, from the first item.',
		displayOptions: { show: { addressSource: ['list'] } },
	},
];

/** An address that was asked for, or why it is none, and the input item that asked. */
export interface Entry {
	address: string | ScreeningError;
	from: number;
}

/** The addresses that the user asked for, in order. Throws `invalid_input` for a list that holds none. */
export function readAddresses(context: IExecuteFunctions): Entry[] {
	if (context.getNodeParameter('addressSource', 0) === 'list') {
		return readList(context.getNodeParameter('addresses', 0));
	}
	const field = (context.getNodeParameter('addressField', 0) as string).trim();
	if (field === '') {
		throw invalidInput(
			'Address Field',
			"'Address Field' is empty",
			'Name the field of the input items that holds the address.',
		);
	}
	return context.getInputData().map(({ json }, from) => {
		const value = valueAt(json, field);
		return { address: value === undefined ? noField(field) : cleaned(value, field), from };
	});
}

function valueAt(json: IDataObject, field: string): unknown {
	const path = Object.hasOwn(json, field) ? [field] : field.split('.');
	return path.reduce<unknown>(
		(value, name) =>
			typeof value === 'object' && value !== null && Object.hasOwn(value, name)
				? (value as IDataObject)[name]
				: undefined,
		json,
	);
}

function noField(field: string): ScreeningError {
	return invalidInput(
		'Address Field',
		`The item has no field '${field.slice(0, 100)}'`,
		"'Address Field' takes the name of the field that holds the address, e.g. address or customer.wallet, and no expression.",
	);
}

function readList(list: unknown): Entry[] {
	const values = typeof list === 'string' ? entriesOf(list) : list;
	if (!Array.isArray(values) || values.length === 0) {
		throw invalidInput(
			'Addresses',
			"'Addresses' holds no address",
			'Give one address per line, or separated by commas, or an array of texts.',
		);
	}
	return values.map((value: unknown, index) => ({
		address: cleaned(value, `Addresses[${index}]`),
		from: 0,
	}));
}

/** The entries of a text: of an array that came as JSON, or its lines and what commas separate. */
function entriesOf(text: string): unknown {
	if (text.trim().startsWith('[')) {
		try {
			return JSON.parse(text);
		} catch {
			throw invalidInput(
				'Addresses',
				"'Addresses' begins as a JSON array, but is none",
				'Give one address per line, or separated by commas, or an array of texts.',
			);
		}
	}
	return text.split(/[\n\r,]/).filter((line) => line.trim() !== '');
}

function cleaned(value: unknown, name: string): string | ScreeningError {
	try {
		return cleanAddress(value, name);
	} catch (error) {
		return own(error);
	}
}
