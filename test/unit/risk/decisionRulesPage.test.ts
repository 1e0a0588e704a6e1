import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import {
	exceptionsOfFields,
	policyOfFields,
	policyOfJson,
} from '../../../nodes/WalletScreening/risk/policy';

interface Example {
	rules: object[];
	exceptions?: object[];
	at?: string;
	address?: string;
	chain?: string;
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

test.each(examples)('the page is right about: %s', (_, example) => {
	const { rules, exceptions, risk, decision } = example;
	const policy = policyOfFields(
		{ rules },
		{ exceptions: exceptionsOfFields({ entries: exceptions ?? [] }) },
	);
	const at = new Date(example.at ?? '2026-11-21T12:00:00Z');
	const { address = 'a', chain } = example;
	expect(decide({ report_id: 'r', address, chain, risk }, policy, { at })).toEqual(decision);
	expect(policyOfJson({ rules, exceptions }).record).toEqual(policy.record);
});
