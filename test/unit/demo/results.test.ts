import type { INodeExecutionData } from 'n8n-workflow';
import { bulkSummary, addresses } from '../../../demo/bulk';
import { findings, type Screening, screeningsOf, wallets } from '../../../demo/screenings';
import { shortened, tableOf } from '../../../demo/table';
import { sanctionedAsset } from '../../../sandbox/sanctions';

const vitalik = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const isSanctioned = (address: string) => sanctionedAsset(address) !== undefined;

function reportItem(address: string, level: string, item: number): INodeExecutionData {
	const risk = { level, score: 0.5 };
	const decision = { outcome: level === 'green' ? 'allow' : 'block' };
	return { json: { address, chain: 'ETH', risk, decision }, pairedItem: { item } };
}

describe('what the demo finds wrong with the list', () => {
	const good = wallets.map(({ address }, item) =>
		reportItem(address, isSanctioned(address) ? 'red' : 'green', item),
	);
	const place = wallets.findIndex(({ address }) => isSanctioned(address));
	const red = good[place] as INodeExecutionData;
	const sanctioned = String(red.json.address);
	const except = (changed: INodeExecutionData) => good.with(place, changed);

	test('is nothing when all is well', () => {
		expect(findings(screeningsOf(good))).toEqual([]);
	});

	test.each([
		[
			'a sanctioned address that is not red',
			except(reportItem(sanctioned, 'yellow', place)),
			'yellow',
		],
		[
			'a sanctioned address that is not blocked',
			except({ ...red, json: { ...red.json, decision: { outcome: 'review' } } }),
			'review',
		],
		[
			'a report that belongs to another input',
			except({ ...red, pairedItem: { item: 0 } }),
			'paired',
		],
		['a report without pairing', except({ json: red.json }), 'paired'],
		['an address without report', good.slice(0, -1), `${wallets.length - 1} reports`],
	])('is %s', (_what, reports, word) => {
		expect(findings(screeningsOf(reports))).toEqual([expect.stringContaining(word)]);
	});
});

describe('what the demo finds wrong in bulk', () => {
	const good = addresses.map((address, item) =>
		reportItem(address, isSanctioned(address) ? 'red' : 'green', item),
	);

	test('is nothing when all is well', () => {
		expect(bulkSummary(good)).toEqual({
			text: '641 addresses of the US sanctions list: 641 red.\n641 other addresses: 641 green, 0 yellow, 0 red.',
			wrong: [],
		});
	});

	test('is a sanctioned address that is not red', () => {
		const changed = good.with(0, reportItem(String(addresses[0]), 'green', 0));
		expect(bulkSummary(changed).wrong).toEqual([expect.stringContaining('its level is green')]);
	});

	test('is a report in the place of another', () => {
		const [first, second] = good as [INodeExecutionData, INodeExecutionData];
		expect(bulkSummary(good.with(0, second).with(1, first)).wrong).toEqual([
			expect.stringContaining('not in its place'),
		]);
	});
});

describe('the table', () => {
	const screening: Screening = {
		asked: { address: vitalik, note: 'vitalik.eth' },
		address: vitalik,
		chain: 'ETH',
		level: 'green',
		score: 0.1,
		decision: 'allow',
	};

	test('shows addresses in full if they fit', () => {
		expect(tableOf([screening], { width: Infinity, colors: false })).toContain(vitalik);
	});

	test('shortens addresses in the middle to fit a narrow terminal', () => {
		const table = tableOf([screening], { width: 60, colors: false });
		expect(table.split('\n').map((line) => line.length)).toEqual([60, 60]);
		expect(table).toMatch(/0xd8dA\S*…\S*6045/);
	});

	test('shortens to the given length', () => {
		expect(shortened('abcdefghij', 5)).toBe('ab…ij');
		expect(shortened('abcdefghij', 6)).toBe('abc…ij');
		expect(shortened('abc', 3)).toBe('abc');
	});
});
