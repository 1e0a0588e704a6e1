import type { Delivery } from '../../../nodes/WalletScreening/trigger/signature';
import {
	messageIdOf,
	secretFault,
	verifySignature,
} from '../../../nodes/WalletScreening/trigger/signature';
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

const delivery = (overrides: Partial<Delivery>): Delivery => ({
	body: json.content,
	headers: {},
	secrets: [SECRET],
	scheme: 'body',
	signatureHeader: 'X-Signature',
	timestampHeader: 'X-Timestamp',
	toleranceSeconds: 300,
	now: SIGNED_AT * 1000,
	...overrides,
});

const overBody = (signature: string | string[] | undefined, overrides: Partial<Delivery> = {}) =>
	verifySignature(delivery({ headers: { 'x-signature': signature }, ...overrides }));

const overTimestampAndBody = (
	timestamp: string | string[] | undefined,
	signature = json.timestampAndBody.hex,
	overrides: Partial<Delivery> = {},
) =>
	verifySignature(
		delivery({
			scheme: 'timestampAndBody',
			headers: { 'x-signature': signature, 'x-timestamp': timestamp },
			...overrides,
		}),
	);

const stripeStyle = (signature: string | string[], overrides: Partial<Delivery> = {}) =>
	verifySignature(
		delivery({
			scheme: 'stripe',
			signatureHeader: 'Stripe-Signature',
			headers: { 'stripe-signature': signature },
			...overrides,
		}),
	);

const standard = (headers: Delivery['headers'] = {}, overrides: Partial<Delivery> = {}) =>
	verifySignature(
		delivery({
			scheme: 'standardWebhooks',
			secrets: [STANDARD_SECRET],
			headers: {
				'webhook-id': MESSAGE_ID,
				'webhook-timestamp': String(SIGNED_AT),
				'webhook-signature': `v1,${json.standardWebhooks}`,
				...headers,
			},
			...overrides,
		}),
	);

const accepted = { accepted: true };
const missing = { accepted: false, reason: 'missing' };
const malformed = { accepted: false, reason: 'malformed' };
const mismatch = { accepted: false, reason: 'mismatch' };
const stale = { accepted: false, reason: 'stale' };

const otherDigest = 'a'.repeat(64);

/** What a service may write for a digest, beside bare hex and base64. */
const spellings: Array<[string, (hex: string, base64: string) => string]> = [
	['hex after sha256=', (hex) => `sha256=${hex}`],
	['base64 after sha256=', (_, base64) => `sha256=${base64}`],
	['hex after SHA256=', (hex) => `SHA256=${hex}`],
	['hex after sha256:', (hex) => `sha256:${hex}`],
	['hex after hmac-sha256=', (hex) => `hmac-sha256=${hex}`],
	['base64 after HMAC-SHA256:', (_, base64) => `HMAC-SHA256:${base64}`],
	['hex after v1=', (hex) => `v1=${hex}`],
	['hex in double quotes', (hex) => `"${hex}"`],
	['hex in double quotes after sha256=', (hex) => `sha256="${hex}"`],
	['base64 in double quotes', (_, base64) => `"${base64}"`],
	['base64 without padding', (_, base64) => unpadded(base64)],
	['base64url', (_, base64) => urlSafe(base64)],
	['base64url without padding', (_, base64) => unpadded(urlSafe(base64))],
	['base64url without padding after v1=', (_, base64) => `v1=${unpadded(urlSafe(base64))}`],
];
const unpadded = (base64: string) => base64.replace(/=$/, '');
const urlSafe = (base64: string) => base64.replaceAll('+', '-').replaceAll('/', '_');

