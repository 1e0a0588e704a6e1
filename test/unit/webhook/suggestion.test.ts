import type { Headers } from '../../../nodes/WalletScreening/pace/answer';
import { detectScheme } from '../../../nodes/WalletScreening/webhook/suggestion';
import {
	bodies,
	json,
	jsonBase64,
	MESSAGE_ID,
	SECRET,
	SIGNED_AT,
	STANDARD_SECRET,
} from './vectors';

const [, unicode] = bodies;
const usual: Headers = {
	host: 'n8n.example',
	'content-type': 'application/json',
	date: 'Thu, 25 Feb 2021 15:02:10 GMT',
	traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
	'x-request-id': 'a6c1b1f0-51a4-4a5c-9d6f-0d0d8f1f6f6f',
	'content-digest': 'sha-256=:yGtrcPNZPzlDEsEDTEWdMxgWCRkTNZluCZWtuvsh9NI=:',
};

function detect(headers: Headers, now = SIGNED_AT * 1000) {
	const secrets = [SECRET, STANDARD_SECRET];
	const delivery = { body: json.content, headers: { ...usual, ...headers }, secrets, now };
	return detectScheme({ ...delivery, toleranceSeconds: 300 });
}

const at = String(SIGNED_AT);
const standard = {
	'webhook-id': MESSAGE_ID,
	'webhook-timestamp': at,
	'webhook-signature': `v1,${json.standardWebhooks}`,
};

test.each<[string, Headers, object]>([
	['sha256=', { 'x-vendor': `sha256=${jsonBase64.body}` }, { signedContent: 'body' }],
	[
		'a time',
		{ 'x-vendor': `v1=${json.timestampAndBody}`, 'x-at': at },
		{ signedContent: 'timestampAndBody', timestampHeader: 'x-at' },
	],
	['t=', { 'x-vendor': `t=${at},v1=${json.timestampAndBody}` }, { signedContent: 'stripe' }],
	['an ID', standard, { signedContent: 'standardWebhooks', signatureHeader: 'webhook-signature' }],
])('a signature is found with %s', (_what, headers, found) => {
	expect(detect(headers)).toEqual({ signatureHeader: 'x-vendor', ...found });
});

test('a delivery of the last day is found, though it is stale', () => {
	const headers = { 'x-vendor': json.timestampAndBody, 'x-at': at };
	const late = (hours: number) => (SIGNED_AT + hours * 3600) * 1000;
	expect(detect(headers, late(24))).toBeDefined();
	expect(detect(headers, late(-24))).toBeDefined();
	expect(detect(headers, late(25))).toBeUndefined();
});

test.each<[string, Headers]>([
	['the signature of another body', { 'x-signature': unicode!.body }],
	['a signature of another time', { 'x-a': json.timestampAndBody, 'x-b': '1614265331' }],
	['a header that is too long', { 'x-signature': `${json.body}${' '.repeat(937)}` }],
	['Standard Webhooks without its ID', { ...standard, 'webhook-id': undefined }],
])('nothing is found in %s', (_what, headers) => {
	expect(detect(headers)).toBeUndefined();
});

test('four headers are tried, those first whose name says what they are', () => {
	const many = (count: number): Headers =>
		Object.fromEntries(
			Array.from({ length: count }, (_, index) => [
				[`etag-${index}`, unicode!.body],
				[`etag-at-${index}`, String(SIGNED_AT + 1 + index)],
			]).flat(),
		);
	const unlikely = { 'x-vendor': json.timestampAndBody, 'x-at': at };
	expect(detect({ ...many(3), ...unlikely })).toMatchObject({ signatureHeader: 'x-vendor' });
	expect(detect({ ...many(4), ...unlikely })).toBeUndefined();
	const likely = { 'X-Sign': json.timestampAndBody, 'X-Sent-At': at };
	expect(detect({ ...many(10), ...likely })).toMatchObject({ signatureHeader: 'X-Sign' });
});
