import { base58Class } from './encodings/base58';
import { bech32Class, segwitPrefixesOfChain } from './encodings/bech32';
import { cashAddrPrefixesOfChain } from './encodings/cashAddr';

/*
 * What an address looks like: texts that several files recognise, and the formats as data. Nothing
 * here looks at a checksum.
 *
 * What is known of most formats stands in three places, by the question that it answers:
 *
 *     here            which texts are meant to be one, and which chains use it
 *     `encodings/`    which bytes such a text holds, and whether its checksum fits
 *     `accounts/`     which account the bytes name
 *
 * `checkAddress.ts` asks the first two, and `key.ts` the last. A format that has no bytes to decode,
 * such as the grouped address of NEM, is where it is used.
 */

/* Alphabets, as classes of a regular expression. Those of Base58 and Bech32 are in `encodings/`. */
const hexClass = '[0-9a-fA-F]';
const base32Class = '[A-Z2-7]';

/** Whether a text may be an X-address of the XRP Ledger, which holds an account and a tag. */
export const mayBeXAddress = (text: string) => text.startsWith('X') && text.length === 47;

/* Spellings of an address as the source of a regular expression, each beside what recognises it. */

/** Wallets of Nimiq group an address by spaces. */
const groupedNimiq = 'NQ\\d\\d(?: [0-9A-Z]{4}){8}';
export const isGroupedNimiq = matcherOf(groupedNimiq);

/** The raw form of an account of TON is a workchain and 64 hexadecimal digits. */
const rawTon = '(?:0|-1):[0-9a-fA-F]{64}';
export const isRawTon = matcherOf(rawTon);

/** A muxed account of Stellar holds another account (SEP-23). */
const muxedStellar = `M${base32Class}{68}`;
export const isMuxedStellar = matcherOf(muxedStellar);

/**
 * Makes a function that finds out whether a whole text matches the source of a regular expression.
 */
function matcherOf(source: string): (text: string) => boolean {
	const pattern = new RegExp(`^(?:${source})$`);
	return (text) => pattern.test(text);
}

/** An address of Ethereum's kind. */
interface EvmAddress {
	/** The text before the digits in small letters, or an empty text. */
	prefix: string;
	/** The 40 hexadecimal digits, in their case. */
	digits: string;
}

/**
 * Splits an address of Ethereum's kind, which may have `0x`, `xdc`, `ronin:` or nothing before its
 * digits; undefined for any other text.
 */
export function splitEvm(address: string): EvmAddress | undefined {
	const [, prefix = '', digits] = /^(0x|xdc|ronin:)?([0-9a-f]{40})$/i.exec(address) ?? [];
	return digits === undefined ? undefined : { prefix: prefix.toLowerCase(), digits };
}

/** An address with the name of a chain, or the scheme of a link, before it. */
interface AddressOfChain {
	/** In small letters. */
	chain: string;
	/** The address after it. */
	bare: string;
}

/** The shortest text that can be a chain counts, because TON's raw form has a colon of its own. */
const chainAndAddress = new RegExp(
	`^(?:did:pkh:)?([a-z][\\w-]*(?::[\\w-]+)*?):(${rawTon}|[^:]+)$`,
	'i',
);

/**
 * Splits the name of a chain (EIP-3770, CAIP-10, did:pkh) or the scheme of a link (BIP-21) from an
 * address; undefined for a text without one.
 *
 * @example Of eth:0xd8dA…6045, did:pkh:eip155:1:0xd8dA…6045 and ton:0:ca6e…2a3e, the chains are eth,
 * eip155:1 and ton.
 */
export function splitChain(address: string): AddressOfChain | undefined {
	const [, chain, bare] = chainAndAddress.exec(address) ?? [];
	return chain && bare ? { chain: chain.toLowerCase(), bare } : undefined;
}

/**
 * The pattern of the addresses of a format with a checksum. A text with the prefix, the length and
 * the alphabet is meant to be one of them. One character may be wrong, as after a typing error.
 */
