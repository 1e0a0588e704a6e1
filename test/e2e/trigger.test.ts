import { createHmac, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { deflateSync, gzipSync } from 'node:zlib';
import type { IDataObject } from 'n8n-workflow';
import { request } from 'undici';
import { runCommand } from '../../tools/host/child';
import { installN8n } from '../../tools/host/install';
import { type N8n, startFreshInstance } from '../../tools/host/instance';
import type { Credential, Saved } from '../../tools/host/workflow';
import { until } from '../../tools/host/until';
import { defaultN8nVersion } from '../../tools/host/versions';
import { reportOn } from '../../sandbox/reports';
import { startSandbox } from '../../sandbox/server';
import { webhookSchemes } from '../../sandbox/webhook';
import {
	type WebhookAnswer,
	completion,
	deliver,
	hookCredential,
	readOutcomes,
	post,
	productionUrlOf,
	report,
	secrets,
	signatureHeadersOf,
	startTrigger,
	type Trigger,
} from '../support/n8n/triggers';
import { expectNoSecrets } from '../support/n8n/expectNoSecrets';
import { ethereum, sanctionedBitcoin } from '../support/data/knownAddresses';
import { runnableWorkflow, triggerNodeName } from '../support/n8n/workflows';
import {
	type Convention,
	publicConventions,
	withLowerCaseHeaders,
} from '../support/data/conventions';
import { attackTests } from './triggerAttack';
import { withoutEditor } from '../support/n8n/environment';

const answer = (status: number, text: string, retryAfter?: string): WebhookAnswer => ({
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
const addresses = [ethereum, sanctionedBitcoin, 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9'];

describe('the trigger in a real n8n', () => {
	let n8n: N8n;
	let plain: Saved<Credential>;

	beforeAll(async () => {
		// The log is read for secrets, so it shall say all that it can.
		const environment = { ...withoutEditor, N8N_LOG_LEVEL: 'debug' };
		n8n = await startFreshInstance('e2e-trigger', { environment });
		plain = await n8n.saveCredential(hookCredential(secrets.body));
	});

	afterAll(() => n8n?.stop());

	attackTests(() => n8n);

	/** A delivery that starts the workflow shows that whatever came before had its time to do so. */
	async function expectNothingBut(trigger: Trigger, ...bodies: string[]): Promise<void> {
		const expected = bodies.map((body) => (JSON.parse(body) as { results: unknown[] }).results);
		expect(await readOutcomes(n8n, trigger)).toEqual(expected);
	}

	test.each(webhookSchemes)(
		'starts once with what the service signed by the scheme %s',
		async (scheme) => {
			const id = randomUUID();
			const secret = secrets[scheme];
			const webhook = { url: productionUrlOf(n8n, id), secret, scheme };
			const sandbox = await startSandbox({ limit: null, jobDurationMs: 100, webhook });
			try {
				const service = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl };
				const credential = await n8n.saveCredential(hookCredential(secret, {}, service));
				const trigger = await startTrigger(n8n, credential, { signedContent: scheme }, id);
				const submit = { resource: 'bulkJob', operation: 'submit', options: {} };
				const input = addresses.map((address) => ({ address }));
				await n8n.runWorkflow(await n8n.saveWorkflow(runnableWorkflow(input, submit, credential)));
				const delivered = await until('a delivery', async () => sandbox.deliveryAttempts[0]);
				expect(delivered).toMatchObject({ status: 200, attempt: 1 });
				const [results] = await readOutcomes(n8n, trigger);
				expect(results).toEqual(
					addresses.map((address) => reportOn(address, undefined, service.baseUrl)),
				);

				const body = completion(report());
				for (const other of webhookSchemes.filter((one) => one !== scheme)) {
					const { status, text } = await deliver(trigger, body, signatureHeadersOf(other, body));
					expect(`${status} ${text}`).toMatch(/^401 (missing|malformed|mismatch)$/);
				}
				for (const expected of [accepted, repeat])
					expect(await deliver(trigger, body, signatureHeadersOf(scheme, body))).toEqual(expected);
				expect(await readOutcomes(n8n, trigger)).toHaveLength(2);
			} finally {
				await sandbox.close();
			}
		},
	);

	test('accepts both secrets while they are rotated, and cannot judge once the secret is gone', async () => {
		const rotating = hookCredential(secrets.body, { previousWebhookSecret: previousSecret });
		const credential = await n8n.saveCredential(rotating);
		const trigger = await startTrigger(n8n, credential);
		const [first, second, third] = [1, 2, 3].map(() => completion(report())) as [
			string,
			string,
			string,
		];
		const byPrevious = (body: string) =>
			deliver(trigger, body, signatureHeadersOf('body', body, { secret: previousSecret }));
		expect(await byPrevious(first)).toEqual(accepted);
		expect(await deliver(trigger, second)).toEqual(accepted);
		await n8n.changeCredential(credential, hookCredential(secrets.body).data);
		expect(await byPrevious(third)).toEqual(refused('mismatch'));
		await n8n.changeCredential(credential, hookCredential('').data);
		expect(await deliver(trigger, third)).toEqual(unavailable);
		expect(await deliver(trigger, third, {})).toEqual(refused('missing'));
		await n8n.changeCredential(credential, hookCredential(secrets.body).data);
		expect(await deliver(trigger, third)).toEqual(accepted);
		await n8n.deleteCredential(credential);
		expect(await deliver(trigger, completion(report()))).toEqual(unavailable);
		await expectNothingBut(trigger, first, second, third);
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
			await runCommand([command[0] ?? '', '--eval', opened + code, file], { cwd: n8n.userFolder });
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
		/** While n8n stores an execution, no one else can write. */
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
				const headers = { ...json, ...signatureHeadersOf('body', body) };
				const options = { method: 'POST', headers, body, signal: sender.signal } as const;
				const hungUp = expect(request(trigger.url, options)).rejects.toThrow(/aborted/);
				await until('n8n to store the execution', isStoring, { pauseMs: 0 });
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

	test('asks to come again while the job runs, then gets the results', async () => {
		const sandbox = await startSandbox({ limit: null, jobDurationMs: 0 });
		try {
			const { baseUrl, keys } = sandbox;
			const service = { apiKey: keys.readWrite, baseUrl };
			const credential = await n8n.saveCredential(hookCredential(secrets.body, {}, service));
			const trigger = await startTrigger(n8n, credential);
			const submitted = await fetch(`${baseUrl}/v1/bulk`, {
				method: 'POST',
				headers: { ...json, authorization: `Bearer ${keys.readWrite}` },
				body: JSON.stringify({ addresses }),
			});
			const { job_id } = (await submitted.json()) as IDataObject;
			const body = JSON.stringify({ event: 'bulk.completed', job_id });
			const queued = JSON.stringify({ job_id, status: 'queued' });
			sandbox.addFault({ effect: { kind: 'answer', status: 200, body: queued } });
			expect(await deliver(trigger, body)).toEqual(unavailable);
			sandbox.clearFaults();
			expect(await deliver(trigger, body)).toEqual(accepted);
			expect(await deliver(trigger, body)).toEqual(repeat);
			const [results] = await readOutcomes(n8n, trigger);
			expect(results).toMatchObject(addresses.map((address) => ({ address })));
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
			// A signature of the compressed bytes is wrong too, as n8n passes on the decompressed body.
			const other = headers['Content-Encoding'] ? sent : `${body} `;
			const forged = { ...headers, ...signatureHeadersOf('body', other) };
			expect(await post(trigger.url, sent, forged)).toEqual(refused('mismatch'));
			const overBody = { ...headers, ...signatureHeadersOf('body', body) };
			expect(await post(trigger.url, sent, overBody)).toEqual(accepted);
			genuine.push(body);
		}
		const bomb = gzipSync(Buffer.alloc(64 * 2 ** 20));
		const headers = { ...json, 'Content-Encoding': 'gzip', ...signatureHeadersOf('body', bomb) };
		expect((await post(trigger.url, bomb, headers)).status).toBe(500);
		await expectNothingBut(trigger, ...genuine);
	});

	test('shows the settings that fit while the editor listens, and refuses', async () => {
		const hook = await n8n.saveCredential(hookCredential(secrets.timestampAndBody));
		const trigger = await startTrigger(n8n, hook);
		const body = completion(report());
		const test = { url: trigger.testUrl };
		const send = async (sent: string, secret = secrets.timestampAndBody) => {
			const all = signatureHeadersOf('timestampAndBody', body, { secret });
			const renamed = {
				'x-vendor-hmac': all['X-Signature']!,
				'x-vendor-sent': all['X-Timestamp']!,
			};
			return (await deliver(test, sent, renamed)).status;
		};
		await n8n.listenForTestEvent(trigger.workflow, triggerNodeName);
		expect([await send(body, 'another'), await send(`${body} `)]).toEqual([401, 401]);
		expect(await n8n.executionsOf(trigger.workflow)).toEqual([]);

		expect(await send(body)).toBe(401);
		// n8n starts the execution after the answer.
		await until('the execution', async () => (await n8n.executionsOf(trigger.workflow))[0]);
		const headers = { signatureHeader: 'x-vendor-hmac', timestampHeader: 'x-vendor-sent' };
		const suggestion = { signedContent: 'timestampAndBody', ...headers };
		const details = { errorClass: 'invalid_input', parameter: 'Signature Scheme', suggestion };
		expect(await readOutcomes(n8n, trigger)).toMatchObject([[{ details }]]);
		expect(await send(body)).toBe(404);
	});

	describe('as public services sign', () => {
		/** Those that sign an ID, by a template, and the URL. All ten: unit/webhook/conventions. */
		const conventions = ['Standard Webhooks', 'Slack', 'Square'].map((name) =>
			publicConventions.find(({ service }) => service.startsWith(name))!,
		);
		const { secret } = conventions[0]!;
		/** Their deliveries are of March 2026. */
		const tolerance = 100 * 365 * 24 * 3600;
		let signedByThem: Saved<Credential>;

		beforeAll(async () => {
			signedByThem = await n8n.saveCredential(hookCredential(secret));
		});

		/**
		 * The headers of a delivery to this trigger. Square signs the Production URL, in which n8n
		 * calls itself localhost, so its signature is made anew.
		 */
		const headersFor = ({ settings, headers, body }: Convention, { url }: Trigger) =>
			settings.signedTemplate === '{url}{body}'
				? {
						...headers,
						[settings.signatureHeader]: createHmac('sha256', secret)
							.update(url.replace('127.0.0.1', 'localhost') + body)
							.digest('base64'),
					}
				: headers;

		test.each(conventions.map((one) => [one.service, one] as const))(
			'%s: accepts the delivery and no forgery, and names the settings while the editor listens',
			async (_service, convention) => {
				const { settings, body } = convention;
				const trigger = await startTrigger(n8n, signedByThem, {
					...settings,
					tolerance,
					output: 'batch',
				});
				const headers = headersFor(convention, trigger);
				expect(await deliver(trigger, `${body} `, headers)).toEqual(refused('mismatch'));
				expect(await deliver(trigger, body, headers)).toEqual(accepted);
				expect(await deliver(trigger, body, headers)).toEqual(repeat);
				expect(await readOutcomes(n8n, trigger)).toMatchObject([
					[{ job: JSON.parse(body) as object }],
				]);

				const unset = await startTrigger(n8n, signedByThem, { signatureHeader: 'X-None' });
				await n8n.listenForTestEvent(unset.workflow, triggerNodeName);
				// The service signs the Production URL, wherever the delivery goes.
				const sent = headersFor(convention, unset);
				expect((await deliver({ url: unset.testUrl }, body, sent)).status).toBe(401);
				await until('the execution', async () => (await n8n.executionsOf(unset.workflow))[0]);
				const suggestion = withLowerCaseHeaders(settings);
				expect(await readOutcomes(n8n, unset)).toMatchObject([[{ details: { suggestion } }]]);
			},
		);
	});

	test('leaves no secret in the execution data, the log or any file of n8n', async () => {
		const hidden = [apiKey, previousSecret, ...Object.values(secrets)];
		await expectNoSecrets(n8n, { secrets: hidden, stored: addresses[0]!, logged: triggerNodeName });
	});
});
