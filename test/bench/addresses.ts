import { randomBytes } from 'node:crypto';

import { getCoderByCoinName } from '@ensdomains/address-encoder';

import { addressKey } from '../../nodes/WalletScreening/address/key';
import { findRefusal } from '../../nodes/WalletScreening/address/refusal';
import { anyOf, withChecksum } from '../support/data/wallets';
import { medianMs, type Row } from './bench';

const textCount = 500;
const rounds = 9;

/** Rows on the check of an address, which the node makes before it sends it. */
export function addressRows(): Promise<Row[]> {
	return Promise.resolve([ordinary(), costliest()]);
}

const many = (make: () => string) => Array.from({ length: textCount }, make);

/** Microseconds of `work` for a text. */
function microseconds(texts: string[], work: (text: string) => unknown): number {
	const ms = medianMs(rounds, () => {
		for (const text of texts) work(text);
	});
	return (ms / texts.length) * 1000;
}

const readAddress = (text: string) => [findRefusal(text), addressKey(text)];

const coins = {
	Ethereum: 'eth',
	'Bitcoin 1': 'btc',
	'Bitcoin bc1q': 'btc',
	Tron: 'trx',
	Polkadot: 'dot',
} as const;

function ordinary(): Row {
	const kinds = Object.entries(coins).map(([name, coin]) => ({
		texts: many(() => anyOf(withChecksum[name]!, Math.random)),
		coder: getCoderByCoinName(coin),
	}));
	const mean = (measure: (kind: (typeof kinds)[number]) => number) =>
		kinds.reduce((sum, kind) => sum + measure(kind), 0) / kinds.length;
	const ours = mean(({ texts }) => microseconds(texts, readAddress));
	const theirs = mean(({ texts, coder }) => microseconds(texts, (text) => coder.decode(text)));
	return {
		name: 'To check an address of Ethereum, Bitcoin, Tron or Polkadot, and to compute the key of its account',
		measured: `${ours.toFixed(0)} µs`,
		against: `@ensdomains/address-encoder, which knows the chain and only decodes: ${theirs.toFixed(0)} µs`,
		ratio: ours / theirs,
		meaning:
			'What the check of a list costs before it is sent: 10,000 addresses take a fraction of a second.',
	};
}

const base58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const textOf = (length: number) =>
	Array.from(randomBytes(length), (byte) => base58[byte % base58.length]).join('');

/** Texts for which the check takes longest, by what they are. */
const hostile: Record<string, () => string> = {
	'34 characters of no known prefix': () => `z${textOf(33)}`,
	'47 characters of no known prefix': () => `z${textOf(46)}`,
	'a mistyped 3, which may be of Groestlcoin': () => `3${textOf(33)}`,
	'128 characters of Base58': () => textOf(128),
	'seven texts of 34 characters in one': () =>
		Array.from({ length: 7 }, () => textOf(34)).join('/'),
	'two texts as long as an extended key': () => `${textOf(111)}:${textOf(111)}`,
	'256 hyphens and ones': () => '1-'.repeat(128),
};

function costliest(): Row {
	const figures = Object.entries(hostile)
		.map(([name, make]) => ({ name, time: microseconds(many(make), readAddress) }))
		.sort((one, other) => other.time - one.time);
	const [{ name, time } = { name: '', time: 0 }] = figures;
	return {
		name: 'To check the text that takes longest',
		measured: `${time.toFixed(0)} µs (${name})`,
		against: 'the aim for an address: 200 µs',
		ratio: time / 200,
		meaning: 'How long an address that is made to be slow holds n8n up.',
	};
}
