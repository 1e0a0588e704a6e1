import type { IExecuteFunctions } from 'n8n-workflow';
import { readPdf, storePdf } from '../../../nodes/WalletScreening/transport/pdf';

test.each<[report_id: string, name: string, because: string]>([
	['rep_1', 'case rep_1 (rep_1).pdf', 'each place takes the ID'],
	['a$&b$$c', 'case a$&b$$c (a$&b$$c).pdf', 'a $ means nothing in an ID'],
	['a/..\\b', 'case a_.._b (a_.._b).pdf', 'no ID leads to another folder'],
])('the PDF of the report %s has the name %s, because %s', async (report_id, name) => {
	const prepareBinaryData = jest.fn().mockResolvedValue('stored');
	const context = { helpers: { prepareBinaryData } } as unknown as IExecuteFunctions;
	const target = { property: 'file', fileName: 'case {report_id} ({report_id}).pdf' };
	const bytes = Buffer.from('%PDF');
	expect(await storePdf(context, bytes, report_id, target)).toEqual({ file: 'stored' });
	expect(prepareBinaryData).toHaveBeenCalledWith(bytes, name, 'application/pdf');
});

test('a PDF that n8n cannot read is a failure of its storage, with its message', async () => {
	const getBinaryDataBuffer = jest.fn().mockRejectedValue(new Error('ENOENT: no such file'));
	const context = { helpers: { getBinaryDataBuffer } } as unknown as IExecuteFunctions;
	await expect(readPdf(context, 3, 'file')).rejects.toMatchObject({
		errorClass: 'storage',
		description: expect.stringMatching(/n8n's message: ENOENT: no such file$/) as string,
	});
	expect(getBinaryDataBuffer).toHaveBeenCalledWith(3, 'file');
});
