import { createHmac } from 'node:crypto';
import {
	type Delivery,
	messageIdOf,
	secretFault,
	verifySignature,
} from '../../../nodes/WalletScreening/trigger/signature';
import {
	byPreviousSecret,
	empty,
	huge,
	invalidUtf8,
	json,
	jsonBase64,
	MESSAGE_ID,
	PREVIOUS_SECRET,
	SECRET,
	SIGNED_AT,
	STANDARD_SECRET,
	unicode,
	type Vector,
} from './vectors';

type Changes = Partial<Delivery>;

/** `accepted`, or why not. */
function judge(delivery: Changes): string {
	const verdict = verifySignature({
		body: json.content,
		headers: {},
		secrets: [SECRET],
		scheme: 'body',
		signatureHeader: 'X-Signature',
		timestampHeader: 'X-Timestamp',
		toleranceSeconds: 300,
		now: SIGNED_AT * 1000,
		...delivery,
	});
	return verdict.accepted ? 'accepted' : verdict.reason;
}

type Header = string | string[] | undefined;

const overBody = (signature: Header, changes: Changes = {}) =>
	judge({ headers: { 'x-signature': signature }, ...changes });
const overTimeAndBody = (time: Header, signature: Header, changes: Changes = {}) =>
	judge({
		scheme: 'timestampAndBody',
		headers: { 'x-signature': signature, 'x-timestamp': time },
		...changes,
	});
const stripe = (signature: Header, changes: Changes = {}) =>
	judge({ scheme: 'stripe', headers: { 'x-signature': signature }, ...changes });
const standard = (headers: Record<string, Header> = {}, changes: Changes = {}) =>
	judge({
		scheme: 'standardWebhooks',
		secrets: [STANDARD_SECRET],
		headers: {
			'webhook-id': MESSAGE_ID,
			'webhook-timestamp': String(SIGNED_AT),
			'webhook-signature': `v1,${json.standardWebhooks}`,
			...headers,
		},
		...changes,
	});

/** For texts of which no vector is published; the vectors show that it is the HMAC of openssl. */
const hmac = (preamble: string, key: string | Buffer = SECRET) =>
	createHmac('sha256', key).update(preamble).update(json.content);

const at = String(SIGNED_AT);
const hex = json.body;
const timedHex = json.timestampAndBody;
const base64 = jsonBase64.body;
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
		(vector, changes) =>
			standard({ 'webhook-signature': `v1,${vector.standardWebhooks}` }, changes),
	],
];
const timed = schemes.slice(1);

describe.each(schemes)('in the scheme %s', (_scheme, judgeVector) => {
	test.each([
		['JSON', json],
		['unicode', unicode],
		['bytes that are not UTF-8', invalidUtf8],
		['no bytes', empty],
		['16 MB', huge],
	])('the signature covers a body of %s', (_what, vector) => {
		expect(judgeVector(vector, { body: vector.content })).toBe('accepted');
		expect(judgeVector(vector, { body: Buffer.concat([vector.content, Buffer.from('\n')]) })).toBe(
			'mismatch',
		);
	});

	test('the bytes count, not the JSON or the text in them', () => {
		const body = Buffer.from(JSON.stringify(JSON.parse(json.content.toString()), null, 1));
		expect(judgeVector(json, { body })).toBe('mismatch');
		const decoded = Buffer.from(invalidUtf8.content.toString());
		expect(judgeVector(invalidUtf8, { body: decoded })).toBe('mismatch');
	});

	test.each([[[]], [['']], [[undefined]], [[' ', '\n\t']], [['whsec_']], [['another']]])(
		'the secrets %j verify nothing',
		(secrets) => expect(judgeVector(json, { secrets })).toBe('mismatch'),
	);
});

describe.each(timed)('in the scheme %s', (_scheme, judgeVector) => {
	test.each([
		[300_000, 300, 'accepted'],
		[300_001, 300, 'stale'],
		[-300_000, 300, 'accepted'],
		[-300_001, 300, 'stale'],
		[0, 0, 'accepted'],
		[1, 0, 'stale'],
		[0, -1, 'stale'],
		[0, NaN, 'stale'],
	])('%d ms late, with a tolerance of %d s: %s', (late, toleranceSeconds, verdict) => {
		expect(judgeVector(json, { now: SIGNED_AT * 1000 + late, toleranceSeconds })).toBe(verdict);
	});

	test('the time is judged after the signature, so that a stale forgery is a mismatch', () => {
		expect(judgeVector(unicode, { now: 0 })).toBe('mismatch');
	});
});

