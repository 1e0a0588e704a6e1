import type { IExecuteFunctions } from 'n8n-workflow';
import { wordsOf } from '../n8n/context';
import type { DecisionSettings } from '../n8n/decision';
import { decisionFields } from '../n8n/decisionFields';
import { includePdf, pdfFields, shownIf } from '../n8n/fields';
import { reportOptions, type OptionName, requestOptions, options } from '../n8n/options';
import type { ItemOrError } from '../n8n/items';
import { type Read, booleanIn, textIn } from '../n8n/parameters';
import { originOf, type Received, reportJson } from '../n8n/reportItem';
import { isTool } from '../n8n/quirks';
import type { ItemRun } from '../n8n/eachItem';
import { type Run, toResult } from '../n8n/run';
import { ScreeningError } from '../service/errors';
import type { Report } from '../service/report';

/** The fields after the one that names the address or the report, with what else the collection "Options" offers. */
export const reportFields = (...others: OptionName[]) => [
	includePdf,
	...shownIf({ includePdf: [true] }, pdfFields),
	...decisionFields,
	options(...requestOptions, ...reportOptions, ...others),
];

/** Undefined if no PDF is wanted, and for an AI agent, which cannot read one. Throws `invalid_input`. */
export function readPdf(context: IExecuteFunctions, read: Read): PdfTarget | undefined {
	const isWanted = booleanIn(read('includePdf', false), 'Include PDF');
	return isWanted && !isTool(context) ? readPdfTarget(read) : undefined;
}

/** Where a PDF goes: a binary property and the name of the file, with placeholders in braces. Throws `invalid_input`. */
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

type PdfTarget = ReturnType<typeof readPdfTarget>;

/** Stores the PDF of a report in the binary data of an item, where this n8n keeps it. Throws `storage`. */
export async function pdfBinary(
	{ context }: Run,
	bytes: Buffer,
	report: NamedReport,
	{ property, fileName }: PdfTarget,
) {
	const name = filledIn(fileName, report);
	try {
		const pdf = await context.helpers.prepareBinaryData(bytes, name, 'application/pdf');
		return { [property]: pdf };
	} catch (error) {
		throw notStored(error);
	}
}

function notStored(error: unknown): ScreeningError {
	// The reason is not in the message, because n8n replaces a message that holds a system's error code by its own.
	return new ScreeningError(
		'storage',
		'n8n could not store the PDF of the report',
		`Check this n8n's binary data storage, e.g. the free space of its disk. Then get the PDF with 'Report: Download PDF': this makes no new screening request. n8n says: ${wordsOf(error)}`,
	);
}

type NamedReport = Pick<Report, 'report_id'> & Partial<Pick<Report, 'address' | 'risk'>>;

/** Characters that a file system may refuse or read as a path. */
const unsafe = /[\\/:*?"<>|\p{Cc}]/gu;

function filledIn(name: string, { report_id, address, risk }: NamedReport): string {
	const values: Record<string, string | undefined> = {
		report_id,
		address,
		level: risk?.level,
		date: new Date().toISOString().slice(0, 10),
	};
	return name.replace(/\{(report_id|address|level|date)\}/g, (placeholder, key: string) =>
		(values[key] ?? placeholder).replace(unsafe, '_'),
	);
}

/** The error for a PDF that did not come, although its report is here: nobody has to screen again for it. */
function withoutPdf(error: ScreeningError, report_id: string): ScreeningError {
	return error.withText({
		message: `The report is here, but not its PDF: ${error.message}`,
		description: `Get the PDF later with 'Report: Download PDF' and the report ID ${report_id}. This makes no new screening request.`,
	});
}

/** A report that was just made or fetched, as an item. Whatever fails from here on names the whole item. */
export async function reportResult(
	run: ItemRun,
	received: Received,
	deciding: DecisionSettings,
	pdf: PdfTarget | undefined,
): Promise<ItemOrError> {
	const { context, client, options, signal } = run;
	const { report } = received;
	const { report_id } = report;
	const { address = report.address } = received;
	const origin = originOf(context, client.serviceNames);
	const itemOf = (more: Pick<Received, 'pdf'> = {}) =>
		reportJson({ ...received, ...more }, deciding, options, origin);
	const outcome = await toResult(async () => {
		if (!pdf) return { json: itemOf() };
		const bytes = await toResult(async () => await client.getPdf(report_id), signal);
		if (bytes instanceof ScreeningError) return withoutPdf(bytes, report_id);
		return { json: itemOf({ pdf: bytes }), binary: await pdfBinary(run, bytes, report, pdf) };
	}, signal);
	if (!(outcome instanceof ScreeningError)) return outcome;
	const item = await toResult(async () => itemOf());
	// Evidence may be what failed.
	const bare = () => reportJson(received, { ...deciding, addEvidence: false }, options, origin);
	const reportItem = item instanceof ScreeningError ? bare() : item;
	return outcome.withDetails({ address, report_id, reportItem });
}
