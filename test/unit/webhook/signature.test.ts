import { createHmac } from 'node:crypto';
import fc from 'fast-check';
import {
	defaultSignatureSettings,
	resolveScheme,
	type SignatureSettings,
} from '../../../nodes/WalletScreening/webhook/scheme';
import {
	type SignatureInput,
	verifySignature,
} from '../../../nodes/WalletScreening/webhook/signature';
import { signatureHeaders, webhookSchemes } from '../../../sandbox/webhook';
import { seed } from '../../support/data/random';
import {
	bodies,
	byPreviousSecret,
	json,
	jsonBase64,
	MESSAGE_ID,
	PREVIOUS_SECRET,
	SECRET,
	SIGNED_AT,
	STANDARD_SECRET,
	type Vector,
} from '../../support/data/signatureVectors';

type Changes = Partial<SignatureInput & SignatureSettings>;
type Header = string | string[] | undefined;

/** The verdict on a delivery: `accepted`, or the reason for a refusal. */
function judge(changes: Changes): string {
	const delivery = {
		body: json.content,
		headers: {},
		url: 'https://n8n.example/webhook/1/webhook',
		secrets: [SECRET],
		toleranceSeconds: 300,
		now: SIGNED_AT * 1000,
		...changes,
	};
	return verifySignature(
		delivery,
		resolveScheme({ ...defaultSignatureSettings, ...changes }, delivery.headers),
	);
}

const overBody = (signature: Header, changes: Changes = {}) =>
	judge({ headers: { 'x-signature': signature }, ...changes });
const overTimeAndBody = (time: Header, signature: Header, changes: Changes = {}) =>
	judge({
		signedContent: 'timestampAndBody',
		headers: { 'x-signature': signature, 'x-timestamp': time },
		...changes,
	});
const stripe = (signature: Header, changes: Changes = {}) =>
	overBody(signature, { signedContent: 'stripe', ...changes });
const standard = (headers: Record<string, Header> = {}, changes: Changes = {}) =>
	judge({
		signedContent: 'standardWebhooks',
		secrets: [STANDARD_SECRET],
		headers: {
			'webhook-id': MESSAGE_ID,
			'webhook-timestamp': at,
			'webhook-signature': genuine,
			...headers,
		},
		...changes,
	});

/** The HMAC of texts for which there is no vector. The vectors show that it is that of openssl. */
const hmac = (preamble: string, key: string | Buffer = SECRET) =>
	createHmac('sha256', key).update(preamble).update(json.content);

const at = String(SIGNED_AT);
const hex = json.body;
const timedHex = json.timestampAndBody;
const base64 = jsonBase64.body;
const genuine = `v1,${json.standardWebhooks}`;
const otherDigest = 'a'.repeat(64);
const unpadded = (text: string) => text.replace(/=$/, '');
const urlSafe = (text: string) => text.replaceAll('+', '-').replaceAll('/', '_');

/** How a genuine delivery of these bytes is judged in each scheme. */
const schemes: Array<[string, (vector: Vector, changes?: Changes) => string]> = [
	['body', ({ body }, changes) => overBody(body, changes)],
	['timestampAndBody', (vector, changes) => overTimeAndBody(at, vector.timestampAndBody, changes)],
	['stripe', (vector, changes) => stripe(`t=${at},v1=${vector.timestampAndBody}`, changes)],
	[
		'standardWebhooks',
		({ standardWebhooks }, changes) =>
			standard({ 'webhook-signature': `v1,${standardWebhooks}` }, changes),
	],
];

