import { printable } from '../n8n/context';
import type { Headers } from '../pace/answer';
import { invalidInput, type ScreeningError } from '../service/errors';
import { signedContents } from './fields';
import {
	anyTime,
	type ReceivedDelivery,
	mayHoldSignature,
	type SignatureScheme,
	verifySignature,
} from './signature';

/** Parameters of the node under which a delivery would be accepted. `timestampHeader` only if they need one. */
interface Suggestion {
	signedContent: SignatureScheme;
	signatureHeader: string;
	timestampHeader?: string;
}

const oneDayMs = 24 * 60 * 60 * 1000;
/** Header values beyond this length hold no signature that a service would send. */
const longestValue = 1000;
/** Headers that are tried as the one with the signature, and as the one with the time. */
const mostTried = 4;

/** The parameters that fit a delivery of any time; undefined if none do. Tries at most 25, each with one pass for each secret. */
export function detectScheme(
	delivery: Omit<ReceivedDelivery, 'scheme' | 'signatureHeader' | 'timestampHeader'>,
): Suggestion | undefined {
	return candidatesIn(delivery.headers, delivery.now).find(
		({ signedContent: scheme, signatureHeader, timestampHeader = '' }) => {
			const verdict = verifySignature({ ...delivery, scheme, signatureHeader, timestampHeader });
			return verdict === 'accepted' || verdict === 'stale';
		},
	);
}

function candidatesIn(headers: Headers, now: number): Suggestion[] {
	const texts = Object.entries(headers)
		.map(([name, value]) => ({ name, text: [value ?? []].flat().join(', ') }))
		.filter(({ text }) => text.length <= longestValue);
	const signed = texts.filter(({ text }) => mayHoldSignature(text));
	const timed = texts.filter(({ text }) => Math.abs(now - anyTime(text)) <= oneDayMs);
	return [
		{ signedContent: 'standardWebhooks', signatureHeader: 'webhook-signature' },
		...likeliest(signed, /sign|hmac/i).flatMap((signatureHeader): Suggestion[] => [
			{ signedContent: 'body', signatureHeader },
			{ signedContent: 'stripe', signatureHeader },
			...likeliest(timed, /time|sent/i).map((timestampHeader) => ({
				signedContent: 'timestampAndBody' as const,
				signatureHeader,
				timestampHeader,
			})),
		]),
	];
}

/** The names of the headers, those that look like it first. */
function likeliest(headers: Array<{ name: string }>, likely: RegExp): string[] {
	const names = headers.map(({ name }) => name);
	const rank = (name: string) => (likely.test(name) ? 0 : 1);
	return names.sort((one, other) => rank(one) - rank(other)).slice(0, mostTried);
}

/** The error that names the parameters that fit a delivery which those of the node refuse; undefined if none do. */
export function suggestionFor(refused: ReceivedDelivery): ScreeningError | undefined {
	const found = detectScheme(refused);
	if (!found) return undefined;
	const printed = Object.entries(found).map(([name, text]) => [name, printable(String(text))]);
	const suggestion = Object.fromEntries(printed) as Suggestion;
	const { signedContent, signatureHeader, timestampHeader } = suggestion;
	// Standard Webhooks names its headers itself.
	const signature = signedContent === 'standardWebhooks' ? undefined : signatureHeader;
	const changes = [
		['Signature Scheme', signedContents[signedContent][0], signedContents[refused.scheme][0]],
		['Signature Header', signature, refused.signatureHeader],
		['Timestamp Header', timestampHeader, refused.timestampHeader],
	].flatMap(([label = '', value, current = '']) =>
		value === undefined || value.toLowerCase() === current.trim().toLowerCase()
			? []
			: [{ label, value }],
	);
	return invalidInput(
		changes[0]?.label ?? '',
		'The delivery is signed with the webhook secret, but the settings of this node do not match it',
		`Set ${changes.map(({ label, value }) => `'${label}' to '${value}'`).join(', ')}.`,
		{ suggestion },
	);
}
