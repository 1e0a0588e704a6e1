import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { reportOn } from '../../../sandbox/reports';
import { sanctionedAddresses } from '../../../sandbox/sanctions';
import { scenarioAddress } from '../../../sandbox/scenarios';
import { greenAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { foundation, type ScreeningResult } from '../../support/templates/foundation';
import { stage, untilQuiet as quiet } from '../../support/templates/stage';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { publishCaseWorkflows } from '../../support/templates/caseWorkflows';
import { pastTime } from '../../support/templates/times';
import { slackMessagesAsText } from '../../support/templates/slackMessages';

/** The workflows that act on a sanctions hit: a case, and its three steps. */
export function sanctionsTests(): void {
	let hit: Saved<Workflow>;
	beforeAll(async () => {
		hit = (await publishCaseWorkflows())['sanctions-hit'];
	});
	afterAll(() => stage.withdrawAll());
	const cases = table('Screening Cases');
	const rows = async () => await cases.rows<IDataObject>();
	beforeEach(async () => {
		await cases.clear();
		// The cases of another test may have the same numbers.
		for (const file of await readdir(stage.filesFolder)) await rm(join(stage.filesFolder, file));
	});

	const handOver = async (...items: IDataObject[]) => {
		await callWorkflow(hit, items);
		await quiet();
	};
	const tick = async () => {
		await stage.runFrom(hit, 'Every 15 Minutes');
		await quiet();
	};
	/** A step that failed is due again after some minutes. */
	const tickOnceDue = async () => {
		await cases.setAll({ freeze_due_at: pastTime, ticket_due_at: pastTime, file_after: pastTime });
		await tick();
	};
	const screen = async (address: string, reference: string) => {
		const [result] = await callWorkflow<ScreeningResult>(foundation.screening, [
			{ address, reference },
		]);
		return result!;
	};
	const requestsTo = (path: string) => stage.team.requests.filter((one) => one.path === path);

	test('a hit is frozen, gets a ticket with a date, and is filed with its evidence', async () => {
		const result = await screen(sanctionedAddress, 'P-1');
		await handOver(result);
		const [row] = await rows();
		expect(row).toMatchObject({ reference: 'P-1', frozen_at: expect.any(String) });
		expect(row!.ticket).toMatch(/^T-/);
		const key = `P-1|${sanctionedAddress.toLowerCase()}`;
		const body = { reference: 'P-1', address: sanctionedAddress };
		expect(requestsTo('/freeze')).toMatchObject([{ key: `freeze ${key}`, body }]);
		const [ticket] = requestsTo('/tickets');
		const { due, report_url } = ticket!.body as { due: string; report_url: string };
		expect(report_url).toBe(result.report_url);
		expect(Date.parse(due) - Date.parse(String(row!.createdAt))).toBe(86_400_000);
		const all = await readdir(stage.filesFolder);
		const names = all.filter((name) => name.startsWith(`sanctions_${Number(row!.id)}_`)).sort();
		const read = async (name: string) => await readFile(join(stage.filesFolder, name), 'latin1');
		const [json, pdf, ...others] = await Promise.all(names.map(read));
		expect(others).toEqual([]);
		expect(pdf).toMatch(/^%PDF-/);
		expect(JSON.parse(json!)).toMatchObject({ evidence: result.evidence });
		// Who reports it, by when, with what.
		const date = new Intl.DateTimeFormat('en-GB', {
			timeZone: 'America/New_York',
			weekday: 'short',
			day: 'numeric',
			month: 'short',
			year: 'numeric',
		});
		const day = date.format(Date.parse(String(row!.report_until))).replace(',', '');
		const { subject, text, to } = stage.mail.letters[0]!;
		const score = reportOn(sanctionedAddress, undefined, '').risk.categories.sanctions;
		expect(subject).toBe(
			`STOPPED: case P-1, sanctions ${score}. Report to the authority by ${day}`,
		);
		expect(to?.[0]?.address).toBe('head@example.com');
		for (const known of [...names, 'Report it to OFAC by', sanctionedAddress, 'form/answer-a-case'])
			expect(text).toContain(known);
		expect(text).not.toContain(stage.filesFolder);
	});

	test('a hit is filed without a date until a person sets it, and the message says so', async () => {
		const settings = table('Screening Settings');
		const before = await settings.rows<IDataObject>();
		await settings.clear();
		await handOver(await screen(sanctionedAddress, 'P-1'));
		expect(await rows()).toMatchObject([{ filed_at: expect.any(String), report_until: null }]);
		expect(stage.mail.letters[0]?.subject).toMatch(/^STOPPED: case P-1, .*\. NO DEADLINE$/);
		expect(stage.mail.letters[0]?.text).toContain('enter report_days in the table');
		// As soon as it is set, the case has a date from the day on which it was opened.
		await settings.insert(
			...before.map(({ report_days, day_kind, authority }) => ({
				report_days,
				day_kind,
				authority,
			})),
		);
		await tick();
		expect(await rows()).toMatchObject([{ report_until: expect.any(String) }]);
	});

	test('each account is frozen once, whatever the ID of its report', async () => {
		const [, { address: other } = { address: '' }] = sanctionedAddresses.filter(
			({ asset }) => asset === 'ETH',
		);
		const one = await screen(sanctionedAddress, 'P-1');
		const { report_id } = one;
		const two = { ...(await screen(sanctionedAddress, 'P-2')), report_id };
		const three = { ...(await screen(other, 'P-3')), report_id };
		await handOver(one, two, three);
		await handOver({ ...one, address: sanctionedAddress.toUpperCase().replace('0X', '0x') });
		stage.slack.messages = [];
		const another = await screen(greenAddress, '');
		await handOver({ ...one, report_id: another.report_id });
		// What a case names is filed, and the team hears of it.
		const files = (await readdir(stage.filesFolder)).join();
		expect(files).toContain(`${String(another.report_id)}.pdf`);
		expect(slackMessagesAsText()).toContain('STOPPED: case P-1');
		await tick();
		expect((await rows()).map(({ ticket }) => ticket)).toEqual(
			Array(3).fill(expect.stringMatching(/^T-/)),
		);
		const frozen = requestsTo('/freeze').map(({ body }) => body.reference);
		expect(frozen.sort()).toEqual(['P-1', 'P-2', 'P-3']);
	});

	const paths = ['/freeze', '/tickets'];
	test.each(paths)('a failure at %s delays nothing else, and n8n tries it again', async (path) => {
		/** What the case has: the account is frozen, a ticket is open, the report is filed. */
		const filled = async () => {
			const [{ frozen_at, ticket, filed_at } = {} as IDataObject] = await rows();
			return { '/freeze': !!frozen_at, '/tickets': !!ticket, filed: !!filed_at };
		};
		const complete = { '/freeze': true, '/tickets': true, filed: true };
		stage.team.downPaths.add(path);
		await handOver(await screen(sanctionedAddress, 'P-1'));
		expect(slackMessagesAsText()).toMatch(/(FREEZE|TICKET) FAILED: case P-1/);
		expect(await filled()).toEqual({ ...complete, [path]: false });
		stage.team.downPaths.clear();
		await tick();
		expect(await filled()).toEqual({ ...complete, [path]: false });
		await tickOnceDue();
		await tickOnceDue();
		expect(await filled()).toEqual(complete);
		expect(new Set(requestsTo(path).map(({ key }) => key)).size).toBe(1);
	});

	test('a report that the service does not give is named, and filed later', async () => {
		const effect = { kind: 'answer', status: 404 } as const;
		stage.sandbox.addFault({ when: ({ path }) => path.endsWith('/pdf'), effect });
		await handOver(await screen(sanctionedAddress, 'P-9'));
		expect(slackMessagesAsText()).toContain('FILE FAILED: STOPPED: case P-9');
		stage.sandbox.clearFaults();
		await tickOnceDue();
		expect(await rows()).toMatchObject([{ filed_at: expect.any(String) }]);
	});

	test('a hit of which the team was not told is filed, and told again', async () => {
		stage.setDown('slack', 'mail');
		await handOver(await screen(sanctionedAddress, 'P-1'));
		expect(await rows()).toMatchObject([{ filed_at: null, files: null }]);
		stage.setDown();
		await tickOnceDue();
		const heard = stage.mail.letters.filter(({ to }) => to?.[0]?.address === 'team@example.com');
		expect(heard.map(({ subject }) => subject!.split(',')[0])).toContain('STOPPED: case P-1');
		expect(await rows()).toMatchObject([
			{ filed_at: expect.any(String), files: expect.stringContaining('/sanctions_') },
		]);
		stage.clear();
		await tickOnceDue();
		expect(stage.mail.letters).toEqual([]);
	});

	test.each([
		['allowed', async () => await screen(greenAddress, 'P-1')],
		['not screened', async () => await screen('two words', 'P-1')],
		['blocked for another reason', async () => await screen(scenarioAddress('mixer'), 'P-1')],
	])('an item that is %s passes by, and no one is told', async (_, item) => {
		await handOver(await item());
		expect([await rows(), stage.team.requests, stage.slack.messages]).toEqual([[], [], []]);
	});

	test.each([
		['a hit without a report', { report_id: null, report: null }],
		['a hit without an address', { address: '' }],
	])('%s opens no case, and the team hears it once', async (_, more) => {
		await handOver({ ...(await screen(sanctionedAddress, 'P-1')), ...more });
		expect([await rows(), stage.team.requests]).toEqual([[], []]);
		expect(stage.slack.messages).toHaveLength(1);
		expect(slackMessagesAsText()).toMatch(/Sanctions hit\? n8n did not open a case/);
	});
}
