import { BinaryDataService } from 'n8n-core';
import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { addressesOf } from '../support/addresses';
import { CONTINUE, itemsFor } from './engine/items';
import { type Service, startService } from './engine/service';
import { answer } from './faults/faults';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const BTC = 'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh';
/** On the list of sanctioned addresses of the US Treasury. */
const SANCTIONED = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';

const screen = (options: INodeParameters = {}, more: INodeParameters = {}): INodeParameters => ({
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
	options,
	...more,
});

describe('address: screen', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService();
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.reset());
	afterEach(() => jest.restoreAllMocks());

	const reportOf = (address: string, chain?: string) =>
		reportOn(address, chain, service.sandbox.baseUrl) as object;
	const idOf = (address: string) => reportOn(address, undefined, '').report_id;

	it('gives the report of each address, paired with its input', async () => {
		const addresses = [ETH, SANCTIONED, ` ${BTC}\r\n`];
		const { items } = await service.run(screen(), { input: itemsFor(addresses) });
		expect(items).toEqual([
			addresses.map((address, item) => ({ json: reportOf(address.trim()), pairedItem: { item } })),
		]);
		expect(items[0]![1]!.json['risk']).toMatchObject({ level: 'red' });
		expect(service.requested()).toEqual(Array(3).fill('POST /v1/screen'));
	});

	it('sends the chain if the user gives one, and says so if the report is of another one', async () => {
		const given = screen({}, { chain: '={{ $json.chain }}' });
		const [bsc, none] = [
			{ address: ETH, chain: 'BSC' },
			{ address: ETH, chain: '' },
		];
		const { items } = await service.run(given, { input: [bsc, none] });
		expect(items[0]!.map(({ json }) => json)).toEqual([reportOf(ETH, 'BSC'), reportOf(ETH)]);
		const bodies = service.sandbox.requests.map(({ body }) => body);
		expect(bodies).toEqual(expect.arrayContaining([bsc, { address: ETH }]));

		const rewrite = (body: object) => ({ ...body, chain: 'ETH' });
		service.sandbox.addFault({ effect: { kind: 'rewrite', rewrite } });
		const other = await service.run(given, { input: [bsc] });
		expect(other.items[0]![0]!.json).toMatchObject({ chain: 'ETH', asked_chain: 'BSC' });
	});

	it('gives a report just as the service sent it, in its order, with fields that nobody knows', async () => {
		const { categories: usual } = (reportOf(ETH) as { risk: { categories: object } }).risk;
		const sent = {
			future: [1, { deep: null }],
			risk: { model: 'v9', categories: { novel: 0.5, ...usual }, score: 0.25, level: 'amber' },
			...{ report_url: 'https://example.com/r', tx_count: 0, balance: '0 ETH', chain: 'ETH' },
			...{ address: ETH, report_id: 'r-1', proto: { constructor: 'x' } },
		};
		service.sandbox.addFault({ effect: { kind: 'rewrite', rewrite: () => sent } });
		const { items } = await service.run(screen(), { input: itemsFor([ETH]) });
		expect(JSON.stringify(items[0]![0]!.json)).toBe(JSON.stringify(sent));
	});

	it('lets later nodes trace each report back to its input', async () => {
		const input = addressesOf(12).map((address, index) => ({ address, customer: `C-${index}` }));
		const { items } = await service.run(screen(), {
			input,
			behind: "={{ $('Start').item.json.customer }}",
		});
		expect(items[0]!.map(({ json }) => json['value'])).toEqual(
			input.map(({ customer }) => customer),
		);
	});

	it('hints at bulk jobs after more than 50 addresses that were sent', async () => {
		const hintsOf = async (count: number) => {
			const input = itemsFor([...Array<string>(51).fill(''), ...addressesOf(count)]);
			const { hints } = await service.run(screen(), { input, onError: CONTINUE });
			return hints.filter(({ message }) => message.includes('one by one'));
		};
		expect(await hintsOf(50)).toEqual([]);
		expect(await hintsOf(51)).toMatchObject([
			{ message: expect.stringContaining('sent 51 addresses') as string },
		]);
	});

	it.each([
		[{}, 2],
		[{ maxRetries: 0 }, 1],
		[{ maxRetries: 3 }, 4],
	])('after a lost answer, may be billed anew as often as %j says', async (options, sent) => {
		jest.spyOn(Math, 'random').mockReturnValue(0);
		service.sandbox.addFault({ effect: { kind: 'reset', at: 'beforeAnswer' } });
		const { error } = await service.run(screen(options), { input: itemsFor([ETH]) });
		expect(error?.context).toMatchObject({ errorClass: 'network' });
		expect(service.requested()).toHaveLength(sent);
	});

	describe('with the PDF', () => {
		const isPdf = ({ method }: { method: string }) => method === 'GET';
		const noRoom = () => {
			const full = new Error('ENOSPC: no space left on device, write');
			const error = Object.assign(full, { code: 'ENOSPC' });
			jest.spyOn(BinaryDataService.prototype, 'store').mockRejectedValue(error);
		};
		const run = async (onError?: typeof CONTINUE) =>
			await service.run(screen({ maxRetries: 0 }, { includePdf: true, addDecision: true }), {
				input: itemsFor([ETH]),
				onError,
			});

		it('brings it beside the report', async () => {
			const { items } = await run();
			const [{ json, binary, pairedItem }] = items[0] as [(typeof items)[0][0]];
			expect(json).toMatchObject(reportOf(ETH));
			expect(pairedItem).toEqual({ item: 0 });
			expect(Object.keys(binary!)).toEqual(['data']);
			expect(binary!['data']).toMatchObject({
				mimeType: 'application/pdf',
				fileName: `${idOf(ETH)}.pdf`,
			});
			const bytes = await service.engine.bytes(binary!['data']!);
			expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
			expect(service.requested()).toEqual(['POST /v1/screen', `GET /v1/reports/${idOf(ETH)}/pdf`]);
		});

		it.each<[string, () => unknown, string, RegExp]>([
			[
				'the service fails',
				() => service.sandbox.addFault({ when: isPdf, effect: answer(500) }),
				'server',
				/^The report is here, but not its PDF/,
			],
			['no disk has room', noRoom, 'storage', /could not store the PDF/],
		])('keeps what was paid for if %s', async (_what, begin, errorClass, message) => {
			begin();
			const known = { errorClass, report: reportOf(ETH) };
			const { items } = await run(CONTINUE);
			expect(items[0]![0]!.json['details']).toMatchObject({
				...{ ...known, address: ETH, report_id: idOf(ETH) },
				decision: expect.objectContaining({ outcome: expect.any(String) as string }) as IDataObject,
			});
			expect(service.requested().filter((request) => request.startsWith('POST'))).toHaveLength(1);

			const { error } = await run();
			expect(error?.message).toMatch(message);
			expect(error?.description).toContain("'Report: Download PDF'");
			expect(error?.context).toMatchObject({ ...known, report_ids: [idOf(ETH)] });
		});
	});
});
