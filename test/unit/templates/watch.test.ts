import { createHash } from 'node:crypto';
import type { Workflow } from '../../../host/instance';
import { digestOf } from '../../../nodes/WalletScreening/risk/digest';
import template from '../../../templates/watch-an-address.json';
import { type Answer, type BitcoinTransaction, Explorers } from '../../support/explorers';
import { runWorkflow, type World } from '../../support/interpreter';
import { numbersFrom, seed } from '../../support/random';

/*
 * The workflow itself, run in process against explorers, tables, a screening service and Slack that fail as they please,
 * and an n8n that is killed in between. What is expected is written without it.
 */

const histories = Number(process.env.WATCH_HISTORIES ?? 15);

const alphabet = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const sha256 = (bytes: Buffer) => createHash('sha256').update(bytes).digest();

/** Base58Check of a Tron address in hex. */
function base58(hex: string): string {
	const bytes = Buffer.from(hex, 'hex');
	const checksum = sha256(sha256(bytes)).subarray(0, 4);
	let text = '';
	for (let rest = BigInt(`0x${hex}${checksum.toString('hex')}`); rest > 0n; rest /= 58n) {
		text = alphabet[Number(rest % 58n)] + text;
	}
	return text;
}

/** The template with short pages and little to go back, so that few transactions fill many pages and runs. */
const shorter: Array<[string, string]> = [
	['length >= 1000', 'length >= 6'],
	['"name":"offset","value":"1000"', '"name":"offset","value":"6"'],
	['"maxRequests":10,', '"maxRequests":4,'],
	['"maxRequests":50,', '"maxRequests":5,'],
	[
		'"name":"bitcoin_go_back","type":"number","value":144',
		'"name":"bitcoin_go_back","type":"number","value":12',
	],
	[
		'"name":"ethereum_go_back","type":"number","value":7200',
		'"name":"ethereum_go_back","type":"number","value":12',
	],
	[
		'"name":"tron_go_back","type":"number","value":86400000',
		'"name":"tron_go_back","type":"number","value":3600000',
	],
];
const workflow = JSON.parse(
	shorter.reduce((text, [long, short]) => {
		if (!text.includes(long)) throw new Error(`The template has no ${long}`);
		return text.replaceAll(long, short);
	}, JSON.stringify(template)),
) as Workflow;

class Killed extends Error {}

/** A payment as it has to be recorded. */
type Payment = `${string} ${string} ${string}`;

