import type { IDataObject } from 'n8n-workflow';
import { type Execution, type Saved, type Workflow } from '../../../host/instance';
import { until } from '../../../host/until';
import { dataOf } from '../../../host/rest';
import type { FaultEffect } from '../../../sandbox/faults';
import { type Report, reportOn } from '../../../sandbox/reports';
import type { Sandbox } from '../../../sandbox/server';
import { scenarios } from '../../../sandbox/scenarios';
import template from '../../../templates/screen-a-long-list.json';
import { greenAddresses, sanctionedAddress } from './addresses';
import { type DataTable, dataTable, makeTables, type TableName } from './dataTable';
import { logInPerson, type Person, postForm } from './person';
import { type Changes, type Stage, untilQuiet } from './stage';

export interface Row extends IDataObject {
	id: number;
	address: string;
	state: string | null;
	batch: string | null;
	job_ids: string | null;
	reason: string | null;
	report_id: string | null;
	decision: string | null;
	claimed_at: string | null;
	notified_at: string | null;
}

const trigger = 'Every Minute';
const hoursAgo = (hours: number) => new Date(Date.now() - hours * 3_600_000).toISOString();

/** The test address of the sandbox whose number ends in these digits. */
const scenario = (digits: string) =>
	scenarios.find(({ address }) => address.endsWith(digits))!.address;

/** The bulk jobs that the service accepted, with their addresses. */
export const jobsOf = ({ requests }: Sandbox) =>
	requests.flatMap(({ job_id, body }) =>
		job_id ? [{ job_id, addresses: (body as { addresses: string[] }).addresses }] : [],
	);

/** Makes the table of a long list. */
export async function makeTable(stage: Stage, workflow: Saved<Workflow>): Promise<TableName> {
	const made = await makeTables(stage, workflow);
	return made('Make the Table of Wallets');
}

/** Logs in somebody who may fill in the form: everybody with an account of this n8n. */
export const whoDecides = async ({ n8n }: Stage): Promise<Person> =>
	await logInPerson(n8n.url, n8n.login);

const formPath = 'batch-in-doubt';

/**
 * Fills in the form for a batch in doubt: with the job that the vendor has, or with nothing. Gives the number of rows that
 * go on, as the last page says.
 */
export async function letGoOn(person: Person, batch: string, jobIds: string): Promise<number> {
	const { status, page } = await person.sendForm(formPath, [batch, jobIds]);
	expect(status).toBe(200);
	const [, count] = /Rows that go on: (\d+)/.exec(page) ?? [];
	if (count) return Number(count);
	expect(page).toContain('No row in doubt has this batch');
	return 0;
}

