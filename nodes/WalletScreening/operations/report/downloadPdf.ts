import { pdfFields, reportId } from '../../n8n/fields';
import { requestOptions, options } from '../../n8n/options';
import { locatedIn } from '../../n8n/parameters';
import { eachItem } from '../../n8n/eachItem';
import { withErrorDetails } from '../../service/errors';
import { cleanReportId } from '../../service/input';
import type { Operation } from '../../n8n/run';
import { pdfBinary, readPdfTarget } from '../reportResult';

export const downloadPdfOperation: Operation = {
	name: 'Download PDF',
	value: 'downloadPdf',
	action: 'Download PDF of report',
	description: 'Download an earlier report as a PDF',
	fields: [reportId, ...pdfFields, options(...requestOptions, 'includeInputFields')],
	async run(run) {
		return await eachItem(
			run,
			(read) => ({
				id: cleanReportId(locatedIn(read('reportId')), 'Report'),
				target: readPdfTarget(read),
			}),
			async ({ id, target }, { client }) =>
				await withErrorDetails({ report_id: id }, async () => ({
					json: { report_id: id },
					binary: await pdfBinary(run.context, await client.getPdf(id), id, target),
				})),
		);
	},
};
