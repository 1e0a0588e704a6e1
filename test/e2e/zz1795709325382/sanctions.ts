import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { sanctionedAddresses } from '../../../sandbox/sanctions';
import { greenAddress, sanctionedAddress, scenarioAddress } from './addresses';
import { paymentPath, publishApproval, requester } from './approve';
import { table } from './dataTable';
import { callWorkflow, foundation, type Result } from './foundation';
import { never, parametersOf, postTo, said, stage, untilQuiet as quiet } from './stage';

const steps = ['freeze', 'ticket', 'file'] as const;

/** The workflows that act on a sanctions hit: a case, and its three steps. */
export function sanctionsTests(): void {
	let hit: Saved<Workflow>;
	beforeAll(async () => {
		const url = (path: string) => ({ parameters: { url: `${stage.team.url}${path}` } });
		for (const step of steps) {
			await stage.publishTemplate(`sanctions-${step}`, {
				'Freeze the Account': url('/freeze'),
				'Open a Ticket': url('/tickets'),
			});
		}
		hit = await stage.publishTemplate('sanctions-hit', { 'Every 15 Minutes': never });
	});
	afterAll(() => stage.withdrawAll());
	const cases = table('Screening Cases');
	const rows = async () => await cases.rows<IDataObject>();
	beforeEach(async () => await cases.clear());

	const handOver = async (...items: IDataObject[]) => {
		await callWorkflow(hit, items);
		await quiet();
	};
	const tick = async () => {
		await stage.runFrom(hit, 'Every 15 Minutes');
		await quiet();
	};
	const screen = async (address: string, reference: string) => {
		const [result] = await callWorkflow<Result>(foundation.screening, [{ address, reference }]);
		return result!;
	};
	const done = (path: string) => stage.team.requests.filter((one) => one.path === path);

	test('a hit is frozen, gets a ticket with a date, and is filed with its evidence', async () => {
		const result = await screen(sanctionedAddress, 'P-1');
		await handOver(result);
		const [row] = await rows();
		expect(row).toMatchObject({ reference: 'P-1', frozen_at: expect.any(String) });
		expect(row!.ticket).toMatch(/^T-/);
		const key = `P-1|${sanctionedAddress.toLowerCase()}`;
		const body = { reference: 'P-1', address: sanctionedAddress };
		expect(done('/freeze')).toMatchObject([{ key: `freeze ${key}`, body }]);
		const [ticket] = done('/tickets');
		const { due, report_url } = ticket!.body as { due: string; report_url: string };
		expect(report_url).toBe(result.report_url);
		expect(Date.parse(due) - Date.parse(String(row!.createdAt))).toBe(86_400_000);
		const all = await readdir(stage.filesFolder);
		const names = all.filter((name) => name.startsWith('sanctions_')).sort();
		const read = async (name: string) => await readFile(join(stage.filesFolder, name), 'latin1');
		const [json, pdf, ...others] = await Promise.all(names.map(read));
		expect(others).toEqual([]);
		expect(pdf).toMatch(/^%PDF-/);
		expect(JSON.parse(json!)).toMatchObject({ evidence: result.evidence });
		// Who reports it, by when, with what.
		const until = Date.parse(String(row!.report_until));
		expect(until - Date.parse(String(row!.createdAt))).toBe(10 * 86_400_000);
		const [letter] = stage.mail.letters;
		const [, day = ''] =
			/^Report by (.+): sanctions hit P-1, blocked$/.exec(letter!.subject!) ?? [];
		expect(Math.abs(Date.parse(day) - until)).toBeLessThan(86_400_000);
		const { text } = letter!;
		for (const known of [`To do by ${day}: report the hit`, ...names])
			expect(text).toContain(known);
		expect(text).not.toContain(stage.filesFolder);
	});

	test('a hit is filed without a deadline until somebody sets it, and the message says so', async () => {
		const parameters = await parametersOf('sanctions-file', 'Name the Files');
		parameters.assignments.assignments[0].value = stage.filesFolder;
		const file = await stage.importTemplate('sanctions-file', { 'Name the Files': { parameters } });
		await handOver(await screen(sanctionedAddress, 'P-1'));
		await cases.setAll({ filed_at: null, report_until: null });
		stage.clear();
		await stage.runFrom(file, 'When Called');
		expect(await rows()).toMatchObject([{ filed_at: expect.any(String), report_until: null }]);
		expect(stage.mail.letters[0]?.subject).toBe('NO DEADLINE: sanctions hit P-1, blocked');
		expect(stage.mail.letters[0]?.text).toContain('set report_days');
	});

	test('each account is frozen once, whatever the ID of its report', async () => {
		const [, { address: other } = { address: '' }] = sanctionedAddresses.filter(
			({ asset }) => asset === 'ETH',
		);
		const one = await screen(sanctionedAddress, 'P-1');
		// Whatever the systems answer.
		stage.team.answer = [];
		const because = (reason: object) => JSON.stringify([{ ...reason, outcome: 'block' }]);
		const { report_id } = one;
		const ofTwo = because({ all: [{ field: 'score' }, { field: 'sanctions' }] });
		const listed = because({ list: 'Our OFAC list' });
		const two = { ...(await screen(sanctionedAddress, 'P-2')), report_id, reasons: ofTwo };
		const three = { ...(await screen(other, 'P-3')), report_id, reasons: listed };
		await handOver(one, two, three);
		await handOver({ ...one, address: sanctionedAddress.toUpperCase().replace('0X', '0x') });
		stage.slack.messages = [];
		const another = await screen(greenAddress, '');
		await handOver({ ...one, report_id: another.report_id });
		// What a case names is filed, and the team hears of it.
		const files = (await readdir(stage.filesFolder)).join();
		expect(files).toContain(`${String(another.report_id)}.pdf`);
		expect(said()).toContain('sanctions hit P-1, blocked');
		await tick();
		expect((await rows()).map(({ ticket }) => ticket)).toEqual(['opened', 'opened', 'opened']);
		const frozen = done('/freeze').map(({ body }) => body.reference);
		expect(frozen.sort()).toEqual(['P-1', 'P-2', 'P-3']);
	});

	const paths = ['/freeze', '/tickets'];
	test.each(paths)('%s that fails delays nothing else, and comes again', async (path) => {
		const filled = async () => {
			const [{ frozen_at, ticket, filed_at } = {} as IDataObject] = await rows();
			return [[frozen_at, ticket].filter(Boolean).length, filed_at !== null];
		};
		stage.team.down.add(path);
		await handOver(await screen(sanctionedAddress, 'P-1'));
		expect(said()).toMatch(/(FREEZE|TICKET) FAILED: P-1/);
		expect(await filled()).toEqual([1, true]);
		stage.team.down.clear();
		await tick();
		await tick();
		expect(await filled()).toEqual([2, true]);
		expect(new Set(done(path).map(({ key }) => key)).size).toBe(1);
	});

	test('a report that the service does not give is named, and filed later', async () => {
		const effect = { kind: 'answer', status: 404 } as const;
		stage.sandbox.addFault({ when: ({ path }) => path.endsWith('/pdf'), effect });
		await handOver(await screen(sanctionedAddress, 'P-9'));
		expect(said()).toContain('FILE FAILED: sanctions hit P-9');
		stage.sandbox.clearFaults();
		await tick();
		expect(await rows()).toMatchObject([{ filed_at: expect.any(String) }]);
	});

	const mixer = '{"risk":{"categories":{"mixer":0.9,"sanctions":0.8,"clean_exchange":1}}}';
	const decidedOtherwise = async (reason: object, more: object = {}) => ({
		...(await screen(sanctionedAddress, 'P-1')),
		...more,
		reasons: JSON.stringify([{ outcome: 'block', ...reason }]),
	});
	test.each([
		['allowed', async () => await screen(greenAddress, 'P-1')],
		['not screened', async () => await screen('two words', 'P-1')],
		['blocked for another reason', () => decidedOtherwise({ field: 'mixer' })],
		['blocked by the level', () => decidedOtherwise({ field: 'level' }, { report: mixer })],
		['on a list of another kind', () => decidedOtherwise({ list: 'Fraud' })],
	])('an item that is %s passes by, and nobody hears of it', async (_, item) => {
		await handOver(await item());
		expect([await rows(), stage.team.requests, stage.slack.messages]).toEqual([[], [], []]);
	});

	const lost = { report_id: null, report: null };
	test.each([
		['on a list that n8n does not know', () => decidedOtherwise({ list: 'Our list' })],
		['a hit without a report', () => decidedOtherwise({ field: 'sanctions' }, lost)],
		['blocked by the level of no report', () => decidedOtherwise({ field: 'level' }, lost)],
		['blocked, and nobody knows why', () => decidedOtherwise({ field: 'mixer', waived_by: {} })],
		['empty', async () => ({})],
	])('an item that is %s opens no case, and the team hears it once', async (_, item) => {
		await handOver(await item());
		expect([await rows(), stage.team.requests]).toEqual([[], []]);
		expect(stage.slack.messages).toHaveLength(1);
		expect(said()).toMatch(/Sanctions hit\? n8n did not open a case/);
	});

	test('a payment that is blocked because of sanctions opens a case, another block does not', async () => {
		await publishApproval();
		await table('Screening Payments').clear();
		const payments = [sanctionedAddress, scenarioAddress('03')].map((address, n) => ({
			...{ payment_id: `P-${n}`, address, chain: 'ETH', amount: '1 ETH', requested_by: requester },
		}));
		for (const payment of payments) await postTo(paymentPath, payment);
		await quiet();
		const written = await table('Screening Payments').rows<IDataObject>();
		const held = written.filter(({ status }) => status === 'needs 2 people');
		expect(held.map(({ reference }) => reference).sort()).toEqual(['P-0', 'P-1']);
		expect(await rows()).toMatchObject([{ reference: 'P-0', address: sanctionedAddress }]);
		expect(said()).not.toContain('Sanctions hit?');
	});
}
