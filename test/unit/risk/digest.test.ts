import fc from 'fast-check';
import { alertOf, failureAlertOf } from '../../../nodes/WalletScreening/risk/alert';
import { digestOf } from '../../../nodes/WalletScreening/risk/digest';
import { simplify } from '../../../nodes/WalletScreening/risk/simplify';
import { reportBody } from '../support/answers';

type Item = Record<string, unknown>;

const report = (address: string, level = 'green', score = 0): Item =>
	reportBody({ address, risk: { level, score }, report_url: `https://a.example/${address}` });
const decided = (item: Item, outcome: string, why = 'no rule applies'): Item => ({
	...item,
	decision: {
		outcome,
		reasons: [],
		summary: `${outcome[0]?.toUpperCase()}${outcome.slice(1)}: ${why}`,
	},
});
const failed = (address: string, error = 'The service is unavailable'): Item => ({
	error,
	details: { errorClass: 'server', address },
});
const digest = (items: Item[], mostListed = 50, title = 'Nightly') =>
	digestOf(items, { title, mostListed });

const items = [
	decided(report('allowed'), 'allow'),
	{
		...decided(report('reviewed', 'amber', 0.4), 'review', 'level is amber'),
		change: {
			kind: 'worse',
			fields: [
				{ field: 'level', before: 'green', after: 'amber' },
				{ field: 'mixer', before: null, after: 0.4 },
				{ field: 'clean_exchange', before: 1.2, after: 1 },
			],
		},
	},
	report('undecided'),
	failed('failed'),
	decided(
		{ ...simplify(reportBody({ address: 'blocked', risk: { level: 'red', score: 0.9 } })) },
		'block',
		'score is 0.9',
	),
	{
		...decided(report('improved'), 'allow'),
		change: { kind: 'better', fields: [{ field: 'score', before: 0.5, after: 0 }] },
	},
];

/** The addresses that a text lists. */
const listed = (text: string) =>
	[...text.matchAll(/^- (\S+|Item \d+)$/gm)].map(([, address]) => address);

test('every item is counted', () => {
	const { counts, total } = digest(items);
	expect(counts).toEqual({
		...{ block: 1, review: 1, allow: 2, undecided: 1, failed: 1 },
		...{ worse: 1, better: 1 },
	});
	expect(total).toBe(6);
});

test('the worst come first, and each says why', () => {
	expect(digest(items).alert.text)
		.toBe(`Nightly: 1 block, 1 failed, 1 review, 1 not decided, 2 allow (changed: 1 worse, 1 better)

Items: 6
- Block: 1
- Failed: 1
- Review: 1
- Not decided: 1
- Allow: 2
- Worse than before: 1
- Better than before: 1

Block (1)
- blocked
  ETH · red · score 0.9
  score is 0.9
  https://app.example.com/reports/rep_1

Failed (1)
- failed
  The service is unavailable

Review (1)
- reviewed
  ETH · amber · score 0.4
  level is amber
  Worse: level green → amber; mixer not given → 0.4; clean exchange 1.2 → 1
  https://a.example/reviewed

Not decided (1)
- undecided
  ETH · green · score 0
  https://a.example/undecided

Allow (2)
- allowed
  ETH · green · score 0
  https://a.example/allowed
- improved
  ETH · green · score 0
  Better: score 0.5 → 0
  https://a.example/improved`);
});

test('among the same outcome, what is worse, unknown or not green comes first, then the higher score', () => {
	const change = (kind: string) => ({ change: { kind, fields: [] } });
	const ranked = [
		decided(report('low', 'green', 0.1), 'allow'),
		decided(report('high', 'green', 0.3), 'allow'),
		decided(report('amber', 'amber', 0.2), 'allow'),
		{ ...decided(report('worse', 'green', 0.1), 'allow'), ...change('worse') },
		{ ...decided(report('unknown', 'green', 0.1), 'allow'), ...change('unknown') },
		decided(report('low2', 'green', 0.1), 'allow'),
	];
	expect(listed(digest(ranked).alert.text)).toEqual([
		'worse',
		'unknown',
		'amber',
		'high',
		'low',
		'low2',
	]);
});

