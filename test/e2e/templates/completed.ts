import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../host/instance';
import template from '../../../templates/bulk-completed-alert.json';
import { completion, deliver, report } from '../../support/triggers';
import { type Stage, webhookUrl } from './stage';

const trigger = 'When a Bulk Job Is Complete';

/** The workflow that the service calls when a bulk job is complete. */
export function completedTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;

	beforeAll(async () => {
		stage = stageOf();
		workflow = await stage.importTemplate(template, {
			[trigger]: { webhookId: 'completed' },
			'Send the Team an E-Mail': { disabled: false },
		});
		await stage.n8n.publishWorkflow(workflow);
	});
	afterAll(async () => await stage.n8n.unpublishWorkflow(workflow));

	/** What becomes of a job with these results. */
	async function complete(...results: unknown[]): Promise<void> {
		const url = webhookUrl(stage, 'completed/webhook');
		expect(await deliver({ url }, completion(...results))).toMatchObject({ status: 200 });
		const [last] = await stage.n8n.executionsOf(workflow);
		const { status } = await stage.n8n.finishedExecution(String(last?.id));
		expect(status).toBe('success');
		expect(stage.slack.refused).toEqual([]);
	}

	const review = (): IDataObject => ({
		...report('yellow'),
		report_url: 'https://x.example/review',
	});
	const block = (): IDataObject => {
		const red = report('red');
		const risk = { level: 'red', score: 0.9, categories: { sanctions: 0.5 } };
		return { ...red, risk, report_url: 'https://x.example/block' };
	};

	test('cannot be published until its credentials are chosen, and n8n says where', async () => {
		const imported = await stage.n8n.saveWorkflow(template as unknown as Workflow);
		await expect(stage.n8n.publishWorkflow(imported)).rejects.toThrow(
			/2 nodes have configuration issues.*Bulk Job Is Complete.*credential: walletScreeningApi/,
		);
	});

	test('tells of nothing where all are green', async () => {
		const before = await stage.n8n.executionsOf(workflow);
		const url = webhookUrl(stage, 'completed/webhook');
		const green = completion(report('green'), report('Green'));
		expect(await deliver({ url }, green)).toMatchObject({ status: 200 });
		expect(await stage.n8n.executionsOf(workflow)).toEqual(before);
	});

	test('tells of each wallet to block, and of the others that are not green in one list', async () => {
		const [green, red, yellow, orange] = [report('green'), block(), review(), review()];
		await complete(yellow, green, red, orange);

		const [alert, list, ...others] = stage.slack.messages;
		expect(others).toEqual([]);
		expect(alert?.text).toMatch(/^Block: .* is red \(score 0\.9\)$/);
		const told = JSON.stringify(alert?.blocks);
		expect(told).toContain(red.address);
		expect(told).toContain('https://x.example/block');

		expect(list?.text).toBe('Wallet screening: 2 to review');
		expect(list?.blocks).toMatchObject([
			{ type: 'header' },
			{
				type: 'section',
				text: {
					text: [yellow, orange]
						.map(({ address }) => `yellow (score 0.5): ${String(address)} https://x.example/review`)
						.join('\n'),
				},
			},
		]);

		const [letter, listLetter, ...otherLetters] = stage.mail.letters;
		expect(otherLetters).toEqual([]);
		expect(letter?.subject).toBe(alert?.text);
		expect(letter?.html).toContain(red.address);
		expect(letter?.text).toContain(red.address);
		expect(listLetter?.subject).toBe(list?.text);
		expect(listLetter?.text?.trim().split('\n')).toHaveLength(2);
	});

	test('counts what could not be screened among those to review, whatever it holds', async () => {
		const odd = { address: '<!channel>&', error: 'unsupported' };
		const { risk: _, ...noRisk } = report();
		await complete(report('green'), odd, noRisk);

		const [list] = stage.slack.messages;
		expect(list?.text).toBe('Wallet screening: 2 to review');
		const told = JSON.stringify(list?.blocks);
		expect(told).toContain('not screened: &lt;!channel&gt;&amp; (');
		expect(told).toContain(`not screened: ${String(noRisk.address)} (`);
		const [letter] = stage.mail.letters;
		expect(letter?.html).toContain('<p>not screened: &lt;!channel&gt;&amp; (');
		expect(letter?.text).toContain('not screened: <!channel>& (');
	});

	test('shows the first fifty of a long list in Slack, and all in the e-mail', async () => {
		await complete(...Array.from({ length: 73 }, review));
		const [list, ...others] = stage.slack.messages;
		expect(others).toEqual([]);
		const told = JSON.stringify(list?.blocks);
		expect(told.match(/yellow \(score/g)).toHaveLength(50);
		expect(told).toContain('… and 23 more: see this run under Executions');
		expect(stage.mail.letters[0]?.text?.match(/yellow \(score/g)).toHaveLength(73);
	});
}
