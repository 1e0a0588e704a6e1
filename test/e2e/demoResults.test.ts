import type { INodeExecutionData } from 'n8n-workflow';
import { findings, nodes, type Screening } from '../../demo/screenings';
import { shortened, tableOf } from '../../demo/table';
import type { Execution } from '../../host/instance';

const vitalik = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const sanctioned = '149w62rY42aZBox8fGcmqNsXUzSStKeq8C';

function reportItem(address: string, level: string, item: number): INodeExecutionData {
	const risk = { level, score: 0.5, categories: { sanctions: 0.25 } };
	const decision = { outcome: level === 'green' ? 'allow' : 'block' };
	return { json: { address, chain: 'ETH', risk, decision }, pairedItem: { item } };
}

function executionOf(reports: INodeExecutionData[], failure?: object): Execution {
	const list = [vitalik, sanctioned].map((address) => ({ json: { address } }));
	const ran = (items: INodeExecutionData[]) => [{ data: { main: [items] } }];
	const runData = { [nodes.list]: ran(list), [nodes.screen]: ran(reports) };
	const resultData = { runData, ...(failure && { error: failure }) };
	return { id: '1', status: 'success', data: { resultData } } as unknown as Execution;
}

describe('what the demo finds wrong', () => {
	const good = reportItem(vitalik, 'green', 0);
	const red = reportItem(sanctioned, 'red', 1);

	test('is nothing when all is well', () => {
		expect(findings(executionOf([good, red]))).toEqual([]);
	});

	test.each([
		['a sanctioned address that is not red', [good, reportItem(sanctioned, 'yellow', 1)], 'yellow'],
		[
			'a sanctioned address that is not blocked',
			[good, { ...red, json: { ...red.json, decision: { outcome: 'review' } } }],
			'review',
		],
		['a report that belongs to another input', [good, reportItem(sanctioned, 'red', 0)], 'paired'],
		['a report without pairing', [good, { json: red.json }], 'paired'],
		['an address without report', [good], '1 reports'],
	])('is %s', (_what, reports, word) => {
		expect(findings(executionOf(reports))).toEqual([expect.stringContaining(word)]);
	});

	test('is the error of the workflow', () => {
		const failure = { message: 'It broke', description: 'Mend it.' };
		expect(findings(executionOf([good, red], failure))).toEqual([
			expect.stringContaining('It broke. Mend it.'),
		]);
	});
});

describe('the table', () => {
	const screening: Screening = {
		asked: vitalik,
		address: vitalik,
		chain: 'ETH',
		level: 'green',
		score: 0.1,
		sanctions: 0,
		decision: 'allow',
	};

	test('shows addresses in full where they fit', () => {
		expect(tableOf([screening], { width: Infinity, colors: false })).toContain(vitalik);
	});

	test('shortens addresses in the middle to fit a narrow terminal', () => {
		const table = tableOf([screening], { width: 72, colors: false });
		expect(table.split('\n').map((line) => line.length)).toEqual(Array(5).fill(72));
		expect(table).toMatch(/0xd8dA\S*…\S*6045/);
	});

	test('shortens to the length that it is told', () => {
		expect(shortened('abcdefghij', 5)).toBe('ab…ij');
		expect(shortened('abcdefghij', 6)).toBe('abc…ij');
		expect(shortened('abc', 3)).toBe('abc');
	});
});
