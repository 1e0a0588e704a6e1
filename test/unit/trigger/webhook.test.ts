import { createHmac } from 'node:crypto';
import { setImmediate } from 'node:timers/promises';
import type { Answer } from '../../../nodes/WalletScreening/pace/retry';
import { answer, reportBody } from '../support/answers';
import { createTrigger, type Outcome, SECRET, signed } from './context';

const green = reportBody();
const red = reportBody({
	report_id: 'rep_2',
	address: 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9',
	risk: { level: 'red', score: 0.9 },
});
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
		['with an invalid signature', { 'x-signature': 'yes' }, 'malformed'],
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

	const nothingKnown = 'its body contains neither results nor a job ID in a known place';
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

	test.each([
		['starts the workflow', {}],
		['leaves out its only report', { onlyNotGreen: true }],
	])('that %s is known in this process, also if n8n loses what it stores', async (_, options) => {
		const { deliver, staticData } = createTrigger({ parameters: { options } });
		await deliver({ body });
		delete staticData.deliveries;
		expect(await deliver({ body })).toEqual(ended(200, 'repeat'));
	});

	test('is known by what n8n stored', async () => {
		const [first, second] = [createTrigger(), createTrigger()];
		await first.deliver({ body });
		Object.assign(second.staticData, first.staticData);
		expect(await second.deliver({ body })).toEqual(ended(200, 'repeat'));
	});

	test('starts the workflow again if the user wants that', async () => {
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

	test('starts the workflow again if n8n could not store the first execution', async () => {
		const trigger = createTrigger();
		await trigger.deliver({ body, status: 500 });
		// n8n does not store the static data of such a request either.
		delete trigger.staticData.deliveries;
		expect(await trigger.deliver({ body })).toEqual(started(green));
		expect(await trigger.deliver({ body })).toEqual(ended(200, 'repeat'));
	});

	test.each([
		['n8n failed to', 500, started(green)],
		['n8n refused to', 400, started(green)],
		['n8n did', 200, ended(200, 'repeat')],
	])('waits until n8n has stored the first, and %s', async (_what, status, outcome) => {
		const trigger = createTrigger();
		let endStoring = () => {};
		const storing = new Promise<void>((resolve) => (endStoring = resolve));
		const first = trigger.deliver({ body, status, storing: async () => await storing });
		await setImmediate();
		const stored = trigger.staticData.deliveries;
		// Until n8n has stored the execution, a second request finds the static data of before.
		delete trigger.staticData.deliveries;
		expect(await trigger.deliver({ body })).toEqual(unavailable('underway'));
		endStoring();
		await first;
		if (status === 200) trigger.staticData.deliveries = stored!;
		expect(await trigger.deliver({ body })).toEqual(outcome);
	});

	/** With Only Not Green: a delivery that starts nothing, and one that does. */
	const ofEachKind = [
		[green, ended(200, 'accepted')],
		[red, started(red)],
	] as const;

	test('is known to the process before n8n has saved it', async () => {
		const trigger = createTrigger({ parameters: { options: { onlyNotGreen: true } } });
		for (const [report, first] of ofEachKind) {
			expect(await trigger.deliver({ body: bodyOf(report) })).toEqual(first);
			delete trigger.staticData.deliveries;
			expect(await trigger.deliver({ body: bodyOf(report) })).toEqual(ended(200, 'repeat'));
		}
	});

	test('is not one that only the editor received', async () => {
		const trigger = createTrigger({ parameters: { options: { onlyNotGreen: true } } });
		for (const [report, outcome] of ofEachKind) {
			const tried = { body: bodyOf(report), mode: 'manual' } as const;
			expect(await trigger.deliver(tried)).toEqual(outcome);
			expect(await trigger.deliver(tried)).toEqual(outcome);
			expect(trigger.staticData).toEqual({});
			expect(await trigger.deliver({ body: bodyOf(report) })).toEqual(outcome);
			delete trigger.staticData.deliveries;
		}
	});

	test('that counts its attempts is the same', async () => {
		const { deliver } = createTrigger();
		const attempt = (count: number) =>
			JSON.stringify({ attempt: count, ...(JSON.parse(body) as object), sent_at: 1e9 + count });
		await deliver({ body: attempt(1) });
		expect(await deliver({ body: attempt(2) })).toEqual(ended(200, 'repeat'));
	});

	test('is not one that reports the end of a job whose start was reported before', async () => {
		const { deliver } = createTrigger({
			parameters: { output: 'batch', options: { fetchResults: false } },
		});
		const partial = { job_id: 'job_1', status: 'running', results: [green] };
		const complete = { job_id: 'job_1', status: 'completed', results: [green] };
		expect(await deliver({ body: JSON.stringify(partial) })).toEqual(started(partial));
		expect(await deliver({ body: JSON.stringify(complete) })).toEqual(started(complete));
	});

	describe('by its message ID', () => {
		const secret = Buffer.from('a key of some length').toString('base64');
		const standard = (text: string, id: string) => {
			const seconds = Math.floor(Date.now() / 1000);
			const hmac = createHmac('sha256', Buffer.from(secret, 'base64'));
			return {
				body: text,
				headers: {
					'webhook-id': id,
					'webhook-timestamp': String(seconds),
					'webhook-signature': `v1,${hmac.update(`${id}.${seconds}.${text}`).digest('base64')}`,
				},
			};
		};
		const given = {
			credential: { webhookSecret: `whsec_${secret}` },
			parameters: { signedContent: 'standardWebhooks' },
		};
		const noted = (note: string) => JSON.stringify({ ...(JSON.parse(body) as object), note });

		test('is one, whatever else the body says', async () => {
			const { deliver } = createTrigger(given);
			expect(await deliver(standard(noted('one'), 'msg_1'))).toEqual(started(green));
			expect(await deliver(standard(noted('two'), 'msg_1'))).toEqual(ended(200, 'repeat'));
			expect(await deliver(standard(noted('two'), 'msg_2'))).toEqual(started(green));
		});

		test('is not a repeat if its results differ', async () => {
			const { deliver } = createTrigger(given);
			expect(await deliver(standard(bodyOf(green), 'msg_1'))).toEqual(started(green));
			expect(await deliver(standard(bodyOf(red), 'msg_1'))).toEqual(started(red));
		});
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

describe('a delivery with only a job ID', () => {
	const complete = { job_id: 'job_1', status: 'complete', results: [green, red] };

	test('starts the workflow with the results that the service has', async () => {
		const { deliver } = createTrigger({ http: serviceGives(200, complete) });
		expect(await deliver({ body: jobAlone })).toEqual(started(green, red));
	});

	test('starts the workflow with the delivery itself if the user does not want the results', async () => {
		const { deliver } = createTrigger({ parameters: { options: { fetchResults: false } } });
		expect(await deliver({ body: jobAlone })).toEqual(started({ job_id: 'job_1' }));
	});

	const transient: Array<[string, () => Promise<Answer>, string]> = [
		[
			'says that it still runs',
			serviceGives(200, { status: 'running' }),
			'Bulk job job_1 is not complete yet',
		],
		['is rate limited', serviceGives(429, {}), 'not send the results within 25 seconds'],
		['is down', serviceGives(503, {}), 'status 503'],
		['cannot be reached', async () => await Promise.reject(new Error()), 'connection'],
		['hangs', async () => await new Promise(() => {}), 'not send the results within 25 seconds'],
	];

	describe.each(transient)('comes again if the service %s', (_what, http, reason) => {
		beforeEach(() => jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] }));
		beforeEach(() => {
			// The signal's own timer cannot be faked.
			jest.spyOn(AbortSignal, 'timeout').mockImplementation((milliseconds) => {
				const controller = new AbortController();
				setTimeout(() => controller.abort(new Error('too late')), milliseconds);
				return controller.signal;
			});
		});
		afterEach(() => jest.restoreAllMocks());
		afterEach(() => jest.useRealTimers());

		async function settled(delivered: Promise<Outcome>): Promise<[Outcome, number]> {
			const since = Date.now();
			let until: number | undefined;
			void delivered.then(() => (until = Date.now()));
			while (until === undefined) await jest.advanceTimersByTimeAsync(100);
			return [await delivered, until - since];
		}

		test('within 25 seconds', async () => {
			const trigger = createTrigger({ http });
			const [outcome, took] = await settled(trigger.deliver({ body: jobAlone }));
			expect(outcome).toEqual(unavailable());
			expect(took).toBeLessThanOrEqual(25_000);
			expect(trigger.staticData.deliveries).toBeUndefined();
			expect(trigger.warnings).toEqual([
				expect.stringMatching(/^Could not complete a delivery to 'Wallet Screening Trigger': /),
			]);
			expect(trigger.warnings[0]).toContain(reason);
		});

		test('for an hour, then starts the workflow with the error', async () => {
			const trigger = createTrigger({ http });
			const attempt = async () => (await settled(trigger.deliver({ body: jobAlone })))[0];
			const began = Date.now();
			expect(await attempt()).toEqual(unavailable());
			jest.setSystemTime(began + 59 * 60_000);
			expect(await attempt()).toEqual(unavailable());
			jest.setSystemTime(began + 61 * 60_000);
			const ofAnother = trigger.deliver({ body: '{"job_id":"job_2"}' });
			expect((await settled(ofAnother))[0]).toEqual(unavailable());
			expect(await attempt()).toEqual(
				started({
					error: expect.stringContaining(reason),
					details: expect.objectContaining({
						errorClass: expect.stringMatching(/^(job_timeout|rate_limited|server|network)$/),
						job_id: 'job_1',
					}),
				}),
			);
			expect(await attempt()).toEqual(ended(200, 'repeat'));
			expect(Object.keys(trigger.staticData.waiting ?? {})).toHaveLength(1);
		});
	});

	test('waits for the service anew once its results came', async () => {
		let status = 500;
		const http = async () =>
			await Promise.resolve(
				answer(status, { job_id: 'job_1', status: 'completed', results: [green] }),
			);
		const trigger = createTrigger({ http });
		expect(await trigger.deliver({ body: jobAlone })).toEqual(unavailable());
		expect(Object.keys(trigger.staticData.waiting ?? {})).toHaveLength(1);
		status = 200;
		expect(await trigger.deliver({ body: jobAlone })).toEqual(started(green));
		expect(trigger.staticData.waiting).toEqual({});
	});

	test('waits in the editor too, which remembers nothing and forgets nothing', async () => {
		let status = 500;
		const complete = { job_id: 'job_1', status: 'completed', results: [green] };
		const http = async () => await Promise.resolve(answer(status, complete));
		const trigger = createTrigger({ http });
		const tried = { body: jobAlone, mode: 'manual' } as const;
		expect(await trigger.deliver(tried)).toEqual(unavailable());
		expect(trigger.staticData).toEqual({});
		expect(await trigger.deliver({ body: jobAlone })).toEqual(unavailable());
		status = 200;
		expect(await trigger.deliver(tried)).toEqual(started(green));
		expect(Object.keys(trigger.staticData.waiting ?? {})).toHaveLength(1);
	});

	test("starts the workflow with the error where n8n's own rules forbid the request", async () => {
		const refusal = Object.assign(new Error('blocked'), { name: 'SsrfBlockedIpError' });
		const trigger = createTrigger({ http: async () => await Promise.reject(refusal) });
		expect(await trigger.deliver({ body: jobAlone })).toEqual(
			started({
				error: "This n8n's own rules forbid requests to the address of the service",
				details: expect.objectContaining({ errorClass: 'network', job_id: 'job_1' }),
			}),
		);
	});

	test.each([
		['refuses the key', 401, {}, 'unauthorized', 1],
		['does not allow it', 403, {}, 'forbidden', 1],
		['calls it a bad request', 400, {}, 'bad_request', 1],
		['does not know the job', 404, {}, 'not_found', 3],
		['gives a page instead', 200, '<html>', 'invalid_response', 3],
	])(
		'starts the workflow with the error if the service %s',
		async (_what, status, body, errorClass, looks) => {
			let seen = 0;
			const trigger = createTrigger({
				http: async () => {
					seen++;
					return await Promise.resolve(answer(status, body));
				},
			});
			expect(await trigger.deliver({ body: jobAlone })).toEqual(
				started({
					error: expect.any(String),
					details: expect.objectContaining({
						errorClass,
						job_id: 'job_1',
						body: { job_id: 'job_1' },
					}),
				}),
			);
			expect(seen).toBe(looks);
			expect(await trigger.deliver({ body: jobAlone })).toEqual(ended(200, 'repeat'));
		},
	);

	test('starts the workflow with the error if the credential cannot be used', async () => {
		const { deliver } = createTrigger({ credential: { baseUrl: 'http://service.example' } });
		expect((await deliver({ body: jobAlone })).items).toMatchObject([
			{ details: { errorClass: 'invalid_input', parameter: 'Base URL', job_id: 'job_1' } },
		]);
	});

	test('starts it with the error, and what the service answered', async () => {
		jest.useFakeTimers({ doNotFake: ['setImmediate', 'nextTick'] });
		const { deliver } = createTrigger({
			http: serviceGives(200, 'null'),
			parameters: { options: { alertText: true } },
		});
		const delivered = deliver({ body: jobAlone });
		await jest.advanceTimersByTimeAsync(5_000);
		jest.useRealTimers();
		expect((await delivered).items).toMatchObject([
			{
				details: { errorClass: 'invalid_response', body: 'null' },
				alert: { title: expect.any(String) },
			},
		]);
	});

	test('is not lost to an early 404', async () => {
		const answers = [
			answer(404, {}),
			answer(200, { job_id: 'job_1', status: 'completed', results: [green] }),
		];
		const { deliver } = createTrigger({
			http: async () => await Promise.resolve(answers.shift()!),
		});
		expect(await deliver({ body: jobAlone })).toEqual(started(green));
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
		error: 'Bulk job job_1 is complete, but contains no results',
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
	])('starts it with an error if the service has none either%s', async (_also, options) => {
		const http = serviceGives(200, { job_id: 'job_1', status: 'complete', results: [] });
		const { deliver } = createTrigger({ http, parameters: { options } });
		expect(await deliver({ body })).toEqual(started(noResults));
		expect(await deliver({ body: jobAlone })).toEqual(started(noResults));
	});

	test('starts it with the delivery itself if the user does not want the results', async () => {
		const { deliver } = createTrigger({ parameters: { options: { fetchResults: false } } });
		expect(await deliver({ body })).toEqual(started(event));
	});

	test('starts it with only the failure if the job failed', async () => {
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

	test('starts it with an error also if the body names no job', async () => {
		const { items } = await createTrigger().deliver({ body: '{"status":"failed","results":[]}' });
		expect(items).toMatchObject([
			{ error: 'The bulk job ended without completing', details: { errorClass: 'job_failed' } },
		]);
		const details = items?.[0]?.details as { description: string };
		expect(details).not.toHaveProperty('job_id');
		expect(details.description).not.toMatch(/job ID/);
	});

	test('is not named, nor pointed to, by the entries of a delivery that names none', async () => {
		const body = JSON.stringify({ status: 'completed', results: [green, notReport] });
		const { items } = await createTrigger().deliver({ body });
		expect(items).toHaveLength(2);
		expect(items?.[1]?.details).toMatchObject({ errorClass: 'invalid_response' });
		expect(items?.[1]?.details).not.toHaveProperty('job_id');
	});

	test('starts it with the results too, if there are some', async () => {
		const body = JSON.stringify({ job_id: 'job_1', status: 'failed', results: [green] });
		expect(await createTrigger().deliver({ body })).toEqual(started(failed, green));
	});
});

describe('what starts the workflow', () => {
	test('is the whole body if the user wants the batch', async () => {
		const { deliver } = createTrigger({ parameters: { output: 'batch' } });
		const body = bodyOf(green, notReport);
		expect(await deliver({ body })).toEqual(started(JSON.parse(body)));
		expect(await deliver({ body: JSON.stringify([green]) })).toEqual(started({ results: [green] }));
		expect(await deliver({ body: '[]' })).toEqual(started({ results: [] }));
	});

	test('is any JSON object if the user wants the batch, without the secrets', async () => {
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

	test.each(['reports', 'batch'])(
		'does not hold the API key, with the output %s',
		async (output) => {
			const { deliver } = createTrigger({
				parameters: { output },
				credential: { apiKey: ' sk_live_0123 ' },
			});
			const { items } = await deliver({ body: bodyOf({ ...green, note: 'key sk_live_0123' }) });
			expect(JSON.stringify(items)).toContain('key ***');
			expect(JSON.stringify(items)).not.toContain('sk_live_0123');
		},
	);

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

	test('leaves out only what is known to be green, if the user wants that', async () => {
		const { deliver } = createTrigger({ parameters: { options: { onlyNotGreen: true } } });
		const levelless = reportBody({ address: 'bc1qlevelless', risk: { score: 0.1 } });
		const { items } = await deliver({ body: bodyOf(green, red, notReport, levelless) });
		expect(items?.map((item) => item.report_id ?? 'error')).toEqual(['rep_2', 'error', 'error']);
		expect(await deliver({ body: bodyOf(green) })).toEqual(ended(200, 'accepted'));
		expect(await deliver({ body: bodyOf(green) })).toEqual(ended(200, 'repeat'));
	});

	test.each([
		['false', [2, 'repeat']],
		['off', [2, 'repeat']],
		['', [2, 'repeat']],
		['true', [1, 'repeat']],
		[1, [1, 'repeat']],
	])('reads the switch %j as the action node does', async (onlyNotGreen, [count, again]) => {
		const options = { onlyNotGreen, ignoreRepeats: 'yes', simplify: 'no' };
		const { deliver } = createTrigger({ parameters: { options } });
		const { items } = await deliver({ body: bodyOf(green, red) });
		expect(items).toHaveLength(count as number);
		expect(items?.at(-1)).toHaveProperty('risk');
		expect(await deliver({ body: bodyOf(green, red) })).toEqual(ended(200, again as string));
	});

	test('a switch that says neither is an error of the signed delivery, and of no other', async () => {
		const { deliver } = createTrigger({ parameters: { options: { onlyNotGreen: 'maybe' } } });
		await expect(deliver({ body: bodyOf(green) })).rejects.toMatchObject({
			message: "'Only Not Green' is neither on nor off",
			description: "Let the expression of 'Only Not Green' give true or false.",
			context: { errorClass: 'invalid_input', parameter: 'Only Not Green' },
		});
		const forged = await deliver({ body: bodyOf(green), headers: { 'x-signature': 'no' } });
		expect(forged).toMatchObject({ status: 401 });
	});

	test('gives each failure an alert, if the user wants alerts', async () => {
		const { deliver } = createTrigger({ parameters: { options: { alertText: true } } });
		const { items } = await deliver({ body: bodyOf(notReport, red) });
		expect(items?.map(({ alert }) => (alert as { title: string }).title)).toEqual([
			expect.stringMatching(/^Failed: wallet bc1qexample: /),
			expect.stringContaining('red'),
		]);
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
			['green', expect.objectContaining({ outcome: 'allow', reasons: [] })],
			['red', expect.objectContaining({ outcome: 'block' })],
		]);
		expect(items?.[1]?.alert).toMatchObject({ title: expect.stringContaining('red') });
	});
});

describe('with decision rules that cannot be right', () => {
	const parameters = { addDecision: true, decisionRules: {} };

	test('a delivery starts the workflow with the error and all that was delivered', async () => {
		const body = bodyOf(green);
		expect(await createTrigger({ parameters }).deliver({ body })).toEqual(
			started({
				error: 'There is no rule',
				details: expect.objectContaining({
					errorClass: 'invalid_input',
					parameter: 'Decision Rules',
					job_id: 'job_1',
					body: JSON.parse(body),
				}),
			}),
		);
	});

	test('a batch, which they do not judge, starts the workflow as it is', async () => {
		const { deliver, activate } = createTrigger({ parameters: { ...parameters, output: 'batch' } });
		expect(await activate()).toBe(true);
		expect(await deliver({ body: bodyOf(green) })).toEqual(started(JSON.parse(bodyOf(green))));
	});
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
		await expect(activate()).rejects.toThrow("There is no rule (see 'Decision Rules')");
	});
});

test.each([
	['the secret', { webhookSecret: 20261120 }],
	['the previous secret', { webhookSecret: 'new', previousWebhookSecret: 20261120 }],
])('%s may be a number', async (_what, credential) => {
	const { activate, deliver } = createTrigger({ credential });
	expect(await activate()).toBe(true);
	const body = bodyOf(green);
	expect(await deliver({ body, headers: signed(body, '20261120') })).toEqual(started(green));
});

describe('a delivery that fits the secret under other settings', () => {
	const body = bodyOf(green);
	const { 'x-signature': signature = '' } = signed(body);
	const other = { 'x-hub-signature': `sha256=${signature}` };
	const refused = ended(401, 'missing');
	const said =
		"Refused a delivery to 'Wallet Screening Trigger': The delivery is signed with the webhook secret, but the settings of this node do not match it. Set 'Signature Scheme' to 'Body', 'Signature Header' to 'x-hub-signature'.";
	afterEach(() => jest.restoreAllMocks());

	test('shows them in the editor, and is refused', async () => {
		const { deliver, warnings } = createTrigger({ mode: 'manual' });
		const item = {
			error: expect.any(String),
			details: expect.objectContaining({
				errorClass: 'invalid_input',
				parameter: 'Signature Header',
				suggestion: { signedContent: 'body', signatureHeader: 'x-hub-signature' },
			}),
		};
		expect(await deliver({ body, headers: other })).toEqual({ ...refused, items: [item] });
		expect(await deliver({ body: `${body} `, headers: other })).toEqual(refused);
		expect(await deliver({ body, headers: other })).toEqual({ ...refused, items: [item] });
		expect(warnings).toEqual([]);
	});

	test('says nothing of settings that fit a delivery that comes too late', async () => {
		const seconds = Math.floor(Date.now() / 1000) - 3600;
		const { 'x-signature': digest = '' } = signed(`${seconds}.${body}`);
		const late = { body, headers: { 'x-signature': digest, 'x-timestamp': String(seconds) } };
		const parameters = { signedContent: 'timestampAndBody', timestampHeader: 'X-Timestamp' };
		for (const mode of ['manual', 'webhook'] as const) {
			const { deliver, warnings } = createTrigger({ parameters, mode });
			expect(await deliver(late)).toEqual(ended(401, 'stale'));
			expect(warnings).toEqual([]);
		}
	});

	test('names no header that is set already', async () => {
		const seconds = Math.floor(Date.now() / 1000);
		const { 'x-signature': digest = '' } = signed(`${seconds}.${body}`);
		const { deliver } = createTrigger({ mode: 'manual' });
		const answer = await deliver({
			body,
			headers: { 'x-signature': `t=${seconds},v1=${digest}` },
		});
		expect(JSON.stringify(answer)).toContain(`"Set 'Signature Scheme' to 'Stripe Style'."`);
	});

	test('is refused in production, where the log names them once a minute', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(1e12);
		const { deliver, warnings, staticData } = createTrigger();
		const attempt = async () => expect(await deliver({ body, headers: other })).toEqual(refused);
		await attempt();
		await attempt();
		expect(warnings).toEqual([said]);
		now.mockReturnValue(1e12 + 59_999);
		await attempt();
		expect(warnings).toEqual([said]);
		now.mockReturnValue(1e12 + 60_000);
		await attempt();
		expect(warnings).toEqual([said, said]);
		expect(staticData).toEqual({});
	});

	test('is named for each node', async () => {
		for (const { deliver, warnings } of [createTrigger(), createTrigger()]) {
			await deliver({ body, headers: other });
			expect(warnings).toEqual([said]);
		}
	});

	test('is found after an attack of a minute, which leaves nothing in the log', async () => {
		const now = jest.spyOn(Date, 'now').mockReturnValue(1e12);
		const { deliver, warnings } = createTrigger();
		for (let count = 0; count < 1000; count++) {
			const headers = { 'x-hub-signature': 'f'.repeat(64) };
			expect(await deliver({ body, headers })).toEqual(refused);
		}
		await deliver({ body, headers: other });
		expect(warnings).toEqual([]);
		now.mockReturnValue(1e12 + 60_000);
		await deliver({ body, headers: other });
		expect(warnings).toEqual([said]);
	});

	test('brings no character into the log that could end its line, and no more than 256 of them', async () => {
		const { deliver, warnings } = createTrigger();
		await deliver({ body, headers: { [`x-\n\u001b[2J${'h'.repeat(500)}`]: signature } });
		expect(warnings).toHaveLength(1);
		expect(warnings[0]).toContain(`'x-??[2J${'h'.repeat(249)}'`);
	});
});

