import { categoryBars, levelColor } from '../../../sandbox/risk';

it('shows the highest risk first, and a clean origin last and green, however large', () => {
	const bars = categoryBars({ clean_exchange: 1.4, mixer: 0.4, sanctions: 0.95, scam: 0.29 });
	expect(bars).toEqual([
		{ name: 'Sanctions', value: 0.95, share: 0.95, color: 'red' },
		{ name: 'Mixer', value: 0.4, share: 0.4, color: 'yellow' },
		{ name: 'Scam', value: 0.29, share: 0.29, color: 'green' },
		{ name: 'Clean exchange (good)', value: 1.4, share: 1, color: 'green' },
	]);
});

it('shows no bar for a category that a report lacks', () => {
	expect(categoryBars({ scam: 0 }).map(({ name }) => name)).toEqual(['Scam']);
});

it.each([
	['green', 'green'],
	['amber', 'yellow'],
	['red', 'red'],
	['violet', 'grey'],
])('the level %s is %s', (level, color) => {
	expect(levelColor(level)).toBe(color);
});
