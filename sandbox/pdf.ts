import {
	PageSizes,
	PDFDocument,
	type PDFFont,
	type PDFPage,
	rgb,
	type RGB,
	StandardFonts,
} from 'pdf-lib';
import { notice } from './reportPage';
import type { DatedReport } from './reports';
import { categoryBars, levelColor } from './risk';

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
/** The width of the value after a bar, and the gap between them. */
const valueWidth = 36;
const valueGap = 14;
/** The bar when it is full. */
const track = { x: column, width: pageWidth - left - valueWidth - valueGap - column, height: 10 };
/** The most characters of a monospaced line from `column` on. */
const maxLineLength = 50;
const maxLines = 3;
const splitIntoLines = (text: string) =>
	(text.match(new RegExp(`.{1,${maxLineLength}}`, 'gsu')) ?? []).slice(0, maxLines);

/** The text with a question mark for each character that the standard fonts of PDF do not have. */
function printable(text: string, font: PDFFont): string {
	const known = new Set(font.getCharacterSet());
	return Array.from(text, (character) =>
		known.has(character.codePointAt(0)!) ? character : '?',
	).join('');
}

interface Fonts {
	readonly regular: PDFFont;
	readonly bold: PDFFont;
	readonly mono: PDFFont;
}

interface TextStyle {
	/** The distance from the left edge. */
	readonly x?: number;
	readonly size?: number;
	readonly font?: PDFFont;
	readonly color?: RGB;
}

interface Box {
	readonly x: number;
	readonly width: number;
	readonly height: number;
}

/** Writes a page from top to bottom. All lengths are in points, a 72nd of an inch. */
class PageWriter {
	private y = pageHeight;

	constructor(
		private readonly page: PDFPage,
		private readonly fonts: Fonts,
	) {}

	skip(height: number): void {
		this.y -= height;
	}

	/** Writes a line of white text on a band as wide as the page. */
	writeBand(color: RGB, height: number, text: string, size: number): void {
		// A text is placed by its baseline, below which some letters reach.
		const padding = (height - size) / 2 + 1;
		this.skip(height);
		this.fillBox(color, { x: 0, width: pageWidth, height });
		// Up to the baseline, and afterwards back to the bottom of the band.
		this.skip(-padding);
		this.writeText(text, { size, font: this.fonts.bold, color: paper });
		this.skip(padding);
	}

	/** Writes a value beside its label, on three lines at most. */
	writeRow(label: string, value: string): void {
		this.writeText(label, { color: faint });
		for (const line of splitIntoLines(value)) {
			this.writeText(line, { x: column, font: this.fonts.mono });
			this.skip(14);
		}
		this.skip(12);
	}

	/** @param share the filled share of the bar, from 0 to 1 */
	writeBar(name: string, value: number, share: number, color: RGB): void {
		this.writeText(name);
		this.fillBox(hairline, track);
		this.fillBox(color, { ...track, width: track.width * share });
		this.writeText(value.toFixed(3), { x: pageWidth - left - valueWidth, font: this.fonts.bold });
		this.skip(26);
	}

	private writeText(
		text: string,
		{ x = left, size = 11, font = this.fonts.regular, color = ink }: TextStyle = {},
	): void {
		this.page.drawText(printable(text, font), { x, y: this.y, size, font, color });
	}

	private fillBox(color: RGB, box: Box): void {
		this.page.drawRectangle({ ...box, y: this.y, color });
	}
}

async function embedFonts(document: PDFDocument): Promise<Fonts> {
	const [regular, bold, mono] = await Promise.all([
		document.embedFont(StandardFonts.Helvetica),
		document.embedFont(StandardFonts.HelveticaBold),
		document.embedFont(StandardFonts.Courier),
	]);
	return { regular, bold, mono };
}

/** The PDF version of a report (section 4.5): one page A4, the same bytes for the same report. */
export async function pdfOf({ report, date }: DatedReport): Promise<Buffer> {
	const document = await PDFDocument.create({ updateMetadata: false });
	document.setTitle(`Wallet risk report ${report.report_id}`);
	const fonts = await embedFonts(document);
	const writer = new PageWriter(document.addPage(PageSizes.A4), fonts);
	const { level, score, categories } = report.risk;
	const color = colors[levelColor(level)];

	writer.writeBand(ink, 96, 'Wallet risk report', 24);
	writer.writeBand(colors.yellow, 28, notice, 11);
	writer.writeBand(color, 28, `Level: ${level}`, 11);
	writer.skip(50);
	writer.writeRow('Address', report.address);
	writer.writeRow('Chain', report.chain);
	writer.writeRow('Balance', report.balance);
	writer.writeRow('Transactions', String(report.tx_count));
	writer.writeRow('Report', report.report_id);
	writer.writeRow('Date', date);
	writer.skip(16);
	writer.writeBar('Score, from 0 to 1', score, score, color);
	for (const bar of categoryBars(categories)) {
		writer.writeBar(bar.name, bar.value, bar.share, colors[bar.color]);
	}
	return Buffer.from(await document.save());
}
