import { type Allowance, settingsThatFit } from '../../../nodes/WalletScreening/trigger/fit';
import type { Headers } from '../../../nodes/WalletScreening/trigger/signature';
import {
	json,
	MESSAGE_ID,
	PREVIOUS_SECRET,
	SECRET,
	SIGNED_AT,
	STANDARD_SECRET,
	unicode,
} from './vectors';

const plenty = (): Allowance => ({ searches: 1, bytes: 2 ** 20 });
const usual: Headers = {
	host: 'n8n.example',
	'content-type': 'application/json',
	'content-length': '171',
	'user-agent': 'Service/1.0',
	date: 'Thu, 25 Feb 2021 15:02:10 GMT',
	traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
	'x-request-id': 'a6c1b1f0-51a4-4a5c-9d6f-0d0d8f1f6f6f',
	'content-digest': `sha-256=:${unicode.body.base64}:`,
};

function find(headers: Headers, given: { body?: Buffer; now?: number; secrets?: string[] } = {}) {
	return settingsThatFit(
		{
			body: json.content,
			headers: { ...usual, ...headers },
			secrets: [SECRET, PREVIOUS_SECRET],
			toleranceSeconds: 300,
			now: SIGNED_AT * 1000,
			...given,
		},
		plenty(),
	);
}

const standard = {
	'webhook-id': MESSAGE_ID,
	'webhook-timestamp': String(SIGNED_AT),
	'webhook-signature': `v1,${json.standardWebhooks}`,
};

test.each([
	['hex', json.body.hex],
	['base64', json.body.base64],
	['a label', `sha256=${json.body.hex}`],
	['the previous secret', json.body.previousSecret],
])('a signature over the body is found, as %s', (_form, signature) => {
	expect(find({ 'x-hub-signature-256': signature })).toEqual({
		signedContent: 'body',
		signatureHeader: 'x-hub-signature-256',
	});
});

test.each([
	['Unix time', String(SIGNED_AT), json.timestampAndBody.hex],
	['Unix time, base64', String(SIGNED_AT), `v1=${json.timestampAndBody.base64}`],
])('a signature over time and body is found, with %s', (_form, time, signature) => {
	expect(find({ 'x-service-hmac': signature, 'x-service-sent': time })).toEqual({
		signedContent: 'timestampAndBody',
		signatureHeader: 'x-service-hmac',
		timestampHeader: 'x-service-sent',
	});
});

test('a signature in the style of Stripe is found', () => {
	const value = `t=${SIGNED_AT},v1=${json.timestampAndBody.hex}`;
	expect(find({ 'stripe-signature': value })).toEqual({
		signedContent: 'stripe',
		signatureHeader: 'stripe-signature',
	});
});

test('a signature by Standard Webhooks is found', () => {
	expect(find(standard, { secrets: [STANDARD_SECRET] })).toEqual({
		signedContent: 'standardWebhooks',
		signatureHeader: 'webhook-signature',
	});
});

test('the settings of a delivery that is stale are found too', () => {
	const headers = {
		'x-service-hmac': json.timestampAndBody.hex,
		'x-service-sent': String(SIGNED_AT),
	};
	const hour = 3_600_000;
	expect(find(headers, { now: SIGNED_AT * 1000 + hour })).toBeDefined();
	expect(find(headers, { now: SIGNED_AT * 1000 + 25 * hour })).toBeUndefined();
});

test.each<[string, Headers]>([
	['nothing', {}],
	['the signature of another body', { 'x-signature': unicode.body.hex }],
	['a signature that is cut', { 'x-signature': json.body.hex.slice(1) }],
	['a time without its signature', { 'x-timestamp': String(SIGNED_AT) }],
	['a signature of another time', { 'x-a': json.timestampAndBody.hex, 'x-b': '1614265331' }],
	['Standard Webhooks without the ID', { ...standard, 'webhook-id': undefined }],
])('nothing fits %s', (_what, headers) => {
	expect(find(headers)).toBeUndefined();
	expect(find(headers, { secrets: [STANDARD_SECRET] })).toBeUndefined();
});

test('nothing fits a secret that is not there', () => {
	expect(find({ 'x-signature': json.body.hex }, { secrets: [] })).toBeUndefined();
	expect(find({ 'x-signature': json.body.hex }, { secrets: ['', ' '] })).toBeUndefined();
});

test('a header that looks like a signature is tried before others', () => {
	const digests = Object.fromEntries(
		Array.from({ length: 10 }, (_, index) => [`etag-${index}`, unicode.body.hex]),
	);
	const times = Object.fromEntries(
		Array.from({ length: 10 }, (_, index) => [`etag-at-${index}`, String(SIGNED_AT + index)]),
	);
	const headers = { 'X-Sign': json.timestampAndBody.hex, 'X-Sent-At': String(SIGNED_AT) };
	expect(find({ ...digests, ...times, ...headers })).toMatchObject({ signatureHeader: 'X-Sign' });
});

describe('the allowance', () => {
	const search = (allowance: Allowance, headers: Headers = { 'x-hub': json.body.hex }) =>
		settingsThatFit(
			{
				body: json.content,
				headers,
				secrets: [SECRET],
				toleranceSeconds: 300,
				now: SIGNED_AT * 1000,
			},
			allowance,
		);

	test('ends the search for whatever arrives', () => {
		const allowance = { searches: 2, bytes: 2 ** 20 };
		expect(search(allowance, {})).toBeUndefined();
		expect(search(allowance)).toBeDefined();
		expect(allowance.searches).toBe(0);
		expect(search(allowance)).toBeUndefined();
	});

	test('is not spent on headers that hold no signature', () => {
		const headers = { traceparent: usual.traceparent, host: usual.host, 'x-hub': json.body.hex };
		const once = { searches: 1, bytes: json.content.length };
		expect(search(once, headers)).toMatchObject({ signatureHeader: 'x-hub' });
	});

	test('ends it before more bytes are hashed', () => {
		const allowance = { searches: 9, bytes: 2 * json.content.length };
		expect(search(allowance)).toBeDefined();
		expect(search(allowance)).toBeDefined();
		expect(allowance.bytes).toBe(0);
		expect(search(allowance)).toBeUndefined();
		const hostile = Object.fromEntries(
			Array.from({ length: 1000 }, (_, index) => [
				[`x-sign-${index}`, `t=${SIGNED_AT},v1=${unicode.body.hex}`],
				[`x-time-${index}`, String(SIGNED_AT)],
			]).flat(),
		);
		const enough = { searches: 9, bytes: 2 ** 20 };
		search(enough, hostile);
		expect(2 ** 20 - enough.bytes).toBeLessThanOrEqual(28 * json.content.length);
	});
});
