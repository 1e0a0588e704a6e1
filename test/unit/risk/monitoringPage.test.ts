import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../../../nodes/WalletScreening/risk/change';
import { asReport } from '../../../nodes/WalletScreening/risk/report';

interface Example {
	earlier: object;
	report: object;
	scoreChange: number;
	change: object;
}

const page = readFileSync(join(__dirname, '../../../docs/monitoring.md'), 'utf8');
const examples = [...page.matchAll(/^```json\n([^`]+)^```$/gm)].map(
	([, json = '']) => JSON.parse(json) as Example,
);

test('the page has its example', () => {
	expect(examples.length).toBeGreaterThan(0);
});

test.each(examples)('the page is right about $change.kind', (example) => {
	const { earlier, report, scoreChange, change } = example;
	expect(compare(asReport(report)!, earlier, scoreChange)).toEqual(change);
	expect(compare(asReport(report)!, JSON.stringify(earlier), scoreChange)).toEqual(change);
});
