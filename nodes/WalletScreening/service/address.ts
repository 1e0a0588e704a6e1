/** `0x…` and bech32 addresses mean the same in capital and small letters; base58 addresses do not. */
const caseless = /^(0x[0-9a-f]+|(bc|tb|ltc|tltc|addr|cosmos|bnb)1[02-9ac-hj-np-z]+)$/i;

/** A Bitcoin Cash address in capital or in small letters; its prefix may be left out. */
const cash =
	/^(?:bitcoincash:)?([qp][02-9ac-hj-np-z]{41})$|^(?:BITCOINCASH:)?([QP][02-9AC-HJ-NP-Z]{41})$/;

/** The form under which two spellings of one address are equal. */
export function addressKey(address: string): string {
	if (caseless.test(address)) return address.toLowerCase();
	const [, small, capital] = cash.exec(address) ?? [];
	return (small ?? capital)?.toLowerCase() ?? address;
}