describe('a signature over the body', () => {
	const { hex, base64, previousSecret } = json.body;

	test.each([
		['hex', hex],
		['upper-case hex', hex.toUpperCase()],
		['base64', base64],
		['hex after v1,', `v1,${hex}`],
		['base64 after v1,', `v1,${base64}`],
		['the second of two after commas', `${otherDigest},${hex}`],
		['the second of two after a space', `sha256=${otherDigest} sha256=${hex}`],
		['the first of two', `v1=${hex}, v1=${otherDigest}`],
		['one beside another algorithm', `sha1=${'b'.repeat(40)}, sha256=${hex}`],
		['spaces and tabs around it', ` \t${hex}\t `],
		['a repeated header as an array', [otherDigest, hex]],
		['the last of sixteen', `${`v1,${otherDigest} `.repeat(15)}v1,${hex}`],
		['after many blanks and commas', `${otherDigest}${' ,\t'.repeat(40)}${hex}`],
	])('is accepted: %s', (_form, signature) => {
		expect(overBody(signature)).toEqual(accepted);
	});

	test.each(spellings)('is accepted as %s, and its forgeries are not', (_form, spell) => {
		const flipped = (at: number) => {
			const bytes = Buffer.from(hex, 'hex');
			bytes[at] = bytes[at]! ^ 1;
			return spell(bytes.toString('hex'), bytes.toString('base64'));
		};
		const genuine = spell(hex, base64);
		expect(overBody(genuine)).toEqual(accepted);
		expect(overBody(`${flipped(0)}, ${genuine}`)).toEqual(accepted);
		for (let at = 0; at < 32; at++) expect(overBody(flipped(at))).toEqual(mismatch);
		expect(overBody(genuine, { body: Buffer.from('{}') })).toEqual(mismatch);
		expect(overBody(genuine, { secrets: ['guessed', ''] })).toEqual(mismatch);
		expect(overBody(spell(hex.slice(0, -2), base64.slice(0, -4)))).toEqual(malformed);
		expect(overBody(spell(`${hex}00`, `AAAA${base64}`))).toEqual(malformed);
	});

	test.each([
		['without the header', undefined, missing],
		['as an empty header', '', missing],
		['as an empty array', [], missing],
		['of blanks and commas', ' , ,', missing],
		['that is another digest', otherDigest, mismatch],
		['with its last digit changed', hex.replace(/4$/, '5'), mismatch],
		['with its first digit changed', hex.replace(/^b/, 'c'), mismatch],
		['cut by one digit', hex.slice(0, -1), malformed],
		['cut by one byte', hex.slice(0, -2), malformed],
		['with one digit more', `${hex}0`, malformed],
		['with a letter that is no digit', `${hex.slice(0, -1)}g`, malformed],
		['of its first half only', hex.slice(0, 32), malformed],
		['given twice without a separator', hex + hex, malformed],
		['in base64 with padding to spare', `${base64}=`, malformed],
		[
			'in base64 with its padding inside',
			`${base64.slice(0, 5)}=${base64.slice(5, -1)}`,
			malformed,
		],
		['in base64 with stray bits at its end', `${base64.slice(0, -2)}R=`, malformed],
		['in base64 with junk inside', `${base64.slice(0, 5)}!${base64.slice(5)}`, malformed],
		['in base64 without padding, with stray bits', `${base64.slice(0, -2)}R`, malformed],
		['in base64url with stray bits', `${urlSafe(base64).slice(0, -2)}R=`, malformed],
		['in two alphabets of base64 at once', base64.replaceAll('/', '_'), malformed],
		['in one double quote', `"${hex}`, malformed],
		['with a half of it in double quotes', `"${hex.slice(0, 32)}"${hex.slice(32)}`, malformed],
		['with the other half in double quotes', `${hex.slice(0, 32)}"${hex.slice(32)}"`, malformed],
		['in two pairs of double quotes', `""${hex}""`, malformed],
		['in single quotes', `'${hex}'`, malformed],
		['after two labels', `sha256=v1=${hex}`, malformed],
		['after the label of another algorithm', `sha512=${hex}`, malformed],
		['after a label with a letter like s', `\u017fha256=${hex}`, malformed],
		['in full-width digits', hex.replaceAll('0', '\uff10'), malformed],
		['with a zero-width space', `\u200b${hex}`, malformed],
		['after an unknown label', `v0=${hex}`, malformed],
		['with a label inside', `${hex.slice(0, 32)}v1=${hex.slice(32)}`, malformed],
		['beyond the entries that are read', `${'x '.repeat(32)}${hex}`, malformed],
	])('is rejected: %s', (_form, signature, verdict) => {
		expect(overBody(signature)).toEqual(verdict);
	});

	test.each([
		['unicode', unicode],
		['bytes that are not UTF-8', invalidUtf8],
		['no bytes at all', empty],
		['16 MB', huge],
	])('covers a body of %s', (_name, vector) => {
		expect(overBody(vector.body.hex, { body: vector.content })).toEqual(accepted);
		expect(overBody(hex, { body: vector.content })).toEqual(mismatch);
	});

	test('covers the bytes, so the same JSON with other spaces is rejected', () => {
		const reserialised = Buffer.from(JSON.stringify(JSON.parse(json.content.toString()), null, 1));
		expect(overBody(hex, { body: reserialised })).toEqual(mismatch);
		expect(overBody(hex, { body: Buffer.concat([json.content, Buffer.from('\n')]) })).toEqual(
			mismatch,
		);
	});

	test('covers invalid UTF-8 as it is, not as replacement characters', () => {
		const decoded = Buffer.from(invalidUtf8.content.toString());
		expect(overBody(invalidUtf8.body.hex, { body: decoded })).toEqual(mismatch);
	});

	test('knows no time', () => {
		expect(overBody(hex, { now: 0, toleranceSeconds: 0 })).toEqual(accepted);
		expect(overBody(hex, { toleranceSeconds: -1 })).toEqual(accepted);
		expect(overBody(hex, { toleranceSeconds: NaN })).toEqual(accepted);
	});

	test.each([
		['only the current secret', [SECRET, undefined], accepted, mismatch],
		['only the previous secret', ['', PREVIOUS_SECRET], mismatch, accepted],
		['both secrets', [SECRET, PREVIOUS_SECRET], accepted, accepted],
		['both secrets, the other way round', [PREVIOUS_SECRET, SECRET], accepted, accepted],
		['neither secret', ['another'], mismatch, mismatch],
		['no secret', [], mismatch, mismatch],
	])('while rotating with %s', (_name, secrets, current, previous) => {
		expect(overBody(hex, { secrets })).toEqual(current);
		expect(overBody(previousSecret, { secrets })).toEqual(previous);
	});

	test('reads a secret without the spaces and line breaks that were pasted with it', () => {
		expect(overBody(hex, { secrets: [`\ufeff  ${SECRET}\r\n`] })).toEqual(accepted);
	});

	// openssl dgst -sha256 -mac HMAC -macopt hexkey:00 <FILE (HMAC pads every key with zero bytes)
	const withEmptyKey = '90f9cdb08b64c76c5822b87b47bdb9a2e85ee812e1a3b5d08b13188f097382fd';
	test.each([[[]], [['']], [[undefined]], [[' ', '\n\t']], [['', SECRET]]])(
		'is not accepted for having been made with an empty key: %j',
		(secrets) => {
			expect(overBody(withEmptyKey, { secrets })).toEqual(mismatch);
		},
	);
});

