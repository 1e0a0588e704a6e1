import type { IDataObject } from 'n8n-workflow';
import { failureOf, itemsOf, type Saved, type Workflow } from '../../../tools/host/instance';
import { readTemplate } from '../../../tools/trial/templates';
import { verifyItem } from '../../unit/support/verification';
import { reportOn } from '../../../sandbox/reports';
import { start, workflowOf } from '../../support/workflows';
import { greenAddress, greenAddresses, notGreenAddress, sanctionedAddress } from './addresses';
import { table, where } from './dataTable';
import { startTeams, type Teams } from './teams';
import { resourceLocator, yearlySchedule, openStage, outputOf, stage, untilQuiet } from './stage';

/** What *Our Screening* writes down and gives. */
export interface Result extends IDataObject {
	reference: string;
	address: string;
	outcome: string;
	summary: string;
	report: string | null;
	reasons: string | null;
	evidence: string | null;
	error: string | null;
}

/** Hands items to a workflow, as another one does, and gives what comes back, or throws why it failed. */
export async function callWorkflow<T extends IDataObject>(
	called: Saved<Workflow>,
	items: IDataObject[],
): Promise<T[]> {
	const call = {
		name: 'Call',
		type: 'n8n-nodes-base.executeWorkflow',
		typeVersion: 1.2,
		parameters: { workflowId: resourceLocator('id', called.id), options: {} },
	};
	const pinData = { [start.name]: items.map((json) => ({ json })) };
	const caller = { ...workflowOf(`Calls ${called.name}`, start, call), pinData };
	const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow(caller));
	if (run.data.resultData.error) throw new Error(failureOf(run));
	return itemsOf(run, 'Call').map(({ json }) => json as T);
}

/** Makes the newest policy one that cannot be read. @returns what ends that */
export async function breakPolicy() {
	const policies = table('Screening Policies');
	const broken = { name: 'Broken', version: '9', policy: '{ "rules": [', changed_by: 'Ada' };
	await policies.insert(broken);
	return async () => await policies.setAll({ policy: null }, where('name', broken.name));
}

/** The tables, the two workflows that all others call, and the one that says what stops them. */
export let foundation: Record<'tables' | 'tell' | 'screening' | 'stops', Saved<Workflow>>;

/** Says what stops the screenings, as n8n does every five minutes. */
export const tellWhatStops = async () =>
	await stage.runFrom(foundation.stops, 'Every Five Minutes');

/** Opens the stage, makes the tables, and publishes the two workflows. */
export async function setUp(name: string, environment?: Record<string, string>): Promise<void> {
	await openStage(name, environment);
	const tables = await stage.importTemplate('set-up');
	const deadlines = await stage.importTemplate('set-up-deadlines');
	for (const one of [tables, deadlines]) await stage.runFrom(one, 'Click Here Once');
	const tell = await stage.publishTemplate('tell-the-team', {
		'Tell the Head of the Team': { parameters: { toEmail: 'head@example.com' } },
	});
	for (const file of ['screening-budget', 'reuse-and-budget']) await stage.publishTemplate(file);
	foundation = {
		tables,
		tell,
		screening: await stage.publishTemplate('our-screening', { 'Hand Over': { disabled: true } }),
		stops: await stage.importTemplate('tell-what-stops', { 'Every Five Minutes': yearlySchedule }),
	};
	// It makes its table.
	await tellWhatStops();
	stage.published = [];
}

/** Publishes what opens and keeps cases, and an *Our Screening* that hands hits over to it. @returns the workflows by their files */
export async function publishCases(): Promise<Record<CaseWorkflow, Saved<Workflow>>> {
	const url = (path: string) => ({ parameters: { url: `${stage.team.url}${path}` } });
	const systems: Record<string, object> = {
		'sanctions-freeze': { 'Freeze the Account': url('/freeze') },
		'sanctions-ticket': { 'Open a Ticket': url('/tickets') },
	};
	const published: Array<[string, Saved<Workflow>]> = [];
	for (const file of caseWorkflows) {
		const changes = { ...systems[file], 'Every 15 Minutes': yearlySchedule };
		published.push([file, await stage.publishTemplate(file, changes)]);
	}
	return Object.fromEntries(published) as Record<CaseWorkflow, Saved<Workflow>>;
}