export interface AddressPattern {
	readonly format: string;
	readonly prefix: string;
	/** The number of characters, with the prefix. */
	readonly minLength: number;
	readonly maxLength: number;
	/** Matches all after the prefix. */
	readonly afterPrefix: RegExp;
	/** Whether case counts. Where it does not, an address has only capital or only small letters. */
	readonly hasCase: boolean;
	/**
	 * The usual symbols of their coins. A chain that is missing here is missing only in the `chains`
	 * that Check shows.
	 */
	readonly chains: readonly string[];
}

/** What follows the prefixes of a format. */
type Alphabet = Pick<AddressPattern, 'afterPrefix' | 'hasCase'>;

/**
 * Parses a table of patterns. Each line has prefixes, numbers of characters, and chains.
 *
 * @example 't1,t3 35 ZEC'
 */
function parsePatterns(
	{ format, afterPrefix, hasCase }: Alphabet & { format: string },
	table: string,
): AddressPattern[] {
	const lines = table.trim().split(/\s*\n\s*/);
	return lines.flatMap((line) => {
		const [prefixes = '', lengths = '', chains = ''] = line.split(' ');
		const [minLength = 0, maxLength = minLength] = lengths.split('-').map(Number);
		return prefixes.split(',').map((prefix) => ({
			format,
			prefix,
			minLength,
			maxLength,
			afterPrefix,
			hasCase,
			chains: chains.split(','),
		}));
	});
}

/**
 * The source of a pattern that matches a text in an alphabet, also if a typing error has changed one
 * of its characters. A dot is no typing error, because a text with a dot is a name.
 *
 * @example Of Base58, which has no 0, it matches `Div7Na` and `Div0Na`, but neither `Div00a` nor
 * `Div.Na`.
 */
const withTypingError = (alphabet: string) => `${alphabet}*[^.]?${alphabet}*`;

/**
 * Base58 that is neither all capitals (a code), nor all small letters (a word), nor all hexadecimal
 * digits (a hash).
 *
 * @example `Div7Na` and `div7na`, but none of `DIV7NA`, `divna` and `d17a`.
 */
const base58: Alphabet = {
	afterPrefix: new RegExp(
		`^(?=.*[a-z])(?=.*[A-Z\\d])(?![\\da-f]*$)${withTypingError(base58Class)}$`,
	),
	hasCase: true,
};
/** Hexadecimal digits of both cases: those of one case have no checksum. */
const mixedCaseHex: Alphabet = {
	afterPrefix: new RegExp(`^(?=.*[a-f])(?=.*[A-F])${withTypingError(hexClass)}$`),
	hasCase: true,
};
const bech32: Alphabet = {
	afterPrefix: new RegExp(`^${withTypingError(bech32Class)}$`, 'i'),
	hasCase: false,
};
/** The patterns of the prefixes of each chain, which a separator ends. */
const patternsOfChains = (
	format: string,
	prefixesOfChain: Record<string, string[]>,
	separator: string,
	[minLength, maxLength]: [number, number],
): AddressPattern[] =>
	Object.entries(prefixesOfChain).flatMap(([chain, prefixes]) =>
		prefixes.map((prefix) => ({
			format,
			prefix: prefix + separator,
			minLength,
			maxLength,
			...bech32,
			chains: [chain],
		})),
	);

/**
 * Every format whose checksum the nodes verify. Another chain with the same prefix, length and
 * alphabet belongs here only if its checksum is a variant that `checkAddress.ts` tries: Groestlcoin
 * shares the 3 of Bitcoin, Skycoin the letters of all Base58.
 */
