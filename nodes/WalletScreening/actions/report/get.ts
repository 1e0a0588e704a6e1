import { decisionSettingsReader } from '../../description/decision';
import { reportId } from '../../description/fields';
import { locatedIn } from '../../description/parameters';
import { eachItem } from '../../execution/eachItem';
import type { Operation } from '../../execution/run';
import { readPdf, reportFields, reportResult } from '../reportResult';
import { cleanReportId } from '../../client/ids';

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
