import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';
import { pdfOf } from '../items/pdf';
import type { Result, Screening } from '../items/perItem';
import { simplify } from '../risk/simplify';
import type { Report } from '../service/schemas';

/** A report as the item that the user asked for. */
export function reportJson(report: Report, { options }: Screening): IDataObject {
	return (options.simplify ? simplify(report) : report) as IDataObject;
}

/** A report as an item, with its PDF where the user asked for it. */
export async function reportResult(
	context: IExecuteFunctions,
	itemIndex: number,
	screening: Screening,
	report: Report,
): Promise<Result> {
	const json = reportJson(report, screening);
	if (context.getNodeParameter('includePdf', itemIndex) !== true) return { json };
	const property = context.getNodeParameter('binaryPropertyName', itemIndex) as string;
	return {
		json,
		binary: await pdfOf(context, screening.client, report.report_id, {
			property,
			fileName: `${report.report_id}.pdf`,
		}),
	};
}
