import type { IDataObject, INodeParameters } from 'n8n-workflow';

import { bitcoin, ethereum } from '../support/data/knownAddresses';
import { useService } from '../support/engine/sandboxService';
import { GET_REPORT, itemsFor, SCREEN } from '../support/engine/workflows';

const addresses = [ethereum, bitcoin];

const service = useService();
let input: IDataObject[];
beforeEach(() => (input = addresses.map((address) => service.itemOf(address))));
const idOf = (item: IDataObject) => (item['report'] as IDataObject)['report_id'];
beforeAll(async () => {
	await service.run(SCREEN, { input: itemsFor(addresses) });
});

it.each<[string, INodeParameters]>([
	['its ID', { mode: 'id', value: '={{ $json.report.report_id }}' }],
	[
		'its URL',
		{ mode: 'url', value: '=https://app.example.com/reports/{{ $json.report.report_id }}' },
	],
])('gets each report by %s, paired with its input', async (_what, locator) => {
	const reportId = { __rl: true, ...locator };
	const { items } = await service.run({ ...GET_REPORT, reportId }, { input });
	expect(items).toEqual([input.map((json, item) => ({ json, pairedItem: { item } }))]);
	const expected = input.map((item) => `GET /v1/reports/${idOf(item)}`);
	expect(service.requestLines().sort()).toEqual(expected.sort());
});

const ofId = (item: IDataObject) => ({ report_id: idOf(item) });
it.each<[string, INodeParameters, (item: IDataObject) => object, string]>([
	['screens an address with', { ...SCREEN, includePdf: true }, (report) => report, '$'],
	['gets a report with', { ...GET_REPORT, includePdf: true }, (report) => report, '$'],
	[
		'downloads',
		{ ...GET_REPORT, operation: 'downloadPdf', fileName: 'case-{report_id}-final.pdf' },
		ofId,
		'case-$-final',
	],
])('%s the PDF, in the field that the user named, byte for byte', async (...given) => {
	const [, parameters, jsonOf, fileName] = given;
	const { items } = await service.run({ ...parameters, binaryPropertyName: 'file' }, { input });
	expect(items[0]).toHaveLength(2);
	for (const [item, { json, binary, pairedItem }] of items[0]!.entries()) {
		const [report, report_id] = [input[item]!, idOf(input[item]!) as string];
		expect({ json, pairedItem }).toEqual({ json: jsonOf(report), pairedItem: { item } });
		expect(binary).toEqual({
			file: expect.objectContaining({
				mimeType: 'application/pdf',
				fileName: `${fileName.replace('$', report_id)}.pdf`,
			}) as object,
		});
		const { file } = binary!;
		const { baseUrl, keys } = service.sandbox;
		const direct = await fetch(`${baseUrl}/v1/reports/${report_id}/pdf`, {
			headers: { authorization: `Bearer ${keys.readOnly}` },
		});
		const bytes = await service.engine.bytes(file!);
		expect(bytes.equals(Buffer.from(await direct.arrayBuffer()))).toBe(true);
	}
});