test('at most so many are listed, and it says how many are not', () => {
	const many = Array.from({ length: 10 }, (_, index) => report(`a${index}`));
	const { alert, counts } = digest(many, 3);
	expect(listed(alert.text)).toEqual(['a0', 'a1', 'a2']);
	for (const text of [alert.text, alert.html, JSON.stringify(alert.slackBlocks)]) {
		expect(text).toContain('… and 7 more items that are not listed');
		expect(text).not.toContain('a3');
	}
	expect(counts.undecided).toBe(10);
	expect(digest(many, 9).alert.text).toMatch(/… and 1 more item that is not listed$/);
	expect(digest(many, 10).alert.text).not.toContain('not listed');
	for (const none of [0, -1]) expect(listed(digest(many, none).alert.text)).toEqual([]);
});

test('nothing that came is said, too', () => {
	const { alert, counts, total } = digest([]);
	expect(total).toBe(0);
	expect(Object.values(counts)).toEqual([0, 0, 0, 0, 0, 0, 0]);
	expect(alert.title).toBe('Nightly: no items came');
	for (const text of [alert.text, alert.html, JSON.stringify(alert.slackBlocks)]) {
		expect(text).toContain('No items came. If you expected some, check the steps before.');
	}
});

test('without a title it has one', () => {
	expect(digest([], 50, ' ').alert.title).toBe('Wallet screening: no items came');
});

test.each([
	[{}, 'failed', 'Item 1'],
	[{ job_id: 'j' }, 'failed', 'Item 1'],
	[{ address: 'a' }, 'failed', 'a'],
	[{ ...report('a'), error: 'x' }, 'failed', 'a'],
	[{ ...decided(report('a'), 'allow'), error: 'x', details: 7 }, 'failed', 'a'],
	[decided(report('a'), 'Allow'), 'undecided', 'a'],
	[{ ...report('a'), decision: 'allow' }, 'undecided', 'a'],
	[{ ...report('a'), decision: '{"outcome":"block"}' }, 'block', 'a'],
	[decided({ customer: 7, report: report('a') }, 'review'), 'review', 'a'],
	[{ report: JSON.stringify(report('a')) }, 'undecided', 'a'],
	[decided({ report: report('a'), previous: report('b') }, 'allow'), 'allow', 'a'],
	[decided({ report: report('a'), other: report('b') }, 'allow'), 'allow', 'Item 1'],
])('the item %j counts as %s', (item, outcome, name) => {
	const { counts, alert } = digest([item]);
	expect(counts).toMatchObject({ [outcome]: 1 });
	expect(Object.values(counts).reduce((sum, count) => sum + count)).toBe(1);
	expect(listed(alert.text)).toEqual([name]);
});

describe('the first thing that is seen', () => {
	const look = (...some: Item[]) => {
		const { html, slackBlocks } = digest(some).alert;
		const [first] = slackBlocks.blocks as Array<{ text: { text: string } }>;
		return [/bgcolor="(#\w+)"/.exec(html)?.[1], first?.text.text.split(' ')[0]];
	};
	const good = ['#067647', '✅'];
	const caution = ['#b54708', '⚠️'];
	const bad = ['#b42318', '⛔'];
	const fine = decided(report('a'), 'allow');

	it.each([
		['allowed reports that are green', [fine, report('b')], good],
		['a review', [fine, decided(report('b'), 'review')], caution],
		['a level that is not green', [fine, report('b', 'amber')], caution],
		['an allowed level that is not green', [decided(report('b', 'red'), 'allow')], caution],
		['a change for the worse', [{ ...fine, change: { kind: 'worse' } }], caution],
		['an unknown change', [{ ...fine, change: { kind: 'unknown' } }], caution],
		['a change for the better', [{ ...fine, change: { kind: 'better' } }], good],
		['nothing', [], caution],
		['a block', [fine, decided(report('b'), 'block')], bad],
		['a failure', [fine, failed('b')], bad],
	] as const)('of %s', (_, some, expected) => {
		expect(look(...some)).toEqual(expected);
	});

	it('does not depend on what is listed', () => {
		const { html } = digest([fine, report('b', 'amber')], 0).alert;
		expect(/bgcolor="(#\w+)"/.exec(html)?.[1]).toBe(caution[0]);
	});
});

/** Every text in a message for Slack. */
const texts = (value: unknown): string[] => {
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([name, own]) =>
		name === 'text' && typeof own === 'string' ? [own] : texts(own),
	);
};

