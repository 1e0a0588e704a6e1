import crypto, { createHmac } from 'node:crypto';
import {
	defaultSignatureSettings,
	type SignatureSettings,
} from '../../../nodes/WalletScreening/webhook/scheme';
import {
	findFittingSettings,
	createSuggestionError,
} from '../../../nodes/WalletScreening/webhook/suggestion';
import {
	bodies,
	json,
	jsonBase64,
	MESSAGE_ID,
	SECRET,
	SIGNED_AT,
	STANDARD_SECRET,
} from '../../support/data/signatureVectors';
import { type HeaderFields } from '../../../nodes/WalletScreening/shared/http';

const [, unicode] = bodies;
const usual: HeaderFields = {
	host: 'n8n.example',
	'content-type': 'application/json',
	date: 'Thu, 25 Feb 2021 15:02:10 GMT',
	traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
	'x-request-id': 'a6c1b1f0-51a4-4a5c-9d6f-0d0d8f1f6f6f',
	'content-digest': 'sha-256=:yGtrcPNZPzlDEsEDTEWdMxgWCRkTNZluCZWtuvsh9NI=:',
};

const url = 'https://n8n.example/webhook/1/webhook';
const withoutHeaders = { ...defaultSignatureSettings, signatureHeader: 'X-None' };

function suggest(
	headers: HeaderFields,
	current: Partial<SignatureSettings> = {},
	now = SIGNED_AT * 1000,
) {
	const secrets = [SECRET, STANDARD_SECRET];
	const delivery = { body: json.content, headers: { ...usual, ...headers }, url, secrets, now };
	return findFittingSettings(
		{ ...delivery, toleranceSeconds: 300 },
		{ ...withoutHeaders, ...current },
	);
}

const at = String(SIGNED_AT);
const standard = {
	'webhook-id': MESSAGE_ID,
	'webhook-timestamp': at,
	'webhook-signature': `v1,${json.standardWebhooks}`,
};

const hmac = (text: string) => createHmac('sha256', SECRET).update(text).update(json.content);

test.each<[because: string, HeaderFields, object]>([
	[
		'the header is another one',
		{ 'x-vendor': `sha256=${jsonBase64.body}` },
		{ signedContent: 'body', signatureHeader: 'x-vendor' },
	],
	[
		'the time has a header of its own',
		{ 'x-vendor': `v1=${json.timestampAndBody}`, 'x-at': at },
		{ signedContent: 'timestampAndBody', signatureHeader: 'x-vendor', timestampHeader: 'x-at' },
	],
	[
		'the time is in the signature header',
		{ 'x-vendor': `t=${at},v1=${json.timestampAndBody}` },
		{ signedContent: 'stripe', signatureHeader: 'x-vendor' },
	],
	[
		'the time is in the signature header after time=',
		{ 'Webhook-Signature': `time=${at},sig1=${json.timestampAndBody}` },
		{ signedContent: 'stripe', signatureHeader: 'Webhook-Signature' },
	],
	[
		'the time is in the header Date',
		{ 'x-vendor': hmac('Thu, 25 Feb 2021 15:02:10 GMT.').digest('hex') },
		{ signedContent: 'timestampAndBody', signatureHeader: 'x-vendor', timestampHeader: 'date' },
	],
	[
		'it is Standard Webhooks',
		standard,
		{ signedContent: 'standardWebhooks', signatureHeader: 'webhook-signature' },
	],
	[
		'it is Standard Webhooks as Svix names its headers',
		{
			'svix-id': MESSAGE_ID,
			'svix-timestamp': at,
			'svix-signature': standard['webhook-signature'],
		},
		{ signedContent: 'standardWebhooks', signatureHeader: 'svix-signature' },
	],
	[
		'it is Standard Webhooks under the names of a vendor, with a key in base64',
		{ 'x-id': MESSAGE_ID, 'x-time': at, 'x-sign': standard['webhook-signature'] },
		{
			signedContent: 'custom',
			signedTemplate: '{id}.{timestamp}.{body}',
			signatureHeader: 'x-sign',
			timestampHeader: 'x-time',
			idHeader: 'x-id',
		},
	],
])('settings are suggested if %s', (_because, headers, found) => {
	expect(suggest(headers)).toEqual(found);
});

test('the template of the node is tried under other headers', () => {
	const headers = { 'x-vendor': hmac(`${at}|`).digest('hex'), 'x-at': at };
	const custom = { signedContent: 'custom', signedTemplate: '{timestamp}|{body}' } as const;
	expect(suggest(headers)).toBeUndefined();
	expect(suggest(headers, custom)).toEqual({
		...custom,
		signatureHeader: 'x-vendor',
		timestampHeader: 'x-at',
	});
});

test('a delivery of any time is found, because the clock is no setting of the node', () => {
	const headers = { 'x-vendor': json.timestampAndBody, 'x-at': at };
	for (const days of [-1000, 1000])
		expect(suggest(headers, {}, (SIGNED_AT + days * 86400) * 1000)).toBeDefined();
});

test.each<[because: string, HeaderFields]>([
	['the signature is that of another body', { 'x-signature': unicode!.body }],
	['the signature is that of another time', { 'x-a': json.timestampAndBody, 'x-b': '1614265331' }],
	['the ID is not there', { ...standard, 'webhook-id': undefined }],
	['the signature is cut', { 'x-signature': json.body.slice(0, 62) }],
])('nothing is suggested if %s', (_because, headers) => {
	expect(suggest(headers)).toBeUndefined();
});

