import type { IDataObject } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { scenarioAddress } from '../../../sandbox/scenarios';
import {
	greenAddress as green,
	greenAddresses,
	notGreenAddress,
	otherGreen as other,
	sanctionedAddress,
	thirdGreen as third,
} from './addresses';
import { table, where } from './dataTable';
import { type FormPage, logInOwner, type Person } from './person';
import { yearlySchedule, parametersOf, slackTexts, stage } from './stage';

const daysFromNow = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

/** The workflows that screen many addresses at once. */
export function listTests(): void {
	const screened = () =>
		stage.sandbox.requests.flatMap(({ path, body }) => {
			if (path === '/v1/screen') return [(body as { address: string }).address];
			return path === '/v1/bulk' ? (body as { addresses: string[] }).addresses : [];
		});

	describe('a payout run', () => {
		let person: Person;
		beforeAll(async () => {
			await stage.publishTemplate('screen-a-payout-run', {
				'When a Person Uploads a File': { webhookId: 'payout-run' },
			});
			person = await logInOwner();
		});
		afterAll(() => stage.withdrawAll());
		const upload = async (csv: string) => {
			const file = new File([csv], 'run.csv', { type: 'text/csv' });
			return await (await person.open('payout-run')).send({ 'CSV file': file });
		};
		/** The files on the page of the result, by their names. */
		const filesOf = ({ html }: FormPage, delimiter = ',') => {
			const [, encoded = ''] = /JSON\.parse\(decodeURIComponent\(["']([^"']+)/.exec(html) ?? [];
			const files = JSON.parse(decodeURIComponent(encoded || '%5B%5D')) as any[];
			return Object.fromEntries(
				files.map(({ fileName, data }): [string, IDataObject[]] => {
					// The page makes bytes of the characters again.
					const bytes = Buffer.from(data.data ?? data, 'latin1');
					return [
						fileName,
						parse(bytes, {
							columns: true,
							bom: true,
							delimiter,
						}) as IDataObject[],
					];
				}),
			);
		};

		test.each([',', ';', '\t'])('each row of a file with "%s" is in one list', async (by) => {
			const rows = [
				['address', 'memo', 'payment', '"a name, in quotes"'],
				[green, '', 'P1', ''],
				[sanctionedAddress, 'a memo', 'P2', ''],
				['two words', '', 'P3', ''],
				[notGreenAddress, '', 'P4', ''],
				[green, '', 'P5', ''],
			];
			// Excel begins a file with a mark of the order of its bytes.
			const page = await upload(`\ufeff${rows.map((row) => row.join(by)).join('\r\n')}`);
			expect(page.words).toMatch(
				/Pay 2 of 5 rows Allowed 2 .*Sanctions hits 1 .*To review 1 .*Blocked 0 .*Not screened 1 .*release.csv and do-not-pay.csv/,
			);
			const files = filesOf(page, by);
			expect(files['release.csv']).toMatchObject([
				{ payment: 'P1', address: green, memo: '', screening: 'allow' },
				{ payment: 'P5', screening: 'allow' },
			]);
			const columns = ['address', 'memo', 'payment', 'a name, in quotes', 'screening'];
			for (const rowsOfFile of Object.values(files))
				expect(Object.keys(rowsOfFile[0]!).slice(0, 5)).toEqual(columns);
			expect(files['do-not-pay.csv']).toMatchObject([
				{
					payment: 'P2',
					screening: 'sanctions hit',
					screening_url: expect.stringMatching(/^http/),
				},
				{ payment: 'P3', screening: 'not screened', screening_why: expect.stringMatching(/space/) },
				{ payment: 'P4', screening: 'review' },
			]);
		});

		test('columns of the file decide nothing, and a failure pays nobody', async () => {
			const header = 'address,outcome,screening,decision';
			const page = await upload(`${header}\n${sanctionedAddress},allow,allow,allow\n`);
			expect(page.words).toContain('Pay 0 of 1 rows');
			expect(filesOf(page)).toEqual({
				'do-not-pay.csv': [expect.objectContaining({ screening: 'sanctions hit' })],
			});
			stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
			expect((await upload(`address\n${green}\n`)).words).toContain('Pay 0 of 1 rows');
		});

		const twice = `address;amount;"address"\n${sanctionedAddress};1;${green}\n`;
		test.each([
			['has no addresses', 'wallet,amount\nx,1\n', 'Its columns: wallet,amount'],
			['has no rows', 'address,amount\r\n', 'Nothing was screened'],
			['hides rows', 'address\n"unclosed\n', 'Nothing was screened'],
			['hides columns', twice, 'Nothing was screened'],
		])('a file that %s releases nothing', async (_, csv, words) => {
			expect((await upload(csv)).words).toContain(words);
			expect(screened()).toEqual([]);
		});
	});

	describe('customers, night after night', () => {
		let workflow: Saved<Workflow>;
		beforeAll(async () => {
			await stage.publishTemplate('rescreen-customers-compare');
			const schedule = { 'Every Night at Two': yearlySchedule };
			workflow = await stage.importTemplate('rescreen-customers-nightly', schedule);
		});
		afterAll(() => stage.withdrawAll());
		const customers = table('Screening Customers');
		const results = table('Screening Customer Results');
		const worse = scenarioAddress('sanctionedFromDay1');
		/** The newest result of the customer with this reference. */
		const resultOf = async (reference: string) =>
			(await results.rows<IDataObject>())
				.filter((row) => row.reference === reference)
				.sort((a, b) => Number(a.id) - Number(b.id))
				.at(-1);
		const night = async () => {
			stage.clear();
			await stage.runFrom(workflow, 'Every Night at Two');
		};
		beforeEach(async () => {
			await customers.clear();
			// The workflow makes the table of its results.
			await night();
			await results.clear();
			stage.clear();
			stage.sandbox.setDay(0);
		});

		test('reports each new or changed customer once, and that nothing changed', async () => {
			await customers.insert(
				{ reference: 'green', address: green },
				{ reference: 'red', address: sanctionedAddress },
				{ reference: 'worse', address: worse },
			);
			await night();
			for (const known of [green, sanctionedAddress, worse]) expect(slackTexts()).toContain(known);
			expect(await resultOf('green')).toMatchObject({ outcome: 'allow', level: 'green' });
			const due = String((await resultOf('green'))!.due_at);
			expect(due > daysFromNow(6)).toBe(true);

			// Allowed customers are due in a week, the others every night.
			await night();
			expect(screened()).toEqual([sanctionedAddress]);
			expect(slackTexts()).toContain('Customers screened: 1. Nothing changed.');

			// The same report, and another decision than before.
			await results.setAll({ outcome: 'review' }, where('address', sanctionedAddress));
			await night();
			expect(slackTexts()).toContain(sanctionedAddress);

			await results.setAll({ due_at: null });
			stage.sandbox.setDay(1);
			await night();
			expect(slackTexts()).toContain('1 block, 1 worse than before');
			expect(slackTexts()).toContain(worse);
			expect(slackTexts()).not.toContain(green);
			await night();
			expect(slackTexts()).toContain('Nothing changed');
		});

		test('a customer who was not screened is named each night, and keeps what was known', async () => {
			await customers.insert({ reference: 'one', address: green });
			await night();
			const { id, createdAt, updatedAt, ...known } = (await resultOf('one'))!;
			await results.setAll({ due_at: null });
			stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
			for (let time = 0; time < 2; time++) {
				stage.slack.messages = [];
				await stage.runFrom(workflow, 'Every Night at Two');
				expect(slackTexts()).toContain('1 not screened');
				expect(await resultOf('one')).toMatchObject({ ...known, due_at: null });
			}
		});

		test('the results of two nights at most are kept', async () => {
			await customers.insert(
				{ reference: 'stays', address: sanctionedAddress },
				{ reference: 'leaves', address: notGreenAddress },
			);
			await night();
			await customers.clear(where('reference', 'leaves'));
			for (let time = 0; time < 3; time++) await night();
			const rows = await results.rows<IDataObject>();
			expect(rows.map(({ reference }) => reference)).toEqual(['stays', 'stays']);
		});

		test('a result that was not reported to the team is not saved, nor does it replace a newer one', async () => {
			await customers.insert({ reference: 'one', address: worse });
			stage.setDown('slack', 'mail');
			const run = await stage.n8n.runFrom(workflow, 'Every Night at Two');
			expect(run.status).toBe('error');
			expect(await results.rows()).toEqual([]);
			stage.sandbox.setDay(1);
			await night();
			expect(slackTexts()).toContain(worse);
			expect(await resultOf('one')).toMatchObject({ outcome: 'block' });
			const retried = await stage.n8n.retryExecution(run.id);
			expect((await stage.n8n.finishedExecution(retried)).status).toBe('success');
			await night();
			expect(slackTexts()).toContain('Nothing changed');
		});

		test('a result counts only for its wallet and its chain', async () => {
			await customers.insert({ reference: 'one', address: green, chain: 'ETH' });
			stage.slack.meanwhile = async () => await customers.setAll({ chain: 'BSC' });
			await stage.runFrom(workflow, 'Every Night at Two');
			expect(await resultOf('one')).toMatchObject({ chain: 'ETH' });
			for (const [row, because] of [
				[{ chain: 'BSC' }, 'the chain changed while it was screened'],
				[{ address: sanctionedAddress }, 'another address'],
				[{ chain: null }, 'no chain'],
			] as const) {
				await customers.setAll(row);
				await results.setAll({ due_at: daysFromNow(7) });
				await night();
				const { chain = 'BSC' } = row as { chain?: string | null };
				expect([because, screened().length]).toEqual([because, 1]);
				expect(await resultOf('one')).toMatchObject({ chain: chain ?? '' });
			}
			await results.setAll({ due_at: daysFromNow(7) });
			await night();
			expect(slackTexts()).toContain('screened: 0. Nothing changed.');
		});

		test('a table without customers is told', async () => {
			await night();
			expect(slackTexts()).toContain('Screening Customers is empty');
		});
	});

	describe('a Google Sheet', () => {
		let workflow: Saved<Workflow>;
		beforeAll(async () => {
			workflow = await stage.importTemplate('screen-a-sheet');
		});
		const run = async () => await stage.runFrom(workflow, 'Every Morning at Six');
		const fill = (...addresses: string[]) => {
			stage.sheets.cells = [['customer', 'address'], ...addresses.map((one, n) => [`C${n}`, one])];
		};
		const rows = () => {
			const [header = [], ...lines] = stage.sheets.cells;
			return lines.map((line) =>
				Object.fromEntries(header.map((name, n) => [String(name), String(line[n] ?? '')])),
			);
		};
		const setCell = (address: string, column: string, value: string) => {
			const [header = [], ...lines] = stage.sheets.cells;
			lines.find((cells) => cells[1] === address)![header.indexOf(column)] = value;
		};

		test('writes each result into the row of its address, as text, also if somebody sorts meanwhile', async () => {
			const spaced = ` ${sanctionedAddress}`;
			fill(green, spaced, notGreenAddress, 'two words');
			let reads = 0;
			stage.sheets.before = ({ method }) => {
				if (method !== 'GET' || ++reads !== 3) return;
				const [header = [], ...lines] = stage.sheets.cells;
				stage.sheets.cells = [header, ...lines.reverse()];
			};
			await run();
			const outcomes = Object.fromEntries(rows().map(({ address, outcome }) => [address, outcome]));
			expect(outcomes).toEqual({
				[green]: 'allow',
				[spaced]: 'block',
				[notGreenAddress]: 'review',
				'two words': 'not screened',
			});
			for (const row of rows()) expect(row.screened_address).toBe(row.address);
			expect(new Set(stage.sheets.writes)).toEqual(new Set(['RAW']));
		});

		test('shows by the chain that a result is of another row of the same address', async () => {
			stage.sheets.cells = [['address', 'chain'], ...['BTC', 'ETH'].map((chain) => [green, chain])];
			await run();
			const counting = rows().filter(({ chain, screened_chain }) => chain === screened_chain);
			expect(rows()).toMatchObject([{ outcome: expect.any(String) }, { outcome: '' }]);
			expect(counting.map(({ outcome }) => outcome)).not.toContain('allow');
		});

		test('takes only rows that failed, changed, or are too old', async () => {
			fill(green, other, third, notGreenAddress, sanctionedAddress);
			await run();
			stage.clear();
			await run();
			expect(screened()).toEqual([]);
			setCell(green, 'address', greenAddresses[3]!);
			setCell(other, 'screened_at', daysFromNow(-31));
			setCell(third, 'screened_at', 'yesterday');
			setCell(notGreenAddress, 'outcome', 'fine');
			setCell(sanctionedAddress, 'screened_at', daysFromNow(-29));
			await run();
			expect(screened().sort()).toEqual([greenAddresses[3]!, other, third, notGreenAddress].sort());
		});

		test('rows without an address are named after the others are written; an old result is not', async () => {
			fill(green, '', sanctionedAddress);
			stage.sheets.cells.splice(2, 0, []);
			const reason = await stage.runToFailure(workflow, 'Every Morning at Six');
			expect(reason).toMatch(/row 4$/);
			expect(rows().map(({ outcome }) => outcome)).toEqual(['allow', '', '', 'block']);
			const parameters = parametersOf('screen-a-sheet', 'Result');
			const [time] = parameters.assignments.assignments.slice(-1);
			time.value = time.value.replace('.toISO', ".minus(11, 'minutes').toISO");
			const old = await stage.importTemplate('screen-a-sheet', { Result: { parameters } });
			fill(green);
			await stage.runToFailure(old, 'Every Morning at Six');
			expect(rows()).toEqual([{ customer: 'C0', address: green }]);
		});

		test('if the service fails, the rows say so and stay due', async () => {
			stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
			fill(green);
			await run();
			expect(rows()).toMatchObject([{ outcome: 'not screened', level: '', report_url: '' }]);
			stage.clear();
			await run();
			expect(rows()).toMatchObject([{ outcome: 'allow' }]);
		});
	});
}
