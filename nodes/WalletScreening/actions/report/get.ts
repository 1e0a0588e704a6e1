import { cleanReportId } from '../../address/input';
import type { Client } from '../../client/client';
import { type DecisionSettings, createDecisionReader } from '../../description/decision';
import { reportId } from '../../description/fields';
import { unwrapLocator } from '../../description/parameters';
import type { OutputItem } from '../../execution/items';
import type { Run } from '../../execution/run';
import type { Operation } from '../../execution/runOperation';
import type { PdfTarget } from '../../transport/n8n';
import { readPdf, createReportFields, reportResult } from '../reportResult';

export const getReportOperation: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get report',
	description: 'Retrieve an earlier report, without a new screening',
	fields: [reportId, ...createReportFields()],
	async execute(run) {
		const readDecision = createDecisionReader(run.context);
		const requests = await run.readItems((read, itemIndex) => ({
			id: cleanReportId(unwrapLocator(read('reportId')), 'Report'),
			decision: readDecision(read, itemIndex),
			pdf: readPdf(read),
		}));
		return await run.forEach(
			requests,
			async (request, client) => await getReport(run, client, request),
		);
	},
};

interface ReportRequest {
	id: string;
	decision: DecisionSettings;
	pdf: PdfTarget | undefined;
}

/** Asks for a report that exists (section 4.2). */
async function getReport(run: Run, client: Client, request: ReportRequest): Promise<OutputItem> {
	const { id, decision, pdf } = request;
	const report = await client.getReport(id);
	return await reportResult(run, client, { report, retrievedAt: new Date() }, decision, pdf);
}
