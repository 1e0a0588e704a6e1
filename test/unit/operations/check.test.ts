import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';
import { createContext } from '../support/context';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const WIF = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';

async function run(items: IDataObject[], parameters: IDataObject = {}, continueOnFail = true) {
	const context = createContext({
		items,
		continueOnFail,
		parameters: {
			...{ resource: 'address', operation: 'check' },
			address: (index: number) => items[index]!.wallet,
			...parameters,
		},
	});
	const [output] = await new WalletScreening().execute.call(context);
	return output as INodeExecutionData[];
}

test('an item keeps its fields and says what its address shows', async () => {
	const [item] = await run([{ wallet: ETH, customer: 'C-1' }]);
	expect(item!.json).toEqual({
		wallet: ETH,
		customer: 'C-1',
		check: {
			checksum: 'valid',
			format: 'EVM',
			chains: expect.arrayContaining(['ETH']),
			findings: [],
			lookalike_of: null,
		},
	});
	expect(item!.pairedItem).toEqual({ item: 0 });
});

test.each([
	[`${ETH} `, 'valid', []],
	[
		ETH.slice(0, -1),
		'invalid',
		['An EVM address is 0x and 40 hexadecimal digits, and this one is not.'],
	],
	['0xd8dA...6045', 'invalid', ["'Address' is shortened: dots stand for a part of it."]],
	[`${ETH} and more`, 'invalid', [expect.stringContaining('contains a space')]],
	['hello', 'none', [expect.stringContaining('not known')]],
])('the check of %j: %s', async (wallet, checksum, findings) => {
	const [item] = await run([{ wallet }]);
	expect(item!.json.check).toMatchObject({ checksum, findings });
});

test.each([
	['a text', `${ETH}\nTR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t`],
	['an array', [ETH]],
])('an address that looks like one of %s is told', async (_, knownAddresses) => {
	const poisoned = `0xd8d${'1'.repeat(33)}6045`;
	const items = await run([{ wallet: poisoned }, { wallet: ETH.toLowerCase() }], {
		knownAddresses,
	});
	expect(items.map(({ json }) => (json.check as IDataObject).lookalike_of)).toEqual([ETH, null]);
	expect((items[0]!.json.check as IDataObject).findings).toHaveLength(2);
});

test('an item without an address, and a known address that is none, are errors of the input', async () => {
	const [empty] = await run([{ wallet: '' }]);
	expect(empty!.json.details).toMatchObject({ errorClass: 'invalid_input', parameter: 'Address' });
	const [wrong] = await run([{ wallet: ETH }], { knownAddresses: `${ETH}\na b` });
	expect(wrong!.json.details).toMatchObject({ parameter: 'Known Addresses, entry 2' });
});

test('a private key is in no item and no error, wherever the input item holds it', async () => {
	const input = [{ wallet: ` ${WIF}`, note: `key: ${WIF}`, error: 'x', customer: 'C-1' }];
	const [item] = await run(input);
	expect(item!.json).toMatchObject({ details: { errorClass: 'invalid_input' }, customer: 'C-1' });
	expect(JSON.stringify(item)).not.toContain(WIF);
	const thrown: unknown = await run(input, {}, false).catch((error: unknown) => error);
	expect(JSON.stringify([thrown, (thrown as Error).message])).not.toContain(WIF);
});
