import { base58xrp } from '@scure/base';
import {
	checkedPayload,
	decodeBase58,
	decodeBech32,
	isCaseless,
	isCashAddr,
	isChecksummed,
	isOneCase,
	isPolkadot,
	isWaves,
	isWitness,
} from './codecs';
import { beginnings, chains, name, shapes } from './formats';

/** What an address shows by itself, without a request. */
export interface Check {
	/** `none`: the format has no checksum, or is not known. */
	checksum: 'valid' | 'invalid' | 'none';
	/** The format that it is of, or that it resembles. */
	format: string | null;
	/** The symbols of chains that use the format, as far as known. */
	chains: string[];
	/** What a person should know, as sentences. */
	findings: string[];
}

/**
 * Holds an address against the checksum of its format. It is `valid` if a checksum fits; `none` if it has the exact shape of
 * a format without one, or resembles no format with one; and `invalid` if it resembles a format with a checksum that does
 * not fit. `address` is clean (`service/input.ts`).
 */
export function checkAddress(address: string): Check {
	return checkFormat(address) ?? checkResemblance(address) ?? unknown(null);
}

/** The check by the format that `address` is of. */
function checkFormat(address: string): Check | undefined {
	const found = checkEvm(address) ?? checkBase58(address);
	if (found) return found;
	const shape = shapes.find(({ pattern }) => pattern.test(address));
	if (shape) return unknown(shape.format, shape.chains);
	return checkBech32(address) ?? checkCash(address);
}

/** Also with characters too many or too few. */
const evm = /^(0x|xdc|ronin:)?(.{0,4}?)([0-9a-f]{38,42})$/i;

function checkEvm(address: string): Check | undefined {
	const [, prefix = '', others, digits = ''] = evm.exec(address) ?? [];
	if (others !== '' || digits.length !== 40) return undefined;
	const symbols = chains.evm.get(prefix.toLowerCase() || '0x')!;
	if (isOneCase(digits)) return unknown('EVM', symbols);
	return isChecksummed(digits) ? valid('EVM', symbols) : invalid('EVM', symbols, wrongCase);
}

/** Without the letter by which Avalanche names one of its chains. */
const withoutChain = (address: string) =>
	'CPX'.includes(address[0]!) && address.startsWith('-avax1', 1) ? address.slice(2) : address;

function checkBech32(address: string): Check | undefined {
	const decoded = decodeBech32(withoutChain(address));
	if (!decoded) return undefined;
	const { prefix, encoding } = decoded;
	const segwit = chains.segwit.get(`${prefix}1`);
	if (segwit && !isWitness(decoded.words)) return invalid(encoding, segwit);
	return valid(encoding, segwit ?? chains.bech32.get(`${prefix}1`));
}

/** Only a Bitcoin Cash address may come without its prefix. */
function checkCash(address: string): Check | undefined {
	const small = address.toLowerCase();
	const [payload = '', prefix = 'bitcoincash', ...more] = small.split(':').reverse();
	const symbols = more.length === 0 && isCaseless(address) && chains.cash.get(`${prefix}:`);
	return symbols && isCashAddr(prefix, payload) ? valid('CashAddr', symbols) : undefined;
}

function checkBase58(address: string): Check | undefined {
	// Of the XRP Ledger, without or with a tag.
	const mayBeRipple = address.startsWith('r') || (address.startsWith('X') && address.length > 40);
	const ofRipple = mayBeRipple ? decodeBase58(address, base58xrp) : undefined;
	if (ofRipple && checkedPayload(ofRipple)) return valid('XRP Ledger', ['XRP']);
	const bytes = decodeBase58(address);
	if (!bytes) return undefined;
	const payload = checkedPayload(bytes);
	if (payload) {
		const version = payload.toString('hex', 0, Math.max(0, payload.length - 20));
		return valid('Base58Check', chains.base58.get(version));
	}
	if (isWaves(bytes)) return valid('Waves', ['WAVES']);
	if (isPolkadot(bytes)) return valid('Polkadot', ['DOT', 'KSM']);
	// Bech32 with a mistyped character may be as long, but has not many ones.
	const isLikeBech32 = isNearlyOneCase(address) && !address.includes('111');
	return bytes.length === 32 && !isLikeBech32 ? unknown('Solana', ['SOL']) : undefined;
}

