import { createPrivateKey, createPublicKey } from 'crypto';
import { checkedPayload, decodeBase58 } from './base58';

const base58 = '[1-9A-HJ-NP-Za-km-z]';
const bech32 = '[02-9ac-hj-np-z]';

/** What no address looks like, but a key does, also one with a mistyped character. */
const likeKey = new RegExp(
	`^(?:${[
		// WIF of Bitcoin and its like
		`[5-7KLQTXc]${base58}{49,52}`,
		// BIP-32
		`[A-Za-z]{0,2}p(?:rv|v)${base58}{90,120}`,
		// Tezos
		`(?:sp|p2|ed)e?sk${base58}{48,100}`,
		// Stellar
		'S[A-Z2-7]{55}',
	].join('|')})$`,
);
/** Bech32 with a prefix that names a secret: of Cardano, Nostr, Sui, Zcash. */
const secretBech32 = new RegExp(
	`^(?:x?sk|usk[a-z]*|nsec|[a-z]*prv|[a-z]*privkey)1${bech32}{38,}$`,
	'i',
);
/** Words and signs that may stand between a key and what names it. */
const naming = '(?:[^\\p{L}\\d]{1,4}(?:\\p{L}{0,10}|[kr]1)){1,3}';
/** A key in a text, by what names it. */
const labelled = new RegExp(
	[
		'-----BEGIN [\\w ]{0,40}PRIVATE KEY[^]{0,4000}',
		`ed25519:${base58}{80,90}`,
		`(?<![a-z\\d])(?:priv\\p{L}{0,8}|prv|pvt|secret|seed|sk)${naming}(?:0x)?[\\da-f]{64}[\\da-f]*`,
		`(?<![a-z\\d])(?:priv\\p{L}{0,8}|prv|pvt)${naming}${base58}{48}[\\da-z]*`,
	].join('|'),
	'giu',
);
/** A word of BIP-39 in any language, and what stands between two of them: perhaps their numbers. */
const word = '(?<![\\p{L}\\p{M}\\d])(?:[\\p{Ll}\\p{Lu}\\p{M}]{3,8}|\\p{Lo}{1,8})';
const between = '[^\\p{L}\\p{M}\\d]+(?:\\d+[^\\p{L}\\p{M}\\d]+)?';
/** Of Chinese words each is one character, and nothing has to stand between them. */
const twelveWords = new RegExp(
	`(?:${word}${between}){11}${word}(?![\\p{L}\\p{M}\\d])|\\p{Script=Han}{12}`,
	'u',
);
/** A text of nothing but such words: sentences have shorter ones, or commas, or a capital letter at the start. */
const onlyWords = /^[\W\d_]*(?:[a-z]{3,8}\s+(?:\d+\W*)?)+[a-z]{3,8}[\W_]*$/;
const phraseLengths = [12, 15, 18, 21, 24, 25];
/** What files and wallets call a key, and its bytes: as a list of numbers, in pairs of digits, and two keys in one. */
const named =
	/(?:priv(?:ate)?|secret)[^a-z\d]{0,3}(?:extended[^a-z\d])?key|(?:^|[^a-z])(?:pk|\w{0,20}key)\W{1,3}(?:0x)?[\da-f]{64}/i;
const longRun = /[\da-z+/=]{28}/i;
const bytesOfKey = /(?:\d{1,3}[^\w]{1,9}){31}\d|(?:[\da-f]{2}[^\w]{1,3}){31}[\da-f]{2}/i;
/** In capital and small letters, or in letters that no address of that length has: a key with a character or two mistyped. */
const nearKey = new RegExp(
	[
		'^(?=.*[a-z])(?=.*[A-Z])(?:(?:[5-7KLQTXc]|EK)[0-9A-Za-z]{49,57}|[0-9A-Za-z]{85,90})$',
		'^S[A-Z0-9]{54,56}$|^s[0-9A-Za-z]{27,29}$',
	].join('|'),
);
/** Two keys in one, one of Stacks, and one with an address beside it. */
const bareHex =
	/^(?:0x)?[\da-f]{128}$|^(?!0[123])[\da-f]{64}01$|[\da-z]{20}[^\da-z]+(?:0x)?[\da-f]{64}$/i;
const longest = 400;

/** What breaks a key into pieces when it is copied. */
const gaps = /-?[\s\p{C}]+/gu;

/** Whether a text gives power over a wallet: a private key in a usual form, or a recovery phrase. */
export function isPrivateKey(text: string): boolean {
	if (text.length > longest) return false;
	if (likeKey.test(text) || secretBech32.test(text) || isPhrase(text)) return true;
	return isBitcoinKey(text) || isRippleSeed(text);
}

function isPhrase(text: string): boolean {
	const one = text === text.toUpperCase() ? text.toLowerCase() : text;
	return onlyWords.test(one) && phraseLengths.includes(one.match(/[a-z]+/g)?.length ?? 0);
}

/** Whether a text has the words of a recovery phrase or the bytes of a key one after the other. */
const tellsPrivateKey = (text: string) => twelveWords.test(text) || bytesOfKey.test(text);

