import type { IDataObject } from 'n8n-workflow';
import { itemsOf } from '../../../tools/host/workflow';
import { verifyItem } from '../../support/unit/verification';
import {
	greenAddress,
	greenAddresses,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import {
	foundation,
	tellWhatStops,
	type ScreeningResult,
} from '../../support/templates/foundation';
import { stage } from '../../support/templates/stage';
import { withBrokenPolicy } from '../../support/templates/brokenPolicy';
import { callWorkflow } from '../../support/templates/workflowCalls';

const results = table('Screening Results');
const told = table('Screening Told');
const policies = table('Screening Policies');
const approvers = table('Screening Approvers');

function isValid(row: IDataObject): boolean {
	try {
		return verifyItem(row).valid;
	} catch {
		return false;
	}
}

const screen = async (...items: IDataObject[]) =>
	await callWorkflow<ScreeningResult>(foundation.screening, items);

/** The workflow that all others screen by, and what stops it. */
export function ourScreeningTests(): void {
	test('Set Up changes nothing that is there when it runs again', async () => {
		await policies.setAll({ name: 'Changed by a person' });
		const [policy, approver] = [await policies.rows(), await approvers.rows<IDataObject>()];
		expect([policy.length, approver.length]).toEqual([1, 1]);
		const again = await stage.runFrom(foundation.tables, 'Click Here Once');
		expect(await policies.rows()).toEqual(policy);
		expect(await approvers.rows()).toMatchObject([{ email: approver[0]!.email }]);
		expect(itemsOf(again, 'Your Values')[0]?.json.time_zone).toMatch(/\w/);
	});

	test('gives its rows in order, which stay and verify', async () => {
		await results.clear();
		const asked = greenAddresses.slice(0, 12).flatMap((address, n) => [
			{ reference: `green ${n}`, address },
			{ reference: `red ${n}`, address: sanctionedAddress, chain: 'ETH' },
			{ reference: `typed ${n}`, address: 'two words' },
		]);
		const given = await screen(...asked);
		const outcomes = ['allow', 'block', 'not screened'];
		expect(given).toMatchObject(
			asked.map(({ reference, address }, n) => ({
				reference,
				address,
				outcome: outcomes[n % 3],
			})),
		);
		const written = await results.rows<ScreeningResult>();
		expect(written).toMatchObject(given.map(({ createdAt: _, ...row }) => row));
		const isFailed = ({ outcome }: ScreeningResult) => outcome === 'not screened';
		for (const { report, reasons, error } of given.filter(isFailed)) {
			expect([report, reasons, error]).toEqual([null, null, expect.stringMatching(/space/)]);
		}
		for (const row of given.filter((one) => !isFailed(one))) {
			expect(verifyItem({ ...row })).toEqual({ valid: true, findings: [] });
			const { id, createdAt, updatedAt, ...others } = { ...row } as IDataObject;
			// Who asked, which report was used again, and when a case is due, no evidence says.
			const { door, amount, requested_by, reused, case_due_at, has_case, ...columns } = others;
			expect(columns.sanctions).toBe(row.address === sanctionedAddress);
			const edited = Object.keys(columns).map((name) => ({ ...row, [name]: 'edited' }));
			expect(edited.filter(isValid)).toEqual([]);
		}
	});

	test('one new row of the policy changes what is decided, and names itself in the evidence', async () => {
		const [before] = await screen({ address: greenAddress });
		expect(before?.outcome).toBe('allow');
		const rule = { field: 'score', operator: 'gte', value: 0, outcome: 'block' };
		const policy = JSON.stringify({ rules: [rule] });
		await policies.insert({ name: 'Stop all', version: '2', policy, changed_by: 'Ada' });
		// n8n saves an added row before anybody has filled it in.
		await policies.insert({ name: 'Not filled in yet' });
		const [after] = await screen({ address: greenAddress });
		expect(after).toMatchObject({ outcome: 'block', policy: 'Stop all', policy_version: '2' });
		expect(after?.evidence).toContain('"Stop all"');
		await policies.clear();
		expect(await screen({ address: greenAddress })).toMatchObject([{ outcome: 'not screened' }]);
		await stage.runFrom(foundation.tables, 'Click Here Once');
		expect(await screen({ address: greenAddress })).toMatchObject([{ outcome: 'allow' }]);
	});

	test('a policy that cannot be read allows nothing, and the team is told once a day, not for each address', async () => {
		for (const one of [results, told]) await one.clear();
		await withBrokenPolicy(async () => {
			const asked = [{ address: 'two words' }, { address: greenAddress }];
			const rows = [...(await screen(...asked)), ...(await screen(...asked))];
			expect(rows.map(({ outcome }) => outcome)).toEqual(Array(4).fill('not screened'));
			expect(rows[1]?.summary).toMatch(/^The policy cannot be read: .*not valid JSON/);
			stage.setDown('slack', 'mail');
			await stage.runToFailure(foundation.stops, 'Every Five Minutes');
			stage.setDown();
			for (let time = 0; time < 2; time++) await tellWhatStops();
			const texts = stage.slack.messages.map(({ text }) => text);
			// The failure of the first time is told, too, as that of any run.
			const [text, ...others] = texts.filter((one) => one?.startsWith('*Screening stopped'));
			expect(text).toMatch(/the policy can't be read\. Version 9[^]*Ada[^]*not valid JSON/);
			expect(others).toEqual([]);
		});
		expect(await screen({ address: greenAddress })).toMatchObject([{ outcome: 'allow' }]);
	});

	test('the team is told once a day of each thing that stops it', async () => {
		for (const one of [results, told]) await one.clear();
		// The service counts as down if it did not answer the newest three requests.
		for (const status of [401, 403, 402, 404, 503]) {
			stage.sandbox.addFault({ effect: { kind: 'answer', status } });
			const rows = await screen(...greenAddresses.slice(0, 3).map((address) => ({ address })));
			expect(rows.map(({ outcome }) => outcome)).toEqual(Array(3).fill('not screened'));
			stage.sandbox.clearFaults();
		}
		for (let time = 0; time < 2; time++) await tellWhatStops();
		expect(stage.slack.messages.map(({ text }) => text)).toEqual(
			[
				// 401 and 403
				/the API key is wrong, .*may not screen[^]*Not screened: 6 /,
				/no credit left[^]*Not screened: 3 /,
				/not at its address[^]*Not screened: 3 /,
				/the service does not answer[^]*Not screened: 3 /,
			].map((words) => expect.stringMatching(words) as string),
		);
		const heard = stage.mail.letters.map(({ to }) => to?.[0]?.address);
		expect(heard.filter((one) => one === 'head@example.com')).toHaveLength(4);
		// The next day says it again.
		await told.setAll({ day: '2026-01-01' });
		await tellWhatStops();
		expect(stage.slack.messages).toHaveLength(8);
	});

	test('the team is told that the table of policies is empty', async () => {
		for (const one of [policies, told]) await one.clear();
		const [row] = await screen({ address: greenAddress });
		expect(row).toMatchObject({
			outcome: 'not screened',
			summary: expect.stringMatching(/^The policy cannot be read: the table Screening Policies/),
		});
		await tellWhatStops();
		expect(stage.slack.messages[0]?.text).toContain('Screening stopped: there is no policy');
		await stage.runFrom(foundation.tables, 'Click Here Once');
	});

	test('a failure of the service, and a formula, are no result that passes for another', async () => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		// As an agent asks.
		const [failed] = await screen({ query: greenAddress, reference: '=1+1' });
		const error_class = 'unauthorized';
		expect(failed).toMatchObject({ address: greenAddress, outcome: 'not screened', error_class });
		expect(failed?.reference).toBe("'=1+1");
		expect(JSON.stringify(await results.rows())).not.toContain(stage.sandbox.keys.readWrite);
	});
}
