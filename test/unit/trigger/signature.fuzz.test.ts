import { verifySignature } from '../../../nodes/WalletScreening/trigger/signature';
import { numbersFrom, seed } from '../../support/random';
import type { Vector } from './vectors';
import {
	MESSAGE_ID,
	PREVIOUS_SECRET,
	SECRET,
	SIGNED_AT,
	STANDARD_SECRET,
	empty,
	huge,
	invalidUtf8,
	json,
	unicode,
} from './vectors';

const FORGERIES = 100_000;
const FORGERIES_OF_16_MB = 40;

const SCHEMES = ['body', 'timestampAndBody', 'stripe', 'standardWebhooks'] as const;
type Scheme = (typeof SCHEMES)[number];

/** What a sender puts on the wire, and the clock of the receiver. */
interface Sent {
	body: Buffer;
	headers: Record<string, string | string[] | undefined>;
	now: number;
}

interface Original extends Sent {
	scheme: Scheme;
	/** The genuine digest in the spelling that openssl printed. */
	digest: string;
}

type Mutation = (sent: Sent, original: Original) => void;

const random = numbersFrom(seed);
const below = (limit: number) => Math.floor(random() * limit);
const pick = <T>(choices: readonly T[]): T => choices[below(choices.length)]!;

const SIGNATURE_HEADER = {
	body: 'x-signature',
	timestampAndBody: 'x-signature',
	stripe: 'x-signature',
	standardWebhooks: 'webhook-signature',
} as const;

const DECOY = {
	body: 'c'.repeat(64),
	timestampAndBody: `sha256=${'c'.repeat(64)}`,
	stripe: `v1=${'c'.repeat(64)}`,
	standardWebhooks: 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=',
} as const;

function originalOf(scheme: Scheme, vector: Vector): Original {
	const timed = scheme === 'stripe' ? 'timestampAndBody' : scheme;
	const digest =
		timed === 'standardWebhooks'
			? vector.standardWebhooks
			: pick([vector[timed].hex, vector[timed].base64, vector[timed].previousSecret]);
	const headers: Sent['headers'] = { host: 'n8n.example', 'content-type': 'application/json' };
	const label = pick(['', 'sha256=', 'SHA256=', 'sha256:', 'hmac-sha256=', 'v1=', 'v1,']);
	const quote = pick(['', '"']);
	if (scheme === 'body' || scheme === 'timestampAndBody') {
		headers['x-signature'] = label + quote + digest + quote;
	}
	if (scheme === 'timestampAndBody') headers['x-timestamp'] = String(SIGNED_AT);
	if (scheme === 'stripe') headers['x-signature'] = `t=${SIGNED_AT},v1=${digest}`;
	if (scheme === 'standardWebhooks') {
		headers['webhook-id'] = MESSAGE_ID;
		headers['webhook-timestamp'] = String(SIGNED_AT);
		headers['webhook-signature'] = `v1,${digest}`;
	}
	return { scheme, digest, body: vector.content, headers, now: SIGNED_AT * 1000 };
}

const joined = (value: string | string[] | undefined) => [value ?? []].flat().join(', ');

/** The text of a header, under whatever case of its name; several values joined as on the wire. */
function received({ headers }: Sent, name: string): string {
	const values: string[] = [];
	for (const key of Object.keys(headers)) {
		if (key.toLowerCase() === name) values.push(joined(headers[key]));
	}
	return values.join(', ');
}

/**
 * The oracle: whether the mutated delivery still says what the original said, so that accepting it
 * is no forgery. It knows the genuine digest and looks for it as a whole word; it computes nothing.
 */
function saysTheSame(sent: Sent, { scheme, digest, body }: Original): boolean {
	const bytes = Buffer.from(digest, digest.length === 64 ? 'hex' : 'base64');
	const words = received(sent, SIGNATURE_HEADER[scheme]).split(/[ \t,]/);
	const holdsDigest = words.some((word, index) => {
		if (scheme === 'stripe') return word.startsWith('v1=') && spells(word.slice(3), bytes);
		if (scheme === 'standardWebhooks') return spells(word, bytes) && words[index - 1] === 'v1';
		const bare = word.replace(/^(sha256|hmac-sha256|v1)[=:]/i, '');
		return spells(bare, bytes) || (/^".*"$/.test(bare) && spells(bare.slice(1, -1), bytes));
	});
	const times = {
		body: [String(SIGNED_AT)],
		timestampAndBody: [received(sent, 'x-timestamp')],
		stripe: words.filter((word) => word.startsWith('t=')).map((word) => word.slice(2)),
		standardWebhooks: [received(sent, 'webhook-timestamp')],
	}[scheme];
	return (
		sent.body.equals(body) &&
		holdsDigest &&
		times.length === 1 &&
		times[0] === String(SIGNED_AT) &&
		(scheme !== 'standardWebhooks' || received(sent, 'webhook-id') === MESSAGE_ID) &&
		(scheme === 'body' || Math.abs(sent.now - SIGNED_AT * 1000) <= 300_000)
	);
}

