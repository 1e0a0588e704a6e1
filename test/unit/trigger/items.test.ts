import { answer, reportBody } from '../support/answers';
import { createTrigger, ended, SECRET, started } from './context';

const green = reportBody();
const red = reportBody({
	report_id: 'rep_2',
	address: 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9',
	risk: { level: 'red', score: 0.9 },
});
const notReport = { address: 'bc1qexample', error: 'unsupported' };
const bodyOf = (...results: unknown[]) => JSON.stringify({ job_id: 'job_1', results });
const bySchema = (parameters: Record<string, unknown>) => createTrigger({ parameters });
const withOptions = (options: Record<string, unknown>) => bySchema({ options });
const serviceHas =
	(...results: unknown[]) =>
	async () =>
		await Promise.resolve(answer(200, { job_id: 'job_1', status: 'complete', results }));

describe('a delivery without results', () => {
	const event = { event: 'bulk.completed', job_id: 'job_1', status: 'completed', results: [] };
	const body = JSON.stringify(event);

	test('starts the workflow with those that the service has', async () => {
		const { deliver } = createTrigger({ http: serviceHas(green, red) });
		expect(await deliver({ body })).toEqual(started(green, red));
	});

	test.each([false, true])(
		'starts it with an error if there are none, with onlyNotGreen %s',
		async (onlyNotGreen) => {
			const { deliver } = createTrigger({
				http: serviceHas(),
				parameters: { options: { onlyNotGreen } },
			});
			expect(await deliver({ body })).toEqual(
				started({
					error: 'Bulk job job_1 is complete, but contains no results',
					details: expect.objectContaining({ errorClass: 'missing_result', job_id: 'job_1' }),
				}),
			);
		},
	);

	test('starts it with the delivery itself if the user does not want them', async () => {
		expect(await withOptions({ fetchResults: false }).deliver({ body })).toEqual(started(event));
	});
});

describe('a job that failed', () => {
	const failed = expect.objectContaining({
		details: expect.objectContaining({ errorClass: 'job_failed', job_id: 'job_1' }),
	});

	test.each([
		['with an error, without asking the service', [], [failed]],
		['without its results, which are not final', [green], [failed]],
	])('starts the workflow %s', async (_what, results, items) => {
		const body = JSON.stringify({ job_id: 'job_1', status: 'failed', results });
		expect(await createTrigger().deliver({ body })).toEqual(started(...items));
	});

	test('starts it with an error also if the body names no job', async () => {
		const { items } = await createTrigger().deliver({ body: '{"status":"failed","results":[]}' });
		expect(items).toMatchObject([
			{ error: 'The bulk job ended without completing', details: { errorClass: 'job_failed' } },
		]);
		expect(items?.[0]?.details).not.toHaveProperty('job_id');
	});
});

describe('a batch', () => {
	test.each([
		['all that was delivered', bodyOf(green, notReport), JSON.parse(bodyOf(green, notReport))],
		['a list under results', JSON.stringify([green]), { results: [green] }],
		['an empty list', '[]', { results: [] }],
		['any object', '{}', {}],
	])('is %s, which no rule judges', async (_what, body, item) => {
		const parameters = { output: 'batch', addDecision: true, decisionRules: {} };
		const { deliver, activate } = bySchema(parameters);
		expect(await activate()).toBe(true);
		expect(await deliver({ body })).toEqual(started(item));
		expect(await deliver({ body })).toEqual(ended(200, 'repeat'));
	});

	test.each(['1', 'null', '"job_1"', 'job_1'])('is never %s', async (body) => {
		expect(await bySchema({ output: 'batch' }).deliver({ body })).toEqual(ended(400, 'unreadable'));
	});
});

test.each(['reports', 'batch'])(
	'no item holds a key or secret, with the output %s',
	async (output) => {
		const previousWebhookSecret = 'hook-secret-2025';
		const { deliver } = createTrigger({
			parameters: { output },
			credential: {
				apiKey: ' sk_live_0123 ',
				webhookSecret: ` ${SECRET}\n`,
				previousWebhookSecret,
			},
		});
		const note = `sk_live_0123, ${SECRET}, ${previousWebhookSecret}`;
		const { items } = await deliver({ body: bodyOf({ ...green, note }) });
		expect(JSON.stringify(items)).toContain('"***, ***, ***"');
	},
);

describe('a report', () => {
	test('that is none is an error that names its address', async () => {
		expect(await createTrigger().deliver({ body: bodyOf(notReport, green) })).toEqual(
			started(
				{
					error: expect.any(String),
					details: expect.objectContaining({
						errorClass: 'invalid_response',
						address: 'bc1qexample',
						job_id: 'job_1',
						entry: notReport,
					}),
				},
				green,
			),
		);
		const ofNoJob = JSON.stringify({ status: 'completed', results: [green, notReport] });
		const { items } = await createTrigger().deliver({ body: ofNoJob });
		expect(items?.[1]?.details).not.toHaveProperty('job_id');
	});

	test('is left out only if it is known to be green, if the user wants that', async () => {
		const levelless = reportBody({ address: 'bc1qlevelless', risk: { level: undefined } });
		const { deliver } = withOptions({ onlyNotGreen: true });
		const { items } = await deliver({ body: bodyOf(green, red, notReport, levelless) });
		expect(items?.map((item) => item.report_id ?? 'error')).toEqual(['rep_2', 'error', 'error']);
		expect(await deliver({ body: bodyOf(green) })).toEqual(ended(200, 'accepted'));
	});

	test.each([
		['false', 2],
		['', 2],
		['true', 1],
		[1, 1],
	])('is left out as the switch %j says, as in the action node', async (onlyNotGreen, count) => {
		const { deliver } = withOptions({ onlyNotGreen, ignoreRepeats: 'yes', simplify: 'no' });
		const { items } = await deliver({ body: bodyOf(green, red) });
		expect(items).toHaveLength(count);
		expect(items?.at(-1)).toHaveProperty('risk');
		expect(await deliver({ body: bodyOf(green, red) })).toEqual(ended(200, 'repeat'));
	});

	const rule = (field: string, operator: string, value: string) => ({
		addDecision: true,
		decisionRules: { rules: [{ field, operator, value, outcome: 'block' }] },
	});

	test('that a rule stops is not left out as green', async () => {
		const { deliver } = bySchema({
			...rule('score', 'gte', '0.02'),
			options: { onlyNotGreen: true },
		});
		expect((await deliver({ body: bodyOf(green) })).items).toMatchObject([
			{ report_id: 'rep_1', decision: { outcome: 'block' } },
		]);
	});

	test('has the form, the decision and the alert that the user wants, and a failure an alert', async () => {
		const { deliver } = bySchema({
			...rule('level', 'notEquals', 'green'),
			options: { simplify: true, alertText: true },
		});
		const { items } = await deliver({ body: bodyOf(green, red, notReport) });
		expect(items).toMatchObject([
			{ risk_level: 'green', decision: { outcome: 'allow', reasons: [] } },
			{
				risk_level: 'red',
				decision: { outcome: 'block' },
				alert: { title: expect.stringContaining('red') },
			},
			{ alert: { title: expect.stringMatching(/^Not screened: wallet bc1qexample: /) } },
		]);
	});
});
