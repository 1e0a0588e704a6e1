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
	const told = () => stage.slack.messages.map(({ text }) => text);
	const summary = (counts: string) => expect.stringContaining(`of 3 wallets:* ${counts}.`);

	test('what was not submitted is told at once; the event tells who is not green, and all is summed up', async () => {
		expect((await run()).status).toBe('success');
		await until('the event', async () => sandbox.deliveries[0]);
		const [called] = await stage.n8n.executionsOf(alert);
		expect((await stage.n8n.finishedExecution(String(called?.id))).status).toBe('success');

		const { report_url } = reportOn(thief, undefined, sandbox.baseUrl);
		expect(sandbox.deliveries).toMatchObject([{ attempt: 1, status: 200 }]);
		expect(stage.slack.refused).toEqual([]);
		expect(told()).toHaveLength(3);
		expect(told()[0]).toContain(`*Not submitted for screening: 1*\nTyping Slip, ${slip}: `);
		expect(told()).toEqual(
			expect.arrayContaining([
				expect.stringMatching(/^Block: ETH wallet 0x098B.* is red/),
				summary('2 green, 1 not green, 0 without a report'),
			]),
		);
		expect(JSON.stringify(stage.slack.messages)).toContain(report_url);
	});

	test('wallets of a job that is not complete are summed up as without a report', async () => {
		sandbox.addFault({
			when: ({ method }) => method === 'GET',
			effect: {
				kind: 'rewrite',
				rewrite: ({ results: _, ...job }) => ({ ...job, status: 'processing' }),
			},
		});
		expect((await run()).status).toBe('success');
		expect(told()).toContainEqual(summary('0 green, 0 not green, 3 without a report'));
	});

	test('where nothing can be submitted, every wallet is told', async () => {
		sandbox.addFault({ effect: { kind: 'answer', status: 403 } });
		expect((await run()).status).toBe('success');
		expect(told()).toHaveLength(1);
		expect(told()[0]?.split('\n')).toEqual([
			'*Not submitted for screening: 4*',
			expect.stringContaining('Ethereum Foundation'),
			expect.stringContaining('Ronin Bridge Thief'),
			expect.stringContaining('Tether Contract'),
			expect.stringContaining('Typing Slip'),
		]);
	});
}
