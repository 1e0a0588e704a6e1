import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import {
	type AddressRequest,
	cleanAddressRequest,
	type FieldValue,
	splitList,
} from '../../address/input';
import { addressPlaceholder, choice, field, select } from '../../description/fields';
import { differsByItem, type ParameterReader } from '../../description/parameters';
import type { Run } from '../../execution/run';
import { catchScreeningError, invalidInput, type Settled } from '../../shared/errors';
import { describeFields, valueAt } from '../../shared/fieldPath';
import { isJsonObject } from '../../shared/json';
import { quoteName } from '../../shared/text';
import { requireChoice, requireFieldPath, requireText } from '../../shared/userInput';

const sourceField = select('Address Source', 'addressSource', 'inputItems', [
	choice('Input Items', 'inputItems', 'One address in a field of each input item'),
	choice('List', 'list', 'All addresses in one text or array'),
]);

const addressField = field('Address Field', 'addressField', {
	required: true,
	default: 'address',
	placeholder: 'e.g. customer.wallet',
	description:
		'Name of the field that holds the address, with dots for nested fields. No expression is needed.',
	displayOptions: { show: { addressSource: ['inputItems'] } },
});

/** Where the addresses of a bulk job come from. */
export const addressFields = [
	sourceField,
	addressField,
	field('Chain Field', 'chainField', {
		placeholder: 'e.g. customer.chain',
		description:
			'Name of the field with the expected chain. It is not sent to the service. A report for another chain is marked and results in at least a review.',
		displayOptions: { show: { addressSource: ['inputItems'] } },
	}),
	field('Addresses', 'addresses', {
		typeOptions: { rows: 5 },
		required: true,
		placeholder: `${addressPlaceholder}, 1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa`,
		description:
			'One address per line or comma-separated, or an array from an expression. The node reads a list without an expression only once, for all input items.',
		displayOptions: { show: { addressSource: ['list'] } },
	}),
];

/**
 * Reads the addresses of an input item: each, or why this one cannot be sent.
 * @throws {ScreeningError} `invalid_input` for an item without the field, or for an empty list
 */
export function readAddresses(
	context: IExecuteFunctions,
	read: ParameterReader,
	itemIndex: number,
	checkAddresses: boolean,
): Array<Settled<AddressRequest>> {
	if (readSource(read) === 'list') return readList(read('addresses', ''), checkAddresses);
	const { json = {} } = context.getInputData()[itemIndex] ?? {};
	return [readFromItem(read, json, checkAddresses)];
}

/**
 * Reads the list that is the same for all input items: each address, or why this one cannot be sent.
 * A list that holds no address gives its one error. Undefined if each item has addresses of its own.
 */
export function readSharedList(
	{ context, readFirst: read }: Run,
	checkAddresses: boolean,
): Array<Settled<AddressRequest>> | undefined {
	if (differsByItem(context, ['addressSource', 'addresses'])) return undefined;
	const { value: list, error } = catchScreeningError(() =>
		readSource(read) === 'list' ? readList(read('addresses', ''), checkAddresses) : undefined,
	);
	return error ? [{ error }] : list;
}

/** @throws {ScreeningError} `invalid_input` */
function readSource(read: ParameterReader): 'inputItems' | 'list' {
	const source = read('addressSource', sourceField.default);
	return requireChoice(source, sourceField.displayName, ['inputItems', 'list']);
}

const addressAdvice =
	"'Address Field' takes the name of the field that holds the address, e.g. address or customer.wallet. It takes no expression.";
const chainAdvice =
	"'Chain Field' takes the name of the field that contains the chain. If any chain is fine, leave that field of the item empty.";

/**
 * Reads the address in a field of an item, and the chain if there is a field for it.
 * @throws {ScreeningError} `invalid_input` for a field that the item does not have
 */
function readFromItem(
	read: ParameterReader,
	item: IDataObject,
	checkAddresses: boolean,
): Settled<AddressRequest> {
	const label = addressField.displayName;
	const path = requireText(read('addressField', addressField.default), label, addressAdvice);
	const address = requireField(item, path, label, addressAdvice);
	const chainField = requireFieldPath(read('chainField', ''), 'Chain Field');
	const chain =
		chainField === '' ? undefined : requireField(item, chainField, 'Chain Field', chainAdvice);
	return tryCleanRequest(address, chain, checkAddresses);
}

/**
 * Finds a field of an item, of which the user gave the name in the field labelled `parameter`.
 * @throws {ScreeningError} `invalid_input` for an item without it
 */
function requireField(
	item: IDataObject,
	name: string,
	parameter: string,
	advice: string,
): FieldValue {
	const value = valueAt(item, name);
	if (value !== undefined) return { value, label: name };
	const message = `The item has no field ${quoteName(name)}`;
	throw invalidInput(parameter, message, `${describeFields(item, name)} ${advice}`);
}

/**
 * Reads the addresses of a list: of texts, or of objects `{ address, chain }` as Submit gives them.
 * @throws {ScreeningError} `invalid_input` for a list that holds no address
 */
export function readList(list: unknown, checkAddresses: boolean): Array<Settled<AddressRequest>> {
	const entries = splitList(list, 'Addresses');
	if (entries.length === 0) {
		throw invalidInput(
			'Addresses',
			"'Addresses' contains no address",
			'Give one address per line, or separated by commas, or an array of texts.',
		);
	}
	return entries.map((entry, index) => {
		const label = `Addresses, entry ${index + 1}`;
		if (!isJsonObject(entry))
			return tryCleanRequest({ value: entry, label }, undefined, checkAddresses);
		const chain = 'chain' in entry ? { value: entry.chain, label } : undefined;
		return tryCleanRequest({ value: entry.address, label }, chain, checkAddresses);
	});
}

/**
 * Cleans one address, or gives why it cannot be sent: one invalid address of a list costs no other.
 */
function tryCleanRequest(
	address: FieldValue,
	chain: FieldValue | undefined,
	checkAddresses: boolean,
): Settled<AddressRequest> {
	return catchScreeningError(() => cleanAddressRequest(address, chain, { checkAddresses }));
}
