import { signatureHeaders } from '../../../sandbox/webhook';
import { useFakeTime, runInFakeTime, useRealTime } from '../../support/unit/timers';
import {
	createTrigger,
	ended,
	type Outcome,
	started,
	type TriggerOptions,
} from '../../support/unit/trigger';
import { STANDARD_SECRET } from '../../support/data/signatureVectors';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';
import { answer } from '../../support/unit/httpAnswers';
import { bodyOf, greenReport, redReport, signatureHeadersOf } from '../../support/unit/deliveries';

const body = bodyOf(greenReport);
const jobAlone = JSON.stringify({ job_id: 'job_1' });
const complete = { job_id: 'job_1', status: 'complete', results: [greenReport, redReport] };
const repeat = ended(200, 'repeat');
const unavailable = ended(503, 'unavailable');
const serviceGives = (status: number, content: unknown) => async (): Promise<Answer> =>
	await Promise.resolve(answer(status, content));

beforeEach(useFakeTime);
afterEach(useRealTime);

describe('a signed delivery', () => {
	test.each([
		['job_1 is complete', 'its body is not JSON'],
		[
			'{"status":"processing","results":[{"address":"A"}]}',
			'its body states that the job still runs ("status": "processing"), and has no job ID in a known place',
		],
		['{"results":[]}', 'its body contains neither results nor a job ID in a known place'],
		['{"job_id":"job/../1"}', "'Job ID' is not an ID: job/../1"],
		['{"job_id":"a\\nb"}', "'Job ID' contains a space, line break or invisible character: a?b"],
	])('of %s is unreadable, each time, and the log says why', async (sent, why) => {
		const { deliver, warnings } = createTrigger();
		const warning = `Refused a signed delivery to 'Bulk Results' of workflow 'Alerts': ${why}`;
		for (const expected of [[warning], [warning, warning]]) {
			expect(await deliver({ body: sent })).toEqual(ended(400, 'unreadable'));
			expect(warnings).toEqual(expected);
		}
	});

	test('is known again if it is nested too deeply to be written as JSON', async () => {
		const note = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
		const nested = bodyOf({ ...redReport, note: 'NOTE' }).replace('"NOTE"', note);
		const { deliver } = createTrigger();
		expect(await deliver({ body: nested })).toMatchObject({
			status: 200,
			items: [{ level: 'red' }],
		});
		expect(await deliver({ body: nested })).toEqual(repeat);
	});

	test.each<[string, TriggerOptions, string]>([
		[
			'decision rules',
			{ parameters: { addDecision: true, decisionRules: {} } },
			'The policy has no rules',
		],
		['an expression', { parameters: { output: new Error('No such item') } }, 'No such item'],
		['a mistyped choice', { parameters: { output: 'report' } }, "'Output' has an unknown value"],
		[
			'names of the service',
			{ credential: { serviceNames: '{' } },
			"'Service Names' is not valid JSON",
		],
	])('is not lost to invalid settings: %s', async (_what, options, error) => {
		// The same is true of a delivery without a job ID, and of one whose results cannot be fetched.
		for (const sent of [body, '{"results":[]}', '{"job_id":"job/../1"}']) {
			const { deliver } = createTrigger(options);
			const content = JSON.parse(sent) as { job_id?: string };
			const id = 'job_id' in content && { job_id: content.job_id };
			const details = { errorClass: 'invalid_input', ...id, body: content };
			expect((await deliver({ body: sent })).items).toMatchObject([
				{ error: expect.stringContaining(error) as string, details },
			]);
			expect(await deliver({ body: sent })).toEqual(repeat);
		}
	});
});

