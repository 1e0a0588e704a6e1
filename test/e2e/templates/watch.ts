import { createHash } from 'node:crypto';
import type { IDataObject, INode } from 'n8n-workflow';
import { sha256 } from '@noble/hashes/sha2';
import { createBase58check } from '@scure/base';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { scenarioAddress } from '../../../sandbox/scenarios';
import {
	greenAddress as green,
	greenAddresses,
	notGreenAddress,
	otherGreen as other,
	sanctionedAddress,
	thirdGreen as third,
} from './addresses';
import { type Answer, etherscanKey, startExplorers } from './explorers';
import { table, where } from './dataTable';
import {
	resourceLocator,
	yearlySchedule,
	parametersOf,
	pastTime,
	stage,
	untilQuiet,
} from './stage';

interface Watched extends IDataObject {
	checked_at: string | null;
	problem: string | null;
}

interface Received extends IDataObject {
	reference: string;
	address: string;
	amount: string;
	asset: string;
	outcome: string | null;
	tell_at: string | null;
}

/** The 10,000 bitcoins for two pizzas: 131 inputs of one address, of which only the sum is given here. */
const pizza = {
	txid: 'a1075db55d416d3ca199f55b6084e2115b9345e16c5cf302fc80e9d5fbf5d48d',
	time: 1_274_552_191,
	from: '1XPTgDRhN8RFnzniWCddobD9iKZatrvH4',
	to: '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ',
};

/** The first transaction of Ethereum. */
const firstEther = {
	hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
	time: 1_438_918_233,
	from: '0xa1e4380a3b1f749673e270229993ee55f35663b4',
	to: '0x5df9b87991262f6ba471f09758cde1c0fc1de734',
};

const base58 = (hex: string) => createBase58check(sha256).encode(Buffer.from(hex, 'hex'));
/** A transfer of 99 TRX. */
const trx = {
	txID: '9d67598c8b90336fb876efc7a2b7b78534dab94a802baf481632c17bae11ce2e',
	time: 1_551_759_039_537,
	from: base58('4179309abcff2cf531070ca9222a1f72c4a5136874'),
	to: base58('41a2d3cb65d9c05da645a0206304d8ef7d7e67f82c'),
};
const tronUsdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
const ethereumUsdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';

const longAgo = '2009-01-01T00:00:00.000Z';
const id = (name: string | number) => createHash('sha256').update(`watch ${name}`).digest('hex');
const refused = scenarioAddress('0013');

const wallets = {
	bitcoin: { wallet: pizza.to, network: 'bitcoin' },
	ethereum: { wallet: firstEther.to, network: 'ethereum' },
	tron: { wallet: trx.to, network: 'Tron' },
};
type Network = keyof typeof wallets;
const networks = Object.keys(wallets) as Network[];

/** Publishes the workflow of a network with these values in its plan, e.g. which explorer it asks, and when. */
export async function publishWatch(network: Network, plan: IDataObject, schedule: Partial<INode>) {
	const parameters = await parametersOf(`watch-${network}`, 'Plan');
	for (const one of parameters.assignments.assignments) one.value = plan[one.name] ?? one.value;
	const changes = { 'Every Ten Minutes': schedule, Plan: { parameters } };
	return await stage.publishTemplate(`watch-${network}`, changes);
}

