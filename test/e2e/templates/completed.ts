import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../host/instance';
import { until } from '../../../host/until';
import template from '../../../templates/bulk-completed-alert.json';
import { completion, deliver, report } from '../../support/triggers';
import { type Stage, webhookUrl } from './stage';

const trigger = 'When a Bulk Job Is Complete';

/** The workflow that the service calls when a bulk job is complete. */
export function completedTests(stageOf: () => Stage, { isN8n1 = false } = {}): void {
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
		const before = await stage.n8n.executionsOf(workflow);
		const url = webhookUrl(stage, 'completed/webhook');
		expect(await deliver({ url }, completion(...results))).toMatchObject({ status: 200 });
		// n8n 1 answers before it stores the execution.
		const last = await until('an execution', async () => {
			const executions = await stage.n8n.executionsOf(workflow);
			return executions.find(({ id }) => !before.some((one) => one.id === id));
		});
		const { status } = await stage.n8n.finishedExecution(String(last.id));
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

	// n8n 1 publishes what cannot run.
	if (!isN8n1) {
		test('cannot be published until its credentials are chosen, and n8n says where', async () => {
			const imported = await stage.n8n.saveWorkflow(template as unknown as Workflow);
			await expect(stage.n8n.publishWorkflow(imported)).rejects.toThrow(
				/2 nodes have configuration issues.*Bulk Job Is Complete.*credential: walletScreeningApi/,
			);
		});
	}

	test('sends nothing if all are green', async () => {
		const before = await stage.n8n.executionsOf(workflow);
		const url = webhookUrl(stage, 'completed/webhook');
		const green = completion(report('green'), report('Green'));
		expect(await deliver({ url }, green)).toMatchObject({ status: 200 });
		expect(await stage.n8n.executionsOf(workflow)).toEqual(before);
	});

	test('sends one message, in which those to block come before those to review', async () => {
		const [green, red, yellow, orange] = [report('green'), block(), review(), review()];
		await complete(yellow, green, red, orange);

		const [message, ...others] = stage.slack.messages;
		expect(others).toEqual([]);
		expect(message?.text).toContain('Bulk job complete');
		const said = JSON.stringify(message?.blocks);
		const places = [red, yellow, orange].map(({ address }) => said.indexOf(String(address)));
		expect(Math.min(...places)).toBeGreaterThan(0);
		expect(places[0]).toBe(Math.min(...places));
		expect(said).toContain('https://x.example/block');
		expect(said).not.toContain(green.address);

		const [letter, ...otherLetters] = stage.mail.letters;
		expect(otherLetters).toEqual([]);
		expect(letter?.subject).toBe(message?.text);
		for (const { address } of [red, yellow, orange]) {
			expect(letter?.html).toContain(address);
			expect(letter?.text).toContain(address);
		}
	});

	test('lists what was not screened, whatever it holds', async () => {
		const odd = { address: '<!channel>&', error: 'unsupported' };
		const { risk: _, ...noRisk } = report();
		await complete(report('green'), odd, noRisk);

		const said = JSON.stringify(stage.slack.messages);
		expect(said).toMatch(/2 failed/i);
		expect(said).toContain('‹!channel›&');
		expect(said).not.toContain('mrkdwn');
		expect(stage.slack.messages[0]?.text).not.toContain('<');
		expect(said).toContain(noRisk.address);
		expect(stage.mail.letters[0]?.html).toContain('&lt;!channel&gt;&amp;');
	});

	test('lists up to fifty of many, and counts all of them', async () => {
		await complete(...Array.from({ length: 73 }, review));
		expect(stage.slack.messages).toHaveLength(1);
		const said = JSON.stringify(stage.slack.messages);
		expect(said).toMatch(/73 review|review:? \(?73/i);
		expect(said).toMatch(/more items that are not listed/);
	});
}