/** Whether a word is these bytes in hex, base64 or base64url; one `=` of padding may be there or not. */
function spells(word: string, bytes: Buffer): boolean {
	const [base64, base64url] = [bytes.toString('base64'), bytes.toString('base64url')];
	return (
		word.toLowerCase() === bytes.toString('hex') ||
		[base64, base64.slice(0, -1), base64url, `${base64url}=`].includes(word)
	);
}

function signedHeaders(sent: Sent): string[] {
	return Object.keys(sent.headers).filter((name) => /^(x-|webhook-)/i.test(name));
}

/** Changes the text of one header that counts, the signature's most often. */
function changeHeader(change: (text: string) => string): Mutation {
	return (sent) => {
		const names = signedHeaders(sent);
		const signature = names.filter((name) => /signature/i.test(name));
		const name = pick(signature.length > 0 && random() < 0.6 ? signature : names);
		if (name !== undefined) sent.headers[name] = change(joined(sent.headers[name]));
	};
}

function changeSignature(change: (text: string, original: Original) => string): Mutation {
	return (sent, original) => {
		const name = Object.keys(sent.headers).find((key) => /signature/i.test(key));
		if (name === undefined) return;
		sent.headers[name] = change(joined(sent.headers[name]), original);
	};
}

function changeTime(change: (text: string) => string): Mutation {
	return (sent) => {
		const name = Object.keys(sent.headers).find((key) => /timestamp/i.test(key));
		const [signature] = Object.keys(sent.headers).filter((key) => /x-signature/i.test(key));
		if (name !== undefined) {
			sent.headers[name] = change(joined(sent.headers[name]));
		} else if (signature !== undefined) {
			const text = joined(sent.headers[signature]);
			sent.headers[signature] = text.replace(
				/t=(\d*)/,
				(_all, time: string) => `t=${change(time)}`,
			);
		}
	};
}

const splice = (text: string, at: number, removed: number, added: string) =>
	text.slice(0, at) + added + text.slice(at + removed);

const anyCharacter = () =>
	pick([
		() => String.fromCharCode(0x20 + below(0x5f)),
		() =>
			pick(['é', 'а', '０', '\u200b', '\u00a0', '\u2028', '\ud800', '𝄞', '\0', '\ufffd', 'K', 'ſ']),
		() => pick([' ', ',', '=', '.', ';', '\t', '\n', '-', '_', '+', '/']),
	])();

const anyBytes = () => Buffer.from(Array.from({ length: 1 + below(4) }, () => below(256)));

const bodyMutations: Mutation[] = [
	(sent) => {
		if (sent.body.length === 0) return;
		sent.body = Buffer.from(sent.body);
		const at = below(sent.body.length);
		sent.body[at] = sent.body[at]! ^ (1 << below(8));
	},
	(sent) => {
		const at = below(sent.body.length + 1);
		sent.body = Buffer.concat([sent.body.subarray(0, at), anyBytes(), sent.body.subarray(at)]);
	},
	(sent) => {
		const at = below(sent.body.length + 1);
		const kept = sent.body.subarray(at + 1 + below(8));
		sent.body = Buffer.concat([sent.body.subarray(0, at), kept]);
	},
	(sent) => {
		sent.body = sent.body.subarray(0, below(sent.body.length + 1));
	},
	(sent) => {
		sent.body = pick([json, unicode, invalidUtf8, empty]).content;
	},
	(sent) => {
		sent.body = Buffer.concat([
			sent.body,
			Buffer.from(pick([' ', '\n', '\r\n', '\0', '}', '\ufeff'])),
		]);
	},
	(sent) => {
		sent.body = Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), sent.body]);
	},
	(sent) => {
		sent.body = Buffer.from(
			sent.body.toString(pick(['utf8', 'latin1'] as const)),
			pick(['utf8', 'utf16le', 'latin1'] as const),
		);
	},
	(sent) => {
		sent.body = Buffer.from(
			sent.body
				.toString()
				.normalize(pick(['NFD', 'NFKC']))
				.replaceAll(':', ': '),
		);
	},
	(sent) => {
		sent.body = Buffer.concat([Buffer.from(`${SIGNED_AT}.`), sent.body]);
	},
	(sent) => {
		sent.body = Buffer.concat([sent.body, sent.body]);
	},
];