function expectWithinLimits({
	title,
	text,
	html,
	slackBlocks,
}: ReturnType<typeof digest>['alert']) {
	expect(title.length).toBeLessThanOrEqual(120);
	expect(text.length).toBeLessThan(40_000);
	// Gmail cuts a mail off at 102 KB.
	expect(Buffer.byteLength(html)).toBeLessThan(102_000);
	const { blocks } = slackBlocks;
	// The Slack node may add a block to the 50 that Slack takes.
	expect(blocks.length).toBeLessThanOrEqual(49);
	for (const block of blocks) {
		const longest = block.type === 'header' ? 150 : 3_000;
		expect(texts(block).join('').length).toBeLessThanOrEqual(longest);
		expect(texts(block).filter((one) => one === '' || /[<>]/.test(one))).toEqual([]);
	}
}

test('the size is bounded, however much comes', () => {
	const huge = '<&"\u202e\n\'>'.repeat(20_000);
	const item = {
		...decided(report(huge, huge, 0.123456789), 'block', huge),
		chain: huge,
		report_url: `https://a.example/${'x'.repeat(1_900)}`,
		change: { kind: 'worse', fields: Array(50).fill({ field: huge, before: huge, after: huge }) },
	};
	const { alert, counts } = digest([...Array<Item>(300).fill(item), ...items], 1e9, huge);
	expectWithinLimits(alert);
	expect(counts.block).toBe(301);
	const shown = listed(alert.text).length || alert.text.split('\n- ').length - 1;
	expect(shown).toBeGreaterThan(10);
	expect(alert.text).toMatch(/… and \d+ more items that are not listed$/);
});

test('plain reports are listed fifty at a time, everywhere', () => {
	const long = (index: number) => `0x${String(index).padStart(40, '0')}`;
	const many = Array.from({ length: 400 }, (_, index) =>
		decided(
			report(long(index), 'amber', 0.5),
			'review',
			'level is amber (anything but green means review)',
		),
	);
	const { alert } = digest(many);
	expectWithinLimits(alert);
	for (const text of [alert.text, alert.html, JSON.stringify(alert.slackBlocks)]) {
		expect(text).toContain('… and 350 more items that are not listed');
		expect(text).toContain(long(49));
		expect(text).not.toContain(long(50));
	}
});

