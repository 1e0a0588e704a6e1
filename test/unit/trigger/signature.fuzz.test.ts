import {
	type Headers,
	type SignatureScheme,
	verifySignature,
} from '../../../nodes/WalletScreening/trigger/signature';
import { numbersFrom, seed } from '../../support/random';
import {
	bodies,
	MESSAGE_ID,
	PREVIOUS_SECRET,
	SECRET,
	SIGNED_AT,
	STANDARD_SECRET,
	type Vector,
} from './vectors';

const random = numbersFrom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;

interface Sent {
	body: Buffer;
	headers: Headers;
	now: number;
}

const schemes: SignatureScheme[] = ['body', 'timestampAndBody', 'stripe', 'standardWebhooks'];
const at = String(SIGNED_AT);

function genuine(scheme: SignatureScheme, vector: Vector): Sent {
	const label = pick(['', 'sha256=', 'HMAC-SHA256:', 'v1=', 'v1,']);
	const timed = vector.timestampAndBody;
	const headers: Record<SignatureScheme, Headers> = {
		body: { 'x-signature': label + vector.body },
		timestampAndBody: { 'x-signature': label + timed, 'x-timestamp': at },
		stripe: { 'x-signature': `t=${at},v1=${timed}` },
		standardWebhooks: {
			'webhook-id': MESSAGE_ID,
			'webhook-timestamp': at,
			'webhook-signature': `v1,${vector.standardWebhooks}`,
		},
	};
	return { body: vector.content, headers: { ...headers[scheme] }, now: SIGNED_AT * 1000 };
}

const joined = (value: string | string[] | undefined) => [value ?? []].flat().join(', ');

/**
 * Whether a mutated delivery still holds all that was signed, so that accepting it is no forgery. It knows the genuine digest
 * and computes nothing. Where in the header the digest may stand, the examples say.
 */
function holdsWhatWasSigned(sent: Sent, scheme: SignatureScheme, vector: Vector): boolean {
	const { headers, body, now } = sent;
	const signature = joined(headers['x-signature'] ?? headers['webhook-signature']);
	const digest = {
		body: Buffer.from(vector.body, 'hex'),
		timestampAndBody: Buffer.from(vector.timestampAndBody, 'hex'),
		stripe: Buffer.from(vector.timestampAndBody, 'hex'),
		standardWebhooks: Buffer.from(vector.standardWebhooks, 'base64'),
	}[scheme];
	const spellings = ['base64', 'base64url'] as const;
	const holdsDigest =
		signature.toLowerCase().includes(digest.toString('hex')) ||
		spellings.some((spelling) => signature.includes(digest.toString(spelling).replace(/=$/, '')));
	const holdsTime = {
		body: true,
		timestampAndBody: headers['x-timestamp'] === at,
		stripe: /(?:^|[ \t,])t=(\d+)(?:[ \t,]|$)/.exec(signature)?.[1] === at,
		standardWebhooks: headers['webhook-timestamp'] === at && headers['webhook-id'] === MESSAGE_ID,
	}[scheme];
	const isFresh = scheme === 'body' || Math.abs(now - SIGNED_AT * 1000) <= 300_000;
	return body.equals(vector.content) && holdsDigest && holdsTime && isFresh;
}

const anyText = () =>
	pick([
		String.fromCharCode(0x20 + below(0x5f)),
		pick(['é', '０', '\u200b', '\u00a0', '\ud800', '𝄞', '\0', 'K', 'ſ', '\n', '\t']),
		pick(['v1=', 'v1,', 't=1,', 'sha256=', ' ', ',', '=', '.0', '000', '-', '"']),
		pick(['c'.repeat(64), 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=']),
	]);
function splice(text: string): string {
	const start = below(text.length + 1);
	return text.slice(0, start) + pick(['', anyText()]) + text.slice(start + below(4));
}
const changes: Array<(text: string) => string | string[] | undefined> = [
	...Array.from({ length: 6 }, () => splice),
	(text) => text.slice(0, below(text.length)),
	(text) => text.toUpperCase().normalize('NFKD'),
	(text) => text.replaceAll('+', '-').replaceAll('/', '_').replaceAll(',', ' '),
	(text) => pick([undefined, '', [], [text, text], [text, anyText()], text + text]),
	(text) => 'v1,v1,t=1,'.repeat(below(200)) + text,
];

const mutations: Array<(sent: Sent) => void> = [
	(sent) => {
		const start = below(sent.body.length + 1);
		const added = Buffer.from(Array.from({ length: below(5) }, () => below(256)));
		const rest = sent.body.subarray(start + below(8));
		sent.body = Buffer.concat([sent.body.subarray(0, start), added, rest]);
	},
	(sent) => (sent.body = pick(bodies).content),
	...Array.from({ length: 4 }, () => ({ headers }: Sent) => {
		const name = pick(Object.keys(headers));
		headers[name] = pick(changes)(joined(headers[name]));
	}),
	({ headers }) => {
		const [one, other] = [pick(Object.keys(headers)), pick(Object.keys(headers))];
		[headers[one], headers[other]] = [headers[other], headers[one]];
	},
	(sent) => {
		sent.now = pick([sent.now + 300_001, sent.now - 300_001, sent.now - 1e12, NaN, Infinity]);
	},
];

test(`of 100,000 forged deliveries none is accepted and none throws (TEST_SEED=${seed})`, () => {
	const verdicts: Record<string, number> = {};
	for (let forged = 0; forged < 100_000;) {
		const [scheme, vector] = [pick(schemes), pick(bodies)];
		const sent = genuine(scheme, vector);
		for (let count = 1 + below(3); count > 0; count--) pick(mutations)(sent);
		if (holdsWhatWasSigned(sent, scheme, vector)) continue;
		forged++;
		const verdict = verifySignature({
			...{ ...sent, scheme },
			secrets: scheme === 'standardWebhooks' ? [STANDARD_SECRET] : [PREVIOUS_SECRET, SECRET],
			signatureHeader: 'X-Signature',
			timestampHeader: 'X-Timestamp',
			toleranceSeconds: 300,
		});
		if (verdict.accepted) expect({ scheme, ...sent, body: String(sent.body) }).toBe('refused');
		else verdicts[verdict.reason] = (verdicts[verdict.reason] ?? 0) + 1;
	}
	expect(Object.keys(verdicts).sort()).toEqual(['malformed', 'mismatch', 'missing', 'stale']);
	for (const count of Object.values(verdicts)) expect(count).toBeGreaterThan(1000);
});
