import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { type Execution, type Saved, type Workflow } from '../../../host/instance';
import { until } from '../../../host/until';
import type { Fields } from '../../../nodes/WalletScreening/service/json';
import { verifyEvidence } from '../../../nodes/WalletScreening/risk/evidence';
import { scenarios } from '../../../sandbox/scenarios';
import template from '../../../templates/watch-an-address.json';
import { type Answer, startExplorers } from '../../support/explorers';
import { greenAddresses, sanctionedAddress } from './addresses';
import { type DataTable, dataTable, makeTables } from './dataTable';
import type { Changes, Stage } from './stage';

interface Watched extends IDataObject {
	network: string;
	since: number | null;
	position: string | null;
	message: string | null;
}

interface Payment extends IDataObject {
	txid: string;
	sender: string;
	amount: string;
	outcome: string | null;
	problem: string | null;
}

/** The 10,000 bitcoins for two pizzas: 131 inputs of one address, of which only the sum is given here. */
const pizza = {
	txid: 'a1075db55d416d3ca199f55b6084e2115b9345e16c5cf302fc80e9d5fbf5d48d',
	block: 57_043,
	from: '1XPTgDRhN8RFnzniWCddobD9iKZatrvH4',
	to: '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ',
};

/** The first transaction of Ethereum. */
const firstEther = {
	hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
	block: 46_147,
	from: '0xa1e4380a3b1f749673e270229993ee55f35663b4',
	to: '0x5df9b87991262f6ba471f09758cde1c0fc1de734',
};

/** A transfer of 99 TRX; its ID is the SHA-256 of its raw data. */
const tron = {
	txID: '9d67598c8b90336fb876efc7a2b7b78534dab94a802baf481632c17bae11ce2e',
	time: 1_551_759_039_537,
	from: '4179309abcff2cf531070ca9222a1f72c4a5136874',
	to: '41a2d3cb65d9c05da645a0206304d8ef7d7e67f82c',
};
const usdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ethereumUsdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';

function base58(hex: string): string {
	const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();
	const bytes = Buffer.from(hex, 'hex');
	const whole = Buffer.concat([bytes, sha256(sha256(bytes)).subarray(0, 4)]);
	let text = '';
	for (let rest = BigInt(`0x${whole.toString('hex')}`); rest > 0n; rest /= 58n) {
		text = alphabet[Number(rest % 58n)] + text;
	}
	return text;
}

const txid = (name: string | number) => createHash('sha256').update(`watch ${name}`).digest('hex');
const wallet = (digits: string) =>
	scenarios.find(({ address }) => address.endsWith(digits))!.address;
const [green, other] = greenAddresses as [string, string];

