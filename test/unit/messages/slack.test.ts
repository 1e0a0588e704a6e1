import type { FactRow, Row } from '../../../nodes/WalletScreening/messages/message';
import { renderSlack, slackSizeOf } from '../../../nodes/WalletScreening/messages/slack';

const link: FactRow = { kind: 'link', label: 'Report', url: 'https://a.example/1' };
const value: FactRow = { kind: 'value', label: 'Why', value: 'x' };

/** The characters of all texts and links that a row becomes. */
function writtenSizeOf(row: Row): number {
	const sections = [{ rows: [row] }];
	const { blocks } = renderSlack({ title: 'x', tone: 'good', badge: 'x', headline: 'x', sections });
	const contents = JSON.stringify(blocks.slice(1)).matchAll(/"(?:text|url)":"((?:[^"\\]|\\.)*)"/g);
	return [...contents].reduce(
		(sum, [, content]) => sum + (JSON.parse(`"${content}"`) as string).length,
		0,
	);
}

test.each<[string, Row]>([
	['a sentence', { kind: 'sentence', text: 'x' }],
	['a value', value],
	['a link', link],
	['a share', { kind: 'share', label: 'mixer', value: '0.1', share: 0.1, tone: undefined }],
	[
		'an item with values and links',
		{ kind: 'item', label: 'a1', value: 'x', tone: 'good', rows: [value, ...Array(20).fill(link)] },
	],
])('%s is never longer in Slack than it counts', (_what, row) => {
	expect(writtenSizeOf(row)).toBeGreaterThan(0);
	expect(writtenSizeOf(row)).toBeLessThanOrEqual(slackSizeOf([row]));
});

test('an item that is too long for a block of 3,000 characters loses its last facts', () => {
	const fact = (label: string): FactRow => ({ kind: 'value', label, value: 'x'.repeat(900) });
	const itemOf = (...rows: FactRow[]): Row => ({
		kind: 'item',
		label: 'a1',
		value: 'x',
		tone: 'bad',
		rows,
	});
	const longLink: FactRow = { ...link, url: `https://a.example/${'x'.repeat(1_980)}` };
	const [one, two, three, four] = ['One', 'Two', 'Three', 'Four'].map(fact) as FactRow[];
	const cases = [
		[itemOf(one!, two!, three!), itemOf(one!, two!, three!)],
		[itemOf(one!, two!, three!, four!), itemOf(one!, two!, three!)],
		[itemOf(one!, two!, longLink), itemOf(one!, two!)],
	] as const;
	for (const [given, shown] of cases) {
		expect(writtenSizeOf(given)).toBeLessThan(3_000);
		expect(writtenSizeOf(given)).toBe(writtenSizeOf(shown));
	}
});
