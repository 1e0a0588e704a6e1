import type { IDataObject } from 'n8n-workflow';
import { type N8n, startFreshInstance } from '../../host/instance';
import { until } from '../../host/until';
import type { WebhookScheme } from '../../sandbox/webhook';
import {
	completion,
	deliver,
	hookCredential,
	outcomesOf,
	report,
	schemes,
	secrets,
	signed,
	startTrigger,
} from '../support/triggers';
import { patience, triggerNode } from '../support/workflows';

const mismatch = { status: 401, retryAfter: undefined };
/** What a node expects that does not fit a delivery of this scheme. */
const others: Record<WebhookScheme, WebhookScheme> = {
	body: 'timestampAndBody',
	timestampAndBody: 'body',
	stripe: 'body',
	standardWebhooks: 'stripe',
};
const names = { 'X-Signature': 'X-Vendor-Hmac', 'X-Timestamp': 'X-Vendor-Sent' };

/** The headers of a delivery, under names that no node expects. */
function underOtherNames(headers: Record<string, string>): Record<string, string> {
	return Object.fromEntries(
		Object.entries(headers).map(([name, value]) => [
			names[name as keyof typeof names] ?? name,
			value,
		]),
	);
}

const expected: Record<WebhookScheme, IDataObject> = {
	body: { signedContent: 'body', signatureHeader: 'x-vendor-hmac' },
	timestampAndBody: {
		signedContent: 'timestampAndBody',
		signatureHeader: 'x-vendor-hmac',
		timestampHeader: 'x-vendor-sent',
	},
	stripe: { signedContent: 'stripe', signatureHeader: 'x-vendor-hmac' },
	standardWebhooks: { signedContent: 'standardWebhooks', signatureHeader: 'webhook-signature' },
};

describe('a delivery that fits the secret under other settings', () => {
	let n8n: N8n;
	beforeAll(async () => {
		n8n = await startFreshInstance('e2e-trigger-suggestion');
	}, patience);
	afterAll(() => n8n?.stop());

	async function triggerFor(scheme: WebhookScheme) {
		const credential = await n8n.saveCredential(hookCredential(secrets[scheme]));
		return startTrigger(n8n, credential, { signedContent: others[scheme] });
	}

	test.each(schemes)(
		'shows the settings in the editor while it listens: %s',
		async (scheme) => {
			const trigger = await triggerFor(scheme);
			const body = completion(report());
			const headers = underOtherNames(signed(scheme, body));
			const test = { url: trigger.testUrl };

			await n8n.listenForTestEvent(trigger.workflow, triggerNode);
			const secret = `${secrets[scheme].slice(0, -6)}AAAAA=`;
			const forged = underOtherNames(signed(scheme, body, { secret }));
			expect(await deliver(test, body, forged)).toMatchObject(mismatch);
			expect(await deliver(test, `${body} `, headers)).toMatchObject(mismatch);
			expect(await n8n.executionsOf(trigger.workflow)).toEqual([]);

			expect(await deliver(test, body, headers)).toMatchObject(mismatch);
			// n8n starts the execution after the answer.
			await until('the execution', async () => (await n8n.executionsOf(trigger.workflow))[0]);
			expect(await outcomesOf(n8n, trigger)).toEqual([
				[
					{
						error: expect.stringMatching(/\S/),
						details: expect.objectContaining({
							errorClass: 'invalid_input',
							parameter: 'Signature Scheme',
							suggestion: expected[scheme],
						}),
					},
				],
			]);
			expect((await deliver(test, body, headers)).status).toBe(404);
		},
		30_000,
	);

	test.each(schemes)(
		'is refused in production, where the log names the settings once: %s',
		async (scheme) => {
			const trigger = await triggerFor(scheme);
			const before = (await n8n.log()).length;
			const body = completion(report());
			for (let count = 0; count < 3; count++) {
				const sent = deliver(trigger, body, underOtherNames(signed(scheme, body)));
				expect(await sent).toMatchObject(mismatch);
			}
			expect(await n8n.executionsOf(trigger.workflow)).toEqual([]);
			const lines = (await n8n.log()).slice(before).split('\n');
			const said = lines.filter((line) => line.includes("Set 'Signature Scheme' to"));
			expect(said).toHaveLength(1);
			const named = scheme === 'standardWebhooks' ? [] : Object.values(expected[scheme]).slice(1);
			for (const name of named) expect(said[0]).toContain(name);
			expect(said[0]).not.toContain(secrets[scheme]);
		},
		30_000,
	);
});
