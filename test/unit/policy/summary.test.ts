import type { Reason } from '../../../nodes/WalletScreening/policy/reason';
import { reasonsInSummary, summarize } from '../../../nodes/WalletScreening/policy/summary';

const onMixer: Reason = {
	field: 'mixer',
	operator: 'gte',
	value: 0.2,
	actual: 0.3,
	outcome: 'review',
};

test.each(['allow', 'review', 'block'] as const)(
	'the reasons of a summary that begins with %s are found in it again',
	(outcome) => {
		const summary = summarize(outcome, [onMixer], undefined);
		expect(reasonsInSummary(summary)).toBe('mixer is 0.3 (0.2 or more means review)');
	},
);

test('a summary without reasons has none, and one with an age keeps it', () => {
	expect(reasonsInSummary(summarize('allow', [], undefined))).toBe('');
	const reuse = { madeAt: new Date(0), decidedAt: new Date(60_000) };
	const end = '. Report used again: 1970-01-01 00:00 (UTC), 1 minute old';
	expect(reasonsInSummary(summarize('allow', [], reuse))).toBe(`no rule applies${end}`);
});

test('a text that no decision has is returned as it is, up to the length of a summary', () => {
	expect(reasonsInSummary('Blocked by hand')).toBe('Blocked by hand');
	expect(reasonsInSummary('x'.repeat(1_000))).toBe('x'.repeat(400));
});
