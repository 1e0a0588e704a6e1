/** An account, and the chain and the tag that its spelling names. */
export interface Account {
	/** The same for each spelling of the account. */
	key: string;
	/** See `chainOfSpelling` in `key.ts`. */
	chain?: string;
	/** See `tagOfSpelling` in `key.ts`. */
	tag?: string;
}

/** The key of an account of EVM, of its 20 bytes. */
export const evmKey = (account: Uint8Array): string => `0x${Buffer.from(account).toString('hex')}`;
