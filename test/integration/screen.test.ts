import { bech32 } from '@scure/base';
import type { INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { addressesOf } from '../support/addresses';
import { type Service, startService } from './engine/service';
import { SCREENING } from './engine/workflows';

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

	const reportOf = (address: string, chain?: string) =>
		reportOn(address, chain, service.sandbox.baseUrl) as object;

	it('gives the report of each address, paired with its input', async () => {
		const result = await service.run(screen(), {
			input: [{ address: ETH }, { address: SANCTIONED }, { address: BTC }],
		});
		expect(result.items).toEqual([
			[ETH, SANCTIONED, BTC].map((address, item) => ({
				json: reportOf(address),
				pairedItem: { item },
			})),
		]);
		expect(result.items[0]![1]!.json['risk']).toMatchObject({ level: 'red' });
		expect(service.requested().sort()).toEqual(Array(3).fill('POST /v1/screen'));
		expect(service.sandbox.requests.map(({ body }) => body)).toContainEqual({ address: ETH });
	});

	it('sends the chain if the user gives one', async () => {
		const result = await service.run(screen({}, { chain: '={{ $json.chain }}' }), {
			input: [
				{ address: ETH, chain: 'BSC' },
				{ address: ETH, chain: '' },
			],
		});
		expect(result.items[0]!.map(({ json }) => json)).toEqual([reportOf(ETH, 'BSC'), reportOf(ETH)]);
		const bodies = service.sandbox.requests.map(({ body }) => body);
		expect(bodies).toContainEqual({ address: ETH, chain: 'BSC' });
		expect(bodies).toContainEqual({ address: ETH });
	});

	it('gives a report just as the service sent it, with fields that nobody knows', async () => {
		const { categories: usual } = (reportOf(ETH) as { risk: { categories: object } }).risk;
		const categories = { novel: 0.5, ...usual };
		const sent = {
			future: [1, { deep: null }],
			risk: { model: 'v9', categories, score: 0.25, level: 'amber' },
			...{ report_url: 'https://example.com/r', tx_count: 0, balance: '0 ETH', chain: 'ETH' },
			...{ address: ETH, report_id: 'r-1', proto: { constructor: 'x' } },
		};
		service.sandbox.addFault({ effect: { kind: 'rewrite', rewrite: () => sent } });
		const { items } = await service.run(screen(), { input: [{ address: ETH }] });
		expect(items[0]![0]!.json).toEqual(sent);
	});

	it('keeps the fields of a report in the order in which the service sent them', async () => {
		const rewrite = ({ risk, ...rest }: Record<string, unknown>) => ({ first: 1, risk, ...rest });
		service.sandbox.addFault({ effect: { kind: 'rewrite', rewrite } });
		const { items } = await service.run(screen(), { input: [{ address: ETH }] });
		expect(Object.keys(items[0]![0]!.json)).toEqual(Object.keys(rewrite({ ...reportOf(ETH) })));
	});

	it('simplifies a report', async () => {
		const { items } = await service.run(screen({ simplify: true }), {
			input: [{ address: SANCTIONED }],
		});
		const report = reportOn(SANCTIONED, undefined, service.sandbox.baseUrl);
		expect(items).toEqual([
			[
				{
					json: {
						report_id: report.report_id,
						address: SANCTIONED,
						chain: 'ETH',
						risk_level: 'red',
						risk_score: report.risk.score,
						risk_categories: report.risk.categories,
						balance: report.balance,
						tx_count: report.tx_count,
						report_url: report.report_url,
					},
					pairedItem: { item: 0 },
				},
			],
		]);
	});

	it('brings the PDF of the report', async () => {
		const { items } = await service.run(screen({}, { includePdf: true }), {
			input: [{ address: ETH }],
		});
		const { report_id } = reportOn(ETH, undefined, service.sandbox.baseUrl);
		const [{ json, binary, pairedItem }] = items[0] as [(typeof items)[0][0]];
		expect(json).toEqual(reportOf(ETH));
		expect(pairedItem).toEqual({ item: 0 });
		expect(Object.keys(binary!)).toEqual(['data']);
		expect(binary!['data']).toMatchObject({
			mimeType: 'application/pdf',
			fileName: `${report_id}.pdf`,
		});
		expect((await service.engine.bytes(binary!['data']!)).subarray(0, 5).toString()).toBe('%PDF-');
		expect(service.requested()).toEqual(['POST /v1/screen', `GET /v1/reports/${report_id}/pdf`]);
	});

	it('removes what copy and paste leaves around an address', async () => {
		const result = await service.run(screen(), {
			input: [` ${ETH}\r\n`, `\u200b${ETH}\ufeff`, `\u00a0\u2060${ETH}\u200d `].map((address) => ({
				address,
			})),
		});
		expect(result.items[0]!.map(({ json }) => json)).toEqual(Array(3).fill(reportOf(ETH)));
		expect(service.sandbox.requests.map(({ body }) => body)).toEqual(
			Array(3).fill({ address: ETH }),
		);
	});

	it('takes an address of 256 characters', async () => {
		const address = bech32.encode('long', Array(245).fill(0), false);
		expect(address).toHaveLength(256);
		const { items } = await service.run(screen(), { input: [{ address: `  ${address}  ` }] });
		expect(items[0]![0]!.json).toEqual(reportOf(address));
	});

	it('keeps the order of the input when the answers come in another', async () => {
		const all = addressesOf(20);
		all.forEach((address, index) =>
			service.sandbox.addFault({
				when: ({ body }) => (body as { address: string }).address === address,
				effect: { kind: 'delay', ms: (20 - index) * 10 },
			}),
		);
		const { items } = await service.run(screen(), { input: all.map((address) => ({ address })) });
		expect(items[0]!.map(({ json }) => json['address'])).toEqual(all);
		expect(items[0]!.map(({ pairedItem }) => pairedItem)).toEqual(all.map((_, item) => ({ item })));
	});

	it('has no more requests in progress than the option says', async () => {
		service.sandbox.addFault({ effect: { kind: 'delay', ms: 40 } });
		const before = Date.now();
		await service.run(screen({ concurrency: 2 }), {
			input: addressesOf(10).map((address) => ({ address })),
		});
		expect(Date.now() - before).toBeGreaterThanOrEqual(190);
	});

	it('hints at bulk jobs after more than 50 addresses that were sent', async () => {
		const hintsOf = async (list: string[]) => {
			const input = list.map((address) => ({ address }));
			const result = await service.run(screen(), { input, onError: 'continueRegularOutput' });
			return result.hints.filter(({ message }) => message.includes('one by one'));
		};
		const nothing = Array.from({ length: 51 }, () => '');
		expect(await hintsOf([...nothing, ...addressesOf(50)])).toEqual([]);
		expect(await hintsOf([...nothing, ...addressesOf(51)])).toMatchObject([
			{
				message:
					'The node sent 51 addresses one by one. Bulk Job: Screen and Wait submits up to 1000 in one request.',
			},
		]);
	});

	it('lets later nodes trace each report back to its input', async () => {
		const input = addressesOf(12).map((address, index) => ({
			address,
			customer: `customer ${index}`,
		}));
		const { items } = await service.run(screen(), {
			input,
			behind: "={{ $('Start').item.json.customer }}",
		});
		expect(items[0]!.map(({ json }) => json['value'])).toEqual(
			input.map(({ customer }) => customer),
		);
	});

	it('has an outcome for each of 1,000 good and bad items, in order', async () => {
		const input = addressesOf(1000).map((address, index) => ({
			address: index % 7 === 3 ? '' : index % 11 === 5 ? `${address} x` : address,
			row: index,
		}));
		const refused = new Set(
			input.filter(({ row }) => row % 13 === 6).map(({ address }) => address),
		);
		service.sandbox.addFault({
			when: ({ body }) => refused.has((body as { address: string }).address),
			effect: { kind: 'answer', status: 400, body: '{"message":"not an address"}' },
		});
		const result = await service.run(screen(), { input, onError: 'continueRegularOutput' });
		const outcomes = result.itemsOf(SCREENING)[0]!;

		expect(outcomes).toHaveLength(1000);
		outcomes.forEach(({ json, pairedItem }, item) => {
			const { address } = input[item]!;
			expect(pairedItem).toEqual({ item });
			const details = json['details'] as { errorClass: string } | undefined;
			if (address === '' || address.includes(' '))
				expect(details?.errorClass).toBe('invalid_input');
			else if (refused.has(address)) expect(details?.errorClass).toBe('bad_request');
			else expect(json).toEqual(reportOf(address));
		});
		const asked = input.filter(({ address }) => address !== '' && !address.includes(' '));
		expect(service.requested()).toHaveLength(asked.length);
	});
});
