import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import type { IDataObject, INode } from 'n8n-workflow';
import { resources } from '../../nodes/WalletScreening/actions';
import { runCommand } from '../../tools/host/child';
import { environmentOf, freePort } from '../../tools/host/environment';
import { installN8n } from '../../tools/host/install';
import { type N8n, startFreshInstance } from '../../tools/host/instance';
import type { CredentialTestResult } from '../../tools/host/owner';
import { type Credential, type Execution, itemsOf, type Saved } from '../../tools/host/workflow';
import { projectFolder } from '../../tools/host/paths';
import { until } from '../../tools/host/until';
import { defaultN8nVersion, n8nVersions } from '../../tools/host/versions';
import type { FaultEffect } from '../../sandbox/faults';
import { pdfOf } from '../../sandbox/pdf';
import { reportOn } from '../../sandbox/reports';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { ethereum as address, sanctionedMixer } from '../support/data/knownAddresses';
import { answerFault } from '../support/data/faults';
import { itemOf } from '../support/data/items';
import { numberedAddresses, numberedAddress } from '../support/data/addresses';
import { expectNoSecrets } from '../support/n8n/expectNoSecrets';
import { type LocalServer, serve } from '../support/servers/server';
import {
	completion,
	deliver,
	hookCredential,
	readOutcomes,
	report,
	secrets,
	startTrigger,
	type Trigger,
} from '../support/n8n/triggers';
import {
	connectInRow,
	type PlainNode,
	screenEach,
	screeningNode,
	screeningNodeName,
	runnableWorkflow,
	serviceCredential,
	startNode,
	triggerNodeName,
	credentialsOf,
	workflowOf,
} from '../support/n8n/workflows';
import { startModel } from '../support/servers/model';

const neverEnds = numberedAddress(9001);
/** The address that the second job of a long list begins with. */
const failing = numberedAddress(1000);
const slow = numberedAddress(9002);
const fine = numberedAddress(9003);
const unissued = 'key-that-nobody-issued';
const screenAndWait = {
	resource: 'bulkJob',
	operation: 'screenAndWait',
	addressField: 'address',
	options: { pollInterval: 0.1 },
};

/** The version that `npm run test:n8n` asks for. */
const version = process.env.N8N_VERSION || defaultN8nVersion;

