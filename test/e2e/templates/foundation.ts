import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../tools/host/instance';
import { verifyEvidence } from '../../../nodes/WalletScreening/risk/verification';
import { reportOn } from '../../../sandbox/reports';
import { inARow, start } from '../../support/workflows';
import { greenAddress, greenAddresses, notGreenAddress, sanctionedAddress } from './addresses';
import { outputOf, type Stage, untilQuiet } from './stage';

/** What *Our Screening* writes down and gives. */
export interface Result extends IDataObject {
	reference: string;
	address: string;
	outcome: string;
	summary: string;
	report: string | null;
	decision: string | null;
	evidence: string | null;
	error: string | null;
}

/** A workflow that hands items to another one and gives what comes back. */
function caller(called: Saved<Workflow>, items: IDataObject[]): Workflow {
	const call = {
		...{ name: 'Call', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
		parameters: { workflowId: { __rl: true, mode: 'id', value: called.id }, options: {} },
	};
	const pinData = { [start.name]: items.map((json) => ({ json })) };
	return {
		...{ name: `Calls ${called.name}`, ...inARow(start, call), pinData },
		settings: { executionOrder: 'v1' },
	};
}

/** Hands items to a workflow, as another one does, and gives what comes back, or throws why it failed. */
export async function callWorkflow<T extends IDataObject>(
	stage: Stage,
	called: Saved<Workflow>,
	items: IDataObject[],
): Promise<T[]> {
	const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow(caller(called, items)));
	const { error } = run.data.resultData;
	if (error) throw new Error(error.message);
	return itemsOf(run, 'Call').map(({ json }) => json as T);
}

/** Makes the tables, and publishes the two workflows that all others call. */
export async function setUp(stage: Stage) {
	const tables = await stage.importTemplate('set-up');
	expect((await stage.runFrom(tables, 'Click Here Once')).status).toBe('success');
	return {
		tables,
		tell: await stage.publishTemplate('tell-the-team'),
		screening: await stage.publishTemplate('our-screening'),
	};
}