export const checksumPatterns: readonly AddressPattern[] = [
	...parsePatterns(
		{ format: 'Base58Check', ...base58 },
		`1 26-34 BTC,BCH,BSV
		3 34 BTC,BCH,BSV,LTC,GRS
		7,X 34 DASH
		9 34 DOGE
		A 34 DOGE,BTG,NEO,ONT
		D 34 DOGE,DGB,XVG
		G 34 BTG
		L,M 34 LTC
		N 34 NEO
		Q 34 QTUM
		R 34 KMD,RVN
		T 34 TRX
		t1,t3 35 ZEC
		zn 35 ZEN
		tz1,tz2,tz3,KT1 36 XTZ`,
	),
	...parsePatterns({ format: 'XRP Ledger', ...base58 }, 'r 25-35 XRP\nX 47 XRP'),
	...parsePatterns(
		{ format: 'Polkadot', ...base58 },
		'1 46-48 DOT\n5 47-48 DOT,KSM\nC,D,E,F,G,H,J 47 KSM',
	),
	...parsePatterns(
		{ format: 'EVM', ...mixedCaseHex },
		`0x 41-43 ETH,ARB,AVAX,BASE,BSC,ETC,OP,POL
		xdc 42-44 XDC
		ronin: 45-47 RON`,
	),
	...patternsOfChains('Bech32', segwitPrefixesOfChain, '1', [30, 90]),
	...parsePatterns(
		{ format: 'Bech32', ...bech32 },
		`ltcmweb1 30-256 LTC
		addr1,addr_test1,stake1,stake_test1 30-256 ADA
		avax1 30-90 AVAX
		bnb1 30-90 BNB
		celestia1 30-90 TIA
		cosmos1 30-90 ATOM
		cro1 30-90 CRO
		dydx1 30-90 DYDX
		erd1 30-90 EGLD
		inj1 30-90 INJ
		io1 30-90 IOTX
		iota1 30-90 IOTA
		kava1 30-90 KAVA
		one1 30-90 ONE
		osmo1 30-90 OSMO
		secret1 30-90 SCRT
		sei1 30-90 SEI
		terra1 30-90 LUNA
		thor1 30-90 RUNE
		xch1 30-90 XCH
		zil1 30-90 ZIL
		zs1 30-256 ZEC`,
	),
	...patternsOfChains('CashAddr', cashAddrPrefixesOfChain, ':', [30, 256]),
	...parsePatterns({ format: 'CashAddr', ...bech32 }, 'q,p 42 BCH,XEC'),
];

/** A format without a checksum that the nodes verify. */
interface AddressShape {
	readonly format: string;
	readonly chains: readonly string[];
	/** Matches the whole address. */
	readonly pattern: RegExp;
}

/** Makes a shape of chains with a comma between them, and of the source of a pattern. */
const shape = (format: string, chains: string, source: string): AddressShape => ({
	format,
	chains: chains === '' ? [] : chains.split(','),
	pattern: new RegExp(`^(?:${source})$`),
});

/** Every format that is known only by its shape. The first shape that an address has counts. */
export const addressShapes: readonly AddressShape[] = [
	shape('Flow', 'FLOW', `0[xX]${hexClass}{16}`),
	shape('Sui, Aptos or Starknet', 'SUI,APT,STRK', `0[xX]${hexClass}{56,64}`),
	shape('Hexadecimal', '', `${hexClass}{64}|0[12]${hexClass}{64,66}|${hexClass}{76}`),
	shape('Tron in hexadecimal', 'TRX', `(?:0[xX])?41${hexClass}{40}`),
	shape('Hedera', 'HBAR', '0\\.0\\.\\d{1,19}(?:-[a-z]{5})?'),
	shape('ICON', 'ICX', '[hc]x[0-9a-f]{40}'),
	shape('Stellar', 'XLM', `[GC]${base32Class}{55}|${muxedStellar}`),
	shape('Algorand', 'ALGO', `${base32Class}{58}`),
	shape('NEM or Symbol', 'XEM,XYM', `[NT]${base32Class}{38,39}`),
	shape('Stacks', 'STX', 'S[PMTN][0-9A-HJKMNP-TV-Z]{36,39}'),
	shape('Filecoin', 'FIL', '[ft](?:[12][a-z2-7]{39}|3[a-z2-7]{84}|4\\d+f[a-z2-7]{39,100})'),
	shape('Lisk', 'LSK', 'lsk[a-z2-9]{38}|\\d{1,20}L'),
	shape('Nimiq', 'NIM', `NQ\\d\\d[0-9A-Z]{32}|${groupedNimiq}`),
	shape('TON', 'TON', `[EUk0][Qf][\\w+/-]{46}|${rawTon}`),
	shape('Decred', 'DCR', `[DT][cs]${base58Class}{33}`),
	shape('NULS', 'NULS', `t?NULS[a-z]${base58Class}{32}`),
	shape('Monero', 'XMR', `[48]${base58Class}{94}(?:${base58Class}{11})?`),
];
