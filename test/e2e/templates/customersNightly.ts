import type { IDataObject } from 'n8n-workflow';
import { scenarioAddress } from '../../../sandbox/scenarios';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import {
	greenAddress as green,
	notGreenAddress,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import { table, where } from '../../support/templates/dataTable';
import { screenedAddresses } from '../../support/templates/screenedAddresses';
import { stage } from '../../support/templates/stage';
import { daysFromNow } from '../../support/templates/times';
import { slackMessagesAsText } from '../../support/templates/slackMessages';
import { yearlySchedule } from '../../support/templates/schedules';

/** The workflow that screens all customers, night after night. */
export function customersNightlyTests(): void {
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
		for (const known of [green, sanctionedAddress, worse])
			expect(slackMessagesAsText()).toContain(known);
		expect(await resultOf('green')).toMatchObject({ outcome: 'allow', level: 'green' });
		const due = String((await resultOf('green'))!.due_at);
		expect(due > daysFromNow(6)).toBe(true);

		// Allowed customers are due in a week, the others every night.
		await night();
		expect(screenedAddresses()).toEqual([sanctionedAddress]);
		expect(slackMessagesAsText()).toContain('Customers screened: 1. Nothing changed.');

		// The same report, and another decision than before.
		await results.setAll({ outcome: 'review' }, where('address', sanctionedAddress));
		await night();
		expect(slackMessagesAsText()).toContain(sanctionedAddress);

		await results.setAll({ due_at: null });
		stage.sandbox.setDay(1);
		await night();
		expect(slackMessagesAsText()).toContain('1 block, 1 worse than before');
		expect(slackMessagesAsText()).toContain(worse);
		expect(slackMessagesAsText()).not.toContain(green);
		await night();
		expect(slackMessagesAsText()).toContain('Nothing changed');
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
			expect(slackMessagesAsText()).toContain('1 not screened');
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
		expect(slackMessagesAsText()).toContain(worse);
		expect(await resultOf('one')).toMatchObject({ outcome: 'block' });
		const retried = await stage.n8n.retryExecution(run.id);
		expect((await stage.n8n.finishedExecution(retried)).status).toBe('success');
		await night();
		expect(slackMessagesAsText()).toContain('Nothing changed');
	});

	test('a result counts only for its wallet and its chain', async () => {
		await customers.insert({ reference: 'one', address: green, chain: 'ETH' });
		stage.slack.onNextRequest = async () => await customers.setAll({ chain: 'BSC' });
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
			expect([because, screenedAddresses().length]).toEqual([because, 1]);
			expect(await resultOf('one')).toMatchObject({ chain: chain ?? '' });
		}
		await results.setAll({ due_at: daysFromNow(7) });
		await night();
		expect(slackMessagesAsText()).toContain('screened: 0. Nothing changed.');
	});

	test('a table without customers is told', async () => {
		await night();
		expect(slackMessagesAsText()).toContain('Screening Customers is empty');
	});
}
