import { until } from '../../../host/until';
import type { Saved, Workflow } from '../../../host/instance';
import template from '../../../templates/tell-about-failures.json';
import { inARow } from '../../support/workflows';
import { type Stage, webhookUrl } from './stage';

/** The workflow that n8n calls when a run of another one fails. */
export function failureTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let failing: Saved<Workflow>;

	beforeAll(async () => {
		stage = stageOf();
		workflow = await stage.importTemplate(template, {
			'Send the Team an E-Mail': { disabled: false },
		});
		await stage.n8n.publishWorkflow(workflow);
		failing = await stage.n8n.saveWorkflow({
			name: 'Payments <!channel> & more',
			...inARow(
				{
					name: 'Called',
					type: 'n8n-nodes-base.webhook',
					typeVersion: 2,
					webhookId: 'failing',
					parameters: { path: 'failing' },
				},
				{
					name: 'Screen the Sender',
					type: 'n8n-nodes-base.stopAndError',
					parameters: { errorMessage: 'The key is not accepted <b>' },
				},
			),
			settings: { executionOrder: 'v1', errorWorkflow: workflow.id },
		});
		await stage.n8n.publishWorkflow(failing);
	});
	afterAll(async () => {
		await stage.n8n.unpublishWorkflow(failing);
		await stage.n8n.unpublishWorkflow(workflow);
	});

	const fail = async () => {
		const before = (await stage.n8n.executionsOf(workflow)).length;
		await fetch(webhookUrl(stage, 'failing'));
		const started = await until('the error workflow', async () => {
			const all = await stage.n8n.executionsOf(workflow);
			return all.length > before ? all[0] : undefined;
		});
		return await stage.n8n.finishedExecution(String(started.id));
	};

	test('notifies Slack and by e-mail: which workflow, which node, why, and where', async () => {
		expect((await fail()).status).toBe('success');
		expect(stage.slack.refused).toEqual([]);
		const said = JSON.stringify(stage.slack.messages);
		expect(stage.slack.messages).toHaveLength(1);
		expect(said).toContain('Payments ‹!channel› & more');
		expect(said).not.toContain('mrkdwn');
		expect(said).toContain('Screen the Sender: The key is not accepted');
		expect(said).toMatch(/\/workflow\/\w+\/executions\/\d+/);
		const [letter] = stage.mail.letters;
		expect(letter?.html).toContain('Payments &lt;!channel&gt; &amp; more');
		expect(letter?.text).toContain('The key is not accepted');
	});

	test('sends the e-mail even if Slack is down, and fails visibly', async () => {
		stage.slack.isDown = true;
		expect((await fail()).status).toBe('error');
		expect(stage.mail.letters).toHaveLength(1);
	});

	test('notifies Slack even if the e-mail is refused', async () => {
		stage.mail.isDown = true;
		await fail();
		expect(stage.slack.messages).toHaveLength(1);
	});
}
