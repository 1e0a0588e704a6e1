import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { webPage } from '../../../sandbox/page';
import { pdfOf } from '../../../sandbox/pdf';
import { type Report, reportOn } from '../../../sandbox/reports';
import { addressesOf } from '../../support/addresses';

const baseUrl = 'http://127.0.0.1:4010';
const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const report = reportOn(address, 'ETH', baseUrl);
const file = join(__dirname, '../../../sandbox/ofac-sanctioned-addresses.csv');
const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
const sanctioned = [...new Set(rows.map((row) => row.split(',')[0]!))];
const risk = (of: string, chain?: string) => reportOn(of, chain, baseUrl).risk;

it('each of the 641 sanctioned addresses is red by its sanctions, on any chain', () => {
	expect(sanctioned).toHaveLength(641);
	const notRed = sanctioned.filter((one) => {
		const { level, score, categories } = risk(one, 'BSC');
		return level !== 'red' || score < 0.9 || categories.sanctions < 0.85;
	});
	expect(notRed).toEqual([]);
});

it('capitals make another address only if the format has a case', () => {
	const bech32 = sanctioned.find((one) => one.startsWith('bc1'))!;
	expect(risk(bech32.toUpperCase())).toEqual(risk(bech32));
	expect(risk('0x4F47BC496083C727C5FBE3CE9CDF2B0F6496270C').level).toBe('red');
	expect(sanctioned).toContain('18M8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB');
	expect(risk('18m8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB').categories.sanctions).toBeLessThan(0.85);
});

it('other addresses have all levels, and a score that fits', () => {
	const risks = addressesOf(1000).map((one) => risk(one));
	for (const level of ['green', 'yellow', 'red']) {
		expect(risks.filter((one) => one.level === level).length).toBeGreaterThan(10);
	}
	for (const { level, score, categories } of risks) {
		const expected = score < 0.3 ? 'green' : score > 0.7 ? 'red' : 'yellow';
		expect({ score, level }).toEqual({ score, level: expected });
		expect(Math.min(...Object.values(categories))).toBeGreaterThanOrEqual(0);
	}
});

it('a report is the same for the same address and chain, and another one on another chain', () => {
	expect(reportOn(address, undefined, baseUrl)).toEqual(report);
	expect(reportOn(address, 'ARB', baseUrl).report_id).not.toBe(report.report_id);
	expect(report).toMatchObject({
		report_id: expect.stringMatching(/^rep_[0-9a-f]{20}$/),
		balance: expect.stringMatching(/^\d+\.\d+ ETH$/),
		report_url: `${baseUrl}/reports/${report.report_id}`,
	});
	expect(reportOn(address, 'BSC', baseUrl).balance).toMatch(/ BNB$/);
});

/** The texts on the page of a PDF. */
async function textsOf(of: Report): Promise<string[]> {
	const bytes = await pdfOf(of);
	const start = bytes.indexOf('stream\n') + 'stream\n'.length;
	const page = inflateSync(bytes.subarray(start, bytes.indexOf('endstream'))).toString('latin1');
	const texts = [...page.matchAll(/<([0-9A-F]*)> Tj/g)];
	return texts.map(([, hex = '']) => Buffer.from(hex, 'hex').toString('latin1'));
}

it('the PDF and the page show every field, and that the report is not a real one', async () => {
	const { score, level, categories } = report.risk;
	const { report_id, balance, tx_count } = report;
	const numbers = Object.values(categories);
	const fields = [address, 'ETH', level, score, balance, tx_count, report_id].map(String);
	const shown = [...fields, ...Object.keys(categories), 'Sandbox data - not a real assessment'];
	expect(await textsOf(report)).toEqual(
		expect.arrayContaining([...shown, ...numbers.map((number) => number.toFixed(3))]),
	);
	const page = webPage(report);
	expect([...shown, ...numbers.map(String)].filter((text) => !page.includes(text))).toEqual([]);
});

it('the PDF is the same bytes each time, and takes any text', async () => {
	jest.useFakeTimers({ now: 0, advanceTimers: true });
	const first = await pdfOf(report);
	jest.setSystemTime(1e12);
	expect((await pdfOf(report)).equals(first)).toBe(true);
	jest.useRealTimers();
	const texts = await textsOf({ ...report, address: '漢😀\n'.repeat(10_000), chain: '鏈' });
	expect(texts.filter((text) => /^\?+$/.test(text))).toHaveLength(4);
});

it('the page escapes what the client sent', () => {
	const page = webPage(reportOn('<script>"&\'', '<b>', baseUrl));
	expect(page).toContain('&lt;script&gt;&quot;&amp;&#39;');
	expect(page).not.toMatch(/<script>|<b>/);
});
