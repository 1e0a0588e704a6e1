import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { sanctionedAddresses } from '../../../sandbox/sanctions';
import { greenAddress, sanctionedAddress } from './addresses';
import { table } from './dataTable';
import { callWorkflow, foundation, type Result } from './foundation';
import { never, parametersOf, said, stage, untilQuiet as quiet } from './stage';

const steps = ['freeze', 'ticket', 'file'] as const;

/** The workflows that act on a sanctions hit: a case, and its three steps. */
export function sanctionsTests(): void {
	let hit: Saved<Workflow>;
	beforeAll(async () => {
		const names = await parametersOf('sanctions-file', 'Name the Files');
		names.assignments.assignments[0].value = stage.filesFolder;
		const url = (path: string) => ({ parameters: { url: `${stage.team.url}${path}` } });
		for (const step of steps) {
			await stage.publishTemplate(`sanctions-${step}`, {
				'Freeze the Account': url('/freeze'),
				'Open a Ticket': url('/tickets'),
				...(step === 'file' && { 'Name the Files': { parameters: names } }),
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
		expect(said()).toContain('Filed: sanctions hit P-1');
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
		expect(files).toContain(`${String(another.report_id)}_${sanctionedAddress}.pdf`);
		expect(said()).toContain('Filed: sanctions hit P-1');
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
		['on another list', () => decidedOtherwise({ list: 'Fraud' })],
		['waived', () => decidedOtherwise({ field: 'sanctions', waived_by: {} })],
		['empty', async () => ({})],
	])('an item that is %s opens no case, and the caller hears why', async (_, item) => {
		await expect(handOver(await item())).rejects.toThrow('No case was opened');
		await quiet();
		expect(await rows()).toEqual([]);
		expect(done('/freeze')).toEqual([]);
	});
}
