import { findSecrets } from '../../../host/engine/secrets';

const KEY = 'a secret key';

test('a secret is seen wherever it hides', () => {
	const error = new Error('no secret', {
		cause: { headers: new Map([['Authorization', `Bearer ${KEY}`]]) },
	});
	const encoded = { basic: Buffer.from(KEY).toString('base64'), bytes: Buffer.from(`x${KEY}`) };
	expect(findSecrets({ error, encoded, [KEY]: 1 }, [KEY])).toEqual([
		'$.error.cause.headers.0.1',
		'$.encoded.basic',
		'$.encoded.bytes',
		'$ (key)',
	]);
});
