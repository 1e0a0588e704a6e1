import type { Saved, Workflow } from '../../../host/instance';
import { until } from '../../../host/until';
import { reportOn } from '../../../sandbox/reports';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import completed from '../../../templates/bulk-completed-alert.json';
import template from '../../../templates/bulk-submit-with-events.json';
import { secrets } from '../../support/triggers';
import { serviceCredential } from '../../support/workflows';
import { type Stage, webhookUrl } from './stage';

const thief = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const slip = '0x28C6c06298d514Db0899 34071355E5743bf21d60';

/** The workflow that submits a list, and the one that the service calls when it is done. */
export function eventTests(stageOf: () => Stage): void {
	let stage: Stage;
	let sandbox: Sandbox;
	let alert: Saved<Workflow>;
	/** Of the workflow that submits. */
	let workflow: Saved<Workflow>;

	beforeAll(async () => {
		stage = stageOf();
		const url = webhookUrl(stage, 'bulk-completed/webhook');
		sandbox = await startSandbox({
			limit: null,
			jobDurationMs: 200,
			webhook: { url, secret: secrets.body, scheme: 'body', attempts: 1 },
		});
		const usual = serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl);
		const { id, name, type } = await stage.n8n.saveCredential({
			...usual,
			data: { ...usual.data, webhookSecret: secrets.body },
		});
		const credentials = { [type]: { id, name } };

		alert = await stage.importTemplate(completed, {
			'When a Bulk Job Is Complete': { webhookId: 'bulk-completed', credentials },
		});
		await stage.n8n.publishWorkflow(alert);
		workflow = await stage.importTemplate(template, {
			'Submit Them for Screening': { credentials },
			'Get the Reports': { credentials },
			'Wait an Hour': { parameters: { amount: 1, unit: 'seconds' } },
		});
	});
	afterAll(async () => {
		await stage.n8n.unpublishWorkflow(alert);
		await sandbox.close();
	});
	afterEach(() => sandbox.clearFaults());

	const run = async () => await stage.runFrom(workflow, 'When You Execute the Workflow');
	/** The messages of Slack with these words in their title. */
	const messages = (title: string) =>
		stage.slack.messages
			.filter(({ text }) => text?.includes(title))
			.map((one) => JSON.stringify(one));
	const notSubmitted = () => messages('Not submitted');
	const sums = () => messages('Bulk screening, 3 wallets');
	const warnings = () => messages(':warning:');

	test('says at once what was not submitted; the event says who is not green, and all is summed up', async () => {
		expect((await run()).status).toBe('success');
		await until('the event', async () => sandbox.deliveries[0]);
		const [called] = await stage.n8n.executionsOf(alert);
		expect((await stage.n8n.finishedExecution(String(called?.id))).status).toBe('success');

		const { report_url } = reportOn(thief, undefined, sandbox.baseUrl);
		expect(sandbox.deliveries).toMatchObject([{ attempt: 1, status: 200 }]);
		expect(stage.slack.refused).toEqual([]);
		expect(notSubmitted()).toEqual([expect.stringMatching(/1 failed/i)]);
		expect(notSubmitted()[0]).toContain(slip);
		expect(messages('Bulk job complete')).toEqual([expect.stringContaining(report_url)]);
		expect(sums()).toEqual([expect.stringMatching(/1 block/i)]);
		expect(sums()[0]).toMatch(/2 allow/i);
		expect(warnings()).toEqual([]);
	});

	test('a job that is not complete after the wait is summed up as failed, with a warning', async () => {
		sandbox.addFault({
			when: ({ method }) => method === 'GET',
			effect: {
				kind: 'rewrite',
				rewrite: ({ results: _, ...job }) => ({ ...job, status: 'processing' }),
			},
		});
		expect((await run()).status).toBe('success');
		expect(sums()).toEqual([expect.stringMatching(/1 failed/i)]);
		expect(warnings()).toEqual([expect.stringContaining('0 reports only')]);
	});

	test('a wallet without a report in a complete job is warned of', async () => {
		sandbox.addFault({
			when: ({ method }) => method === 'GET',
			effect: {
				kind: 'rewrite',
				rewrite: (job) => ({ ...job, results: job.results?.slice(1) }),
			},
		});
		expect((await run()).status).toBe('success');
		expect(warnings()).toEqual([expect.stringContaining('2 reports only')]);
	});

	test('if nothing can be submitted, every wallet is listed', async () => {
		sandbox.addFault({ effect: { kind: 'answer', status: 403 } });
		expect((await run()).status).toBe('success');
		expect(stage.slack.messages).toHaveLength(1);
		expect(notSubmitted()).toEqual([expect.stringMatching(/4 failed/i)]);
		for (const wallet of [thief, slip]) expect(notSubmitted()[0]).toContain(wallet);
	});
}
