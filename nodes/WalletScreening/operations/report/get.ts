import { perItem } from '../../n8n/perItem';
import { decisionFields } from '../decisionFields';
import { binaryPropertyName, includePdf, options, reportId } from '../fields';
import type { Operation } from '../operation';
import { reportResult } from '../output';

export const get: Operation = {
	option: {
		name: 'Get',
		value: 'get',
		action: 'Get report',
		description: 'Retrieve a report that was made earlier, without screening again',
	},
	fields: [
		reportId,
		includePdf,
		{ ...binaryPropertyName, displayOptions: { show: { includePdf: [true] } } },
		...decisionFields(),
		options('alertText', 'concurrency', 'maxRetries', 'requestTimeout', 'simplify'),
	],
	async run(context) {
		return await perItem(context, async (itemIndex, screening) => {
			const report = await screening.client.getReport(
				context.getNodeParameter('reportId', itemIndex),
			);
			return await reportResult(context, itemIndex, screening, report);
		});
	},
};
