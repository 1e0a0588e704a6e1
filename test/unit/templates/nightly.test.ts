import { compare } from '../../../nodes/WalletScreening/risk/change';
import template from '../../../templates/rescreen-customers-nightly.json';
import { numbersFrom, seed } from '../../support/random';

/*
 * The rule of the template, as its nodes have it: compare with the report last notified of, notify of all but "same", and
 * remember the report if Slack took the message. Beside it stands what a person expects, written without it.
 */

const parametersOf = (name: string) =>
	template.nodes.find((node) => node.name === name)!.parameters as any;

const scoreChange = parametersOf('Compare').scoreChange as number;

interface Risk {
	level: string;
	score: number;
	categories: Record<string, number>;
}

const reportOf = (risk: Risk) => ({ address: '0xabc', chain: 'ETH', risk });

/** What of a risk differs from the one that people were last notified of. */
function newsIn(now: Risk, last: Risk | undefined): boolean {
	if (!last) return true;
	if (now.level.toLowerCase() !== last.level.toLowerCase()) return true;
	const far = (one: number, other: number) =>
		Math.round(Math.abs(one - other) * 1e9) > Math.round(scoreChange * 1e9);
	if (far(now.score, last.score)) return true;
	const keys = new Set([...Object.keys(now.categories), ...Object.keys(last.categories)]);
	keys.delete('clean_exchange');
	return [...keys].some((key) => {
		const [after, before] = [now.categories[key], last.categories[key]];
		// Nobody knows why it is gone. What is new counts from nothing.
		return after === undefined ? before !== undefined : far(after, before ?? 0);
	});
}

const names = ['sanctions', 'darknet', 'mixer', 'clean_exchange', 'gambling'];
const levels = ['green', 'Green', 'amber', 'red'];

test('the template has the rule that is tested here', () => {
	expect(parametersOf('Compare')).toMatchObject({ reportField: '', earlierField: 'previous' });
	expect(parametersOf('Put the Earlier Report beside It').assignments.assignments).toMatchObject([
		{ name: 'previous', value: "={{ $('Customers Who Are Due').item.json.last_notified }}" },
	]);
	expect(parametersOf('Changed or Not Screened').conditions.conditions).toMatchObject([
		{
			leftValue: '={{ $json.change?.kind }}',
			rightValue: 'same',
			operator: { operation: 'notEquals' },
		},
	]);
	expect(parametersOf('Remember the Result').columns.value.last_notified).toBe(
		"={{ $json.change.kind === 'same' ? $json.previous : $('Screen Them in Bulk').item.json.toJsonString() }}",
	);
});

test(`in 10,000 random histories each crossing is notified once, and none is missed (TEST_SEED=${seed})`, () => {
	const random = numbersFrom(seed);
	const pick = <T>(list: readonly T[]) => list[Math.floor(random() * list.length)]!;
	const near = (value: number) => {
		// Small steps, so that drift is common; at times a leap; to three digits, as a service sends them.
		const step = random() < 0.85 ? (random() - 0.45) * 0.12 : (random() - 0.5) * 1.6;
		return Math.round(Math.min(1, Math.max(0, value + step)) * 1000) / 1000;
	};
	const wrong: unknown[] = [];
	const counts = { nights: 0, notified: 0, failed: 0, slackDown: 0, drifts: 0 };

	for (let history = 0; history < 10_000; history++) {
		let risk: Risk = { level: 'green', score: 0.1, categories: { sanctions: 0, mixer: 0.1 } };
		let remembered: string | undefined;
		let lastNotified: Risk | undefined;
		let lastSeen: Risk | undefined;
		for (let night = 0; night < 12; night++) {
			counts.nights++;
			const categories: Record<string, number> = {};
			for (const name of names) {
				const isThere = name in risk.categories ? random() > 0.02 : random() < 0.05;
				if (isThere) categories[name] = near(risk.categories[name] ?? 0);
			}
			const level = random() < 0.05 ? pick(levels) : risk.level;
			risk = { level, score: near(risk.score), categories };
			if (random() < 0.05) {
				// Not screened: it is an error item, which is notified, and is not remembered.
				counts.failed++;
				continue;
			}
			const { kind } = compare(reportOf(risk) as never, remembered ?? null, scoreChange);
			const expected = newsIn(risk, lastNotified);
			if ((kind !== 'same') !== expected) wrong.push({ history, night, remembered, risk, kind });
			if (expected && random() < 0.1) {
				counts.slackDown++;
				continue;
			}
			if (kind !== 'same') {
				remembered = JSON.stringify(reportOf(risk));
			}
			if (expected) {
				if (lastSeen && lastNotified && !newsIn(risk, lastSeen)) counts.drifts++;
				lastNotified = risk;
				counts.notified++;
			}
			lastSeen = risk;
		}
	}
	expect(wrong).toEqual([]);
	// All of it was tried often.
	expect(counts.nights).toBe(120_000);
	expect(Math.min(counts.notified, counts.failed, counts.slackDown, counts.drifts)).toBeGreaterThan(
		3_000,
	);
});
