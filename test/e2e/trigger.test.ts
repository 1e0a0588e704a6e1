import { randomUUID } from 'node:crypto';
import { connect } from 'node:net';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { run } from '../../host/child';
import { installN8n } from '../../host/install';
import { type Credential, type N8n, type Saved, startFreshInstance } from '../../host/instance';
import { until } from '../../host/until';
import { defaultN8nVersion } from '../../host/versions';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import type { WebhookScheme } from '../../sandbox/webhook';
import {
	type Answer,
	completion,
	deliver,
	hookCredential,
	itemsOfAll,
	now,
	outcomesOf,
	post,
	productionUrl,
	report,
	schemes,
	secrets,
	signed,
	startTrigger,
	type Trigger,
	triggerWorkflow,
} from '../support/triggers';
import { patience, screeningWorkflow, triggerNode } from '../support/workflows';

const accepted: Answer = { status: 200, text: 'accepted', retryAfter: undefined };
const repeat: Answer = { status: 200, text: 'repeat', retryAfter: undefined };
const unreadable: Answer = { status: 400, text: 'unreadable', retryAfter: undefined };
const unavailable: Answer = { status: 503, text: 'unavailable', retryAfter: '60' };
const refused = (text: string): Answer => ({ status: 401, text, retryAfter: undefined });

const json = { 'Content-Type': 'application/json' };
const apiKey = 'hook-api-key-4b9e';
const previousSecret = 'hook-secret-of-last-year-8c1f';
const addresses = [
	'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	'149w62rY42aZBox8fGcmqNsXUzSStKeq8C',
	'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9',
];

