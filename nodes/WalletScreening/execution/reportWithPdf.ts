import type { IBinaryKeyData } from 'n8n-workflow';
import type { Report } from '../answers/report';
import type { Client } from '../client/client';
import type { ReportForm } from '../description/reportForm';
import type { ItemSettings } from '../description/reportSettings';
import { rethrowUnlessScreeningError } from '../shared/errors';
import { sha256Hex } from '../shared/sha256';
import { type PdfTarget, storePdf } from '../transport/pdf';
import { createServiceReportJson, nameReport, type ReceivedReport } from './reportItem';
import type { OutputItem, Run } from './run';

/** What the user wants of a report that is screened or fetched. */
export interface ReportItemRequest {
	settings: ItemSettings;
	form: ReportForm;
	/** Where its PDF goes; undefined if none is wanted. */
	pdf: PdfTarget | undefined;
}

/**
 * Makes the item of a report that was just screened or fetched, with its PDF if one is
 * wanted.
 * @throws {ScreeningError} with the item in its details if only the PDF failed, so that the address
 * is not screened again
 */
export async function createReportItemWithPdf(
	run: Run,
	client: Client,
	received: ReceivedReport & { report: Report },
	{ settings, form, pdf }: ReportItemRequest,
): Promise<OutputItem> {
	const { report_id } = received.report;
	const stored = pdf && (await run.settle(() => storePdfOf(run, client, report_id, pdf)));
	const { pdfSha256, binary } = stored?.value ?? {};
	const { json } = createServiceReportJson(
		run.context,
		{ ...received, serviceNames: client.serviceNames, pdfSha256 },
		settings,
		form,
	);
	if (stored?.error) {
		const failure = nameReport(stored.error, received.report, received.address);
		throw failure.withDetails({ reportItem: json });
	}
	return { json, ...(binary && { binary }) };
}

/** A PDF in the binary data of an item, and the digest of its bytes, in hex. */
interface StoredPdf {
	binary: IBinaryKeyData;
	pdfSha256: string;
}

/** Fetches the PDF of a report, and stores it. */
async function storePdfOf(
	{ context }: Run,
	client: Client,
	report_id: string,
	target: PdfTarget,
): Promise<StoredPdf> {
	const pdf = await getPdfOfReport(client, report_id);
	return {
		binary: await storePdf(context, pdf, report_id, target),
		pdfSha256: sha256Hex(pdf),
	};
}

/**
 * Gets the PDF of a report that is here.
 * @throws {ScreeningError} whose text explains how to get the PDF later, without a new screening
 */
async function getPdfOfReport(client: Client, report_id: string): Promise<Buffer> {
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
