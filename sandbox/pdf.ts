import { PageSizes, PDFDocument, type PDFFont, rgb, StandardFonts } from 'pdf-lib';
import { notice } from './page';
import type { DatedReport } from './reports';
import { barsOf, colorOf } from './risk';

const ink = rgb(0.11, 0.14, 0.2);
const faint = rgb(0.45, 0.49, 0.56);
const hairline = rgb(0.88, 0.9, 0.93);
const paper = rgb(1, 1, 1);
const colors = {
	green: rgb(0.1, 0.58, 0.36),
	yellow: rgb(0.85, 0.55, 0.05),
	red: rgb(0.8, 0.16, 0.18),
	grey: faint,
};

const [pageWidth, pageHeight] = PageSizes.A4;
const left = 56;
/** The x-coordinate at which values and bars begin. */
const column = 190;

/** The text with a question mark for each character that the standard fonts of PDF do not have. */
function printable(text: string, font: PDFFont): string {
	const known = new Set(font.getCharacterSet());
	return Array.from(text, (character) =>
		known.has(character.codePointAt(0)!) ? character : '?',
	).join('');
}

/** The PDF version of a report (section 4.5): one page A4, the same bytes for the same report. */
export async function pdfOf({ report, date }: DatedReport): Promise<Buffer> {
	const document = await PDFDocument.create({ updateMetadata: false });
	document.setTitle(`Wallet risk report ${report.report_id}`);
	const [regular, bold, mono] = await Promise.all(
		[StandardFonts.Helvetica, StandardFonts.HelveticaBold, StandardFonts.Courier].map((font) =>
			document.embedFont(font),
		) as [Promise<PDFFont>, Promise<PDFFont>, Promise<PDFFont>],
	);
	const page = document.addPage(PageSizes.A4);
	let y = pageHeight;

	const write = (text: string, { x = left, size = 11, font = regular, color = ink } = {}) =>
		page.drawText(printable(text, font), { x, y, size, font, color });
	const fill = (color: typeof ink, box: { x: number; width: number; height: number }) =>
		page.drawRectangle({ ...box, y, color });
	const band = (color: typeof ink, height: number, text: string, size: number, font: PDFFont) => {
		y -= height;
		fill(color, { x: 0, width: pageWidth, height });
		y += (height - size) / 2 + 1;
		write(text, { size, font, color: paper });
		y -= (height - size) / 2 + 1;
	};
	const row = (label: string, value: string) => {
		write(label, { color: faint });
		for (const line of (value.match(/.{1,50}/gsu) ?? []).slice(0, 3)) {
			write(line, { x: column, font: mono });
			y -= 14;
		}
		y -= 12;
	};
	const track = { x: column, width: pageWidth - left - 50 - column, height: 10 };
	const bar = (name: string, value: number, share: number, color: typeof ink) => {
		write(name);
		fill(hairline, track);
		fill(color, { ...track, width: track.width * share });
		write(value.toFixed(3), { x: pageWidth - left - 36, font: bold });
		y -= 26;
	};

	const { level, score, categories } = report.risk;
	const color = colors[colorOf(level)];
	band(ink, 96, 'Wallet risk report', 24, bold);
	band(colors.yellow, 28, notice, 11, bold);
	band(color, 28, `Level: ${level}`, 11, bold);
	y -= 50;
	row('Address', report.address);
	row('Chain', report.chain);
	row('Balance', report.balance);
	row('Transactions', String(report.tx_count));
	row('Report', report.report_id);
	row('Date', date);
	y -= 16;
	bar('Score, from 0 to 1', score, score, color);
	for (const { name, value, share, color: shade } of barsOf(categories)) {
		bar(name, value, share, colors[shade]);
	}
	return Buffer.from(await document.save());
}
