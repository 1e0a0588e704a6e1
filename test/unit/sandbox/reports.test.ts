import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { reportOn } from '../../../sandbox/reports';

const baseUrl = 'http://127.0.0.1:4010';
const list = readFileSync(
	join(__dirname, '../../../sandbox/ofac-sanctioned-addresses.csv'),
	'utf8',
);
const listed = [
	...new Set(
		list
			.trim()
			.split('\n')
			.slice(1)
			.map((row) => row.split(',')[0] ?? ''),
	),
];
const risk = (address: string) => reportOn(address, undefined, baseUrl).risk;

describe('report on a sanctioned address', () => {
	it('is red by its sanctions, for each of the 641 addresses', () => {
		expect(listed).toHaveLength(641);
		for (const address of listed) {
			const { level, score, categories } = risk(address);
			expect({ address, level }).toEqual({ address, level: 'red' });
			expect(score).toBeGreaterThanOrEqual(0.9);
			expect(score).toBeLessThanOrEqual(1);
			expect(categories.sanctions).toBeGreaterThanOrEqual(0.85);
			expect(categories.sanctions).toBeLessThanOrEqual(1);
		}
	});

	it('does not depend on the chain that is sent', () => {
		expect(reportOn('0x4f47bc496083c727c5fbe3ce9cdf2b0f6496270c', 'BSC', baseUrl).risk.level).toBe(
			'red',
		);
	});

	it.each([
		['0x', '0x4F47BC496083C727C5FBE3CE9CDF2B0F6496270C'],
		['bech32', listed.find((address) => address.startsWith('bc1'))?.toUpperCase() ?? ''],
	])('is the same in capitals if the format has no case: %s', (_format, capitals) => {
		expect(risk(capitals)).toEqual(risk(capitals.toLowerCase()));
		expect(risk(capitals).level).toBe('red');
	});

	it('is not given if another case makes another address', () => {
		expect(listed).toContain('18M8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB');
		expect(risk('18m8bJWMzWHDBMxoLqjHHAffdRy4SrzkfB').categories.sanctions).toBeLessThan(0.85);
	});
});

describe('reports on other addresses', () => {
	const risks = Array.from({ length: 5000 }, (_, index) =>
		risk(`0x${createHash('sha1').update(String(index)).digest('hex')}`),
	);
	const shareOf = (level: string) => risks.filter((one) => one.level === level).length / 5000;

	it('are about 85 % green, 11 % yellow, 4 % red', () => {
		expect(Math.abs(shareOf('green') - 0.85)).toBeLessThan(0.015);
		expect(Math.abs(shareOf('yellow') - 0.11)).toBeLessThan(0.015);
		expect(Math.abs(shareOf('red') - 0.04)).toBeLessThan(0.01);
	});

	it('have scores that follow the level', () => {
		for (const { level, score } of risks) {
			const expected = score < 0.3 ? 'green' : score > 0.7 ? 'red' : 'yellow';
			expect({ score, level }).toEqual({ score, level: expected });
			expect(score).toBeGreaterThanOrEqual(0);
			expect(score).toBeLessThanOrEqual(1);
		}
	});

	it('have one category other than sanctions that stands for the score', () => {
		for (const { score, categories } of risks) {
			const { sanctions, clean_exchange, ...causes } = categories;
			const worst = Math.max(...Object.values(causes));
			expect(worst).toBeGreaterThan(0.8 * score - 0.002);
			expect(worst).toBeLessThan(score + 0.002);
			expect(sanctions).toBeLessThan(0.4 * score + 0.002);
			expect(clean_exchange).toBeGreaterThanOrEqual(0);
		}
	});

	it('reach a clean_exchange over 1, only among the green ones', () => {
		const clean = risks.filter(({ categories }) => categories.clean_exchange > 1);
		expect(clean.length).toBeGreaterThan(100);
		expect(new Set(clean.map(({ level }) => level))).toEqual(new Set(['green']));
	});

	it('hold numbers of at most three decimals', () => {
		for (const { score, categories } of risks.slice(0, 500)) {
			for (const number of [score, ...Object.values(categories)]) {
				expect(String(number)).toMatch(/^\d(\.\d{1,3})?$/);
			}
		}
	});
});

describe('report', () => {
	const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

	it('is the same for the same address and chain', () => {
		expect(reportOn(address, 'ETH', baseUrl)).toEqual(reportOn(address, 'ETH', baseUrl));
		expect(reportOn(address, undefined, baseUrl)).toEqual(reportOn(address, 'ETH', baseUrl));
	});

	it('has another identifier on another chain', () => {
		const [eth, arb] = ['ETH', 'ARB'].map((chain) => reportOn(address, chain, baseUrl).report_id);
		expect(eth).toMatch(/^rep_[0-9a-f]{20}$/);
		expect(arb).not.toBe(eth);
	});

	it('gives the balance as a decimal amount and a symbol, and whole transactions', () => {
		const { balance, tx_count } = reportOn(address, undefined, baseUrl);
		expect(balance).toMatch(/^\d+\.\d+ ETH$/);
		expect(Number.isInteger(tx_count)).toBe(true);
		expect(tx_count).toBeGreaterThan(0);
	});

	it('links to a page whose path ends with its identifier', () => {
		const { report_id, report_url } = reportOn(address, undefined, baseUrl);
		expect(report_url).toBe(`${baseUrl}/reports/${report_id}`);
	});
});
