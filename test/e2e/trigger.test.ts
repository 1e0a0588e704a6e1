import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { run } from '../../tools/host/child';
import { installN8n } from '../../tools/host/install';
import {
	type Credential,
	type N8n,
	type Saved,
	startFreshInstance,
} from '../../tools/host/instance';
import { until } from '../../tools/host/until';
import { defaultN8nVersion } from '../../tools/host/versions';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import type { WebhookScheme } from '../../sandbox/webhook';
import {
	type Answer,
	completion,
	deliver,
	hookCredential,
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

	/** The lines of n8n's log that begin like this and are about this trigger. */
	async function linesOf({ workflow }: Trigger, start: string): Promise<string[]> {
		const lines = (await n8n.log()).split('\n');
		return lines.filter((line) => line.includes(start) && line.includes(`'${workflow.name}'`));
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

		test('starts once with what the service signed, within the tolerance', async () => {
			const trigger = await triggerOf(scheme);
			const body = completion(report(), report('green'));
			for (const other of schemes.filter((one) => one !== scheme)) {
				const { status, text } = await deliver(trigger, body, signed(other, body));
				expect({ status, text }).toEqual({
					status: 401,
					text: expect.stringMatching(/^(missing|malformed|mismatch)$/),
				});
			}
			for (const age of scheme === 'body' ? [] : [-310, 302, 86_400]) {
				const late = signed(scheme, body, { seconds: now() - age });
				expect(await deliver(trigger, body, late)).toEqual(refused('stale'));
			}
			expect(await deliver(trigger, body, signed(scheme, body))).toEqual(accepted);
			const counted = body.replace('{', '{"attempt":2,');
			for (const again of [body, counted]) {
				expect(await deliver(trigger, again, signed(scheme, again))).toEqual(repeat);
			}
			const next = completion(report());
			expect(await deliver(trigger, next, signed(scheme, next))).toEqual(accepted);
			await expectNothingBut(trigger, body, next);
		}, 60_000);
	});

	test('accepts both secrets while they are rotated, and cannot judge once the secret is gone', async () => {
		const credential = await n8n.saveCredential(
			hookCredential(secrets.body, { previousWebhookSecret: previousSecret }),
		);
		const trigger = await startTrigger(n8n, credential);
		const bodies = [1, 2, 3, 4].map(() => completion(report()));
		const [first, second, third, fourth] = bodies as [string, string, string, string];
		const byPrevious = (body: string) =>
			deliver(trigger, body, signed('body', body, { secret: previousSecret }));

		expect(await byPrevious(first)).toEqual(accepted);
		expect(await deliver(trigger, second)).toEqual(accepted);
		await n8n.changeCredential(credential, hookCredential(secrets.body).data);
		expect(await byPrevious(third)).toEqual(refused('mismatch'));
		expect(await deliver(trigger, fourth)).toEqual(accepted);

		for (const [secret, previous] of [
			['', ''],
			['={{ "" }}', previousSecret],
		] as const) {
			const { data } = hookCredential(secret, { previousWebhookSecret: previous });
			await n8n.changeCredential(credential, data);
			expect(await deliver(trigger, third)).toEqual(unavailable);
			expect(await deliver(trigger, third, {})).toEqual(refused('missing'));
		}
		const lines = await linesOf(trigger, 'Could not verify');
		expect(lines).toEqual([expect.stringMatching(/: 'Webhook Secret' of the credential is empty/)]);
		await n8n.changeCredential(credential, hookCredential(secrets.body).data);
		expect(await deliver(trigger, third)).toEqual(accepted);
		await n8n.deleteCredential(credential);
		expect(await deliver(trigger, completion(report()))).toEqual(unavailable);
		await expectNothingBut(trigger, first, second, fourth, third);
	}, 30_000);

	test('says in the log once a minute why it refuses deliveries, in production', async () => {
		const trigger = await triggerOf('stripe');
		const body = completion(report());
		for (const secret of ['hook-secret-of-nobody', secrets.body, secrets.stripe]) {
			const other = secret === secrets.stripe ? 'body' : 'stripe';
			const sent = deliver(trigger, body, signed(other, body, { secret }));
			expect((await sent).status).toBe(401);
		}
		expect(await linesOf(trigger, 'Refused')).toEqual([
			expect.stringMatching(/: 1 mismatch \(.*Listen in the editor and let the service deliver/),
		]);
		expect(await n8n.executionsOf(trigger.workflow)).toEqual([]);
	});

	test('is started once by 20 copies of a delivery at the same instant', async () => {
		const trigger = await startTrigger(n8n, plain);
		const body = completion(report());
		const answers = await Promise.all(Array.from({ length: 20 }, () => deliver(trigger, body)));

		expect(answers.filter(({ text }) => text === 'accepted')).toEqual([accepted]);
		for (const { text } of answers) expect(text).toMatch(/^(accepted|repeat|underway)$/);
		expect(await deliver(trigger, body)).toEqual(repeat);
		await expectNothingBut(trigger, body);
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

	test('asks to come again while the job runs or the service is down, then gets the results', async () => {
		const sandbox = await startSandbox({ limit: null, jobDurationMs: 1_000 });
		try {
			const service = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl };
			const credential = await n8n.saveCredential(hookCredential(secrets.body, {}, service));
			const trigger = await startTrigger(n8n, credential);
			const ask = async (path: string, body?: unknown) => {
				const answer = await fetch(`${sandbox.baseUrl}/v1/bulk${path}`, {
					headers: { ...json, authorization: `Bearer ${service.apiKey}` },
					...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
				});
				return (await answer.json()) as IDataObject;
			};
			const { job_id } = await ask('', { addresses });
			const body = JSON.stringify({ event: 'bulk.completed', job_id });
			expect(await deliver(trigger, body)).toEqual(unavailable);
			const job = await until('the job to be complete', async () => {
				const now = await ask(`/${String(job_id)}`);
				return now.status === 'completed' ? now : undefined;
			});
			const end = sandbox.addFault({ effect: { kind: 'reset', at: 'beforeAnswer' } });
			expect(await deliver(trigger, body)).toEqual(unavailable);
			end();
			expect(await deliver(trigger, body)).toEqual(accepted);
			expect(await deliver(trigger, body)).toEqual(repeat);
			expect(await outcomesOf(n8n, trigger)).toEqual([job.results]);
			expect(await linesOf(trigger, 'Could not complete')).toHaveLength(2);
		} finally {
			await sandbox.close();
		}
	}, 60_000);

	test('looks at the bytes under any content type, and as they were before compression', async () => {
		const trigger = await startTrigger(n8n, plain);
		const genuine: string[] = [];
		const types = [
			...['', 'text/plain', 'application/octet-stream', 'application/x-www-form-urlencoded'],
			...['application/json; charset=latin1', 'APPLICATION/JSON', ';;;'],
		];
		const forms: Array<[Record<string, string>, (body: string) => Buffer]> = [
			[{}, (body) => Buffer.from(body)],
			...types.map((type): (typeof forms)[number] => [
				{ 'Content-Type': type },
				(body) => Buffer.from(body),
			]),
			[{ ...json, 'Content-Encoding': 'gzip' }, gzipSync],
			[{ ...json, 'Content-Encoding': 'deflate' }, deflateSync],
		];
		for (const [headers, write] of forms) {
			const body = completion(report('grün ☃'));
			const sent = write(body);
			// What was sent is not what n8n hands over, if it was compressed.
			const other = headers['Content-Encoding'] ? sent : `${body} `;
			const forged = { ...headers, ...signed('body', other) };
			expect(await post(trigger.url, sent, forged)).toEqual(refused('mismatch'));
			const overBody = { ...headers, ...signed('body', body) };
			expect(await post(trigger.url, sent, overBody)).toEqual(accepted);
			genuine.push(body);
		}
		const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
		const headers = { ...json, 'Content-Encoding': 'gzip', ...signed('body', bomb) };
		expect((await post(trigger.url, bomb, headers)).status).toBe(500);
		await expectNothingBut(trigger, ...genuine);
	}, 60_000);

	describe('while the editor listens', () => {
		/** What a node expects that does not fit a delivery of this scheme. */
		const others: Record<WebhookScheme, WebhookScheme> = {
			body: 'timestampAndBody',
			timestampAndBody: 'body',
			stripe: 'body',
			standardWebhooks: 'stripe',
		};
		const headers = { signatureHeader: 'x-vendor-hmac', timestampHeader: 'x-vendor-sent' };
		const names: Record<string, string> = {
			'X-Signature': headers.signatureHeader,
			'X-Timestamp': headers.timestampHeader,
		};

		test.each(schemes)(
			'shows the settings that fit, and refuses: %s',
			async (scheme) => {
				const trigger = await triggerOf(scheme, { signedContent: others[scheme] });
				const body = completion(report());
				const test = { url: trigger.testUrl };
				const send = (sent: string, secret = secrets[scheme]) => {
					const all = Object.entries(signed(scheme, body, { secret }));
					const renamed = all.map(([name, value]) => [names[name] ?? name, value]);
					return deliver(test, sent, Object.fromEntries(renamed) as Record<string, string>);
				};
				await n8n.listenForTestEvent(trigger.workflow, triggerNode);
				const forger = `${secrets[scheme].slice(0, -6)}AAAAA=`;
				expect((await send(body, forger)).status).toBe(401);
				expect((await send(`${body} `)).status).toBe(401);
				expect(await n8n.executionsOf(trigger.workflow)).toEqual([]);

				expect((await send(body)).status).toBe(401);
				// n8n starts the execution after the answer.
				await until('the execution', async () => (await n8n.executionsOf(trigger.workflow))[0]);
				const { signatureHeader } = headers;
				const suggestion = {
					body: { signatureHeader },
					timestampAndBody: headers,
					stripe: { signatureHeader },
					standardWebhooks: { signatureHeader: 'webhook-signature' },
				}[scheme];
				const details = expect.objectContaining({
					errorClass: 'invalid_input',
					parameter: 'Signature Scheme',
					suggestion: { signedContent: scheme, ...suggestion },
				});
				expect(await outcomesOf(n8n, trigger)).toEqual([[{ error: expect.any(String), details }]]);
				expect((await send(body)).status).toBe(404);
			},
			30_000,
		);

		test('verifies in the same way, goes on after a forgery, and remembers nothing', async () => {
			const trigger = await triggerOf('stripe');
			const body = completion(report());
			const test = { url: trigger.testUrl };
			const genuine = signed('stripe', body);
			for (let round = 0; round < 2; round++) {
				await n8n.listenForTestEvent(trigger.workflow, triggerNode);
				expect(await deliver(test, body, {})).toEqual(refused('missing'));
				expect(await deliver(test, `${body} `, genuine)).toEqual(refused('mismatch'));
				const late = signed('stripe', body, { seconds: now() - 302 });
				expect(await deliver(test, body, late)).toEqual(refused('stale'));
				expect(await deliver(test, '{}', signed('stripe', '{}'))).toEqual(unreadable);
				expect(await deliver(test, body, genuine)).toEqual(accepted);
				expect((await deliver(test, body, genuine)).status).toBe(404);
			}
			expect(await deliver(trigger, body, genuine)).toEqual(accepted);
			expect(await deliver(trigger, body, genuine)).toEqual(repeat);
			await expectNothingBut(trigger, body, body, body);
		}, 30_000);
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