const headerMutations: Mutation[] = [
	(sent) => delete sent.headers[pick(signedHeaders(sent)) ?? ''],
	(sent) => {
		const name = pick(signedHeaders(sent));
		if (name !== undefined) sent.headers[name] = pick([undefined, '', [], [''], ' ', ',']);
	},
	(sent) => {
		const name = pick(signedHeaders(sent));
		if (name === undefined) return;
		const text = joined(sent.headers[name]);
		sent.headers[name] = pick([[text, text], `${text}, ${text}`, `${text},${text}`, text + text]);
	},
	(sent) => {
		const name = pick(signedHeaders(sent));
		if (name === undefined) return;
		const value = sent.headers[name];
		delete sent.headers[name];
		sent.headers[
			pick([
				`${name}2`,
				name.slice(1),
				name.replace('-', '_'),
				`x-${name}`,
				` ${name}`,
				'__proto__',
				'constructor',
			])
		] = value;
	},
	(sent) => {
		const names = signedHeaders(sent);
		const [one, other] = [pick(names), pick(names)];
		if (one === undefined || other === undefined) return;
		[sent.headers[one], sent.headers[other]] = [sent.headers[other], sent.headers[one]];
	},
	changeHeader((text) => splice(text, below(text.length), 1, anyCharacter())),
	changeHeader((text) => splice(text, below(text.length + 1), 0, anyCharacter())),
	changeHeader((text) => splice(text, below(text.length), 1 + below(3), '')),
	changeHeader((text) => text.slice(0, below(text.length))),
	changeHeader((text) => text.slice(1 + below(text.length))),
	changeHeader((text) => [...text].reverse().join('')),
	changeHeader((text) => text.normalize('NFKD').toUpperCase()),
	changeHeader((text) => text.replaceAll('=', '%3D').replaceAll(',', '%2C')),
	changeHeader((text) => Buffer.from(text).toString(pick(['hex', 'base64', 'utf16le'] as const))),
	changeSignature((text) => text.replaceAll('+', '-').replaceAll('/', '_').replace(/=$/, '')),
	changeSignature((text) => text.replace(/=+$/, pick(['', '==', '=A', '%3D']))),
	changeSignature((text) => text.replace(/.(?==$)/, () => anyCharacter())),
	changeSignature((text) =>
		text.replaceAll(
			pick(['v1', 'sha256', '=', ',']),
			pick(['v0', 'v2', 'v1a', 'sha1', '', ';', 'V1']),
		),
	),
	changeSignature((text, { digest }) =>
		text.replace(digest, digest.slice(0, pick([8, 16, 32, 42, 43, 62, 63]))),
	),
	changeSignature((text, { digest, scheme }) =>
		text.replace(digest, DECOY[scheme].slice(-digest.length)),
	),
	changeSignature((text) => text.replace(/^/, 'v1,v1,t=1,'.repeat(below(200)))),
	changeSignature((_text, { digest }) =>
		pick([
			digest.slice(1),
			`${digest}0`,
			digest + digest,
			'0'.repeat(64),
			'true',
			'*',
			`"${digest}"`,
		]),
	),
];

const timeMutations: Mutation[] = [
	changeTime((text) => String(Number(text) + pick([-1, 1, -301, 301, 86_400]))),
	changeTime((text) => pick(['0', ' ', '+', '-', '0x']) + text),
	changeTime((text) => text + pick(['0', '000', '.0', 'e0', ' ', '\n', 'Z', ',', `,${text}`])),
	changeTime(() =>
		pick(['', '1e9', 'NaN', 'Infinity', 'now', '9'.repeat(400), '٠١٢', '2021-02-25T15:02:10Z']),
	),
	(sent) => {
		sent.now += pick([-1, 1]) * pick([300_001, 301_000, 3_600_000, 1e12]);
	},
	(sent) => {
		sent.now = pick([0, NaN, Infinity, -Infinity]);
	},
];

