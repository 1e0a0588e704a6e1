import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../host/instance';
import { dataOf } from '../../../host/rest';
import { type Report, reportOn } from '../../../sandbox/reports';
import template from '../../../templates/rescreen-customers-nightly.json';
import { greenAddresses } from './addresses';
import type { Stage } from './stage';

interface Row extends IDataObject {
	customer: string;
	wallet: string;
	level: string | null;
	score: number | null;
	report_url: string | null;
	screened_at: string | null;
}

const night = 'Every Night at Two';
const ethereumFoundation = '0xde0B295669a9FD93d5F28D9Ec85E40f4cb697BAe';
const bitfinex = 'bc1qgdjqv0av3q56jvd82tkdjpy7gdp9ut8tlqmgrpmv24sq90ecnvqqjwvw97';
const thief = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';

/** The workflow that screens all customers again each night. Its tests are the nights of one n8n, in order. */
export function nightlyTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let table: { id: string; projectId: string };

	beforeAll(async () => {
		stage = stageOf();
		workflow = await stage.importTemplate(template);
	});

	const pass = async () => await stage.runFrom(workflow, night);
	const rows = async (): Promise<Row[]> => {
		const path = `/projects/${table.projectId}/data-tables/${table.id}/rows?take=250`;
		return (await dataOf<{ data: Row[] }>(stage.rest('GET', path))).data;
	};
	const rowOf = async (wallet: string) => (await rows()).find((row) => row.wallet === wallet);
	const told = () => stage.slack.messages.flatMap(({ text = '' }) => text.split('\n').slice(1));

	/** What the service says of all wallets from now on. */
	const results = (change: (reports: Report[]) => unknown[]) =>
		stage.sandbox.addFault({
			when: ({ method }) => method === 'GET',
			effect: {
				kind: 'rewrite',
				rewrite: (job) => (job.results ? { ...job, results: change(job.results) } : job),
			},
		});
	const withRisk = (risks: Record<string, Partial<Report['risk']> | { level: string }>) =>
		results((reports) =>
			reports.map((report) => ({
				...report,
				risk: { ...report.risk, ...risks[report.address] },
			})),
		);

	test('the first row makes the table, with samples that are not screened yet', async () => {
		const run = await stage.runFrom(workflow, 'Click Here Once to Make the Table');
		expect(run.status).toBe('success');
		table = itemsOf(run, 'Make the Table')[0]?.json as unknown as typeof table;
		const nothing = { level: null, score: null, report_url: null, screened_at: null };
		expect(await rows()).toMatchObject([
			{ customer: 'Ethereum Foundation', wallet: ethereumFoundation, ...nothing },
			{ customer: 'Cold Wallet of Bitfinex', wallet: bitfinex, ...nothing },
			{ customer: 'Ronin Bridge Thief (Sanctioned)', wallet: thief, ...nothing },
		]);
	});

	test('a second click makes nothing twice', async () => {
		const run = await stage.runFrom(workflow, 'Click Here Once to Make the Table');
		expect(run.status).toBe('success');
		expect(await rows()).toHaveLength(3);
	});

	test('its schedule is one that n8n accepts', async () => {
		await expect(stage.n8n.publishWorkflow(workflow)).resolves.toBeUndefined();
		await stage.n8n.unpublishWorkflow(workflow);
	});

	test('the first night tells whoever is not green, and stores all results', async () => {
		expect((await pass()).status).toBe('success');
		const { risk, report_url } = reportOn(thief, undefined, stage.sandbox.baseUrl);
		expect(stage.slack.messages).toMatchObject([{ channel: '#compliance' }]);
		expect(told()).toEqual([
			`Ronin Bridge Thief (Sanctioned): not known (score not known) → red (score ${risk.score}) ${report_url}`,
		]);
		for (const row of await rows()) {
			const report = reportOn(row.wallet, undefined, stage.sandbox.baseUrl);
			expect(row).toMatchObject({
				level: report.risk.level,
				score: report.risk.score,
				report_url: report.report_url,
				screened_at: expect.stringMatching(/^\d{4}-\d\d-\d\dT/),
			});
		}
	});

	test('a night without a change tells nothing', async () => {
		expect((await pass()).status).toBe('success');
		expect(stage.slack.messages).toEqual([]);
	});

	test('a level that nobody knows, and a score that is well up, are told and stored', async () => {
		const { score } = reportOn(ethereumFoundation, undefined, '').risk;
		withRisk({ [bitfinex]: { level: 'amber' }, [ethereumFoundation]: { score: score + 0.25 } });
		expect((await pass()).status).toBe('success');
		expect(stage.slack.messages).toHaveLength(1);
		expect(told()).toEqual([
			expect.stringMatching(/^Ethereum Foundation: green .* → green /),
			expect.stringMatching(/^Cold Wallet of Bitfinex: green .* → amber /),
		]);
		expect(await rowOf(bitfinex)).toMatchObject({ level: 'amber' });
		expect(await rowOf(ethereumFoundation)).toMatchObject({ score: score + 0.25 });
	});

	test('a change for the better, and a score that is a little up, are stored and not told', async () => {
		const { score } = reportOn(thief, undefined, '').risk;
		withRisk({ [thief]: { score: score + 0.19 } });
		expect((await pass()).status).toBe('success');
		expect(stage.slack.messages).toEqual([]);
		expect(await rowOf(bitfinex)).toMatchObject({ level: 'green' });
		expect(await rowOf(thief)).toMatchObject({ score: score + 0.19 });
	});

	test('a wallet that gets no result is told, and keeps its last one with its date', async () => {
		const before = await rows();
		results((reports) => reports.filter(({ address }) => address !== thief));
		expect((await pass()).status).toBe('success');
		expect(told()).toEqual([
			expect.stringMatching(
				/^Ronin Bridge Thief \(Sanctioned\): not screened, nothing new is known/,
			),
		]);
		const kept = before.find(({ wallet }) => wallet === thief);
		expect(await rowOf(thief)).toEqual(kept);
		expect((await rowOf(bitfinex))?.screened_at).not.toBe(
			before.find(({ wallet }) => wallet === bitfinex)?.screened_at,
		);
	});

	test('a night in which the service refuses tells of every wallet, and stores nothing', async () => {
		const before = await rows();
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		expect((await pass()).status).toBe('success');
		expect(told()).toEqual(
			before.map(({ customer }) => expect.stringContaining(`${customer}: not screened`)),
		);
		expect(await rows()).toEqual(before);
	});

	test('what Slack could not be told is not stored, and told again', async () => {
		const before = await rowOf(bitfinex);
		withRisk({ [bitfinex]: { level: 'amber' } });
		stage.slack.isDown = true;
		expect((await pass()).status).toBe('error');
		expect(await rowOf(bitfinex)).toEqual(before);

		stage.slack.isDown = false;
		expect((await pass()).status).toBe('success');
		expect(told()).toContainEqual(
			expect.stringMatching(/^Cold Wallet of Bitfinex: green .* → amber /),
		);
	});

	test('a wallet that is none is told, and the others are screened', async () => {
		const path = `/projects/${table.projectId}/data-tables/${table.id}/insert`;
		const slip = { customer: 'Slip & <!here>', wallet: 'two words' };
		await stage.rest('POST', path, { data: [slip], returnType: 'id' });
		expect((await pass()).status).toBe('success');
		expect(told()).toEqual([
			expect.stringMatching(/^Slip &amp; &lt;!here&gt;: not screened.*white space/),
		]);
		expect(await rowOf('two words')).toMatchObject({ level: null, screened_at: null });
	});

	test('however many got worse, each is told, fifty to a message', async () => {
		const path = `/projects/${table.projectId}/data-tables/${table.id}/insert`;
		const customers = greenAddresses.slice(0, 101).map((wallet, number) => ({
			...{ customer: `Customer ${number}`, wallet, level: 'green', score: 0 },
		}));
		await stage.rest('POST', path, { data: customers, returnType: 'id' });
		withRisk(Object.fromEntries(customers.map(({ wallet }) => [wallet, { level: 'amber' }])));
		expect((await pass()).status).toBe('success');
		const lines = told().filter((line) => line.startsWith('Customer '));
		expect(lines.map((line) => line.split(':')[0])).toEqual(
			customers.map(({ customer }) => customer),
		);
		expect(Math.max(...stage.slack.messages.map(({ text = '' }) => text.length))).toBeLessThan(
			40_000,
		);
		expect(stage.slack.messages.length).toBeGreaterThan(2);
	});
}