/** The same for the entries of a list. An entry that is more than a word or a byte is something else. */
export function listsPrivateKey(entries: unknown[]): boolean {
	const parts = entries.map((entry) => String(typeof entry === 'object' ? '' : entry).trim());
	const bare = parts.map((part) => wordOrByte.exec(part)?.[0] ?? 'x');
	return tellsPrivateKey(bare.join('\n').replace(/(?<=\d)(?=\p{L})/gu, ' '));
}

/** One word, perhaps with its number, or one byte. */
const wordOrByte = /^(?:\d+\P{L}*)?[\p{L}\p{M}]{1,8}\P{L}?$|^\d{1,3}$/u;

/** Whether a private key or a recovery phrase is in a text that should hold only a name or an ID. */
export function namesPrivateKey(text: string): boolean {
	if ((named.test(text) && longRun.test(text)) || tellsPrivateKey(text)) return true;
	return [text, text.replace(gaps, '')].some((one) => withoutPrivateKeys(one) !== one);
}

/** The same for a text that should hold only an address, whatever stands beside or in it. */
export function holdsPrivateKey(text: string): boolean {
	const isNear = nearKey.test(text.replace(/[^0-9a-z]/gi, ''));
	return (
		isNear || bareHex.test(text) || bareHex.test(text.replace(gaps, '')) || namesPrivateKey(text)
	);
}

/** WIF of any chain, an extended private key (BIP-32), or a key pair of Solana. */
function isBitcoinKey(text: string): boolean {
	if (![51, 52, 86, 87, 88, 111, 112].includes(text.length)) return false;
	const bytes = decodeBase58(text);
	const payload = bytes && checkedPayload(bytes);
	if (!payload) return bytes?.length === 64 && isKeyPair(bytes);
	const isWif = (payload.length === 33 || payload.length === 34) && payload[0]! >= 0x80;
	// A public key would begin with 2 or 3 here.
	const isExtended = payload.length === 78 && payload[45] === 0;
	return isWif || isExtended;
}

/** An Ed25519 key in DER, without its 32 bytes (RFC 8410). */
const der = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Whether the second half is the public key of the first: in the signature of a transaction it is not. */
function isKeyPair(bytes: Buffer): boolean {
	const key = Buffer.concat([der, bytes.subarray(0, 32)]);
	const pair = createPublicKey(createPrivateKey({ key, format: 'der', type: 'pkcs8' }));
	return pair.export({ format: 'der', type: 'spki' }).subarray(-32).equals(bytes.subarray(32));
}

function isRippleSeed(text: string): boolean {
	const bytes = /^s\w{27,30}$/.test(text) ? decodeBase58(text, 'ripple') : undefined;
	return bytes !== undefined && checkedPayload(bytes) !== undefined;
}

const removed = '(private key removed)';
/** No private key is shorter. */
const shortest = 28;
/** JSON can be parsed deeper than a function can call itself. */
const deepest = 64;

/** A value of JSON without the private keys in its texts, down to 64 levels. What has none stays the same value. */
export function withoutPrivateKeys<T>(value: T): T {
	return masked(value, withoutKeys, deepest) as T;
}

/** The same, without any text or list in which a field for an address would refuse a private key. */
export function withoutRefused<T>(value: T): T {
	return masked(value, (text) => (holdsPrivateKey(text) ? removed : text), deepest) as T;
}

function withoutKeys(text: string): string {
	if (text.length < shortest) return text;
	if (isPrivateKey(text.trim())) return removed;
	return text
		.replace(labelled, removed)
		.replace(/[0-9A-Za-z]+/g, (one) => (isPrivateKey(one) ? removed : one));
}

function masked(
	value: unknown,
	mask: (text: string) => string,
	levels: number,
	known = new Map<unknown, unknown>(),
): unknown {
	if (typeof value === 'string') return mask(value);
	if (levels === 0 || typeof value !== 'object' || value === null) return value;
	// Objects may share others, or hold each other.
	if (known.has(value)) return known.get(value);
	known.set(value, value);
	const made = maskedFields(value, (one) => masked(one, mask, levels - 1, known), mask);
	known.set(value, made);
	return made;
}

function maskedFields(
	value: object,
	inner: (entry: unknown) => unknown,
	mask: (text: string) => string,
): unknown {
	if (Array.isArray(value)) {
		const isPlain = value.every((entry) => typeof entry !== 'object');
		if (isPlain && mask(value.join(' ')) === removed) return removed;
		const entries = value.map((entry) => inner(entry));
		return entries.some((entry, at) => entry !== value[at]) ? entries : value;
	}
	// A plain object, also of another realm: n8n runs expressions in one.
	const prototype = Object.getPrototypeOf(value) as object | null;
	if (prototype !== null && Object.getPrototypeOf(prototype) !== null) return value;
	const fields = Object.entries(value);
	const changed = fields
		.map(([name, entry]) => [name, inner(entry)] as const)
		.filter(([, entry], at) => entry !== fields[at]![1]);
	return changed.length > 0 ? { ...value, ...Object.fromEntries(changed) } : value;
}
