import { decidingReader } from '../../n8n/decision';
import { reportId } from '../../n8n/fields';
import { eachItem } from '../../n8n/run';
import { cleanReportId } from '../../service/input';
import type { Operation } from '../operation';
import { readPdf, reportFields, reportResult } from '../reportResult';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get report',
		description: 'Get an earlier report, without a new screening',
	},
	fields: [reportId, ...reportFields],
	async run(context) {
		const readDeciding = decidingReader(context);
		return await eachItem(context, {
			read: (read) => ({
				id: cleanReportId(read('reportId'), 'Report ID'),
				deciding: readDeciding(read),
				pdf: readPdf(context, read),
			}),
			async handle({ id, deciding, pdf }, run) {
				const report = await run.client.getReport(id);
				return await reportResult(run, { report, retrievedAt: new Date() }, deciding, pdf);
			},
		});
	},
};
