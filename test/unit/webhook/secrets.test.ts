import { checkSecret } from '../../../nodes/WalletScreening/webhook/secrets';
import { STANDARD_SECRET } from '../../support/data/signatureVectors';

test.each([
	[undefined, 'is empty', 'is empty'],
	[' \n', 'is empty', 'is empty'],
	['whsec_', 'is empty', 'is empty'],
	['whsec_a', undefined, 'is not base64 with its padding after "whsec_"'],
	['hook-secret', undefined, undefined],
	[`${STANDARD_SECRET}\n`, undefined, undefined],
])('the fault of the secret %j', (secret, asText, asStandardWebhooks) => {
	for (const scheme of ['body', 'timestampAndBody', 'stripe', 'custom'] as const)
		expect(checkSecret(secret, scheme)).toBe(asText);
	expect(checkSecret(secret, 'standardWebhooks')).toEqual(asStandardWebhooks);
});
