import { checkAddress, isOfKnownFormat } from './checkAddress';
import { isGroupedNimiq } from './formats';
import { containsPrivateKey, isRecoveryPhrase } from './privateKey';
import { type Refusal, type TextRule, textRules } from './textRules';

/**
 * What a refused text is:
 *
 * - `secret`: a private key, of which nothing may be repeated.
 * - `unusable`: no address.
 * - `doubtful`: perhaps an address, but something is beside it or missing.
 * - `mistyped`: an address whose checksum is wrong.
 *
 * The last two are sent if the user turns Check Addresses off.
 */
type RefusalKind = 'secret' | 'unusable' | 'doubtful' | 'mistyped';

/** Why a text is not sent as an address, and what to do. */
export interface AddressRefusal extends Refusal {
	readonly kind: RefusalKind;
}

type AddressRule = TextRule & AddressRefusal;

const adviceOnSecret =
	'The node did not send it, but n8n stores the input of a node. Delete this execution, and move the funds to a new wallet. To screen a wallet, enter its public address.';

const privateKeyRefusal: AddressRefusal = {
	kind: 'secret',
	problem: 'contains a private key',
	advice: adviceOnSecret,
};

export const recoveryPhraseRefusal: AddressRefusal = {
	kind: 'secret',
	problem: 'is a recovery phrase',
	advice: adviceOnSecret,
};

/** The rules that refuse a secret in any field. */
export const secretRules: readonly AddressRule[] = [
	{ ...privateKeyRefusal, applies: containsPrivateKey },
	{ ...recoveryPhraseRefusal, applies: isRecoveryPhrase },
];

/**
 * The rules that refuse an address. The first that applies counts. All else is sent, and the
 * service judges it.
 */
const addressRules: readonly AddressRule[] = [
	{
		kind: 'unusable',
		applies: (text) => text === '',
		problem: 'is empty',
		advice: 'Give a wallet address, or filter out the items that have none.',
	},
	...secretRules,
	...textRules.map((rule): AddressRule => ({ ...rule, kind: 'unusable' })),
	{
		kind: 'unusable',
		applies: isNumberOrAmount,
		problem: 'is a number or an amount, not an address',
		advice: 'Enter the wallet address. From a table, paste only the address column.',
	},
	{
		kind: 'unusable',
		applies: isDateOrTime,
		problem: 'is a date or a time, not an address',
		advice: 'Enter the wallet address. From a table, paste only the address column.',
	},
	{
		kind: 'doubtful',
		applies: containsMoreThanAddress,
		problem: 'contains an address and something else',
		advice: 'Give one address only, without a memo, a tag, an amount, a link or quotation marks.',
	},
	{
		kind: 'doubtful',
		applies: isMixedCaseHexWithoutPrefix,
		problem: 'is missing the 0x prefix',
		advice: 'Write 0x before it, if it is an address of Ethereum or a chain like it.',
	},
];

/**
 * Finds why a text is not sent as an address; undefined if it is sent. `checkAddresses` is the option
 * Check Addresses of the user: without it, `doubtful` and `mistyped` texts are sent.
 */
export function findRefusal(
	text: string,
	{ checkAddresses = true } = {},
): AddressRefusal | undefined {
	// It holds spaces, which a rule refuses.
	if (isGroupedNimiq(text)) return undefined;
	const rules = checkAddresses
		? addressRules
		: addressRules.filter(({ kind }) => kind !== 'doubtful');
	const rule = rules.find(({ applies }) => applies(text));
	if (rule || !checkAddresses) return rule;
	const { checksum, findings } = checkAddress(text);
	if (checksum !== 'invalid') return undefined;
	const advice = `${findings[0]} Copy the address again from its source.`;
	return { kind: 'mistyped', problem: 'is not a valid address', advice };
}

/**
 * From 32 characters on, digits alone may be an address, as the 32 ones of Solana are.
 */
const maxNumberLength = 31;

/**
 * Whether a text is a number, with its decimals, groups of thousands, exponent, currency or unit,
 * e.g. `-1,000.50`, `$12`, `0.5ETH`, `50%` or `1e18`. Three numbers, as in an account of Hedera,
 * are none. A text whose checksum fits is an address, even of digits only.
 */
function isNumberOrAmount(text: string): boolean {
	const number =
		/^[+-]?[$€£¥]?(?:\d+|\d{1,3}(?:[,.'_]\d{3})+)(?:[.,]\d+)?(?:[eE][+-]?\d+)?(?:[A-Z]{2,6}|[%$€£¥])?$/;
	return text.length <= maxNumberLength && number.test(text) && !isOfKnownFormat(text);
}

/** Whether a text is 40 hexadecimal digits in capital and small letters: an EVM address without 0x. */
function isMixedCaseHexWithoutPrefix(text: string): boolean {
	return /^(?=.*[a-f])(?=.*[A-F])[\da-fA-F]{40}$/.test(text);
}

/**
 * Whether a text is a day with the year at either end, a time of ISO 8601, or the time of a clock.
 */
function isDateOrTime(text: string): boolean {
	const day = '(?:0?[1-9]|[12]\\d|3[01])';
	return [
		// 2026-11, 2026/11/26, 2026-11-26T09:12:00Z
		/^\d{4}[-/]\d\d?(?:[-/]\d\d?(?:T[\d:.,]+(?:Z|[+-]\d\d:?\d\d)?)?)?$/i,
		// 20261126T0912
		/^\d{8}T\d{4,6}Z?$/i,
		// 26.11.2026
		new RegExp(`^${day}[./-]${day}[./-](?:19|20)\\d\\d$`),
		// 9:12, 09:12:30.5
		/^\d\d?:\d\d(?::\d\d(?:\.\d+)?)?$/,
	].some((form) => form.test(text));
}

/**
 * Whether a known address stands in a longer text that is no address itself, as one of TON with a
 * `/` is. Before it, letters, digits, `_`, `:`, `.` and `-` are allowed; directly after it, the same
 * without the colon.
 *
 * @example r9cZ…fk59:12345 has a tag after the address, and https://example.com/0xd8dA…6045 a link
 * before it.
 */
function containsMoreThanAddress(text: string): boolean {
	if (!/[^\w.-]/.test(text) || isOfKnownFormat(text)) return false;
	return [...text.matchAll(/[0-9A-Za-z]{25,}/g)].some(({ 0: part, index }) => {
		const isFollowed = /^[^\w.-]/.test(text.slice(index + part.length));
		const hasOtherBefore = /[^\w:.-]/.test(text.slice(0, index));
		return (isFollowed || hasOtherBefore) && isOfKnownFormat(part);
	});
}
