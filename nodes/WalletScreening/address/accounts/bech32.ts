import { encodeBase58Check } from '../encodings/base58';
import { bytesOfWords, decodeBech32, isBech32Text } from '../encodings/bech32';
import { decodeCashAddr, decodeConflux } from '../encodings/cashAddr';
import { type Account, evmKey } from './account';

/* The accounts whose spellings are groups of five bits: CashAddr, Conflux and Bech32. */

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
export function cashAddrAccount(address: string): Account | undefined {
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
 * An address of Conflux, which may hold its type, has the 20 bytes that Conflux wrote with `0x`
 * before (CIP-37). Conflux takes the bytes of the Ethereum account with the same key, and sets the
 * first digit to 1. So an Ethereum account that has exactly these 20 bytes has the same key.
 *
 * @example CFX:TYPE.USER:AARC…H4XG is 0x1a2f…aa55, and names the chain cfx.
 */
export function confluxAccount(address: string): Account | undefined {
	const small = address.toLowerCase();
	const [, chain = '', data = ''] = /^(cfx\w*):(?:type\.\w+:)?(\w{42})$/.exec(small) ?? [];
	const account = decodeConflux(chain, data);
	return account && { key: evmKey(account), chain };
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
export function bech32Account(address: string): Account | undefined {
	if (!isBech32Text(address)) return undefined;
	const key = address.toLowerCase();
	const chain = key.slice(0, key.lastIndexOf('1'));
	if (!evmPrefixes.has(chain)) return { key };
	const decoded = decodeBech32(key);
	const bytes = decoded && bytesOfWords(decoded.words);
	return bytes?.length === 20 ? { key: evmKey(bytes), chain } : { key };
}
