import { requireBoolean, requireText, requireTextOrEmpty } from '../shared/userInput';
import type { PdfTarget } from '../transport/pdf';
import { field, shownIf, toggle } from './fields';
import type { ParameterReader } from './parameters';

const binaryField = field('Put Output File in Field', 'binaryPropertyName', {
	required: true,
	default: 'data',
	placeholder: 'e.g. data',
	hint: 'The name of the output binary field to put the PDF in',
});

const defaultFileName = '{report_id}.pdf';

const fileNameField = field('File Name', 'fileName', {
	default: defaultFileName,
	placeholder: 'e.g. {report_id}.pdf',
	description: 'The name of the file. The node fills in {report_id}.',
});

/** The parameters of an operation that gives a PDF: where it goes. */
export const pdfFields = [binaryField, fileNameField];

const includePdfField = toggle(
	'Include PDF',
	'includePdf',
	'Whether to download the PDF version of the report as well',
);

/** The parameters of an operation that gives a PDF if the user wants it. */
export const optionalPdfFields = [includePdfField, ...shownIf({ includePdf: [true] }, pdfFields)];

/**
 * Reads where the PDF goes; undefined if none is wanted.
 * @throws {ScreeningError} `invalid_input`
 */
export function readWantedPdf(read: ParameterReader): PdfTarget | undefined {
	const isWanted = requireBoolean(read('includePdf', false), includePdfField.displayName);
	return isWanted ? readPdfTarget(read) : undefined;
}

/**
 * Reads where the PDF goes.
 * @throws {ScreeningError} `invalid_input`
 */
export function readPdfTarget(read: ParameterReader): PdfTarget {
	const property = requireText(
		read('binaryPropertyName', binaryField.default),
		binaryField.displayName,
		'Name the binary field of the item that receives the PDF, e.g. data.',
	);
	const fileName = requireTextOrEmpty(read('fileName', ''), fileNameField.displayName);
	return { property, fileName: fileName || defaultFileName };
}