test('no value of an item can pass for anything but a value', () => {
	const hostile = fc.oneof(
		fc.constantFrom(
			'<script>alert(1)</script>',
			`"' onload='x"`,
			'</td></table>',
			'<!channel>',
			'<@U1>',
			'\nBlock (0)',
			'\u2028- 0x0',
			'\u202Egreen',
			'&lt;b&gt;',
			'\ud800',
		),
		fc.string({ unit: 'binary', maxLength: 20 }),
	);
	const anything = fc.oneof(hostile, fc.jsonValue(), fc.constant(undefined));
	const item = fc.record(
		{
			address: hostile,
			chain: anything,
			error: fc.oneof(fc.constant(undefined), fc.constant(undefined), anything),
			details: anything,
			risk: fc.record({ level: anything, score: anything }),
			report_url: fc.oneof(
				anything,
				hostile.map((text) => `https://a.example/${text}`),
			),
			decision: fc.oneof(
				anything,
				fc.record({ outcome: fc.constantFrom('allow', 'review', 'block', 'x'), summary: anything }),
			),
			change: fc.record({
				kind: fc.constantFrom('worse', 'better', 'unknown', 'x'),
				fields: fc.oneof(anything, fc.array(fc.record({ field: anything, before: anything }))),
			}),
		},
		{ requiredKeys: [] },
	);
	const tags = (html: string) =>
		(html.match(/<[^>]*>/g) ?? []).map((tag) =>
			tag.replace(/^<a href="https:[^"]*"/, '<a').replace(/#\w{6}/g, '#'),
		);
	const known = new Set(
		[items, [], [report('a')], [...items, ...items]].flatMap((some, index) =>
			tags(digest(some, index === 3 ? 1 : 50).alert.html),
		),
	);
	const line =
		/^(- (Block|Failed|Review|Not decided|Allow|Worse|Better): \d+|Items: \d+|(Block|Failed|Review|Not decided|Allow) \(\d+\)|- \S.*| {2}\S.*|… and \d+ more items? .*|No items came.*|)$/;
	fc.assert(
		fc.property(
			fc.array(item, { maxLength: 6 }),
			hostile,
			fc.nat({ max: 7 }),
			(some, title, most) => {
				const { alert, counts, total } = digestOf(some, { title, mostListed: most });
				expectWithinLimits(alert);
				const { worse: _, better: __, ...outcomes } = counts;
				expect(Object.values(outcomes).reduce((sum, count) => sum + count)).toBe(some.length);
				expect(total).toBe(some.length);
				const [first, ...rest] = alert.text.split('\n');
				expect(first).toBe(alert.title);
				expect(rest.filter((one) => !line.test(one))).toEqual([]);
				expect(alert.text).not.toMatch(/[<>]/);
				expect(alert.text.replaceAll('\n', '')).not.toMatch(/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029]/u);
				const headings = rest.filter((one) => /^\S.* \(\d+\)$/.test(one) && !one.startsWith('- '));
				expect(new Set(headings).size).toBe(headings.length);
				expect(tags(alert.html).filter((tag) => !known.has(tag))).toEqual([]);
				expect(alert.html.replace(/<[^>]*>/g, '')).not.toMatch(/[<>"']/);
			},
		),
		{ numRuns: 500 },
	);
});

test('the items are not changed, nor their order', () => {
	const before = structuredClone(items);
	digest(items);
	expect(items).toEqual(before);
});

describe('the alert on a failure', () => {
	const alert = failureAlertOf({
		error: 'The service is unavailable (status 503)',
		details: {
			...{ errorClass: 'server', httpCode: '503', description: 'Run it again later.' },
			...{ address: '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045', job_ids: ['j1', 'j2'] },
			decision: { outcome: 'block', summary: 'Block: score is 1' },
		},
	});

	it('says what happened, to which address, and what to do', () => {
		expect(alert.title).toBe(
			'Failed: wallet 0xd8dA6B…A96045: The service is unavailable (status 503)',
		);
		expect(alert.text).toBe(`${alert.title}

Address: 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045
What to do: Run it again later.
Decision: Block: score is 1
Error class: server
HTTP status: 503
Job ID: ["j1","j2"]`);
		for (const one of ['Run it again later.', '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045']) {
			expect(alert.html).toContain(one);
			expect(JSON.stringify(alert.slackBlocks)).toContain(one);
		}
		expect(alert.html + JSON.stringify(alert.slackBlocks)).not.toMatch(
			/Risk categories|Report link/,
		);
		expect(alert.html).toContain('bgcolor="#b42318"');
	});

	it('does without an address and details, whatever stands in their place', () => {
		for (const details of [undefined, null, 7, 'x', [], {}]) {
			const bare = failureAlertOf({ error: '<b>', details });
			expect(bare.title).toBe('Failed: ‹b›');
			expect(bare.text).toBe('Failed: ‹b›');
			expect(bare.slackBlocks.blocks).toHaveLength(1);
			expect(bare.html).toContain('&lt;b&gt;');
		}
		expect(failureAlertOf({ error: { a: 1 }, address: 'a' }).title).toBe(
			'Failed: wallet a: {"a":1}',
		);
	});
});

test('an alert says which rules are waived, after those that count', () => {
	const reason = { field: 'score', operator: 'gte', value: 0.5, actual: 0.9 } as const;
	const waived_by = { until: '2026-12-31', reason: 'Ticket 4711', approved_by: 'MLRO' };
	const { text } = alertOf(reportBody(), {
		outcome: 'review',
		reasons: [
			{ ...reason, outcome: 'block', waived_by },
			{ ...reason, outcome: 'review' },
		],
	});
	expect(text).toContain(`Decision: review
- score is 0.9 (0.5 or more means review)
- waived until 2026-12-31 by MLRO (Ticket 4711): score is 0.9 (0.5 or more means block)
`);
});

test('an earlier report is not the report of a decision', () => {
	const item = decided({ address: 'a', previous: report('a', 'red', 0.9) }, 'allow');
	const { alert, counts } = digest([item]);
	expect(counts).toMatchObject({ allow: 0, failed: 1 });
	expect(alert.text).toContain('Failed (1)\n- a\n  The item contains no report');
	expect(digest([{ ...item, report: report('a') }]).counts).toMatchObject({ allow: 1, failed: 0 });
});