/* What n8n stores, when, and what it forgets: e2e/trigger and e2e/restart. */
describe('a repeat of a delivery', () => {
	// A delivery that starts nothing, and one that does.
	test.each([
		[greenReport, ended(200, 'accepted')],
		[redReport, started(redReport)],
	])('starts nothing: %#', async (report, first) => {
		const options = { onlyNotGreen: true };
		const { deliver, database } = createTrigger({ parameters: { options } });
		expect(await deliver({ body: bodyOf(report) })).toEqual(first);
		expect(await deliver({ body: bodyOf(report) })).toEqual(repeat);
		// Known to the process, also if n8n loses what it stores.
		database.staticData = {};
		expect(await deliver({ body: bodyOf(report) })).toEqual(repeat);
	});

	test('starts the workflow again if the user wants that', async () => {
		const options = { ignoreRepeats: false };
		const { deliver } = createTrigger({ parameters: { options } });
		await deliver({ body });
		expect(await deliver({ body })).toEqual(started(greenReport));
		const failing = createTrigger({ http: serviceGives(401, {}), parameters: { options } });
		for (const _ of ['first', 'again'])
			expect((await runInFakeTime(failing.deliver({ body: jobAlone }))).items).toHaveLength(1);
	});

	test('is not one that only the editor received', async () => {
		const { deliver, database } = createTrigger();
		const tried = { body, mode: 'manual' } as const;
		expect(await deliver(tried)).toEqual(started(greenReport));
		expect(database.staticData).toEqual({});
		expect(await deliver({ body })).toEqual(started(greenReport));
		expect(await deliver(tried)).toEqual(started(greenReport));
	});

	test('comes again while the first is processed, and is not ended by the editor', async () => {
		let finish = (_: Answer) => {};
		const fetched = new Promise<Answer>((resolve) => (finish = resolve));
		const { deliver } = createTrigger({ http: async () => await fetched });
		const first = deliver({ body: jobAlone });
		const inEditor = deliver({ body: jobAlone, mode: 'manual' });
		expect(await deliver({ body: jobAlone })).toEqual(ended(503, 'underway'));
		finish(answer(200, complete));
		const both = [started(greenReport, redReport), started(greenReport, redReport)];
		expect(await runInFakeTime(Promise.all([first, inEditor]))).toEqual(both);
		expect(await deliver({ body: jobAlone })).toEqual(repeat);
	});

	test('is known by its content and the message ID that was signed with it', async () => {
		const target = { scheme: 'standardWebhooks', secret: STANDARD_SECRET } as const;
		const { deliver } = createTrigger({
			credential: { webhookSecret: STANDARD_SECRET },
			parameters: { signedContent: 'standardWebhooks' },
		});
		const deliverAs = async (id: string, content: object) => {
			const sent = JSON.stringify(content);
			const seconds = Math.floor(Date.now() / 1000);
			const headers = signatureHeaders(target, { body: sent, id, seconds });
			return await deliver({ body: sent, headers });
		};
		const job = (report: object) => ({ job_id: 'job_1', results: [report] });
		expect(await deliverAs('msg_1', job(greenReport))).toEqual(started(greenReport));
		expect(await deliverAs('msg_1', { ...job(greenReport), attempt: 2 })).toEqual(repeat);
		expect(await deliverAs('msg_2', job(greenReport))).toEqual(started(greenReport));
		expect(await deliverAs('msg_1', job(redReport))).toEqual(started(redReport));
	});

	test('is not a later job with the same ID, because some services sign the ID of the customer', async () => {
		const { deliver } = createTrigger({
			http: async () => await Promise.resolve(answer(404, {})),
			parameters: {
				signedContent: 'custom',
				signedTemplate: '{id}.{timestamp}.{body}',
				timestampHeader: 'X-Time',
				idHeader: 'X-Client-Id',
			},
		});
		const deliverJob = async (content: object) => {
			const sent = JSON.stringify(content);
			const time = String(Math.floor(Date.now() / 1000));
			const headers = { ...signatureHeadersOf(`client_7.${time}.${sent}`), 'x-time': time };
			return await runInFakeTime(
				deliver({ body: sent, headers: { ...headers, 'x-client-id': 'client_7' } }),
			);
		};
		expect(await deliverJob({ job_id: 'job_1', results: [greenReport] })).toEqual(
			started(greenReport),
		);
		expect(await deliverJob({ job_id: 'job_2', results: [redReport] })).toEqual(started(redReport));
		expect(await deliverJob({ job_id: 'job_2', results: [redReport] })).toEqual(repeat);
		// Nor is one that fails a repeat of another one that failed.
		for (const job_id of ['job_3', 'job_4'])
			expect((await deliverJob({ job_id })).items).toMatchObject([{ details: { job_id } }]);
		expect(await deliverJob({ job_id: 'job_4' })).toEqual(repeat);
	});

	test('is known by the ID of a template, but not by one that is not signed', async () => {
		const deliverTo = (signedTemplate: string) => {
			const custom = { signedContent: 'custom', signedTemplate, idHeader: 'X-Id' };
			const { deliver } = createTrigger({ parameters: custom });
			return async (id: string) => {
				const text = signedTemplate.replace('{id}', id).replace('{body}', body);
				return await deliver({ body, headers: { ...signatureHeadersOf(text), 'x-id': id } });
			};
		};
		const withId = deliverTo('{id}|{body}');
		expect(await withId('msg_1')).toEqual(started(greenReport));
		expect(await withId('msg_1')).toEqual(repeat);
		expect(await withId('msg_2')).toEqual(started(greenReport));
		const withoutId = deliverTo('{body}');
		expect(await withoutId('msg_1')).toEqual(started(greenReport));
		expect(await withoutId('msg_2')).toEqual(repeat);
	});

	test.each<[because: string, template: string, time: (at: number) => string, id: string]>([
		['milliseconds can end in the ID', '{timestamp}{id}{body}', (at) => `${at}123`, '4'],
		['a fraction can end in the ID', '{timestamp}.{id}.{body}', (at) => `${at}.12`, 'abc'],
	])(
		'is known by its content, because %s, if the signed text is %s',
		async (_because, signedTemplate, timeOf, id) => {
			const at = Math.floor(Date.now() / 1000);
			const time = timeOf(at);
			const text = signedTemplate
				.replace('{timestamp}', time)
				.replace('{id}', id)
				.replace('{body}', body);
			const { deliver } = createTrigger({
				parameters: {
					signedContent: 'custom',
					signedTemplate,
					idHeader: 'X-Id',
					timestampHeader: 'X-Time',
				},
			});
			const deliverAs = async (messageId: string, messageTime: string) =>
				await deliver({
					body,
					headers: { ...signatureHeadersOf(text), 'x-id': messageId, 'x-time': messageTime },
				});
			expect(await deliverAs(id, time)).toEqual(started(greenReport));
			const restOfTime = time.slice(String(at).length).replace('.', '');
			const separator = signedTemplate.includes('}.{id}') ? '.' : '';
			expect(await deliverAs(`${restOfTime}${separator}${id}`, String(at))).toEqual(repeat);
		},
	);

	test('cannot be sent again with digits of its ID before its time', async () => {
		const at = String(Math.floor(Date.now() / 1000));
		const { deliver } = createTrigger({
			parameters: {
				signedContent: 'custom',
				signedTemplate: '{id}{timestamp}{body}',
				idHeader: 'X-Id',
				timestampHeader: 'X-Time',
			},
		});
		const deliverAs = async (id: string, time: string) =>
			await deliver({
				body,
				headers: { ...signatureHeadersOf(`msg_40${at}${body}`), 'x-id': id, 'x-time': time },
			});
		expect(await deliverAs('msg_40', at)).toEqual(started(greenReport));
		expect(await deliverAs('msg_4', `0${at}`)).toEqual(ended(401, 'malformed'));
		// Read as milliseconds, this is a time, too, which may be now.
		expect(await deliverAs('msg_', `40${at}`)).toEqual(ended(401, 'malformed'));
	});

	test('is verified over the Production URL, also while the editor listens', async () => {
		const custom = { signedContent: 'custom', signedTemplate: '{url}{body}' };
		for (const mode of ['webhook', 'manual'] as const) {
			const { deliver } = createTrigger({ parameters: custom, mode });
			const headers = signatureHeadersOf(`https://n8n.example/webhook/bulk-results/webhook${body}`);
			expect(await deliver({ body, headers })).toEqual(started(greenReport));
			const test = signatureHeadersOf(
				`https://n8n.example/webhook-test/bulk-results/webhook${body}`,
			);
			expect(await deliver({ body, headers: test })).toEqual(ended(401, 'mismatch'));
		}
	});
});

