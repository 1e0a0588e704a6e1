import { decisionFields, rulesReader } from '../../n8n/decision';
import { binaryPropertyName, includePdf, options, reportId } from '../../n8n/fields';
import { eachItem } from '../../n8n/run';
import { cleanReportId } from '../../service/input';
import type { Operation } from '../operation';
import { readPdf, reportResult } from '../reportResult';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get report',
		description: 'Get a report that was made earlier, without a new screening',
	},
	fields: [
		reportId,
		includePdf,
		{ ...binaryPropertyName, displayOptions: { show: { includePdf: [true] } } },
		...decisionFields(),
		options(
			'alertText',
			'concurrency',
			'includeInputFields',
			'maxRetries',
			'requestTimeout',
			'simplify',
		),
	],
	async run(context) {
		const readRules = rulesReader(context);
		return await eachItem(context, {
			read: (read) => ({
				id: cleanReportId(read('reportId'), 'Report ID'),
				wish: { rules: readRules(read), pdf: readPdf(read) },
			}),
			async handle({ id, wish }, run) {
				return await reportResult(run, await run.client.getReport(id), wish);
			},
		});
	},
};
