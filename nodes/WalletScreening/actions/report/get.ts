import { cleanReportId } from '../../address/input';
import type { Client } from '../../client/client';
import { createAgentOutputFields, readReportForm } from '../../description/reportForm';
import { reportIdField } from '../../description/fields';
import { createOptionsField, reportOptions, requestOptions } from '../../description/options';
import { unwrapLocator } from '../../description/parameters';
import { optionalPdfFields, readWantedPdf } from '../../description/pdfOutput';
import { createSettingsReader, decisionFields } from '../../description/reportSettings';
import { createReportItemWithPdf, type ReportItemRequest } from '../../execution/reportWithPdf';
import type { OutputItem, Run } from '../../execution/run';
import type { Operation } from '../../execution/operation';

export const getReportOperation: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get report',
	description: 'Retrieve an earlier report, without a new screening',
	fields: [
		reportIdField,
		...optionalPdfFields,
		...decisionFields,
		...createAgentOutputFields(),
		createOptionsField(...requestOptions, ...reportOptions),
	],
	async execute(run) {
		const form = readReportForm(run.context);
		const readSettings = createSettingsReader(run);
		const requests = await run.readItems((read, itemIndex) => ({
			id: cleanReportId(unwrapLocator(read('reportId')), 'Report'),
			settings: readSettings(read, itemIndex),
			form,
			pdf: readWantedPdf(read),
		}));
		return await run.mapRequests(requests, getReport);
	},
};

interface ReportRequest extends ReportItemRequest {
	id: string;
}

/** Asks for a report that exists (section 4.2). */
async function getReport(run: Run, client: Client, request: ReportRequest): Promise<OutputItem> {
	const report = await client.getReport(request.id);
	const received = { report, retrievedAt: new Date() };
	return await createReportItemWithPdf(run, client, received, request);
}