describe('the name of a header', () => {
	const { hex } = json.body;

	test.each(['x-signature', 'X-Signature', 'X-SIGNATURE', ' X-Signature '])(
		'counts in any case: %s configured',
		(signatureHeader) => {
			expect(overBody(hex, { signatureHeader })).toEqual(accepted);
			expect(overBody(undefined, { signatureHeader, headers: { 'X-sIGNATURE': hex } })).toEqual(
				accepted,
			);
		},
	);

	test.each(['x-signatur', 'x-signature2', 'x_signature', 'x-s\u0456gnature', ''])(
		'counts as a whole: %j received',
		(name) => {
			expect(overBody(undefined, { headers: { [name]: hex } })).toEqual(missing);
		},
	);

	test.each(['__proto__', 'constructor', 'toString', ''])(
		'finds nothing that was not received: %j configured',
		(signatureHeader) => {
			expect(overBody(hex, { signatureHeader })).toEqual(missing);
			expect(overBody(undefined, { signatureHeader, headers: {} })).toEqual(missing);
		},
	);

	test('may be __proto__ if it really was received', () => {
		const headers = JSON.parse(`{"__proto__": "${hex}"}`) as Delivery['headers'];
		expect(overBody(undefined, { headers, signatureHeader: '__proto__' })).toEqual(accepted);
		expect(overBody(undefined, { headers })).toEqual(missing);
	});

	test('in two spellings gives the signatures of both', () => {
		const headers = { 'x-signature': otherDigest, 'X-Signature': hex };
		expect(overBody(undefined, { headers })).toEqual(accepted);
	});
});

