import { storePdf } from '../n8n/binary';
import type { Deciding } from '../n8n/decision';
import type { Result } from '../n8n/items';
import { type Read, switchIn, textIn } from '../n8n/parameters';
import { decisionOf, originOf, type Received, reportJson } from '../n8n/reportItem';
import type { Run } from '../n8n/run';
import { about, type Known } from '../service/errors';

/** Where a PDF goes: a binary property and the name of the file, in which `{report_id}` stands for the ID. */
export interface PdfTarget {
	property: string;
	fileName: string;
}

const idPlaceholder = '{report_id}';

/** Undefined if no PDF is wanted. Throws `invalid_input`. */
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
	const isNamed = typeof name === 'string' && name.trim() !== '';
	return { property, fileName: isNamed ? name.trim() : `${idPlaceholder}.pdf` };
}

/** Stores the PDF of a report in the binary data of an item. Throws `storage`. */
export async function pdfBinary(
	{ context }: Run,
	bytes: Buffer,
	reportId: string,
	{ property, fileName }: PdfTarget,
) {
	const name = fileName.replaceAll(idPlaceholder, reportId);
	return { [property]: await storePdf(context, bytes, name) };
}

/** A report that was just made or fetched, as an item. What fails from here on names the report and its decision. */
export async function reportResult(
	run: Run,
	received: Received,
	deciding: Deciding,
	pdf: PdfTarget | undefined,
): Promise<Result> {
	const origin = originOf(run.context);
	const { report, chain } = received;
	const { address, report_id } = report;
	return await about(known(received, deciding), async () => {
		if (!pdf) return { json: reportJson(received, deciding, run.options, origin) };
		const bytes = await run.client.getPdf(report_id);
		const json = reportJson({ ...received, pdf: bytes }, deciding, run.options, origin);
		return { json, binary: await pdfBinary(run, bytes, report_id, pdf) };
	});

	function known({ report }: Received, { policy }: Deciding): Known {
		const decision = policy && decisionOf(report, policy, chain);
		return { address, report_id, report, ...(decision && { decision }) };
	}
}