/** The workflows that ask explorers for payments, and the one that screens those. */
export function watchTests(): void {
	let net: Awaited<ReturnType<typeof startExplorers>>;
	let watchers: Record<Network, Saved<Workflow>>;
	let screener: Saved<Workflow>;
	let urls: Record<Network, string>;

	beforeAll(async () => {
		net = await startExplorers();
		urls = { bitcoin: net.esplora, ethereum: net.etherscan, tron: net.tronGrid };
		const published = [];
		for (const one of networks)
			published.push([one, await publishWatch(one, { explorer: urls[one] }, yearlySchedule)]);
		watchers = Object.fromEntries(published);
		screener = await stage.publishTemplate('watch-screen', { 'Every Ten Minutes': yearlySchedule });
	});
	afterAll(async () => {
		await net?.close();
		await watched.clear();
		await stage.withdrawAll();
	});
	const [watched, received] = [table('Screening Watch'), table('Screening Received')];
	const rows = async () => await received.rows<Received>();
	const payments = async () =>
		(await rows()).map((row) => [row.reference, row.address, `${row.amount} ${row.asset}`]);
	beforeEach(async () => {
		Object.assign(net.explorers, { fault: undefined, bitcoin: [], ethereum: [], tron: [] });
		net.explorers.pageSizes = { bitcoin: 25, tron: 200 };
		await watched.clear();
		await received.clear();
	});

	const watch = async (...all: Network[]) =>
		await watched.insert(...all.map((one) => ({ ...wallets[one], checked_at: longAgo })));
	const read = async (...some: Network[]) => {
		for (const one of some.length ? some : networks)
			await stage.runFrom(watchers[one], 'Every Ten Minutes');
	};
	const readWith = async (network: Network, tokens: string) => {
		const workflow = await publishWatch(
			network,
			{ explorer: urls[network], tokens },
			yearlySchedule,
		);
		await stage.runFrom(workflow, 'Every Ten Minutes');
	};
	const screen = async () => await stage.runFrom(screener, 'Every Ten Minutes');
	const said = () => stage.slack.messages.splice(0).map((message) => JSON.stringify(message));

	const payBitcoin = (name: string | number, ...from: string[]) =>
		net.explorers.bitcoin.push({
			txid: id(name),
			inputs: from.map((address) => ({ address, value: 60_000_000 })),
			outputs: [{ address: pizza.to, value: 50_000_000 }],
		});
	const payEther = (name: string | number, from: string, more: object = {}) =>
		net.explorers.ethereum.push({
			list: 'txlist',
			hash: `0x${id(name)}`,
			from,
			to: firstEther.to,
			value: '1500000000000000000',
			...more,
		});
	const payTrx = (txID: string, block_timestamp = Date.now()) => {
		const value = { amount: 99_000_000, owner_address: 'in hexadecimal', to_address: '' };
		const contract = [{ parameter: { value }, type: 'TransferContract' }];
		const entry = {
			ret: [{ contractRet: 'SUCCESS' }],
			txID,
			block_timestamp,
			raw_data: { contract },
		};
		const { from, to } = trx;
		net.explorers.tron.push({ list: 'transactions', block_timestamp, from, to, entry });
	};
	const payToken = (name: string, address: string) => {
		const token_info = { symbol: 'USDT', decimals: 6, address };
		const { from, to } = trx;
		const parties = { from, to, block_timestamp: Date.now() };
		const transfer = { transaction_id: id(name), type: 'Transfer', token_info, value: '2500000' };
		const entry = { ...parties, ...transfer };
		net.explorers.tron.push({ list: 'transactions/trc20', ...parties, entry });
	};

	test('takes real transactions of three networks, each once, and screens the sender', async () => {
		const inputs = Array.from({ length: 131 }, (_, n) => ({
			address: pizza.from,
			value: n ? 7_600_000_000 : 1_000_099_000_000 - 130 * 7_600_000_000,
		}));
		const outputs = [{ address: pizza.to, value: 1_000_000_000_000 }];
		net.explorers.bitcoin.push({ txid: pizza.txid, time: pizza.time, inputs, outputs });
		net.explorers.ethereum.push({ list: 'txlist', ...firstEther, value: '31337' });
		payTrx(trx.txID, trx.time);
		payToken('usdt', tronUsdt);
		payToken('forged', trx.from);
		await watch(...networks);
		for (let again = 0; again < 2; again++) {
			await read();
			expect(await payments()).toEqual([
				[pizza.txid, pizza.from, '10000 BTC'],
				[firstEther.hash, firstEther.from, '3.1337e-14 ETH'],
				[trx.txID, trx.from, '99 TRX'],
				[id('usdt'), trx.from, '2.5 USDT'],
			]);
			await screen();
			expect(stage.sandbox.requests).toHaveLength(4);
		}
		for (const { outcome } of await rows()) expect(outcome).toMatch(/allow|review|block/);
		for (const { checked_at, problem } of await watched.rows<Watched>()) {
			expect([Date.parse(checked_at!) > Date.now() - 600_000, problem]).toEqual([true, null]);
		}
	});

	test('each sender of a Bitcoin transaction has a row; change and payments out have none', async () => {
		payBitcoin('two', green, sanctionedAddress, green);
		const own = { address: pizza.to, value: 90_000_000 };
		const add = (name: string, inputs: object[]) =>
			net.explorers.bitcoin.push({ txid: id(name), inputs: inputs as [], outputs: [own] });
		add('change', [own]);
		add('payjoin', [own, { address: other, value: 6_000_000 }]);
		add('minted', []);
		add('keys', [{ value: 1 }, { value: 2 }]);
		await watch('bitcoin');
		await read('bitcoin');
		const wanted = [
			[id('two'), green, '0.5 BTC'],
			[id('two'), sanctionedAddress, '0.5 BTC'],
			[id('payjoin'), other, '0.9 BTC'],
			[id('minted'), 'new coins', '0.9 BTC'],
			[id('keys'), 'no address', '0.9 BTC'],
		];
		expect((await payments()).sort()).toEqual(wanted.sort());
		await screen();
		const outcomes = (await rows()).map(({ address, outcome }) => [address, outcome]);
		// What has no sender goes to a person.
		expect(Object.fromEntries(outcomes)).toMatchObject({
			[green]: 'allow',
			[sanctionedAddress]: 'block',
			'new coins': 'review',
			'no address': 'review',
		});
		expect(said()).toHaveLength(3);
	});

	test('ether from contracts and listed tokens count; failed, empty, own and forged ones do not', async () => {
		const token = { address: ethereumUsdt, symbol: 'USDT', decimals: 6 };
		const forged = { ...token, address: `0x${'ab'.repeat(20)}` };
		const { to } = firstEther;
		payEther('plain', green);
		payEther('contract', other, { list: 'txlistinternal' });
		payEther('token', third, { list: 'tokentx', token, value: '2000000' });
		payEther('forged', third, { list: 'tokentx', token: forged });
		payEther('failed', third, { isError: true });
		payEther('empty', third, { value: '0' });
		payEther('out', to, { to: third });
		payEther('self', to, { to });
		await watched.insert({ ...wallets.ethereum, wallet: `0x${to.slice(2).toUpperCase()}` });
		// As Etherscan shows it, and what no token can be.
		const tokens = `${ethereumUsdt.replace('dac17f', 'dAC17F')}, DAI`;
		await readWith('ethereum', tokens);
		expect(JSON.stringify(await watched.rows())).toContain('A token in Plan is not a 0x address');
		expect(await payments()).toEqual([
			[`0x${id('plain')}`, green, '1.5 ETH'],
			[`0x${id('contract')}`, other, '1.5 ETH'],
			[`0x${id('token')}`, third, '2 USDT'],
		]);
	});

	test('takes all pages of a history once, also if two runs read it at once', async () => {
		net.explorers.pageSizes = { bitcoin: 3, tron: 2 };
		for (let n = 0; n < 10; n++) payBitcoin(n, greenAddresses[n]!);
		for (let n = 0; n < 5; n++) payTrx(id(`tron ${n}`));
		payEther('first page', green);
		for (let n = 0; n < 1000; n++) payEther(`out ${n}`, firstEther.to, { to: third });
		payEther('last page', green);
		await watch(...networks);
		await Promise.all([read('bitcoin', 'tron'), read('bitcoin', 'tron')]);
		await read('ethereum');
		const ids = (await payments()).map(String);
		expect(ids).toHaveLength(17);
		expect(new Set(ids).size).toBe(17);
	});

	const html: Answer = { status: 200, body: '<html>Just a moment…</html>', type: 'text/html' };
	const refusal = { status: '0', message: 'NOTOK', result: `Max rate ${etherscanKey}` };
	type Fault = Answer | 'reset' | undefined;
	const at = (path: RegExp, fault: Fault) => (url: URL) =>
		path.test(url.href) ? fault : undefined;
	const faults: Array<[string, (url: URL) => Fault]> = [
		['hangs up', () => 'reset'],
		['is over its limit', () => ({ status: 200, body: refusal })],
		['quotes what it was asked', ({ href: body }) => ({ status: 404, body, type: 'text/html' })],
		['sends other JSON', () => ({ status: 200, body: { ok: true } })],
		['breaks off after a page', at(/chain\/|page=2|tokentx|trc20/, html)],
		['does not say whose TRX it was', at(/byid/, 'reset')],
	];
	test.each(faults)('if the explorer %s, nothing is lost', async (_, fault) => {
		net.explorers.pageSizes.bitcoin = 3;
		for (let n = 0; n < 5; n++) payBitcoin(n, green);
		payEther('one', other);
		payTrx(trx.txID);
		await watched.insert(...networks.map((one) => ({ ...wallets[one] })));
		net.explorers.fault = fault;
		await read();
		const broken = (await watched.rows<Watched>()).filter(({ problem }) => problem);
		expect(broken.length).toBeGreaterThan(0);
		for (const { problem, checked_at } of broken) {
			expect(problem).toMatch(/^n8n could not read all of \w+'s answer/);
			// Nothing of the answer, which may hold the key.
			expect(problem).not.toMatch(new RegExp(`${etherscanKey}|Max rate|html|requested`));
			// As if it had been read until the day before it was entered.
			expect(Date.parse(checked_at!)).toBeLessThan(Date.now() - 86_000_000);
		}
		net.explorers.fault = undefined;
		await read();
		expect(await rows()).toHaveLength(7);
		for (const { problem } of await watched.rows<Watched>()) expect(problem).toBeNull();
	});

	test('an address that was not read is named, and holds up no other', async () => {
		await watch('ethereum', 'bitcoin');
		await watched.insert({ ...wallets.bitcoin, wallet: 'no wallet', checked_at: longAgo });
		payBitcoin('one', green);
		net.explorers.fault = ({ pathname }) => (pathname === '/etherscan' ? 'reset' : undefined);
		await read('ethereum', 'bitcoin');
		expect(await rows()).toHaveLength(1);
		await watch('tron');
		await readWith('tron', `${tronUsdt} ${ethereumUsdt}`);
		// Also while nothing can be screened.
		const gone = { parameters: { workflowId: resourceLocator('id', 'gone') } };
		const broken = { 'Every Ten Minutes': yearlySchedule, 'Our Screening': gone };
		await stage.runFrom(await stage.importTemplate('watch-screen', broken), 'Every Ten Minutes');
		const message = said().join();
		expect(message).toMatch(/Payment to .*: in doubt.*Our Screening failed/);
		expect(message).toMatch(new RegExp(`Not read: ${trx.to}.*A token in Plan is not a T address`));
		expect(message).toContain(`Not read: ${firstEther.to}`);
		expect(message).toContain('Not read: no wallet');
		expect(message).not.toContain(`Not read: ${pizza.to}`);
	});

	test('what was not screened stays open, is named, and is screened the next time', async () => {
		const all = [refused, green, sanctionedAddress, notGreenAddress];
		await received.insert(...all.map((address) => ({ wallet: 'w', reference: address, address })));
		const when = ({ body }: { body: any }) => [green, notGreenAddress].includes(body?.address);
		stage.sandbox.addFault({ when, effect: { kind: 'answer', status: 401 } });
		await screen();
		const outcomes = async () => (await rows()).map(({ outcome }) => outcome);
		expect(await outcomes()).toEqual(['', '', 'block', '']);
		expect(said()).toHaveLength(4);
		await screen();
		expect(said()).toEqual([]);
		stage.sandbox.clearFaults();
		await received.setAll({ tell_at: pastTime }, where('address', green));
		await screen();
		expect(await outcomes()).toEqual(['', 'allow', 'block', 'review']);
		// Who heard that it is open hears that it is allowed, and of a review at once.
		expect(said().join()).toMatch(/Payment to w: allow.*Payment to w: review/);
	});

	test('rows that are being screened are claimed, and what is in doubt is named, not sent again', async () => {
		const all = greenAddresses.slice(0, 30);
		await received.insert(...all.map((address) => ({ wallet: 'w', reference: address, address })));
		stage.sandbox.addFault({ effect: { kind: 'delay', ms: 1500 } });
		await Promise.all([screen(), screen(), screen()]);
		expect((await rows()).map(({ outcome }) => outcome)).toEqual(Array(30).fill('allow'));
		const posted = stage.sandbox.requests.filter(({ method }) => method === 'POST');
		const sent = posted.flatMap(({ body }: { body: any }) => body.addresses ?? [body.address]);
		expect(sent.map((one) => one.address ?? one).sort()).toEqual([...all].sort());
		stage.clear();
		await received.insert({ wallet: 'w', reference: 'lost', address: other });
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 502 } });
		await screen();
		stage.sandbox.clearFaults();
		const asked = stage.sandbox.requests.length;
		await screen();
		expect((await rows()).at(-1)).toMatchObject({ outcome: 'in doubt' });
		// A run that was killed leaves its claim.
		const claim = { wallet: 'w', reference: 'killed', address: third, outcome: 'screening' };
		await received.insert(claim);
		await received.setAll({ tell_at: pastTime }, where('reference', 'killed'));
		await screen();
		expect(said().join()).toMatch(/Payment to w: in doubt.*lost.*Payment to w: in doubt.*killed/);
		expect(stage.sandbox.requests).toHaveLength(asked);
	});

	test('what the team did not hear comes again, and is not screened again', async () => {
		await received.insert({ wallet: 'w', reference: 'r', address: sanctionedAddress });
		stage.setDown('slack', 'mail');
		await stage.runToFailure(screener, 'Every Ten Minutes');
		expect(await rows()).toMatchObject([{ outcome: 'block', tell_at: expect.anything() }]);
		// n8n hands the failure to Tell the Team.
		await untilQuiet();
		stage.setDown();
		await received.setAll({ tell_at: pastTime });
		// Two runs at once say it once.
		await Promise.all([screen(), screen()]);
		expect(said()).toHaveLength(1);
		expect(await rows()).toMatchObject([{ tell_at: null }]);
		expect(stage.sandbox.requests).toHaveLength(1);
	});
}
