import type { IDataObject } from 'n8n-workflow';
import { storePdf } from '../n8n/binary';
import type { Result } from '../n8n/items';
import { type Read, switchIn, textIn } from '../n8n/parameters';
import { reportJson } from '../n8n/reportItem';
import type { Run } from '../n8n/run';
import type { Rule } from '../risk/decision';
import { about } from '../service/errors';
import type { Report } from '../service/shapes';

/** Where a PDF goes: a binary property and the name of the file, in which `{report_id}` stands for the ID. */
export interface PdfTarget {
	property: string;
	fileName: string;
}

const idPlaceholder = '{report_id}';

/** What is to be made of a report, as the user asked for it. */
export interface Wish {
	rules: Rule[] | undefined;
	/** Undefined if no PDF is wanted. */
	pdf: PdfTarget | undefined;
}

/** Throws `invalid_input`. */
export function readPdf(read: Read): PdfTarget | undefined {
	const isWanted = switchIn(read('includePdf', false), 'Include PDF');
	return isWanted ? readPdfTarget(read) : undefined;
}

/** Throws `invalid_input`. */
export function readPdfTarget(read: Read): PdfTarget {
	const property = textIn(
		read('binaryPropertyName', 'data'),
		'Put Output File in Field',
		'Name the binary field of the item that receives the PDF, e.g. data.',
	);
	const name = read('fileName', '');
	const fileName = typeof name === 'string' && name.trim() !== '' ? name.trim() : undefined;
	return { property, fileName: fileName ?? `${idPlaceholder}.pdf` };
}

/** Fetches the PDF of a report and stores it. */
export async function pdfOf({ client, context }: Run, reportId: string, target: PdfTarget) {
	const bytes = await client.getPdf(reportId);
	const fileName = target.fileName.replaceAll(idPlaceholder, reportId);
	return { [target.property]: await storePdf(context, bytes, fileName) };
}

/** A report that was just made or fetched, as an item. What fails from here on names the report and its decision. */
export async function reportResult(
	run: Run,
	report: Report,
	{ rules, pdf }: Wish,
	chain?: string,
): Promise<Result> {
	const json = reportJson(report, run.options, rules, chain);
	if (!pdf) return { json };
	const { address, report_id } = report;
	return await about({ address, report_id, ...known(json, report) }, async () => ({
		json,
		binary: await pdfOf(run, report_id, pdf),
	}));
}

function known({ decision }: IDataObject, report: Report) {
	return { report, ...(decision !== undefined && { decision }) };
}