test('a signature over the body knows no time', () => {
	expect(overBody(hex, { now: 0, toleranceSeconds: NaN })).toBe('accepted');
});

/** What a service may write for a digest, beside bare hex and base64. */
const spellings: Array<[string, (hex: string, base64: string) => string]> = [
	['hex', (text) => text],
	['upper-case hex', (text) => text.toUpperCase()],
	['base64', (_, text) => text],
	['base64 without padding', (_, text) => unpadded(text)],
	['base64url', (_, text) => urlSafe(text)],
	['base64url without padding after v1=', (_, text) => `v1=${unpadded(urlSafe(text))}`],
	['hex after sha256=', (text) => `sha256=${text}`],
	['hex after SHA256:', (text) => `SHA256:${text}`],
	['base64 after hmac-sha256=', (_, text) => `hmac-sha256=${text}`],
	['hex after v1,', (text) => `v1,${text}`],
	['hex in double quotes after sha256=', (text) => `sha256="${text}"`],
];

test.each(spellings)('a digest may be %s, and its forgeries are refused', (_form, spell) => {
	const flipped = (index: number) => {
		const bytes = Buffer.from(hex, 'hex');
		bytes[index] = bytes[index]! ^ 1;
		return spell(bytes.toString('hex'), bytes.toString('base64'));
	};
	const genuine = spell(hex, base64);
	expect(overBody(genuine)).toBe('accepted');
	expect(overBody(`${flipped(0)}, ${genuine}`)).toBe('accepted');
	for (let index = 0; index < 32; index++) expect(overBody(flipped(index))).toBe('mismatch');
	expect(overBody(spell(hex.slice(0, -2), base64.slice(0, -4)))).toBe('malformed');
	expect(overBody(spell(`${hex}00`, `AAAA${base64}`))).toBe('malformed');
});

test.each<[string, Header]>([
	['the second of two after a comma', `${otherDigest},${hex}`],
	['the second of two after a space', `sha256=${otherDigest} sha256=${hex}`],
	['the first of two', `v1=${hex}, v1=${otherDigest}`],
	['beside another algorithm', `sha1=${'b'.repeat(40)}, sha256=${hex}`],
	['between spaces and tabs', ` \t${hex}\t `],
	['in a repeated header', [otherDigest, hex]],
	['the last of sixteen', `${`v1,${otherDigest} `.repeat(15)}v1,${hex}`],
	['after many blanks and commas', `${otherDigest}${' ,\t'.repeat(40)}${hex}`],
])('one digest that fits is enough: %s', (_form, signature) => {
	expect(overBody(signature)).toBe('accepted');
});

test.each<[string, Header, string]>([
	['no header', undefined, 'missing'],
	['an empty header', '', 'missing'],
	['an empty array', [], 'missing'],
	['blanks and commas', ' , ,', 'missing'],
	['one digit less', hex.slice(0, -1), 'malformed'],
	['one digit more', `${hex}0`, 'malformed'],
	['a letter that is no digit', `${hex.slice(0, -1)}g`, 'malformed'],
	['no separator', hex + hex, 'malformed'],
	['padding to spare', `${base64}=`, 'malformed'],
	['padding inside', `${base64.slice(0, 5)}=${base64.slice(5, -1)}`, 'malformed'],
	['stray bits', `${base64.slice(0, -2)}R=`, 'malformed'],
	['stray bits without padding', `${base64.slice(0, -2)}R`, 'malformed'],
	['stray bits in base64url', `${urlSafe(base64).slice(0, -2)}R=`, 'malformed'],
	['junk in base64', `${base64.slice(0, 5)}!${base64.slice(5)}`, 'malformed'],
	['two alphabets of base64', base64.replaceAll('/', '_'), 'malformed'],
	['one double quote', `"${hex}`, 'malformed'],
	['half of it in double quotes', `"${hex.slice(0, 32)}"${hex.slice(32)}`, 'malformed'],
	['the other half in them', `${hex.slice(0, 32)}"${hex.slice(32)}"`, 'malformed'],
	['two pairs of double quotes', `""${hex}""`, 'malformed'],
	['two labels', `sha256=v1=${hex}`, 'malformed'],
	['another label', `sha512=${hex}`, 'malformed'],
	['a label with a letter like s', `\u017fha256=${hex}`, 'malformed'],
	['a label inside', `${hex.slice(0, 32)}v1=${hex.slice(32)}`, 'malformed'],
	['full-width digits', hex.replaceAll('0', '\uff10'), 'malformed'],
	['a zero-width space', `\u200b${hex}`, 'malformed'],
	['more entries than are read', `${'x '.repeat(32)}${hex}`, 'malformed'],
])('a signature is refused with %s', (_form, signature, verdict) => {
	expect(overBody(signature)).toBe(verdict);
});