describe('a signature over timestamp and body', () => {
	const { hex, base64 } = json.timestampAndBody;
	const at = String(SIGNED_AT);

	test('is accepted', () => {
		expect(overTimestampAndBody(at)).toEqual(accepted);
		expect(overTimestampAndBody([at], `sha256=${base64}`)).toEqual(accepted);
	});

	test.each([unicode, invalidUtf8, empty, huge])('covers the bytes of body %#', (vector) => {
		const overrides = { body: vector.content };
		expect(overTimestampAndBody(at, vector.timestampAndBody.hex, overrides)).toEqual(accepted);
		expect(overTimestampAndBody(at, hex, overrides)).toEqual(mismatch);
	});

	test('covers the timestamp', () => {
		expect(overTimestampAndBody(String(SIGNED_AT + 1))).toEqual(mismatch);
		expect(overTimestampAndBody(`0${at}`)).toEqual(mismatch);
		expect(overTimestampAndBody(`${at}000`)).toEqual(mismatch);
		expect(overTimestampAndBody(at, json.body.hex)).toEqual(mismatch);
	});

	test.each([
		['exactly at the tolerance', 300_000, accepted],
		['a millisecond later', 300_001, stale],
		['a second later', 301_000, stale],
		['exactly at the tolerance, by a clock that is behind', -300_000, accepted],
		['a millisecond beyond it', -300_001, stale],
		['a second beyond it', -301_000, stale],
	])('%s', (_name, milliseconds, verdict) => {
		const now = SIGNED_AT * 1000 + milliseconds;
		expect(overTimestampAndBody(at, hex, { now })).toEqual(verdict);
	});

	test.each([
		[0, 0, accepted],
		[0, 1, stale],
		[-1, 0, stale],
		[NaN, 0, stale],
	])('with a tolerance of %d s, %d ms late', (toleranceSeconds, late, verdict) => {
		const now = SIGNED_AT * 1000 + late;
		expect(overTimestampAndBody(at, hex, { toleranceSeconds, now })).toEqual(verdict);
	});

	test('is judged by the signature first, so that a stale forgery is a mismatch', () => {
		expect(overTimestampAndBody(at, otherDigest, { now: 0 })).toEqual(mismatch);
	});

	test('may give its time in milliseconds', () => {
		// (printf '%s.' 1614265330000; cat FILE) | openssl dgst -sha256 -hmac wallet-hook-secret-2026
		const signature = 'cdd7fa9bc5dae1411e46bbe9f6c6c4a52b46f056698a355bc77a0cf4dc9235bb';
		const at300 = { now: SIGNED_AT * 1000 + 300_000 };
		const at301 = { now: SIGNED_AT * 1000 + 301_000 };
		expect(overTimestampAndBody(`${at}000`, signature, at300)).toEqual(accepted);
		expect(overTimestampAndBody(`${at}000`, signature, at301)).toEqual(stale);
	});

	test('gives milliseconds if its time has twelve digits, and seconds below', () => {
		// (printf '%s.' TIME; cat FILE) | openssl dgst -sha256 -hmac wallet-hook-secret-2026
		const seconds = '69c969f5054c8b4359e2daa279b058e36c76dc553095c5aae3cfd518c6cf2ddb';
		const milliseconds = '56b1ae5dd2ac80f03bcfb564e13f07a30a55fd9ba3587b6f1e88779b2962eca9';
		const on = (now: number) => ({ now });
		expect(overTimestampAndBody('99999999999', seconds, on(99_999_999_999_000))).toEqual(accepted);
		expect(overTimestampAndBody('100000000000', milliseconds, on(1e11))).toEqual(accepted);
	});

	// (printf '%s.' TIME; cat FILE) | openssl dgst -sha256 -hmac wallet-hook-secret-2026
	test.each([
		['1614265330.0', 0, 'bd6647e0131a80ddd415c0631cca5fc049e6620c5bfc96187461b93001460f20'],
		['1614265330.5', 500, 'd2dd8af3cb23382bdf603e10068adffdeee719b5550e41933bfc85141a36413f'],
		[
			'1614265330.123456789',
			123.456,
			'0dafd9bb6b67e17d255dd70d2f9037b33771314e15c122b8edf1572cf76343de',
		],
		['2021-02-25T15:02:10Z', 0, '5521c97baa9716f694a1efc24b1083a351815d3a13e63179f3ec2dcf864a2e54'],
		[
			'2021-02-25T15:02:10.123456Z',
			123,
			'380f96a06af323bbe22677c1be4d1503692a8e7a2ed03e6927f0318afd59ccdb',
		],
		[
			'2021-02-25T16:02:10+01:00',
			0,
			'acaface09384596a817deaf8bf68c3f56a7626a3305d7a2e09b4679282969852',
		],
		[
			'2021-02-25T09:32:10-05:30',
			0,
			'59d70d678311117cd4a4b9aa5bbae9b5f4e70d5f77e99c8070387e4b6eceaf19',
		],
	])('may give its time as %s', (timestamp, milliseconds, signature) => {
		const late = (by: number) => ({ now: SIGNED_AT * 1000 + milliseconds + by });
		expect(overTimestampAndBody(timestamp, signature, late(299_999))).toEqual(accepted);
		expect(overTimestampAndBody(timestamp, signature, late(300_001))).toEqual(stale);
		expect(overTimestampAndBody(timestamp, signature, late(-299_999))).toEqual(accepted);
		expect(overTimestampAndBody(timestamp, signature, late(-300_001))).toEqual(stale);
	});

	test('covers its time as it was written, and not the same time in other words', () => {
		for (const timestamp of [`${at}.0`, '2021-02-25T15:02:10Z', '2021-02-25T15:02:10+00:00']) {
			expect(overTimestampAndBody(timestamp)).toEqual(mismatch);
		}
	});

	test.each([[undefined], [''], [[]]])('without its time is rejected: %j', (timestamp) => {
		// (printf .; cat FILE) | openssl dgst -sha256 -hmac wallet-hook-secret-2026
		const signature = '9518883b001a93fe397678ef1f78b8149cc5ba45c51784559ef106f51ef2c9e7';
		expect(overTimestampAndBody(timestamp, signature)).toEqual(missing);
	});

	// Signed as they stand, like the vectors: only the form of the time is wrong.
	test.each([
		[' 1614265330', 'da92cdaae9dbc9f87db9eafa7abae5d30c4efce79c8b699f95a5cc595b9076af'],
		['+1614265330', 'cc642df295af8bbd182038d49d20a0899bf433de3fb61e4355075a9210159c44'],
		['1614265330.', '5c63ab5f9be92372e42b4eec313708f4ae865858867a1f9d17ad7a79ab159f3d'],
		['.5', 'c8e58f6ccf208ee9948e0507794f3c773d33b67e4bf55430571ed764ea1a46a2'],
		['1614265330.1234567890', 'ae4eed17ad67d63cc48c96663d06a99c62d944aca3d5b0718ebdff069b60dcc7'],
		['1614265330000.5', '4a4db83f35e097df441c38859be84e4532f7ad2950f634ca4c3a528d69f630f9'],
		['1614265330.5.5', '08c6162b8207aae6dc22ffa4d295bfbe9c5d488ab843bbd1985f23d0d5d4c2cf'],
		['1614265330,5', '1bb15facf2fb0e0c538711b0a2e8a8a8815b31cd6453d537ac621a497283a01e'],
		['2021-02-25T15:02:10', '4d646fa0b132e61beb1c61da8d3c929a79da3a4402ffac543fd093174f879ef4'],
		['2021-02-25 15:02:10Z', 'e3a8cdfa9560601d07dad243c4f0fadb790df533ab9cdf3a278acc7d7f2dd6ec'],
		['2021-02-25T15:02:10z', '78f9387063d885c57ab1c7033b6f585bc5056af1ed18d64b8106c20374ef3d4f'],
		['2021-02-25T15:02Z', 'd4c066825d97d3fee8ff0ef89cac94cc405b8472d9619e49c7f72836a1ceef1e'],
		[
			'2021-02-25T15:02:10Z (UTC)',
			'964ac4fd6f861e40084ae35a1e0eb045d341e8393148f5f46d0f7e91bd7aa7b2',
		],
		['2021-02-25', '4f6d311242f9f94447184e780e96971313b691ef68f0c6e447cfc944f54c791b'],
		['20210225T150210Z', 'efe80801472a516982d2e82dc783353c1048dc69d8a07fcf358e843e963db0d9'],
		['2021-13-25T15:02:10Z', '08afb65cc68e497e0eb9200e7f80b6a0316930883754d2ba113f12e2c4676cfb'],
		['2021-02-25T25:02:10Z', '910f8099648605f36db29842b34fc3a71603d00489b93ea54e47570cc7dc1657'],
		[
			'2021-02-25T15:02:10+0100',
			'5ca7549ba222d8865f1691e17b51ab9107601ac084fd8e3382dd2acecaff558e',
		],
		[
			'2021-02-25T16:02:10+25:00',
			'12e9eff5f07a59695df50b67e7179b75240165e9dd36e7da394b6003f5a5dc90',
		],
		[
			'Thu, 25 Feb 2021 15:02:10 GMT',
			'cb38ed0affd491543e14f9b6058059db3be05daa158b3bc4e0d45005479236f8',
		],
		['+002021-02-25T15:02:10Z', '067c91e699a1cc6841fb188333793764f73afbd8a7cb064ae5398f9c8d337f71'],
		['1.614265330e9', '114d040a8f8a7ac134b3020b5e74cb5f198bedc9f5555622abb63478550f4694'],
		['-1', 'bbe14cbc015c51f81ffd2dca62f032d8cdda4b67d326fa19029b373191a273fb'],
		['16142653300000', 'ab212e0e2b0f4e62eb8e27e2f4d346a806cd8760b9adaccfa934aa697d49349f'],
		['0x60378532', 'b33f1dcf8fa4ec0988d4d5c6037a37ad9b6af445542d0df01152b793a22cf12e'],
		['١٦١٤٢٦٥٣٣٠', 'fa49ec3297c5b15cad98d5b5c0e1ef793511e513803f9b6b45a115327cef2b97'],
		[[at, at], hex],
		[[at, at].join(', '), hex],
		[`${at}\n`, hex],
	])('with the time %j is rejected', (timestamp, signature) => {
		expect(overTimestampAndBody(timestamp, signature)).toEqual(malformed);
	});
});