describe.each(schemes)('in the scheme %s', (scheme, judgeVector) => {
	test('the signature covers each byte of the body', () => {
		for (const vector of bodies) {
			const { content } = vector;
			expect(judgeVector(vector, { body: content })).toBe('accepted');
			const longer = Buffer.concat([content, Buffer.from('\n')]);
			expect(judgeVector(vector, { body: longer })).toBe('mismatch');
		}
		expect(judgeVector(json, { secrets: ['another'] })).toBe('mismatch');
	});

	test('the time counts within the tolerance, and only after a genuine signature', () => {
		const late = (by: number, toleranceSeconds: number) =>
			judgeVector(json, { now: SIGNED_AT * 1000 + by, toleranceSeconds });
		const isTimed = scheme !== 'body';
		for (const by of [300_000, -300_000]) expect(late(by, 300)).toBe('accepted');
		for (const verdict of [late(300_001, 300), late(-300_001, 300), late(0, NaN)])
			expect(verdict).toBe(isTimed ? 'stale' : 'accepted');
		expect(judgeVector(json, { now: 0, body: Buffer.from('forged') })).toBe('mismatch');
	});
});

test.each(webhookSchemes)('the sandbox signs as %s', (scheme) => {
	const secret = scheme === 'standardWebhooks' ? STANDARD_SECRET : SECRET;
	const message = { body: json.content.toString(), id: MESSAGE_ID, seconds: SIGNED_AT };
	const headers = signatureHeaders({ scheme, secret }, message);
	expect(judge({ signedContent: scheme, secrets: [secret], headers })).toBe('accepted');
});

test(`whatever stands in the place of a digest, a time or a body, it is refused (TEST_SEED=${seed})`, () => {
	const pieces = ['v1=', 'v1,', 'sha256=', `t=${at},`, ' ', ',', '"', '=', hex, timedHex, genuine];
	const piece = fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 3 }));
	const text = fc.array(piece, { minLength: 1 }).map((parts) => `${parts.join('')}.`);
	const verdicts = new Set<string>();
	const forgery = fc.property(fc.constantFrom(...schemes), text, ([scheme, judgeVector], given) => {
		const isTimed = scheme === 'timestampAndBody' || scheme === 'stripe';
		fc.pre(!given.includes(isTimed ? timedHex : scheme === 'body' ? hex : json.standardWebhooks));
		const digests = { body: given, timestampAndBody: given, standardWebhooks: given };
		verdicts.add(judgeVector({ ...json, ...digests }));
		verdicts.add(overTimeAndBody(given, timedHex));
		verdicts.add(judgeVector(json, { body: Buffer.concat([Buffer.from(given), json.content]) }));
	});
	fc.assert(forgery, { numRuns: 2000, seed });
	expect([...verdicts].sort()).toEqual(['malformed', 'mismatch']);
});

/** Ways in which a service may write a digest, in addition to bare hex and base64. */
test.each<[string, (hex: string, base64: string) => string]>([
	['upper-case hex', (text) => text.toUpperCase()],
	['base64url without padding after v1=', (_, text) => `v1=${unpadded(urlSafe(text))}`],
	['hex after SHA256:', (text) => `SHA256:${text}`],
	['base64 after hmac-sha256=', (_, text) => `hmac-sha256=${text}`],
	['hex in double quotes after sha256=', (text) => `sha256="${text}"`],
])('a digest may be %s, and its forgeries are refused', (_form, spell) => {
	const flipped = (index: number) => {
		const bytes = Buffer.from(hex, 'hex');
		bytes[index] = bytes[index]! ^ 1;
		return spell(bytes.toString('hex'), bytes.toString('base64'));
	};
	expect(overBody(spell(hex, base64))).toBe('accepted');
	for (let index = 0; index < 32; index++) expect(overBody(flipped(index))).toBe('mismatch');
	expect(overBody(spell(hex.slice(0, -2), base64.slice(0, -4)))).toBe('malformed');
	expect(overBody(spell(`${hex}00`, `AAAA${base64}`))).toBe('malformed');
});