const harmless: Mutation[] = [
	(sent) => {
		sent.headers = Object.fromEntries(
			Object.entries(sent.headers).map(([name, value]) => [
				name.replace(/[a-z]/g, (letter) => (random() < 0.5 ? letter.toUpperCase() : letter)),
				value,
			]),
		);
	},
	(sent) => {
		sent.headers['x-request-id'] = anyCharacter();
		delete sent.headers['content-type'];
	},
	(sent) => {
		sent.now = SIGNED_AT * 1000 + pick([-1, 1]) * below(300_001);
	},
	changeSignature((text) => text.replace(/[0-9a-f]{64}/g, (hex) => hex.toUpperCase())),
	changeSignature((text, { digest }) => {
		const bytes = Buffer.from(digest, digest.length === 64 ? 'hex' : 'base64');
		const spelling = pick(['hex', 'base64', 'base64url'] as const);
		return text.replace(digest, bytes.toString(spelling));
	}),
	(sent, { scheme }) => {
		const name = Object.keys(sent.headers).find(
			(key) => key.toLowerCase() === SIGNATURE_HEADER[scheme],
		);
		if (name === undefined) return;
		const both = [joined(sent.headers[name]), DECOY[scheme]];
		if (random() < 0.5) both.reverse();
		sent.headers[name] =
			random() < 0.5 ? both : both.join(scheme === 'standardWebhooks' ? ' ' : ',');
	},
	changeSignature((text) => ` ${text} `),
];

const judge = (sent: Sent, scheme: Scheme) =>
	verifySignature({
		...sent,
		scheme,
		secrets:
			scheme === 'standardWebhooks'
				? [STANDARD_SECRET]
				: pick([
						[SECRET, PREVIOUS_SECRET],
						[PREVIOUS_SECRET, SECRET],
					]),
		signatureHeader: 'X-Signature',
		timestampHeader: 'X-Timestamp',
		toleranceSeconds: 300,
	});

const describeSent = ({ body, headers, now }: Sent, { scheme }: Original) =>
	JSON.stringify({ scheme, headers, now, body: body.subarray(0, 200).toString('latin1') });

/** Mutates valid deliveries until `forgeries` of them no longer say what the original said. */
function attack(vectors: readonly Vector[], forgeries: number) {
	const found = {
		forged: 0,
		harmless: 0,
		accepted: [] as string[],
		refused: [] as string[],
		reasons: {} as Record<string, number>,
	};
	while (found.forged < forgeries) {
		const original = originalOf(pick(SCHEMES), pick(vectors));
		const sent: Sent = { body: original.body, headers: { ...original.headers }, now: original.now };
		const malicious = random() < 0.85;
		for (let count = 1 + below(3); count > 0; count--) {
			const mutations = malicious
				? pick([bodyMutations, headerMutations, timeMutations])
				: harmless;
			pick(mutations)(sent, original);
		}
		const verdict = judge(sent, original.scheme);
		if (!saysTheSame(sent, original)) {
			found.forged++;
			if (verdict.accepted) found.accepted.push(describeSent(sent, original));
			else found.reasons[verdict.reason] = (found.reasons[verdict.reason] ?? 0) + 1;
		} else if (!malicious) {
			found.harmless++;
			if (!verdict.accepted) found.refused.push(describeSent(sent, original));
		}
	}
	return found;
}

test.each(SCHEMES)('without a mutation every delivery is accepted: %s', (scheme) => {
	for (const vector of [json, unicode, invalidUtf8, empty, huge]) {
		const original = originalOf(scheme, vector);
		expect(saysTheSame(original, original)).toBe(true);
		expect(judge(original, scheme)).toEqual({ accepted: true });
	}
});

test(`of ${FORGERIES} mutated deliveries none is accepted and none throws, and harmless ones pass (TEST_SEED=${seed})`, () => {
	const found = attack([json, unicode, invalidUtf8, empty], FORGERIES);
	expect(found.accepted).toEqual([]);
	expect(found.refused).toEqual([]);
	expect(found.harmless).toBeGreaterThan(FORGERIES / 10);
	for (const reason of ['missing', 'malformed', 'mismatch', 'stale']) {
		expect(found.reasons[reason]).toBeGreaterThan(FORGERIES / 100);
	}
});

test(`of ${FORGERIES_OF_16_MB} mutated deliveries of 16 MB none is accepted, and harmless ones pass (TEST_SEED=${seed})`, () => {
	const found = attack([huge], FORGERIES_OF_16_MB);
	expect(found.accepted).toEqual([]);
	expect(found.refused).toEqual([]);
});