test.each([
	[[SECRET, undefined], 'accepted', 'mismatch'],
	[['', PREVIOUS_SECRET], 'mismatch', 'accepted'],
	[[PREVIOUS_SECRET, SECRET], 'accepted', 'accepted'],
	[[`\ufeff  ${SECRET}\r\n`], 'accepted', 'mismatch'],
])('every secret is tried: %j', (secrets, current, previous) => {
	expect(overBody(hex, { secrets })).toBe(current);
	expect(overBody(byPreviousSecret.body, { secrets })).toBe(previous);
	const header = `t=${at},v1=${byPreviousSecret.timestampAndBody}`;
	expect(stripe(header, { secrets })).toBe(previous);
});

test('an empty key signs nothing', () => {
	const signature = hmac('', '').digest('hex');
	const digest = hmac(`${MESSAGE_ID}.${at}.`, '').digest('base64');
	for (const secrets of [[], [''], [undefined], [' '], ['whsec_'], ['', SECRET], ['whsec_!!!!']]) {
		expect(overBody(signature, { secrets })).toBe('mismatch');
		expect(standard({ 'webhook-signature': `v1,${digest}` }, { secrets })).toBe('mismatch');
	}
});

describe('the name of a header', () => {
	test.each(['x-signature', 'X-SIGNATURE', ' X-Signature '])('counts in any case: %s', (name) => {
		expect(overBody(hex, { signatureHeader: name })).toBe('accepted');
		expect(judge({ signatureHeader: name, headers: { 'X-sIGNATURE': hex } })).toBe('accepted');
	});

	test.each(['x-signatur', 'x-signature2', 'x_signature', 'x-s\u0456gnature', ''])(
		'counts as a whole: %j received',
		(name) => expect(judge({ headers: { [name]: hex } })).toBe('missing'),
	);

	test.each(['__proto__', 'constructor', ''])('finds only what was received: %j', (name) => {
		expect(overBody(hex, { signatureHeader: name })).toBe('missing');
		const headers = JSON.parse(`{"${name}": "${hex}"}`) as Delivery['headers'];
		expect(judge({ headers, signatureHeader: name })).toBe('accepted');
	});

	test('in two spellings gives the signatures of both', () => {
		const headers = { 'x-signature': otherDigest, 'X-Signature': hex };
		expect(judge({ headers })).toBe('accepted');
	});
});

describe('the time of a signature over time and body', () => {
	test.each<[Header, Header, string]>([
		[[at], `sha256=${jsonBase64.timestampAndBody}`, 'accepted'],
		[String(SIGNED_AT + 1), timedHex, 'mismatch'],
		[`0${at}`, timedHex, 'mismatch'],
		[`${at}000`, timedHex, 'mismatch'],
		[`${at}.0`, timedHex, 'mismatch'],
		['2021-02-25T15:02:10Z', timedHex, 'mismatch'],
		[at, hex, 'mismatch'],
		[[at, at], timedHex, 'malformed'],
		[`${at}\n`, timedHex, 'malformed'],
	])('is covered as it was written: %j', (time, signature, verdict) => {
		expect(overTimeAndBody(time, signature)).toBe(verdict);
	});

	test.each([[undefined], [''], [[]]])('is needed: %j', (time) => {
		expect(overTimeAndBody(time, hmac('.').digest('hex'))).toBe('missing');
	});

	const signedAt = (time: string, now: number) =>
		overTimeAndBody(time, hmac(`${time}.`).digest('hex'), { now });

	test.each([
		['1614265330000', 0],
		['1614265330.5', 500],
		['1614265330.123456789', 123.456],
		['2021-02-25T15:02:10Z', 0],
		['2021-02-25T15:02:10.123456Z', 123],
		['2021-02-25T09:32:10-05:30', 0],
	])('may be written as %s', (time, milliseconds) => {
		const late = (by: number) => signedAt(time, SIGNED_AT * 1000 + milliseconds + by);
		expect([299_999, 300_001, -299_999, -300_001].map(late)).toEqual([
			...['accepted', 'stale', 'accepted', 'stale'],
		]);
	});

	test('is in milliseconds with twelve digits, and in seconds below', () => {
		expect(signedAt('99999999999', 99_999_999_999_000)).toBe('accepted');
		expect(signedAt('100000000000', 1e11)).toBe('accepted');
	});

	test.each([
		...[' 1614265330', '+1614265330', '1614265330.', '.5', '1614265330.1234567890', '-1'],
		...['1614265330000.5', '1614265330.5.5', '16142653300000', '0x60378532', '1.614265330e9'],
		...['2021-02-25T15:02:10', '2021-02-25T15:02:10z', '2021-02-25', '2021-13-25T15:02:10Z'],
		...['2021-02-25T15:02:10+0100', '2021-02-25T15:02:10Z (UTC)', '+002021-02-25T15:02:10Z'],
	])('may not be written as %j', (time) => {
		expect(signedAt(time, SIGNED_AT * 1000)).toBe('malformed');
	});
});