describe('the trigger in a real n8n', () => {
	let n8n: N8n;
	let plain: Saved<Credential>;

	beforeAll(async () => {
		// The log is read for secrets, so it shall say all that it can.
		n8n = await startFreshInstance('e2e-trigger', { environment: { N8N_LOG_LEVEL: 'debug' } });
		plain = await n8n.saveCredential(hookCredential(secrets.body));
	}, patience);

	afterAll(() => n8n?.stop());

	async function triggerOf(scheme: WebhookScheme, parameters: IDataObject = {}): Promise<Trigger> {
		const credential = await n8n.saveCredential(hookCredential(secrets[scheme]));
		return startTrigger(n8n, credential, { signedContent: scheme, ...parameters });
	}

	/** A delivery that starts the workflow shows that whatever came before had its time to do so. */
	async function expectNothingBut(trigger: Trigger, ...bodies: string[]): Promise<void> {
		const expected = bodies.map((body) => (JSON.parse(body) as { results: unknown[] }).results);
		expect(await outcomesOf(n8n, trigger)).toEqual(expected);
	}

	describe.each(schemes)('for the scheme %s', (scheme) => {
		let sandbox: Sandbox | undefined;
		afterEach(() => sandbox?.close());

		test('starts with one item per report, once a job that the action node submitted is complete', async () => {
			const id = randomUUID();
			const secret = secrets[scheme];
			const webhook = { url: productionUrl(n8n, id), secret, scheme };
			sandbox = await startSandbox({ limit: null, jobDurationMs: 100, webhook });
			const { readWrite } = sandbox.keys;
			const credential = await n8n.saveCredential(
				hookCredential(secret, {}, { apiKey: readWrite, baseUrl: sandbox.baseUrl }),
			);
			const trigger = await startTrigger(n8n, credential, { signedContent: scheme }, id);
			const submit = { resource: 'bulkJob', operation: 'submit', options: {} };
			const input = addresses.map((address) => ({ address }));
			await n8n.runWorkflow(await n8n.saveWorkflow(screeningWorkflow(input, submit, credential)));

			const { deliveries } = sandbox;
			const { job_id, status, attempt } = await until('a delivery', async () => deliveries[0]);
			expect({ status, attempt }).toEqual({ status: 200, attempt: 1 });
			const polled = await fetch(`${sandbox.baseUrl}/v1/bulk/${job_id}`, {
				headers: { authorization: `Bearer ${readWrite}` },
			});
			const { results } = (await polled.json()) as { results: IDataObject[] };
			expect(results.map(({ address }) => address)).toEqual(addresses);
			expect(await outcomesOf(n8n, trigger)).toEqual([results]);
		}, 60_000);

		test('starts with nothing but what the service signed', async () => {
			const trigger = await triggerOf(scheme);
			const body = completion(report(), report('green'));
			const headers = signed(scheme, body);
			const [name = '', signature = ''] = Object.entries(headers).at(-1) ?? [];
			const without = (omitted: string) =>
				Object.fromEntries(Object.entries(headers).filter(([key]) => key !== omitted));

			const forgeries: Array<[string, Record<string, string>]> = [
				[body, {}],
				...Object.keys(headers).map((key): [string, Record<string, string>] => [
					body,
					without(key),
				]),
				[body, signed(scheme, body, { secret: `${secrets[scheme].slice(0, -4)}AAA=` })],
				[body, { ...headers, [name]: signature.slice(0, -2) }],
				[body, { ...headers, [name]: '' }],
				[body, { ...headers, [name]: 'x'.repeat(8_000) }],
				[body, { ...without(name), [`${name}2`]: signature }],
				[body.replace('green', 'grean'), headers],
				[JSON.stringify(JSON.parse(body), null, 1), headers],
				[`${body}\n`, headers],
				[` ${body}`, headers],
				['', headers],
				...schemes
					.filter((other) => other !== scheme)
					.map((other): [string, Record<string, string>] => [body, signed(other, body)]),
			];
			for (const [sent, sentHeaders] of forgeries) {
				expect(await deliver(trigger, sent, sentHeaders)).toMatchObject({
					status: 401,
					text: expect.stringMatching(/^(missing|malformed|mismatch)$/),
				});
			}
			for (const age of scheme === 'body' ? [] : [-310, 302, 86_400]) {
				const late = signed(scheme, body, { seconds: now() - age });
				expect(await deliver(trigger, body, late)).toEqual(refused('stale'));
			}

			expect(await deliver(trigger, body, headers)).toEqual(accepted);
			expect(await deliver(trigger, body, headers)).toEqual(repeat);
			expect(await deliver(trigger, body, signed(scheme, body, { id: 'msg_2' }))).toEqual(repeat);
			const next = completion(report());
			expect(await deliver(trigger, next, signed(scheme, next))).toEqual(accepted);
			await expectNothingBut(trigger, body, next);
		}, 60_000);
	});

	test('accepts both secrets while they are rotated, and the previous one no longer after that', async () => {
		const credential = await n8n.saveCredential(
			hookCredential(secrets.body, { previousWebhookSecret: previousSecret }),
		);
		const trigger = await startTrigger(n8n, credential);
		const [first, second, third, fourth] = [1, 2, 3, 4].map(() => completion(report())) as [
			string,
			string,
			string,
			string,
		];
		const byPrevious = (body: string) =>
			deliver(trigger, body, signed('body', body, { secret: previousSecret }));

		expect(await byPrevious(first)).toEqual(accepted);
		expect(await deliver(trigger, second)).toEqual(accepted);
		await n8n.changeCredential(credential, hookCredential(secrets.body).data);
		expect(await byPrevious(third)).toEqual(refused('mismatch'));
		expect(await deliver(trigger, fourth)).toEqual(accepted);
		await n8n.changeCredential(credential, hookCredential('').data);
		expect(await deliver(trigger, third)).toEqual(refused('mismatch'));
		expect(await byPrevious(third)).toEqual(refused('mismatch'));
		await expectNothingBut(trigger, first, second, fourth);
	});

	test('is not started twice by the same delivery at the same instant', async () => {
		const trigger = await startTrigger(n8n, plain);
		const body = completion(report());
		const answers = await Promise.all(Array.from({ length: 8 }, () => deliver(trigger, body)));

		expect(answers.filter(({ text }) => text === 'accepted')).toEqual([accepted]);
		for (const { text } of answers) expect(text).toMatch(/^(accepted|repeat|underway)$/);
		expect(await deliver(trigger, body)).toEqual(repeat);
		await expectNothingBut(trigger, body);
	});

	test('knows a repeat after it was unpublished, changed and published again', async () => {
		const trigger = await startTrigger(n8n, plain);
		const body = completion(report());
		const next = completion(report());
		expect(await deliver(trigger, body)).toEqual(accepted);

		await n8n.unpublishWorkflow(trigger.workflow);
		expect((await deliver(trigger, body)).status).toBe(404);
		expect((await deliver(trigger, next)).status).toBe(404);

		await n8n.publishWorkflow(trigger.workflow);
		expect(await deliver(trigger, body)).toEqual(repeat);
		expect(await deliver(trigger, next)).toEqual(accepted);
		await expectNothingBut(trigger, body, next);
	}, 30_000);

	test('processes a repeat again if Ignore Repeats is off', async () => {
		const trigger = await startTrigger(n8n, plain, { options: { ignoreRepeats: false } });
		const body = completion(report());
		expect(await deliver(trigger, body)).toEqual(accepted);
		expect(await deliver(trigger, body)).toEqual(accepted);
		await expectNothingBut(trigger, body, body);
	});

	describe('when n8n cannot store the execution', () => {
		/** Runs JavaScript with `database` being that of n8n. */
		async function inDatabase(code: string): Promise<void> {
			const { command } = await installN8n(defaultN8nVersion);
			const file = join(n8n.userFolder, '.n8n', 'database.sqlite');
			const opened =
				'const database = new (require("node:sqlite").DatabaseSync)(process.argv[1], { timeout: 5000 });';
			await run([command[0] ?? '', '--eval', opened + code, file], { cwd: n8n.userFolder });
		}
		const execute = (...statements: string[]) =>
			inDatabase(`database.exec(${JSON.stringify(statements.join(';'))});`);
		const onStore = (statements: string) =>
			`CREATE TRIGGER storing BEFORE INSERT ON execution_entity BEGIN ${statements}; END`;
		const fail = "SELECT RAISE(ABORT, 'disk full')";
		/** Seconds of work, in which n8n waits for its database. */
		const numbers =
			'CREATE VIEW IF NOT EXISTS numbers AS WITH RECURSIVE one(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM one WHERE n < 9000000) SELECT n FROM one';
		const work = 'SELECT count(*) FROM numbers';
		const asBefore = 'DROP TRIGGER storing';
		/** While n8n stores an execution, nobody else can write. */
		const isStoring = async () =>
			await inDatabase('database.exec("PRAGMA busy_timeout = 0; BEGIN IMMEDIATE; ROLLBACK");').then(
				() => undefined,
				() => true,
			);

		test('counts the delivery as not delivered', async () => {
			const trigger = await startTrigger(n8n, plain);
			const body = completion(report());
			await execute(onStore(fail));
			try {
				expect((await deliver(trigger, body)).status).toBe(500);
			} finally {
				await execute(asBefore);
			}
			expect(await deliver(trigger, body)).toEqual(accepted);
			expect(await deliver(trigger, body)).toEqual(repeat);
			await expectNothingBut(trigger, body);
		}, 30_000);

		test.each([
			['counts it as not delivered', [work, fail], { status: 500 }],
			['knows it when it could', [work], repeat],
		])(
			'and the sender has hung up meanwhile, %s',
			async (_what, statements, outcome) => {
				const trigger = await startTrigger(n8n, plain);
				const body = completion(report());
				await execute(numbers, onStore(statements.join(';')));
				try {
					const sender = new AbortController();
					const headers = { ...json, ...signed('body', body) };
					const options = { method: 'POST', headers, body, signal: sender.signal } as const;
					const hungUp = expect(request(trigger.url, options)).rejects.toThrow(/aborted/);
					await until('n8n to store the execution', isStoring, { pause: 0 });
					const underway = { ...unavailable, text: 'underway' };
					expect(await deliver(trigger, body)).toEqual(underway);
					sender.abort();
					await hungUp;
					const answer = await until('n8n to end what it stores', async () => {
						const now = await deliver(trigger, body);
						return now.text === 'underway' ? undefined : now;
					});
					expect(answer).toMatchObject(outcome);
				} finally {
					await execute(asBefore);
				}
				expect(await deliver(trigger, body)).toEqual(outcome === repeat ? repeat : accepted);
				await expectNothingBut(trigger, body);
			},
			60_000,
		);
	});

	describe('without a usable secret', () => {
		const notBase64 = /^'Webhook Secret' of the credential is not a Standard Webhooks secret/;
		const previousNotBase64 = /^'Previous Webhook Secret' of the credential is not a Standard/;

		// n8n tries five times, with pauses, before it says so.
		test('refuses to be published, and says where the secret belongs', async () => {
			const cases = [
				['', {}, 'body', /^'Webhook Secret' of the credential is empty\. Open the credential/],
				[' \n', {}, 'timestampAndBody', /^'Webhook Secret' of the credential is empty/],
				['whsec_', {}, 'standardWebhooks', /^'Webhook Secret' of the credential is empty/],
				[secrets.body, {}, 'standardWebhooks', notBase64],
				[
					secrets.standardWebhooks,
					{ previousWebhookSecret: 'whsec_?' },
					'standardWebhooks',
					previousNotBase64,
				],
			] as const;
			await Promise.all(
				cases.map(async ([secret, data, signedContent, message]) => {
					const credential = await n8n.saveCredential(hookCredential(secret, data));
					const attempt = startTrigger(n8n, credential, { signedContent });
					await expect(attempt).rejects.toThrow(message);
					await expect(attempt).rejects.not.toThrow(secrets.body);
				}),
			);
		}, 90_000);

		test('refuses to be published without a credential at all', async () => {
			const workflow = triggerWorkflow(plain, {}, randomUUID());
			const nodes = workflow.nodes.map(({ credentials: _, ...node }) => node);
			const bare = await n8n.saveWorkflow({ ...workflow, nodes });
			await expect(n8n.publishWorkflow(bare)).rejects.toThrow(/credential: walletScreeningApi/);
		});

		test('answers 503 and starts nothing, when its credential or a setting cannot be read', async () => {
			const credential = await n8n.saveCredential(hookCredential(secrets.body));
			const trigger = await startTrigger(n8n, credential);
			const body = completion(report());
			await n8n.deleteCredential(credential);
			expect(await deliver(trigger, body)).toEqual(unavailable);
			expect(await deliver(trigger, body, {})).toEqual(unavailable);
			expect(await n8n.log()).toContain('Could not verify a delivery');

			const odd = await startTrigger(n8n, plain, { signatureHeader: '={{ [1] }}' });
			expect(await deliver(odd, body)).toEqual(unavailable);
			const unknown = await startTrigger(n8n, plain, { signedContent: '={{ "none" }}' });
			expect(await deliver(unknown, body)).toEqual(unavailable);

			const barrier = await startTrigger(n8n, plain);
			expect(await deliver(barrier, body)).toEqual(accepted);
			await expectNothingBut(barrier, body);
			for (const silent of [trigger, odd, unknown]) {
				expect(await n8n.executionsOf(silent.workflow)).toEqual([]);
			}
		}, 30_000);
	});

	describe('with a delivery that has only the ID of a job', () => {
		let sandbox: Sandbox;
		let credential: Saved<Credential>;
		beforeEach(async () => {
			sandbox = await startSandbox({ limit: null, jobDurationMs: 1_000 });
			const service = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl };
			credential = await n8n.saveCredential(hookCredential(secrets.body, {}, service));
		});
		afterEach(() => sandbox.close());

		const answerTo = async (path: string, body?: unknown) => {
			const answer = await fetch(`${sandbox.baseUrl}/v1${path}`, {
				headers: { ...json, authorization: `Bearer ${sandbox.keys.readWrite}` },
				...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
			});
			return (await answer.json()) as IDataObject;
		};
		const completed = async (job_id: unknown) =>
			await until(`job ${String(job_id)} to be complete`, async () => {
				const job = await answerTo(`/bulk/${String(job_id)}`);
				return job.status === 'completed' ? job : undefined;
			});
		const completeJob = async () =>
			await completed((await answerTo('/bulk', { addresses })).job_id);
		const requested = () =>
			sandbox.requests.filter(({ method }) => method === 'GET').map(({ path }) => path);

		test('asks to come again while the job runs or the service is down, then gets the results', async () => {
			const trigger = await startTrigger(n8n, credential);
			const { job_id } = await answerTo('/bulk', { addresses });
			const body = JSON.stringify({ event: 'bulk.completed', job_id });

			expect(await deliver(trigger, body)).toEqual(unavailable);
			expect(requested()).toEqual([`/v1/bulk/${String(job_id)}`]);
			const job = await completed(job_id);

			for (const effect of [
				{ kind: 'answer', status: 500 },
				{ kind: 'reset', at: 'beforeAnswer' },
			] as const) {
				const end = sandbox.addFault({ effect });
				expect(await deliver(trigger, body)).toEqual(unavailable);
				end();
			}
			expect(await deliver(trigger, body)).toEqual(accepted);
			expect(await deliver(trigger, body)).toEqual(repeat);
			expect(await outcomesOf(n8n, trigger)).toEqual([job.results]);
			expect(await n8n.log()).toContain('Could not complete a delivery');
		}, 60_000);

		test.each([
			[401, undefined, 'unauthorized'],
			[403, undefined, 'forbidden'],
			[404, undefined, 'not_found'],
			[200, '<html>', 'invalid_response'],
		])('shows what can never be fetched: %i %s', async (status, body, errorClass) => {
			const trigger = await startTrigger(n8n, credential);
			const { job_id } = await completeJob();
			const effect = { kind: 'answer', status, ...(body && { body }) } as const;
			sandbox.addFault({ effect });
			const sent = JSON.stringify({ job_id });
			expect(await deliver(trigger, sent)).toEqual(accepted);
			expect(await deliver(trigger, sent)).toEqual(repeat);
			expect(await outcomesOf(n8n, trigger)).toMatchObject([[{ details: { errorClass, job_id } }]]);
		});

		test('starts once when the delivery comes again while the results are fetched', async () => {
			const trigger = await startTrigger(n8n, credential);
			const { job_id } = await completeJob();
			sandbox.addFault({ effect: { kind: 'delay', ms: 1_000 } });
			const body = JSON.stringify({ job_id });
			const seen = sandbox.requests.length;
			const first = deliver(trigger, body);
			await until('the request for the results', async () => sandbox.requests[seen]);

			const again = await deliver(trigger, body);
			expect(again).toEqual({ status: 503, text: 'underway', retryAfter: '60' });
			expect(await first).toEqual(accepted);
			expect(await deliver(trigger, body)).toEqual(repeat);
			expect(await itemsOfAll(n8n, trigger)).toHaveLength(1);
		}, 30_000);

		test('refuses a job id that no path can hold, without a request', async () => {
			const trigger = await startTrigger(n8n, credential);
			const ids = [
				...['../../v1/screen', 'job/../../reports/1', 'job\\..\\1', '..'],
				...['job\n1', 'job 1', 'x'.repeat(257)],
			];
			for (const job_id of ids) {
				const answer = await deliver(trigger, JSON.stringify({ job_id }));
				expect({ job_id, ...answer }).toEqual({ job_id, ...unreadable });
			}
			expect(sandbox.requests).toEqual([]);
			const next = completion(report());
			expect(await deliver(trigger, next)).toEqual(accepted);
			await expectNothingBut(trigger, next);
		});

		test.each(['%2e%2e%2fscreen', 'job?admin=1', 'job#1', '__proto__', 'jöb'])(
			'asks for the job id %j as one segment of the path',
			async (job_id) => {
				const trigger = await startTrigger(n8n, credential);
				expect(await deliver(trigger, JSON.stringify({ job_id }))).toEqual(accepted);
				expect(new Set(requested())).toEqual(new Set([`/v1/bulk/${encodeURIComponent(job_id)}`]));
				expect(await outcomesOf(n8n, trigger)).toMatchObject([
					[{ details: { errorClass: 'not_found', job_id } }],
				]);
			},
		);

		test('shows that the base URL of the credential is wrong', async () => {
			const wrong = await n8n.saveCredential(
				hookCredential(secrets.body, {}, { baseUrl: 'http://not-encrypted.example' }),
			);
			const trigger = await startTrigger(n8n, wrong);
			expect(await deliver(trigger, '{"job_id":"job_1"}')).toEqual(accepted);
			expect(await outcomesOf(n8n, trigger)).toMatchObject([
				[{ details: { errorClass: 'invalid_input', parameter: 'Base URL', job_id: 'job_1' } }],
			]);
		});
	});

	describe('gives', () => {
		const noLevel = { ...report(), risk: { score: 0.5 } };
		const failure = { address: addresses[0], error: 'unsupported chain' };
		const results = [report('green'), report('red'), report('GREEN'), noLevel, failure, null];
		const notAReport = (entry: unknown) => ({
			error: expect.stringMatching(/\S/),
			details: { errorClass: 'invalid_response', entry },
		});

		async function given(parameters: IDataObject, body: string): Promise<IDataObject[][]> {
			const trigger = await startTrigger(n8n, plain, parameters);
			expect(await deliver(trigger, body)).toEqual(accepted);
			return outcomesOf(n8n, trigger);
		}

		test('an item per result, and one with the failure for what is not a report', async () => {
			const [items] = await given({}, completion(...results));
			expect(items).toMatchObject([
				...results.slice(0, 3),
				...[noLevel, failure, null].map(notAReport),
			]);
			expect(items?.[4]).toMatchObject({ details: { address: addresses[0] } });
		});

		test('all that was delivered as one item, with the output "Batch"', async () => {
			const body = completion(...results);
			expect(await given({ output: 'batch' }, body)).toEqual([[JSON.parse(body)]]);
			const list = JSON.stringify([report(), 1]);
			expect(await given({ output: 'batch' }, list)).toEqual([[{ results: JSON.parse(list) }]]);
		});

		test('no report of one address for another', async () => {
			const [one, other] = [report('green'), report('red')];
			const body = JSON.stringify({ results: { [String(other.address)]: one } });
			// An entry that only names a report would be fetched otherwise.
			const options = { onlyNotGreen: true, fetchResults: false };
			const [items] = await given({ options }, body);
			expect(items).toMatchObject([
				{ details: { errorClass: 'invalid_response', address: other.address, entry: one } },
			]);
		});

		test('nothing that changes objects elsewhere', async () => {
			const own = '"__proto__":{"polluted":"yes","risk":{"level":"green"}}';
			const body =
				`{${own},"constructor":{"prototype":{"polluted":"yes"}},"job_id":"job_proto",` +
				`"results":[{${own},"address":"0x1","report_id":"r"},{"constructor":1}]}`;
			// An entry that only names a report would be fetched otherwise.
			const options = { onlyNotGreen: true, fetchResults: false };
			const [items] = await given({ options }, body);
			expect(items).toMatchObject([
				{ details: { errorClass: 'invalid_response' } },
				{ details: { errorClass: 'invalid_response' } },
			]);
			const next = await given({}, completion(report()));
			expect(next[0]?.[0]).not.toHaveProperty('polluted');
		});
	});

	describe('looks at the bytes as they were sent', () => {
		let trigger: Trigger;
		let genuine: string[];
		beforeEach(async () => {
			trigger = await startTrigger(n8n, plain);
			genuine = [];
		});

		const types = [
			undefined,
			'',
			'text/plain',
			'application/octet-stream',
			'application/x-www-form-urlencoded',
			'application/json; charset=latin1',
			'APPLICATION/JSON',
			';;;',
		];
		test('under any content type', async () => {
			for (const type of types) {
				const body = completion(report('grün ☃'));
				const headers = type === undefined ? {} : { 'Content-Type': type };
				const forged = { ...headers, ...signed('body', `${body} `) };
				expect(await post(trigger.url, Buffer.from(body), forged)).toEqual(refused('mismatch'));
				const signature = { ...headers, ...signed('body', body) };
				expect(await post(trigger.url, Buffer.from(body), signature)).toEqual(accepted);
				genuine.push(body);
			}
			await expectNothingBut(trigger, ...genuine);
		});

		test('and refuses what n8n does not hand over as bytes', async () => {
			for (const type of [
				'multipart/form-data; boundary=x',
				'multipart/form-data',
				'multipart/mixed; boundary=x',
				'application/xml',
				'application/json; charset=utf-16le',
				'text/plain; charset=no-such',
			]) {
				const body = completion(report());
				const form = `--x\r\ncontent-disposition: form-data; name="a"\r\n\r\n${body}\r\n--x--\r\n`;
				for (const sent of [body, form]) {
					const headers = { 'Content-Type': type, ...signed('body', sent) };
					const { status } = await post(trigger.url, sent, headers);
					expect({ type, sent, refused: [400, 401, 422].includes(status) }).toEqual({
						type,
						sent,
						refused: true,
					});
				}
			}
			const body = completion(report());
			expect(await deliver(trigger, body)).toEqual(accepted);
			await expectNothingBut(trigger, body);
		});

		test('when they come in chunks', async () => {
			const inChunks = async function* (text: string) {
				for (const byte of Buffer.from(text)) yield Buffer.from([byte]);
			};
			const body = completion(report());
			const forged = { ...json, ...signed('body', `${body} `) };
			expect(await post(trigger.url, inChunks(body), forged)).toEqual(refused('mismatch'));
			const headers = { ...json, ...signed('body', body) };
			expect(await post(trigger.url, inChunks(body), headers)).toEqual(accepted);
			await expectNothingBut(trigger, body);
		});

		test('and as they were before they were compressed', async () => {
			for (const [encoding, compress] of [
				['gzip', gzipSync],
				['deflate', deflateSync],
			] as const) {
				const body = completion(report());
				const headers = { ...json, 'Content-Encoding': encoding };
				const compressed = compress(body);
				const overCompressed = { ...headers, ...signed('body', compressed) };
				expect(await post(trigger.url, compressed, overCompressed)).toEqual(refused('mismatch'));
				const overBody = { ...headers, ...signed('body', body) };
				expect(await post(trigger.url, compressed, overBody)).toEqual(accepted);
				genuine.push(body);
			}
			const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
			const headers = { ...json, 'Content-Encoding': 'gzip', ...signed('body', bomb) };
			expect((await post(trigger.url, bomb, headers)).status).toBe(500);
			const huge = completion(report()) + ' '.repeat(17 * 2 ** 20);
			expect((await deliver(trigger, huge)).status).toBe(500);
			await expectNothingBut(trigger, ...genuine);
		}, 30_000);

		test('of a body that is empty or tells of no job', async () => {
			for (const body of [
				'',
				' ',
				'null',
				'1',
				'"job_1"',
				'{}',
				'{"job_id":""}',
				'{"job_id":{}}',
			]) {
				const headers = { 'Content-Type': 'application/octet-stream', ...signed('body', body) };
				expect(await post(trigger.url, body, headers)).toEqual(unreadable);
			}
			expect((await deliver(trigger, '{"job_id":')).status).toBe(422);
			const body = completion(report());
			expect(await deliver(trigger, body)).toEqual(accepted);
			await expectNothingBut(trigger, body);
		});

		/** The status of the answer to a request that no HTTP client would send. */
		const statusOf = (text: string) =>
			new Promise<number>((resolve, reject) => {
				const { hostname, port } = new URL(n8n.url);
				const socket = connect(Number(port), hostname, () => socket.write(text));
				socket.on('data', (data) => resolve(Number(/^HTTP\/1.1 (\d+)/.exec(String(data))?.[1])));
				socket.on('data', () => socket.destroy());
				socket.on('error', reject);
			});

		test('whatever the headers claim', async () => {
			const { pathname } = new URL(trigger.url);
			const statusWith = (body: string, lines: string[]) =>
				statusOf(
					[`POST ${pathname} HTTP/1.1`, 'Host: n8n', 'Connection: close', ...lines, '', body].join(
						'\r\n',
					),
				);
			const length = (body: string) => `Content-Length: ${Buffer.byteLength(body)}`;
			const line = (body: string) => `X-Signature: ${signed('body', body)['X-Signature']}`;
			const zeros = `X-Signature: ${'0'.repeat(64)}`;

			const forged = completion(report());
			const huge = `X-Signature: ${'a'.repeat(15_000)}`;
			const hugest = `X-Signature: ${'a'.repeat(20_000)}`;
			const many = Array.from({ length: 1_500 }, (_, index) => `X-${index}: 1`);
			const chunked = 'Transfer-Encoding: chunked';
			const bytes = Buffer.byteLength(forged).toString(16);
			const inOneChunk = `${bytes}\r\n${forged}\r\n0\r\n\r\n`;
			const refusals = [
				await statusWith(forged, [length(forged), zeros, zeros]),
				await statusWith(forged, [length(forged), `${zeros},${'1'.repeat(64)}`]),
				await statusWith(forged, [length(forged), huge]),
				await statusWith(forged, [length(forged), hugest]),
				await statusWith(forged, [length(forged), ...many, line(forged)]),
				await statusWith(forged, [length(forged), `X-Signature:\r\n ${signed('body', forged)}`]),
				await statusWith(forged, [`Content-Length: ${forged.length - 1}`, line(forged)]),
				await statusWith(inOneChunk, ['Content-Length: 4', chunked, line(forged)]),
				await statusWith(forged, [length(forged), `${line(forged)}; q=1`]),
				await statusWith(forged, [length(forged), 'X-HTTP-Method-Override: GET', zeros]),
				await statusWith(forged, [length(forged), line(forged).replace('-', '_')]),
			];
			expect(refusals).toEqual([401, 401, 401, 431, 431, 400, 400, 400, 401, 401, 401]);

			const rotated = completion(report());
			expect(await statusWith(rotated, [length(rotated), zeros, line(rotated)])).toBe(200);
			const shouting = completion(report());
			const upper = line(shouting).replace('X-Signature', 'X-SIGNATURE');
			expect(await statusWith(shouting, [length(shouting), upper])).toBe(200);
			await expectNothingBut(trigger, rotated, shouting);
		});

		test('whatever the path adds', async () => {
			const [slash, query, body] = [1, 2, 3].map(() => completion(report())) as [
				string,
				string,
				string,
			];
			const at = (url: string) => deliver({ url }, body);
			const strangers = [
				`${trigger.url}/more`,
				trigger.url.replace('/webhook/', '//webhook/'),
				trigger.url.replace(/webhook$/, 'WEBHOOK'),
				trigger.url.replace(/webhook$/, '..%2fwebhook'),
				trigger.url.replace(/\/webhook$/, ''),
				trigger.testUrl,
			];
			for (const url of strangers)
				expect({ url, ...(await at(url)) }).toMatchObject({ status: 404 });
			for (const url of [`${trigger.url}/`, `${trigger.url}?a=1&a=2&__proto__[b]=1`]) {
				expect(await deliver({ url }, body, {})).toEqual(refused('missing'));
			}
			expect(await deliver({ url: `${trigger.url}/` }, slash)).toEqual(accepted);
			expect(await deliver({ url: `${trigger.url}?job_id=1` }, query)).toEqual(accepted);
			await expectNothingBut(trigger, slash, query);
		});
	});

	describe('with "Listen for test event"', () => {
		test('verifies in the same way, and goes on listening after a forgery', async () => {
			const trigger = await triggerOf('stripe');
			const body = completion(report());
			const genuine = signed('stripe', body);
			const test = { url: trigger.testUrl };
			expect((await deliver(test, body, genuine)).status).toBe(404);

			await n8n.listenForTestEvent(trigger.workflow, triggerNode);
			expect(await deliver(test, body, {})).toEqual(refused('missing'));
			expect(await deliver(test, `${body} `, genuine)).toEqual(refused('mismatch'));
			const late = signed('stripe', body, { seconds: now() - 302 });
			expect(await deliver(test, body, late)).toEqual(refused('stale'));
			expect(await deliver(test, '{}', signed('stripe', '{}'))).toEqual(unreadable);
			expect(await deliver(test, body, genuine)).toEqual(accepted);
			expect((await deliver(test, body, genuine)).status).toBe(404);
			await expectNothingBut(trigger, body);
		});

		test('takes the same delivery again, and does not keep the production URL from it', async () => {
			const trigger = await startTrigger(n8n, plain);
			const body = completion(report());
			for (const round of [1, 2]) {
				await n8n.listenForTestEvent(trigger.workflow, triggerNode);
				expect(await deliver({ url: trigger.testUrl }, body)).toEqual(accepted);
				expect(await outcomesOf(n8n, trigger)).toHaveLength(round);
			}
			expect(await deliver(trigger, body)).toEqual(accepted);
			expect(await deliver(trigger, body)).toEqual(repeat);
			await expectNothingBut(trigger, body, body, body);
		});
	});

	test('leaves no secret in the execution data, the log or any file of n8n', async () => {
		const places = { log: Buffer.from(await n8n.log()), stored: await n8n.stored() };
		// What must be found where it belongs shows that the right bytes are looked at.
		expect(places.log.includes(triggerNode)).toBe(true);
		expect(places.stored.includes(addresses[0] ?? '')).toBe(true);

		for (const secret of [apiKey, previousSecret, ...Object.values(secrets)]) {
			for (const [place, bytes] of Object.entries(places)) {
				expect({ place, secret, found: bytes.includes(secret) }).toEqual({
					place,
					secret,
					found: false,
				});
			}
		}
	});
});
