import { type ExplorerAnswer, etherscanKey } from '../../support/servers/explorers';
import {
	greenAddress as green,
	greenAddresses,
	otherGreen as other,
	sanctionedAddress,
	thirdGreen as third,
} from '../../support/templates/templateAddresses';
import { stage } from '../../support/templates/stage';
import {
	longAgo,
	type Network,
	networks,
	watchedWallets,
	Watch,
} from '../../support/templates/watch';
import { resourceLocator } from '../../../tools/trial/wiring';
import { yearlySchedule } from '../../support/templates/schedules';
import {
	ethereumUsdt,
	etherPayment,
	bitcoinPayment,
	transactionId,
	tronUsdt,
	trxPayment,
} from '../../support/data/transactions';
import { takeSlackMessages } from '../../support/templates/slackMessages';

/** The workflows that ask explorers for the payments to watched addresses. */
export function watchReadingTests(): void {
	let watch: Watch;
	beforeAll(async () => void (watch = await Watch.publish()));
	afterAll(async () => await watch?.close());
	beforeEach(async () => await watch.clear());

	test('takes real transactions of three networks, each once, and screens the sender', async () => {
		const inputs = Array.from({ length: 131 }, (_, n) => ({
			address: bitcoinPayment.from,
			value: n ? 7_600_000_000 : 1_000_099_000_000 - 130 * 7_600_000_000,
		}));
		const outputs = [{ address: bitcoinPayment.to, value: 1_000_000_000_000 }];
		watch.explorers.bitcoin.push({
			txid: bitcoinPayment.txid,
			time: bitcoinPayment.time,
			inputs,
			outputs,
		});
		watch.explorers.ethereum.push({ list: 'txlist', ...etherPayment, value: '31337' });
		watch.payTrx(trxPayment.txID, trxPayment.time);
		watch.payTronToken('usdt', tronUsdt);
		watch.payTronToken('forged', trxPayment.from);
		await watch.watch(...networks);
		for (let again = 0; again < 2; again++) {
			await watch.read(...networks);
			expect(await watch.payments()).toEqual([
				[bitcoinPayment.txid, bitcoinPayment.from, '10000 BTC'],
				[etherPayment.hash, etherPayment.from, '3.1337e-14 ETH'],
				[trxPayment.txID, trxPayment.from, '99 TRX'],
				[transactionId('usdt'), trxPayment.from, '2.5 USDT'],
			]);
			await watch.screen();
			expect(stage.sandbox.requests).toHaveLength(4);
		}
		for (const { outcome } of await watch.receivedRows())
			expect(outcome).toMatch(/allow|review|block/);
		for (const { checked_at, problem } of await watch.watchedRows()) {
			expect([Date.parse(checked_at!) > Date.now() - 600_000, problem]).toEqual([true, null]);
		}
	});

	test('each sender of a Bitcoin transaction has a row; change and payments out have none', async () => {
		watch.payBitcoin('two', green, sanctionedAddress, green);
		const own = { address: bitcoinPayment.to, value: 90_000_000 };
		const add = (name: string, inputs: object[]) =>
			watch.explorers.bitcoin.push({
				txid: transactionId(name),
				inputs: inputs as [],
				outputs: [own],
			});
		add('change', [own]);
		add('payjoin', [own, { address: other, value: 6_000_000 }]);
		add('minted', []);
		add('keys', [{ value: 1 }, { value: 2 }]);
		await watch.watch('bitcoin');
		await watch.read('bitcoin');
		const wanted = [
			[transactionId('two'), green, '0.5 BTC'],
			[transactionId('two'), sanctionedAddress, '0.5 BTC'],
			[transactionId('payjoin'), other, '0.9 BTC'],
			[transactionId('minted'), 'new coins', '0.9 BTC'],
			[transactionId('keys'), 'no address', '0.9 BTC'],
		];
		expect((await watch.payments()).sort()).toEqual(wanted.sort());
		await watch.screen();
		const outcomes = (await watch.receivedRows()).map(({ address, outcome }) => [address, outcome]);
		// What has no sender goes to a person.
		expect(Object.fromEntries(outcomes)).toMatchObject({
			[green]: 'allow',
			[sanctionedAddress]: 'block',
			'new coins': 'review',
			'no address': 'review',
		});
		expect(takeSlackMessages()).toHaveLength(3);
	});

	test('ether from contracts and listed tokens count; failed, empty, own and forged ones do not', async () => {
		const token = { address: ethereumUsdt, symbol: 'USDT', decimals: 6 };
		const forged = { ...token, address: `0x${'ab'.repeat(20)}` };
		const { to } = etherPayment;
		watch.payEther('plain', green);
		watch.payEther('contract', other, { list: 'txlistinternal' });
		watch.payEther('token', third, { list: 'tokentx', token, value: '2000000' });
		watch.payEther('forged', third, { list: 'tokentx', token: forged });
		watch.payEther('failed', third, { isError: true });
		watch.payEther('empty', third, { value: '0' });
		watch.payEther('out', to, { to: third });
		watch.payEther('self', to, { to });
		await watch.watched.insert({
			...watchedWallets.ethereum,
			wallet: `0x${to.slice(2).toUpperCase()}`,
		});
		// As Etherscan shows it, and what no token can be.
		const tokens = `${ethereumUsdt.replace('dac17f', 'dAC17F')}, DAI`;
		await watch.readWithTokens('ethereum', tokens);
		expect(JSON.stringify(await watch.watched.rows())).toContain(
			'A token in Plan is not a 0x address',
		);
		expect(await watch.payments()).toEqual([
			[`0x${transactionId('plain')}`, green, '1.5 ETH'],
			[`0x${transactionId('contract')}`, other, '1.5 ETH'],
			[`0x${transactionId('token')}`, third, '2 USDT'],
		]);
	});

	test('takes all pages of a history once, also if two runs read it at once', async () => {
		watch.explorers.maxPageSizes = { bitcoin: 3, tron: 2 };
		for (let n = 0; n < 10; n++) watch.payBitcoin(n, greenAddresses[n]!);
		for (let n = 0; n < 5; n++) watch.payTrx(transactionId(`tron ${n}`));
		watch.payEther('first page', green);
		for (let n = 0; n < 1000; n++) watch.payEther(`out ${n}`, etherPayment.to, { to: third });
		watch.payEther('last page', green);
		await watch.watch(...networks);
		await Promise.all([watch.read('bitcoin', 'tron'), watch.read('bitcoin', 'tron')]);
		await watch.read('ethereum');
		const ids = (await watch.payments()).map(String);
		expect(ids).toHaveLength(17);
		expect(new Set(ids).size).toBe(17);
	});

	const html: ExplorerAnswer = {
		status: 200,
		body: '<html>Just a moment…</html>',
		type: 'text/html',
	};
	const refusal = { status: '0', message: 'NOTOK', result: `Max rate ${etherscanKey}` };
	type Fault = ExplorerAnswer | 'reset' | undefined;
	const at = (path: RegExp, fault: Fault) => (url: URL) =>
		path.test(url.href) ? fault : undefined;
	/**
	 * How an explorer fails, and whose payments cannot be read then. The last fault is the only one
	 * that lets n8n read a part, which it does not ask for again.
	 */
	const faults: Array<[how: string, fault: (url: URL) => Fault, unread?: Network[]]> = [
		['hangs up', () => 'reset'],
		['is over its limit', () => ({ status: 200, body: refusal })],
		['quotes what it was asked', ({ href: body }) => ({ status: 404, body, type: 'text/html' })],
		['sends other JSON', () => ({ status: 200, body: { ok: true } })],
		['does not say whose TRX it was', at(/byid/, 'reset'), ['tron']],
		['breaks off after a page', at(/chain\/|page=2|tokentx|trc20/, html)],
	];
	test(`nothing is lost if the explorer ${faults.map(([how]) => how).join(', or ')}`, async () => {
		watch.explorers.maxPageSizes.bitcoin = 3;
		for (let n = 0; n < 5; n++) watch.payBitcoin(n, green);
		watch.payEther('one', other);
		watch.payTrx(trxPayment.txID);
		await watch.watched.insert(...networks.map((one) => ({ ...watchedWallets[one] })));
		for (const [how, fault, unread = networks] of faults) {
			watch.explorers.fault = fault;
			await watch.watched.setAll({ problem: null });
			await watch.read(...unread);
			const broken = (await watch.watchedRows()).filter(({ problem }) => problem);
			expect([how, broken.map(({ network }) => network)]).toEqual([
				how,
				unread.map((one) => watchedWallets[one].network),
			]);
			for (const { problem, checked_at } of broken) {
				expect(problem).toMatch(/^n8n could not read all of \w+'s answer/);
				// Nothing of the answer, which may hold the key.
				expect(problem).not.toMatch(new RegExp(`${etherscanKey}|Max rate|html|requested`));
				// As if it had been read until the day before it was entered.
				expect(Date.parse(checked_at!)).toBeLessThan(Date.now() - 86_000_000);
			}
		}
		watch.explorers.fault = undefined;
		await watch.read(...networks);
		expect(await watch.receivedRows()).toHaveLength(7);
		for (const { problem } of await watch.watchedRows()) expect(problem).toBeNull();
	});

	test('an address that was not read is named, and holds up no other', async () => {
		await watch.watch('ethereum', 'bitcoin');
		await watch.watched.insert({
			...watchedWallets.bitcoin,
			wallet: 'no wallet',
			checked_at: longAgo,
		});
		watch.payBitcoin('one', green);
		watch.explorers.fault = ({ pathname }) => (pathname === '/etherscan' ? 'reset' : undefined);
		await watch.read('ethereum', 'bitcoin');
		expect(await watch.receivedRows()).toHaveLength(1);
		await watch.watch('tron');
		await watch.readWithTokens('tron', `${tronUsdt} ${ethereumUsdt}`);
		// Also while nothing can be screened.
		const gone = { parameters: { workflowId: resourceLocator('id', 'gone') } };
		const broken = { 'Every Ten Minutes': yearlySchedule, 'Our Screening': gone };
		await stage.runFrom(await stage.importTemplate('watch-screen', broken), 'Every Ten Minutes');
		const message = takeSlackMessages().join();
		expect(message).toMatch(/Payment to .*: in doubt.*Our Screening failed/);
		expect(message).toMatch(
			new RegExp(`Not read: ${trxPayment.to}.*A token in Plan is not a T address`),
		);
		expect(message).toContain(`Not read: ${etherPayment.to}`);
		expect(message).toContain('Not read: no wallet');
		expect(message).not.toContain(`Not read: ${bitcoinPayment.to}`);
	});
}
