import type { Answer } from '../../../nodes/WalletScreening/pace/retry';
import { answer, reportBody } from '../support/answers';
import { createTrigger, type Outcome, SECRET, signed } from './context';

const green = reportBody();
const red = reportBody({ report_id: 'rep_2', risk: { level: 'red', score: 0.9 } });
const notReport = { address: 'bc1qexample', error: 'unsupported' };
const bodyOf = (...results: unknown[]) => JSON.stringify({ job_id: 'job_1', results });
const jobAlone = JSON.stringify({ job_id: 'job_1' });

const started = (...items: unknown[]): Outcome => ({
	status: 200,
	text: undefined,
	retryAfter: undefined,
	items: items as Outcome['items'],
});
const ended = (status: number, text: string): Outcome => ({
	status,
	text,
	retryAfter: undefined,
	items: undefined,
});
const unavailable = (text = 'unavailable'): Outcome => ({ ...ended(503, text), retryAfter: '60' });
const serviceGives = (status: number, body: unknown) => async (): Promise<Answer> =>
	await Promise.resolve(answer(status, body));

describe('a delivery', () => {
	test('that the service signed starts the workflow with an item per report', async () => {
		expect(await createTrigger().deliver({ body: bodyOf(green, red) })).toEqual(
			started(green, red),
		);
	});

	test('that was signed with the previous secret counts too', async () => {
		const body = bodyOf(green);
		const { deliver } = createTrigger({ credential: { previousWebhookSecret: 'old' } });
		expect(await deliver({ body, headers: signed(body, 'old') })).toEqual(started(green));
	});

	test.each([
		['without a signature', {}, 'missing'],
		['with a signature that is none', { 'x-signature': 'yes' }, 'malformed'],
		['with the signature of another body', signed(bodyOf(red)), 'mismatch'],
		['with a signature by another secret', signed(bodyOf(green), 'guessed'), 'mismatch'],
	])('%s is refused and leaves nothing behind', async (_what, headers, word) => {
		const trigger = createTrigger();
		expect(await trigger.deliver({ body: bodyOf(green), headers })).toEqual(ended(401, word));
		expect(trigger.staticData).toEqual({});
	});

	test('of which n8n kept no bytes is refused', async () => {
		expect(await createTrigger().deliver({ body: undefined })).toEqual(ended(401, 'malformed'));
	});

	test('that cannot be verified comes again, and starts nothing', async () => {
		const trigger = createTrigger({ credential: new Error('The credential is gone') });
		expect(await trigger.deliver({ body: bodyOf(green) })).toEqual(unavailable());
		expect(trigger.warnings).toEqual([
			"Could not verify a delivery to 'Wallet Screening Trigger': The credential is gone",
		]);
	});

	const nothingKnown = 'its body holds neither results nor a job ID in a known place';
	test.each([
		['is not JSON', 'job_1 is complete', 'its body is not JSON'],
		['holds neither results nor a job ID', '{"status":"complete"}', nothingKnown],
		['holds an empty list and no job ID', '{"event":"completed","results":[]}', nothingKnown],
		['is an empty list', '[]', nothingKnown],
		['names a job whose ID cannot be one', '{"job_id":"job/../1"}', "'Job ID' is not an ID"],
	])('that %s is unreadable, each time, and the log says why', async (_what, body, why) => {
		const { deliver, warnings } = createTrigger();
		expect(await deliver({ body })).toEqual(ended(400, 'unreadable'));
		expect(await deliver({ body })).toEqual(ended(400, 'unreadable'));
		const warning = `Refused a signed delivery to 'Wallet Screening Trigger': ${why}`;
		expect(warnings).toEqual([warning, warning]);
	});

	test('of which a part of the time was moved to the body is no JSON any more', async () => {
		const seconds = Math.floor(Date.now() / 1000);
		const body = bodyOf(green);
		const headers = { ...signed(`${seconds}.5.${body}`), 'x-timestamp': String(seconds) };
		for (const output of ['reports', 'batch']) {
			const { deliver } = createTrigger({
				parameters: { output, signedContent: 'timestampAndBody', timestampHeader: 'X-Timestamp' },
			});
			expect(await deliver({ body: `5.${body}`, headers })).toEqual(ended(400, 'unreadable'));
		}
	});

	test('is judged by the time in the header that was chosen, within the tolerance', async () => {
		const body = bodyOf(green);
		const seconds = Math.floor(Date.now() / 1000);
		const at = (time: number) => ({
			...signed(`${time}.${body}`),
			'x-time': String(time),
		});
		const { deliver } = createTrigger({
			parameters: { signedContent: 'timestampAndBody', timestampHeader: 'X-Time', tolerance: 1000 },
		});
		expect(await deliver({ body, headers: at(seconds - 2000) })).toEqual(ended(401, 'stale'));
		expect(await deliver({ body, headers: at(seconds - 500) })).toEqual(started(green));
	});
});

