import { type Color, PDFDocument, type PDFFont, type PDFPage, rgb, StandardFonts } from 'pdf-lib';
import type { Level, Report } from './reports';

const pageSize: [number, number] = [595.28, 841.89];
const margin = 56;
const width = pageSize[0] - 2 * margin;

const ink = rgb(0.11, 0.14, 0.2);
const faint = rgb(0.45, 0.49, 0.56);
const hairline = rgb(0.88, 0.9, 0.93);
const paper = rgb(1, 1, 1);
const amber = rgb(0.85, 0.55, 0.05);
const levelColors: Record<Level, Color> = {
	green: rgb(0.1, 0.58, 0.36),
	yellow: amber,
	red: rgb(0.8, 0.16, 0.18),
};

interface Fonts {
	regular: PDFFont;
	bold: PDFFont;
	mono: PDFFont;
}

/** The text with a question mark for each character that the standard fonts of PDF do not have. */
export function printable(text: string, font: PDFFont): string {
	const known = new Set(font.getCharacterSet());
	return Array.from(text, (character) =>
		known.has(character.codePointAt(0) ?? 0) ? character : '?',
	).join('');
}

/** Cuts a text into lines of so many characters; what exceeds the last line becomes `...`. */
export function linesOf(text: string, charactersPerLine: number, maxLines: number): string[] {
	const capacity = charactersPerLine * maxLines;
	const shown = text.length > capacity ? `${text.slice(0, capacity - 3)}...` : text;
	return shown.match(new RegExp(`.{1,${charactersPerLine}}`, 'g')) ?? [''];
}

function drawHeader(page: PDFPage, { regular, bold }: Fonts): void {
	const [pageWidth, pageHeight] = pageSize;
	page.drawRectangle({ x: 0, y: pageHeight - 96, width: pageWidth, height: 96, color: ink });
	page.drawText('Wallet risk report', {
		x: margin,
		y: pageHeight - 60,
		size: 24,
		font: bold,
		color: paper,
	});
	page.drawRectangle({ x: 0, y: pageHeight - 124, width: pageWidth, height: 28, color: amber });
	page.drawText('Sandbox data - not a real assessment', {
		x: margin,
		y: pageHeight - 114,
		size: 11,
		font: regular,
		color: paper,
	});
}

function drawLabelled(
	page: PDFPage,
	{ regular, mono }: Fonts,
	field: { label: string; value: string; x: number; y: number; width: number; maxLines: number },
): void {
	const size = 11;
	const characterWidth = mono.widthOfTextAtSize('0', size);
	page.drawText(field.label, { x: field.x, y: field.y, size: 9, font: regular, color: faint });
	linesOf(
		printable(field.value, mono),
		Math.floor(field.width / characterWidth),
		field.maxLines,
	).forEach((text, index) => {
		page.drawText(text, {
			x: field.x,
			y: field.y - 16 - 14 * index,
			size,
			font: mono,
			color: ink,
		});
	});
}

function drawBadge(page: PDFPage, { regular, bold }: Fonts, level: Level, x: number, y: number) {
	const text = level.toUpperCase();
	const textWidth = bold.widthOfTextAtSize(text, 12);
	page.drawText('Risk level', { x, y, size: 9, font: regular, color: faint });
	page.drawRectangle({
		x,
		y: y - 36,
		width: textWidth + 24,
		height: 26,
		color: levelColors[level],
	});
	page.drawText(text, { x: x + 12, y: y - 27, size: 12, font: bold, color: paper });
}

function drawScore(page: PDFPage, { regular, bold }: Fonts, score: number, x: number, y: number) {
	page.drawText('Risk score, 0 to 1', { x, y, size: 9, font: regular, color: faint });
	page.drawText(String(score), { x, y: y - 34, size: 26, font: bold, color: ink });
}

function severity(value: number): Level {
	if (value < 0.3) return 'green';
	return value < 0.7 ? 'yellow' : 'red';
}

function drawCategory(
	page: PDFPage,
	{ regular, bold }: Fonts,
	category: { name: string; value: number; y: number },
): void {
	const { name, value, y } = category;
	const bar = { x: margin + 120, y: y - 1, height: 10 };
	const barWidth = width - 170;
	// A clean origin is good news however large it is, and can be larger than the bar.
	const color = levelColors[name === 'clean_exchange' ? 'green' : severity(value)];
	page.drawText(name, { x: margin, y, size: 11, font: regular, color: ink });
	page.drawRectangle({ ...bar, width: barWidth, color: hairline });
	page.drawRectangle({ ...bar, width: barWidth * Math.min(value, 1), color });
	const number = value.toFixed(3);
	page.drawText(number, {
		x: margin + width - bold.widthOfTextAtSize(number, 11),
		y,
		size: 11,
		font: bold,
		color: ink,
	});
}

function drawRule(page: PDFPage, y: number): void {
	page.drawLine({ start: { x: margin, y }, end: { x: margin + width, y }, color: hairline });
}

/** The PDF version of a report (section 4.5): one page A4. */
export async function pdfOf(report: Report): Promise<Buffer> {
	// Without the time of day, which would make every copy another file.
	const document = await PDFDocument.create({ updateMetadata: false });
	document.setTitle(`Wallet risk report ${report.report_id}`);
	const fonts: Fonts = {
		regular: await document.embedFont(StandardFonts.Helvetica),
		bold: await document.embedFont(StandardFonts.HelveticaBold),
		mono: await document.embedFont(StandardFonts.Courier),
	};
	const page = document.addPage(pageSize);
	const third = width / 3;

	drawHeader(page, fonts);
	drawLabelled(page, fonts, {
		label: 'Address',
		value: report.address,
		x: margin,
		y: 678,
		width,
		maxLines: 3,
	});
	drawRule(page, 614);
	drawBadge(page, fonts, report.risk.level, margin, 590);
	drawScore(page, fonts, report.risk.score, margin + third, 590);
	drawLabelled(page, fonts, {
		label: 'Chain',
		value: report.chain,
		x: margin + 2 * third,
		y: 590,
		width: third,
		maxLines: 2,
	});
	drawRule(page, 532);
	page.drawText('Risk categories', { x: margin, y: 504, size: 14, font: fonts.bold, color: ink });
	Object.entries(report.risk.categories).forEach(([name, value], index) => {
		drawCategory(page, fonts, { name, value, y: 474 - 26 * index });
	});
	drawRule(page, 316);
	const facts = [
		{ label: 'Balance', value: report.balance, x: margin, y: 290 },
		{ label: 'Transactions', value: String(report.tx_count), x: margin + width / 2, y: 290 },
		{ label: 'Report', value: report.report_id, x: margin, y: 242 },
	];
	for (const fact of facts) {
		drawLabelled(page, fonts, { ...fact, width: width / 2, maxLines: 1 });
	}
	return Buffer.from(await document.save());
}
