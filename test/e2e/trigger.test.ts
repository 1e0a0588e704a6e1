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
import { expectNoSecrets } from '../support/secrets';
import { screeningWorkflow, triggerNode } from '../support/workflows';
import { attackTests } from './triggerAttack';

const answer = (status: number, text: string, retryAfter?: string): Answer => ({
	status,
	text,
	retryAfter,
});
const [accepted, repeat] = [answer(200, 'accepted'), answer(200, 'repeat')];
const unavailable = answer(503, 'unavailable', '60');
const refused = (text: string) => answer(401, text);

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
	});

	afterAll(() => n8n?.stop());

	attackTests(() => n8n);

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
		});

		test('starts once with what the service signed, within the tolerance', async () => {
			const trigger = await triggerOf(scheme);
			const body = completion(report(), report('green'));
			for (const other of schemes.filter((one) => one !== scheme)) {
				const { status, text } = await deliver(trigger, body, signed(other, body));
				expect(`${status} ${text}`).toMatch(/^401 (missing|malformed|mismatch)$/);
			}
			for (const age of scheme === 'body' ? [] : [-310, 302, 86_400]) {
				const late = signed(scheme, body, { seconds: now() - age });
				expect(await deliver(trigger, body, late)).toEqual(refused('stale'));
			}
			expect(await deliver(trigger, body, signed(scheme, body))).toEqual(accepted);
			const counted = body.replace('{', '{"attempt":2,');
			for (const again of [body, counted])
				expect(await deliver(trigger, again, signed(scheme, again))).toEqual(repeat);
			const next = completion(report());
			expect(await deliver(trigger, next, signed(scheme, next, { id: 'msg_2' }))).toEqual(accepted);
			await expectNothingBut(trigger, body, next);
		});
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

		for (const secret of ['', '={{ "" }}']) {
			const { data } = hookCredential(secret, { previousWebhookSecret: secret && previousSecret });
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
		])('and the sender has hung up meanwhile, %s', async (_what, statements, outcome) => {
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
		});
	});

	test('asks to come again while the job runs or the service is down, then gets the results', async () => {
		const sandbox = await startSandbox({ limit: null, jobDurationMs: 1_000 });
		try {
			const service = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl };
			const credential = await n8n.saveCredential(hookCredential(secrets.body, {}, service));
			const trigger = await startTrigger(n8n, credential);
			const headers = { ...json, authorization: `Bearer ${service.apiKey}` };
			const ask = async (path: string, init: object = {}) =>
				(await (
					await fetch(`${sandbox.baseUrl}/v1/bulk${path}`, { headers, ...init })
				).json()) as IDataObject;
			const submission = { method: 'POST', body: JSON.stringify({ addresses }) };
			const { job_id } = await ask('', submission);
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
	});

	test('looks at the bytes under any content type, and as they were before compression', async () => {
		const trigger = await startTrigger(n8n, plain);
		const genuine: string[] = [];
		const types = [
			'',
			'text/plain',
			'application/octet-stream',
			'application/x-www-form-urlencoded',
			'application/json; charset=latin1',
			'APPLICATION/JSON',
			';;;',
		];
		const forms: Array<[Record<string, string>, (body: string) => Buffer]> = [
			...[{}, ...types.map((type) => ({ 'Content-Type': type }))].map(
				(headers): (typeof forms)[number] => [headers, Buffer.from],
			),
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
	});

	test('shows the settings that fit while the editor listens, and refuses', async () => {
		const trigger = await triggerOf('timestampAndBody', { signedContent: 'body' });
		const body = completion(report());
		const test = { url: trigger.testUrl };
		const send = async (sent: string, secret = secrets.timestampAndBody) => {
			const all = signed('timestampAndBody', body, { secret });
			const renamed = {
				'x-vendor-hmac': all['X-Signature']!,
				'x-vendor-sent': all['X-Timestamp']!,
			};
			return (await deliver(test, sent, renamed)).status;
		};
		await n8n.listenForTestEvent(trigger.workflow, triggerNode);
		expect([await send(body, 'another'), await send(`${body} `)]).toEqual([401, 401]);
		expect(await n8n.executionsOf(trigger.workflow)).toEqual([]);

		expect(await send(body)).toBe(401);
		// n8n starts the execution after the answer.
		await until('the execution', async () => (await n8n.executionsOf(trigger.workflow))[0]);
		const headers = { signatureHeader: 'x-vendor-hmac', timestampHeader: 'x-vendor-sent' };
		const suggestion = { signedContent: 'timestampAndBody', ...headers };
		const details = { errorClass: 'invalid_input', parameter: 'Signature Scheme', suggestion };
		expect(await outcomesOf(n8n, trigger)).toMatchObject([[{ details }]]);
		expect(await send(body)).toBe(404);
	});

	test('leaves no secret in the execution data, the log or any file of n8n', async () => {
		const hidden = [apiKey, previousSecret, ...Object.values(secrets)];
		await expectNoSecrets(n8n, { secrets: hidden, stored: addresses[0]!, logged: triggerNode });
	});
});
