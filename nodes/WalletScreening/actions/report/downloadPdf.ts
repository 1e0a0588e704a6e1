import { pdfFields, reportId } from '../../description/fields';
import { requestOptions, options } from '../../description/options';
import { locatedIn } from '../../description/parameters';
import { eachItem } from '../../execution/eachItem';
import { withErrorDetails } from '../../shared/errors';
import type { Operation } from '../../execution/run';
import { pdfBinary, readPdfTarget } from '../reportResult';
import { cleanReportId } from '../../client/ids';

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
