import type { FactRow, Row, Section } from '../../../nodes/WalletScreening/messages/message';
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

/** What Slack shows of the facts of an item: the text after each label, and its links. */
function shownOf(rows: FactRow[]): string[] {
	const item: Row = { kind: 'item', label: 'a1', value: '', tone: 'bad', rows };
	const sections = [{ rows: [item] }];
	const { blocks } = renderSlack({ title: 'x', tone: 'bad', badge: 'x', headline: 'x', sections });
	const written = JSON.stringify(blocks[1]);
	return [...written.matchAll(/"text":" (x+…?)"|"(link)"/g)].map(([, text, kind]) => text ?? kind!);
}

test('an item that is too long for a block of 3,000 characters has shorter facts, and no link if that is too long', () => {
	const fact: FactRow = { kind: 'value', label: 'Why', value: 'x'.repeat(900) };
	const longLink: FactRow = { ...link, url: `https://a.example/${'x'.repeat(1_980)}` };
	const short = `${'x'.repeat(119)}…`;
	expect(shownOf([fact, fact, link])).toEqual([fact.value, fact.value, 'link']);
	expect(shownOf([fact, fact, fact, link, fact])).toEqual([short, short, short, 'link', short]);
	expect(shownOf([fact, longLink])).toEqual([short, 'link']);
	expect(shownOf([...Array(7).fill(fact), longLink])).toEqual(Array(7).fill(short));
});

test('a message has at most some 10,300 characters in Slack, and counts the lines for which it has no room', () => {
	const rowsOf = (count: number): Row[] => Array(count).fill({ ...value, value: 'x'.repeat(982) });
	const shown = (...sections: Section[]) => {
		const { blocks } = renderSlack({
			title: 'x',
			tone: 'bad',
			badge: 'x',
			headline: 'x',
			sections,
		});
		const written = JSON.stringify(blocks);
		return [written.match(/x{982}/g)?.length, /… and .*? room/.exec(written)?.[0]];
	};
	expect(shown({ rows: rowsOf(10) })).toEqual([10, undefined]);
	expect(shown({ heading: 'A', rows: rowsOf(11) })).toEqual([
		10,
		'… and 1 more line for which Slack has no room',
	]);
	expect(shown({ rows: rowsOf(9) }, { rows: rowsOf(4) }, { heading: 'B', rows: [link] })).toEqual([
		10,
		'… and 4 more lines for which Slack has no room',
	]);
});
