import { base32nopad, base58xrp } from '@scure/base';
import { trimInvisible } from '../shared/text';
import { isOfKnownFormat } from './checkAddress';
import {
	bytesOfHex,
	bytesOfWords,
	checkedPayload,
	crc16,
	decodeBase32,
	decodeBase58,
	decodeBech32,
	decodeCashAddr,
	decodeConflux,
	decodeFilecoinEvm,
	encodeBase58Check,
	encodeSubstrate,
	splitSubstrate,
} from './checksums';
import {
	bech32Class,
	isBech32Text,
	isGroupedNimiq,
	isMuxedStellar,
	isRawTon,
	mayBeXAddress,
	splitChain,
	splitEvm,
} from './formats';

/** An account, and the chain and the tag that its spelling names. */
interface Account {
	/** The same for each spelling of the account. */
	key: string;
	/** See `chainOfSpelling`. */
	chain?: string;
	/** See `tagOfSpelling`. */
	tag?: string;
}

/**
 * The account that an address names, as one text: the same for each spelling of it, and another one
 * for another account of the chain. Accounts of two chains may have one key: that of 64 hexadecimal
 * digits is an account of NEAR and, with `0x`, one of Sui. Lists, exceptions, comparisons and results
 * of a job find addresses by it. A text of no family below is its own key. Blanks and invisible
 * characters around an address are ignored.
 */
export const addressKey = (address: string): string => accountOf(address).key;

/**
 * What a screening is about, as one text: the account, and the chain and the tag that the spelling
 * names. Only what has the same text is sent once: a wallet may be clean on one chain and not on
 * another.
 *
 * @example 1BpE… is an account of Bitcoin, and of Bitcoin Cash as it was written before.
 * bitcoincash:qpm2… is the same account, but names its chain. So both have one `addressKey`, and
 * each has a `screeningKey` of its own.
 */
export function screeningKey(address: string): string {
	const { key, chain, tag } = accountOf(address);
	return [chain, key, tag].filter((part) => part !== undefined).join(' ');
}

/**
 * The chain that the spelling of an address names, in small letters, where another chain has the
 * same account; undefined for none.
 */
export const chainOfSpelling = (address: string): string | undefined => accountOf(address).chain;

/**
 * The tag that an address holds, in hex with its kind before it; undefined for none. An exchange has
 * one account for many customers, and tells them apart by their tags.
 */
export const tagOfSpelling = (address: string): string | undefined => accountOf(address).tag;

function accountOf(text: string): Account {
	const address = trimInvisible(text);
	for (const find of families) {
		const account = find(address);
		if (account !== undefined) return account;
	}
	return { key: address };
}

/**
 * Each function gives the account of the spellings that it covers. The first that covers an address
 * counts.
 */
const families: Array<(address: string) => Account | undefined> = [
	evmAccount,
	hexadecimalAccount,
	tonRawAccount,
	cashAddrAccount,
	scriptAccount,
	xrpAccount,
	stellarAccount,
	tonAccount,
	substrateAccount,
	filecoinAccount,
	hederaAccount,
	groupedAccount,
	confluxAccount,
	// Before `spellingAccount`, which would take `solana:` for a prefix of Kaspa's kind.
	prefixedAccount,
	spellingAccount,
	// The last, because the end of an address of Nano or Nimiq may look like Bech32.
	bech32Account,
];

/**
 * An account of EVM is 40 hexadecimal digits, which mean the same in capital and small letters and
 * with each prefix.
 *
 * @example xdcAC1E…b309 is 0xac1e…b309, and names the chain xdc.
 */
function evmAccount(address: string): Account | undefined {
	const evm = splitEvm(address);
	if (!evm) return undefined;
	const key = `0x${evm.digits.toLowerCase()}`;
	const namesChain = evm.prefix !== '' && evm.prefix !== '0x';
	return { key, ...(namesChain && { chain: evm.prefix.replace(':', '') }) };
}

/** The key of an account of EVM, of its 20 bytes. */
const evmKey = (account: Uint8Array) => `0x${Buffer.from(account).toString('hex')}`;

/**
 * Hexadecimal digits of other lengths than those of EVM.
 *
 * @example 0x2 is 0x0000…0002, 9879…D6DE is 0x9879…d6de, and 41A6…D13C and 0x41a6…d13c are TR7N…Lj6t.
 */