describe('a signature in the style of Stripe', () => {
	const { hex, previousSecret } = json.timestampAndBody;
	const header = `t=${SIGNED_AT},v1=${hex}`;

	test.each([
		['time and signature', header],
		['the signature first', `v1=${hex},t=${SIGNED_AT}`],
		['two signatures', `t=${SIGNED_AT},v1=${otherDigest},v1=${hex}`],
		['an older version beside it', `t=${SIGNED_AT},v1=${hex},v0=${otherDigest}`],
		['spaces after the commas', `t=${SIGNED_AT}, v1=${hex}`],
		['many spaces after the comma', `t=${SIGNED_AT},${' '.repeat(40)}v1=${hex}`],
		['a header in two lines', [`t=${SIGNED_AT}`, `v1=${hex}`]],
	])('is accepted: %s', (_form, signature) => {
		expect(stripeStyle(signature)).toEqual(accepted);
	});

	test.each([
		['no header', [], missing],
		['no time', `v1=${hex}`, missing],
		['no signature', `t=${SIGNED_AT}`, missing],
		['an older version only', `t=${SIGNED_AT},v0=${hex}`, missing],
		['the bare digest', `t=${SIGNED_AT},${hex}`, missing],
		['an empty time', `t=,v1=${hex}`, missing],
		['two times', `t=${SIGNED_AT},t=${SIGNED_AT},v1=${hex}`, malformed],
		['an invalid time', `t=${SIGNED_AT}.0,v1=${hex}`, malformed],
		['a time in words', `t=2021-02-25T15:02:10Z,v1=${hex}`, malformed],
		['an empty signature', `t=${SIGNED_AT},v1=`, malformed],
		['another time', `t=${SIGNED_AT + 1},v1=${hex}`, mismatch],
		['a signature over the body alone', `t=${SIGNED_AT},v1=${json.body.hex}`, mismatch],
	])('is rejected: %s', (_form, signature, verdict) => {
		expect(stripeStyle(signature)).toEqual(verdict);
	});

	test('holds within the tolerance both ways', () => {
		const late = (seconds: number) => ({ now: (SIGNED_AT + seconds) * 1000 });
		expect(stripeStyle(header, late(300))).toEqual(accepted);
		expect(stripeStyle(header, late(301))).toEqual(stale);
		expect(stripeStyle(header, late(-300))).toEqual(accepted);
		expect(stripeStyle(header, late(-301))).toEqual(stale);
	});

	test('may hold one signature for each secret under rotation', () => {
		const both = `${header},v1=${previousSecret}`;
		expect(stripeStyle(both, { secrets: [PREVIOUS_SECRET] })).toEqual(accepted);
		expect(stripeStyle(both, { secrets: [SECRET] })).toEqual(accepted);
		expect(stripeStyle(header, { secrets: [PREVIOUS_SECRET] })).toEqual(mismatch);
	});

	test('takes the whole text of the secret as the key, also after whsec_', () => {
		// (printf '%s.' 1614265330; cat FILE) | openssl dgst -sha256 -hmac whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw
		const signature = 'e0a08c999c454989f24d757acc477b50f092dfa73ab78db26a02aa8b96f3020a';
		const overrides = { secrets: [STANDARD_SECRET] };
		expect(stripeStyle(`t=${SIGNED_AT},v1=${signature}`, overrides)).toEqual(accepted);
	});
});

