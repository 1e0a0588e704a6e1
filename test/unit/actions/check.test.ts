import type { IDataObject } from 'n8n-workflow';

import { ethereum, privateKey } from '../../support/data/knownAddresses';
import { createContext } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';

async function run(items: IDataObject[], parameters: IDataObject = {}, continueOnFail = true) {
	const address = (index: number) => items[index]!.wallet;
	const check = { resource: 'address', operation: 'check', address };
	const context = createContext({ items, continueOnFail, parameters: { ...check, ...parameters } });
	return await execute(context);
}
const itemOf = async (...given: Parameters<typeof run>) => (await run(...given)).items[0]!.json;

test('an item keeps its fields and says what its address shows', async () => {
	const chains = expect.arrayContaining(['ETH']) as string[];
	const check = { checksum: 'valid', format: 'EVM', chains, findings: [], lookalike_of: null };
	const item = { wallet: ethereum, customer: 'C-1' };
	expect(await itemOf([item])).toEqual({ ...item, check });
});

test.each([
	[ethereum.slice(0, -1), 'invalid', '40 hexadecimal digits'],
	['0xd8dA...6045', 'none', 'not known'],
	['250.00', 'none', 'a number'],
	['hello_world', 'none', 'not known'],
])('the check of %j: its checksum is %s, and it finds: %s', async (wallet, checksum, finding) => {
	const findings = [expect.stringContaining(finding) as string];
	expect((await itemOf([{ wallet }])).check).toMatchObject({ checksum, findings });
});

test('one that looks like a known address is told', async () => {
	const wallets = [`0xd8d${'1'.repeat(33)}6045`, ethereum.toLowerCase()].map((wallet) => ({
		wallet,
	}));
	const { items } = await run(wallets, { knownAddresses: `${ethereum}\nalice.near` });
	const [poisoned, own] = items.map(({ json }) => json.check as IDataObject);
	const anyText = expect.any(String) as string;
	expect(poisoned).toMatchObject({ lookalike_of: ethereum, findings: [anyText, anyText] });
	expect(own).toMatchObject({ lookalike_of: null });
});

test('an item without an address, and a known address that is none, are errors of the input', async () => {
	const empty = await itemOf([{ wallet: '' }]);
	expect(empty.details).toMatchObject({ errorClass: 'invalid_input', parameter: 'Address' });
	const wrong = await itemOf([{ wallet: ethereum }], { knownAddresses: `${ethereum}\na b` });
	expect(wrong.details).toMatchObject({ parameter: 'Known Addresses, entry 2' });
});

test('what stands beside an address is told beside what its format shows', async () => {
	const known = expect.stringContaining('not known') as string;
	const beside = expect.stringContaining('an address and something else') as string;
	const { check } = await itemOf([{ wallet: `${ethereum}:1` }]);
	expect(check).toMatchObject({ checksum: 'none', findings: [known, beside] });
});

test.each([
	['in a longer text', (key: string) => `key: ${key}`],
	['nested', (key: string) => ({ wallets: [{ key }] })],
	['in JSON', (key: string) => JSON.stringify({ key })],
])('a private key %s in a field of the input is in no error item', async (_, hold) => {
	const json = JSON.stringify(
		await itemOf([{ wallet: privateKey, customer: hold(privateKey) as string }]),
	);
	expect(json).toContain('contains a private key');
	expect(json).not.toContain(privateKey);
});

test('a private key is in no error, and not in what it keeps of the input item', async () => {
	const input = [{ wallet: ` ${privateKey}`, note: privateKey, error: 'x', customer: 'C-1' }];
	const item = await itemOf(input);
	expect(item).toMatchObject({ details: { errorClass: 'invalid_input' }, customer: 'C-1' });
	expect(JSON.stringify(item)).not.toContain(privateKey);
	const { error } = await run(input, {}, false);
	expect(JSON.stringify([error, error!.message])).not.toContain(privateKey);
});

test('an honest sentence and a list of words stay as they came, also beside what is refused', async () => {
	const reason = 'payment order for goods shipped from port under letter from bank dated june';
	const words = { reason, tags: reason.split(' ') };
	expect(await itemOf([{ wallet: ethereum, ...words }])).toMatchObject(words);
	expect(await itemOf([{ wallet: privateKey, ...words }])).toMatchObject(words);
});