describe('a repeat of a delivery', () => {
	const body = bodyOf(green);

	test('is accepted and starts nothing', async () => {
		const { deliver } = createTrigger();
		await deliver({ body });
		expect(await deliver({ body })).toEqual(ended(200, 'repeat'));
	});

	test('is known by what n8n stored', async () => {
		const [first, second] = [createTrigger(), createTrigger()];
		await first.deliver({ body });
		Object.assign(second.staticData, first.staticData);
		expect(await second.deliver({ body })).toEqual(ended(200, 'repeat'));
	});

	test('starts the workflow again where the user wants that', async () => {
		const trigger = createTrigger({ parameters: { options: { ignoreRepeats: false } } });
		await trigger.deliver({ body });
		expect(await trigger.deliver({ body })).toEqual(started(green));
		expect(trigger.staticData).toEqual({});
	});

	test('starts the workflow again while it is tried out in the editor', async () => {
		const trigger = createTrigger({ mode: 'manual' });
		await trigger.deliver({ body });
		expect(await trigger.deliver({ body })).toEqual(started(green));
		expect(trigger.staticData).toEqual({});
	});

	test('starts the workflow again where n8n could not store the first execution', async () => {
		const trigger = createTrigger();
		await trigger.deliver({ body, status: 500 });
		// n8n does not store the static data of such a request either.
		delete trigger.staticData.deliveries;
		expect(await trigger.deliver({ body })).toEqual(started(green));
	});

	test('comes again while the first is still being processed', async () => {
		let finish = (_: Answer) => {};
		const fetched = new Promise<Answer>((resolve) => (finish = resolve));
		const { deliver } = createTrigger({ http: async () => await fetched });
		const first = deliver({ body: jobAlone });
		expect(await deliver({ body: jobAlone })).toEqual(unavailable('underway'));
		finish(answer(200, { job_id: 'job_1', status: 'complete', results: [green] }));
		expect(await first).toEqual(started(green));
		expect(await deliver({ body: jobAlone })).toEqual(ended(200, 'repeat'));
	});
});

describe('a delivery with a job ID alone', () => {
	const complete = { job_id: 'job_1', status: 'complete', results: [green, red] };

	test('starts the workflow with the results that the service has', async () => {
		const { deliver } = createTrigger({ http: serviceGives(200, complete) });
		expect(await deliver({ body: jobAlone })).toEqual(started(green, red));
	});

	test('starts the workflow with itself where the user does not want the results', async () => {
		const { deliver } = createTrigger({ parameters: { options: { fetchResults: false } } });
		expect(await deliver({ body: jobAlone })).toEqual(started({ job_id: 'job_1' }));
	});

	test.each([
		['does not know the job', 404, { message: 'no such job' }, 'does not know'],
		['says that it still runs', 200, { job_id: 'job_1', status: 'running' }, 'not complete yet'],
	])('comes again where the service %s', async (_what, status, body, reason) => {
		const trigger = createTrigger({ http: serviceGives(status, body) });
		expect(await trigger.deliver({ body: jobAlone })).toEqual(unavailable());
		expect(await trigger.deliver({ body: jobAlone })).toEqual(unavailable());
		expect(trigger.staticData).toEqual({});
		expect(trigger.warnings[0]).toMatch(
			/^Could not complete a delivery to 'Wallet Screening Trigger': /,
		);
		expect(trigger.warnings[0]).toContain(reason);
	});

	test('of a job without results starts the workflow with an error', async () => {
		const body = { job_id: 'job_1', status: 'complete' };
		const { deliver } = createTrigger({ http: serviceGives(200, body) });
		expect((await deliver({ body: jobAlone })).items).toEqual([
			{
				error: expect.any(String),
				details: expect.objectContaining({ errorClass: 'missing_result', job_id: 'job_1' }),
			},
		]);
	});
});