describe('a signature by Standard Webhooks', () => {
	const genuine = `v1,${json.standardWebhooks}`;
	const unrelated = 'Ceo5qEr07ixe2NLpvHk3FH9bwy/WavXrAFQ/9tdO6mc=';

	test('is accepted for the vector that the standard publishes', () => {
		const published = {
			body: Buffer.from('{"test": 2432232314}'),
			headers: {
				'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
				'webhook-timestamp': '1614265330',
				'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
			},
		};
		expect(standard({}, published)).toEqual(accepted);
		expect(standard({}, { ...published, body: Buffer.from('{"test":2432232314}') })).toEqual(
			mismatch,
		);
	});

	test.each([unicode, invalidUtf8, empty, huge])('covers the bytes of body %#', (vector) => {
		const headers = { 'webhook-signature': `v1,${vector.standardWebhooks}` };
		expect(standard(headers, { body: vector.content })).toEqual(accepted);
		expect(standard(headers)).toEqual(mismatch);
	});

	test.each([
		['with others around it', `v1,${unrelated} v2,${unrelated} ${genuine} v1,${unrelated}`],
		['beside an asymmetric one', `v1a,${unrelated} ${genuine}`],
		['in a repeated header', [`v1,${unrelated}`, genuine]],
		['in a repeated header that was joined', `${genuine}, v1,${unrelated}`],
		['after many spaces', `v1,${unrelated}${' '.repeat(40)}${genuine}`],
	])('is accepted %s', (_form, signature) => {
		expect(standard({ 'webhook-signature': signature })).toEqual(accepted);
	});

	test.each([
		['without a signature', { 'webhook-signature': undefined }, missing],
		['without a version', { 'webhook-signature': json.standardWebhooks }, missing],
		['of another version', { 'webhook-signature': `v2,${json.standardWebhooks}` }, missing],
		['of the asymmetric kind', { 'webhook-signature': `v1a,${json.standardWebhooks}` }, missing],
		['with nothing after the version', { 'webhook-signature': 'v1,' }, malformed],
		['with part of the digest', { 'webhook-signature': genuine.slice(0, 8) }, malformed],
		['that is too short', { 'webhook-signature': 'v1,dawfeoifkpqwoekfpqoekf' }, malformed],
		['without a time', { 'webhook-timestamp': undefined }, missing],
		['with an invalid time', { 'webhook-timestamp': 'hello' }, malformed],
		['with a time in words', { 'webhook-timestamp': '2021-02-25T15:02:10Z' }, malformed],
		['with a decimal point', { 'webhook-timestamp': `${SIGNED_AT}.0` }, malformed],
		['with another time', { 'webhook-timestamp': String(SIGNED_AT - 1) }, mismatch],
		['without an id', { 'webhook-id': undefined }, missing],
		['with an empty id', { 'webhook-id': '' }, missing],
		['with another id', { 'webhook-id': `${MESSAGE_ID}2` }, mismatch],
		['with its id twice', { 'webhook-id': [MESSAGE_ID, MESSAGE_ID] }, malformed],
	])('is rejected %s', (_form, headers, verdict) => {
		expect(standard(headers)).toEqual(verdict);
	});

	// Signed as they stand, like the vectors.
	test.each([
		['a dot, which could be moved', 'msg.1', 'urFJJJijU5TAGjXT1DbKXVNzAXpD+xpBvUbm93dp7kw='],
		['a letter beyond ASCII', 'msg_é', 'Nd5nWsmW4frYrLECQyEPUY7gpNobNewMnVX6VPg5CZE='],
		['a space', 'msg 1', '18J1vr78c/nONTzjK9upZg3r78idhvLrc9a3Wbgu5AA='],
	])('is rejected if the id has %s', (_name, id, signature) => {
		const headers = { 'webhook-id': id, 'webhook-signature': `v1,${signature}` };
		expect(standard(headers)).toEqual(malformed);
	});

	test('can be read in one way only: text cannot move between id, time and body', () => {
		const read = (id: string, timestamp: string, body: string) =>
			standard(
				{
					'webhook-id': id,
					'webhook-timestamp': timestamp,
					'webhook-signature': 'v1,41VmdQdcD8t7DEGZJ21dRxmn5qmkwGmldMx6yAfSyss=',
				},
				{ body: Buffer.from(body), now: Number(timestamp) * 1000 },
			);
		expect(read(MESSAGE_ID, '1614265330', '1.5')).toEqual(accepted);
		expect(read(`${MESSAGE_ID}.1614265330`, '1', '5')).toEqual(malformed);
	});

	test('holds within the tolerance both ways', () => {
		const late = (seconds: number) => ({ now: (SIGNED_AT + seconds) * 1000 });
		expect(standard({}, late(300))).toEqual(accepted);
		expect(standard({}, late(301))).toEqual(stale);
		expect(standard({}, late(-300))).toEqual(accepted);
		expect(standard({}, late(-301))).toEqual(stale);
	});

	test.each([
		['without its prefix', STANDARD_SECRET.slice('whsec_'.length), accepted],
		['with spaces around it', ` ${STANDARD_SECRET}\n`, accepted],
		['with a character that is not base64', `${STANDARD_SECRET}!`, mismatch],
		['with one character less', STANDARD_SECRET.slice(0, -1), mismatch],
		['with the prefix alone', 'whsec_', mismatch],
		['with its prefix at the end', `${STANDARD_SECRET.slice('whsec_'.length)}whsec_`, mismatch],
		['with its prefix in another case', STANDARD_SECRET.replace('whsec_', 'WHSEC_'), mismatch],
	])('reads the secret %s', (_form, secret, verdict) => {
		expect(standard({}, { secrets: [secret] })).toEqual(verdict);
	});

	test.each(['', 'whsec_', 'whsec_!!!!', ' '])(
		'is not accepted for having been made with an empty key, under the secret %j',
		(secret) => {
			// The command of the vectors, with hexkey:00 (HMAC pads every key with zero bytes)
			const withEmptyKey = 'v1,XTQa5C6IBNhLqZcFGAKOJMw6WqBcCMYZyDBxnwd2AxA=';
			const headers = { 'webhook-signature': withEmptyKey };
			expect(standard(headers, { secrets: [secret] })).toEqual(mismatch);
		},
	);
});

