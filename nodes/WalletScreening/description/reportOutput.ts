import { requireBoolean, requireText } from '../shared/userInput';
import type { PdfTarget } from '../transport/pdf';
import { decisionFields } from './decisionFields';
import { field, shownIf, toggle } from './fields';
import { createOptionsField, type OptionName, reportOptions, requestOptions } from './options';
import { createToolOutputFields } from './toolOutput';
import type { ParameterReader } from './parameters';

/* What an operation gives of a report that it screens or fetches: its PDF, a decision, and its fields. */

/** The fields for the place of a PDF. */
export const pdfFields = [
	field('Put Output File in Field', 'binaryPropertyName', {
		required: true,
		default: 'data',
		placeholder: 'e.g. data',
		hint: 'The name of the output binary field to put the PDF in',
	}),
	field('File Name', 'fileName', {
		default: '{report_id}.pdf',
		placeholder: 'e.g. {report_id}.pdf',
		description: 'The name of the file. The node fills in {report_id}.',
	}),
];

const includePdf = toggle(
	'Include PDF',
	'includePdf',
	'Whether to download the PDF version of the report as well',
);

/**
 * Reads where the PDF goes; undefined if none is wanted.
 * @throws {ScreeningError} `invalid_input`
 */
export function readWantedPdf(read: ParameterReader): PdfTarget | undefined {
	return requireBoolean(read('includePdf', false), 'Include PDF') ? readPdfTarget(read) : undefined;
}

/**
 * Reads where the PDF goes.
 * @throws {ScreeningError} `invalid_input`
 */
export function readPdfTarget(read: ParameterReader): PdfTarget {
	const property = requireText(
		read('binaryPropertyName', 'data'),
		'Put Output File in Field',
		'Name the binary field of the item that receives the PDF, e.g. data.',
	);
	const name = read('fileName', '');
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return { property, fileName: isNamed ? name.trim() : '{report_id}.pdf' };
}

/** Makes the fields after the one that names the address or the report. The collection "Options" offers `others`, too. */
export const createReportFields = (...others: OptionName[]) => [
	includePdf,
	...shownIf({ includePdf: [true] }, pdfFields),
	...decisionFields,
	...createToolOutputFields(),
	createOptionsField(...requestOptions, ...reportOptions, ...others),
];
