import type { IBinaryData, IExecuteFunctions } from 'n8n-workflow';
import { ScreeningError } from '../service/errors';

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
	return new ScreeningError(
		'storage',
		`n8n could not store the PDF: ${(error as Error | undefined)?.message ?? String(error)}`,
		"Check this n8n's binary data storage, e.g. the free space of its disk. Then get the PDF again by its report ID: that makes no new screening request.",
	);
}
