import { parse } from 'csv-parse/sync';
import { until } from '../../../host/until';
import type { Saved, Workflow } from '../../../host/instance';
import type { Fault } from '../../../sandbox/faults';
import { scenarios } from '../../../sandbox/scenarios';
import template from '../../../templates/screen-a-payout-run.json';
import { greenAddresses, notGreenAddress, sanctionedAddress } from './addresses';
import { logInPerson, type Person, postForm } from './person';
import type { Stage } from './stage';

type Row = Record<string, string>;

const wallet = (digits: string) =>
	scenarios.find(({ address }) => address.endsWith(digits))!.address;
const formPath = 'payout-run';
const csvFile = (csv: string) => new File([csv], 'run.csv', { type: 'text/csv' });
const names = ['release', 'held', 'not-screened'] as const;

/** The workflow that parts a payout run into three lists. */
export function payoutTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let person: Person;
	beforeAll(async () => {
		stage = stageOf();
		workflow = await stage.importTemplate(template);
		await stage.n8n.publishWorkflow(workflow);
		person = await logInPerson(stage.n8n.url, stage.n8n.login);
	});
	afterAll(async () => await stage.n8n.unpublishWorkflow(workflow));

	/** Uploads a CSV file in the form, and reads the lists that come by e-mail. */
	const upload = async (csv: string) => {
		const earlier = new Set((await stage.n8n.executionsOf(workflow)).map(({ id }) => id));
		const { status } = await person.sendForm(formPath, [csvFile(csv)]);
		expect(status).toBe(200);
		const started = await until('the execution', async () =>
			(await stage.n8n.executionsOf(workflow)).find(({ id }) => !earlier.has(id)),
		);
		const run = await stage.n8n.finishedExecution(String(started.id));
		const listOf = (name: string): Row[] => {
			const files = stage.mail.letters.flatMap(({ attachments }) => attachments);
			const found = files.filter(({ filename }) => filename === `${name}.csv`);
			expect(found.length).toBeLessThanOrEqual(1);
			const [file] = found;
			return file
				? parse(Buffer.from(file.content as ArrayBuffer), { columns: true, bom: true })
				: [];
		};
		const [release, held, notScreened] = names.map(listOf) as [Row[], Row[], Row[]];
		return {
			status: run.status,
			error: run.data.resultData.error?.message,
			release,
			held,
			notScreened,
		};
	};
	const ids = (rows: Row[]) => rows.map(({ id }) => id);
	const [green, other] = greenAddresses as [string, string];
	const csvOf = (...addresses: string[]) =>
		['id,address,amount', ...addresses.map((address, n) => `P${n},"${address}",${n}.50`)].join(
			'\n',
		);

	test('puts every row into one list, with its own columns and the reason', async () => {
		const run = await upload(
			csvOf(
				green,
				sanctionedAddress,
				notGreenAddress,
				'two words',
				'',
				green,
				wallet('14'),
				wallet('10'),
			),
		);
		expect(run.status).toBe('success');
		expect(ids(run.release)).toEqual(['P0', 'P5']);
		expect(ids(run.held)).toEqual(['P1', 'P2', 'P7']);
		expect(ids(run.notScreened)).toEqual(['P3', 'P4', 'P6']);
		expect(run.release[0]).toMatchObject({
			...{ address: green, amount: '0.50', screening_list: 'release' },
			screening_reason: expect.stringMatching(/^Allow/),
		});
		expect(run.held[0]).toMatchObject({ screening_reason: expect.stringMatching(/^Block/) });
		for (const { screening_reason } of run.notScreened) expect(screening_reason).toMatch(/\w{3}/);
		const text = 'Release: 2\nHeld: 3\nNot screened: 3';
		expect(stage.mail.letters).toHaveLength(3);
		for (const letter of stage.mail.letters) expect(letter.text).toContain(text);
	});

	const faults: Array<[string, Fault]> = [
		['refuses the key', { effect: { kind: 'answer', status: 401 } }],
		['is down', { effect: { kind: 'answer', status: 503 } }],
		['breaks connections', { effect: { kind: 'reset', at: 'beforeAnswer' } }],
		['answers with no JSON', { effect: { kind: 'answer', status: 200, body: '<html>' } }],
		[
			'sends no results',
			{ effect: { kind: 'rewrite', rewrite: (job) => ({ ...job, results: job.results && [] }) } },
		],
		[
			'sends results without levels',
			{
				effect: {
					kind: 'rewrite',
					rewrite: (job) => ({
						...job,
						results: job.results?.map(({ risk: _, ...report }: { risk: unknown }) => report),
					}),
				},
			},
		],
	];
	test.each(faults)(
		'when the service %s, the lists add up, and none may be paid',
		async (_, fault) => {
			stage.sandbox.addFault(fault);
			const run = await upload(csvOf(green, sanctionedAddress, other));
			expect(run.status).toBe('success');
			expect([run.release, run.held]).toEqual([[], []]);
			expect(ids(run.notScreened)).toEqual(['P0', 'P1', 'P2']);
		},
	);

	test('columns of the file that look like a result release nothing', async () => {
		const forged = `id,address,decision,error,screening_list\nP0,${sanctionedAddress},allow,,release\nP1,no wallet here,allow,,release`;
		const run = await upload(forged);
		expect(run.release).toEqual([]);
		expect(ids(run.held)).toEqual(['P0']);
		expect(ids(run.notScreened)).toEqual(['P1']);
	});

	test('every column of the file is kept, and none of them decides', async () => {
		const columns = {
			...{ id: '', amount: '1.50', 'net.amount': '1.25', error: 'none', decision: 'allow' },
			...{ details: 'rent', risk_categories: 'low', balance: '7', tx_count: '3', chain: 'ours' },
			...{ risk_level: 'green', report_id: 'R-1', report_url: 'x', json: '{}', address: '' },
		};
		const rows = [green, sanctionedAddress, 'no wallet here'].map((address, n) => ({
			...{ ...columns, address, id: `P${n}` },
		}));
		const lines = [Object.keys(columns), ...rows.map((row) => Object.values(row))];
		const run = await upload(lines.map((line) => line.join()).join('\n'));
		expect(run.status).toBe('success');
		expect([run.release, run.held, run.notScreened]).toMatchObject(rows.map((row) => [row]));
		const [released] = run.release;
		expect(released).toMatchObject({ screening_level: 'green', screening_chain: 'ETH' });
		expect(released!.screening_report_url).toMatch(/^http/);
	});

	test('a file without rows is one row that was not screened', async () => {
		const run = await upload('id,address\n');
		expect(run.status).toBe('success');
		expect(run.notScreened).toHaveLength(1);
		expect([...run.release, ...run.held]).toEqual([]);
	});

	test('a file that nobody signed in for starts nothing', async () => {
		const before = await stage.n8n.executionsOf(workflow);
		const url = `${stage.n8n.url}/form/${formPath}`;
		expect((await postForm(url, [csvFile(csvOf(green))])).status).toBe(401);
		expect(await stage.n8n.executionsOf(workflow)).toEqual(before);
		expect(stage.sandbox.requests).toEqual([]);
	});

	test('lists that hold fewer rows than the file end the run, and none is sent', async () => {
		// Only Not Green leaves rows out.
		const leaky = await stage.importTemplate(template, {
			'When Somebody Uploads a File': { disabled: false },
			'Screen All Recipients and Wait': {
				parameters: { options: { simplify: true, onlyNotGreen: true } },
			},
		});
		await stage.n8n.unpublishWorkflow(workflow);
		workflow = leaky;
		await stage.n8n.publishWorkflow(workflow);
		const run = await upload(csvOf(green, sanctionedAddress));
		expect(run).toMatchObject({
			status: 'error',
			error: 'File: 2 rows. Lists: 1 rows. Pay nobody.',
		});
		expect(stage.mail.letters).toEqual([]);
	});
}
