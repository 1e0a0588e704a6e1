import { createHash } from 'crypto';
import { blake2b256 } from './blake2b';
import { checkedPayload, decodeBase58 } from './base58';
import { decodeBech32, isWitness } from './bech32';
import { isCashAddr } from './cashAddr';
import { isChecksummed } from './evm';
import { keccak256 } from './keccak';
import { base58Chains, bech32Chains, cashChains, evmChains, segwitChains, shapes } from './formats';

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
	return (
		checked(address) ??
		surrounded(address) ??
		shaped(address) ??
		nearEvm(address) ??
		nearPrefix(address) ??
		nearOther(address) ??
		none(null)
	);
}

/** The verdict of the format whose checksum fits, or which `address` is of although none fits. */
function checked(address: string): Check | undefined {
	return evmCheck(address) ?? bech32Check(address) ?? cashCheck(address) ?? base58Check(address);
}

const evm = /^(0x|xdc|ronin:)?([0-9a-f]{40})$/i;
/** Of prefixes that name a chain. */
const ownChains: Record<string, string[]> = { xdc: ['XDC'], 'ronin:': ['RON'] };

function evmCheck(address: string): Check | undefined {
	const [, prefix = '', digits] = evm.exec(address) ?? [];
	if (digits === undefined) return undefined;
	const chains = ownChains[prefix.toLowerCase()] ?? evmChains;
	if (!hasBothCases(digits)) return none('EVM', chains);
	return isChecksummed(digits) ? valid('EVM', chains) : invalid('EVM', chains, wrongCase);
}

function bech32Check(address: string): Check | undefined {
	const decoded = decodeBech32(address.replace(/^[CPX]-(?=(avax|fuji)1)/, ''));
	if (!decoded) return undefined;
	const { prefix, encoding } = decoded;
	const segwit = segwitChains.get(prefix);
	if (segwit && !isWitness(decoded)) return invalid(encoding, segwit);
	return valid(encoding, segwit ?? bech32Chains.get(prefix) ?? []);
}

function cashCheck(address: string): Check | undefined {
	const [, given, payload] = /^(?:([a-z]+):)?([a-z0-9]{42,})$/i.exec(address) ?? [];
	// Only a Bitcoin Cash address may come without its prefix.
	const prefix = given?.toLowerCase() ?? 'bitcoincash';
	const chains = cashChains.get(prefix);
	const isOneCase = given === undefined || !hasBothCases(address);
	if (!payload || !chains || !isOneCase || !isCashAddr(prefix, payload)) return undefined;
	return valid('CashAddr', chains);
}

function base58Check(address: string): Check | undefined {
	const bytes = decodeBase58(address);
	if (!bytes) return undefined;
	const payload = checkedPayload(bytes);
	if (payload) {
		const version = payload.toString('hex', 0, Math.max(0, payload.length - 20));
		return valid('Base58Check', base58Chains.get(version) ?? []);
	}
	const ofRipple = decodeBase58(address, 'ripple');
	if (ofRipple && checkedPayload(ofRipple)) return valid('XRP Ledger', ['XRP']);
	if (isWaves(bytes)) return valid('Waves', ['WAVES']);
	// Bech32 with a mistyped character may be as long.
	if (casesOf(address).most > 10 && isNearlyOneCase(address)) return undefined;
	if (bytes.length === 32) return none('Solana', ['SOL']);
	if (isPolkadot(bytes)) return valid('Polkadot', ['DOT', 'KSM']);
	if (bytes.length < 34 || bytes.length > 37 || isLikeTon.test(address)) return undefined;
	return address.startsWith('X') ? invalid('XRP Ledger', ['XRP']) : invalid('Polkadot', []);
}

/** TON is Base64, in which some addresses are Base58 by chance, or nearly. */
const isLikeTon = /^[EUk0][Qf][\w-]{46}$/;

/** Substrate's SS58: a network of one or two bytes, 32 bytes, a checksum of two. */
function isPolkadot(bytes: Buffer): boolean {
	const hash = createHash('blake2b512').update('SS58PRE').update(bytes.subarray(0, -2));
	return bytes.length >= 35 && hash.digest().subarray(0, 2).equals(bytes.subarray(-2));
}

/** Waves and the chains made from it: a version, a network, 20 bytes, a checksum of four. */
function isWaves(bytes: Buffer): boolean {
	if (bytes.length !== 26 || (bytes[0] !== 1 && bytes[0] !== 5)) return false;
	const digest = keccak256(blake2b256(bytes.subarray(0, -4)));
	return digest.subarray(0, 4).equals(bytes.subarray(-4));
}

