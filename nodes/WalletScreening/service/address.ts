/** `0x…` and bech32 addresses mean the same in capital and small letters; base58 addresses do not. */
const caseless = /^(0x[0-9a-f]+|(bc|tb|ltc|tltc|addr|cosmos|bnb)1[02-9ac-hj-np-z]+)$/i;

/** The form under which two spellings of one address are equal. */
export function addressKey(address: string): string {
	return caseless.test(address) ? address.toLowerCase() : address;
}