/** The workflow whose list survives that n8n is stopped. What a kill does to it: longListKills.test.ts. */
export function longListTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let table: DataTable;
	let person: Person;

	beforeAll(async () => {
		stage = stageOf();
		const rarely = { rule: { interval: [{ field: 'hours', hoursInterval: 12 }] } };
		const changes: Changes = {
			[trigger]: { parameters: rarely },
			'Submit Them': { parameters: { options: { maxRetries: 0 } } },
			'Get the Reports': { parameters: { options: { simplify: true, maxRetries: 0 } } },
		};
		workflow = await stage.importTemplate(template, changes);
		table = dataTable(stage.rest, await makeTable(stage, workflow));
		// For the form.
		await stage.n8n.publishWorkflow(workflow);
		person = await whoDecides(stage);
	});
	afterAll(async () => await stage.n8n.unpublishWorkflow(workflow));

	/** A run, some time after the one before. */
	const run = async () => {
		await table.setAll({ looked_at: hoursAgo(1) });
		return await stage.runFrom(workflow, trigger);
	};
	const errorOf = ({ data }: Execution) => data.resultData.error?.message;
	const rows = async () => await table.rows<Row>();
	const rowOf = async (address: string) => (await rows()).find((row) => row.address === address)!;
	const said = () => JSON.stringify(stage.slack.messages);
	/** A list of these wallets, and nothing else. */
	const list = async (...wallets: Array<string | IDataObject>) => {
		await table.clear();
		await table.insert(...wallets.map((one) => (typeof one === 'string' ? { address: one } : one)));
	};
	/** Runs until the job of the list is complete. */
	const runToTheEnd = async () =>
		await until('the job to be complete', async () => {
			expect((await run()).status).toBe('success');
			return (await rows()).every(({ state }) => state !== 'submitted') || undefined;
		});
	const onGet = (effect: FaultEffect) =>
		stage.sandbox.addFault({ when: ({ method }) => method === 'GET', effect });
	const onPost = (effect: FaultEffect) =>
		stage.sandbox.addFault({ when: ({ method }) => method === 'POST', effect });
	const [green, other, third] = greenAddresses as [string, string, string];

	test('the first row makes the table, with samples that are not screened yet, and no second time', async () => {
		await makeTable(stage, workflow);
		expect(await rows()).toMatchObject([
			{ customer_id: 'C-1', state: null, report_id: null },
			{ customer_id: 'C-2', state: null, report_id: null },
			{ customer_id: 'C-3', address: sanctionedRonin, state: null, report_id: null },
		]);
	});

	test('submits the list, stores the ID of the job, then the results, and sends one message', async () => {
		expect((await run()).status).toBe('success');
		const [job] = jobsOf(stage.sandbox);
		for (const row of await rows()) {
			expect(row).toMatchObject({ state: 'submitted', job_ids: job?.job_id, report_id: null });
		}
		expect(stage.slack.messages).toEqual([]);

		await runToTheEnd();
		for (const row of await rows()) {
			const { risk, ...report } = reportOn(row.address, undefined, stage.sandbox.baseUrl);
			const { report_id, report_url, chain } = report;
			expect(row).toMatchObject({ state: 'done', report_id, report_url, chain });
			expect(row).toMatchObject({ level: risk.level, score: risk.score });
			expect(row.decision).toBe(row.address === sanctionedRonin ? 'block' : 'allow');
			expect(row.notified_at).toMatch(/^\d{4}-/);
		}
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages).toMatchObject([
			{ channel: '#compliance', text: expect.stringMatching(/1 block, 2 allow/i) },
		]);
		expect(said()).toContain(sanctionedRonin);
		expect(jobsOf(stage.sandbox)).toHaveLength(1);
	});

	test('when all is done, it asks the service for nothing, and sends nothing', async () => {
		expect((await run()).status).toBe('success');
		expect(stage.sandbox.requests).toEqual([]);
		expect(stage.slack.messages).toEqual([]);
	});

	test('a row whose state is emptied is screened again, and nothing of its old report counts', async () => {
		await table.setAll({ state: null });
		onGet({ kind: 'rewrite', rewrite: (job) => (job.results ? { ...job, results: [] } : job) });
		await runToTheEnd();
		for (const row of await rows()) {
			expect(row).toMatchObject({ report_id: null, level: null, decision: null });
			expect(row.state).not.toBe('done');
		}
	});

	test('each address has one outcome: a report, or the reason why the service gave no report', async () => {
		const slip = '0x28C6c06298d514Db0899 34071355E5743bf21d60';
		await list(
			...[green, scenario('10'), sanctionedAddress, slip, scenario('13'), scenario('14')],
			...[{ address: scenario('15'), chain: 'ETH' }, `  ${other}\t`, ''],
			...[
				{ address: third, customer_id: 'A' },
				{ address: third, customer_id: 'B' },
			],
		);
		await runToTheEnd();
		const results = (await rows()).map(({ state, decision }) => [state, decision]);
		expect(results).toEqual([
			['done', 'allow'],
			['done', 'review'],
			['done', 'block'],
			['not screened', null],
			['not screened', null],
			['not screened', null],
			['done', 'review'],
			['done', 'allow'],
			['not screened', null],
			['done', 'allow'],
			['done', 'allow'],
		]);
		expect((await rowOf(slip)).reason).toMatch(/space/);
		expect((await rowOf(scenario('13'))).reason).toMatch(/rejected/);
		expect((await rowOf(scenario('14'))).reason).toMatch(/no report/);
		expect((await rowOf(scenario('15'))).reason).toMatch(/BSC/);
		const paid = jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);
		expect(new Set(paid).size).toBe(paid.length);
		for (const address of [slip, scenario('13'), scenario('14')]) expect(said()).toContain(address);
	});

	test('another spelling of the address in the results is the same address', async () => {
		await list(sanctionedAddress.toUpperCase().replace('0X', '0x'));
		onGet({
			kind: 'rewrite',
			rewrite: ({ results, ...job }) => ({
				...job,
				...(results && {
					results: results.map((one: Report) => ({ ...one, address: one.address.toLowerCase() })),
				}),
			}),
		});
		await runToTheEnd();
		expect(await rows()).toMatchObject([{ state: 'done', decision: 'block' }]);
	});

	test('of reports on several chains, the worst decides', async () => {
		await list(green, other);
		const worse = (one: Report) => ({ ...one, chain: 'BSC', risk: { ...one.risk, level: 'red' } });
		onGet({
			kind: 'rewrite',
			rewrite: ({ results, ...job }) => ({
				...job,
				...(results && { results: [worse(results[0]), ...results, worse(results[1])] }),
			}),
		});
		await runToTheEnd();
		expect(await rows()).toMatchObject([
			{ state: 'done', decision: 'review', level: 'red' },
			{ state: 'done', decision: 'review', level: 'red' },
		]);
	});

	test.each([401, 503])(
		'if the service answers %i, the rows go back into the list, the run fails, and the next one submits them',
		async (status) => {
			await list(green, other);
			onPost({ kind: 'answer', status });
			const failed = await run();
			expect(failed.status).toBe('error');
			expect(errorOf(failed)).toMatch(/^n8n put rows back into the list: \w/);
			for (const row of await rows()) expect(row.state || null).toBeNull();
			expect(stage.slack.messages).toEqual([]);

			stage.sandbox.clearFaults();
			await runToTheEnd();
			for (const row of await rows()) expect(row.state).toBe('done');
			expect(jobsOf(stage.sandbox)).toHaveLength(1);
		},
	);

	const doubts: Array<[string, FaultEffect, number]> = [
		['answers 500', { kind: 'answer', status: 500 }, 0],
		['breaks the connection', { kind: 'reset', at: 'beforeAnswer' }, 1],
		['sends half of its answer', { kind: 'truncate' }, 1],
	];
	test.each(doubts)(
		'if the service %s, the rows are in doubt, and nothing is submitted until a person has decided',
		async (_, effect, jobs) => {
			await list(green, other);
			onPost(effect);
			expect((await run()).status).toBe('success');
			stage.sandbox.clearFaults();
			await table.insert({ address: third });
			for (const _ of [1, 2]) expect((await run()).status).toBe('success');
			const [one, two, later] = await rows();
			expect([one, two, later].map((row) => row?.state)).toEqual(['in doubt', 'in doubt', null]);
			expect(jobsOf(stage.sandbox)).toHaveLength(jobs);
			expect(stage.slack.messages).toHaveLength(1);
			for (const text of [green, other, String(one?.batch)]) expect(said()).toContain(text);

			const job = jobsOf(stage.sandbox)[0]?.job_id ?? '';
			expect(await letGoOn(person, ` ${one?.batch} `, job)).toBe(2);
			await runToTheEnd();
			expect((await rows()).map(({ state }) => state)).toEqual(['done', 'done', 'done']);
			const paid = jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);
			expect(paid.sort()).toEqual([green, other, third].sort());
			// Once in doubt, and once with its result.
			expect(said().split(green).length - 1).toBe(2);
			expect(stage.slack.messages.at(-1)?.text).toMatch(/allow/i);
		},
	);

	test('the form changes no row that is not in doubt', async () => {
		await list({ address: green, state: 'submitting', batch: 'B', claimed_at: hoursAgo(0) });
		expect(await letGoOn(person, 'B', '')).toBe(0);
		expect(await rows()).toMatchObject([{ state: 'submitting', batch: 'B' }]);
	});

	test('nobody without a login lets a batch go on', async () => {
		const before = { address: green, state: 'in doubt', batch: 'B', claimed_at: hoursAgo(2) };
		await list(before);
		const token = await person.openForm(formPath);
		const url = `${stage.n8n.url}/form/${formPath}`;
		const forged = [
			{},
			{ 'x-auth-token': token.slice(0, -2) },
			{ authorization: `Bearer ${token}` },
		];
		for (const headers of forged) {
			expect((await postForm(url, ['B', ''], headers as Record<string, string>)).status).toBe(401);
		}
		await untilQuiet(stage, workflow);
		expect(await rows()).toMatchObject([{ state: 'in doubt', batch: 'B' }]);
		expect(await letGoOn(person, 'B', '')).toBe(1);
		expect((await rows())[0]?.state || null).toBeNull();
	});

	test('what a run left that died is in doubt after an hour, not before', async () => {
		await list(
			{ address: green, state: 'submitting', batch: 'old', claimed_at: hoursAgo(1.1) },
			{ address: other, state: 'submitting', batch: 'new', claimed_at: hoursAgo(0.9) },
		);
		expect((await run()).status).toBe('success');
		expect(await rows()).toMatchObject([{ state: 'in doubt' }, { state: 'submitting' }]);
		expect(stage.sandbox.requests).toEqual([]);
		expect(said()).toContain(green);
		expect(said()).toMatch(/may be billed.*batch old/);
	});

	const pending: Array<[string, FaultEffect]> = [
		[
			'is not complete',
			{ kind: 'rewrite', rewrite: ({ job_id }) => ({ job_id, status: 'queued' }) },
		],
		['is not found', { kind: 'answer', status: 404 }],
		['has an answer that is not JSON', { kind: 'answer', status: 200, body: '<html>' }],
	];
	test.each(pending)('a job that %s is looked at again, for a day', async (_, effect) => {
		await list(green);
		await run();
		onGet(effect);
		for (const _ of [1, 2]) expect((await run()).status).toBe('success');
		expect(await rows()).toMatchObject([{ state: 'submitted' }]);
		expect(stage.slack.messages).toEqual([]);

		await table.setAll({ claimed_at: hoursAgo(25) });
		expect((await run()).status).toBe('success');
		const [row] = await rows();
		expect(row).toMatchObject({ state: 'in doubt', report_id: null });
		expect(row?.reason).toMatch(/\w{3}/);
		expect(said()).toContain(green);
		expect(jobsOf(stage.sandbox)).toHaveLength(1);
	});

	test('a batch is looked at once in two minutes, whatever runs there are', async () => {
		await list(green);
		await run();
		onGet({ kind: 'rewrite', rewrite: ({ job_id }) => ({ job_id, status: 'queued' }) });
		await run();
		const looks = () => stage.sandbox.requests.filter(({ method }) => method === 'GET').length;
		expect(looks()).toBe(1);
		expect((await stage.runFrom(workflow, trigger)).status).toBe('success');
		expect(looks()).toBe(1);
		await run();
		expect(looks()).toBe(2);
	});

	test('a job that failed is in doubt, except the addresses that it has a report for', async () => {
		await list(green, other);
		onGet({
			kind: 'rewrite',
			rewrite: ({ results, ...job }) =>
				results ? { ...job, status: 'failed', results: results.slice(1) } : job,
		});
		await runToTheEnd();
		const states = (await rows()).map(({ state }) => state);
		expect(states).toEqual(['in doubt', expect.stringMatching(/^(done|in doubt)$/)]);
		expect((await rowOf(green)).reason).toMatch(/without completing/);
	});

	test('if Slack is down, the results are in the table, and the next run sends them', async () => {
		await list(green, sanctionedAddress);
		await run();
		stage.slack.isDown = true;
		await until('the job to be complete', async () => {
			await run();
			return (await rows()).every(({ state }) => state === 'done') || undefined;
		});
		expect(await rows()).toMatchObject([{ notified_at: null }, { notified_at: null }]);
		stage.slack.isDown = false;
		expect((await run()).status).toBe('success');
		expect(stage.slack.messages).toHaveLength(1);
		expect(said()).toContain(sanctionedAddress);
	});

	test('runs at the same time submit no address twice', async () => {
		const wallets = greenAddresses.slice(0, 60);
		await list(...wallets);
		onPost({ kind: 'delay', ms: 300 });
		const start = async () => {
			const body = { workflowData: workflow, triggerToStartFrom: { name: trigger } };
			const path = `/workflows/${workflow.id}/run`;
			return await dataOf<{ executionId: string }>(stage.rest('POST', path, body));
		};
		const started = await Promise.all([start(), start(), start(), start()]);
		const all = started.map(({ executionId }) => stage.n8n.finishedExecution(executionId));
		const statuses = (await Promise.all(all)).map(({ status }) => status);
		expect(statuses).toContain('success');
		const paid = jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);
		expect(new Set(paid).size).toBe(paid.length);
		stage.sandbox.clearFaults();
		await runToTheEnd();
		for (const { state } of await rows()) expect(state).toBe('done');
		expect(
			jobsOf(stage.sandbox)
				.flatMap(({ addresses }) => addresses)
				.sort(),
		).toEqual([...wallets].sort());
	}, 180_000);
}

const sanctionedRonin = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
