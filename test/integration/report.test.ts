import type { INodeExecutionData, INodeParameters } from 'n8n-workflow';

import { reportOn } from '../../sandbox/reports';
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
				{ input: ADDRESSES.map((address) => ({ address })) },
			);
			input = screened.items[0]!.map(({ json }) => ({ id: json['report_id'] as string }));
		});
		afterAll(async () => await service.close());
		beforeEach(() => service.reset());

		const reportOf = (address: string) =>
			reportOn(address, undefined, service.sandbox.baseUrl) as object;
		const servePdf = (body: Buffer, contentType: string) =>
			service.sandbox.addFault({
				when: ({ path }) => path.endsWith('/pdf'),
				effect: { kind: 'answer', status: 200, headers: { 'content-type': contentType }, body },
			});
		const pdfIn = async ({ binary }: INodeExecutionData, property = 'data') => {
			const file = binary![property]!;
			expect(file.mimeType).toBe('application/pdf');
			expect(file.id === undefined).toBe(binaryMode === 'default');
			return { name: file.fileName, bytes: await service.engine.bytes(file) };
		};

		it('gets each report, paired with its input', async () => {
			const { items } = await service.run(operation('get'), { input });
			expect(items).toEqual([
				ADDRESSES.map((address, item) => ({ json: reportOf(address), pairedItem: { item } })),
			]);
			expect(service.requested().sort()).toEqual(
				input.map(({ id }) => `GET /v1/reports/${id}`).sort(),
			);
		});

		it.each([
			['id', '={{ $json.id }}'],
			['url', '=https://app.example.com/reports/{{ $json.id }}'],
		])('finds a report by its %s in a resource locator', async (mode, value) => {
			const { items } = await service.run(
				operation('get', { reportId: { __rl: true, mode, value } }),
				{ input },
			);
			expect(items[0]!.map(({ json }) => json)).toEqual(ADDRESSES.map(reportOf));
		});

		it('simplifies a report', async () => {
			const { items } = await service.run(operation('get', { options: { simplify: true } }), {
				input,
			});
			expect(Object.keys(items[0]![0]!.json)).toEqual([
				...['report_id', 'address', 'chain', 'risk_level', 'risk_score', 'risk_categories'],
				...['balance', 'tx_count', 'report_url'],
			]);
		});

		it('gets a report with its PDF in the field that the user named', async () => {
			const { items } = await service.run(
				operation('get', { includePdf: true, binaryPropertyName: 'evidence' }),
				{ input },
			);
			expect(items[0]).toHaveLength(input.length);
			for (const [index, item] of items[0]!.entries()) {
				expect(item.json).toEqual(reportOf(ADDRESSES[index]!));
				expect(item.pairedItem).toEqual({ item: index });
				const { name, bytes } = await pdfIn(item, 'evidence');
				expect(name).toBe(`${input[index]!.id}.pdf`);
				expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
			}
		});

		it('downloads the PDF, byte for byte', async () => {
			const { items } = await service.run(operation('downloadPdf'), { input });
			expect(items[0]).toHaveLength(input.length);
			for (const [index, item] of items[0]!.entries()) {
				const { id } = input[index]!;
				expect(item.json).toEqual({ report_id: id });
				expect(item.pairedItem).toEqual({ item: index });
				const { sandbox } = service;
				const direct = await fetch(`${sandbox.baseUrl}/v1/reports/${id}/pdf`, {
					headers: { authorization: `Bearer ${sandbox.keys.readOnly}` },
				});
				const expected = Buffer.from(await direct.arrayBuffer());
				const { name, bytes } = await pdfIn(item);
				expect(name).toBe(`${id}.pdf`);
				expect(bytes.equals(expected)).toBe(true);
			}
		});

		it('names file and field as the user says', async () => {
			const { items } = await service.run(
				operation('downloadPdf', {
					fileName: 'case-{report_id}-final.pdf',
					binaryPropertyName: 'file',
				}),
				{ input },
			);
			const files = await Promise.all(items[0]!.map(async (item) => await pdfIn(item, 'file')));
			expect(files.map(({ name }) => name)).toEqual(input.map(({ id }) => `case-${id}-final.pdf`));
		});

		it('knows a PDF by its bytes, whatever the service calls it', async () => {
			const pdf = Buffer.from('%PDF-1.7\n\xff\x00\n%%EOF', 'latin1');
			servePdf(pdf, 'text/html; charset=utf-8');
			const { items } = await service.run(operation('downloadPdf'), { input: [input[0]!] });
			expect((await pdfIn(items[0]![0]!)).bytes.equals(pdf)).toBe(true);
		});

		it('brings a PDF of 50 MB', async () => {
			const pdf = Buffer.alloc(50 * 1024 * 1024, 'a report ');
			pdf.write('%PDF-1.7');
			servePdf(pdf, 'application/pdf');
			const { items } = await service.run(operation('downloadPdf'), { input: [input[0]!] });
			expect((await pdfIn(items[0]![0]!)).bytes.equals(pdf)).toBe(true);
		});

		it.each(['get', 'downloadPdf'])('sends no POST and no body for %s', async (name) => {
			await service.run(operation(name), { input });
			const sent = service.sandbox.requests.map(({ method, body, status }) => ({
				method,
				body,
				status,
			}));
			expect(sent).toEqual(input.map(() => ({ method: 'GET', body: undefined, status: 200 })));
		});

		it.each([
			['a?b=c#d', 'a%3Fb%3Dc%23d'],
			['a%2Fb', 'a%252Fb'],
			['%2e%2e', '%252e%252e'],
			['ä;b&c', '%C3%A4%3Bb%26c'],
		])('sends the report ID %s as one segment of the path', async (id, segment) => {
			const { error } = await service.run(operation('get'), { input: [{ id }] });
			expect(error?.context).toMatchObject({ errorClass: 'not_found' });
			expect(service.requested()).toEqual([`GET /v1/reports/${segment}`]);
		});
	},
);
