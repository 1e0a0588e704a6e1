import { itemReader } from '../../../nodes/WalletScreening/n8n/parameters';
import { addressReader } from '../../../nodes/WalletScreening/operations/bulkJob/addresses';
import { errorOf } from '../support/answers';
import { createContext } from '../support/context';
import { BTC, ETH } from '../service/bulk/samples';

const read = (addresses: unknown) => {
	const context = Object.assign(createContext(), {
		getNodeParameter: (name: string) => ({ addressSource: 'list', addresses })[name],
	});
	return addressReader(context)(itemReader(context, 0), 0);
};

test.each([
	['one per line', `${ETH}\n${BTC}`],
	['one per line, as Windows writes it, with blank lines', `\r\n${ETH}\r\n\r\n${BTC}\r\n`],
	['separated by commas', ` ${ETH}, ${BTC},`],
	['an array', [ETH, BTC]],
	['a JSON array', JSON.stringify([ETH, BTC])],
	['a JSON array with white space around it', `\n${JSON.stringify([ETH, BTC], null, '\t')}\n`],
])('a list of addresses may be given as %s', (_how, addresses) => {
	expect(read(addresses)).toEqual([ETH, BTC]);
});

test.each([`["${ETH}"`, `[${ETH}]`, '['])(
	'%s is no JSON array, and nothing is sent',
	async (list) => {
		expect(await errorOf(() => read(list))).toMatchObject({
			errorClass: 'invalid_input',
			message: "'Addresses' starts like a JSON array, but is invalid JSON",
			known: { parameter: 'Addresses' },
		});
	},
);

test.each(['', ' ,\n', '[]', [], {}, null, 7])('the list %j holds no address', async (list) => {
	expect(await errorOf(() => read(list))).toMatchObject({
		errorClass: 'invalid_input',
		message: "'Addresses' contains no address",
	});
});

test.each([
	['semicolons', `${BTC};${ETH}`],
	['vertical bars', `${BTC}|${ETH}`],
	['quotation marks', `"${BTC}"`],
	['a comma in an entry of an array', [ETH, `${BTC},${ETH}`, ETH]],
])('only an entry with %s is refused, and it is not split', (_what, odd) => {
	const list = typeof odd === 'string' ? `${ETH}\n${odd}, ${ETH}` : odd;
	expect(read(list)).toEqual([
		ETH,
		expect.objectContaining({
			errorClass: 'invalid_input',
			message: expect.stringContaining('Addresses, entry 2'),
		}),
		ETH,
	]);
});

test.each([
	['customer.wallet', { customer: { wallet: ETH } }],
	['customer.wallet', { customer: JSON.stringify({ wallet: ETH }) }],
	['customer.wallet', { 'customer.wallet': ETH, customer: { wallet: BTC } }],
])('the field %s of %j holds the address', (addressField, item) => {
	const context = createContext({ items: [item], parameters: { addressField } });
	expect(addressReader(context)(itemReader(context, 0), 0)).toEqual([ETH]);
});

test('what is no address in a list is an error of its own, named by its place', () => {
	expect(read(JSON.stringify([ETH, 5, '']))).toEqual([
		ETH,
		...[2, 3].map(
			(number) =>
				expect.objectContaining({
					errorClass: 'invalid_input',
					message: expect.stringContaining(`Addresses, entry ${number}`),
				}) as object,
		),
	]);
});
