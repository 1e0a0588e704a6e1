import type { IExecuteFunctions, INodeProperties } from 'n8n-workflow';
import { holdsExpression, type Read, textIn } from '../../n8n/parameters';
import { valueAt } from '../../risk/report';
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
			'One address per line or comma-separated, or an array from an expression. The node reads a list without an expression only once, for all input items.',
		displayOptions: { show: { addressSource: ['list'] } },
	},
];

/** An address that was asked for, or why it is invalid, and the input item that asked. */
export interface Entry {
	address: string | ScreeningError;
	from: number;
}

/** What a bulk operation reads of an input item: its addresses, or why they could not be read. */
export function addressReader(context: IExecuteFunctions) {
	const items = context.getInputData();
	const listDiffers = holdsExpression(context, ['addresses']);

	return (read: Read, itemIndex: number): Array<string | ScreeningError> => {
		if (read('addressSource', 'inputItems') === 'list') {
			if (itemIndex > 0 && !listDiffers) return [];
			return listed(read('addresses', ''));
		}
		const field = textIn(
			read('addressField', 'address'),
			'Address Field',
			'Name the field of the input items that holds the address.',
		);
		const value = valueAt(items[itemIndex]?.json ?? {}, field);
		return [value === undefined ? noField(field) : cleaned(value, field)];
	};
}

function noField(field: string): ScreeningError {
	return invalidInput(
		'Address Field',
		`The item has no field '${field.slice(0, 100)}'`,
		"'Address Field' takes the name of the field that holds the address, e.g. address or customer.wallet. It takes no expression.",
	);
}

/** Throws `invalid_input` for a list that holds no address. */
function listed(list: unknown): Array<string | ScreeningError> {
	const values = typeof list === 'string' ? entriesOf(list) : list;
	if (!Array.isArray(values) || values.length === 0) {
		throw invalidInput(
			'Addresses',
			"'Addresses' contains no address",
			'Give one address per line, or separated by commas, or an array of texts.',
		);
	}
	return values.map((value: unknown, index) => cleaned(value, `Addresses, entry ${index + 1}`));
}

/** The entries of a text: of an array that came as JSON, or its lines and what commas separate. */
function entriesOf(text: string): unknown {
	if (text.trim().startsWith('[')) {
		try {
			return JSON.parse(text);
		} catch {
			throw invalidInput(
				'Addresses',
				"'Addresses' starts like a JSON array, but is invalid JSON",
				'Give one address per line, or separated by commas, or an array of texts.',
			);
		}
	}
	return text.split(/[\n\r,]/).filter((line) => line.trim() !== '');
}

function cleaned(value: unknown, label: string): string | ScreeningError {
	try {
		return cleanAddress(value, label);
	} catch (error) {
		return own(error);
	}
}