test.each<[string, Header, string]>([
	['the signature first', `v1=${timedHex},t=${at}`, 'accepted'],
	['two signatures', `t=${at},v1=${otherDigest},v1=${timedHex}`, 'accepted'],
	['an older version beside it', `t=${at},v1=${timedHex},v0=${otherDigest}`, 'accepted'],
	['many spaces after the comma', `t=${at},${' '.repeat(40)}v1=${timedHex}`, 'accepted'],
	['a header in two lines', [`t=${at}`, `v1=${timedHex}`], 'accepted'],
	['no time', `v1=${timedHex}`, 'missing'],
	['an empty time', `t=,v1=${timedHex}`, 'missing'],
	['no signature', `t=${at}`, 'missing'],
	['an older version only', `t=${at},v0=${timedHex}`, 'missing'],
	['the bare digest', `t=${at},${timedHex}`, 'missing'],
	['two times', `t=${at},t=${at},v1=${timedHex}`, 'malformed'],
	['decimal seconds', `t=${at}.0,v1=${timedHex}`, 'malformed'],
	['an empty signature', `t=${at},v1=`, 'malformed'],
	['another time', `t=${SIGNED_AT + 1},v1=${timedHex}`, 'mismatch'],
	['a signature over only the body', `t=${at},v1=${hex}`, 'mismatch'],
])('the header of Stripe with %s', (_form, signature, verdict) => {
	expect(stripe(signature)).toBe(verdict);
});

test('the key of Stripe is the whole text of the secret, also after whsec_', () => {
	const signature = hmac(`${at}.`, STANDARD_SECRET).digest('hex');
	expect(stripe(`t=${at},v1=${signature}`, { secrets: [STANDARD_SECRET] })).toBe('accepted');
});

