import { signatureHeaders, type WebhookScheme } from '../../../sandbox/webhook';

const body = '{"job_id":"job_1"}';
const secret = 'sandbox-secret';
const message = { body, id: 'msg_1', seconds: 1_700_000_000 };
// printf '1700000000.{"job_id":"job_1"}' | openssl dgst -sha256 -hmac sandbox-secret
const digest = '8e1377b73df9607cd14c89d7fcfc9ba9d290d8d33f7347fd83521d202f58ccd8';

it.each<[WebhookScheme, string, typeof message, object]>([
	// RFC 4231, test case 2.
	[
		'body',
		'Jefe',
		{ ...message, body: 'what do ya want for nothing?' },
		{ 'X-Signature': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843' },
	],
	['timestampAndBody', secret, message, { 'X-Timestamp': '1700000000', 'X-Signature': digest }],
	['stripe', secret, message, { 'X-Signature': `t=1700000000,v1=${digest}` }],
	// The vector that the libraries of Standard Webhooks are tested with.
	[
		'standardWebhooks',
		'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
		{ body: '{"test": 2432232314}', id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', seconds: 1_614_265_330 },
		{
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		},
	],
])('the scheme %s signs as others do', (scheme, key, of, headers) => {
	expect(signatureHeaders({ scheme, secret: key }, of)).toEqual(headers);
});