describe('a delivery with a job ID and an empty list of results', () => {
	const event = { event: 'bulk.completed', job_id: 'job_1', status: 'completed', results: [] };
	const body = JSON.stringify(event);
	const noResults = {
		error: 'The bulk job job_1 is complete, but holds no results',
		details: expect.objectContaining({ errorClass: 'missing_result', job_id: 'job_1' }),
	};

	test('starts the workflow with the results that the service has', async () => {
		const complete = { job_id: 'job_1', status: 'complete', results: [green, red] };
		const { deliver } = createTrigger({ http: serviceGives(200, complete) });
		expect(await deliver({ body })).toEqual(started(green, red));
	});

	test.each([
		['', {}],
		[', also where only what is not green is wanted', { onlyNotGreen: true }],
	])('starts it with an error where the service has none either%s', async (_also, options) => {
		const http = serviceGives(200, { job_id: 'job_1', status: 'complete', results: [] });
		const { deliver } = createTrigger({ http, parameters: { options } });
		expect(await deliver({ body })).toEqual(started(noResults));
		expect(await deliver({ body: jobAlone })).toEqual(started(noResults));
	});

	test('starts it with itself where the user does not want the results', async () => {
		const { deliver } = createTrigger({ parameters: { options: { fetchResults: false } } });
		expect(await deliver({ body })).toEqual(started(event));
	});

	test('starts it with the failure alone where the job failed', async () => {
		const failed = JSON.stringify({ ...event, status: 'failed' });
		const { items } = await createTrigger().deliver({ body: failed });
		expect(items).toMatchObject([{ details: { errorClass: 'job_failed' } }]);
	});
});

describe('a job that failed', () => {
	const failed = expect.objectContaining({
		details: expect.objectContaining({ errorClass: 'job_failed', job_id: 'job_1' }),
	});

	test('starts the workflow with an error, without asking the service', async () => {
		const body = JSON.stringify({ job_id: 'job_1', status: 'failed' });
		expect(await createTrigger().deliver({ body })).toEqual(started(failed));
	});

	test('starts it with an error also where the body names no job', async () => {
		const { items } = await createTrigger().deliver({ body: '{"status":"failed","results":[]}' });
		expect(items).toMatchObject([{ details: { errorClass: 'job_failed' } }]);
	});

	test('starts it with the results too, where there are some', async () => {
		const body = JSON.stringify({ job_id: 'job_1', status: 'failed', results: [green] });
		expect(await createTrigger().deliver({ body })).toEqual(started(failed, green));
	});
});

