import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { compareReports } from '../../../nodes/WalletScreening/policy/change';
import { decide } from '../../../nodes/WalletScreening/policy/decision';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import { parseReport } from '../../../nodes/WalletScreening/answers/report';

/** The examples of a page of the documentation, which has some. */
function examplesOf(page: string, form: RegExp): string[][] {
	const text = readFileSync(join(__dirname, '../../../docs', page), 'utf8');
	const examples = [...text.matchAll(form)].map(([, ...parts]) => parts);
	if (examples.length === 0) throw new Error(`${page} has no example`);
	return examples;
}

test.each(examplesOf('monitoring.md', /^```json\n([^`]+)^```$/gm))(
	'the page on monitoring is right: %s',
	(json) => {
		const { earlier, report, scoreChange, change } = JSON.parse(json!) as Record<string, object>;
		for (const one of [earlier, JSON.stringify(earlier)])
			expect(compareReports(report as never, parseReport(one), Number(scoreChange))).toEqual(
				change,
			);
	},
);

const row = /^\| `([[{].+)` \| `(.+?)`(?: and `(.+)`)? \| (.+) \|$/gm;
test.each(examplesOf('decision-rules.md', row))(
	'the page on decision rules is right about %s and %s',
	(policy, report, input = '{}', summary) => {
		const { address = '0x1', ...risk } = JSON.parse(report!) as { address?: string };
		const circumstances = {
			at: new Date('2026-12-01T12:00:00Z'),
			input: JSON.parse(input) as Record<string, unknown>,
		};
		const found = decide({ address, risk } as never, readPolicy(policy), circumstances);
		expect(found.summary).toBe(summary);
	},
);
