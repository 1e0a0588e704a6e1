import { signatureHeaders } from '../../../sandbox/webhook';

const message = { body: '{"job_id":"job_1"}', id: 'msg_1', seconds: 1_700_000_000 };
const secret = 'sandbox-secret';

describe('headers that sign a webhook', () => {
	// RFC 4231, test case 2.
	it('hold the digest of the body in the scheme body', () => {
		expect(
			signatureHeaders(
				{ scheme: 'body', secret: 'Jefe' },
				{ ...message, body: 'what do ya want for nothing?' },
			),
		).toEqual({
			'X-Signature': '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843',
		});
	});

	// printf '1700000000.{"job_id":"job_1"}' | openssl dgst -sha256 -hmac sandbox-secret
	const digest = '8e1377b73df9607cd14c89d7fcfc9ba9d290d8d33f7347fd83521d202f58ccd8';

	it('hold the time and the digest of both in the scheme timestampAndBody', () => {
		expect(signatureHeaders({ scheme: 'timestampAndBody', secret }, message)).toEqual({
			'X-Timestamp': '1700000000',
			'X-Signature': digest,
		});
	});

	it('hold the time and the digest in one header in the scheme stripe', () => {
		expect(signatureHeaders({ scheme: 'stripe', secret }, message)).toEqual({
			'X-Signature': `t=1700000000,v1=${digest}`,
		});
	});

	// The vector that the libraries of Standard Webhooks are tested with.
	it('are those of Standard Webhooks in the scheme standardWebhooks', () => {
		expect(
			signatureHeaders(
				{ scheme: 'standardWebhooks', secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw' },
				{
					body: '{"test": 2432232314}',
					id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
					seconds: 1_614_265_330,
				},
			),
		).toEqual({
			'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
			'webhook-timestamp': '1614265330',
			'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
		});
	});

	it('cover the exact bytes of the body', () => {
		const sign = (body: Buffer) =>
			signatureHeaders({ scheme: 'body', secret }, { ...message, body })['X-Signature'];
		expect(sign(Buffer.from([0x80]))).not.toBe(sign(Buffer.from([0x81])));
	});
});
