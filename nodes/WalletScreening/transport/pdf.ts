import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import { messageOf, ScreeningError } from '../shared/errors';

/** Where a PDF goes. */
export interface PdfTarget {
	/** The binary property of the item. */
	property: string;
	/** The name of the file, in which `{report_id}` stands for the ID. */
	fileName: string;
}

/** Characters that a file system may refuse or read as a path. */
const unsafe = /[\\/:*?"<>|\p{Cc}]/gu;

/**
 * Stores the PDF of a report in the binary data of an item, where this n8n keeps it.
 *
 * @throws {ScreeningError} `storage`
 */
export async function storePdf(
	{ helpers }: IExecuteFunctions,
	bytes: Buffer,
	report_id: string,
	{ property, fileName }: PdfTarget,
): Promise<IBinaryKeyData> {
	const safeId = report_id.replace(unsafe, '_');
	// As a text, the replacement would have a meaning for `$`.
	const name = fileName.replaceAll('{report_id}', () => safeId);
	try {
		return { [property]: await helpers.prepareBinaryData(bytes, name, 'application/pdf') };
	} catch (error) {
		throw notStoredError(error, report_id);
	}
}

/**
 * Reads the bytes in a binary property of an input item, from where this n8n keeps them.
 *
 * @throws {ScreeningError} `storage`
 */
export async function readPdf(
	{ helpers }: IExecuteFunctions,
	itemIndex: number,
	property: string,
): Promise<Buffer> {
	try {
		return await helpers.getBinaryDataBuffer(itemIndex, property);
	} catch (error) {
		throw notReadError(error);
	}
}

function notReadError(reason: unknown): ScreeningError {
	return new ScreeningError(
		'storage',
		'n8n could not read the PDF of the item',
		`Check this n8n's binary data storage. n8n's message: ${messageOf(reason)}`,
	);
}

function notStoredError(reason: unknown, report_id: string): ScreeningError {
	return new ScreeningError(
		'storage',
		'n8n could not store the PDF of the report',
		`Check this n8n's binary data storage, e.g. the free space of its disk. Then get the PDF with 'Report: Download PDF': this makes no new screening request. n8n's message: ${messageOf(reason)}`,
		{ details: { report_id } },
	);
}
