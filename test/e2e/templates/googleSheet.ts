import type { Saved, Workflow } from '../../../tools/host/workflow';
import {
	greenAddress as green,
	greenAddresses,
	notGreenAddress,
	otherGreen as other,
	sanctionedAddress,
	thirdGreen as third,
} from '../../support/templates/templateAddresses';
import { screenedAddresses } from '../../support/templates/screenedAddresses';
import { stage } from '../../support/templates/stage';
import { daysAgo } from '../../support/templates/times';
import { parametersOf } from '../../support/templates/templateParameters';

/** The workflow that screens the addresses of a Google Sheet. */
export function googleSheetTests(): void {
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

	test('writes each result into the row of its address, as text, also if a person sorts meanwhile', async () => {
		const spaced = ` ${sanctionedAddress}`;
		fill(green, spaced, notGreenAddress, 'two words');
		let reads = 0;
		stage.sheets.onRequest = ({ method }) => {
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
		expect(screenedAddresses()).toEqual([]);
		setCell(green, 'address', greenAddresses[3]!);
		setCell(other, 'screened_at', daysAgo(31));
		setCell(third, 'screened_at', 'yesterday');
		setCell(notGreenAddress, 'outcome', 'fine');
		setCell(sanctionedAddress, 'screened_at', daysAgo(29));
		await run();
		expect(screenedAddresses().sort()).toEqual(
			[greenAddresses[3]!, other, third, notGreenAddress].sort(),
		);
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
}
