import type { Execution, Saved, Workflow } from '../../../host/instance';
import { reportOn } from '../../../sandbox/reports';
import { scenarios } from '../../../sandbox/scenarios';
import template from '../../../templates/screen-a-sheet.json';
import { greenAddresses, notGreenAddress, sanctionedAddress } from './addresses';
import { jobsOf } from './longList';
import type { Stage } from './stage';

const added = ['screened_wallet', 'level', 'decision', 'reason', 'report_url', 'screened_at'];
const missingInBulk = scenarios.find(({ isMissingInBulk }) => isMissingInBulk)!.address;
const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** The workflow that screens the wallets of a Google Sheet. */
export function sheetTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	beforeAll(async () => {
		stage = stageOf();
		const { assignments } = template.nodes.find(({ name }) => name === 'Your Sheet')!.parameters;
		const [url, ...others] = assignments!.assignments;
		const filledIn = { assignments: [{ ...url!, value: stage.sheets.url }, ...others] };
		workflow = await stage.importTemplate(template, {
			'Your Sheet': { parameters: { assignments: filledIn } },
			'Screen Them in Bulk': {
				parameters: { options: { includeInputFields: true, simplify: true, maxRetries: 0 } },
			},
		});
	});

	const run = async () => await stage.runFrom(workflow, 'Every Morning at Six');
	const errorOf = ({ data }: Execution) => data.resultData.error?.message;
	/** Makes a sheet of customers with these wallets. */
	const fill = (...wallets: string[]) => {
		stage.sheets.cells = [['customer', 'wallet'], ...wallets.map((one, n) => [`C${n}`, one])];
	};
	/** The rows of the sheet, by the names of the columns. */
	const rows = () => {
		const [header = [], ...lines] = stage.sheets.cells;
		return lines.map((line) =>
			Object.fromEntries(header.map((name, n) => [String(name), String(line[n] ?? '')])),
		);
	};
	const rowOf = (wallet: string) => rows().find((row) => row.wallet === wallet)!;
	/** Changes a cell as a person does. */
	const setCell = (wallet: string, column: string, value: string) => {
		const [header = [], ...lines] = stage.sheets.cells;
		const line = lines.find((cells) => cells[1] === wallet)!;
		line[header.indexOf(column)] = value;
	};
	/** Sorts the rows the other way round. */
	const sort = () => {
		const [header = [], ...lines] = stage.sheets.cells;
		stage.sheets.cells = [header, ...lines.reverse()];
	};
	const paid = () => jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);
	const [green, other, third] = greenAddresses as [string, string, string];

	test('writes level, decision, reason, link and date into the row of each wallet', async () => {
		fill(green, sanctionedAddress, notGreenAddress, 'two words', green, '', missingInBulk);
		expect((await run()).status).toBe('success');
		expect(stage.sheets.cells[0]).toEqual(['customer', 'wallet', ...added]);
		expect(rows().map(({ customer, decision }) => [customer, decision])).toEqual([
			['C0', 'allow'],
			['C1', 'block'],
			['C2', 'review'],
			['C3', 'not screened'],
			['C4', 'allow'],
			['C5', 'not screened'],
			['C6', 'not screened'],
		]);
		for (const row of rows()) {
			expect(row.screened_wallet).toBe(row.wallet);
			expect(row.reason).toMatch(/\w{3}/);
			expect(Math.abs(Date.parse(row.screened_at!) - Date.now())).toBeLessThan(600_000);
		}
		for (const row of rows().filter(({ decision }) => decision === 'not screened')) {
			expect(row).toMatchObject({ level: '', report_url: '' });
		}
		for (const row of rows().filter(({ decision }) => decision !== 'not screened')) {
			const { risk, report_url } = reportOn(row.wallet!, undefined, stage.sandbox.baseUrl);
			expect(row).toMatchObject({ level: risk.level, report_url });
		}
		expect(rowOf('two words').reason).toMatch(/space/);
		// A text of the service that looks like a formula stays a text.
		for (const { valueInputOption } of stage.sheets.writes) expect(valueInputOption).toBe('RAW');
		expect(new Set(paid()).size).toBe(paid().length);
	});

	test('takes only rows that failed, changed, or are too old', async () => {
		fill(green, other, third, notGreenAddress, sanctionedAddress);
		await run();
		stage.clear();
		expect((await run()).status).toBe('success');
		expect(stage.sandbox.requests).toEqual([]);

		setCell(green, 'wallet', greenAddresses[3]!);
		setCell(other, 'screened_at', daysFromNow(-31));
		setCell(third, 'screened_at', daysFromNow(31));
		setCell(notGreenAddress, 'decision', 'fine');
		setCell(sanctionedAddress, 'screened_at', daysFromNow(-29));
		expect((await run()).status).toBe('success');
		expect(paid().sort()).toEqual([greenAddresses[3]!, other, third, notGreenAddress].sort());
		expect(rowOf(greenAddresses[3]!).screened_wallet).toBe(greenAddresses[3]);
		expect(rowOf(notGreenAddress).decision).toBe('review');
	});

	test.each(['', 'yesterday', '45000'])('a row with the date "%s" is due', async (date) => {
		fill(green, other);
		await run();
		stage.clear();
		setCell(green, 'screened_at', date);
		await run();
		expect(paid()).toEqual([green]);
	});

	test('if the sheet is sorted during the screening, each row gets its own result', async () => {
		fill(green, sanctionedAddress, other);
		let reads = 0;
		stage.sheets.before = ({ method, path }) => {
			// The first read is for the screening; then a person sorts.
			if (method === 'GET' && path.includes('/values/') && ++reads === 2) sort();
			return undefined;
		};
		expect((await run()).status).toBe('success');
		expect(rows().map(({ customer }) => customer)).toEqual(['C2', 'C1', 'C0']);
		expect(rowOf(sanctionedAddress).decision).toBe('block');
		for (const wallet of [green, other]) expect(rowOf(wallet).decision).toBe('allow');
	});

	test('if it is sorted in the very moment of the writing, the rows say so, and the next run puts it right', async () => {
		fill(green, sanctionedAddress);
		stage.sheets.before = ({ path }) => {
			if (path.endsWith(':batchUpdate')) sort();
			return undefined;
		};
		expect((await run()).status).toBe('success');
		expect(rowOf(sanctionedAddress)).toMatchObject({ decision: 'allow', screened_wallet: green });

		stage.clear();
		expect((await run()).status).toBe('success');
		for (const row of rows()) expect(row.screened_wallet).toBe(row.wallet);
		expect(rowOf(sanctionedAddress).decision).toBe('block');
	});

	test('a row that gets another wallet during the screening gets no result, and is screened next time', async () => {
		fill(green, other);
		let reads = 0;
		stage.sheets.before = ({ method, path }) => {
			if (method === 'GET' && path.includes('/values/') && ++reads === 2) {
				setCell(other, 'wallet', sanctionedAddress);
			}
			return undefined;
		};
		expect((await run()).status).toBe('success');
		expect(rowOf(green).decision).toBe('allow');
		expect(rowOf(sanctionedAddress).decision).toBe('');
		stage.clear();
		await run();
		expect(rowOf(sanctionedAddress).decision).toBe('block');
	});

	test.each([401, 500])(
		'if the service answers %i, each row says so, and no old result stands beside it',
		async (status) => {
			fill(green, sanctionedAddress);
			await run();
			for (const wallet of [green, sanctionedAddress]) setCell(wallet, 'screened_at', '');
			stage.sandbox.addFault({ effect: { kind: 'answer', status } });
			expect((await run()).status).toBe('success');
			for (const row of rows()) {
				expect(row).toMatchObject({ decision: 'not screened', level: '', report_url: '' });
				expect(row.reason).toMatch(/API key|unavailable/);
			}
		},
	);

	test('if Google takes no results, the run fails, and Retry writes them without another screening', async () => {
		fill(green, sanctionedAddress);
		stage.sheets.before = ({ path }) => (path.endsWith(':batchUpdate') ? 503 : undefined);
		const failed = await run();
		expect(failed.status).toBe('error');
		expect(rowOf(green).decision || '').toBe('');

		stage.sheets.before = () => undefined;
		const retried = await stage.n8n.retryExecution(failed.id);
		expect((await stage.n8n.finishedExecution(retried)).status).toBe('success');
		expect(rowOf(green).decision).toBe('allow');
		expect(rowOf(sanctionedAddress).decision).toBe('block');
		expect(jobsOf(stage.sandbox)).toHaveLength(1);
	});

	test('in a sheet without the column, each row says so, and nothing is screened', async () => {
		const lines = [green, other].map((wallet, n) => [`C${n}`, wallet]);
		stage.sheets.cells = [['customer', 'address'], ...lines];
		expect((await run()).status).toBe('success');
		for (const row of rows()) {
			expect(row).toMatchObject({ decision: 'not screened', level: '' });
			expect(row.reason).toContain("'wallet'");
		}
		expect(stage.sandbox.requests).toEqual([]);
	});

	test('if nobody is left to write a result for, the run fails', async () => {
		fill(green);
		let reads = 0;
		stage.sheets.before = ({ method, path }) => {
			if (method === 'GET' && path.includes('/values/') && ++reads === 2) fill();
			return undefined;
		};
		const failed = await run();
		expect(failed.status).toBe('error');
		expect(errorOf(failed)).toMatch(/^Nothing was written/);
		expect(stage.sheets.writes).toEqual([]);
	});

	test('a sheet without rows is no error', async () => {
		fill();
		expect((await run()).status).toBe('success');
		expect(stage.sandbox.requests).toEqual([]);
	});

	test('its schedule is one that n8n accepts', async () => {
		await expect(stage.n8n.publishWorkflow(workflow)).resolves.toBeUndefined();
		await stage.n8n.unpublishWorkflow(workflow);
	});
}
