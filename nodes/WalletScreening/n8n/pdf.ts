import type { IBinaryKeyData, IExecuteFunctions } from 'n8n-workflow';
import type { Client } from '../service/client';
import { ScreeningError } from '../service/errors';

/** The PDF of a report as a binary property, kept wherever the instance keeps its binary data. */
export async function pdfOf(
	context: IExecuteFunctions,
	client: Client,
	reportId: string,
	{ property, fileName }: { property: string; fileName: string },
): Promise<IBinaryKeyData> {
	const bytes = await client.getPdf(reportId);
	return { [property]: await stored(context, bytes, fileName) };
}

async function stored(context: IExecuteFunctions, bytes: Buffer, fileName: string) {
	try {
		return await context.helpers.prepareBinaryData(bytes, fileName, 'application/pdf');
	} catch (error) {
		throw fullStore(error);
	}
}

function fullStore(error: unknown): ScreeningError {
	return new ScreeningError(
		'invalid_response',
		`The PDF came, but n8n could not store it: ${(error as Error).message}`,
		'Check the binary data storage of this n8n, e.g. the free space of its disk. The report itself is safe: get the PDF again by its report ID.',
	);
}
