import { createHash } from 'node:crypto';
import { sha256 } from '@noble/hashes/sha2';
import { createBase58check } from '@scure/base';

/* Public transactions, and contracts of tokens. */

/**
 * The transaction that paid 10,000 bitcoins for two pizzas. All its inputs are of one address.
 * `time` is in seconds of Unix time.
 */
export const bitcoinPayment = {
	txid: 'a1075db55d416d3ca199f55b6084e2115b9345e16c5cf302fc80e9d5fbf5d48d',
	time: 1_274_552_191,
	from: '1XPTgDRhN8RFnzniWCddobD9iKZatrvH4',
	to: '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ',
};

/** The first transaction of Ethereum. `time` is in seconds of Unix time. */
export const etherPayment = {
	hash: '0x5c504ed432cb51138bcf09aa5e8a410dd4a1e204ef84bfed1be16dfba1b22060',
	time: 1_438_918_233,
	from: '0xa1e4380a3b1f749673e270229993ee55f35663b4',
	to: '0x5df9b87991262f6ba471f09758cde1c0fc1de734',
};

const base58 = (hex: string) => createBase58check(sha256).encode(Buffer.from(hex, 'hex'));

/** A transfer of 99 TRX. `time` is in milliseconds of Unix time. */
export const trxPayment = {
	txID: '9d67598c8b90336fb876efc7a2b7b78534dab94a802baf481632c17bae11ce2e',
	time: 1_551_759_039_537,
	from: base58('4179309abcff2cf531070ca9222a1f72c4a5136874'),
	to: base58('41a2d3cb65d9c05da645a0206304d8ef7d7e67f82c'),
};

/* The contracts of the token USDT. */

export const tronUsdt = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t';
export const ethereumUsdt = '0xdac17f958d2ee523a2206206994597c13d831ec7';

/** Returns a made-up ID of a transaction. It is always the same for the same name. */
export const transactionId = (name: string | number) =>
	createHash('sha256').update(`watch ${name}`).digest('hex');