test('the ID of a message is read only in the scheme that signs it', () => {
	const headers = { 'Webhook-Id': MESSAGE_ID };
	expect(messageIdOf(headers, 'standardWebhooks')).toBe(MESSAGE_ID);
	for (const scheme of ['body', 'timestampAndBody', 'stripe'] as const) {
		expect(messageIdOf(headers, scheme)).toBeUndefined();
	}
});

describe('a header made to waste time', () => {
	const megabyte = 2 ** 20;

	test.each([
		['one long word', 'a'.repeat(megabyte)],
		['blanks', ' '.repeat(megabyte)],
		['commas', ','.repeat(megabyte)],
		['commas and blanks', ', '.repeat(megabyte / 2)],
		['digits', '1'.repeat(megabyte)],
		['padding', '='.repeat(megabyte)],
		['labels', 'v1='.repeat(megabyte / 4)],
		['well-formed digests', `v1,${otherDigest} `.repeat(megabyte / 68)],
		['times', 't=1,'.repeat(megabyte / 4)],
		['many lines', Array.from({ length: 20_000 }, () => otherDigest)],
	])('is rejected at once: %s', (_name, value) => {
		const started = process.cpuUsage();
		expect(overBody(value).accepted).toBe(false);
		expect(overTimestampAndBody(value).accepted).toBe(false);
		expect(stripeStyle(value).accepted).toBe(false);
		const headers = { 'webhook-signature': value, 'webhook-id': value, 'webhook-timestamp': value };
		expect(standard(headers).accepted).toBe(false);
		// Seconds of this process, whatever else the machine does; a step for each pair of letters takes minutes.
		expect(process.cpuUsage(started).user / 1e6).toBeLessThan(5);
	});
});

describe('the fault of a secret', () => {
	const notBase64 =
		'is not a Standard Webhooks secret, which is base64 text, usually after "whsec_"';

	test.each([
		[undefined, 'is empty', 'is empty'],
		['', 'is empty', 'is empty'],
		[' \n', 'is empty', 'is empty'],
		['whsec_', null, 'is empty'],
		[SECRET, null, notBase64],
		['whsec_a', null, notBase64],
		['whpk_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', null, notBase64],
		['MfKQ9r8GKYqrTwjU PD8ILPZIo2LaLaSw', null, notBase64],
		[STANDARD_SECRET, null, null],
		[`${STANDARD_SECRET}\n`, null, null],
	])('%j', (secret, asText, asStandardWebhooks) => {
		expect(secretFault(secret, 'body')).toBe(asText);
		expect(secretFault(secret, 'timestampAndBody')).toBe(asText);
		expect(secretFault(secret, 'stripe')).toBe(asText);
		expect(secretFault(secret, 'standardWebhooks')).toBe(asStandardWebhooks);
	});
});
