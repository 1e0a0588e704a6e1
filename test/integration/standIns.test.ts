/** The stand-ins fail where what they stand for fails: a test must not pass by their patience. */
import Fastify from 'fastify';
import { runCommand } from '../../tools/host/child';
import { addPayments } from '../../tools/trial/payments';
import { createDataTables } from '../support/engine/dataTables';
import { createListener, serve } from '../support/servers/server';
import { createSheets } from '../support/servers/sheets';
import { startStatusReceiver } from '../support/servers/statusReceiver';
import { fieldsOf, fillForm } from '../support/browser/form';

/** Servers that are closed after the test. */
const servers: Array<{ close(): Promise<void> }> = [];
afterEach(() => Promise.all(servers.splice(0).map((server) => server.close())));
function closedAfter<T extends { close(): Promise<void> }>(server: T): T {
	servers.push(server);
	return server;
}

it('a server whose handler throws answers 500 with the reason', async () => {
	const failing = createListener(() => {
		throw new Error('No such thing');
	});
	const { url } = closedAfter(await serve(failing));
	const answer = await fetch(url);
	expect([answer.status, await answer.text()]).toEqual([500, expect.stringContaining('No such')]);
});

it('the spreadsheet answers how many cells were written, and takes no range of another tab', async () => {
	const sheets = createSheets();
	const { url } = closedAfter(await serve(sheets.sites['sheets.googleapis.com']!));
	const authorization = `Bearer ya29.a-token-of-the-test`;
	const path = `/v4/spreadsheets/${/d\/(.+)\/edit/.exec(sheets.url)![1]}/values:batchUpdate`;
	const write = async (range: string) =>
		await fetch(url + path, {
			method: 'POST',
			headers: { authorization },
			body: JSON.stringify({
				valueInputOption: 'RAW',
				data: [{ range, values: [['a', 'b', 'c']] }],
			}),
		});
	const written = await write(`${sheets.tab}!A1:C1`);
	expect(await written.json()).toMatchObject({ totalUpdatedCells: 3 });
	expect((await write('Another!A1:C1')).status).toBe(500);
});

it('the receiver of statuses takes nothing with a wrong signature', async () => {
	const receiver = closedAfter(await startStatusReceiver());
	const answer = await fetch(receiver.url, {
		method: 'POST',
		headers: {
			'webhook-id': 'msg_1',
			'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
			'webhook-signature': 'v1,AAAA',
		},
		body: JSON.stringify({ data: { payment_id: 'P', status: 'released', number: 1 } }),
	});
	expect(answer.status).toBe(401);
	expect(receiver.statusesOf('P')).toEqual([]);
	expect(receiver.callbacks).toMatchObject([{ problem: 'wrong signature' }]);
});

/** The payment system of the trial, with an n8n that takes each payment. */
async function startPaymentSystem() {
	const app = closedAfter(Fastify());
	const link = { sendPayment: async () => new Response(), readRows: async () => [] };
	const system = addPayments(app, { ...link, token: 'token', signingText: 'signing' });
	return { system, url: await app.listen({ host: '127.0.0.1', port: 0 }) };
}

it('the payment system of the trial takes no payment without an address, and no action that is no object', async () => {
	const { system, url } = await startPaymentSystem();
	const form = new URLSearchParams({ amount: '1 ETH' });
	const payment = await fetch(`${url}/payments`, { method: 'POST', body: form });
	expect([payment.status, await payment.text()]).toEqual([400, expect.stringContaining('address')]);
	const headers = { authorization: 'Bearer token', 'content-type': 'application/json' };
	for (const body of ['null', '[]', '{"freeze":{}}']) {
		const answer = await fetch(`${url}/do/freeze`, { method: 'POST', headers, body });
		expect([body, answer.status]).toEqual([body, 400]);
	}
	expect([await system.list(), system.otherRequests()]).toEqual([[], []]);
});

it('the payment system of the trial carries nothing out without an Idempotency-Key', async () => {
	const { system, url } = await startPaymentSystem();
	const freeze = async (key: Record<string, string>) =>
		await fetch(`${url}/do/freeze`, {
			method: 'POST',
			headers: { authorization: 'Bearer token', 'content-type': 'application/json', ...key },
			body: JSON.stringify({ freeze: 'an account' }),
		});
	expect((await freeze({})).status).toBe(400);
	expect(system.otherRequests()).toEqual([]);
	expect((await freeze({ 'idempotency-key': 'a' })).status).toBe(200);
	expect(system.otherRequests()).toHaveLength(1);
});

it('a data table finds by a time as text, by a beginning, and by no other pattern', async () => {
	const columns = [
		{ name: 'address', type: 'string' },
		{ name: 'seen', type: 'date' },
	];
	const tables = createDataTables({ Wallets: columns });
	tables.insert('Wallets', { address: 'abX', seen: '2026-11-20' }, { address: 'abc', seen: null });
	const provider = tables.provider as {
		getDataTableProxy(workflow: unknown, node: unknown, id: string): Promise<any>;
	};
	const proxy = await provider.getDataTableProxy(undefined, undefined, 'Wallets');
	const count = async (columnName: string, condition: string, value: string) => {
		const filters = [{ columnName, condition, value }];
		return (await proxy.getManyRowsAndCount({ filter: { type: 'and', filters } })).count;
	};
	expect(await count('seen', 'lt', '2026-11-21T00:00:00Z')).toBe(1);
	expect(await count('seen', 'lt', '2026-11-19T00:00:00Z')).toBe(0);
	expect(await count('address', 'like', 'ab%')).toBe(2);
	for (const pattern of ['abc', 'a%c'])
		await expect(count('address', 'like', pattern)).rejects.toThrow(`The pattern ${pattern} is`);
});

it('a person sends of a form what a browser sends', () => {
	const fields = fieldsOf(`<form>
		<label for="field-0">Agreed</label><input type="checkbox" name="field-0" value="yes">
		<label for="field-1">Copy</label><input type="checkbox" name="field-1" value="yes" checked>
		<label for="field-2">Chain</label><select name="field-2"><option value="ETH">Ethereum</option>
			<option value="BTC">Bitcoin</option></select>
		<label for="field-3">Level</label><select name="field-3"><option>green</option>
			<option selected>red</option></select>
		<label for="field-4">Note</label><input name="field-4"></form>`);
	const sent = { 'field-1': 'yes', 'field-2': 'ETH', 'field-3': 'red', 'field-4': '' };
	expect(fillForm(fields, {})).toEqual(sent);
	expect(fillForm(fields, { Agreed: 'yes' })).toEqual({ ...sent, 'field-0': 'yes' });
});

it('the output of a command is whole where a character comes in two pieces', async () => {
	const code = `process.stdout.write('x' + 'é'.repeat(200000))`;
	const output = await runCommand([process.execPath, '-e', code], { cwd: __dirname });
	expect(output).toBe(`x${'é'.repeat(200_000)}`);
});
