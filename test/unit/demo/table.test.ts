import { tableOf } from '../../../tools/demo/table';

const report = {
	...{ address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', note: 'vitalik.eth', chain: 'ETH' },
	...{ risk: { level: 'green', score: 0.1 }, decision: { outcome: 'allow' } },
};

test('addresses are shown in full if they fit', () => {
	expect(tableOf([report], Infinity, false)).toMatch(
		new RegExp(`^vitalik.eth  ${report.address}  ETH    green  0.100  allow$`, 'm'),
	);
});

test('addresses are shortened in the middle to fit a narrow terminal', () => {
	const table = tableOf([report], 60, false);
	expect(Math.max(...table.split('\n').map((line) => line.length))).toBeLessThanOrEqual(60);
	expect(table).toMatch(/^vitalik\.eth {2}0xd8dA\S*…\S*6045 {2}ETH/m);
});