test('nothing is suggested for a body over half a megabyte, because a stranger may have sent it', () => {
	const suggestAt = (length: number) => {
		const body = Buffer.alloc(length, ' ');
		const signature = createHmac('sha256', SECRET).update(body).digest('hex');
		const headers = { 'x-vendor': signature };
		const secrets = [SECRET];
		return findFittingSettings(
			{ body, headers, url, secrets, now: 0, toleranceSeconds: 1 },
			withoutHeaders,
		);
	};
	expect(suggestAt(2 ** 19)).toBeDefined();
	expect(suggestAt(2 ** 19 + 1)).toBeUndefined();
});

describe('few headers are tried', () => {
	const many = (count: number, name: string, valueOf: (index: number) => string): HeaderFields =>
		Object.fromEntries(
			Array.from({ length: count }, (_, index) => [`${name}-${index}`, valueOf(index)]),
		);
	const genuine = { 'x-vendor': json.timestampAndBody, 'x-at': at };

	test('as the one with the signature two, those first whose name says so', () => {
		const others = (count: number) => many(count, 'etag', () => unicode!.body);
		expect(suggest({ ...others(1), ...genuine })).toMatchObject({ signatureHeader: 'x-vendor' });
		expect(suggest({ ...others(2), ...genuine })).toBeUndefined();
		const named = { 'X-Sign': json.timestampAndBody, 'x-at': at };
		expect(suggest({ ...others(9), ...named })).toMatchObject({ signatureHeader: 'X-Sign' });
	});

	test('as the one with the time three, those first that are nearest to now', () => {
		const others = (count: number, by: number) =>
			many(count, 'x-number', (index) => String(SIGNED_AT + by + index));
		expect(suggest({ ...others(9, 100), ...genuine })).toMatchObject({ timestampHeader: 'x-at' });
		const now = (SIGNED_AT + 100) * 1000;
		// One more is the header Date.
		expect(suggest({ ...others(1, 100), ...genuine }, {}, now)).toBeDefined();
		expect(suggest({ ...others(2, 100), ...genuine }, {}, now)).toBeUndefined();
	});

	test('as the one with the ID four, those first whose name says so', () => {
		const others = (count: number) => many(count, 'x-trace', (index) => `4bf92f3577b3${index}`);
		const ofTwitch = (name: string) => ({
			'x-vendor': hmac(`${MESSAGE_ID}${at}`).digest('hex'),
			'x-at': at,
			[name]: MESSAGE_ID,
		});
		expect(suggest({ ...others(1), ...ofTwitch('x-message') })).toBeDefined();
		expect(suggest({ ...others(9), ...ofTwitch('x-message') })).toBeUndefined();
		expect(suggest({ ...others(9), ...ofTwitch('Message-ID') })).toMatchObject({
			idHeader: 'Message-ID',
		});
	});

	test('so that a request full of candidates costs at most 103 digests for each key', () => {
		const headers = {
			...many(5, 'x-sign', () => `t=${at},v1=${unicode!.body}`),
			...many(50, 'x-time', (index) => String(SIGNED_AT + index)),
			...many(50, 'x-id', (index) => `message_${index}`),
		};
		const digests = jest.spyOn(crypto, 'createHmac');
		const custom = { signedContent: 'custom', signedTemplate: '{id}|{timestamp}|{body}' } as const;
		expect(suggest(headers, custom)).toBeUndefined();
		// SECRET stands for one key, STANDARD_SECRET for two.
		expect(digests.mock.calls.length).toBeGreaterThan(200);
		expect(digests.mock.calls.length).toBeLessThanOrEqual(103 * 3);
		digests.mockRestore();
	});
});

test('the advice names each setting that has to change, and those that have to be empty', () => {
	const headers = { 'Paddle-Signature': `ts=${at};h1=${hmac(`${at}:`).digest('hex')}` };
	const secrets = [SECRET];
	const delivery = { body: json.content, headers, url, secrets, toleranceSeconds: 300, now: 0 };
	const error = createSuggestionError(delivery, defaultSignatureSettings)!;
	expect(error.description).toBe(
		"Set 'Signature Scheme' to 'Custom', 'Signed Template' to '{timestamp}:{body}', 'Signature Header' to 'Paddle-Signature', 'Timestamp Header' to an empty text.",
	);
	expect(error.details).toEqual({
		parameter: 'Signature Scheme',
		suggestion: {
			signedContent: 'custom',
			signedTemplate: '{timestamp}:{body}',
			signatureHeader: 'Paddle-Signature',
			timestampHeader: '',
		},
	});
});

test.each<[template: string, because: string]>([
	['{timestamp}\\n{body}', 'one can type it so'],
	['{timestamp}\n{body}', 'an expression gives it so'],
])('a template with a line break, %j, is not to be changed, because %s', (signedTemplate) => {
	const current = { ...defaultSignatureSettings, signedContent: 'custom', signedTemplate } as const;
	const headers = { 'x-vendor': hmac(`${at}\n`).digest('hex'), 'x-timestamp': at };
	const delivery = { body: json.content, headers: { ...usual, ...headers }, url };
	const input = { ...delivery, secrets: [SECRET], now: SIGNED_AT * 1000, toleranceSeconds: 300 };
	const { description, details } = createSuggestionError(input, current)!;
	expect(description).toBe("Set 'Signature Header' to 'x-vendor'.");
	expect(details.suggestion).toMatchObject({ signedTemplate });
});

test('the name of a header, which the sender wrote, is shown without what cannot be printed', () => {
	const headers = { 'x-\u202evendor': json.body };
	const delivery = { body: json.content, headers: { ...usual, ...headers }, url };
	const input = { ...delivery, secrets: [SECRET], now: SIGNED_AT * 1000, toleranceSeconds: 300 };
	expect(createSuggestionError(input, defaultSignatureSettings)?.description).toBe(
		"Set 'Signature Header' to 'x-?vendor'.",
	);
});
