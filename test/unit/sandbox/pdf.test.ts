import { inflateSync } from 'node:zlib';
import { PDFDocument, StandardFonts } from 'pdf-lib';
import { linesOf, pdfOf, printable } from '../../../sandbox/pdf';
import { type Report, reportOn } from '../../../sandbox/reports';

const report = reportOn('0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', 'ETH', 'http://x');

/** The drawing commands of the page, and the texts among them. */
async function drawn(of: Report) {
	const bytes = await pdfOf(of);
	const start = bytes.indexOf('stream\n') + 'stream\n'.length;
	const commands = inflateSync(bytes.subarray(start, bytes.indexOf('endstream'))).toString(
		'latin1',
	);
	const texts = [...commands.matchAll(/<([0-9A-F]*)> Tj/g)].map(([, hex = '']) =>
		Buffer.from(hex, 'hex').toString('latin1'),
	);
	return { bytes, commands, texts };
}

describe('PDF of a report', () => {
	afterEach(() => void jest.useRealTimers());

	it('is one page A4', async () => {
		const { bytes } = await drawn(report);
		expect(bytes.subarray(0, 5).toString()).toBe('%PDF-');
		const pages = (await PDFDocument.load(bytes)).getPages();
		expect(pages.map((page) => page.getSize())).toEqual([{ width: 595.28, height: 841.89 }]);
	});

	it('is the same file whenever it is made', async () => {
		jest.useFakeTimers({ now: 0, advanceTimers: true });
		const first = await pdfOf(report);
		jest.setSystemTime(1e12);
		const second = await pdfOf(report);
		expect(second.equals(first)).toBe(true);
	});

	it('shows every field of the report, and that it is not a real one', async () => {
		const { texts } = await drawn(report);
		const { level, score, categories } = report.risk;
		const expected = [
			'Sandbox data - not a real assessment',
			report.address,
			report.chain,
			level.toUpperCase(),
			String(score),
			...Object.keys(categories),
			...Object.values(categories).map((value) => value.toFixed(3)),
			report.balance,
			String(report.tx_count),
			report.report_id,
		];
		expect(texts).toEqual(expect.arrayContaining(expected));
	});

	it('prints a clean_exchange over 1, with a bar that ends where that of 1 does', async () => {
		const withClean = (clean_exchange: number): Report => ({
			...report,
			risk: { ...report.risk, categories: { ...report.risk.categories, clean_exchange } },
		});
		const one = await drawn(withClean(1));
		const more = await drawn(withClean(1.37));
		expect(more.texts).toContain('1.370');
		// The number is drawn flush right, so that commands of texts may differ, those of bars not.
		const bars = (commands: string) => commands.replace(/BT[^]*?ET/g, '');
		expect(bars(more.commands)).toBe(bars(one.commands));
	});

	it('breaks a long address into lines', async () => {
		const address = '4'.repeat(95);
		const { texts } = await drawn({ ...report, address });
		const lines = texts.filter((text) => /^4+$/.test(text));
		expect(lines).toHaveLength(2);
		expect(lines.join('')).toBe(address);
	});

	it('bears any characters, at any length', async () => {
		const { texts } = await drawn({
			...report,
			address: 'при漢😀\n\t'.repeat(10_000),
			chain: '鏈',
		});
		expect(texts.filter((text) => /^\?+(\.\.\.)?$/.test(text))).toHaveLength(4);
	});
});

it('replaces what the standard fonts lack, and nothing else', async () => {
	const document = await PDFDocument.create();
	const font = await document.embedFont(StandardFonts.Courier);
	expect(printable('aé€漢😀\n', font)).toBe('aé€???');
});

describe('lines of a text', () => {
	it.each([
		['', ['']],
		['abc', ['abc']],
		['abcdefgh', ['abcd', 'efgh']],
		['abcdefghi', ['abcd', 'e...']],
	])('of %j are %j', (text, lines) => {
		expect(linesOf(text, 4, 2)).toEqual(lines);
	});
});