test.each<[form: string, Header, verdict: string, because: string]>([
	[
		'the second of two',
		`sha256=${otherDigest} sha256=${hex}`,
		'accepted',
		'while a secret is changed, the service signs with both',
	],
	['one in a repeated header', [otherDigest, hex], 'accepted', 'a header may come twice'],
	[
		'one after many blanks and commas',
		`${otherDigest}${' ,\t'.repeat(40)}${hex}`,
		'accepted',
		'separators may follow each other',
	],
	[
		'one between semicolons',
		`ts=1;h1=${hex};h1=${otherDigest}`,
		'accepted',
		'Paddle separates by semicolons',
	],
	['the last of very many', `${'x '.repeat(5000)}${hex}`, 'accepted', 'each part is a candidate'],
	[
		'one after two labels',
		`sha256=v1=${hex}`,
		'accepted',
		'whatever stands before it does not count',
	],
	[
		'one after a label without a name',
		`=${base64}`,
		'accepted',
		'whatever stands before it does not count',
	],
	['no header', undefined, 'missing', 'there is nothing to compare'],
	['nothing but blanks and commas', ' , ,', 'malformed', 'none of its parts is a digest'],
	[
		'stray bits',
		`${base64.slice(0, -2)}R=`,
		'malformed',
		'base64 of 32 bytes ends with two bits that are 0',
	],
	['padding to spare', `${base64}=`, 'malformed', '32 bytes have one sign of padding'],
	[
		'half of it in double quotes',
		`"${hex.slice(0, 32)}"${hex.slice(32)}`,
		'malformed',
		'quotes stand around the whole',
	],
	[
		'the other half in them',
		`${hex.slice(0, 32)}"${hex.slice(32)}"`,
		'malformed',
		'quotes stand around the whole',
	],
	['a letter behind it', `${hex}z`, 'malformed', 'nothing may follow a digest'],
	['a letter before it', `z${hex}`, 'malformed', 'a label ends with = or :'],
	[
		'a label inside',
		`${hex.slice(0, 32)}v1=${hex.slice(32)}`,
		'malformed',
		'half a digest is none',
	],
	['a zero-width space', `\u200b${hex}`, 'malformed', 'only what ends with = or : is a label'],
	['a part of it', hex.slice(0, 62), 'malformed', '31 bytes are no digest'],
])('a header with %s', (_form, signature, verdict) => {
	expect(overBody(signature)).toBe(verdict);
});

test.each([
	[[SECRET, undefined], 'accepted', 'mismatch'],
	[['', PREVIOUS_SECRET], 'mismatch', 'accepted'],
	[[PREVIOUS_SECRET, `\ufeff  ${SECRET}\r\n`], 'accepted', 'accepted'],
])('every secret is tried: %j', (secrets, current, previous) => {
	expect(overBody(hex, { secrets })).toBe(current);
	expect(overBody(byPreviousSecret.body, { secrets })).toBe(previous);
	const header = `t=${at},v1=${byPreviousSecret.timestampAndBody}`;
	expect(stripe(header, { secrets })).toBe(previous);
});

