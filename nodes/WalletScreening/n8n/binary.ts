import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { ScreeningError } from '../service/errors';
import { saidBy } from './context';

/** Stores a PDF where this n8n keeps its binary data. Throws `storage`. */
export async function storePdf(
	context: IExecuteFunctions,
	bytes: Buffer,
	fileName: string,
): Promise<IBinaryData> {
	try {
		return await context.helpers.prepareBinaryData(bytes, fileName, 'application/pdf');
	} catch (error) {
		throw notStored(error);
	}
}

function notStored(error: unknown): ScreeningError {
	// The reason is not in the message, because n8n replaces a message that holds a system's error code by its own.
	return new ScreeningError(
		'storage',
		'n8n could not store the PDF of the report',
		`Check this n8n's binary data storage, e.g. the free space of its disk. Then get the PDF with 'Report: Download PDF': this makes no new screening request. n8n says: ${saidBy(error)}`,
	);
}
