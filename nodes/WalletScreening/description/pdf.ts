import type { PdfTarget } from '../transport/pdf';
import { booleanIn, textIn } from '../shared/userInput';
import { field, toggle } from './fields';
import type { Read } from './parameters';

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

export const includePdf = toggle(
	'Include PDF',
	'includePdf',
	'Whether to download the PDF version of the report as well',
);

/** Undefined if no PDF is wanted. Throws `invalid_input`. */
export function readPdf(read: Read): PdfTarget | undefined {
	return booleanIn(read('includePdf', false), 'Include PDF') ? readPdfTarget(read) : undefined;
}

/** Throws `invalid_input`. */
export function readPdfTarget(read: Read): PdfTarget {
	const property = textIn(
		read('binaryPropertyName', 'data'),
		'Put Output File in Field',
		'Name the binary field of the item that receives the PDF, e.g. data.',
	);
	const name = read('fileName', '');
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return { property, fileName: isNamed ? name.trim() : '{report_id}.pdf' };
}
