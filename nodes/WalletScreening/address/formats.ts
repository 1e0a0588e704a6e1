/*
 * What is known of address formats, as data. A chain has the usual symbol of its coin. One that is missing here is missing in
 * `chains`, and nothing else.
 */

/** All chains of Ethereum's format share its addresses; these are the best known. */
export const evmChains = ['ETH', 'ARB', 'AVAX', 'BASE', 'BSC', 'ETC', 'OP', 'POL'];

/** The chains of what an address begins with, which stands before the colon. */
const byBeginning = (table: string) =>
	new Map(
		table.split(/\s+/).map((line): [string, string[]] => {
			const [beginning = '', chains = ''] = line.split(':');
			return [beginning, chains.split(',')];
		}),
	);

/** By the version of a Base58Check address, in hex: the bytes before its 20 bytes of hash. */
export const base58Chains = byBeginning(
	`00:BTC,BCH,BSV 05:BTC,BCH,BSV,LTC 10:DASH 16:DOGE 17:BTG,NEO,ONT 1e:DOGE,DGB,XVG 21:XVG,ELA 26:BTG
	30:LTC 32:LTC 35:NEO 3a:QTUM 3c:KMD,RVN 3f:DGB 41:TRX 4c:DASH 1cb8:ZEC 1cbd:ZEC 2089:ZEN
	06a19f:XTZ 06a1a1:XTZ 06a1a4:XTZ 025a79:XTZ`,
);

/** By the prefixes of Bech32 whose data is a witness program. */
export const segwitChains = byBeginning('bc:BTC tb:BTC bcrt:BTC ltc:LTC tltc:LTC btg:BTG dgb:DGB');

/** By other prefixes of Bech32. */
export const bech32Chains = byBeginning(
	`addr:ADA addr_test:ADA stake:ADA stake_test:ADA avax:AVAX bnb:BNB celestia:TIA cosmos:ATOM cro:CRO
	dydx:DYDX erd:EGLD inj:INJ iota:IOTA kava:KAVA ltcmweb:LTC one:ONE osmo:OSMO secret:SCRT sei:SEI
	terra:LUNA thor:RUNE xch:XCH zil:ZIL zs:ZEC`,
);

/** By the prefixes of CashAddr. */
export const cashChains = byBeginning(
	'bitcoincash:BCH bchtest:BCH bchreg:BCH ecash:XEC simpleledger:BCH',
);

const base58 = '[1-9A-HJ-NP-Za-km-z]';

/**
 * Exact shapes of formats without a checksum that this package can verify. A text of one of them is not taken for a mistyped
 * address of a format with a checksum.
 */
export const shapes: Array<[format: string, chains: string[], shape: RegExp]> = [
	['Name', [], /^[\w-]+(\.[\w-]+)*\.[a-z]{2,}$/i],
	['Flow', ['FLOW'], /^0x[0-9a-f]{16}$/i],
	['Sui, Aptos or Starknet', ['SUI', 'APT', 'STRK'], /^0x[0-9a-f]{56,64}$/i],
	['Hexadecimal', [], /^([0-9a-f]{64}|0[12][0-9a-f]{64,66}|[0-9a-f]{76})$/i],
	['Tron in hexadecimal', ['TRX'], /^41[0-9a-f]{40}$/i],
	['ICON', ['ICX'], /^[hc]x[0-9a-f]{40}$/],
	['Stellar', ['XLM'], /^([GC][A-Z2-7]{55}|M[A-Z2-7]{68})$/],
	['Algorand', ['ALGO'], /^[A-Z2-7]{58}$/],
	['NEM or Symbol', ['XEM', 'XYM'], /^[NT][A-Z2-7]{38,39}$/],
	['Stacks', ['STX'], /^S[PMTN][0-9A-HJKMNP-TV-Z]{36,39}$/],
	['Filecoin', ['FIL'], /^[ft]([12][a-z2-7]{39}|3[a-z2-7]{84}|4\d+f[a-z2-7]{39,100})$/],
	['Lisk', ['LSK'], /^(lsk[a-z2-9]{38}|\d{1,20}L)$/],
	['Nimiq', ['NIM'], /^NQ\d\d[0-9A-Z]{32}$/],
	['Decred', ['DCR'], new RegExp(`^[DT][cs]${base58}{33}$`)],
	['NULS', ['NULS'], new RegExp(`^t?NULS[a-z]${base58}{32}$`)],
	['Monero', ['XMR'], new RegExp(`^[48]${base58}{94}(${base58}{11})?$`)],
];
