import type { IExecuteFunctions } from 'n8n-workflow';
import type { DecisionSettings } from '../description/decision';
import { decisionFields } from '../description/decisionFields';
import type { ItemRun } from '../execution/eachItem';
import { includePdf, pdfFields, shownIf } from '../description/fields';
import type { ItemOrError } from '../execution/items';
import { type OptionName, options, reportOptions, requestOptions } from '../description/options';
import { type Read } from '../description/parameters';
import { type Received, reportItem, reportJson } from '../execution/reportItem';
import { toolOutput } from '../description/toolOutput';
import { asScreeningError, ScreeningError } from '../shared/errors';
import type { Report } from '../answers/report';
import { wordsOf } from '../shared/text';
import { booleanIn, textIn } from '../shared/userInput';

/** The fields after the one that names the address or the report, with what else the collection "Options" offers. */
export const reportFields = (...others: OptionName[]) => [
	includePdf,
	...shownIf({ includePdf: [true] }, pdfFields),
	...decisionFields,
	...toolOutput(),
	options(...requestOptions, ...reportOptions, ...others),
];

/** Where a PDF goes: a binary property and the name of the file. */
type PdfTarget = ReturnType<typeof readPdfTarget>;

/** Undefined if no PDF is wanted. Throws `invalid_input`. */
export function readPdf(read: Read): PdfTarget | undefined {
	return booleanIn(read('includePdf', false), 'Include PDF') ? readPdfTarget(read) : undefined;
}

/** Throws `invalid_input`. */
export function readPdfTarget(read: Read) {
	const property = textIn(
		read('binaryPropertyName', 'data'),
		'Put Output File in Field',
		'Name the binary field of the item that receives the PDF, e.g. data.',
	);
	const name = read('fileName', '');
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return { property, fileName: isNamed ? name.trim() : '{report_id}.pdf' };
}

/** Stores the PDF of a report in the binary data of an item, where this n8n keeps it. Throws `storage`. */
export async function pdfBinary(
	{ helpers }: IExecuteFunctions,
	bytes: Buffer,
	report_id: string,
	{ property, fileName }: PdfTarget,
) {
	const name = fileName.replaceAll('{report_id}', report_id.replace(unsafe, '_'));
	try {
		return { [property]: await helpers.prepareBinaryData(bytes, name, 'application/pdf') };
	} catch (error) {
		// The reason is not in the message, because n8n replaces a message that holds a system's error code by its own.
		const failure = new ScreeningError(
			'storage',
			'n8n could not store the PDF of the report',
			`Check this n8n's binary data storage, e.g. the free space of its disk. Then get the PDF with 'Report: Download PDF': this makes no new screening request. n8n says: ${wordsOf(error)}`,
		);
		throw failure;
	}
}

/** Characters that a file system may refuse or read as a path. */
const unsafe = /[\\/:*?"<>|\p{Cc}]/gu;

/** A report that was just made or fetched, as an item. If its PDF fails, the error holds the item: nobody has to screen again. */
export async function reportResult(
	{ context, client, options }: ItemRun,
	found: Received & { report: Report },
	deciding: DecisionSettings,
	pdf: PdfTarget | undefined,
): Promise<ItemOrError> {
	const received = { ...found, serviceNames: client.serviceNames };
	const item = reportItem(context, received, deciding, options);
	if (!pdf || item instanceof ScreeningError) return item;
	const { report_id } = received.report;
	try {
		const bytes = await client.getPdf(report_id).catch((error: unknown) => {
			const failure = asScreeningError(error);
			throw failure.withText({
				message: `The report is here, but not its PDF: ${failure.message}`,
				description: `Get the PDF later with 'Report: Download PDF' and the report ID ${report_id}. This makes no new screening request.`,
			});
		});
		const binary = await pdfBinary(context, bytes, report_id, pdf);
		return { json: reportJson(context, { ...received, pdf: bytes }, deciding, options), binary };
	} catch (error) {
		const { json } = item;
		const details = { address: String(json.address), report_id, reportItem: json };
		throw asScreeningError(error).withDetails(details);
	}
}
