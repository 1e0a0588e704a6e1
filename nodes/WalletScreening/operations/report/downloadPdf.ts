import { pdfOf } from '../../n8n/pdf';
import { perItem } from '../../n8n/perItem';
import { cleanId } from '../../service/input';
import { binaryPropertyName, options, reportId } from '../fields';
import type { Operation } from '../operation';

const idPlaceholder = '{report_id}';

export const downloadPdf: Operation = {
	option: {
		name: 'Download PDF',
		value: 'downloadPdf',
		action: 'Download PDF of report',
		description: 'Download the PDF version of a report that was made earlier',
	},
	fields: [
		reportId,
		binaryPropertyName,
		{
			displayName: 'File Name',
			name: 'fileName',
			type: 'string',
			default: `${idPlaceholder}.pdf`,
			placeholder: 'e.g. report.pdf',
			description: 'The name of the file. The text {report_id} stands for the ID of the report.',
		},
		options('concurrency', 'maxRetries', 'requestTimeout'),
	],
	async run(context) {
		return await perItem(context, async (itemIndex, { client }) => {
			const id = cleanId(context.getNodeParameter('reportId', itemIndex), 'Report ID');
			const property = context.getNodeParameter('binaryPropertyName', itemIndex) as string;
			const fileName =
				(context.getNodeParameter('fileName', itemIndex) as string) || `${idPlaceholder}.pdf`;
			const file = { property, fileName: fileName.replaceAll(idPlaceholder, id) };
			return { json: { report_id: id }, binary: await pdfOf(context, client, id, file) };
		});
	},
};