describe('a secret in hex', () => {
	/** Signed as a test of the library of Adyen has it: https://github.com/Adyen/adyen-node-api-library */
	const adyen = {
		body: 'pspReference:originalReference:merchantAccount:reference:1000:EUR:CAPTURE:true',
		secret: 'DFB1EB5485895CFA84146406857104ABB4CBCABDC8AAF103A624C8F6A3EAAB00',
		signature: 'xhpHvYq2u2Np0rstbZ6QjLGu7JWhvf7Iwaa6EviJSX0=',
	};
	const judgeAdyen = (secret: string, signature = adyen.signature, body = adyen.body) =>
		judge({
			body: Buffer.from(body),
			signatureHeader: 'HmacSignature',
			headers: { hmacsignature: signature },
			secrets: [secret],
		});

	test('stands for its bytes, in small letters, too', () => {
		expect(judgeAdyen(adyen.secret)).toBe('accepted');
		expect(judgeAdyen(` ${adyen.secret.toLowerCase()}\n`)).toBe('accepted');
		expect(judgeAdyen(adyen.secret, adyen.signature, `${adyen.body} `)).toBe('mismatch');
		const key = Buffer.from(adyen.secret, 'hex');
		const platform = hmac('', key).digest('base64');
		expect(judgeAdyen(adyen.secret, platform, json.content.toString())).toBe('accepted');
	});

	test.each<[secret: string, isHex: boolean, because: string]>([
		['85011ed3a913c6ad5f9cf6c5573cc0a7', true, '16 bytes are a key'],
		['85011ed3a913c6ad5f9cf6c5573cc0', false, 'a shorter text may be a word or a number'],
		['85011ed3a913c6ad5f9cf6c5573cc0a70', false, 'half a byte is none'],
		['85011ed3a913c6ad5f9cf6c5573cc0ag', false, 'g is no digit of hex'],
		['g85011ed3a913c6ad5f9cf6c5573cc0a7f', false, 'all of it has to be hex'],
		['0x85011ed3a913c6ad5f9cf6c5573cc0a7', false, 'a secret has no sign before it'],
		['whsec_85011ed3a913c6ad5f9cf6c5573cc0a7', false, 'what follows whsec_ is base64'],
	])('%s stands for its bytes: %s, because %s', (secret, isHex) => {
		const key = Buffer.from(secret.replace(/^whsec_|^0x|^g/, ''), 'hex');
		const byBytes = hmac('', key).digest('hex');
		expect(overBody(byBytes, { secrets: [secret] })).toBe(isHex ? 'accepted' : 'mismatch');
		const byText = hmac('', secret).digest('hex');
		expect(overBody(byText, { secrets: [secret] })).toBe('accepted');
	});
});

test('an empty key signs nothing', () => {
	const signature = hmac('', '').digest('hex');
	const digest = hmac(`${MESSAGE_ID}.${at}.`, '').digest('base64');
	for (const secrets of [[], [undefined], [' '], ['whsec_'], ['', SECRET], ['whsec_!!!!']]) {
		expect(overBody(signature, { secrets })).toBe('mismatch');
		expect(standard({ 'webhook-signature': `v1,${digest}` }, { secrets })).toBe('mismatch');
	}
});

test('the name of a header counts as a whole, in any case, and finds only what was received', () => {
	for (const signatureHeader of ['X-SIGNATURE', ' X-Signature ']) {
		const headers = { 'x-signature': otherDigest, 'X-sIGNATURE': hex };
		expect(judge({ signatureHeader, headers })).toBe('accepted');
	}
	for (const name of ['x-signatur', 'x-signature2', 'x-s\u0456gnature', '']) {
		expect(judge({ headers: { [name]: hex } })).toBe('missing');
	}
	for (const signatureHeader of ['__proto__', 'constructor', '']) {
		expect(overBody(hex, { signatureHeader })).toBe('missing');
	}
});