/** Each after those that it calls. */
const caseWorkflows = [
	'sanctions-freeze',
	'sanctions-ticket',
	'sanctions-file',
	'sanctions-hit',
	'sanctions-hand-over',
	'our-screening',
] as const;
type CaseWorkflow = (typeof caseWorkflows)[number];

/** What every other workflow stands on. */
export function foundationTests(): void {
	const [results, told] = [table('Screening Results'), table('Screening Told')];
	const isValid = (row: IDataObject) => {
		try {
			return verifyItem(row).valid;
		} catch {
			return false;
		}
	};
	const screen = async (...items: IDataObject[]) =>
		await callWorkflow<Result>(foundation.screening, items);
	const [policies, approvers] = [table('Screening Policies'), table('Screening Approvers')];
	const say = async (...items: IDataObject[]) => await callWorkflow(foundation.tell, items);

	test('Set Up changes nothing that is there when it runs again', async () => {
		await policies.setAll({ name: 'Changed by a person' });
		const [policy, approver] = [await policies.rows(), await approvers.rows<IDataObject>()];
		expect([policy.length, approver.length]).toEqual([1, 1]);
		const again = await stage.runFrom(foundation.tables, 'Click Here Once');
		expect(await policies.rows()).toEqual(policy);
		expect(await approvers.rows()).toMatchObject([{ email: approver[0]!.email }]);
		expect(itemsOf(again, 'Your Values')[0]?.json.time_zone).toMatch(/\w/);
	});

	describe('Our Screening', () => {
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
			const written = await results.rows<Result>();
			expect(written).toMatchObject(given.map(({ createdAt: _, ...row }) => row));
			const isFailed = ({ outcome }: Result) => outcome === 'not screened';
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

		test('a policy that cannot be read allows nothing, and is said once a day, not for each address', async () => {
			for (const one of [results, told]) await one.clear();
			const mend = await breakPolicy();
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
			await mend();
			expect(await screen({ address: greenAddress })).toMatchObject([{ outcome: 'allow' }]);
		});

		test.each([
			[401, 'the API key is wrong'],
			[403, 'may not screen'],
			[402, 'no credit left'],
			[404, 'not at its address'],
			[503, 'the service does not answer'],
		])('what stops it is said once a day: status %i', async (status, words) => {
			for (const one of [results, told]) await one.clear();
			stage.sandbox.addFault({ effect: { kind: 'answer', status } });
			const rows = await screen(...greenAddresses.slice(0, 3).map((address) => ({ address })));
			expect(rows.map(({ outcome }) => outcome)).toEqual(Array(3).fill('not screened'));
			for (let time = 0; time < 2; time++) await tellWhatStops();
			expect(stage.slack.messages.map(({ text }) => text)).toEqual([
				expect.stringContaining(words),
			]);
			expect(stage.mail.letters.map(({ to }) => to?.[0]?.address)).toContain('head@example.com');
			// The next day says it again.
			await told.setAll({ day: '2026-01-01' });
			await tellWhatStops();
			expect(stage.slack.messages).toHaveLength(2);
		});

		test('a table of policies without one is said as what it is', async () => {
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
	});

	describe('Tell the Team', () => {
		test('says texts, alerts and results in Slack and by e-mail; a text is no markup', async () => {
			const [result] = await screen({ address: notGreenAddress, reference: 'P-1' });
			const forged = { title: 'A <!channel> title', text: 'To: x\n<https://evil.example|Report>' };
			await say(forged, result!);
			expect(stage.slack.refused).toEqual([]);
			expect(stage.slack.messages.map(({ text }) => text)).toEqual([
				'*A &lt;!channel> title*\nTo: x\n&lt;https://evil.example|Report>',
				expect.stringContaining(`*review: ${notGreenAddress}*`),
			]);
			const [first, second] = stage.mail.letters;
			expect(first?.html).toContain('<b>To:</b> x<br>&#60;https://evil.example|Report&#62;');
			expect(first?.html).not.toContain('<!channel');
			const { report_url } = reportOn(notGreenAddress, undefined, stage.sandbox.baseUrl);
			expect(second?.text).toContain(report_url);
		});

		test('keeps the link of a long text, which the head of the team hears of what is overdue', async () => {
			const text = `first ${'<'.repeat(4000)} https://the.link`;
			const link = 'https://n8n.example/form?reference=1';
			await say({ title: 'BLOCKED', text, link, action: 'Release or reject', is_overdue: true });
			expect(stage.slack.messages[0]?.text).toMatch(
				/^\*BLOCKED\*\nfirst [^]+\[cut\][^]+the\.link\n<https:\S+\|Release or reject>$/,
			);
			const { letters } = stage.mail;
			const heard = letters.map(({ to }) => to?.[0]?.address);
			expect(heard).toEqual(['head@example.com', 'team@example.com']);
			for (const { html } of letters) expect(html).toContain(`<a href="${link}"`);
		});

		test('fails only if neither took it', async () => {
			stage.setDown('slack');
			await say({ title: 'T', text: 'by mail' });
			expect(stage.mail.letters).toHaveLength(1);
			stage.setDown('mail');
			await say({ title: 'T', text: 'in Slack' });
			expect(stage.slack.messages).toHaveLength(1);
			stage.setDown('slack', 'mail');
			await expect(say({ title: 'T', text: 'nowhere' })).rejects.toThrow('Not delivered: T');
			// n8n hands the failure to the workflow itself, which says it.
			stage.setDown();
			await untilQuiet();
		});

		test('with one of the two deactivated, a failure of the other one is a failure', async () => {
			const without = async (node: string) =>
				await stage.importTemplate('tell-the-team', { [node]: { disabled: true } });
			const [noMail, noSlack] = [await without('Tell by E-Mail'), await without('Tell in Slack')];
			await callWorkflow(noMail, [{ title: 'T', text: 'Slack only' }]);
			await callWorkflow(noSlack, [{ title: 'T', text: 'mail only' }]);
			expect([stage.slack.messages.length, stage.mail.letters.length]).toEqual([1, 1]);
			stage.setDown('slack', 'mail');
			for (const one of [noMail, noSlack]) {
				const said = callWorkflow(one, [{ title: 'T', text: 'x', ok: true, messageId: '1' }]);
				await expect(said).rejects.toThrow('Not delivered');
			}
		});

		describe('Microsoft Teams', () => {
			let teams: Teams;
			/** Tells the team by those of the three that are active. */
			let tell: (active: string[], ...items: IDataObject[]) => Promise<unknown>;
			beforeAll(async () => {
				teams = await startTeams();
				tell = async (active, ...items) => {
					const changes = ['Tell in Slack', 'Tell in Teams', 'Tell by E-Mail'].map((name) => {
						const url = name === 'Tell in Teams' && { parameters: { url: teams.url } };
						return [name, { disabled: !active.includes(name), ...url }];
					});
					const one = await stage.importTemplate('tell-the-team', Object.fromEntries(changes));
					return await callWorkflow(one, items);
				};
			});
			afterAll(async () => await teams.close());
			beforeEach(() => void Object.assign(teams, { cards: [], refused: [], isDown: false }));

			test('gets texts, alerts and results as cards, in which a text is no markup', async () => {
				const [result] = await screen({ address: notGreenAddress, reference: 'P-1' });
				const alert = {
					title: 'Block: 0xab',
					text: 'Why: sanctions\nScore: 0.9',
					html: '<p>',
					slackBlocks: [],
				};
				const long = `first ${'<'.repeat(4000)} https://the.link`;
				const link = 'https://n8n.example/form?reference=1';
				await tell(
					['Tell in Teams'],
					{
						title: 'A https://evil.example title',
						text: '[Report](https://evil.example)\n\n**x**',
					},
					...[{ alert }, result!],
					{ title: 'BLOCKED', text: long, link, action: 'Release or reject' },
				);
				expect(teams.refused).toEqual([]);
				const [forged, alarm, decided, cut] = teams.texts();
				expect(forged).toBe('A https evil.example title\n[Report](https://evil.example)\n**x**');
				expect(alarm).toBe('Block: 0xab\nWhy: sanctions\nScore: 0.9');
				expect(decided).toContain(`review: ${notGreenAddress}`);
				expect(cut).toMatch(/^BLOCKED\nfirst [^]+\n\[cut\]\n[^]+the\.link$/);
				expect(teams.cards.map(({ actions }) => actions)).toEqual([
					[],
					[],
					[{ type: 'Action.OpenUrl', title: 'Open the report', url: result!.report_url }],
					[{ type: 'Action.OpenUrl', title: 'Release or reject', url: link }],
				]);
			});

			test('is deactivated as it comes, and then nothing counts as posted there', async () => {
				const { nodes } = readTemplate('tell-the-team');
				expect(nodes.find(({ name }) => name === 'Tell in Teams')?.disabled).toBe(true);
				stage.setDown('slack', 'mail');
				const forged = { title: 'T', text: 'x', statusCode: 202 };
				for (const active of ['Tell in Slack', 'Tell by E-Mail'])
					await expect(tell([active], forged)).rejects.toThrow('Not delivered');
			});

			test('a message fails only if none took it, and says why', async () => {
				stage.setDown('slack', 'mail');
				const all = ['Tell in Slack', 'Tell in Teams', 'Tell by E-Mail'];
				await tell(all, { title: 'T', text: 'in Teams' });
				expect(teams.texts()).toEqual(['T\nin Teams']);
				teams.isDown = true;
				await expect(tell(all, { title: 'T', text: 'x' })).rejects.toThrow(
					/Not delivered: T\. Slack: .+ Teams: .*503.* E-mail: .+/,
				);
				await expect(tell(['Tell in Teams'], { title: 'T', text: 'x' })).rejects.toThrow('503');
				stage.setDown('slack');
				await tell(all, { title: 'T', text: 'by mail' });
				expect(stage.mail.letters).toHaveLength(1);
			});
		});

		test('says each morning that it runs, in which time zone, and until when addresses were read', async () => {
			const watched = table('Screening Watch');
			await watched.insert({ wallet: 'a wallet', checked_at: '2026-01-02T03:04:05.000Z' });
			await stage.runFrom(foundation.tell, 'Every Morning');
			const [message] = stage.slack.messages;
			expect(message?.text).toMatch(/is running: \d{4}-\d\d-\d\d \d\d:\d\d \(\w+\/\w+/);
			// In n8n's zone.
			const [, time = ''] =
				/a wallet read until (\S+[+-]\d\d:\d\d)/.exec(message?.text ?? '') ?? [];
			expect(Date.parse(time)).toBe(Date.parse('2026-01-02T03:04:05.000Z'));
			await watched.clear();
		});

		test('names the workflow, the node and the reason of a run that failed', async () => {
			const error = { message: 'No server responds' };
			const url = 'http://n8n.example/execution/7';
			const execution = { url, lastNodeExecuted: 'Screen', error };
			const json = { workflow: { id: '1', name: 'Payouts' }, execution };
			await stage.runFrom(foundation.tell, 'When a Run Fails', outputOf(json));
			for (const known of ['Payouts', 'Screen', error.message, url]) {
				expect(stage.slack.messages[0]?.text).toContain(known);
			}
		});
	});
}
