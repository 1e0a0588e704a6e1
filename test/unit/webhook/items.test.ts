import { itemOf } from '../../support/data/items';
import { createTrigger, ended, started } from '../../support/unit/trigger';
import { answer } from '../../support/unit/httpAnswers';
import { reportBody } from '../../support/unit/reports';
import { bodyOf, greenReport, redReport, SECRET } from '../../support/unit/deliveries';

const notReport = { address: 'bc1qexample', error: 'unsupported' };
const withOptions = (options: object) => createTrigger({ parameters: { options } });

describe('a delivery without results', () => {
	const event = { event: 'bulk.completed', job_id: 'job_1', status: 'completed', results: [] };
	const body = JSON.stringify(event);

	test('starts the workflow with those of the service, or with an error if it has none', async () => {
		const fetched = (...results: unknown[]) => {
			const http = async () => await Promise.resolve(answer(200, { ...event, results }));
			return createTrigger({ http, parameters: { options: { onlyNotGreen: true } } });
		};
		expect(await fetched(greenReport, redReport).deliver({ body })).toEqual(started(redReport));
		const { items } = await fetched().deliver({ body });
		expect(items).toMatchObject([{ details: { errorClass: 'missing_result', job_id: 'job_1' } }]);
	});

	test('starts it with the delivery itself if the user does not want them', async () => {
		expect(await withOptions({ fetchResults: false }).deliver({ body })).toEqual(
			started({ job_id: 'job_1', job: event }),
		);
	});
});

describe('a job that failed', () => {
	test.each<[{ job_id?: string; results: unknown[] }]>([
		[{ job_id: 'job_1', results: [] }],
		// The results of a failed job are not final.
		[{ job_id: 'job_1', results: [greenReport] }],
		[{ results: [] }],
	])('starts the workflow with an error, without asking the service: %j', async (failed) => {
		const body = JSON.stringify({ status: 'failed', ...failed });
		const { items } = await createTrigger().deliver({ body });
		const { job_id } = failed;
		expect(items).toMatchObject([
			{ details: { errorClass: 'job_failed', ...(job_id && { job_id }) } },
		]);
	});
});

describe('a batch', () => {
	test.each([
		[{ job_id: 'job_1', job: JSON.parse(bodyOf(greenReport, notReport)) as object }],
		[{ job: [greenReport] }],
		[{ job: [] }],
		[{ job: {} }],
	])('is all that was delivered, which no rule judges: %j', async (item) => {
		const body = JSON.stringify(item.job);
		const parameters = { output: 'batch', addDecision: true, decisionRules: {} };
		const { deliver, activate } = createTrigger({ parameters });
		expect(await activate()).toBe(true);
		expect(await deliver({ body })).toEqual(started(item));
		expect(await deliver({ body })).toEqual(ended(200, 'repeat'));
	});

	test.each(['1', 'null', 'job_1'])('is never %s', async (body) => {
		const { deliver } = createTrigger({ parameters: { output: 'batch' } });
		expect(await deliver({ body })).toEqual(ended(400, 'unreadable'));
	});
});

test.each(['reports', 'batch'])('the output %s holds no key or secret', async (output) => {
	const previousWebhookSecret = 'hook-secret-2025';
	const secrets = { webhookSecret: ` ${SECRET}\n`, previousWebhookSecret };
	const credential = { apiKey: ' sk_live_0123 ', ...secrets };
	const { deliver } = createTrigger({ parameters: { output }, credential });
	const note = `sk_live_0123, ${SECRET}, ${previousWebhookSecret}`;
	const { items } = await deliver({ body: bodyOf({ ...greenReport, note }) });
	expect(JSON.stringify(items)).toContain('"***, ***, ***"');
});

describe('a report', () => {
	test('that is none is an error that names its address', async () => {
		const { items } = await createTrigger().deliver({ body: bodyOf(notReport, greenReport) });
		const details = { errorClass: 'invalid_response', address: 'bc1qexample', job_id: 'job_1' };
		expect(items).toMatchObject([
			{ details: { ...details, entry: notReport } },
			itemOf(greenReport),
		]);
		const ofNoJob = JSON.stringify({ status: 'completed', results: [greenReport, notReport] });
		const others = await createTrigger().deliver({ body: ofNoJob });
		expect(others.items?.[1]?.details).not.toHaveProperty('job_id');
	});

	test('is left out only if it is known to be green, if the user wants that', async () => {
		const levelless = reportBody({ address: 'bc1qlevelless', risk: { level: undefined } });
		const { deliver } = withOptions({ onlyNotGreen: true });
		const { items } = await deliver({ body: bodyOf(greenReport, redReport, notReport, levelless) });
		expect(items?.map((item) => item.level ?? 'error')).toEqual(['red', 'error', 'error']);
		expect(await deliver({ body: bodyOf(greenReport) })).toEqual(ended(200, 'accepted'));
	});

	test('has the form, the decision and the alert that the user wants, and a failure an alert', async () => {
		const rule = { field: 'score', operator: 'gte', value: '0.02', outcome: 'block' };
		const { deliver } = createTrigger({
			parameters: {
				addDecision: true,
				decisionRules: { rules: [rule] },
				options: { simplify: true, alertText: true, onlyNotGreen: 'true' },
			},
		});
		const { items } = await deliver({ body: bodyOf(greenReport, redReport, notReport) });
		expect(items).toMatchObject([
			// Green, but a rule stops it.
			{ outcome: 'block', level: 'green', report_id: 'rep_1' },
			{ level: 'red', alert: { title: expect.stringContaining('red') } },
			{ alert: { title: expect.stringMatching(/^Not screened: wallet bc1qexample: /) } },
		]);
	});
});