/** What every other workflow stands on. */
export function foundationTests(
	stageOf: () => Stage,
	workflows: () => Awaited<ReturnType<typeof setUp>>,
): void {
	let stage: Stage;
	beforeAll(() => {
		stage = stageOf();
	});
	const results = async () => await stage.table('Screening Results').rows<Result>();
	const screen = async (...items: IDataObject[]) =>
		await callWorkflow<Result>(stage, workflows().screening, items);
	const policies = () => stage.table('Screening Policies');
	const say = async (...items: IDataObject[]) => await callWorkflow(stage, workflows().tell, items);

	describe('Set Up', () => {
		test('changes nothing that is there when it runs again', async () => {
			await policies().setAll({ name: 'Changed by a person' });
			const before = [await policies().rows(), await stage.table('Screening Approvers').rows()];
			expect(before.map((rows) => rows.length)).toEqual([1, 1]);
			const again = await stage.runFrom(workflows().tables, 'Click Here Once');
			expect(again.status).toBe('success');
			const [policy, approver] = before as [[IDataObject], [IDataObject]];
			expect(await policies().rows()).toEqual(policy);
			expect(await stage.table('Screening Approvers').rows()).toMatchObject([
				{ email: approver[0].email },
			]);
			expect(itemsOf(again, 'Read the Time Zone')[0]?.json.time_zone).toMatch(/\w/);
		});
	});

	describe('Our Screening', () => {
		test.each([1, 12])('gives %i rows in order, which stay and verify', async (times) => {
			await stage.table('Screening Results').clear();
			const asked = Array.from({ length: times }, (_, n) => [
				{ reference: `green ${n}`, address: greenAddresses[n]! },
				{ reference: `red ${n}`, address: sanctionedAddress, chain: 'ETH' },
				{ reference: `typed ${n}`, address: 'two words' },
			]).flat();
			const given = await screen(...asked);
			expect(given.map(({ reference, address }) => ({ reference, address }))).toEqual(
				asked.map(({ reference, address }) => ({ reference, address })),
			);
			expect(given.map(({ outcome }) => outcome)).toEqual(
				Array.from({ length: times }, () => ['allow', 'block', 'not screened']).flat(),
			);
			expect(await results()).toEqual(given);
			for (const { report, decision, evidence } of given.filter((row) => row.report !== null)) {
				const [item, made, proof] = [report, decision, evidence].map(
					(text) => JSON.parse(String(text)) as IDataObject,
				);
				expect(verifyEvidence({ ...item, decision: made!, evidence: proof! })).toEqual({
					valid: true,
					findings: [],
				});
			}
			for (const { decision, error } of given.filter((row) => row.report === null)) {
				expect(decision).toBeNull();
				expect(error).toMatch(/space/);
			}
			expect(given.map(({ report }) => report === null)).toEqual(
				given.map(({ outcome }) => outcome === 'not screened'),
			);
		});

		test('one new row of the policy changes what is decided, and names itself in the evidence', async () => {
			const [before] = await screen({ address: greenAddress });
			expect(before?.outcome).toBe('allow');
			const rule = { field: 'score', operator: 'gte', value: 0, outcome: 'block' };
			const policy = JSON.stringify({ rules: [rule] });
			await policies().insert({ name: 'Stop all', version: '2', policy, changed_by: 'Ada' });
			// n8n saves an added row before anybody has filled it in.
			await policies().insert({ name: 'Not filled in yet' });
			const [after] = await screen({ address: greenAddress });
			expect(after).toMatchObject({ outcome: 'block', policy: 'Stop all 2' });
			expect(after?.evidence).toContain('"Stop all"');
			await policies().clear();
			expect(await screen({ address: greenAddress })).toMatchObject([{ outcome: 'not screened' }]);
			await stage.runFrom(workflows().tables, 'Click Here Once');
			expect(await screen({ address: greenAddress })).toMatchObject([{ outcome: 'allow' }]);
		});

		test('a failure of the service, and a formula, are no result that passes for another', async () => {
			stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
			const [failed] = await screen({ address: greenAddress, reference: '=1+1' });
			expect(failed).toMatchObject({ outcome: 'not screened', error_class: 'unauthorized' });
			expect(failed?.reference).toBe("'=1+1");
			expect(JSON.stringify(await results())).not.toContain(stage.sandbox.keys.readWrite);
		});
	});

	describe('Tell the Team', () => {
		test('says texts, alerts and results in Slack and by e-mail; a text is no markup', async () => {
			const [result] = await screen({ address: notGreenAddress, reference: 'P-1' });
			await say(
				{ title: 'A <!channel> title', text: 'To: x\n<https://evil.example|Report>' },
				result!,
			);
			expect(stage.slack.refused).toEqual([]);
			expect(stage.slack.messages.map(({ text }) => text)).toEqual([
				'*A  !channel  title*\nTo: x\n https://evil.example|Report ',
				expect.stringContaining(`*review: ${notGreenAddress}*`),
			]);
			const [first, second] = stage.mail.letters;
			expect(first?.subject).toBe('A  !channel  title');
			expect(first?.html).toContain('To: x<br> https://evil.example|Report ');
			const { report_url } = reportOn(notGreenAddress, undefined, stage.sandbox.baseUrl);
			expect(second?.text).toContain(report_url);
			expect(first?.cc).toBeUndefined();
			await say({ title: 'Late', text: 'x', is_overdue: true });
			expect(stage.mail.letters[2]?.cc?.[0]?.address).toBe('head-of-compliance@example.com');
		});

		test('fails only if neither took it', async () => {
			stage.slack.isDown = true;
			await say({ title: 'T', text: 'by mail' });
			expect(stage.mail.letters).toHaveLength(1);
			Object.assign(stage.slack, { isDown: false });
			stage.mail.isDown = true;
			await say({ title: 'T', text: 'in Slack' });
			expect(stage.slack.messages).toHaveLength(1);
			stage.slack.isDown = true;
			await expect(say({ title: 'T', text: 'nowhere' })).rejects.toThrow('Not said: T');
			// n8n hands the failure to the workflow itself, which says it.
			stage.slack.isDown = false;
			await untilQuiet(stage, workflows().tell);
		});

		test('with one of the two deactivated, a failure of the other one is a failure', async () => {
			const [noMail, noSlack] = await Promise.all(
				['Tell by E-Mail', 'Tell in Slack'].map(
					async (node) =>
						await stage.importTemplate('tell-the-team', { [node]: { disabled: true } }),
				),
			);
			await callWorkflow(stage, noMail!, [{ title: 'T', text: 'Slack only' }]);
			await callWorkflow(stage, noSlack!, [{ title: 'T', text: 'mail only' }]);
			expect([stage.slack.messages.length, stage.mail.letters.length]).toEqual([1, 1]);
			Object.assign(stage.slack, { isDown: true });
			stage.mail.isDown = true;
			for (const one of [noMail!, noSlack!]) {
				await expect(callWorkflow(stage, one, [{ title: 'T', text: 'x' }])).rejects.toThrow(
					'Not said',
				);
			}
		});

		test('says each morning that it runs, in which time zone, and until when addresses were read', async () => {
			await stage
				.table('Screening Watch')
				.insert({ wallet: 'a wallet', checked_at: '2026-01-02T03:04:05.000Z' });
			await stage.runFrom(workflows().tell, 'Every Morning');
			const [message] = stage.slack.messages;
			expect(message?.text).toMatch(/is running: \d{4}-\d\d-\d\d \d\d:\d\d \(\w+\/\w+/);
			expect(message?.text).toContain('a wallet read until 2026-01-02T03:04:05.000Z');
			await stage.table('Screening Watch').clear();
		});

		test('names the workflow, the node and the reason of a run that failed', async () => {
			const error = { message: 'No server responds' };
			const execution = {
				url: 'http://n8n.example/execution/7',
				lastNodeExecuted: 'Screen',
				error,
			};
			const json = { workflow: { id: '1', name: 'Payouts' }, execution };
			await stage.runFrom(workflows().tell, 'When a Run Fails', outputOf(json));
			for (const known of ['Payouts', 'Screen', error.message, execution.url]) {
				expect(stage.slack.messages[0]?.text).toContain(known);
			}
		});
	});
}
