import { randomBytes } from 'node:crypto';
import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { addressKey } from '../../nodes/WalletScreening/address/key';
import { findRefusal } from '../../nodes/WalletScreening/address/refusal';
import { makeAddress, formatsWithChecksum } from '../support/data/generatedAddresses';
import { formatCount, formatSeconds, type Row } from './row';
import { medianMs } from './statistics';

const textCount = 500;
const rounds = 9;
/** The length of a list whose check is computed from that of one address. */
const listLength = 10_000;
/** The target for the check of one address. */
const targetMicroseconds = 200;

/** Measures rows about the check of an address, which precedes each request of the node. */
export function addressRows(): Promise<Row[]> {
	return Promise.resolve([usualAddressRow(), costliestTextRow()]);
}

const createTexts = (create: () => string) => Array.from({ length: textCount }, create);

/** Calls `work` with each text. @returns the microseconds that it takes for a text */
function measureMicroseconds(texts: string[], work: (text: string) => unknown): number {
	const ms = medianMs(rounds, () => {
		for (const text of texts) work(text);
	});
	return (ms / texts.length) * 1000;
}

const checkAddress = (text: string) => [findRefusal(text), addressKey(text)];

/** The kinds of addresses that are measured, and the coin of each for address-encoder. */
const coins = {
	Ethereum: 'eth',
	'Bitcoin 1': 'btc',
	'Bitcoin bc1q': 'btc',
	Tron: 'trx',
	Polkadot: 'dot',
} as const;

function usualAddressRow(): Row {
	const kinds = Object.entries(coins).map(([name, coin]) => ({
		texts: createTexts(() => makeAddress(formatsWithChecksum[name]!, Math.random)),
		coder: getCoderByCoinName(coin),
	}));
	const refused = kinds.flatMap(({ texts }) => texts).find((text) => findRefusal(text));
	if (refused) throw new Error(`The check refuses the address ${refused}`);
	const meanOf = (measure: (kind: (typeof kinds)[number]) => number) =>
		kinds.reduce((sum, kind) => sum + measure(kind), 0) / kinds.length;
	const ours = meanOf(({ texts }) => measureMicroseconds(texts, checkAddress));
	const theirs = meanOf(({ texts, coder }) =>
		measureMicroseconds(texts, (text) => coder.decode(text)),
	);
	return {
		name: 'Checking an address of Ethereum, Bitcoin, Tron or Polkadot, and computing the key of its account',
		measured: `${ours.toFixed(0)} µs`,
		against: `@ensdomains/address-encoder, which knows the chain and only decodes: ${theirs.toFixed(0)} µs`,
		ratio: ours / theirs,
		meaning: `What the check of a list costs before it is sent: ${formatCount(listLength)} addresses take ${formatSeconds((ours * listLength) / 1000, 1)}.`,
	};
}

const base58Digits = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const randomText = (length: number) =>
	Array.from(randomBytes(length), (byte) => base58Digits[byte % base58Digits.length]).join('');

/** Texts for which the check may take longest, by what they are. */
const hostileTexts: Record<string, () => string> = {
	'34 characters of no known prefix': () => `z${randomText(33)}`,
	'47 characters of no known prefix': () => `z${randomText(46)}`,
	'a mistyped 3, which may be of Groestlcoin': () => `3${randomText(33)}`,
	'128 characters of Base58': () => randomText(128),
	'seven texts of 34 characters in one': () =>
		Array.from({ length: 7 }, () => randomText(34)).join('/'),
	'two texts as long as an extended key': () => `${randomText(111)}:${randomText(111)}`,
	'256 hyphens and ones': () => '1-'.repeat(128),
};

function costliestTextRow(): Row {
	const figures = Object.entries(hostileTexts)
		.map(([name, create]) => ({
			name,
			microseconds: measureMicroseconds(createTexts(create), checkAddress),
		}))
		.sort((one, other) => other.microseconds - one.microseconds);
	const { name, microseconds } = figures[0]!;
	return {
		name: 'Checking the text that takes longest',
		measured: `${microseconds.toFixed(0)} µs (${name})`,
		against: `the target for one address: ${targetMicroseconds} µs`,
		ratio: microseconds / targetMicroseconds,
		meaning: 'How long an address built to be slow blocks n8n.',
	};
}
