import type { IDataObject } from 'n8n-workflow';
import { scenarioAddress } from '../../../sandbox/scenarios';
import {
	greenAddress,
	notGreenAddress,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { foundation, tellWhatStops } from '../../support/templates/foundation';
import { stage, untilQuiet } from '../../support/templates/stage';
import { withBrokenPolicy } from '../../support/templates/brokenPolicy';
import { outputOf } from '../../../tools/host/workflow';
import { postToWebhook } from '../../support/templates/webhooks';
import { resourceLocator } from '../../../tools/trial/wiring';
import { slackMessagesAsText } from '../../support/templates/slackMessages';

/** What a user has changed in a template before it is imported. */
type Changes = Parameters<typeof stage.importTemplate>[1];

/** What "Replace" makes of the node *Screen* of a template, with *Our Screening* selected. */
const withOurScreening = (): Changes => ({
	Screen: {
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { workflowId: resourceLocator('id', foundation.screening.id), options: {} },
	},
});

/** The first workflows of a user: they screen by themselves, and later with *Our Screening*. */
export function firstWorkflowTests(): void {
	describe.each([
		{ how: 'on its own', changes: () => ({}), hasPolicyTable: false },
		{
			how: 'with Our Screening in the place of Screen',
			changes: withOurScreening,
			hasPolicyTable: true,
		},
	])('$how', ({ changes, hasPolicyTable }) => {
		test('the starter goes one of three ways', async () => {
			const workflow = await stage.importTemplate('screen-a-wallet', changes());
			const ends = async (address: string) => {
				const run = await stage.runFrom(workflow, 'Enter an Address', outputOf({ address }));
				return ['Continue', 'Ask a Person'].filter((node) => run.data.resultData.runData[node]);
			};
			expect(await ends(greenAddress)).toEqual(['Continue']);
			expect(await ends(sanctionedAddress)).toEqual(['Ask a Person']);
			expect(await ends('two words')).toEqual(['Ask a Person']);
		});

		describe('an incoming transaction', () => {
			beforeAll(async () => {
				await stage.publishTemplate('screen-incoming-transaction', {
					...changes(),
					'When a Transaction Comes In': { webhookId: 'incoming-transaction' },
				});
			});
			afterAll(() => stage.withdrawAll());

			incomingTransactionTests();
			if (hasPolicyTable) brokenPolicyTest();
			else ownScreeningTests();
		});
	});
}

/** Posts a transaction, and waits until n8n has done all about it. */
async function post(body: unknown, headers?: Record<string, string>) {
	const response = await postToWebhook('incoming-transaction', body, headers);
	await untilQuiet();
	const { status } = response;
	const text = await response.text();
	return { status, body: status === 403 ? {} : (JSON.parse(text) as IDataObject) };
}

/** Posts two transactions that cannot be screened. @returns the number of messages about them */
async function postTwoUnscreened(): Promise<number> {
	for (const transaction_id of ['T-5', 'T-6'])
		expect((await post({ transaction_id, from: greenAddress })).status).toBe(503);
	return stage.slack.messages.splice(0).length;
}

/** Expects this answer to a transaction, and a message to the team unless it is allowed. */
async function expectAnswer(from: string, status: number, outcome: string): Promise<void> {
	const answer = await post({ transaction_id: 'T-1', from, chain: 'ETH' });
	const body = { outcome, transaction_id: 'T-1', address: from };
	expect(answer).toMatchObject({ status, body });
	expect(stage.slack.refused).toEqual([]);
	expect(stage.slack.messages).toHaveLength(outcome === 'allow' ? 0 : 1);
}

function incomingTransactionTests(): void {
	test.each([
		[greenAddress, 200, 'allow', 'its level is green'],
		[sanctionedAddress, 409, 'block', 'it is on the US sanctions list'],
		['two words', 400, 'not screened', 'it is no address'],
	])('of %s is answered %i, %s, because %s', async (from, status, outcome) => {
		await expectAnswer(from, status, outcome);
	});

	test('that holds a private key repeats it nowhere', async () => {
		const key = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
		const answer = await post({ transaction_id: 'T-3', from: key });
		expect(answer.body).toMatchObject({ address: '(private key removed)' });
		const { slack, mail } = stage;
		const rows = await table('Screening Results').rows();
		expect(JSON.stringify([answer, slack.messages, mail.letters, rows])).not.toContain(key);
		expect(slack.messages).toHaveLength(1);
	});

	test('that is not screened is answered 503', async () => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		expect(await postTwoUnscreened()).toBe(2);
	});
}

/** What the workflow does with a transaction in the same way, whatever screens it. */
function ownScreeningTests(): void {
	test.each([
		[notGreenAddress, 409, 'review', 'its level is not green'],
		[scenarioAddress('rejected'), 400, 'not screened', 'the service refuses it'],
	])('of %s is answered %i, %s, because %s', async (from, status, outcome) => {
		await expectAnswer(from, status, outcome);
	});

	test('whose sender is markup mentions no one and links to nothing', async () => {
		await post({ transaction_id: 'T-4', from: '<!channel> <https://evil.example|Release>' });
		expect(slackMessagesAsText()).toContain('evil.example');
		expect(slackMessagesAsText()).not.toMatch(/<!|<https|:\/\/evil/);
		for (const { html } of stage.mail.letters) expect(html).not.toMatch(/<!channel|<https/);
	});

	test('that names no address is answered 400, and of a caller without the header 403', async () => {
		expect((await post({ from: greenAddress }, {})).status).toBe(403);
		expect(stage.sandbox.requests).toEqual([]);
		for (const body of [{}, [], { from: null }, { from: { a: 1 } }]) {
			expect((await post(body)).status).toBe(400);
		}
	});
}

function brokenPolicyTest(): void {
	test('is answered 503 under a policy that cannot be read, and the team is told once', async () => {
		await withBrokenPolicy(async () => {
			await table('Screening Told').clear();
			expect(await postTwoUnscreened()).toBe(0);
			await tellWhatStops();
			expect(stage.slack.messages.map(({ text }) => text)).toEqual(
				expect.arrayContaining([expect.stringContaining('The policy cannot be read')]),
			);
		});
	});
}
