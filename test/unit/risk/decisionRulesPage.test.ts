import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { parseRules } from '../../../nodes/WalletScreening/risk/rules';

interface Example {
	rules: object[];
	risk: { level: string; score: number };
	decision: object;
}

const page = readFileSync(join(__dirname, '../../../docs/decision-rules.md'), 'utf8');
const examples = [
	...page.matchAll(/^### (.+)$[^`]*(?:`[a-z]+`[^`]*)*^```json\n([^`]+)^```$/gm),
].map(([, title = '', json = '']): [string, Example] => [title, JSON.parse(json) as Example]);

test('the page has its examples', () => {
	expect(examples).toHaveLength(page.split('```json').length - 1);
	expect(examples.length).toBeGreaterThan(3);
});

test.each(examples)('the page is right about: %s', (_, { rules, risk, decision }) => {
	expect(decide({ report_id: 'r', address: 'a', risk }, parseRules({ rules }))).toEqual(decision);
});
