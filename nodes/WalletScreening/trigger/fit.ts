import {
	anyTime,
	type Delivery,
	type Headers,
	mayHoldSignature,
	type SignatureScheme,
	verifySignature,
} from './signature';

/** Settings of the trigger node under which a delivery would be accepted. `timestampHeader` only if they need one. */
export interface Settings {
	signedContent: SignatureScheme;
	signatureHeader: string;
	timestampHeader?: string;
}

/** How much may be spent on the search, for each node and minute, on whatever arrives. */
export interface Allowance {
	/** Deliveries that are looked at. */
	searches: number;
	/** Bytes that are hashed. */
	bytes: number;
}

const day = 24 * 60 * 60 * 1000;
/** Header values beyond this length hold no signature that a service would send. */
const longestValue = 1000;
/** Headers that are tried as the one with the signature, and as the one with the time. */
const mostTried = 4;

export const allowanceOfMinute: Allowance = { searches: 100, bytes: 16 * 2 ** 20 };

/**
 * Other settings, which fit a delivery that the node's own settings refuse. Gives undefined if no settings fit or if the
 * allowance is used up. The search takes what it spends from the allowance. It only finds settings: the caller still
 * refuses the delivery. The time is not checked, because a stale delivery shows the settings too.
 */
export function settingsThatFit(
	delivery: Omit<Delivery, 'scheme' | 'signatureHeader' | 'timestampHeader'>,
	allowance: Allowance,
): Settings | undefined {
	if (allowance.searches <= 0) return undefined;
	allowance.searches--;
	const { headers, body, secrets, now } = delivery;
	const candidates = candidatesIn(headers, now);
	const bytes = candidates.length * secrets.length * body.length;
	if (bytes > allowance.bytes) return undefined;
	allowance.bytes -= bytes;
	return candidates.find(({ signedContent, signatureHeader, timestampHeader = '' }) => {
		const scheme = signedContent;
		const verdict = verifySignature({ ...delivery, scheme, signatureHeader, timestampHeader });
		return verdict.accepted || verdict.reason === 'stale';
	});
}

/** The settings that the headers leave possible, at most 28. */
function candidatesIn(headers: Headers, now: number): Settings[] {
	const texts = Object.entries(headers)
		.map(([name, value]) => ({ name, text: [value ?? []].flat().join(', ') }))
		.filter(({ text }) => text.length <= longestValue);
	const signed = likeliest(
		texts.filter(({ text }) => mayHoldSignature(text)),
		/sign|hmac/i,
	);
	if (signed.length === 0) return [];
	const timed = likeliest(
		texts.filter(({ text }) => Math.abs(now - anyTime(text)) <= day),
		/time|sent/i,
	);
	return signed.flatMap(({ name: signatureHeader, text }): Settings[] => [
		{ signedContent: 'body', signatureHeader },
		...(/t=\d/.test(text) ? [{ signedContent: 'stripe' as const, signatureHeader }] : []),
		...(signatureHeader.toLowerCase() === 'webhook-signature'
			? [{ signedContent: 'standardWebhooks' as const, signatureHeader }]
			: []),
		...timed.map(({ name: timestampHeader }) => ({
			signedContent: 'timestampAndBody' as const,
			signatureHeader,
			timestampHeader,
		})),
	]);
}

/** Those whose name says so first. */
function likeliest<T extends { name: string }>(headers: T[], name: RegExp): T[] {
	const isLikely = (header: T) => name.test(header.name);
	return [...headers.filter(isLikely), ...headers.filter((header) => !isLikely(header))].slice(
		0,
		mostTried,
	);
}