function hexadecimalAccount(address: string): Account | undefined {
	const [, prefix = '', text = ''] = /^(0x)?([0-9a-f]+)$/i.exec(address) ?? [];
	const digits = text.toLowerCase();
	// The account of a T address. No other chain leaves out the 22 zeros at the start of an account.
	const isTron = digits.length === 42 && digits.startsWith('41');
	if (isTron) return { key: encodeBase58Check(bytesOfHex(digits)) };
	// An account of Aptos, Sui or Starknet, which may lack zeros at its start after `0x`.
	if (prefix !== '' || digits.length === 64) return { key: `0x${digits.padStart(64, '0')}` };
	// A shorter text may be of another alphabet, which has case.
	return digits.length > 40 ? { key: digits } : undefined;
}

/**
 * The digits in the raw form of an account of TON have no case.
 *
 * @example 0:CA6E…2A3E is 0:ca6e…2a3e.
 */
function tonRawAccount(address: string): Account | undefined {
	return isRawTon(address) ? { key: address.toLowerCase() } : undefined;
}

/** The prefixes of CashAddr under which tokens of a chain are sent, and the one of that chain. */
const chainOfTokenPrefix: Partial<Record<string, string>> = {
	simpleledger: 'bitcoincash',
	etoken: 'ecash',
};

/**
 * A CashAddr with a hash of 20 bytes is the same account with the prefix for tokens. On Bitcoin
 * Cash, it is the account that the legacy form names.
 *
 * @example qr6m…ekg2 is 1PQP…EJCp, and names the chain bitcoincash. ECASH:QZ27…5035 is
 * ecash:0:95e7…dd1d: the version of the legacy form, and the hash.
 */
function cashAddrAccount(address: string): Account | undefined {
	const decoded = decodeCashAddr(address);
	if (!decoded) return undefined;
	const { prefix, bytes } = decoded;
	const chain = chainOfTokenPrefix[prefix] ?? prefix;
	const [version = 0] = bytes;
	// Kinds 0 and 1 are the hash of a public key and of a script. With tokens, the same accounts have
	// the kinds 2 and 3.
	const kind = version >> 3;
	const isAccount = bytes.length === 21 && kind <= 3;
	if (!isAccount) return { key: `${prefix}:${address.toLowerCase().replace(/^.*:/, '')}` };
	const isScript = kind % 2 === 1;
	// The version of the legacy form, and the hash.
	const payload = Buffer.of(isScript ? 5 : 0, ...bytes.subarray(1));
	if (chain === 'bitcoincash') return { key: encodeBase58Check(payload), chain };
	return { key: `${chain}:${payload[0]}:${payload.toString('hex', 1)}` };
}

/**
 * The chains that wrote the hash of a script with the 3 of Bitcoin before, and write it with a letter
 * of their own today: that letter, and the version in its place.
 */
const scriptForms = [
	{ letter: 'M', version: 0x32, chain: 'litecoin' },
	{ letter: 'P', version: 0x37, chain: 'monacoin' },
	{ letter: 'S', version: 0x3f, chain: 'digibyte' },
];

/** The version of a script's hash in the older form. */
const olderScriptVersion = 5;

/**
 * The address of a script with the letter of its chain is the same account as the older form with 3.
 *
 * @example MPbF…rr2S is 3HP7…jqyT, and names the chain litecoin.
 */
function scriptAccount(address: string): Account | undefined {
	const form = scriptForms.find(({ letter }) => address.startsWith(letter));
	if (!form || address.length !== 34) return undefined;
	const bytes = decodeBase58(address);
	const payload = bytes && checkedPayload(bytes);
	if (payload?.length !== 21 || payload[0] !== form.version) return undefined;
	const older = Uint8Array.of(olderScriptVersion, ...payload.subarray(1));
	return { key: encodeBase58Check(older), chain: form.chain };
}

/** The first two bytes of an X-address of the main network. */
const xAddressVersion = 0x0544;

/**
 * An X-address of the XRP Ledger is the same account as the r address in it, and may hold a tag.
 *
 * @example X7Ac…1cqZ is r9cZ…fk59, and X7Ac…WHuh is so with the tag 7.
 */
function xrpAccount(address: string): Account | undefined {
	if (!mayBeXAddress(address)) return undefined;
	const bytes = decodeBase58(address, base58xrp);
	const payload = bytes && checkedPayload(bytes);
	// Two bytes are the version, 20 the account, one is 0 without a tag, and eight are for the tag.
	if (payload?.length !== 31 || payload.readUInt16BE() !== xAddressVersion) return undefined;
	const key = encodeBase58Check(Uint8Array.of(0, ...payload.subarray(2, 22)), base58xrp);
	return payload[22] === 0 ? { key } : { key, tag: payload.toString('hex', 22) };
}

