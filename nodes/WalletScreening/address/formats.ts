/* Address formats as data. A chain has the usual symbol of its coin. One that is missing here is missing only in `chains`. */

/** The chains of what an address begins with. */
const chainsBy = (table: string) =>
	new Map(
		table.split(/\s+/).map((entry): [string, string[]] => {
			const [beginning = '', chains = ''] = entry.split('=');
			return [beginning, chains.split(',')];
		}),
	);

/** By format. */
export const chains = {
	/** All chains of Ethereum's format share the addresses with 0x; these are the best known. */
	evm: chainsBy('0x=ETH,ARB,AVAX,BASE,BSC,ETC,OP,POL xdc=XDC ronin:=RON'),
	/** Base58Check, by the version in hex: the bytes before the 20 bytes of hash. */
	base58: chainsBy(
		`00=BTC,BCH,BSV 05=BTC,BCH,BSV,LTC 10=DASH 16=DOGE 17=BTG,NEO,ONT 1e=DOGE,DGB,XVG 21=XVG,ELA
		26=BTG 30=LTC 32=LTC 35=NEO 3a=QTUM 3c=KMD,RVN 3f=DGB 41=TRX 4c=DASH 1cb8=ZEC 1cbd=ZEC 2089=ZEN
		06a19f=XTZ 06a1a1=XTZ 06a1a4=XTZ 025a79=XTZ`,
	),
	/** Bech32 whose data is a witness program. */
	segwit: chainsBy('bc1=BTC tb1=BTC bcrt1=BTC ltc1=LTC tltc1=LTC btg1=BTG dgb1=DGB'),
	bech32: chainsBy(
		`addr1=ADA addr_test1=ADA stake1=ADA stake_test1=ADA avax1=AVAX bnb1=BNB celestia1=TIA
		cosmos1=ATOM cro1=CRO dydx1=DYDX erd1=EGLD inj1=INJ iota1=IOTA kava1=KAVA ltcmweb1=LTC one1=ONE
		osmo1=OSMO secret1=SCRT sei1=SEI terra1=LUNA thor1=RUNE xch1=XCH zil1=ZIL zs1=ZEC`,
	),
	cash: chainsBy('bitcoincash:=BCH bchtest:=BCH bchreg:=BCH ecash:=XEC simpleledger:=BCH'),
};

/** All that an address of a format with a checksum may begin with, and its chains. */
export const beginnings = Object.entries({
	EVM: chains.evm,
	CashAddr: chains.cash,
	Bech32: new Map([...chains.segwit, ...chains.bech32]),
}).flatMap(([format, table]) =>
	Array.from(table, ([beginning, symbols]) => ({ format, beginning, symbols })),
);

/** A name of ENS and its like, or an account of NEAR: they are the same in capital and small letters. */
export const name = /^[\w-]+(?:\.[\w-]+)*\.[a-z]{2,}$/i;

const hex = '[0-9a-fA-F]';
const base32 = '[A-Z2-7]';
export const base58Digit = '[1-9A-HJ-NP-Za-km-z]';

/** Shapes of formats without a checksum to verify. A text of one of them is not taken for a mistyped address of another format. */
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
	['Nimiq', 'NIM', 'NQ\\d\\d[0-9A-Z]{32}'],
	['TON', 'TON', '[EUk0][Qf][\\w+/-]{46}|(?:0|-1):[0-9a-fA-F]{64}'],
	['Decred', 'DCR', `[DT][cs]${base58Digit}{33}`],
	['NULS', 'NULS', `t?NULS[a-z]${base58Digit}{32}`],
	['Monero', 'XMR', `[48]${base58Digit}{94}(?:${base58Digit}{11})?`],
].map(([format = '', chains, shape]) => ({
	format,
	chains: chains ? chains.split(',') : [],
	pattern: new RegExp(`^(?:${shape})$`),
}));
