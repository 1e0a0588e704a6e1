import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
import { itemsFor } from './engine/items';
import { type Service, startService } from './engine/service';

const ADDRESSES = [
	'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
];

const operation = (name: string, more: INodeParameters = {}): INodeParameters => ({
	resource: 'report',
	operation: name,
	reportId: '={{ $json.id }}',
	...more,
});

describe.each(['default', 'filesystem'] as const)(
	'reports, binary data in mode %s',
	(binaryMode) => {
		let service: Service;
		let input: Array<{ id: string }>;

		beforeAll(async () => {
			service = await startService({ binaryMode });
			const screened = await service.run(
				{ resource: 'address', operation: 'screen', address: '={{ $json.address }}' },
				{ input: itemsFor(ADDRESSES) },
			);
			input = screened.items[0]!.map(({ json }) => ({ id: json['report_id'] as string }));
		});
		afterAll(async () => await service.close());
		beforeEach(() => service.reset());

		const reportOf = (address: string) =>
			reportOn(address, undefined, service.sandbox.baseUrl) as object;
		/** Each item as it must be, with the PDF that the service has, byte for byte. */
		async function expectPdfs(
			items: INodeExecutionData[],
			property: string,
			expected: (id: string, index: number) => { json: object; fileName: string },
		) {
			expect(items).toHaveLength(input.length);
			for (const [index, { json, binary, pairedItem }] of items.entries()) {
				const { id } = input[index]!;
				const { fileName, ...rest } = expected(id, index);
				expect({ json, pairedItem }).toEqual({ ...rest, pairedItem: { item: index } });
				expect(binary![property]).toMatchObject({ mimeType: 'application/pdf', fileName });
				expect(binary![property]!.id === undefined).toBe(binaryMode === 'default');
				const { baseUrl, keys } = service.sandbox;
				const direct = await fetch(`${baseUrl}/v1/reports/${id}/pdf`, {
					headers: { authorization: `Bearer ${keys.readOnly}` },
				});
				const bytes = await service.engine.bytes(binary![property]!);
				expect(bytes.equals(Buffer.from(await direct.arrayBuffer()))).toBe(true);
			}
		}

		it.each<[string, INodeParameters]>([
			['an expression', {}],
			['its id in a resource locator', { mode: 'id', value: '={{ $json.id }}' }],
			['its URL', { mode: 'url', value: '=https://app.example.com/reports/{{ $json.id }}' }],
		])('gets each report by %s, paired with its input', async (_what, locator) => {
			const reportId = { reportId: { __rl: true, ...locator } };
			const { items } = await service.run(operation('get', locator['mode'] ? reportId : {}), {
				input,
			});
			expect(items).toEqual([
				ADDRESSES.map((address, item) => ({ json: reportOf(address), pairedItem: { item } })),
			]);
			const expected = input.map(({ id }) => `GET /v1/reports/${id}`);
			expect(service.requested().sort()).toEqual(expected.sort());
		});

		it('gets a report with its PDF in the field that the user named', async () => {
			const { items } = await service.run(
				operation('get', { includePdf: true, binaryPropertyName: 'evidence' }),
				{ input },
			);
			await expectPdfs(items[0]!, 'evidence', (id, index) => ({
				...{ json: reportOf(ADDRESSES[index]!), fileName: `${id}.pdf` },
			}));
		});

		it('downloads the PDF, in a file and a field of the names that the user gave', async () => {
			const { items } = await service.run(
				operation('downloadPdf', {
					fileName: 'case-{report_id}-final.pdf',
					binaryPropertyName: 'file',
				}),
				{ input },
			);
			await expectPdfs(items[0]!, 'file', (id) => ({
				...{ json: { report_id: id }, fileName: `case-${id}-final.pdf` },
			}));
		});
	},
);