function play(random: () => number) {
	const below = (end: number) => Math.floor(random() * end);
	const chance = (probability: number) => random() < probability;
	const pick = <T>(list: readonly T[]) => list[below(list.length)]!;
	let counter = 0;
	const id = () => createHash('sha256').update(`${random()} ${counter++}`).digest('hex');
	const counts = { runs: 0, killed: 0, faults: 0, slackDown: 0, refused: 0, moved: 0, dropped: 0 };

	const tronHex = `41${id().slice(0, 40)}`;
	const wallets = {
		bitcoin: '1Watched',
		ethereum: '0xDE0B295669a9FD93d5F28D9Ec85E40f4cb697BAe',
		tron: base58(tronHex),
	};
	const people = Array.from({ length: 12 }, () => id().slice(0, 40));
	const explorers = new Explorers();
	explorers.pageSizes = { bitcoin: 3, ethereum: 6, tron: 3 };
	explorers.bitcoin.tip = 1000;
	explorers.ethereum.tip = 5000;
	let now = 1_700_000_000_000;
	const settledBitcoin = () => explorers.bitcoin.tip - 2;
	const settledEthereum = () => explorers.ethereum.tip - 31;

	// What happens on the chains.
	const bitcoinSender = () => `1${pick(people).slice(0, 30)}`;
	const pay = (value: number) => ({ address: wallets.bitcoin, value });
	const addBitcoin = (block: number) => {
		const kind = below(9);
		const senders = Array.from({ length: 1 + below(4) }, () => ({
			address: bitcoinSender(),
			value: 5,
		}));
		const transaction: BitcoinTransaction = {
			txid: id(),
			block,
			inputs: senders,
			outputs: [pay(1 + below(9e8))],
		};
		// Own payments with change, a payjoin, new coins, a sender without an address, a payment to oneself, a coinjoin.
		if (kind === 0) transaction.inputs = [pay(2e9)];
		if (kind === 1) transaction.inputs = [pay(1), ...senders];
		if (kind === 1) transaction.outputs = [pay(50)];
		if (kind === 2) transaction.inputs = [];
		if (kind === 3) transaction.inputs = [...senders, { value: 7 }, { value: 8 }];
		if (kind === 5) transaction.inputs = [pay(2e9), ...senders];
		if (kind === 4) Object.assign(transaction, { inputs: [pay(9)], outputs: [pay(8)] });
		explorers.bitcoin.transactions.push(transaction);
	};
	const addEthereum = (block: number) => {
		const list = pick(['txlist', 'txlistinternal', 'tokentx'] as const);
		const person = `0x${pick(people)}`;
		const [from, to] = chance(0.2)
			? [wallets.ethereum, person]
			: [person, wallets.ethereum.toLowerCase()];
		const token = list === 'tokentx' && {
			token: {
				address: chance(0.7) ? '0xdAC17F958D2ee523a2206206994597C13D831ec7' : `0x${pick(people)}`,
				symbol: 'USDT',
				decimals: 6,
			},
		};
		const value = chance(0.1) ? '0' : String(1 + below(1e9));
		const isError = list !== 'tokentx' && chance(0.1);
		const hash = chance(0.2) ? (explorers.ethereum.transactions.at(-1)?.hash ?? id()) : `0x${id()}`;
		const last = explorers.ethereum.transactions.find((one) => one.hash === hash);
		explorers.ethereum.transactions.push({
			list,
			hash,
			block: last?.block ?? block,
			from,
			to,
			value,
			isError,
			...token,
		});
	};
	const addTron = (block_timestamp: number) => {
		const hex = `41${pick(people)}`;
		const from = base58(hex);
		const to = wallets.tron;
		const isConfirmed = false;
		const kind = below(5);
		const common = { block_timestamp, from, to, isConfirmed };
		const txid = id();
		if (kind < 2) {
			const token_info = {
				symbol: 'USDT',
				address: kind ? 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t' : base58(`41${pick(people)}`),
				decimals: 6,
				name: 'Tether USD',
			};
			const entry = {
				transaction_id: txid,
				token_info,
				block_timestamp,
				from,
				to,
				type: 'Transfer',
				value: '1500000',
			};
			explorers.tron.transactions.push({ list: 'transactions/trc20', ...common, entry });
		} else if (kind === 2) {
			const entry = {
				internal_tx_id: id(),
				tx_id: txid,
				block_timestamp,
				from_address: hex,
				to_address: tronHex,
				data: { note: '63616c6c', rejected: false, call_value: { _: 2_000_000 } },
			};
			explorers.tron.transactions.push({ list: 'transactions', ...common, entry });
		} else {
			const value = { amount: 3_000_000, owner_address: hex, to_address: tronHex };
			const contractRet = chance(0.9) ? 'SUCCESS' : 'OUT_OF_ENERGY';
			const entry = {
				txID: txid,
				block_timestamp,
				ret: [{ contractRet }],
				raw_data: { contract: [{ type: 'TransferContract', parameter: { value } }] },
			};
			explorers.tron.transactions.push({ list: 'transactions', ...common, entry });
		}
	};

	const reorganise = () => {
		const depth = 1 + below(5);
		const first = explorers.bitcoin.tip - depth + 1;
		explorers.bitcoin.tip += 1;
		explorers.bitcoin.transactions = explorers.bitcoin.transactions.filter((one) => {
			if (one.block! < first || chance(0.3)) return true;
			const isDropped = chance(0.4);
			if (isDropped) counts.dropped++;
			else counts.moved++;
			one.block = first + below(explorers.bitcoin.tip - first + 1);
			return !isDropped;
		});
		if (chance(0.5)) addBitcoin(first);
	};

	/** What has to be recorded, as the chains stand. */
	const expected = (): Map<Payment, number> => {
		const found = new Map<Payment, number>();
		for (const { txid, block, inputs, outputs } of explorers.bitcoin.transactions) {
			const sum = (coins: typeof inputs) =>
				coins
					.filter(({ address }) => address === wallets.bitcoin)
					.reduce((total, { value }) => total + value, 0);
			if (sum(outputs) <= sum(inputs) || block! > settledBitcoin()) continue;
			const senders = inputs.length
				? inputs.map(({ address }) => address ?? 'no address')
				: ['coinbase'];
			for (const sender of new Set(senders)) {
				if (sender !== wallets.bitcoin) found.set(`bitcoin ${txid} ${sender}`, block!);
			}
		}
		const wallet = wallets.ethereum.toLowerCase();
		for (const { hash, from, to, value, isError, token, block } of explorers.ethereum
			.transactions) {
			const isForged = token && token.address !== '0xdAC17F958D2ee523a2206206994597C13D831ec7';
			const isIncoming = to.toLowerCase() === wallet && from.toLowerCase() !== wallet;
			if (isIncoming && value !== '0' && !isError && !isForged && block <= settledEthereum()) {
				found.set(`ethereum ${hash} ${from.toLowerCase()}`, block);
			}
		}
		for (const { entry, from, isConfirmed, block_timestamp } of explorers.tron.transactions) {
			const { token_info, ret, transaction_id, tx_id, txID } = entry as any;
			if (!isConfirmed || (ret && ret[0].contractRet !== 'SUCCESS')) continue;
			if (token_info && token_info.address !== 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t') continue;
			found.set(`tron ${transaction_id ?? tx_id ?? txID} ${from}`, block_timestamp);
		}
		return found;
	};

	// What n8n has around it.
	const tables: World['tables'] = {
		'Watched Addresses': (Object.keys(wallets) as Array<keyof typeof wallets>).map(
			(network, index) => ({
				...{ id: index + 1, wallet: wallets[network], network, since: chance(0.5) ? 0 : null },
				...{ position: null, checked_at: null, message: null, notify_at: null },
			}),
		),
		'Incoming Payments': [],
	};
	const screenings = new Map<string, number>();
	const reported: string[] = [];
	let [isSlackDown, isServiceDown, left] = [false, false, Infinity];
	const isRisky = (address: string) => createHash('sha256').update(address).digest()[0]! < 60;
	const failsFirst = (address: string) => createHash('sha256').update(address).digest()[1]! < 60;
	const world: World = {
		tables,
		request: (url) => {
			if (url.searchParams.has('apikey')) url.searchParams.set('apikey', explorers.etherscanKey);
			const { hostname, pathname } = url;
			const base = hostname.includes('blockstream')
				? '/esplora' + pathname.slice(4)
				: hostname.includes('etherscan')
					? '/etherscan'
					: '/trongrid' + pathname;
			return explorers.answer(new URL(base + url.search, 'http://stand.in'));
		},
		screen: (address) => {
			const before = screenings.get(address) ?? 0;
			if (isServiceDown || (failsFirst(address) && before < 2)) {
				if (!isServiceDown) screenings.set(address, before + 1);
				counts.refused++;
				throw new Error('The service is unavailable');
			}
			const risk = { level: isRisky(address) ? 'red' : 'green', score: 0.5, categories: {} };
			const outcome = isRisky(address) ? 'block' : 'allow';
			const report = {
				report_id: id(),
				address,
				chain: 'X',
				risk,
				balance: '',
				tx_count: 1,
				report_url: 'https://r.example/1',
			};
			return {
				...report,
				decision: { outcome, reasons: [], summary: `${outcome}: ${address}` },
				evidence: { version: 1 },
			};
		},
		digest: (items, title) => digestOf(items, { title, mostListed: 500 }) as never,
		slack: (message) => {
			if (isSlackDown) throw new Error('Slack is down');
			reported.push(JSON.stringify(message));
		},
		step: () => {
			if (left-- <= 0) throw new Killed();
		},
		now: () => now,
	};
	/** What had to be recorded at some time; a reorganisation may have dropped it since. */
	const possible = new Set<string>();
	const run = () => {
		counts.runs++;
		for (const payment of expected().keys()) possible.add(payment);
		now += 600_000;
		try {
			runWorkflow(workflow, 'Every Ten Minutes', world);
		} catch (error) {
			const isPlanned =
				error instanceof Killed || (isSlackDown && (error as Error).message === 'Slack is down');
			if (!isPlanned) throw error;
			if (error instanceof Killed) counts.killed++;
			else counts.slackDown++;
		}
	};
	const html: Answer = { status: 200, body: '<html>Just a moment…</html>', type: 'text/html' };
	const notOk: Answer = {
		status: 200,
		body: { status: '0', message: 'NOTOK', result: 'Max rate limit reached' },
	};
	const failures: Array<Answer | 'reset'> = [
		...(['reset', html, notOk] as const),
		{ status: 500, body: { error: 'x' } },
		{ status: 429, body: 'Too Many Requests' },
		{
			status: 403,
			body: { success: false, error: 'The key exceeds the frequency limit', statusCode: 403 },
		},
		{ status: 200, body: [] },
		{ status: 200, body: {} },
		{ status: 200, body: { status: '0', message: 'No transactions found', result: [] } },
		{ status: 200, body: { data: [], success: true, meta: {} } },
	];

	// What was there before n8n looked for the first time.
	for (let n = 0; n < 20; n++) addBitcoin(900 + 5 * n);
	for (let n = 0; n < 150; n++) addEthereum(4200 + 5 * n);
	for (let n = 0; n < 30; n++) addTron(now - (31 - n) * 3_600_000);
	for (let round = 0; round < 14; round++) {
		explorers.bitcoin.tip += below(3);
		explorers.ethereum.tip += below(8);
		for (let n = below(4); n > 0; n--) addBitcoin(explorers.bitcoin.tip);
		for (let n = below(5); n > 0; n--) addEthereum(explorers.ethereum.tip);
		for (const one of explorers.tron.transactions) one.isConfirmed = true;
		for (let n = below(4); n > 0; n--) addTron(now - below(600_000));
		if (chance(0.25)) reorganise();
		const failing = chance(0.4) ? 0.3 : 0;
		explorers.fault = () => {
			if (!chance(failing)) return undefined;
			counts.faults++;
			return pick(failures);
		};
		isSlackDown = chance(0.15);
		isServiceDown = chance(0.15);
		left = chance(0.3) ? below(120) : Infinity;
		run();
	}
	[explorers.fault, isSlackDown, isServiceDown, left] = [undefined, false, false, Infinity];
	explorers.bitcoin.tip += 5;
	explorers.ethereum.tip += 40;
	for (const one of explorers.tron.transactions) one.isConfirmed = true;
	for (let n = 0; n < 12; n++) run();
	now += 25 * 3_600_000;
	run();

	const since = Object.fromEntries(
		tables['Watched Addresses']!.map((row) => [row.network, row.since as number]),
	);
	const wanted = [...expected()]
		.filter(([payment, at]) => at >= since[payment.split(' ')[0]!]!)
		.map(([payment]) => payment);
	const rows = tables['Incoming Payments']!;
	return {
		counts,
		wanted,
		rows,
		reported,
		possible,
		isRisky,
		watched: tables['Watched Addresses']!,
	};
}

test(`in ${histories} random histories each payment is recorded once, and each sender decided (TEST_SEED=${seed})`, () => {
	const total: Record<string, number> = {};
	const wrong: unknown[] = [];
	for (let history = 0; history < histories; history++) {
		const { counts, wanted, possible, rows, reported, isRisky, watched } = play(
			numbersFrom(seed + history),
		);
		const keys = rows.map(({ network, txid, sender }) => `${network} ${txid} ${sender}`);
		const outcomeOf = (sender: string) => {
			if (sender === 'coinbase' || sender === 'no address') return 'review';
			return isRisky(sender) ? 'block' : 'allow';
		};
		const isReported = (txid: string) => reported.some((message) => message.includes(txid));
		const findings = {
			missing: wanted.filter((key) => !keys.includes(key)),
			twice: keys.filter((key, index) => keys.indexOf(key) !== index),
			invented: keys.filter((key) => !possible.has(key)),
			misjudged: rows.filter(({ sender, outcome }) => outcome !== outcomeOf(sender)),
			notReported: rows.filter(({ outcome, txid }) => outcome !== 'allow' && !isReported(txid)),
			stillMarked: rows.filter(({ notify_at }) => notify_at !== null),
			stuck: watched.filter(({ message }) => message !== null),
		};
		if (Object.values(findings).some(({ length }) => length > 0)) wrong.push(findings);
		const more = { payments: wanted.length, droppedLater: keys.length - wanted.length };
		for (const [name, count] of Object.entries({ ...counts, ...more })) {
			total[name] = (total[name] ?? 0) + count;
		}
	}
	if (process.env.WATCH_HISTORIES) console.log(total);
	expect(wrong.slice(0, 3)).toEqual([]);
	// All of it was tried often.
	expect(total.payments).toBeGreaterThan(histories * 50);
	expect(total.faults).toBeGreaterThan(histories * 5);
	for (const often of ['killed', 'slackDown', 'refused', 'moved', 'dropped']) {
		expect(total[often]).toBeGreaterThan(histories / 2);
	}
});