describe('the time of a signature over time and body', () => {
	test.each<[Header, Header, string]>([
		[`0${at}`, timedHex, 'malformed'],
		[[at, at], timedHex, 'malformed'],
		['', hmac('.').digest('hex'), 'missing'],
	])('is covered as it was written: %j', (time, signature, verdict) => {
		expect(overTimeAndBody(time, signature)).toBe(verdict);
	});

	const signedAt = (time: string, now: number) =>
		overTimeAndBody(time, hmac(`${time}.`).digest('hex'), { now });

	test.each([
		['1614265330000', 0],
		['1614265330.123456789', 123.456],
		['1614265330123456', 123.456],
		['2021-02-25T15:02:10.123456Z', 123],
		['2021-02-25T09:32:10-05:30', 0],
		['2021-02-25T09:32:10-0530', 0],
		['2021-02-25T15:02:10.5+0000', 500],
		['Thu, 25 Feb 2021 15:02:10 GMT', 0],
	])('may be written as %s', (time, milliseconds) => {
		const late = (by: number) => signedAt(time, SIGNED_AT * 1000 + milliseconds + by);
		expect([299_999, 300_001, -299_999, -300_001].map(late)).toEqual([
			'accepted',
			'stale',
			'accepted',
			'stale',
		]);
	});

	test.each<[digits: string, unit: string, milliseconds: number]>([
		['99999999999', 'seconds', 99_999_999_999_000],
		['100000000000', 'milliseconds', 1e11],
		['9999999999999', 'milliseconds', 9_999_999_999_999],
		['1000000000000000', 'microseconds', 1e12],
	])('is %s in %s', (digits, _unit, milliseconds) => {
		expect(signedAt(digits, milliseconds)).toBe('accepted');
	});

	test.each<[time: string, because: string]>([
		[' 1614265330', 'a blank comes first'],
		['+1614265330', 'a time has no sign'],
		['1614265330.', 'a point needs digits behind it'],
		['.5', 'a point needs digits before it'],
		['1614265330.1234567890', 'seconds have at most nine decimals'],
		['1614265330000.5', 'milliseconds have no decimals'],
		['16142653300000', '14 digits are neither seconds nor milliseconds'],
		['161426533000000', '15 digits are neither milliseconds nor microseconds'],
		['0614265330000000', 'microseconds begin with no zero'],
		['16142653300000000', '17 digits are no microseconds'],
		['1614265330000000.5', 'microseconds have no decimals'],
		['0x60378532', 'a time is decimal'],
		['2021-02-25T15:02:10', 'the zone is missing'],
		['2021-02-25', 'a day is no time'],
		['2021-02-25T15:02:10z', 'the letters of ISO 8601 are capitals'],
		['2021-13-25T15:02:10Z', 'there is no month 13'],
		['2021-02-25T15:02:10Z (UTC)', 'something follows the time'],
		['2021-02-25T15:02:10+01', 'the offset has minutes'],
		['2021-13-25T15:02:10+0100', 'there is no month 13, whatever the zone'],
		['Thu, 25 Feb 2021 15:02:10 UTC', 'a date of HTTP ends with GMT'],
		['Fri, 25 Feb 2021 15:02:10 GMT', 'it was a Thursday'],
		['Thu, 25 Feb 2021 15:02:10 GMT+1', 'something follows the time'],
		['Thursday, 25-Feb-21 15:02:10 GMT', 'HTTP forbids its older forms'],
		['Thu Feb 25 15:02:10 2021', 'HTTP forbids its older forms'],
		['Invalid Date', 'it is none, although JavaScript writes it like one'],
		['+002021-02-25T15:02:10Z', 'years have four digits'],
	])('may not be written as %j, because %s', (time) => {
		expect(signedAt(time, SIGNED_AT * 1000)).toBe('malformed');
	});
});

test.each<[form: string, Header, verdict: string, because: string]>([
	[
		'two signatures',
		`v1=${otherDigest},t=${at},v1=${timedHex},v0=${otherDigest}`,
		'accepted',
		'one that fits is enough',
	],
	[
		'many spaces after the comma',
		`t=${at},${' '.repeat(40)}v1=${timedHex}`,
		'accepted',
		'separators may follow each other',
	],
	['a header in two lines', [`t=${at}`, `v1=${timedHex}`], 'accepted', 'n8n joins them by a comma'],
	['no time', `v1=${timedHex}`, 'missing', 'the time is signed'],
	['another label', `ts=${at};h1=${timedHex}`, 'accepted', 'Paddle has other labels for the same'],
	['the label of Cloudflare', `time=${at},sig1=${timedHex}`, 'accepted', 'it is that of a time'],
	['a longer label', `mytime=${at},v1=${timedHex}`, 'missing', 'a label counts as a whole'],
	[
		'a long label',
		`timestamp=${at}, signature=${timedHex}`,
		'accepted',
		'the label of the time may be a word',
	],
	[
		'two sets',
		`t=${at},v1=${otherDigest} t=${at},v1=${timedHex}`,
		'accepted',
		'Persona signs with both secrets while one is changed',
	],
	[
		'two times',
		`t=${at},v1=${timedHex} t=${SIGNED_AT + 1},v1=${timedHex}`,
		'malformed',
		'it is not clear which of them counts',
	],
	['a time in words', `t=now,v1=${timedHex}`, 'malformed', 'a time has one of a few forms'],
	['another time', `t=${SIGNED_AT + 1},v1=${timedHex}`, 'mismatch', 'the time is signed'],
])('the header of Stripe with %s', (_form, signature, verdict) => {
	expect(stripe(signature)).toBe(verdict);
});

