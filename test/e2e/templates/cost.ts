import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { verifyItem } from '../../support/unit/verification';
import {
	greenAddress as green,
	greenAddresses,
	notGreenAddress,
	otherGreen as other,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import { table, where } from '../../support/templates/dataTable';
import {
	foundation,
	tellWhatStops,
	type ScreeningResult,
} from '../../support/templates/foundation';
import { readPage } from '../../support/templates/page';
import { screenedAddresses } from '../../support/templates/screenedAddresses';
import { jobsOf } from '../../support/templates/longList';
import { stage } from '../../support/templates/stage';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { yearlySchedule } from '../../support/templates/schedules';
import { pastTime } from '../../support/templates/times';

/**
 * What saves screenings: reports that are used again, and the budget of a month. Both are off
 * unless a team sets them.
 */
export function costTests(): void {
	const [results, settings] = [table('Screening Results'), table('Screening Settings')];
	const [budget, told] = [table('Screening Budget'), table('Screening Told')];
	const policies = table('Screening Policies');
	const used = async () => (await budget.rows()).map(({ screenings }) => screenings);
	const screen = async (...items: IDataObject[]) =>
		await callWorkflow<ScreeningResult & { reused: string | null; report_id: string }>(
			foundation.screening,
			items,
		);
	/** The addresses that the service screened, of which it then forgets that it did. */
	const takeScreened = () => screenedAddresses(stage.sandbox.requests.splice(0));
	const set = async (reuse_hours: number, monthly_budget: number) =>
		await settings.setAll({ reuse_hours, monthly_budget });
	const clear = async () => {
		for (const one of [results, budget, told]) await one.clear();
	};
	const month = new Date().toISOString().slice(0, 7);
	const eth = (address: string, more: IDataObject = {}) => ({ address, chain: 'ETH', ...more });
	beforeEach(clear);
	afterEach(async () => await set(0, 0));

	describe('a report that is used again', () => {
		test('is not screened again, says so, and verifies', async () => {
			expect(await screen(eth(green))).toMatchObject([{ outcome: 'allow', reused: null }]);
			await screen(eth(green));
			// It is off unless the team sets hours.
			expect(takeScreened()).toEqual([green, green]);
			await set(24, 0);
			const [again] = await screen(eth(green, { reference: 'P-2' }));
			expect(takeScreened()).toEqual([]);
			const newest = (await results.rows<ScreeningResult>())[1]!;
			expect(again).toMatchObject({
				outcome: 'allow',
				reference: 'P-2',
				report_id: newest.report_id,
				summary: expect.stringMatching(/^Allow: .*Report used again: .*\(UTC\), 0 minutes old$/),
				reused: expect.stringMatching(new RegExp(`^Report ${newest.report_id} of 20.*Z$`)),
			});
			expect(verifyItem({ ...again })).toEqual({ valid: true, findings: [] });
			const evidence = JSON.parse(again!.evidence!) as IDataObject;
			const before = JSON.parse(newest.evidence!) as IDataObject;
			expect(evidence).toMatchObject({
				report_id: newest.report_id,
				screened_at: before.screened_at,
				reference: 'P-2',
				report_sha256: before.report_sha256,
			});
			expect(again).toMatchObject({ report: newest.report, report_url: newest.report_url });
			const shorter = { ...again, summary: newest.summary };
			expect(verifyItem(shorter).valid).toBe(false);
		});

		const sanctions = (score: number) => (report: string | null) =>
			report!.replace(/"sanctions":[\d.]+/, `"sanctions":${score}`);
		const oldEvidence = (evidence: string | null) =>
			evidence!.replace(/"screened_at":"[^"]*"/, `"screened_at":"${pastTime}"`);
		const change: Record<string, (row: ScreeningResult) => IDataObject> = {
			'a row that is a sanctions hit': () => ({ sanctions: true }),
			'a report with a score on sanctions': ({ report }) => ({ report: sanctions(0.01)(report) }),
			'a report without a score on sanctions': ({ report }) => ({
				report: report!.replace('"sanctions":', '"other":'),
			}),
			'a report that is older': ({ evidence }) => ({ evidence: oldEvidence(evidence) }),
			'a screening that failed': () => ({ outcome: 'not screened' }),
			'a report of another chain': ({ report }) => ({
				report: report!.replace(/"chain":"ETH"/, '"chain":"BSC"'),
			}),
			'a report of another address': ({ address, report }) => ({
				report: report!.replaceAll(address, notGreenAddress),
			}),
			'a report that cannot be read': () => ({ report: '{' }),
			'a row of another chain': () => ({ chain: 'BSC' }),
			'a report that was used again itself': () => ({ reused: 'Report rep_1' }),
		};
		test(`is never ${Object.keys(change).join(', ')}`, async () => {
			await set(24, 0);
			const [control, ...others] = greenAddresses.slice(0, 1 + Object.keys(change).length);
			const all = [control!, ...others];
			await screen(...all.map((address) => eth(address)));
			const written = await results.rows<ScreeningResult>();
			for (const [n, changed] of Object.values(change).entries()) {
				const row = written.find(({ address }) => address === others[n])!;
				await results.setAll(changed(row), where('address', row.address));
			}
			takeScreened();
			const rows = await screen(...all.map((address) => eth(address)));
			const reused = rows.filter((row) => row.reused).map(({ address }) => address);
			expect(reused).toEqual([control]);
			expect(takeScreened().sort()).toEqual(others.sort());
		});

		test('is not found for a request of another chain, without a chain, or of another spelling', async () => {
			await set(24, 0);
			await screen(eth(green));
			takeScreened();
			const spelling = green.toUpperCase().replace('0X', '0x');
			await screen({ address: green, chain: 'BSC' }, { address: green }, eth(spelling));
			expect(takeScreened().sort()).toEqual([spelling, green, green].sort());
		});

		test('a hit in another spelling or on another chain has the address screened anew', async () => {
			await set(24, 0);
			await screen(eth(green));
			await results.insert({
				address: green.toUpperCase(),
				chain: 'BSC',
				outcome: 'block',
				sanctions: true,
				report: '{}',
			});
			takeScreened();
			await screen(eth(green));
			expect(takeScreened()).toEqual([green]);
		});

		test("today's policy and today's list of OFAC decide on it", async () => {
			await set(24, 0);
			await screen(eth(green), eth(other));
			const rule = { field: 'score', operator: 'gte', value: 0, outcome: 'block' };
			const stop = { name: 'Stop all', version: '2', changed_by: 'Ada' };
			await policies.insert({ ...stop, policy: JSON.stringify({ rules: [rule] }) });
			takeScreened();
			expect(await screen(eth(green))).toMatchObject([
				{ outcome: 'block', policy: 'Stop all', reused: expect.stringMatching(/^Report .* of 20/) },
			]);
			await policies.clear(where('name', 'Stop all'));
			const lists = table('Screening Sanctions');
			const now = { published: '2026-11-26', read_at: new Date().toISOString() };
			await lists.insert({ ...now, addresses: JSON.stringify([other]) });
			expect(await screen(eth(other))).toMatchObject([
				{ outcome: 'block', sanctions: true, reused: expect.stringMatching(/^Report .* of 20/) },
			]);
			expect(takeScreened()).toEqual([]);
			await lists.clear();
			// It is a hit now.
			await screen(eth(other));
			expect(takeScreened()).toEqual([other]);
		});

		test('stands in its place in a list, of which only the others are screened', async () => {
			await set(24, 0);
			const all = [...greenAddresses.slice(0, 12), notGreenAddress, sanctionedAddress];
			const known = all.filter((_, n) => n % 3 === 0);
			await screen(...known.map((address) => eth(address)));
			takeScreened();
			const rows = await screen(...all.map((address, n) => eth(address, { reference: `R-${n}` })));
			expect(rows.map(({ address, reference }) => [address, reference])).toEqual(
				all.map((address, n) => [address, `R-${n}`]),
			);
			const reused = rows.filter((row) => row.reused).map(({ address }) => address);
			expect(reused).toEqual(known.filter((address) => address !== sanctionedAddress));
			expect(takeScreened().sort()).toEqual(all.filter((one) => !reused.includes(one)).sort());
			expect(rows.filter((row) => !verifyItem({ ...row }).valid)).toEqual([]);
		});
	});

	describe('the budget of a month', () => {
		const held = {
			outcome: 'not screened',
			error_class: 'budget',
			report: null,
			summary: expect.stringMatching(
				/^The budget of the month isn't enough: .* Raise monthly_budget/,
			) as string,
		};

		test('is kept: what it does not allow is not screened, and says what to do', async () => {
			await set(0, 2);
			expect(await screen(eth(green), eth('two words'))).toMatchObject([
				{ outcome: 'allow' },
				{ outcome: 'not screened' },
			]);
			// What failed is not charged.
			expect(await screen(eth(green))).toMatchObject([{ outcome: 'allow' }]);
			takeScreened();
			expect(await screen(eth(green))).toMatchObject([held]);
			expect(await screen(...greenAddresses.slice(0, 12).map((one) => eth(one)))).toMatchObject(
				Array(12).fill(held),
			);
			expect(takeScreened()).toEqual([]);
			expect(await used()).toEqual([1, 1, 0, 0]);
			// A report that is used again is not charged.
			await set(24, 2);
			expect(await screen(eth(green))).toMatchObject([{ outcome: 'allow' }]);
			expect(takeScreened()).toEqual([]);
			await set(0, 3);
			expect(await screen(eth(green))).toMatchObject([{ outcome: 'allow' }]);
			expect(takeScreened()).toEqual([green]);
		});

		test('a list that exceeds it is not begun', async () => {
			await set(0, 12);
			await screen(eth(green));
			takeScreened();
			const list = greenAddresses.slice(0, 12).map((one) => eth(one));
			expect(await screen(...list)).toMatchObject(Array(12).fill(held));
			expect(takeScreened()).toEqual([]);
			expect(await screen(...list.slice(1))).toMatchObject(Array(11).fill({ outcome: 'allow' }));
		});

		test('is told once at 80 %, then once a day when it holds something', async () => {
			await set(0, 5);
			const messages = async () => {
				stage.clear();
				for (let time = 0; time < 2; time++) await tellWhatStops();
				return stage.slack.messages.map(({ text }) => text ?? '');
			};
			await screen(...greenAddresses.slice(0, 3).map((one) => eth(one)));
			expect(await messages()).toEqual([]);
			await screen(eth(green));
			expect(await messages()).toEqual([
				expect.stringMatching(
					/80% of the screening budget of the month is used[^]*4 of 5 screenings/,
				),
			]);
			await screen(eth(green));
			expect(await messages()).toEqual([]);
			await screen(eth(green, { reference: 'P-9' }));
			expect(await messages()).toEqual([expect.stringMatching(/isn't enough[^]*P-9/)]);
		});

		test('holds for runs at once', async () => {
			await set(0, 5);
			const runs = Array.from({ length: 10 }, async () => await screen(eth(green)));
			const rows = (await Promise.all(runs)).flat();
			const allowed = rows.filter(({ outcome }) => outcome === 'allow');
			expect(allowed.length).toBeLessThanOrEqual(5);
			expect(takeScreened()).toHaveLength(allowed.length);
			// Runs that waited for others are not refused for good.
			for (let n = allowed.length; n < 5; n++)
				expect(await screen(eth(green))).toMatchObject([{ outcome: 'allow' }]);
			expect(await screen(eth(green))).toMatchObject([held]);
		});

		test('counts what a stopped run has claimed, and no other month', async () => {
			await set(0, 3);
			await budget.insert({ month, screenings: 2 }, { month: '2020-01', screenings: 900 });
			expect(await screen(eth(green))).toMatchObject([{ outcome: 'allow' }]);
			expect(await screen(eth(green))).toMatchObject([held]);
		});

		describe('beside the long list', () => {
			const listed = table('Screening List');
			const states = async () => (await listed.rows<IDataObject>()).map(({ state }) => state ?? '');
			let submit: Saved<Workflow>;
			beforeAll(async () => {
				await stage.publishTemplate('board');
				submit = await stage.importTemplate('screen-a-long-list', {
					'Every Minute': yearlySchedule,
				});
			});
			afterAll(() => stage.withdrawAll());
			beforeEach(async () => await listed.clear());
			afterEach(async () => await listed.clear());

			test('submits no more rows than it allows, and the board shows the same numbers', async () => {
				await set(0, 4);
				await screen(eth(green));
				await listed.insert(...greenAddresses.slice(0, 6).map((address) => ({ address })));
				stage.clear();
				await stage.runFrom(submit, 'Every Minute');
				expect(jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses)).toEqual(
					greenAddresses.slice(0, 3),
				);
				expect(await states()).toEqual([...Array(3).fill('submitted'), '', '', '']);
				stage.clear();
				expect(await screen(eth(green))).toMatchObject([held]);
				await listed.setAll({ state: 'done' }, where('state', 'submitted'));
				await stage.runFrom(submit, 'Every Minute');
				expect(jobsOf(stage.sandbox)).toEqual([]);
				const { words } = await readPage('screening-board');
				expect(words).toContain('Billed screenings this month 4 of 4');
				expect(words).toContain('The budget is used up: new payments are on hold');
			});
		});
	});
}