/** An address with something beside it, e.g. `bitcoin:` before it or a full stop after it. */
function surrounded(address: string): Check | undefined {
	const parts = address.split(/\W+/);
	if (parts.length < 2) return undefined;
	const inside = parts
		.map((part) => ({ part, check: checked(part) }))
		.find(({ part, check }) => check?.checksum === 'valid' || (check && /^0x/i.test(part)));
	return inside?.check && invalid(inside.check.format, inside.check.chains, beside);
}

function shaped(address: string): Check | undefined {
	const [format, chains] = shapes.find(([, , shape]) => shape.test(address)) ?? [];
	return format === undefined ? undefined : none(format, chains);
}

/*
 * The format that a text would be of if some characters were not missing, added or mistyped. The conditions are wide, because
 * the exact shapes of other formats come first.
 */

function nearEvm(address: string): Check | undefined {
	const isHexadecimal = address.replace(/[0-9a-f]/gi, '').length < 10;
	const isNear =
		(/^(0x|xdc|ronin:)/i.test(address) && isHexadecimal) ||
		/^.{0,4}[0-9a-f]{38,42}$/i.test(address);
	return isNear ? invalid('EVM', evmChains, wrongLength) : undefined;
}

/** A text with the prefix of Bech32 or CashAddr. */
function nearPrefix(address: string): Check | undefined {
	const bare = withoutSigns(address.toLowerCase());
	const cash = [...cashChains].find(([prefix]) => bare.startsWith(prefix));
	if (cash) return invalid('CashAddr', cash[1]);
	if (/:[qp][02-9ac-hj-np-z]{41}$/i.test(address)) return invalid('CashAddr', []);
	const [, prefix = ''] = /^(?:[cpx]-)?(\w+?)1/.exec(address.toLowerCase()) ?? [];
	const chains = segwitChains.get(prefix) ?? bech32Chains.get(prefix);
	return chains && isNearlyOneCase(address) ? invalid('Bech32', chains) : undefined;
}

/** Fewer characters are a name. */
const shortest = 20;
/** Longer texts in both cases are of formats without a checksum. */
const longestBase58 = 37;
/** More characters that do not belong are no slip. */
const mostMistyped = 2;

/** Letters and digits: in one case as Bech32 without its prefix, in both as Base58, among which a sign was mistyped. */
function nearOther(address: string): Check | undefined {
	const bare = withoutSigns(address);
	const signs = address.length - bare.length;
	if (bare.length < shortest || signs > mostMistyped) return undefined;
	if (signs === 0 && isNearlyOneCase(bare)) return invalid('Bech32', []);
	const isNearPolkadot = bare.length >= 46 && bare.length <= 49 && notBase58(bare) === 1;
	if (isNearPolkadot && !isLikeTon.test(address)) return invalid('Polkadot', []);
	const isBase58 = signs === 0 || (hasBothCases(bare) && /\d/.test(bare));
	if (!isBase58 || bare.length > longestBase58) return undefined;
	return bare.startsWith('r') ? invalid('XRP Ledger', ['XRP']) : invalid('Base58Check', []);
}

/** How many characters are not of Base58, and look like some that are. */
const notBase58 = (text: string) => text.replace(/[^0OIl]/g, '').length;

function withoutSigns(text: string): string {
	return text.replace(/[^0-9a-z]/gi, '');
}

function isNearlyOneCase(text: string): boolean {
	return casesOf(text).least <= mostMistyped;
}

function hasBothCases(text: string): boolean {
	return casesOf(text).least > 0;
}

/** How many letters are of the case that most of them have, and how many are of the other one. */
function casesOf(text: string): { most: number; least: number } {
	const small = text.replace(/[^a-z]/g, '').length;
	const capital = text.replace(/[^A-Z]/g, '').length;
	return { most: Math.max(small, capital), least: Math.min(small, capital) };
}

const wrongChecksum = 'Its checksum is wrong: a character is missing, added or mistyped.';
const wrongCase =
	'Its capital and small letters do not fit its checksum (EIP-55): a character is mistyped.';
const wrongLength = 'An EVM address is 0x and 40 hexadecimal digits, and this one is not.';
const beside = 'It contains an address and something beside it.';
const noChecksum =
	'A mistyped character would go unnoticed: this format has no checksum to verify.';
const noFormat = 'A mistyped character would go unnoticed: the format is not known.';

// Each check has lists of its own: a later node may change them.
function valid(format: string, chains: string[]): Check {
	return { checksum: 'valid', format, chains: [...chains], findings: [] };
}

function invalid(format: string | null, chains: string[], finding = wrongChecksum): Check {
	return { checksum: 'invalid', format, chains: [...chains], findings: [finding] };
}

function none(format: string | null, chains: string[] = []): Check {
	const findings = [format === null ? noFormat : noChecksum];
	return { checksum: 'none', format, chains: [...chains], findings };
}