/**
 * A muxed account of Stellar, with M, holds an account, with G (SEP-23). In both, a version of one
 * byte comes first, and a CRC-16 last.
 *
 * @example MA7Q…CJUQ is GA7Q…VSGZ.
 */
function stellarAccount(address: string): Account | undefined {
	if (!isMuxedStellar(address)) return undefined;
	const bytes = decodeBase32(address);
	if (bytes?.[0] !== 12 << 3 || crc16(bytes.subarray(0, -2)) !== bytes.readUInt16LE(41))
		return undefined;
	const account = Buffer.concat([Uint8Array.of(6 << 3), bytes.subarray(1, 33), Buffer.alloc(2)]);
	account.writeUInt16LE(crc16(account.subarray(0, -2)), 33);
	return { key: base32nopad.encode(account) };
}

/**
 * An address of TON (TEP-2) is Base64 of either alphabet: flags, which are no part of the account,
 * then what the raw form has, then a CRC-16.
 *
 * @example EQDK…PrHF is 0:ca6e…2a3e.
 */
function tonAccount(address: string): Account | undefined {
	if (address.length !== 48) return undefined;
	// Node skips all other characters.
	const bytes = Buffer.from(address, 'base64');
	if (bytes.length !== 36 || crc16(bytes) !== 0) return undefined;
	// An address is bounceable or not, and perhaps only for a test network.
	const isAddress = [0x11, 0x51].includes(bytes[0]! & 0x7f);
	if (!isAddress) return undefined;
	return { key: `${bytes.readInt8(1)}:${bytes.toString('hex', 2, 34)}` };
}

/** The network of SS58 that stands for any chain. */
const anySubstrate = Buffer.of(42);

/**
 * An account of Substrate is 32 bytes. Before them, SS58 has the network of a chain, such as 0 for
 * Polkadot and 2 for Kusama, or the one that names none.
 *
 * @example 15oF…6Sp5 is 5Grw…utQY, and names the chain ss58:00.
 */
function substrateAccount(address: string): Account | undefined {
	// The shortest text is that of zeros on Polkadot.
	if (address.length < 36 || address.length > 50) return undefined;
	const bytes = decodeBase58(address);
	const { network, account } = (bytes && splitSubstrate(bytes)) ?? {};
	if (!network || !account) return undefined;
	const key = encodeSubstrate(Buffer.concat([anySubstrate, account]));
	return network.equals(anySubstrate) ? { key } : { key, chain: `ss58:${network.toString('hex')}` };
}

/**
 * A delegated address of Filecoin, with f410f or, on a test network, t410f, holds the 20 bytes that
 * Filecoin also writes with `0x` (FIP-0048).
 *
 * @example f410fkkld…amxa is 0x5296…cfef, and names the chain fil:f.
 */
function filecoinAccount(address: string): Account | undefined {
	const [, network, data = ''] = /^([ft])410f([a-z2-7]{39})$/.exec(address) ?? [];
	const account = decodeFilecoinEvm(data);
	return account && { key: evmKey(account), chain: `fil:${network}` };
}

/**
 * The number of an account of Hedera, which may have a checksum (HIP-15), is also the last of the 20
 * bytes that Hedera writes with `0x`.
 *
 * @example 0.0.123-vfmkw is 0x0000…007b, and names the chain hedera.
 */
function hederaAccount(address: string): Account | undefined {
	const [, number] = /^0\.0\.(\d{1,19})(?:-[a-z]{5})?$/.exec(address) ?? [];
	if (number === undefined) return undefined;
	return { key: `0x${BigInt(number).toString(16).padStart(40, '0')}`, chain: 'hedera' };
}

/** Base32 in groups of six, the first of which begins with the letter of a network. */
const groupedNem = /^(?=[NTM])(?:[A-Z2-7]{6}-){6}[A-Z2-7]{3,4}$/;

/**
 * Wallets of NEM group an address by hyphens, and wallets of Nimiq by spaces.
 *
 * @example NCVUSX-AGEXYT-…-JZRG is NCVUSXAGEXYT…JZRG, and NQ74 D40G … 8G1E is NQ74D40G…8G1E.
 */
function groupedAccount(address: string): Account | undefined {
	const isGrouped = groupedNem.test(address) || isGroupedNimiq(address);
	return isGrouped ? { key: address.replace(/[- ]/g, '') } : undefined;
}