describe('a delivery with only a job ID', () => {
	test('starts the workflow with the results that the service has', async () => {
		const http = serviceGives(200, complete);
		expect(await createTrigger({ http }).deliver({ body: jobAlone })).toEqual(
			started(greenReport, redReport),
		);
		const { deliver } = createTrigger({ http, parameters: { output: 'batch' } });
		expect(await deliver({ body: jobAlone })).toEqual(started({ job_id: 'job_1', job: complete }));
	});

	const passing: Array<[string, () => Promise<Answer>, string]> = [
		['says that it runs', serviceGives(200, { status: 'running' }), 'job_1 is not complete yet'],
		['cannot be reached', async () => await Promise.reject(new Error()), 'connection'],
		['hangs', async () => await new Promise(() => {}), 'not send the results within 25 seconds'],
	];

	test.each(passing)('comes again for an hour if the service %s', async (_what, http, reason) => {
		const { deliver, marks, warnings } = createTrigger({ http });
		const attempt = async (sent = jobAlone) => await runInFakeTime(deliver({ body: sent }));
		const began = performance.now();
		const passed = () => performance.now() - began;
		expect(await attempt()).toEqual(unavailable);
		expect(passed()).toBeLessThanOrEqual(25_100);
		expect(marks().accepted).toEqual({});
		expect(warnings).toEqual([expect.stringMatching(/^Could not complete a delivery to 'Bulk R/)]);
		expect(warnings[0]).toContain(reason);

		await jest.advanceTimersByTimeAsync(59 * 60_000 - passed());
		expect(await attempt()).toEqual(unavailable);
		await jest.advanceTimersByTimeAsync(61 * 60_000 - passed());
		expect(await attempt('{"job_id":"job_2"}')).toEqual(unavailable);
		const errorClass = expect.stringMatching(/^(job_timeout|network)$/) as string;
		expect((await attempt()).items).toMatchObject([
			{
				error: expect.stringContaining(reason) as string,
				details: { errorClass, job_id: 'job_1' },
			},
		]);
		// One is for the bytes, which are a repeat if they fail again; one for the job. A sender that
		// delivers it again has another hour.
		expect(Object.keys(marks().failed!)).toHaveLength(2);
		expect(await attempt()).toEqual(unavailable);
	});

	test('that was misread starts the workflow with an error for each body, because each may be of another job', async () => {
		const { deliver } = createTrigger({ http: serviceGives(404, {}) });
		const batch = (event: string) => ({ subscription: { id: 'fixed' }, event });
		for (const event of ['b_1', 'b_2'])
			expect(await runInFakeTime(deliver({ body: JSON.stringify(batch(event)) }))).toMatchObject({
				items: [{}],
			});
	});

	test('waits in the editor too, which remembers nothing and forgets nothing', async () => {
		let status = 500;
		const http = async () => await Promise.resolve(answer(status, complete));
		const { deliver, database, marks } = createTrigger({ http });
		const tried = { body: jobAlone, mode: 'manual' } as const;
		expect(await runInFakeTime(deliver(tried))).toEqual(unavailable);
		expect(database.staticData).toEqual({});
		expect(await runInFakeTime(deliver({ body: jobAlone }))).toEqual(unavailable);
		status = 200;
		expect(await runInFakeTime(deliver(tried))).toEqual(started(greenReport, redReport));
		expect(Object.keys(marks().deferred ?? {})).toHaveLength(1);
	});

	const forbidden = Object.assign(new Error(), { name: 'SsrfBlockedIpError' });
	test.each<[string, number, TriggerOptions]>([
		['unauthorized', 1, { http: serviceGives(401, {}) }],
		['not_found', 3, { http: serviceGives(404, {}) }],
		// n8n's own protection forbids the address.
		['network', 1, { http: async () => await Promise.reject(forbidden) }],
		['invalid_input', 0, { credential: { baseUrl: 'http://service.example' } }],
	])('starts the workflow with an error that stays: %s', async (errorClass, looks, options) => {
		const ask = jest.fn(options.http);
		const parameters = { options: { alertText: true } };
		const { deliver } = createTrigger({ ...options, http: ask, parameters });
		const details = { errorClass, job_id: 'job_1', body: { job_id: 'job_1' } };
		const alert = { title: expect.any(String) as string };
		const { items } = await runInFakeTime(deliver({ body: jobAlone }));
		expect(items).toMatchObject([{ error: expect.any(String) as string, details, alert }]);
		expect(ask).toHaveBeenCalledTimes(looks);
		expect(await runInFakeTime(deliver({ body: jobAlone }))).toEqual(repeat);
	});

	test('starts the workflow at once if only a word of the state is unknown', async () => {
		const { deliver } = createTrigger({
			http: serviceGives(200, { ...complete, status: 'baked' }),
		});
		const { items } = await runInFakeTime(deliver({ body: jobAlone }));
		expect(items).toMatchObject([
			{ details: { errorClass: 'job_timeout', job_id: 'job_1', add: { complete: ['baked'] } } },
		]);
		expect(await runInFakeTime(deliver({ body: jobAlone }))).toEqual(repeat);
	});

	test('starts the workflow once with an error, even if the sender is asked to come again in between', async () => {
		const target = { scheme: 'standardWebhooks', secret: STANDARD_SECRET } as const;
		const statuses = [401, 401, 500, 500, 500, 401];
		const { deliver } = createTrigger({
			http: async () => await Promise.resolve(answer(statuses.shift()!, {})),
			credential: { webhookSecret: STANDARD_SECRET },
			parameters: { signedContent: 'standardWebhooks' },
		});
		const attempt = async () => {
			const seconds = Math.floor(Date.now() / 1000);
			const headers = signatureHeaders(target, { body: jobAlone, id: 'msg_1', seconds });
			return await runInFakeTime(deliver({ body: jobAlone, headers }));
		};
		expect((await attempt()).items).toHaveLength(1);
		expect(await attempt()).toEqual(repeat);
		// The service answers 500 to the request and to its two retries.
		expect(await attempt()).toEqual(unavailable);
		expect(await attempt()).toEqual(repeat);
		expect(statuses).toEqual([]);
	});

	test('starts it with the results once the cause of an error is mended', async () => {
		const answers = [answer(401, {}), answer(401, {}), answer(200, complete)];
		const http = async () => await Promise.resolve(answers.shift()!);
		const { deliver } = createTrigger({ http });
		const attempt = async () => await runInFakeTime(deliver({ body: jobAlone }));
		expect((await attempt()).items).toHaveLength(1);
		expect(await attempt()).toEqual(repeat);
		expect(await attempt()).toEqual(started(greenReport, redReport));
		expect(await attempt()).toEqual(repeat);
	});

	test('starts it with what the service answered, if that is what is wrong', async () => {
		const { deliver } = createTrigger({ http: serviceGives(200, 'null') });
		const { items } = await runInFakeTime(deliver({ body: jobAlone }));
		expect(items).toMatchObject([{ details: { errorClass: 'invalid_response', body: 'null' } }]);
	});

	test('is not lost to an early 404', async () => {
		const answers = [answer(404, {}), answer(200, complete)];
		const http = async () => await Promise.resolve(answers.shift()!);
		const outcome: Outcome = await runInFakeTime(
			createTrigger({ http }).deliver({ body: jobAlone }),
		);
		expect(outcome).toEqual(started(greenReport, redReport));
	});
});