describe('Standard Webhooks', () => {
	const genuine = `v1,${json.standardWebhooks}`;
	const other = 'v1,Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

	test('accepts the vector that the standard publishes', () => {
		const headers = { 'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=' };
		const judged = (body: string) => standard(headers, { body: Buffer.from(body) });
		expect(judged('{"test": 2432232314}')).toBe('accepted');
		expect(judged('{"test":2432232314}')).toBe('mismatch');
	});

	test.each<[string, Header, string]>([
		['others around it', `${other} v2,abc ${genuine} ${other}`, 'accepted'],
		['an asymmetric one beside it', `${other.replace('v1', 'v1a')} ${genuine}`, 'accepted'],
		['a repeated header', [other, genuine], 'accepted'],
		['many spaces', `${other}${' '.repeat(40)}${genuine}`, 'accepted'],
		['no header', undefined, 'missing'],
		['no version', json.standardWebhooks, 'missing'],
		['another version', genuine.replace('v1', 'v2'), 'missing'],
		['only the asymmetric kind', genuine.replace('v1', 'v1a'), 'missing'],
		['nothing after the version', 'v1,', 'malformed'],
		['part of the digest', genuine.slice(0, 8), 'malformed'],
	])('with %s', (_form, signature, verdict) => {
		expect(standard({ 'webhook-signature': signature })).toBe(verdict);
	});

	test.each<[string, Record<string, Header>, string]>([
		['no time', { 'webhook-timestamp': undefined }, 'missing'],
		['a time in words', { 'webhook-timestamp': '2021-02-25T15:02:10Z' }, 'malformed'],
		['another time', { 'webhook-timestamp': String(SIGNED_AT - 1) }, 'mismatch'],
		['no ID', { 'webhook-id': undefined }, 'missing'],
		['an empty ID', { 'webhook-id': '' }, 'missing'],
		['another ID', { 'webhook-id': `${MESSAGE_ID}2` }, 'mismatch'],
		['its ID twice', { 'webhook-id': [MESSAGE_ID, MESSAGE_ID] }, 'malformed'],
	])('with %s', (_form, headers, verdict) => expect(standard(headers)).toBe(verdict));

	test.each(['msg.1', 'msg_é', 'msg 1'])('with the ID %j, which is signed', (id) => {
		const key = Buffer.from(STANDARD_SECRET.slice('whsec_'.length), 'base64');
		const signature = `v1,${hmac(`${id}.${at}.`, key).digest('base64')}`;
		const headers = { 'webhook-id': id, 'webhook-signature': signature };
		expect(standard(headers)).toBe('malformed');
	});

	test('is read in one way only: text cannot move between ID, time and body', () => {
		const signature = 'v1,41VmdQdcD8t7DEGZJ21dRxmn5qmkwGmldMx6yAfSyss=';
		const read = (id: string, time: string, body: string) =>
			standard(
				{ 'webhook-id': id, 'webhook-timestamp': time, 'webhook-signature': signature },
				{ body: Buffer.from(body), now: Number(time) * 1000 },
			);
		expect(read(MESSAGE_ID, at, '1.5')).toBe('accepted');
		expect(read(`${MESSAGE_ID}.${at}`, '1', '5')).toBe('malformed');
	});

	test.each([
		[STANDARD_SECRET.slice('whsec_'.length), 'accepted'],
		[` ${STANDARD_SECRET}\n`, 'accepted'],
		[`${STANDARD_SECRET}!`, 'mismatch'],
		[STANDARD_SECRET.slice(0, -1), 'mismatch'],
		[`${STANDARD_SECRET.slice('whsec_'.length)}whsec_`, 'mismatch'],
		[STANDARD_SECRET.replace('whsec_', 'WHSEC_'), 'mismatch'],
	])('reads the secret %j', (secret, verdict) => {
		expect(standard({}, { secrets: [secret] })).toBe(verdict);
	});

	test('signs the ID of a message, which the other schemes do not', () => {
		const headers = { 'Webhook-Id': MESSAGE_ID };
		expect(messageIdOf(headers, 'standardWebhooks')).toBe(MESSAGE_ID);
		for (const scheme of ['body', 'timestampAndBody', 'stripe'] as const) {
			expect(messageIdOf(headers, scheme)).toBeUndefined();
		}
	});
});

test.each([
	['one long word', 'a'],
	['commas and blanks', ', '],
	['digits', '1'],
	['padding', '='],
	['labels', 'v1='],
	['well-formed digests', `v1,${otherDigest} `],
	['times', 't=1,'],
])('a header of a megabyte takes no more time than its bytes: %s', (_what, text) => {
	const value = text.repeat(2 ** 20 / text.length);
	const started = process.cpuUsage();
	const headers = { 'webhook-signature': value, 'webhook-id': value, 'webhook-timestamp': value };
	const verdicts = [
		overBody(value),
		overTimeAndBody(value, value),
		stripe(value),
		standard(headers),
	];
	expect(verdicts).not.toContain('accepted');
	// Seconds of this process, whatever else the machine does; a step for each pair of letters takes minutes.
	expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
});

test.each([
	[undefined, 'is empty', 'is empty'],
	[' \n', 'is empty', 'is empty'],
	['whsec_', null, 'is empty'],
	[SECRET, null, /^is not a Standard Webhooks secret/],
	['whsec_a', null, /^is not a Standard Webhooks secret/],
	['MfKQ9r8GKYqrTwjU PD8ILPZIo2LaLaSw', null, /^is not a Standard Webhooks secret/],
	[`${STANDARD_SECRET}\n`, null, null],
])('the fault of the secret %j', (secret, asText, asStandardWebhooks) => {
	for (const scheme of ['body', 'timestampAndBody', 'stripe'] as const) {
		expect(secretFault(secret, scheme)).toBe(asText);
	}
	const fault = secretFault(secret, 'standardWebhooks');
	if (asStandardWebhooks instanceof RegExp) expect(fault).toMatch(asStandardWebhooks);
	else expect(fault).toBe(asStandardWebhooks);
});
