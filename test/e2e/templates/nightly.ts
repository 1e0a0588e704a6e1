import type { IDataObject } from 'n8n-workflow';
import { type Execution, itemsOf, type Saved, type Workflow } from '../../../host/instance';
import { type Report, reportOn } from '../../../sandbox/reports';
import { scenarios } from '../../../sandbox/scenarios';
import template from '../../../templates/rescreen-customers-nightly.json';
import { greenAddresses } from './addresses';
import { type DataTable, dataTable, makeTables } from './dataTable';
import type { Stage } from './stage';

interface Row extends IDataObject {
	id: number;
	customer: string;
	wallet: string;
	level: string | null;
	score: number | null;
	report_url: string | null;
	screened_at: string | null;
	due: string | null;
	last_notified: string | null;
}

const ethereumFoundation = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe';
const bitfinex = 'bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97';
const thief = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const allIsWell = (count: number) => `Customers due: ${count}. Nothing changed.`;

/** The test address of the sandbox whose number ends in these digits. */
const wallet = (digits: string) =>
	scenarios.find(({ address }) => address.endsWith(digits))!.address;

/** The workflow that screens customers again each night. Its tests are the nights of one n8n, in order. */
export function nightlyTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let table: DataTable;
	let history: DataTable;

	beforeAll(async () => {
		stage = stageOf();
		workflow = await stage.importTemplate(template);
	});
	afterAll(() => stage.sandbox.setDay(0));

	const rows = async () => await table.rows<Row>();
	const rowOf = async (address: string) => (await rows()).find((row) => row.wallet === address)!;
	/** Lets everybody be due, as a week does. */
	const weekLater = async () => await table.setAll({ due: '2026-01-01T00:00:00.000Z' });

	const night = async (): Promise<Execution> => {
		stage.slack.messages.length = 0;
		return await stage.runFrom(workflow, 'Every Night at Two');
	};
	const messages = () => stage.slack.messages.map(({ text }) => text);
	/** Everything that Slack was sent. */
	const said = () => JSON.stringify(stage.slack.messages);
	const screened = (run: Execution) =>
		itemsOf(run, 'Compare').map(
			({ json }) => json.address ?? (json.details as IDataObject)?.address,
		);
	const changeOf = (run: Execution, address: string) =>
		itemsOf(run, 'Compare').find(({ json }) => json.address === address)?.json.change as
			{ kind: string } | undefined;

	/** What the service says of all wallets from now on. */
	const results = (change: (reports: Report[]) => unknown[]) =>
		stage.sandbox.addFault({
			when: ({ method }) => method === 'GET',
			effect: {
				kind: 'rewrite',
				rewrite: (job) => (job.results ? { ...job, results: change(job.results) } : job),
			},
		});

	test('the first row makes the tables, with samples that are not screened yet', async () => {
		const made = await makeTables(stage, workflow);
		table = dataTable(stage.rest, made('Make the Table of Customers'));
		history = dataTable(stage.rest, made('Make the Table of the History'));
		const nothing = { level: null, score: null, due: null, last_notified: null };
		expect(await rows()).toMatchObject([
			{ customer: 'Ethereum Foundation', wallet: ethereumFoundation, ...nothing },
			{ customer: 'Cold Wallet of Bitfinex', wallet: bitfinex, ...nothing },
			{ customer: 'Ronin Bridge Thief (Sanctioned)', wallet: thief, ...nothing },
		]);
	});

	test('a second click makes nothing twice', async () => {
		await makeTables(stage, workflow);
		expect(await rows()).toHaveLength(3);
	});

	test('its schedule is one that n8n accepts', async () => {
		await expect(stage.n8n.publishWorkflow(workflow)).resolves.toBeUndefined();
		await stage.n8n.unpublishWorkflow(workflow);
	});

	test('the first night reports everybody, the worst first, and stores all results', async () => {
		expect((await night()).status).toBe('success');
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages).toMatchObject([{ channel: '#compliance' }]);
		for (const address of [thief, bitfinex, ethereumFoundation]) expect(said()).toContain(address);
		expect(said()).toContain(`${thief} · Ronin Bridge Thief (Sanctioned)`);
		expect(said().indexOf(thief)).toBeLessThan(said().indexOf(bitfinex));

		for (const row of await rows()) {
			const report = reportOn(row.wallet, undefined, stage.sandbox.baseUrl);
			const { risk, report_url } = report;
			expect(row).toMatchObject({ level: risk.level, score: risk.score, report_url });
			expect(JSON.parse(row.last_notified!)).toMatchObject({ ...report });
		}
		expect(await history.rows()).toMatchObject([
			{ wallet: ethereumFoundation, outcome: 'allow', change: 'first', level: 'green' },
			{ wallet: bitfinex, outcome: 'allow', change: 'first', level: 'green' },
			{ wallet: thief, outcome: 'block', change: 'first', level: 'red' },
		]);
	});

	test('a customer who is not green is screened the next night, a green one after a week', async () => {
		expect(screened(await night())).toEqual([thief]);
		expect(messages()).toEqual([allIsWell(1)]);

		const days = (Date.parse((await rowOf(bitfinex)).due!) - Date.now()) / 86_400_000;
		expect(days).toBeGreaterThan(6.4);
		expect(days).toBeLessThan(6.6);
		await weekLater();
		expect(screened(await night())).toEqual([ethereumFoundation, bitfinex, thief]);
		expect(messages()).toEqual([allIsWell(3)]);
	});

	test('the history keeps every screening, with the whole report', async () => {
		const kept = await history.rows();
		expect(kept.map(({ change }) => change)).toEqual([
			...['first', 'first', 'first', 'same', 'same', 'same', 'same'],
		]);
		const report = reportOn(thief, undefined, stage.sandbox.baseUrl);
		expect(JSON.parse(String(kept.at(-1)?.report))).toMatchObject({ ...report });
	});

	test('when nobody is due, one line says so', async () => {
		await table.clear();
		const run = await night();
		expect(run.status).toBe('success');
		expect(messages()).toEqual([allIsWell(0)]);
		expect(stage.sandbox.requests).toEqual([]);
	});

	test('over ten days: who turns red, drifts, or rises within a level is reported once', async () => {
		const names = { '20': 'Turns Red', '21': 'Drifts', '22': 'Same Level', '06': 'Stays Green' };
		const customers = Object.entries(names);
		await table.insert(
			...customers.map(([digits, customer]) => ({ customer, wallet: wallet(digits) })),
		);
		const reported: Record<string, number[]> = { '20': [], '21': [], '22': [], '06': [] };
		for (let day = 0; day <= 10; day++) {
			stage.sandbox.setDay(day);
			// A green customer is due after a week; here everybody is due each night.
			await weekLater();
			expect((await night()).status).toBe('success');
			for (const digits of Object.keys(reported)) {
				if (said().includes(wallet(digits))) reported[digits]!.push(day);
			}
		}
		// The drift of 0.02 a night is more than 0.1 on every sixth night.
		expect(reported).toEqual({ '20': [0, 1], '21': [0, 6], '22': [0, 1], '06': [0] });
	});

	test('a change for the better is reported, and is the new measure', async () => {
		stage.sandbox.setDay(0);
		await weekLater();
		const run = await night();
		expect(changeOf(run, wallet('20'))?.kind).toBe('better');
		expect(said()).toContain(wallet('20'));
		await weekLater();
		await night();
		expect(messages()).toEqual([allIsWell(4)]);
	});

	test('a wallet without a result is reported each night, and keeps its last result', async () => {
		const before = await rows();
		const lost = wallet('22');
		results((reports) => reports.filter(({ address }) => address !== lost));
		for (const _ of [1, 2]) {
			expect((await night()).status).toBe('success');
			expect(said()).toContain(lost);
			expect(await rowOf(lost)).toEqual(before.find((row) => row.wallet === lost));
		}
	});

	test('a night in which the service refuses reports every wallet, and stores nothing', async () => {
		await weekLater();
		const before = await rows();
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		expect((await night()).status).toBe('success');
		for (const row of before) expect(said()).toContain(row.wallet);
		expect(said()).toMatch(/4 failed/i);
		expect(await rows()).toEqual(before);
	});

	test('what Slack did not take is not stored, and reported again', async () => {
		await weekLater();
		stage.sandbox.setDay(1);
		const before = await rows();
		stage.slack.isDown = true;
		expect((await night()).status).toBe('error');
		expect(await rows()).toEqual(before);

		stage.slack.isDown = false;
		expect((await night()).status).toBe('success');
		expect(said()).toContain(wallet('20'));
		expect((await rowOf(wallet('20'))).level).toBe('red');
	});

	test('an invalid wallet is reported, and the others are screened', async () => {
		await table.insert(
			{ customer: 'Empty', wallet: '' },
			{ customer: 'Slip', wallet: `${thief} x` },
		);
		await weekLater();
		const run = await night();
		expect(run.status).toBe('success');
		expect(itemsOf(run, 'Compare').filter(({ json }) => json.error)).toHaveLength(2);
		expect(said()).toMatch(/2 failed/i);
		for (const name of ['Empty', `${thief} x · Slip`]) expect(said()).toContain(name);
		expect((await rowOf(wallet('06'))).level).toBe('green');
	});

	test('a wallet that changes during its screening gets no result of the old one, and stays due', async () => {
		await table.clear();
		await history.clear();
		await table.insert({ customer: 'Moves', wallet: ethereumFoundation });
		stage.slack.meanwhile = async () => await table.setAll({ wallet: thief });
		expect((await night()).status).toBe('success');
		expect(said()).toContain(ethereumFoundation);
		const nothing = { level: null, score: null, due: null, last_notified: null };
		expect(await rows()).toMatchObject([{ wallet: thief, ...nothing }]);
		await night();
		expect(await rows()).toMatchObject([{ wallet: thief, level: 'red' }]);
		expect(await history.rows()).toMatchObject([
			{ wallet: ethereumFoundation, outcome: 'allow' },
			{ wallet: thief, outcome: 'block' },
		]);
	});

	test('a hundred customers, all red, are one message that Slack takes', async () => {
		await table.clear();
		const data = greenAddresses
			.slice(0, 100)
			.map((address, n) => ({ customer: `C${n}`, wallet: address }));
		await table.insert(...data);
		results((reports) =>
			reports.map((report) => ({ ...report, risk: { ...report.risk, level: 'red' } })),
		);
		expect((await night()).status).toBe('success');
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages).toHaveLength(1);
		expect(said()).toMatch(/more items that are not listed/);
	});
}
