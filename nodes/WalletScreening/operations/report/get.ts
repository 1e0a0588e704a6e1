import { decisionSettingsReader } from '../../n8n/decision';
import { reportId } from '../../n8n/fields';
import { locatedIn } from '../../n8n/parameters';
import { eachItem } from '../../n8n/eachItem';
import { cleanReportId } from '../../service/input';
import type { Operation } from '../../n8n/run';
import { readPdf, reportFields, reportResult } from '../reportResult';

export const getReportOperation: Operation = {
	name: 'Get',
	value: 'get',
	action: 'Get report',
	description: 'Get an earlier report, without a new screening',
	fields: [reportId, ...reportFields()],
	async run(run) {
		const readDeciding = decisionSettingsReader(run.context);
		return await eachItem(
			run,
			(read, itemIndex) => ({
				id: cleanReportId(locatedIn(read('reportId')), 'Report'),
				deciding: readDeciding(read, itemIndex),
				pdf: readPdf(read),
			}),
			async ({ id, deciding, pdf }, itemRun) => {
				const report = await itemRun.client.getReport(id);
				return await reportResult(itemRun, { report, retrievedAt: new Date() }, deciding, pdf);
			},
		);
	},
};