/** Fewer letters and digits are a name. */
const shortest = 20;
/** Longer texts in both cases are of formats without a checksum, except for these lengths: SS58, and XRP with a tag. */
const longestBase58 = 37;
const longBase58 = [45, 46, 47, 48, 49, 50];
/** Longer texts in one case may have a sign: `nano_1…`, `kaspa:q…`. */
const longestOfSigns = 60;
/** More characters that do not belong are no slip. */
const mostMistyped = 2;

/** The check by the format that a text resembles, as if something stood beside the address, or a character was mistyped. */
function checkResemblance(address: string): Check | undefined {
	if (name.test(address)) return unknown('Name');
	const parts = address.split(/[^0-9a-z]/i);
	const long = parts.length > 1 ? parts.filter(({ length }) => length >= shortest) : [];
	const inside = long
		.map(checkFormat)
		.find((it) => it?.checksum === 'valid' || it?.format === 'EVM');
	if (inside) return invalid(inside.format!, inside.chains, beside);

	const bare = parts.join('');
	const isLikeBech32 = isNearlyOneCase(bare);
	const small = withoutChain(address).toLowerCase();
	const { format, symbols } = beginnings.find(({ beginning }) => small.startsWith(beginning)) ?? {};
	if (format === 'EVM' ? isNearlyHexadecimal(small) : evm.test(address)) {
		return invalid('EVM', chains.evm.get('0x'), wrongLength);
	}
	const isLike = format === 'CashAddr' || (format === 'Bech32' && isLikeBech32);
	if (isLike) return invalid(format, symbols);
	if (bare.length < shortest || parts.length > 1 + mostMistyped) return undefined;
	if (isLikeBech32) {
		return parts.length === 1 || bare.length < longestOfSigns ? invalid('Bech32') : undefined;
	}
	const isLong = bare.length > longestBase58;
	if (isLong && !longBase58.includes(bare.length)) return undefined;
	if (bare.startsWith(isLong ? 'X' : 'r')) return invalid('XRP Ledger', ['XRP']);
	return invalid(isLong ? 'Polkadot' : 'Base58Check');
}

/** Some words are nearly as long. */
const isNearlyHexadecimal = (small: string) =>
	Array.from(small).filter((digit) => !'0123456789abcdef'.includes(digit)).length < 10;

/** Whether at most two letters are of another case than the rest. */
const isNearlyOneCase = (text: string) =>
	[text.toLowerCase(), text.toUpperCase()].some(
		(cased) => Array.from(text).filter((letter, at) => letter !== cased[at]).length <= mostMistyped,
	);

const wrongChecksum = 'Its checksum is wrong: a character is missing, added or mistyped.';
const wrongCase = 'Its capital and small letters do not fit its checksum: one is mistyped.';
const wrongLength = 'An EVM address is 0x and 40 hexadecimal digits, and this one is not.';
const beside = 'It contains an address and something beside it.';

// Each check has lists of its own: a later node may change them.
function valid(format: string, symbols: string[] = []): Check {
	return { checksum: 'valid', format, chains: [...symbols], findings: [] };
}

function invalid(format: string, symbols: string[] = [], finding = wrongChecksum): Check {
	return { checksum: 'invalid', format, chains: [...symbols], findings: [finding] };
}

function unknown(format: string | null, symbols: string[] = []): Check {
	const why = format ? 'this format has no checksum to verify' : 'the format is not known';
	const findings = [`A mistyped character would go unnoticed: ${why}.`];
	return { checksum: 'none', format, chains: [...symbols], findings };
}