describe('Standard Webhooks', () => {
	test('accepts the vector that the standard publishes', () => {
		const headers = { 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' };
		expect(standard(headers, { body: Buffer.from('{"test": 2432232314}') })).toBe('accepted');
	});

	const signature = (value: Header) => ({ 'webhook-signature': value });
	const key = Buffer.from(STANDARD_SECRET.slice('whsec_'.length), 'base64');
	const signed = (id: string) => ({
		...signature(`v1,${hmac(`${id}.${at}.`, key).digest('base64')}`),
		'webhook-id': id,
	});
	const asSvix = {
		'webhook-id': undefined,
		'webhook-timestamp': undefined,
		'webhook-signature': undefined,
		'svix-id': MESSAGE_ID,
		'svix-timestamp': at,
		'svix-signature': genuine,
	};
	test.each<[form: string, Record<string, Header>, verdict: string, because: string]>([
		[
			'others around it',
			signature(`v1,AAAA v2,abc v1a,abc ${genuine} v1,BBBB`),
			'accepted',
			'entries of other versions are no digests, or do not fit',
		],
		[
			'many spaces',
			signature(`v1,AAAA${' '.repeat(40)}${genuine}`),
			'accepted',
			'separators may follow each other',
		],
		[
			'no version',
			signature(json.standardWebhooks),
			'accepted',
			'whatever stands before a digest does not count',
		],
		[
			'only the asymmetric kind',
			signature(`v1a,${'A'.repeat(86)}==`),
			'malformed',
			'64 bytes are no digest of HMAC-SHA256',
		],
		['the names of Svix', asSvix, 'accepted', 'Svix made the standard and kept its names'],
		['no time', { 'webhook-timestamp': undefined }, 'missing', 'the time is signed'],
		[
			'a time in words',
			{ 'webhook-timestamp': 'today at 15:02:10' },
			'malformed',
			'a time has one of a few forms',
		],
		[
			'another time',
			{ 'webhook-timestamp': String(SIGNED_AT - 1) },
			'mismatch',
			'the time is signed',
		],
		['an empty ID', { 'webhook-id': '' }, 'missing', 'the ID is signed'],
		['another ID', { 'webhook-id': `${MESSAGE_ID}2` }, 'mismatch', 'the ID is signed'],
		[
			'an ID of all the characters that one may have',
			signed('!-~/09azAZ'),
			'accepted',
			'an ID is printable ASCII',
		],
		[
			'a dot in a signed ID',
			signed('msg.1'),
			'accepted',
			'the body is JSON, so that the text can be read in one way only',
		],
		[
			'a space in a signed ID',
			signed('msg 1'),
			'malformed',
			'an ID is printable ASCII without blanks',
		],
		[
			'a letter with an accent in a signed ID',
			signed('msg_é'),
			'malformed',
			'an ID is printable ASCII',
		],
	])('with %s', (_form, headers, verdict) => expect(standard(headers)).toBe(verdict));

	test.each([
		[STANDARD_SECRET.slice('whsec_'.length), 'accepted'],
		[` ${STANDARD_SECRET}\n`, 'accepted'],
		[`${STANDARD_SECRET}!`, 'mismatch'],
		[`${STANDARD_SECRET.slice('whsec_'.length)}whsec_`, 'mismatch'],
	])('reads the secret %j', (secret, verdict) => {
		expect(standard({}, { secrets: [secret] })).toBe(verdict);
	});
});

test('a secret with whsec_ before it is a text for the services that take it so', () => {
	const signature = hmac(`${at}.`, STANDARD_SECRET).digest('hex');
	expect(stripe(`t=${at},v1=${signature}`, { secrets: [STANDARD_SECRET] })).toBe('accepted');
});