/** The workflow that asks explorers for payments. */
export function watchTests(stageOf: () => Stage): void {
	let stage: Stage;
	let net: Awaited<ReturnType<typeof startExplorers>>;
	let changes: Changes;
	let workflow: Saved<Workflow>;
	let addresses: DataTable;
	let payments: DataTable;

	beforeAll(async () => {
		stage = stageOf();
		net = await startExplorers();
		const { id, name } = await stage.n8n.saveCredential({
			name: 'Etherscan',
			type: 'httpQueryAuth',
			data: { name: 'apikey', value: net.explorers.etherscanKey },
		});
		const credentials = { httpQueryAuth: { id, name } };
		const parametersOf = (node: string) =>
			template.nodes.find((one) => one.name === node)!.parameters as any;
		const { assignments } = parametersOf('Settings').assignments;
		const settings: Record<string, string> = {
			bitcoin_explorer: net.esplora,
			ethereum_explorer: net.etherscan,
			tron_explorer: net.tronGrid,
		};
		// The stand-ins have no rate limit.
		const quick = (node: string) => {
			const { pagination, ...options } = parametersOf(node).options;
			const at = (requestInterval: number) => ({
				pagination: { ...pagination.pagination, requestInterval },
			});
			return {
				options: {
					...options,
					pagination: at(1),
					batching: { batch: { batchSize: 1, batchInterval: 1 } },
				},
			};
		};
		changes = {
			Settings: {
				parameters: {
					assignments: {
						assignments: assignments.map((one: { name: string; value: unknown }) => ({
							...one,
							value: settings[one.name] ?? one.value,
						})),
					},
				},
			},
			'Bitcoin Transactions': { parameters: quick('Bitcoin Transactions') },
			'Newest Ethereum Block': { credentials },
			'Ethereum Transactions': { credentials, parameters: quick('Ethereum Transactions') },
			'Tron Transactions': { parameters: quick('Tron Transactions') },
		};
		workflow = await stage.importTemplate(template, changes);
		const made = await makeTables(stage, workflow);
		addresses = dataTable(stage.rest, made('Make the Table of Addresses'));
		payments = dataTable(stage.rest, made('Make the Table of Payments'));
	});
	afterAll(async () => await net?.close());

	const { bitcoin, ethereum } = {
		bitcoin: { wallet: pizza.to, network: 'bitcoin' },
		ethereum: { wallet: firstEther.to, network: 'ethereum' },
	};
	const tronWallet = { wallet: base58(tron.to), network: 'tron' };

	beforeEach(async () => {
		net.explorers.fault = undefined;
		net.explorers.requests.length = 0;
		net.explorers.pageSizes.bitcoin = 25;
		net.explorers.bitcoin = { tip: 57_100, transactions: [] };
		net.explorers.ethereum = { tip: 46_300, transactions: [] };
		net.explorers.tron = { transactions: [] };
	});

	/** Empties both tables, and watches these from their first transaction on. */
	const watch = async (...rows: IDataObject[]) => {
		await addresses.clear();
		await payments.clear();
		await addresses.insert(...rows.map((row) => ({ since: 0, ...row })));
	};
	const run = async (): Promise<Execution> => {
		const done = await stage.runFrom(workflow, 'Every Ten Minutes');
		expect(done.data.resultData.error?.message).toBeUndefined();
		expect(stage.slack.refused).toEqual([]);
		return done;
	};
	const watched = async () => await addresses.rows<Watched>();
	const recorded = async () => await payments.rows<Payment>();
	const senders = async () => (await recorded()).map(({ sender }) => sender).sort();
	/** Everything that Slack was sent since the last look, but that a first run starts. */
	const said = () => {
		const all = stage.slack.messages.splice(0).map((message) => JSON.stringify(message));
		return all.filter((message) => !message.includes('Watched from')).join('\n');
	};
	const screened = () =>
		stage.sandbox.requests
			.splice(0)
			.filter(({ method, path }) => method === 'POST' && path === '/v1/screen').length;

	const payBitcoin = (name: string | number, block: number, ...from: string[]) =>
		net.explorers.bitcoin.transactions.push({
			txid: txid(name),
			block,
			inputs: from.map((address) => ({ address, value: 60_000_000 })),
			outputs: [{ address: pizza.to, value: 50_000_000 }],
		});
	const payEther = (name: string, from: string, more: object = {}) =>
		net.explorers.ethereum.transactions.push({
			...{ list: 'txlist', hash: `0x${txid(name)}`, block: 46_200 },
			...{ from, to: firstEther.to, value: '1500000000000000000', ...more },
		});

	test('the first row makes the tables, with a sample, and nothing twice', async () => {
		await watch();
		for (const _ of [1, 2]) await makeTables(stage, workflow);
		const none = { since: null, position: null, message: null, notify_at: null };
		expect(await watched()).toMatchObject([{ network: 'bitcoin', ...none }]);
		expect(await recorded()).toEqual([]);
	});

	test('can be published, also without a key of Etherscan', async () => {
		const keyless = await stage.importTemplate(template);
		await expect(stage.n8n.publishWorkflow(keyless)).resolves.toBeUndefined();
		await stage.n8n.unpublishWorkflow(keyless);
	});

	test('without a key of Etherscan only Ethereum is not read, and Slack hears why', async () => {
		const { 'Newest Ethereum Block': _, 'Ethereum Transactions': __, ...others } = changes;
		const keyless = await stage.importTemplate(template, {
			...others,
			Settings: changes.Settings!,
		});
		payBitcoin('one', 57_000, green);
		await watch(ethereum, bitcoin);
		expect((await stage.runFrom(keyless, 'Every Ten Minutes')).status).toBe('success');
		expect(await senders()).toEqual([green]);
		expect(said()).toMatch(/ethereum 0x5df9\w+: :warning: Not read since the start: Etherscan/);
	});

	test('the first run says from which block on, and takes nothing from before', async () => {
		payBitcoin('before', 57_090, other);
		payEther('before', other);
		await watch({ ...bitcoin, since: null }, { ...ethereum, since: null });
		await run();
		expect(await recorded()).toEqual([]);
		expect(stage.slack.messages.map(({ text }) => text)).toEqual([
			`bitcoin ${pizza.to}: Watched from block 57098 on.`,
			`ethereum ${firstEther.to}: Watched from block 46269 on.`,
		]);
		said();
		net.explorers.bitcoin.tip += 3;
		payBitcoin('after', 57_101, green);
		await run();
		expect(await senders()).toEqual([green]);
		expect(stage.slack.messages).toEqual([]);
	});

	test('takes real transactions of three networks, each once, and records report and evidence', async () => {
		const { txid: id, block, from, to } = pizza;
		const inputs = Array.from({ length: 131 }, (_, n) => ({
			address: from,
			value: n ? 7_600_000_000 : 1_000_099_000_000 - 130 * 7_600_000_000,
		}));
		const outputs = [{ address: to, value: 1_000_000_000_000 }];
		net.explorers.bitcoin.transactions.push({ txid: id, block, inputs, outputs });
		net.explorers.ethereum.transactions.push({ list: 'txlist', ...firstEther, value: '31337' });
		const { txID, time: block_timestamp } = tron;
		const [sender, receiver] = [base58(tron.from), base58(tron.to)];
		const value = { amount: 99_000_000, owner_address: tron.from, to_address: tron.to };
		net.explorers.tron.transactions.push({
			...{ list: 'transactions', block_timestamp, from: sender, to: receiver },
			entry: {
				ret: [{ contractRet: 'SUCCESS' }],
				txID,
				block_timestamp,
				raw_data: { contract: [{ parameter: { value }, type: 'TransferContract' }] },
			},
		});
		const token = { symbol: 'USDT', decimals: 6, name: 'Tether USD' };
		const transfer = (name: string, address: string) => ({
			...{ list: 'transactions/trc20' as const, block_timestamp, from: sender, to: receiver },
			entry: {
				...{ transaction_id: txid(name), token_info: { ...token, address }, block_timestamp },
				...{ from: sender, to: receiver, type: 'Transfer', value: '2500000' },
			},
		});
		net.explorers.tron.transactions.push(
			transfer('usdt', usdt),
			transfer('forged', base58(tron.from)),
		);
		await watch(bitcoin, ethereum, tronWallet);
		await run();

		const rows = await recorded();
		expect(rows).toMatchObject([
			{ txid: id, block, sender: from, amount: '10000 BTC', network: 'bitcoin' },
			{ txid: firstEther.hash, sender: firstEther.from, amount: '0.000000000000031337 ETH' },
			{ txid: txID, sender, amount: '99 TRX', network: 'tron' },
			{ txid: txid('usdt'), sender, amount: '2.5 USDT' },
		]);
		expect(screened()).toBe(4);
		for (const { report, evidence, outcome, summary } of rows) {
			const item = {
				...(JSON.parse(String(report)) as Fields),
				evidence: JSON.parse(String(evidence)),
			};
			expect(verifyEvidence(item)).toEqual({ valid: true, findings: [] });
			expect(item.evidence.decision).toMatchObject({ outcome, summary });
		}
		const asked = net.explorers.requests.map(({ search }) => search).join();
		expect(asked).not.toMatch(/NaN|undefined|null|fingerprint/);

		await run();
		expect(await recorded()).toHaveLength(4);
		expect(screened()).toBe(0);
		expect((await watched()).map(({ position }) => position)).toEqual([
			String(block),
			'{"txlist":46147}',
			JSON.stringify({ transactions: tron.time, 'transactions/trc20': tron.time }),
		]);
	});

	test('each sender of a transaction has a row; the template distinguishes change, payjoins and new coins', async () => {
		const list = net.explorers.bitcoin.transactions;
		payBitcoin('two', 57_001, green, sanctionedAddress, green);
		const own = { address: pizza.to, value: 90_000_000 };
		const change = { address: pizza.to, value: 10_000_000 };
		list.push({ txid: txid('out'), block: 57_002, inputs: [own], outputs: [change] });
		const payjoin = { ...own, value: 95_000_000 };
		const mixed = [own, { address: other, value: 6_000_000 }];
		list.push({ txid: txid('payjoin'), block: 57_003, inputs: mixed, outputs: [payjoin] });
		list.push({ txid: txid('minted'), block: 57_004, inputs: [], outputs: [own] });
		const keys = [{ value: 1 }, { value: 2 }];
		list.push({ txid: txid('keys'), block: 57_005, inputs: keys, outputs: [change] });
		await watch(bitcoin);
		await run();
		const rows = await recorded();
		expect(rows.map((row) => [row.txid, row.sender, row.amount, row.outcome])).toEqual(
			expect.arrayContaining([
				[txid('two'), green, '0.5 BTC', 'allow'],
				[txid('two'), sanctionedAddress, '0.5 BTC', 'block'],
				[txid('payjoin'), other, '0.05 BTC', 'allow'],
				[txid('minted'), 'coinbase', '0.9 BTC', 'review'],
				[txid('keys'), 'no address', '0.1 BTC', 'review'],
			]),
		);
		expect(rows).toHaveLength(5);
		const message = said();
		for (const known of [sanctionedAddress, txid('two'), txid('minted'), txid('keys'), '0.5 BTC']) {
			expect(message).toContain(known);
		}
		expect(message).toMatch(/1 block, 2 review/);
		for (const unknown of [green, other]) expect(message).not.toContain(unknown);
	});

	test('ether from contracts and listed tokens count; failed, empty, own and forged ones do not', async () => {
		const token = { address: ethereumUsdt, symbol: 'USDT', decimals: 6 };
		const forged = { ...token, address: `0x${'ab'.repeat(20)}` };
		const { to } = firstEther;
		payEther('plain', wallet('06'));
		payEther('contract', wallet('01'), { list: 'txlistinternal' });
		payEther('token', wallet('10'), { list: 'tokentx', token, value: '2000000' });
		payEther('plain', wallet('06'), { list: 'tokentx', token, value: '7' });
		payEther('forged', wallet('02'), { list: 'tokentx', token: forged });
		payEther('failed', wallet('03'), { isError: true });
		payEther('empty', wallet('04'), { value: '0' });
		payEther('own', to, { to: wallet('05') });
		payEther('self', to, { to });
		await watch({ ...ethereum, wallet: `0x${to.slice(2).toUpperCase()}` });
		await run();
		const rows = await recorded();
		expect(rows.map(({ sender, amount, outcome }) => [sender, amount, outcome])).toEqual([
			[wallet('06'), '1.5 ETH + 0.000007 USDT', 'allow'],
			[wallet('01'), '1.5 ETH', 'block'],
			[wallet('10'), '2 USDT', 'review'],
		]);
	});

	test('takes all pages of a history once, also if pages overlap', async () => {
		for (let n = 0; n < 30; n++) payBitcoin(n, 56_000 + 3 * n, greenAddresses[n % 20]!);
		for (let n = 0; n < 3; n++) payEther(`page ${n}`, greenAddresses[n]!);
		// Each page begins with the last entry of the one before it.
		const { answer } = net.explorers;
		net.explorers.answer = (url) => {
			const given = answer.call(net.explorers, url) as Answer;
			const [, last] = /\/chain\/(\w+)$/.exec(url.pathname) ?? [];
			if (!last || !(given.body as object[]).length) return given;
			const [seen] = net.explorers.bitcoin.transactions.filter((one) => one.txid === last);
			const { address, value } = seen!.inputs[0]!;
			const prevout = { scriptpubkey_address: address, value };
			const vout = [{ scriptpubkey_address: pizza.to, value: 50_000_000 }];
			const status = { confirmed: true, block_height: seen!.block };
			return {
				...given,
				body: [{ txid: last, vin: [{ prevout }], vout, status }, ...(given.body as [])],
			};
		};
		await watch(bitcoin, ethereum);
		await run();
		net.explorers.answer = answer;
		const ids = (await recorded()).map((row) => row.txid);
		expect(ids).toHaveLength(33);
		expect(new Set(ids).size).toBe(33);
		expect((await recorded()).every(({ outcome }) => outcome === 'allow')).toBe(true);
	});

	const json = (body: unknown, status = 200): Answer => ({ status, body });
	const html: Answer = { status: 200, body: '<html>Just a moment…</html>', type: 'text/html' };
	const notOk = (result: string) => json({ status: '0', message: 'NOTOK', result });
	const faults: Array<[string, string, (url: URL) => Answer | 'reset' | undefined]> = [
		['cannot be reached', 'hang up', () => 'reset'],
		['answers 500', '500', () => json({ error: 'x' }, 500)],
		['is over its limit', '429', () => ({ status: 429, body: 'Too Many Requests' })],
		['sends a page of HTML', '', () => html],
		['sends other JSON', '', () => json({ ok: true })],
		[
			'knows the newest block only',
			'',
			({ href }) => (/tip|eth_blockNumber/.test(href) ? undefined : html),
		],
		['is over its limit with 200', 'Max rate limit reached', () => notOk('Max rate limit reached')],
		[
			'breaks off after the first page',
			'',
			({ href }) => (/chain\/|page=2|tokentx|trc20/.test(href) ? json([]) : undefined),
		],
	];
	test.each(faults)('if the explorer %s, nothing is lost', async (_, reason, fault) => {
		net.explorers.pageSizes.bitcoin = 3;
		for (let n = 0; n < 5; n++) payBitcoin(n, 57_000 + n, green);
		payEther('one', other);
		await watch(bitcoin, ethereum, tronWallet);
		net.explorers.fault = fault;
		await run();
		expect(await recorded()).toEqual([]);
		for (const { position, message } of await watched()) {
			expect(position).toBeNull();
			expect(message).toMatch(
				/^:warning: Not read since the start: (Esplora|Etherscan|TronGrid)\W/,
			);
			expect(message).not.toMatch(/\[line|[<>]/);
		}
		expect(said()).toContain(reason);

		net.explorers.fault = undefined;
		await run();
		expect(await recorded()).toHaveLength(6);
		expect((await watched()).map(({ message }) => message?.slice(0, 12))).toEqual(
			Array(3).fill('Watched from'),
		);
	});

	test('an explorer that fails for an hour is reported every hour, and does not hold up the others', async () => {
		await watch(bitcoin, ethereum);
		await run();
		said();
		net.explorers.fault = ({ pathname }) => (pathname === '/etherscan' ? 'reset' : undefined);
		payBitcoin('meanwhile', 57_098, green);
		await run();
		expect(await senders()).toEqual([green]);
		expect(said()).toBe('');
		await addresses.setAll({ notify_at: '2026-01-01T00:00:00.000Z' });
		await run();
		expect(said()).toMatch(/ethereum 0x5df9\w+: :warning: Not read since \d{4}-\S+: Etherscan: /);
		await run();
		expect(said()).toBe('');
	});

	test('an invalid network or wallet is reported at once', async () => {
		await watch({ ...bitcoin, network: 'dogecoin' }, { ...ethereum, wallet: 'no wallet' });
		await run();
		const message = said();
		expect(message).toContain('the network is unknown');
		expect(message).toContain('Invalid address format');
	});

	test('waits for confirmations; a reorganisation moves or drops a payment, and it is taken once or never', async () => {
		payBitcoin('moved', 57_100, green);
		payBitcoin('dropped', 57_100, other);
		payBitcoin('settled', 57_098, wallet('06'));
		await watch(bitcoin);
		await run();
		expect(await senders()).toEqual([wallet('06')]);

		const list = net.explorers.bitcoin.transactions;
		list.splice(1, 1);
		list[0]!.block = 57_102;
		net.explorers.bitcoin.tip = 57_103;
		await run();
		expect(await senders()).toEqual([wallet('06')]);
		net.explorers.bitcoin.tip = 57_104;
		await run();
		expect(await senders()).toEqual([green, wallet('06')].sort());

		// Deeper than the confirmations: what was taken moves on, and another comes in below it.
		list[1]!.block = 57_110;
		payBitcoin('inserted', 57_097, greenAddresses[3]!);
		net.explorers.bitcoin.tip = 57_120;
		await run();
		await run();
		expect(await senders()).toEqual([green, wallet('06'), greenAddresses[3]!].sort());
		expect(screened()).toBe(3);
	});

	test('what could not be screened stays open, is reported, and is screened the next time', async () => {
		payEther('refused', wallet('13'));
		payEther('later', green);
		payEther('blocked', wallet('01'));
		stage.sandbox.addFault({
			when: ({ body }) => (body as { address?: string })?.address === green,
			effect: { kind: 'answer', status: 401 },
		});
		await watch(ethereum);
		await run();
		expect(await recorded()).toMatchObject([
			{ sender: wallet('13'), outcome: null, problem: expect.stringContaining('400') },
			{ sender: green, outcome: null, problem: expect.stringMatching(/\w/) },
			{ sender: wallet('01'), outcome: 'block', problem: null },
		]);
		expect(said()).toMatch(/1 block, 2 failed/);

		await run();
		expect(said()).toBe('');

		stage.sandbox.clearFaults();
		await run();
		expect((await recorded()).map(({ outcome }) => outcome)).toEqual([null, 'allow', 'block']);
		// Who was notified that it is open is notified that it is allowed.
		const message = said();
		expect(message).toMatch(/1 allow/);
		expect(message).toContain(green);
		expect(message).not.toContain(wallet('13'));
	});

	test('a payment that another run decides and reports meanwhile is not reported again', async () => {
		payEther('later', wallet('01'));
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		await watch(ethereum);
		await run();
		said();
		await payments.setAll({ notify_at: '2026-01-01T00:00:00.000Z' });
		stage.slack.meanwhile = async () => {
			stage.sandbox.clearFaults();
			await run();
		};
		await run();
		expect(said()).toMatch(/1 failed[^]*1 block|1 block[^]*1 failed/);
		expect(await recorded()).toMatchObject([{ outcome: 'block', notify_at: null }]);
	});

	test('what Slack did not take is reported the next time, and not screened again', async () => {
		await watch(ethereum);
		await run();
		said();
		payEther('blocked', wallet('01'));
		stage.slack.isDown = true;
		const failed = await stage.runFrom(workflow, 'Every Ten Minutes');
		expect(failed.status).toBe('error');
		expect(await recorded()).toMatchObject([{ outcome: 'block' }]);
		expect(screened()).toBe(1);
		stage.slack.isDown = false;
		await run();
		expect(said()).toContain(wallet('01'));
		expect(screened()).toBe(0);
		await run();
		expect(said()).toBe('');
	});

	test('a run that fails or is stopped between screening and recording loses nothing', async () => {
		await watch(ethereum);
		payEther('one', wallet('01'));
		payEther('two', green);
		const broken = await stage.importTemplate(template, {
			...changes,
			'Record the Decision': {
				parameters: { dataTableId: { __rl: true, mode: 'name', value: 'Gone' } },
			},
		});
		expect((await stage.runFrom(broken, 'Every Ten Minutes')).status).toBe('error');
		expect((await recorded()).map(({ outcome }) => outcome)).toEqual([null, null]);

		stage.sandbox.addFault({ effect: { kind: 'delay', ms: 60_000 } });
		const body = { workflowData: workflow, triggerToStartFrom: { name: 'Every Ten Minutes' } };
		screened();
		const started = stage.rest('POST', `/workflows/${workflow.id}/run`, body);
		await started;
		const [running] = await until('the run', async () => {
			const list = await stage.n8n.executionsOf(workflow);
			return list[0]?.status === 'running' && stage.sandbox.requests.length > 0 ? list : undefined;
		});
		await stage.n8n.stopExecution(String(running!.id));
		expect((await stage.n8n.finishedExecution(String(running!.id))).status).toBe('canceled');
		stage.sandbox.clearFaults();
		stage.sandbox.requests.length = 0;

		await run();
		expect((await recorded()).map(({ outcome }) => outcome)).toEqual(['block', 'allow']);
		expect(screened()).toBe(2);
		expect(said()).toContain(wallet('01'));
	});

	test('a decision that was switched off by mistake is a review, not a loop', async () => {
		const undecided = await stage.importTemplate(template, {
			...changes,
			'Screen the Sender': { parameters: { addDecision: false } },
		});
		payEther('one', green);
		await watch(ethereum);
		expect((await stage.runFrom(undecided, 'Every Ten Minutes')).status).toBe('success');
		expect(await recorded()).toMatchObject([
			{ outcome: 'review', summary: 'No decision was made' },
		]);
	});
}
