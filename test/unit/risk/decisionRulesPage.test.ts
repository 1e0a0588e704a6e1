import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { asReport } from '../../../nodes/WalletScreening/risk/report';

const page = readFileSync(join(__dirname, '../../../docs/decision-rules.md'), 'utf8');
const examples = [...page.matchAll(/^\| `([[{].+)` \| `(.+?)`(?: and `(.+)`)? \| (.+) \|$/gm)];

test('the page has its examples', () => expect(examples.length).toBeGreaterThan(5));

test.each(examples.map(([, ...cells]) => cells as [string, string, string | undefined, string]))(
	'the page is right about %s and %s',
	(policy, report, input = '{}', summary) => {
		const { address = '0x1', ...risk } = JSON.parse(report) as { address?: string };
		const circumstances = {
			at: new Date('2026-12-01T12:00:00Z'),
			input: JSON.parse(input) as Record<string, unknown>,
		};
		const { summary: found } = decide(
			asReport({ address, risk })!,
			policyOfJson(policy),
			circumstances,
		);
		expect(found).toBe(summary);
	},
);