describe('what starts the workflow', () => {
	test('is the whole body where the user wants the batch', async () => {
		const { deliver } = createTrigger({ parameters: { output: 'batch' } });
		const body = bodyOf(green, notReport);
		expect(await deliver({ body })).toEqual(started(JSON.parse(body)));
		expect(await deliver({ body: JSON.stringify([green]) })).toEqual(started({ results: [green] }));
		expect(await deliver({ body: '[]' })).toEqual(started({ results: [] }));
	});

	test('is any JSON object where the user wants the batch, without the secrets', async () => {
		const previousWebhookSecret = 'hook-secret-2025';
		const { deliver } = createTrigger({
			parameters: { output: 'batch' },
			credential: { webhookSecret: ` ${SECRET}\n`, previousWebhookSecret },
		});
		const unknown = { batch: { ref: 7 }, keys: [SECRET, previousWebhookSecret] };
		const body = JSON.stringify(unknown);
		expect(await deliver({ body })).toEqual(started({ ...unknown, keys: ['***', '***'] }));
		expect(await deliver({ body })).toEqual(ended(200, 'repeat'));
		expect(await deliver({ body: '{}' })).toEqual(started({}));
	});

	test.each(['reports', 'batch'])('holds no secret, with the output %s', async (output) => {
		const { deliver } = createTrigger({ parameters: { output } });
		const { items } = await deliver({ body: bodyOf({ ...green, note: `signed by ${SECRET}` }) });
		expect(JSON.stringify(items)).toContain('signed by ***');
		expect(JSON.stringify(items)).not.toContain(SECRET);
	});

	test.each(['1', 'null', '"job_1"', 'job_1'])(
		'is never %s, which no item can hold',
		async (body) => {
			const { deliver } = createTrigger({ parameters: { output: 'batch' } });
			expect(await deliver({ body })).toEqual(ended(400, 'unreadable'));
		},
	);

	test('is an error for an entry that is not a report', async () => {
		expect((await createTrigger().deliver({ body: bodyOf(notReport, green) })).items).toEqual([
			{
				error: expect.any(String),
				details: expect.objectContaining({
					errorClass: 'invalid_response',
					address: 'bc1qexample',
					entry: notReport,
				}),
			},
			green,
		]);
	});

	test('leaves out nothing but what is known to be green, where the user wants that', async () => {
		const { deliver } = createTrigger({ parameters: { options: { onlyNotGreen: true } } });
		const levelless = reportBody({ risk: { score: 0.1 } });
		const { items } = await deliver({ body: bodyOf(green, red, notReport, levelless) });
		expect(items?.map((item) => item.report_id ?? 'error')).toEqual(['rep_2', 'error', 'error']);
		expect(await deliver({ body: bodyOf(green) })).toEqual(ended(200, 'accepted'));
		expect(await deliver({ body: bodyOf(green) })).toEqual(ended(200, 'repeat'));
	});

	test('keeps a green report that a rule stops', async () => {
		const { deliver } = createTrigger({
			parameters: {
				addDecision: true,
				decisionRules: {
					rules: [{ field: 'score', operator: 'gte', value: '0.02', outcome: 'block' }],
				},
				options: { onlyNotGreen: true },
			},
		});
		const { items } = await deliver({ body: bodyOf(green) });
		expect(items).toMatchObject([{ report_id: 'rep_1', decision: { outcome: 'block' } }]);
	});

	test('has the decision and the alert that the user wants', async () => {
		const { deliver } = createTrigger({
			parameters: {
				addDecision: true,
				decisionRules: {
					rules: [{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'block' }],
				},
				options: { simplify: true, alertText: true },
			},
		});
		const { items } = await deliver({ body: bodyOf(green, red) });
		expect(items?.map(({ risk_level, decision }) => [risk_level, decision])).toEqual([
			['green', { outcome: 'allow', reasons: [], summary: 'Allow: no rule applies' }],
			['red', expect.objectContaining({ outcome: 'block' })],
		]);
		expect(items?.[1]?.alert).toMatchObject({ title: expect.stringContaining('red') });
	});
});

test('a delivery comes again while the decision rules cannot be right', async () => {
	const trigger = createTrigger({ parameters: { addDecision: true, decisionRules: {} } });
	expect(await trigger.deliver({ body: bodyOf(green) })).toEqual(unavailable());
	expect(trigger.warnings[0]).toContain('There is no rule');
});

describe('activation', () => {
	test('needs a webhook secret and nothing else', async () => {
		expect(await createTrigger().activate()).toBe(true);
		expect(await createTrigger({ credential: { previousWebhookSecret: ' ' } }).activate()).toBe(
			true,
		);
	});

	test.each([
		['no secret', { webhookSecret: undefined }, 'body', /^'Webhook Secret' .* is empty\./],
		['a blank secret', { webhookSecret: ' ' }, 'body', /^'Webhook Secret' .* is empty\./],
		[
			'a secret that is not base64',
			{ webhookSecret: 'hook-secret' },
			'standardWebhooks',
			/^'Webhook Secret' .* is not a Standard Webhooks secret/,
		],
		[
			'a previous secret that is not base64',
			{ webhookSecret: 'whsec_MfKQ', previousWebhookSecret: 'hook-secret' },
			'standardWebhooks',
			/^'Previous Webhook Secret' .* is not a Standard Webhooks secret/,
		],
	])('is refused with %s', async (_what, credential, signedContent, message) => {
		const { activate } = createTrigger({ credential, parameters: { signedContent } });
		await expect(activate()).rejects.toThrow(message);
	});

	test('is refused with decision rules that cannot be right', async () => {
		const { activate } = createTrigger({ parameters: { addDecision: true, decisionRules: {} } });
		await expect(activate()).rejects.toThrow('There is no rule');
	});
});
