import { PDFDocument, StandardFonts } from 'pdf-lib';
import type { Report } from './reports';

/** The PDF version of a report (section 4.5): one page A4. */
export async function pdfOf(report: Report): Promise<Buffer> {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Helvetica);
	const page = document.addPage([595, 842]);
	page.drawText(`Report ${report.report_id}`, { x: 50, y: 780, size: 18, font });
	return Buffer.from(await document.save());
}
