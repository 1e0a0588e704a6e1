import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { inflateSync } from 'node:zlib';
import { getCoderByCoinName } from '@ensdomains/address-encoder';
import { isAddress } from '../../../sandbox/chains';
import { notice, webPage } from '../../../sandbox/reportPage';
import { pdfOf } from '../../../sandbox/pdf';
import { type Report, reportOn } from '../../../sandbox/reports';
import { scenarios } from '../../../sandbox/scenarios';
import { ethereum as address } from '../../support/data/knownAddresses';

const baseUrl = 'http://127.0.0.1:4010';
const dated = (report: Report) => ({ report, date: '2026-11-24' });
const report = dated(reportOn(address, 'ETH', baseUrl));
const file = join(__dirname, '../../../sandbox/ofac-sanctioned-addresses.csv');
const rows = readFileSync(file, 'utf8').trim().split('\n').slice(1);
const sanctioned = [...new Set(rows.map((row) => row.split(',')[0]!))];
const risk = (of: string, chain?: string) => reportOn(of, chain, baseUrl).risk;

it('each of the 641 sanctioned addresses is one, and red by its sanctions, on any chain', () => {
	expect(sanctioned).toHaveLength(641);
	const all = [...sanctioned, ...scenarios.map((one) => one.address)];
	expect(all.filter((one) => !isAddress(one))).toEqual([]);
	const notRed = sanctioned.filter((one) => {
		const { level, score, categories } = risk(one, 'BSC');
		return level !== 'red' || score < 0.9 || (categories.sanctions ?? 0) < 0.85;
	});
	expect(notRed).toEqual([]);
});

it.each([
	['with a prefix', 'bitcoincash:qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq'],
	['in capital letters', 'QPF2CPHC5DKUCLKQUR7LHJ2YUQQ9PK3HMUKLE77VHQ'],
	['in capital letters with a prefix', 'BITCOINCASH:QPF2CPHC5DKUCLKQUR7LHJ2YUQQ9PK3HMUKLE77VHQ'],
])('a sanctioned account has the same risk in another spelling: %s', (_, spelling) => {
	const listed = 'qpf2cphc5dkuclkqur7lhj2yuqq9pk3hmukle77vhq';
	expect(sanctioned).toContain(listed);
	expect(isAddress(spelling)).toBe(true);
	expect(risk(spelling)).toEqual(risk(listed));
	expect(reportOn(spelling, undefined, baseUrl).chain).toBe('BCH');
});

it('the spelling of a sanctioned account names its chain, whatever chain the list names', () => {
	const listed = rows.find((row) => /^1.*,BTC/.test(row))!.split(',')[0]!;
	const [btc, bch] = [getCoderByCoinName('btc'), getCoderByCoinName('bch')];
	const cashAddr = bch.encode(btc.decode(listed));
	const reports = [listed, cashAddr].map((one) => reportOn(one, undefined, baseUrl));
	expect(reports.map(({ chain }) => chain)).toEqual(['BTC', 'BCH']);
	expect(reports.map(({ risk: { level } }) => level)).toEqual(['red', 'red']);
});

it('the PDF and the page say that the report is not a real one', async () => {
	expect(webPage(report)).toContain(notice);
	const bytes = await pdfOf(report);
	const start = bytes.indexOf('stream\n') + 'stream\n'.length;
	const page = inflateSync(bytes.subarray(start, bytes.indexOf('endstream'))).toString('latin1');
	expect(page).toContain(Buffer.from(notice).toString('hex').toUpperCase());
});

it('the page escapes what the client sent', () => {
	const page = webPage(dated(reportOn('<script>"&\'', '<u>', baseUrl)));
	expect(page).toContain('&lt;script&gt;&quot;&amp;&#39;');
	expect(page).not.toMatch(/<script>|<u>/);
});
