import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { createItemReader } from '../../../nodes/WalletScreening/description/parameters';
import { readAddresses } from '../../../nodes/WalletScreening/actions/bulkJob/addresses';
import type { AddressRequest } from '../../../nodes/WalletScreening/address/input';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { ethereum, sanctionedBitcoin } from '../../support/data/knownAddresses';
import { createContext } from '../../support/unit/context';
import { errorOf } from '../../support/unit/errors';

/** Returns the addresses that are read from the first item, or their errors. */
const addressesIn = (context: IExecuteFunctions, checkAddresses = true) => {
	const requests = readAddresses(context, createItemReader(context, 0), 0, checkAddresses);
	return requests.map(({ value, error }) => value ?? error);
};
const read = (addresses: unknown, checkAddresses = true) => {
	const context = Object.assign(createContext(), {
		getNodeParameter: (name: string) => ({ addressSource: 'list', addresses })[name],
	});
	return plain(addressesIn(context, checkAddresses));
};

/** Addresses without a chain as texts. */
const plain = (all: Array<AddressRequest | ScreeningError>) =>
	all.map((one) => (one instanceof ScreeningError || 'chain' in one ? one : one.address));

test.each(['', [], null])('the list %j holds no address', async (list) => {
	expect(await errorOf(() => read(list))).toMatchObject({
		errorClass: 'invalid_input',
		message: "'Addresses' contains no address",
	});
});

test.each([
	['a number', [ethereum, 5, ethereum]],
	['a comma in an entry of an array', [ethereum, `${sanctionedBitcoin},${ethereum}`, ethereum]],
	['a wrong checksum', sanctionedBitcoin.toLowerCase()],
])('only an entry with %s is refused, and it is not split', (_what, odd) => {
	const list = typeof odd === 'string' ? `${ethereum}\n${odd}, ${ethereum}` : odd;
	expect(read(list)).toEqual([
		ethereum,
		expect.objectContaining({
			errorClass: 'invalid_input',
			message: expect.stringContaining('Addresses, entry 2'),
		}),
		ethereum,
	]);
});

test('a wrong checksum is left to the service, if the user wants it so', () =>
	expect(read(sanctionedBitcoin.toLowerCase(), false)).toEqual([sanctionedBitcoin.toLowerCase()]));

test.each<[item: IDataObject, because: string]>([
	[{ customer: { wallet: ethereum } }, 'a dot leads into an object'],
	[{ customer: JSON.stringify({ wallet: ethereum }) }, 'the object may be written as JSON'],
	[
		{ 'customer.wallet': ethereum, customer: { wallet: sanctionedBitcoin } },
		'a whole name comes before a path',
	],
])('the field customer.wallet of %j holds the address, because %s', (item) => {
	const parameters = { addressField: 'customer.wallet' };
	const context = createContext({ items: [item], parameters });
	expect(addressesIn(context)).toEqual([{ address: ethereum }]);
});

test.each<[because: string, item: IDataObject, name: string, named: string]>([
	[
		'its name begins with a mark of the file',
		{ '\ufeffaddress': ethereum, name: 'A' },
		'address',
		"The item has these fields: '\\u{FEFF}address', 'name'.",
	],
	['a blank follows its name', { 'address\u00a0': ethereum }, 'address', "'address\\u{A0}'"],
	['a line break follows its name', { 'wallet\n': ethereum }, 'address', "'wallet\\u{A}'"],
	[
		'the end of its path is mistyped',
		{ customer: { walet: ethereum } },
		'customer.wallet',
		"'customer' has these fields: 'walet'.",
	],
	[
		'the name in an element of a list is mistyped',
		{ customers: [{ walet: ethereum }] },
		'customers.0.wallet',
		"'0' has these fields: 'walet'.",
	],
	[
		'the beginning of its path is mistyped',
		{ customer: { walet: ethereum } },
		'custmer.wallet',
		"The item has these fields: 'customer'.",
	],
	['the item is empty', {}, 'address', 'The item has no fields.'],
	[
		'the item has only others',
		Object.fromEntries(Array.from({ length: 23 }, (_, at) => [`f${at}`, at])),
		'address',
		"'f19' and 3 more.",
	],
])('if the field is missing because %s, the error shows the fields', async (...row) => {
	const [, item, name, named] = row;
	const context = createContext({ items: [item], parameters: { addressField: name } });
	const { message, description } = await errorOf(() => addressesIn(context));
	expect(message).toBe(`The item has no field '${name}'`);
	expect(description).toContain(named);
	expect(/invisible character/.test(description)).toBe(named.includes('u{'));
});

test.each([
	[7, 'is not a text'],
	[{ address: ethereum }, 'is not a text'],
	[' ', 'is empty'],
	[null, 'is empty'],
])('the name of Address Field may not be %j', async (addressField, problem) => {
	const context = createContext({ items: [{ address: ethereum }], parameters: { addressField } });
	const { message } = await errorOf(() => addressesIn(context));
	expect(message).toBe(`'Address Field' ${problem}`);
});

test('a sign in the name of Address Field that cannot be seen is shown, too', async () => {
	const context = createContext({
		items: [{ address: ethereum }],
		parameters: { addressField: '\u200baddress' },
	});
	const { message } = await errorOf(() => addressesIn(context));
	expect(message).toBe("The item has no field '\\u{200B}address'");
});

test('a list may hold objects with an address and the chain that was meant', () => {
	const list = [
		{ address: ethereum, chain: ' ETH ' },
		{ address: sanctionedBitcoin, chain: '' },
		{ address: sanctionedBitcoin },
	];
	const invalid = [{ chain: 'ETH' }, { address: ethereum, chain: undefined }];
	expect(read([...list, ...invalid])).toEqual([
		{ address: ethereum, chain: 'ETH' },
		{ address: sanctionedBitcoin, chain: undefined },
		sanctionedBitcoin,
		expect.objectContaining({ errorClass: 'invalid_input' }),
		expect.objectContaining({ errorClass: 'invalid_input' }),
	]);
});

describe('the field of the chain', () => {
	const asked = (item: IDataObject) => {
		const parameters = { chainField: 'coin.chain' };
		const context = createContext({ items: [{ address: ethereum, ...item }], parameters });
		return addressesIn(context);
	};

	test('names the chain, if it is not blank, and is an error if it is missing or invalid', async () => {
		expect(asked({ coin: { chain: 'BSC' } })).toEqual([{ address: ethereum, chain: 'BSC' }]);
		expect(asked({ coin: { chain: null } })).toEqual([{ address: ethereum, chain: undefined }]);
		expect(await errorOf(() => asked({ coin: { '\ufeffchain': 'BSC' } }))).toMatchObject({
			errorClass: 'invalid_input',
			description: expect.stringContaining("'coin' has these fields: '\\u{FEFF}chain'") as string,
		});
		for (const coin of [{ chain: 7 }, { chain: 'B S C' }])
			expect(asked({ coin })).toMatchObject([{ errorClass: 'invalid_input' }]);
	});
});
