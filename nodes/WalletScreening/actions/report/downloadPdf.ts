import { cleanReportId } from '../../address/input';
import type { Client } from '../../client/client';
import { reportIdField } from '../../description/fields';
import { createOptionsField, requestOptions } from '../../description/options';
import { unwrapLocator } from '../../description/parameters';
import { pdfFields, readPdfTarget } from '../../description/pdfOutput';
import type { OutputItem, Run } from '../../execution/run';
import type { Operation } from '../../execution/operation';
import { type PdfTarget, storePdf } from '../../transport/pdf';

export const downloadPdfOperation: Operation = {
	name: 'Download PDF',
	value: 'downloadPdf',
	action: 'Download PDF of report',
	description: 'Retrieve the PDF version of an earlier report',
	fields: [
		reportIdField,
		...pdfFields,
		createOptionsField(...requestOptions, 'includeInputFields'),
	],
	givesNoVerdict: true,
	async execute(run) {
		const requests = await run.readItems((read) => ({
			id: cleanReportId(unwrapLocator(read('reportId')), 'Report'),
			target: readPdfTarget(read),
		}));
		return await run.mapRequests(requests, downloadPdf);
	},
};

interface PdfRequest {
	id: string;
	target: PdfTarget;
}

/** Asks for the PDF of a report that exists (section 4.5). */
async function downloadPdf(run: Run, client: Client, request: PdfRequest): Promise<OutputItem> {
	const { id, target } = request;
	const binary = await storePdf(run.context, await client.getPdf(id), id, target);
	return { json: { report_id: id }, binary };
}
