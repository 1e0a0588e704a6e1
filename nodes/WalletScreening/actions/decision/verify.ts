import { field } from '../../description/fields';
import { readReportPath, reportField, requireWholeReport } from '../../description/inputReport';
import { createSharedReader } from '../../description/parameters';
import { sortFields } from '../../execution/itemFields';
import type { VerificationItem } from '../../description/outputItems';
import type { Operation } from '../../execution/operation';
import type { PdfToVerify } from '../../policy/remadeEvidence';
import { verifyEvidence } from '../../policy/verification';
import { readPdf } from '../../transport/pdf';
import { requireFieldPath } from '../../shared/userInput';

const inputBinaryField = 'Input Binary Field';

export const verifyOperation: Operation = {
	name: 'Verify Evidence',
	value: 'verify',
	action: 'Verify evidence of decision',
	description: 'Check that report, decision and PDF still match their evidence',
	fields: [
		reportField,
		field(inputBinaryField, 'binaryPropertyName', {
			placeholder: 'e.g. data',
			hint: 'The name of the input binary field that holds the PDF. Leave empty to skip the PDF.',
		}),
	],
	sendsNothing: true,
	givesNoVerdict: true,
	async execute(run) {
		const names = ['reportField', 'binaryPropertyName'] as const;
		const readParameters = createSharedReader(run.context, names, (read) => ({
			path: readReportPath(read),
			property: requireFieldPath(read('binaryPropertyName', ''), inputBinaryField, 'data'),
		}));
		return await run.mapInputItems(async (read, { json, binary }, itemIndex) => {
			const { path, property } = readParameters(read);
			const report = requireWholeReport(json, path);
			const findPdf = async (): Promise<PdfToVerify> => {
				if (property === '') return 'notCompared';
				if (!binary?.[property]) return 'missing';
				return await readPdf(run.context, itemIndex, property);
			};
			const pdf = await findPdf();
			const verification: VerificationItem['verification'] = verifyEvidence(json, report, pdf);
			return sortFields({ ...json, verification });
		});
	},
};
