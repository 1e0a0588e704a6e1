/*
 * Address formats as data. A chain has the usual symbol of its coin. One that is missing here is missing only in the `chains`
 * that Check shows.
 */

/**
 * The pattern of the addresses of a format with a checksum. A text with the prefix, the length and the alphabet is meant to be one
 * of them. One of its characters may be of another alphabet, or of another case: a typing error brings such ones.
 */
export interface AddressPattern {
	readonly format: string;
	readonly prefix: string;
	/** The number of characters, with the prefix. */
	readonly minLength: number;
	readonly maxLength: number;
	/** Matches all after the prefix. */
	readonly rest: RegExp;
	/** Whether case counts. Where it does not, an address has only capital or only small letters. */
	readonly hasCase: boolean;
	readonly chains: readonly string[];
}

/**
 * Parses a table of patterns. Each line has prefixes, numbers of characters, and chains.
 *
 * @example 't1,t3 35 ZEC'
 */
function parsePatterns(
	{ format, rest, hasCase }: Pick<AddressPattern, 'format' | 'rest' | 'hasCase'>,
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
			rest,
			hasCase,
			chains: chains.split(','),
		}));
	});
}

/** Base58 with a small letter, which no code in capitals has, and with more than hexadecimal digits, which a hash has. */
const base58 = {
	rest: /^(?=.*[a-z])(?![\da-f]*$)[1-9A-HJ-NP-Za-km-z]*.?[1-9A-HJ-NP-Za-km-z]*$/,
	hasCase: true,
};
/** The prefix alone names the format, if there is more after it than a name has. */
const named = { rest: /^/, hasCase: false };

/**
 * Every format whose checksum the nodes verify. Another chain with the same prefix, length and alphabet belongs here only if its
 * checksum is a variant that `check.ts` tries: Groestlcoin shares the 3 of Bitcoin, Skycoin the letters of all Base58.
 */
export const checksumPatterns: readonly AddressPattern[] = [
	...parsePatterns(
		{ ...base58, format: 'Base58Check' },
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
	...parsePatterns({ ...base58, format: 'XRP Ledger' }, 'r 25-35 XRP\nX 47 XRP'),
	...parsePatterns(
		{ ...base58, format: 'Polkadot' },
		'1 46-48 DOT\n5 47-48 DOT,KSM\nC,D,E,F,G,H,J 47 KSM',
	),
	...parsePatterns(
		{ format: 'EVM', rest: /^(?=.*[a-f])(?=.*[A-F])[\da-fA-F]*.?[\da-fA-F]*$/, hasCase: true },
		`0x 41-43 ETH,ARB,AVAX,BASE,BSC,ETC,OP,POL
		xdc 42-44 XDC
		ronin: 45-47 RON`,
	),
	...parsePatterns(
		{ ...named, format: 'Bech32' },
		`bc1,tb1,bcrt1 30-90 BTC
		ltc1,tltc1 30-90 LTC
		ltcmweb1 30-256 LTC
		btg1 30-90 BTG
		dgb1 30-90 DGB
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
	...parsePatterns(
		{ ...named, format: 'CashAddr' },
		`bitcoincash:,bchtest:,bchreg:,simpleledger: 30-256 BCH
		ecash:,etoken: 30-256 XEC`,
	),
	...parsePatterns(
		{ format: 'CashAddr', rest: /^[02-9ac-hj-np-z]*.?[02-9ac-hj-np-z]*$/i, hasCase: false },
		'q,p 42 BCH,XEC',
	),
];

const hex = '[0-9a-fA-F]';
const base32 = '[A-Z2-7]';
const base58Digit = '[1-9A-HJ-NP-Za-km-z]';

/** Shapes of formats without a checksum that the nodes verify. */
export const shapes = [
	['Flow', 'FLOW', `0[xX]${hex}{16}`],
	['Sui, Aptos or Starknet', 'SUI,APT,STRK', `0[xX]${hex}{56,64}`],
	['Hexadecimal', '', `${hex}{64}|0[12]${hex}{64,66}|${hex}{76}`],
	['Tron in hexadecimal', 'TRX', `41${hex}{40}`],
	['ICON', 'ICX', '[hc]x[0-9a-f]{40}'],
	['Stellar', 'XLM', `[GC]${base32}{55}|M${base32}{68}`],
	['Algorand', 'ALGO', `${base32}{58}`],
	['NEM or Symbol', 'XEM,XYM', `[NT]${base32}{38,39}`],
	['Stacks', 'STX', 'S[PMTN][0-9A-HJKMNP-TV-Z]{36,39}'],
	['Filecoin', 'FIL', '[ft](?:[12][a-z2-7]{39}|3[a-z2-7]{84}|4\\d+f[a-z2-7]{39,100})'],
	['Lisk', 'LSK', 'lsk[a-z2-9]{38}|\\d{1,20}L'],
	['Nimiq', 'NIM', 'NQ\\d\\d(?:[0-9A-Z]{32}|(?: [0-9A-Z]{4}){8})'],
	['TON', 'TON', '[EUk0][Qf][\\w+/-]{46}|(?:0|-1):[0-9a-fA-F]{64}'],
	['Decred', 'DCR', `[DT][cs]${base58Digit}{33}`],
	['NULS', 'NULS', `t?NULS[a-z]${base58Digit}{32}`],
	['Monero', 'XMR', `[48]${base58Digit}{94}(?:${base58Digit}{11})?`],
].map(([format = '', chains, shape]) => ({
	format,
	chains: chains ? chains.split(',') : [],
	pattern: new RegExp(`^(?:${shape})$`),
}));