describe('the credential', () => {
	const both = [bodyOf(green), bodyOf(red)];

	test('is read once for deliveries that arrive while it is read, and again after that', async () => {
		const trigger = createTrigger({ reading: async () => await setImmediate() });
		const outcomes = await Promise.all(both.map(async (body) => await trigger.deliver({ body })));
		expect(outcomes).toEqual([started(green), started(red)]);
		expect(trigger.reads.count).toBe(1);
		expect(await trigger.deliver({ body: bodyOf(green), headers: {} })).toEqual(
			ended(401, 'missing'),
		);
		expect(trigger.reads.count).toBe(2);
	});

	test('that was revoked accepts nothing that arrives after the read', async () => {
		const credential: Record<string, unknown> = {};
		const trigger = createTrigger({ credential, reading: async () => await setImmediate() });
		expect(await trigger.deliver({ body: bodyOf(green) })).toEqual(started(green));
		credential.webhookSecret = 'another';
		expect(await trigger.deliver({ body: bodyOf(red) })).toEqual(ended(401, 'mismatch'));
	});

	test('of one node is not read for another, nor the one of production for the editor', async () => {
		const reading = async () => await setImmediate();
		const triggers = [
			createTrigger({ reading }),
			createTrigger({ reading }),
			createTrigger({ reading, credential: { webhookSecret: 'another' } }),
		];
		const outcomes = await Promise.all(
			triggers.map(async (trigger) => await trigger.deliver({ body: bodyOf(green) })),
		);
		expect(outcomes).toEqual([started(green), started(green), ended(401, 'mismatch')]);
		expect(triggers.map(({ reads }) => reads.count)).toEqual([1, 1, 1]);
	});

	test('whose read hangs does not hold up what comes a second later', async () => {
		const now = jest.spyOn(Date, 'now');
		let hangs = true;
		const reading = async () => (hangs ? await new Promise<void>(() => {}) : undefined);
		const trigger = createTrigger({ reading });
		void trigger.deliver({ body: bodyOf(green) });
		hangs = false;
		now.mockReturnValue(Date.now() + 1000);
		expect(await trigger.deliver({ body: bodyOf(green) })).toEqual(started(green));
		now.mockRestore();
	});

	test('that cannot be read is named in the log once a minute', async () => {
		const trigger = createTrigger({ credential: new Error('The credential is gone') });
		for (let count = 0; count < 3; count++) {
			expect(await trigger.deliver({ body: bodyOf(green) })).toEqual(unavailable());
		}
		expect(trigger.warnings).toHaveLength(1);
	});
});
