import type { Report } from '../answers/report';
import type { Client } from '../client/client';
import type { DecisionSettings } from '../description/decision';
import { decisionFields } from '../description/decisionFields';
import { field, shownIf, toggle } from '../description/fields';
import {
	createOptionsField,
	createToolOutputFields,
	type OptionName,
	reportOptions,
	requestOptions,
} from '../description/options';
import type { ParameterReader } from '../description/parameters';
import type { OutputItem } from '../execution/items';
import { createReportItem, type ReceivedReport, reportJson } from '../execution/reportItem';
import type { Run } from '../execution/run';
import { sha256 } from '../shared/canonical';
import { rethrowUnlessScreeningError } from '../shared/errors';
import { requireBoolean, requireText } from '../shared/userInput';
import { type PdfTarget, storePdf } from '../transport/n8n';

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
 * Undefined if no PDF is wanted.
 * @throws {ScreeningError} `invalid_input`
 */
export function readPdf(read: ParameterReader): PdfTarget | undefined {
	return requireBoolean(read('includePdf', false), 'Include PDF') ? readPdfTarget(read) : undefined;
}

/**
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

/** The fields after the one that names the address or the report, with what else the collection "Options" offers. */
export const createReportFields = (...others: OptionName[]) => [
	includePdf,
	...shownIf({ includePdf: [true] }, pdfFields),
	...decisionFields,
	...createToolOutputFields(),
	createOptionsField(...requestOptions, ...reportOptions, ...others),
];

/**
 * The item of a report that was just made or fetched, with its PDF if the user wants it.
 *
 * @throws {ScreeningError} with the item in its details if only the PDF failed, so that the address is not screened again
 */
export async function reportResult(
	{ context, options }: Run,
	client: Client,
	found: ReceivedReport & { report: Report },
	decision: DecisionSettings,
	pdf: PdfTarget | undefined,
): Promise<OutputItem> {
	const received = { ...found, serviceNames: client.serviceNames };
	const { value: item, error } = createReportItem(context, received, decision, options);
	if (error) throw error;
	if (!pdf) return item;
	const { report_id } = received.report;
	try {
		const bytes = await getPdfLater(client, report_id);
		const binary = await storePdf(context, bytes, report_id, pdf);
		const withPdf = { ...received, pdfSha256: sha256(bytes) };
		return { json: reportJson(context, withPdf, decision, options), binary };
	} catch (error) {
		const { json } = item;
		const details = { address: String(json.address), report_id, reportItem: json };
		throw rethrowUnlessScreeningError(error).withDetails(details);
	}
}

/** The PDF of a report that is here. The error's text explains how to get the PDF later, without a new screening. */
async function getPdfLater(client: Client, report_id: string): Promise<Buffer> {
	try {
		return await client.getPdf(report_id);
	} catch (error) {
		const failure = rethrowUnlessScreeningError(error);
		throw failure.withText({
			message: `The report arrived, but its PDF did not: ${failure.message}`,
			description: `Get the PDF later with 'Report: Download PDF' and the report ID ${report_id}. This makes no new screening request.`,
		});
	}
}