describe(`n8n ${version}`, () => {
	let n8n: N8n;
	let sandbox: Sandbox;
	let elsewhere: Sandbox;
	/** The requests that n8n sent through the proxy of its environment. */
	const proxied: string[] = [];
	let proxy: LocalServer;
	let credential: Saved<Credential>;

	beforeAll(async () => {
		elsewhere = await startSandbox();
		proxy = await serve(({ method, headers }, response) => {
			proxied.push(`${method} ${headers.host}`);
			response.writeHead(502).end();
		});
		sandbox = await startSandbox({
			limit: null,
			jobDurationMs: 100,
			planJob: ({ addresses: [first] }) => ({
				fails: first === failing,
				...(first === neverEnds && { durationMs: 3_600_000 }),
				...(first === slow && { durationMs: 1500 }),
			}),
		});
		n8n = await startFreshInstance(`core-${version}`, {
			version,
			environment: {
				HTTP_PROXY: proxy.url,
				http_proxy: proxy.url,
				NO_PROXY: '127.0.0.1',
				N8N_SSRF_PROTECTION_ENABLED: 'true',
				N8N_SSRF_ALLOWED_IP_RANGES: '127.0.0.1/32',
				// The log is read for secrets, so it shall say all that it can.
				N8N_LOG_LEVEL: 'debug',
			},
		});
		credential = await n8n.saveCredential(
			serviceCredential(sandbox.keys.readWrite, sandbox.baseUrl),
		);
	});

	afterAll(async () => {
		await n8n?.stop();
		await sandbox?.close();
		await elsewhere?.close();
		await proxy?.close();
	});

	beforeEach(() => {
		sandbox.clearFaults();
		sandbox.requests.length = 0;
	});

	const execute = async (
		input: IDataObject[],
		parameters: INode['parameters'],
		onError?: INode['onError'],
		key = credential,
	): Promise<Execution> =>
		n8n.runWorkflow(await n8n.saveWorkflow(runnableWorkflow(input, parameters, key, onError)));
	const reportOf = (of: string) => reportOn(of, undefined, sandbox.baseUrl);
	const itemFor = (of: string) => itemOf(reportOf(of));

	// Another version than the listed ones has no row.
	if (version in n8nVersions) {
		test('is what the page on compatibility names, with its Node.js and its zod', async () => {
			const { folder, command } = await installN8n(version);
			const node = await runCommand([command[0] ?? '', '--version'], { cwd: folder });
			const zod = readFileSync(join(folder, 'node_modules/zod/package.json'), 'utf8');
			const cells = [version, /\d+/.exec(node)?.[0], (JSON.parse(zod) as IDataObject).version];
			const page = readFileSync(join(projectFolder, 'docs/compatibility.md'), 'utf8');
			const rows = page.split('\n').map((row) => row.split('|').map((cell) => cell.trim()));
			expect(rows.map((row) => row.slice(1, 4))).toContainEqual(cells);
		});
	}

	test('has the two nodes, the tool and their icons', async () => {
		const types = (await n8n.nodeTypes()).filter(({ name }) => name.includes('walletScreening'));
		const names = types.map(({ name }) => name.split('.')[1]).sort();
		expect(names).toEqual(['', 'Tool', 'Trigger'].map((end) => `walletScreening${end}`));
		for (const { iconUrl } of types) {
			const { light, dark } = iconUrl as { light: string; dark: string };
			for (const icon of [light, dark]) {
				const { headers } = await fetch(`${n8n.url}/${icon}`);
				expect(headers.get('content-type')).toMatch(/^image\/svg\+xml/);
			}
			expect(dark).not.toBe(light);
		}
	});

	test('screens an address and keeps the PDF of its report', async () => {
		const execution = await execute([{ address }], { ...screenEach, includePdf: true });

		expect(execution.status).toBe('success');
		const [item] = itemsOf(execution, screeningNodeName);
		expect(item).toMatchObject({ json: itemFor(address), pairedItem: { item: 0 } });
		const property = item?.binary?.data;
		const fileName = `${reportOf(address).report_id}.pdf`;
		const file = { data: 'filesystem-v2', mimeType: 'application/pdf', fileName };
		expect(property).toMatchObject(file);
		const pdf = await n8n.binary(property!);
		const date = new Date().toISOString().slice(0, 10);
		expect(pdf.equals(await pdfOf({ report: reportOf(address), date }))).toBe(true);
	});

	test('screens a list in bulk jobs, and gives each item its report or the job that failed', async () => {
		const input = numberedAddresses(2100).map((one) => ({ address: one }));
		const execution = await execute(input, screenAndWait, 'continueRegularOutput');

		expect(execution.status).toBe('success');
		const submitted = sandbox.requests
			.filter(({ method }) => method === 'POST')
			.map(({ body, job_id }) => ({ job_id, ...(body as { addresses: string[] }) }));
		expect(submitted.flatMap(({ addresses }) => addresses).sort()).toEqual(
			input.map((given) => given.address).sort(),
		);
		const failed = submitted.find(({ addresses: [first] }) => first === failing);
		const failure = { errorClass: 'job_failed', job_id: failed?.job_id };
		expect(itemsOf(execution, screeningNodeName)).toMatchObject(
			input.map((given, item) => ({
				json: failed?.addresses.includes(given.address)
					? { details: { ...failure, address: given.address } }
					: itemFor(given.address),
				pairedItem: { item },
			})),
		);
		const hint = { type: 'danger', message: expect.stringMatching(/^1000 failed/) };
		expect(execution.data.resultData.runData[screeningNodeName]?.[0]?.hints).toMatchObject([hint]);
	});

	test('ends the wait for a bulk job when the user stops the execution', async () => {
		const endless = runnableWorkflow([{ address: neverEnds }], screenAndWait, credential);
		const id = await n8n.startExecution(await n8n.saveWorkflow(endless));
		const looksAt = (path: string) =>
			sandbox.requests.filter((request) => request.method === 'GET' && request.path === path);
		const path = await until('the second look at the job', async () => {
			const [look] = sandbox.requests.filter(({ method }) => method === 'GET');
			return look && looksAt(look.path).length > 1 ? look.path : undefined;
		});

		await n8n.stopExecution(id);
		expect((await n8n.finishedExecution(id)).status).toBe('canceled');
		const before = looksAt(path).length;
		// Another job takes longer than any pause that could have begun by now.
		await execute([{ address: slow }], screenAndWait);
		expect(looksAt(path)).toHaveLength(before);
	});

	test('gives good and bad addresses their outcomes, in place, parted, or as an error', async () => {
		const input = [address, 'not good', 'refused1', fine].map((one) => ({ address: one }));
		sandbox.addFault({
			when: ({ body }) => (body as { address?: string } | undefined)?.address === 'refused1',
			effect: { kind: 'answer', status: 400 },
		});
		const reports = [address, fine].map((one) => ({ json: itemFor(one) }));
		const refusals = ['invalid_input', 'bad_request'].map((errorClass, n) => ({
			json: { error: expect.any(String), details: { errorClass, ...input[n + 1] } },
			pairedItem: { item: n + 1 },
		}));

		const inPlace = await execute(input, screenEach, 'continueRegularOutput');
		const items = itemsOf(inPlace, screeningNodeName);
		expect(items).toMatchObject([reports[0], ...refusals, reports[1]]);
		for (const item of items) expect(item).not.toHaveProperty('error');

		const parted = await execute(input, screenEach, 'continueErrorOutput');
		expect(itemsOf(parted, screeningNodeName, 0)).toMatchObject(reports);
		expect(itemsOf(parted, screeningNodeName, 1)).toMatchObject(refusals);

		const stopped = await execute(input.slice(2), screenEach);
		const [message, description] = [expect.stringMatching(/\S/), expect.stringMatching(/\S/)];
		const context = { errorClass: 'bad_request', itemIndex: 0 };
		expect(stopped.data.resultData.error).toMatchObject({ message, description, context });
	});

	test.each([screenEach, screenAndWait])(
		"sends nothing to an address that n8n's own rules forbid, and says so: $operation",
		async (parameters) => {
			const { baseUrl, keys } = sandbox;
			const forbidden = serviceCredential(keys.readWrite, baseUrl.replace('.0.1', '.0.2'));
			const key = await n8n.saveCredential(forbidden);
			const execution = await execute([{ address }], parameters, undefined, key);
			expect(execution.data.resultData.error).toMatchObject({
				message:
					"This n8n's own rules forbid requests to the address of the service, or to where it forwards",
				description: expect.stringMatching(/^Nothing was sent there/),
				context: { errorClass: 'network' },
			});
		},
	);

	test('does not carry the key to another host', async () => {
		const headers = { location: `${elsewhere.baseUrl}/v1/reports/rep_1` };
		sandbox.addFault({ effect: { kind: 'answer', status: 302, headers } });
		const getReport = { resource: 'report', operation: 'get', reportId: 'rep_1', options: {} };
		expect((await execute([{}], getReport)).status).toBe('error');
		expect(elsewhere.requests.length).toBeGreaterThan(0);
		expect(elsewhere.requests.filter(({ key }) => key !== null)).toEqual([]);
	});

	test('decides, compares, verifies evidence that names its run, and makes a digest', async () => {
		const rule = { field: 'level', operator: 'equals', value: 'red', outcome: 'block' };
		const policy = { rulesSource: 'json', rulesJson: JSON.stringify([rule]) };
		/**
		 * Returns a node without a credential, for operations on reports that are already in the
		 * workflow.
		 */
		const without = (name: string, parameters: INode['parameters']): PlainNode => ({
			name,
			type: 'n8n-nodes-wallet-screening.walletScreening',
			parameters,
			onError: 'continueRegularOutput',
		});
		const options = { includeInputFields: true };
		const wanted = {
			...screenEach,
			addDecision: true,
			...policy,
			decisionOptions: { addEvidence: true },
			options,
		};
		const workflow = await n8n.saveWorkflow({
			...workflowOf(
				'Reports',
				startNode,
				screeningNode(credential, wanted, { onError: 'continueRegularOutput' }),
				without('Verify', { resource: 'decision', operation: 'verify' }),
				without('Decide', { resource: 'decision', operation: 'decide', ...policy }),
				without('Compare', { resource: 'report', operation: 'compare' }),
				without('Digest', { resource: 'alert', operation: 'createDigest', title: 'Tonight' }),
			),
			pinData: {
				[startNode.name]: [address, sanctionedMixer, 'not good'].map((one) => ({
					json: { address: one, previous: reportOf(one) } as IDataObject,
				})),
			},
		});
		const execution = await n8n.runWorkflow(workflow);
		const ids = { workflow_id: workflow.id, execution_id: execution.id };
		const verification = { valid: true, findings: [] };
		const verified = itemsOf(execution, 'Verify').map(({ json }) => json);
		const [allowed, blocked, failed] = itemsOf(execution, 'Compare').map(({ json }) => json);
		for (const one of verified.slice(0, 2))
			expect(one).toMatchObject({ evidence: ids, verification });
		expect(allowed).toMatchObject({ outcome: 'allow', change: { kind: 'same' } });
		// No rule is on its sanctions.
		const reasons = [
			{ ...rule, actual: 'red' },
			{ field: 'sanctions', outcome: 'review' },
		];
		expect(blocked).toMatchObject({ outcome: 'block', reasons });
		expect(failed).toMatchObject({ details: { errorClass: 'invalid_input' } });
		expect(failed).not.toHaveProperty('outcome');
		const counts = { block: 1, allow: 1, failed: 1 };
		expect(itemsOf(execution, 'Digest')).toMatchObject([{ json: { total: 3, counts } }]);
		expect(sandbox.requests).toHaveLength(2);
	});

	test('runs each operation in a workflow that was imported from a file and published', async () => {
		const asked = "={{ $('Webhook').first().json.body.address }}";
		const reportId = '={{ $json.report.report_id }}';
		const list = { addressSource: 'list', addresses: asked };
		const { report_id } = reportOf(address);
		/** Each operation works on the items of the one before. */
		const steps: Array<[operation: string, INode['parameters'], item: object]> = [
			['address.check', { address: asked }, { check: { checksum: 'valid', format: 'EVM' } }],
			[
				'address.screen',
				{ address: asked, addDecision: true, decisionOptions: { addEvidence: true } },
				{ outcome: 'allow', report: reportOf(address) },
			],
			['decision.verify', {}, { verification: { valid: true } }],
			['decision.decide', {}, { outcome: 'allow' }],
			['report.compare', { earlierField: 'report' }, { change: { kind: 'same' } }],
			['report.get', { reportId }, itemFor(address)],
			['report.downloadPdf', { reportId }, { report_id }],
			['bulkJob.submit', list, { address_count: 1 }],
			['bulkJob.get', { jobId: '={{ $json.job_id }}' }, { job_id: expect.any(String) }],
			['bulkJob.screenAndWait', { ...list, options: { pollInterval: 0.1 } }, itemFor(address)],
			['alert.createDigest', {}, { total: 1 }],
		];
		const operations = resources.flatMap((resource) =>
			resource.operations.map(({ value }) => `${resource.value}.${value}`),
		);
		expect(steps.map(([operation]) => operation).sort()).toEqual(operations.sort());

		const webhook = {
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			webhookId: 'each-operation',
			parameters: { path: 'each-operation', httpMethod: 'POST', responseMode: 'lastNode' },
		};
		const nodes = steps.map(([name, parameters]) => {
			const [resource = '', operation = ''] = name.split('.');
			return screeningNode(credential, { resource, operation, ...parameters }, { name });
		});
		const workflow = { id: 'each-operation', ...workflowOf('Each Operation', webhook, ...nodes) };
		const file = join(n8n.userFolder, 'each-operation.json');
		await writeFile(file, JSON.stringify([workflow]));
		const { command } = await installN8n(version);
		const env = await environmentOf(n8n.userFolder, await freePort());
		const importing = [...command, 'import:workflow', `--input=${file}`];
		await runCommand(importing, { cwd: n8n.userFolder, env });
		await n8n.publishWorkflow(workflow);

		const headers = { 'content-type': 'application/json' };
		const body = JSON.stringify({ address });
		const url = `${n8n.url}/webhook/each-operation`;
		expect((await fetch(url, { method: 'POST', headers, body })).status).toBe(200);
		const [ended] = await n8n.executionsOf(workflow);
		const execution = await n8n.finishedExecution(ended!.id);
		for (const [name, , item] of steps)
			expect([name, itemsOf(execution, name)]).toMatchObject([name, [{ json: item }]]);
		const [pdf] = itemsOf(execution, 'report.downloadPdf');
		expect(pdf?.binary?.data?.mimeType).toBe('application/pdf');
	});

	test('gives an AI agent the five fields that its user selected, not the whole report', async () => {
		const fields = ['address', 'level', 'outcome', 'score', 'report_id'];
		const model = await startModel();
		try {
			const openAi = await n8n.saveCredential(model.credential);
			const chat = {
				name: 'Model',
				type: '@n8n/n8n-nodes-langchain.lmChatOpenAi',
				typeVersion: 1.2,
				parameters: { model: { __rl: true, mode: 'id', value: 'gpt' }, options: {} },
				credentials: credentialsOf(openAi),
			};
			const tool = screeningNode(
				credential,
				{
					...screenEach,
					address: "={{ $fromAI('address', '', 'string') }}",
					addDecision: true,
					output: 'selected',
					outputFields: fields,
				},
				{ type: 'n8n-nodes-wallet-screening.walletScreeningTool' },
			);
			const agent = {
				name: 'Agent',
				type: '@n8n/n8n-nodes-langchain.agent',
				typeVersion: 2,
				parameters: { promptType: 'define', text: 'Is this wallet safe?', options: {} },
			};
			const toAgent = (type: string) => ({ [type]: [[{ node: 'Agent', type, index: 0 }]] });
			const { connections, ...workflow } = workflowOf('Agent', startNode, agent);
			const saved = await n8n.saveWorkflow({
				...workflow,
				nodes: [...workflow.nodes, ...connectInRow(chat, tool).nodes],
				connections: {
					...connections,
					[chat.name]: toAgent('ai_languageModel') as never,
					[tool.name]: toAgent('ai_tool') as never,
				},
			});
			model.script = ({ tools: [known] = [], messages }) => {
				if (messages.at(-1)?.role === 'tool') return { role: 'assistant', content: 'Done.' };
				const called = { name: known!.function.name, arguments: JSON.stringify({ address }) };
				const call = { id: 'call_1', type: 'function', function: called };
				return { role: 'assistant', content: null, tool_calls: [call] };
			};
			const execution = await n8n.runWorkflow(saved);
			expect(itemsOf(execution, 'Agent')).toMatchObject([{ json: { output: 'Done.' } }]);
			const answer = String(model.requests.at(-1)?.messages.at(-1)?.content);
			const [item] = [JSON.parse(answer) as IDataObject].flat();
			expect(Object.keys(item!).sort()).toEqual([...fields].sort());
			expect(item).toMatchObject({ address, level: reportOf(address).risk.level });
		} finally {
			await model.close();
		}
	});

	describe('tests the credential', () => {
		async function resultOf(
			apiKey: string,
			{ effect, baseUrl = sandbox.baseUrl }: { effect?: FaultEffect; baseUrl?: string } = {},
		): Promise<CredentialTestResult> {
			if (effect) sandbox.addFault({ effect });
			return n8n.testCredential(await n8n.saveCredential(serviceCredential(apiKey, baseUrl)));
		}

		test('and accepts both kinds of key', async () => {
			for (const key of Object.values(sandbox.keys)) {
				expect(await resultOf(key)).toMatchObject({ status: 'OK' });
			}
			const answered = sandbox.requests.map(({ method, status }) => `${method} ${status}`);
			expect(answered).toEqual(['GET 404', 'GET 404']);
		});

		test.each<[string, Parameters<typeof resultOf>[1], RegExp]>([
			['that the service does not accept', {}, /does not accept this API key/],
			['that is not let in', { effect: answerFault(403) }, /IP address/],
			['that is limited', { effect: answerFault(429) }, /rate/],
			['that another web server answers', { effect: answerFault(200) }, /another web server/],
			['while the service is down', { effect: answerFault(503) }, /503/],
			['behind a wall of its own', { effect: answerFault(520) }, /520/],
			[
				'where the address leads elsewhere',
				{ effect: answerFault(302, '{}', { location: '/' }) },
				/302/,
			],
			['where no server listens', { baseUrl: 'http://127.0.0.1:9' }, /refused/i],
			[
				'in a compressed answer',
				{ effect: answerFault(401, gzipSync('{}'), { 'content-encoding': 'gzip' }) },
				/does not accept this API key/,
			],
		])('and refuses one %s', async (_what, circumstances, message) => {
			expect(await resultOf(unissued, circumstances)).toEqual({
				status: 'Error',
				message: expect.stringMatching(message),
			});
			expect(sandbox.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
		});
	});

	describe('has a trigger', () => {
		let hook: Saved<Credential>;
		beforeAll(async () => {
			hook = await n8n.saveCredential(hookCredential(secrets.body));
		});

		/** The outcomes, once n8n has stored as many executions. */
		async function outcomesAfter(count: number, trigger: Trigger): Promise<IDataObject[][]> {
			const stored = async () => (await n8n.executionsOf(trigger.workflow)).length;
			await until(`${count} executions`, async () => (await stored()) >= count || undefined);
			return readOutcomes(n8n, trigger);
		}

		test('that starts with what the service signed, until it is switched off', async () => {
			const trigger = await startTrigger(n8n, hook);
			const results = [report(), report('green')];
			const body = completion(...results);
			const next = report();

			expect(await deliver(trigger, body, {})).toMatchObject({ status: 401, text: 'missing' });
			const forged = { 'X-Signature': '0'.repeat(64) };
			expect(await deliver(trigger, body, forged)).toMatchObject({ status: 401, text: 'mismatch' });
			expect(await deliver(trigger, body)).toMatchObject({ status: 200, text: 'accepted' });
			expect(await outcomesAfter(1, trigger)).toEqual([results]);

			await n8n.unpublishWorkflow(trigger.workflow);
			expect((await deliver(trigger, completion(next))).status).toBe(404);
			await n8n.publishWorkflow(trigger.workflow);
			expect(await deliver(trigger, body)).toMatchObject({ status: 200, text: 'repeat' });
			expect(await deliver(trigger, completion(next))).toMatchObject({ text: 'accepted' });
			expect(await outcomesAfter(2, trigger)).toEqual([results, [next]]);

			await n8n.listenForTestEvent(trigger.workflow, triggerNodeName);
			const [test, last] = [{ url: trigger.testUrl }, report()];
			expect(await deliver(test, completion(last), {})).toMatchObject({ status: 401 });
			expect(await deliver(test, completion(last))).toMatchObject({ text: 'accepted' });
			expect(await outcomesAfter(3, trigger)).toEqual([results, [next], [last]]);
		});

		test('that does not start without a secret, and says where it belongs', async () => {
			const empty = await n8n.saveCredential(hookCredential(''));
			const id = randomUUID();
			await expect(startTrigger(n8n, empty, {}, id)).rejects.toThrow(
				/'Webhook Secret' of the credential is empty/,
			);
			const url = `${n8n.url}/webhook/${id}/webhook`;
			expect((await deliver({ url }, completion(report()))).status).toBe(404);
		});
	});

	test('sends what NO_PROXY names without the proxy of its environment, and all else through it', async () => {
		const { port } = new URL(elsewhere.baseUrl);
		const node = {
			name: 'HTTP Request',
			type: 'n8n-nodes-base.httpRequest',
			typeVersion: 4.2,
			parameters: { url: `http://localhost:${port}/proxied` },
		};
		await n8n.runWorkflow(await n8n.saveWorkflow(workflowOf('Request', startNode, node)));
		expect(proxied).toEqual([`GET localhost:${port}`]);
	});

	test('leaves no secret in the execution data, the log or any file of n8n', async () => {
		const hidden = [...Object.values(sandbox.keys), secrets.body, unissued];
		await expectNoSecrets(n8n, { secrets: hidden, stored: address, logged: triggerNodeName });
	});
});
