import { answersOn, daysPlayed, paymentsOn, screenedOn } from '../../../tools/trial/monthPlan';

const daysAgo = Array.from({ length: daysPlayed }, (_, at) => daysPlayed - at);
const dateOf = (days: number) => new Date(Date.UTC(2026, 10, 29 - days));
const screened = daysAgo.flatMap((days) =>
	screenedOn(days, dateOf(days)).map((item) => ({ ...item, days })),
);
const answers = Object.entries(answersOn).map(([days, answer]) => ({
	days: Number(days),
	...answer,
}));

it('an answer is given after the wallet of its case was screened', () => {
	for (const { address, days } of answers) {
		const opened = screened.find((item) => item.address === address);
		expect(opened?.days).toBeGreaterThan(days);
	}
});

it('a second person confirms the first answer in each case, on a later day', () => {
	const cases = new Set(answers.map(({ address }) => address));
	expect(cases.size).toBe(2);
	for (const address of cases) {
		const inOrder = answers
			.filter((answer) => answer.address === address)
			.sort((one, other) => other.days - one.days);
		expect(new Set(inOrder.map(({ person }) => person))).toEqual(new Set(['first', 'second']));
		expect(inOrder.map(({ form }) => form('2026-11-21').answer)).toEqual([
			expect.stringMatching(/^(True match|False positive)$/),
			'Confirm it',
		]);
	}
});

it('all that is planned happens within the month', () => {
	const planned = [...Object.keys(answersOn), ...Object.keys(paymentsOn)].map(Number);
	for (const days of planned) expect(daysAgo).toContain(days);
});

it('fewer wallets are screened on a weekend, and the customers once a week', () => {
	const countOn = (day: string) => screenedOn(4, new Date(`2026-11-${day}`)).length;
	expect([countOn('27'), countOn('28'), countOn('29')]).toEqual([5, 2, 2]);
	const days = screened
		.filter(({ reference }) => reference === 'customer 1')
		.map((item) => item.days);
	expect(days).toEqual([30, 23, 16, 9, 2]);
});

it('each wallet is screened under a reference of its own day', () => {
	const transactions = screened
		.map(({ reference }) => String(reference))
		.filter((one) => /^T-/.test(one));
	expect(new Set(transactions).size).toBe(transactions.length);
});