/**
 * An address of Conflux, which may hold its type, has the 20 bytes that Conflux wrote with `0x`
 * before (CIP-37). Conflux takes the bytes of the Ethereum account with the same key, and sets the
 * first digit to 1. So an Ethereum account that has exactly these 20 bytes has the same key.
 *
 * @example CFX:TYPE.USER:AARC…H4XG is 0x1a2f…aa55, and names the chain cfx.
 */
function confluxAccount(address: string): Account | undefined {
	const small = address.toLowerCase();
	const [, chain = '', data = ''] = /^(cfx\w*):(?:type\.\w+:)?(\w{42})$/.exec(small) ?? [];
	const account = decodeConflux(chain, data);
	return account && { key: evmKey(account), chain };
}

/** The spellings of a family that differ only in what is left out, and in case. */
interface Spelling {
	pattern: RegExp;
	/** The key, with the groups of the pattern. */
	key: string;
	hasCase: boolean;
}

const spellings: Spelling[] = [
	// Nano had another name before.
	{ pattern: /^(?:nano|xrb)_([13][13-9a-km-uw-z]{59})$/i, key: 'nano_$1', hasCase: false },
	// Kaspa and its like have a prefix before an alphabet without case.
	{ pattern: new RegExp(`^([a-z]+:${bech32Class}{42,})$`, 'i'), key: '$1', hasCase: false },
	// Nimiq has capitals only.
	{ pattern: /^(NQ\d\d[0-9A-Z]{32})$/, key: '$1', hasCase: true },
	// Names have no case.
	{ pattern: /^([\w-]+(?:\.[\w-]+)*\.[a-z]{2,})$/i, key: '$1', hasCase: false },
];

/**
 * The account of a spelling in the table.
 *
 * @example
 *
 *     spelling                    key
 *     xrb_3t6k…ohr3               nano_3t6k…ohr3
 *     KASPA:QPAU…HW5J             kaspa:qpau…hw5j
 *     Vitalik.ETH                 vitalik.eth
 */
function spellingAccount(address: string): Account | undefined {
	const spelling = spellings.find(({ pattern }) => pattern.test(address));
	if (!spelling) return undefined;
	const key = address.replace(spelling.pattern, spelling.key);
	return { key: spelling.hasCase ? key : key.toLowerCase() };
}

/**
 * An address with the name of a chain before it is that address, if its format is known or its
 * spelling is in the table.
 *
 * @example eth:0xd8dA…6045 is 0xd8da…6045, and names the chain eth.
 */
function prefixedAccount(address: string): Account | undefined {
	const split = splitChain(address);
	if (!split) return undefined;
	const { chain, bare } = split;
	const isAddress = isOfKnownFormat(bare) || spellingAccount(bare) !== undefined;
	return isAddress ? { ...accountOf(bare), chain } : undefined;
}

/**
 * The prefixes of chains whose Bech32 text holds the 20 bytes that the chain also writes with `0x`.
 *
 * The first three are Harmony, IoTeX and Zilliqa. The long list has each main network, running or
 * ended, that names `ethsecp256k1` and no other kind of key in the Cosmos chain registry
 * (github.com/cosmos/chain-registry, August 2026), but for one with the prefix of Cosmos itself. The
 * last three are forks of Ethermint that name no kind there: Canto, OKX and Kava.
 *
 * Kava has accounts of Cosmos, too. Another hash makes their bytes, so no key is known for the
 * Ethereum account with the same bytes.
 */
const evmPrefixes = new Set(
	`one io zil
	acre aioz blockx crc cvn cysic dym epix ethm ethos evmos fx haqq human imv init inj kii kudo logos
	lrz mantra mythos plq qie qubetics realio router shido st tac tenet titan turk warden xpla zeta
	canto ex kava`.split(/\s+/),
);

/**
 * Bech32 means the same in capital and small letters.
 *
 * @example BC1Q…F3T4 is bc1q…f3t4. one1mrd…7kww is 0xd8da…6045, and names the chain one.
 */
function bech32Account(address: string): Account | undefined {
	if (!isBech32Text(address)) return undefined;
	const key = address.toLowerCase();
	const chain = key.slice(0, key.lastIndexOf('1'));
	if (!evmPrefixes.has(chain)) return { key };
	const decoded = decodeBech32(key);
	const bytes = decoded && bytesOfWords(decoded.words);
	return bytes?.length === 20 ? { key: evmKey(bytes), chain } : { key };
}
