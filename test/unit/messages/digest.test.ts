import { classicAddressToXAddress } from 'ripple-address-codec';
import { createDigest } from '../../../nodes/WalletScreening/messages/digest';
import { reportBody } from '../../support/unit/reports';

type Item = Record<string, unknown>;

const sent = (address: string, level = 'green', score: unknown = 0, more: object = {}) =>
	reportBody({
		address,
		risk: { level, score },
		report_url: `https://a.example/${address}`,
		...more,
	});
const report = (...given: Parameters<typeof sent>): Item => ({ report: sent(...given) });
const decided = (item: Item, outcome: string, summary = 'no rule applies'): Item => ({
	...item,
	outcome,
	summary: `${outcome[0]?.toUpperCase()}${outcome.slice(1)}: ${summary}`,
});
const digest = (items: Item[], maxListed = 50, title = 'Nightly') =>
	createDigest(items, { title, maxListed, at: new Date('2026-11-23T00:05:00Z') });
/** The items that are listed. */
const listed = (items: Item[], maxListed?: number) =>
	[...digest(items, maxListed).alert.text.matchAll(/^- (.*?)(?:: .*)?$/gm)].map(([, name]) => name);
const look = (...items: Item[]) =>
	({ '#067647': 'good', '#b54708': 'caution', '#b42318': 'bad' })[
		/bgcolor="(#\w+)"/.exec(digest(items).alert.html)?.[1] ?? ''
	];

const fine = decided(report('a1'), 'allow');
const items = [
	fine,
	{
		...decided(report('a2', 'amber', 0.4), 'review', 'level is amber'),
		change: {
			kind: 'worse',
			fields: [
				{ field: 'level', before: 'green', after: 'amber, or "so"' },
				{ field: 'mixer', before: null, after: 0.4 },
				{ field: 'clean_exchange', before: 1.2, after: 1 },
			],
		},
		reference: 'Customer 118',
	},
	report('a3'),
	{ error: 'The service is unavailable', address: 'a4', details: {} },
	decided({ report: JSON.stringify(sent('a5', 'red', 0.9)) }, 'block', 'x'),
	{
		...decided(report('a6', 'green', 0, { chain: 'Arbitrum One' }), 'allow'),
		change: { kind: 'better', fields: [{ field: 'score', before: 0.5, after: 0 }] },
	},
];

test('a digest counts every item, lists the worst first, and gives the reasons', () => {
	const { alert, counts, total } = digest(items);
	expect(counts).toEqual({
		block: 1,
		failed: 1,
		review: 1,
		undecided: 1,
		allow: 2,
		worse: 1,
		better: 1,
	});
	expect(total).toBe(6);
	expect(alert.text.split('\n')[0]).toBe(alert.title);
	for (const each of ['Nightly', 'a5', 'Customer 118', '“amber, or "so"”', '/a.example/a6']) {
		expect(alert.html.replaceAll('&#34;', '"')).toContain(each);
		expect(JSON.stringify(alert.slackBlocks).replaceAll('\\"', '"')).toContain(each);
	}
});

test('among the same outcome, what is worse, unknown or not green comes first, then the higher score', () => {
	const allowed = (address: string, score: unknown, kind?: string, level = 'green') => ({
		...decided(report(address, level, score), 'allow'),
		change: { kind, fields: [] },
	});
	const ranked = [
		allowed('low1', 0.1),
		allowed('high1', 0.3, 'better'),
		allowed('amber1', 0.2, '', 'amber'),
		allowed('unknown1', 0.1, 'unknown'),
		allowed('worse1', 0.1, 'worse'),
		allowed('low2', 0.1, 'same'),
		allowed('none1', null),
	];
	const order = ['worse1', 'unknown1', 'amber1', 'none1', 'high1', 'low1', 'low2'];
	expect(listed(ranked)).toEqual(order);
	expect(ranked[0]).toEqual(allowed('low1', 0.1));
});

test('a sanctions hit comes first, whatever its outcome and score, and stands in the heading', () => {
	const hit = {
		...decided(report('hit1', 'amber', 0.1), 'review', 'sanctions is 0.2'),
		sanctions: true,
	};
	const others = [
		decided(report('b1', 'red', 0.9), 'block'),
		{ error: 'Down', address: 'e1', details: {} },
	];
	const all = [...others, hit];
	expect(listed(all, 1)).toEqual(['hit1']);
	expect(digest(all, 1).alert.text).toContain('… and 2 more items that are not listed');
	const { alert, counts } = digest(all);
	expect(alert.title).toBe('1 sanctions hit – 1 block, 1 not screened, 1 review: Nightly');
	expect(counts).toMatchObject({ block: 1, failed: 1, review: 1 });
	expect(look(hit)).toBe('bad');
	// In a sheet the mark is a text, and in some databases it is 1.
	for (const sanctions of ['TRUE', 1, '1'])
		expect(digest([{ ...hit, sanctions }]).alert.title).toMatch(/^1 sanctions hit/);
	// In a table, a user may have changed the outcome, or removed it.
	for (const outcome of ['allow', ''])
		expect(look({ ...fine, outcome, sanctions: 'TRUE' })).not.toBe('good');
	expect(digest([{ ...hit, outcome: 'blocked' }]).alert.title).toMatch(/^1 sanctions hit/);
	// A column of a table holds false for what is no hit.
	expect(digest([{ ...fine, sanctions: false }]).alert.title).toBe('1 allow: Nightly');
});

test('an item of which another node failed later, as its error output gives it, keeps its hit or block', () => {
	const error = 'channel_not_found';
	const blocked = { ...decided(report('b1', 'red', 0.9), 'block'), sanctions: true, error };
	expect(digest([blocked]).alert.title).toBe('1 sanctions hit – 1 block: Nightly');
	// A later all-clear on the same subject hides it as little.
	const later = decided(report('b1', 'green', 0.1), 'allow');
	expect(digest([blocked, later]).alert.title).toBe('1 sanctions hit – 1 block, 1 allow: Nightly');
	const reviewed = { ...decided(report('r1', 'amber', 0.5), 'review'), error };
	expect(digest([reviewed]).alert.title).toBe('1 failed after screening: Nightly');
});

test('a digest lists at most as many items as it may, and counts those that are not listed', () => {
	const many = Array.from({ length: 10 }, (_, index) => report(`a${index}`));
	const { alert, counts } = digest(many, 3);
	expect(counts.undecided).toBe(10);
	for (const text of [alert.text, alert.html, JSON.stringify(alert.slackBlocks)]) {
		expect(text).toContain('… and 7 more items that are not listed');
		expect(text).toContain('a2');
		expect(text).not.toContain('a3');
	}
	expect(digest(many, 9).alert.text).toMatch(/\n… and 1 more item that is not listed$/);
	expect(digest(many, 10).alert.text).not.toContain('not listed');
});

test('Slack shows why an item is listed, and that its verification failed, however long its texts are', () => {
	const text = '@'.repeat(500);
	const details = {
		...decided(report(text, text, text), 'block', `sanctions is 0.9; ${text}`),
		sanctions: true,
	};
	const failure = {
		error: text,
		address: text,
		reference: text,
		asked_chain: text,
		verification: { valid: false },
		change: { kind: 'worse', fields: Array(4).fill({ field: text, before: text, after: text }) },
		details,
	};
	const written = JSON.stringify(digest([failure]).alert.slackBlocks);
	for (const fact of ['sanctions is 0.9', 'Verification', 'Error', 'Worse than before'])
		expect(written).toContain(fact);
});

test('an item counts in a digest as long as Slack shows it', () => {
	const text = '@'.repeat(240);
	const long = (index: number) => ({
		...decided(
			report(`${text}${index}`, 'red', 0.9, {
				report_url: `https://a.example/${'x'.repeat(1_900)}`,
			}),
			'block',
			text,
		),
		reference: text,
		asked_chain: text,
		change: { kind: 'worse', fields: Array(4).fill({ field: text, before: text, after: text }) },
	});
	// Each takes some 4,800 characters in the text, and less than 2,000 in Slack.
	const { text: shown } = digest([0, 1, 2, 3, 4].map(long)).alert;
	expect(shown).not.toContain('not listed');
});

test('no block for Slack has more than 3,000 characters, however long the texts of an item are', () => {
	// Slack could make links of these, so the message writes more characters than came.
	const text = ':a'.repeat(500);
	const item = {
		...decided(
			report(text, text, 0, { report_url: `https://a.example/${'x'.repeat(1_980)}` }),
			'block',
		),
		summary: `Block: ${text}`,
		reference: text,
		asked_chain: text,
		verification: { valid: false },
		change: { kind: 'worse', fields: Array(4).fill({ field: text, before: text, after: text }) },
	};
	const { blocks } = digest([item, item]).alert.slackBlocks;
	const sizes = blocks.map((block) =>
		[...JSON.stringify(block).matchAll(/"(?:text|url)":"([^"]*)"/g)].reduce(
			(sum, [, content = '']) => sum + content.length,
			0,
		),
	);
	expect(Math.max(...sizes)).toBeGreaterThan(1_500);
	expect(Math.max(...sizes)).toBeLessThanOrEqual(3_000);
});

test('a digest without items is a message, too', () => {
	const { alert, counts } = digest([], 50, ' ');
	expect(Object.values(counts)).toEqual([0, 0, 0, 0, 0, 0, 0]);
	expect(alert.text).toMatch(/^No items received: Wallet screening\n\nItems: 0\n/);
});

test.each([
	[{}, 'failed', 'Item 1', 'it holds no report'],
	[{ details: { level: 'red' } }, 'failed', 'Item 1', 'details tell something only of an error'],
	[{ ...fine, address: 'a1', error: 'x', details: 7 }, 'failed', 'a1', 'it has an error'],
	[{ error: 'x', details: { address: 'a1' } }, 'failed', 'a1', 'its details have the address'],
	[{ details: { address: 'a1' } }, 'failed', 'Item 1', 'details tell something only of an error'],
	[{ ...report('a1'), outcome: 'Block ' }, 'block', 'a1', 'a user may have written it by hand'],
	[{ ...report('a1'), outcome: 'REVIEW' }, 'review', 'a1', 'a sheet may have changed the case'],
	[{ ...report('a1'), outcome: 'blocked' }, 'undecided', 'a1', 'no decision has this outcome'],
	[
		decided({ address: 'a1', previous: sent('b1') }, 'allow'),
		'failed',
		'a1',
		'nothing is allowed without a report',
	],
	[decided({ address: 'a1' }, 'block'), 'block', 'a1', 'a block needs no report'],
])('the item %j counts as %s, is listed as %s, because %s', (item, outcome, name, _because) => {
	const { worse, better, ...outcomes } = digest([item]).counts;
	expect({ worse, better }).toEqual({ worse: 0, better: 0 });
	expect(Object.entries(outcomes).filter(([, count]) => count > 0)).toEqual([[outcome, 1]]);
	expect(listed([item])).toEqual([name]);
});

describe('a simplified item', () => {
	const flat = {
		outcome: 'allow',
		summary: 'Allow: no rule applies',
		level: 'green',
		score: 0.1,
		address: 'a1',
		chain: 'ETH',
		highest_category: null,
		highest_score: 0,
		report_id: 'rep_1',
		report_url: 'https://a.example/a1',
	};
	const undecided = { ...flat, outcome: undefined, summary: undefined };
	const withEvidence = (level: string) => ({ evidence: { report: sent('a1', level) } });

	test.each<[item: Item, outcome: string, tone: string, because: string]>([
		[flat, 'allow', 'good', 'its fields tell of its report'],
		[undecided, 'undecided', 'good', 'there was no decision'],
		[{ ...flat, level: 'red' }, 'allow', 'caution', 'its level is not green'],
		[{ ...flat, asked_chain: 'BSC' }, 'allow', 'caution', 'its report is of another chain'],
		[{ ...flat, ...withEvidence('green') }, 'allow', 'good', 'its evidence has the report'],
		[{ ...flat, ...withEvidence('red') }, 'allow', 'caution', 'its evidence has a worse level'],
		[
			{ ...flat, evidence: JSON.stringify({ report: sent('a1') }) },
			'allow',
			'good',
			'so in a table',
		],
		[{ ...flat, error: 'Down', details: {} }, 'failed', 'bad', 'it stands for a failure'],
		[{ ...flat, report: '{"address":"a1","ri' }, 'failed', 'bad', 'its report was cut off'],
		[{ ...flat, report_id: '' }, 'failed', 'bad', 'no report is named'],
		[{ ...flat, level: null }, 'failed', 'bad', 'no level is known'],
	])('%j counts as %s, and is %s: %s', (item, outcome, tone, _because) => {
		const { worse, better, ...outcomes } = digest([item]).counts;
		expect(Object.entries(outcomes).filter(([, count]) => count > 0)).toEqual([[outcome, 1]]);
		expect(listed([item])).toEqual(['a1']);
		expect(look(item)).toBe(tone);
	});

	test('is listed with its level, score and link', () => {
		const { text } = digest([flat]).alert;
		expect(text).toContain('- a1: ETH · green · score 0.1');
		expect(text).toContain(flat.report_url);
	});
});

test.each([
	[[fine, report('b1')], 'good', 'all are green, and nothing stops them'],
	[[fine, decided(report('b1'), 'review')], 'caution', 'one is to be reviewed'],
	[[decided(report('b1', 'red'), 'allow')], 'caution', 'one is allowed, but not green'],
	[[{ ...report('a1'), asked_chain: 'BSC' }], 'caution', 'the report is of another chain'],
	[[{ ...report('a1'), outcome: 'Block' }], 'bad', 'it is a block in any case of letters'],
	[[{ ...report('a1'), outcome: 'blocked' }], 'caution', 'its meaning is unknown'],
	[[{ ...report('a1'), outcome: 1 }], 'caution', 'its meaning is unknown'],
	[[{ ...report('a1'), outcome: ' Allow' }], 'good', 'it is an allow in any case of letters'],
	[[{ ...report('a1'), outcome: ' ' }], 'good', 'a blank cell is no decision'],
	[
		[{ ...report('a1'), verification: { valid: false, findings: [] } }],
		'caution',
		'the evidence does not fit',
	],
	[[{ ...fine, change: { kind: 'worse' } }], 'caution', 'one has become worse'],
	[[{ ...fine, change: { kind: 'unknown' } }], 'caution', 'what changed is unknown'],
	[[], 'caution', 'nothing came'],
	[[fine, decided(report('b1'), 'block')], 'bad', 'one is blocked'],
	[[fine, { error: 'x' }], 'bad', 'one is not screened'],
])('the colour of %j is %s, because %s', (some, tone, _because) => {
	expect(look(...some)).toBe(tone);
});

test('a change is listed with its first four values, as far as they are known', () => {
	const fields = [0, 1, 2, 3, 4, 5].map((index) => ({ field: `f${index}`, before: 0, after: 1 }));
	const lines = (change: unknown) =>
		digest([{ ...fine, change }])
			.alert.text.split('\n')
			.slice(7, -1);
	const four = '  Worse than before: f0 0 → 1; f1 0 → 1; f2 0 → 1; f3 0 → 1';
	expect(lines({ kind: 'worse', fields })).toEqual([`${four}; … and 2 more`]);
	expect(lines({ kind: 'worse', fields: fields.slice(0, 4) })).toEqual([four]);
	const unknown = '  Change unknown: the earlier value is not a report';
	expect(lines('{"kind":"unknown","fields":[]}')).toEqual([unknown]);
	for (const none of [null, { kind: 'same', fields }, 'worse']) expect(lines(none)).toEqual([]);
});

test.each([
	[0.1234561, 0.1234563, 'score 0.1234561 → 0.1234563', 'six decimals would be the same'],
	[0.1234561, 0.1234573, 'score 0.123456 → 0.123457', 'six decimals differ'],
	['a b', 'a b', 'score “a b” → “a b”', 'texts have no decimals'],
])('a change from %j to %j is "%s", because %s', (before, after, text, _because) => {
	const change = { kind: 'worse', fields: [{ field: 'score', before, after }] };
	expect(digest([{ ...fine, change }]).alert.text).toContain(`Worse than before: ${text}\n`);
});

test('the HTML of a digest has a bar of the outcomes, the worst reports as a heat map, and a column of each score', () => {
	const { html } = digest(items).alert;
	const numbersOf = (form: RegExp) => [...html.matchAll(form)].map(([, number]) => number);
	// One in six is 17 %, two are 33 %.
	expect(numbersOf(/<td width="(\d+)%" style="height:20px/g)).toEqual([
		'17',
		'17',
		'17',
		'17',
		'33',
	]);
	// Five cells of each of a5, a2 and a3; what is allowed is not shown.
	expect(numbersOf(/(rgba\(217,45,32,)/g)).toHaveLength(15);
	for (const row of ['a2 · Customer 118', 'a3'])
		expect(html).toMatch(new RegExp(`colspan="6"[^>]*>${row}</td>`));
	// The scores 0 (twice allowed, once not decided), 0.4 and 0.9, as high as the three of them.
	const columns = html.split('<td valign="bottom"').slice(1);
	const heights = columns.map((column) => column.match(/(?<=height:)\d+(?=px;back)/g)?.join());
	expect(columns).toHaveLength(20);
	expect(Object.entries(heights).filter(([, some]) => some)).toEqual([
		['0', '16,32'],
		['8', '16'],
		['18', '16'],
	]);
});

test.each([
	[0, '0.00', 'there is nothing'],
	[0.004, '&#60;0.01', 'there is something'],
	[1e-9, '&#60;0.01', 'there is something'],
	[0.005, '0.01', 'two decimals show it'],
	[0.004999999, '&#60;0.01', 'it is below that'],
])('the heat map shows %d as %s, because %s', (sanctions, shown, _because) => {
	const risk = { level: 'red', score: 0.5, categories: { sanctions } };
	const { html } = digest([report('a1', 'red', 0.5, { risk })]).alert;
	const cells = [...html.matchAll(/<td[^>]*rgba\(217,45,32[^>]*>(.*?)<\/td>/g)];
	expect(cells.map(([, content]) => content)).toEqual([shown]);
});

test('an all-clear is green everywhere in a digest, also without a decision', () => {
	for (const one of [fine, report('b1')]) {
		const { html } = digest([one]).alert;
		expect(look(one)).toBe('good');
		expect(html).not.toMatch(/#dc6803/);
		expect(html).toContain('border-left:4px solid #079455');
	}
});

test('nothing in a digest is green that is no all-clear', () => {
	const doubtful = { verification: { valid: false, findings: [] } };
	const isGreen = (...some: Item[]) => digest(some).alert.html.includes('#079455');
	expect(isGreen(fine, fine)).toBe(true);
	for (const one of [decided(report('b1', 'red'), 'allow'), { ...fine, ...doubtful }]) {
		expect(isGreen(one)).toBe(false);
		// The row of the other item is green, and the part that stands for both of them is not.
		const { html } = digest([fine, one]).alert;
		expect(html).toMatch(/<b style="color:#dc6803">&#9632;<\/b>&nbsp;2 allow/);
		expect(html.match(/border-left:4px solid #079455/g)).toHaveLength(1);
	}
});

test('the heat map has the highest risk categories of all wallets, and a wallet once', () => {
	const columnsOf = (...some: unknown[]) => {
		const reports = some.map((categories, index) =>
			report(`a${index}`, 'red', 1 - index / 10, {
				risk: { level: 'red', score: 1 - index / 10, categories },
			}),
		);
		const [, head = ''] = /Scores of the worst wallets.*?<tr>(.*?)<\/tr>/s.exec(
			digest(reports).alert.html,
		) ?? [''];
		return [...head.matchAll(/<b>(.*?)<\/b>/g)].map(([, name]) => name);
	};
	const usual = { sanctions: 0, darknet: 0.1, mixer: 0.2, scam: 0, stolen: 0, clean_exchange: 2 };
	const highest = ['ransomware', 'mixer', 'darknet'];
	const rest = ['sanctions', 'scam', 'stolen', 'score'];
	const seven = { ...usual, gambling: 0, ransomware: 0.987 };
	expect(columnsOf(seven)).toEqual([...highest, ...rest]);
	expect(columnsOf(undefined, usual, seven)).toEqual([...highest, ...rest]);
	expect(columnsOf({ mixer: 'high' })).toEqual(['score']);
	const spellings = [account, otherSpelling].map((address, index) =>
		report(address, 'red', 0.9, { chain: ['ETH', 'XDC'][index] }),
	);
	expect(digest(spellings).alert.html.match(/colspan="6"/g)).toHaveLength(1);
});

describe('what failed after a block or a sanctions hit', () => {
	const failureAfter = (outcome: string, mark: object) => ({
		error: 'The report arrived, but its PDF did not',
		address: 'a9',
		details: { ...decided(report('a9', 'red', 0.9), outcome, 'sanctions 0.9'), ...mark },
	});
	const later = { ...fine, address: 'a9' };

	it.each<[outcome: string, mark: object, title: string]>([
		['block', {}, '1 block, 1 allow'],
		['block', { sanctions: true }, '1 sanctions hit – 1 block, 1 allow'],
		['review', { sanctions: true }, '1 sanctions hit – 1 review, 1 allow'],
		['review', { sanctions: 'TRUE' }, '1 sanctions hit – 1 review, 1 allow'],
		['Block', {}, '1 block, 1 allow'],
	])('is listed with its error: %s %j', (outcome, mark, title) => {
		const failure = failureAfter(outcome, mark);
		const { alert } = digest([failure, later]);
		expect(alert.title).toBe(`${title}: Nightly`);
		expect(alert.text).toContain('The report arrived, but its PDF did not');
		expect(alert.text).toContain('sanctions 0.9');
		expect(look(failure)).toBe('bad');
	});

	it('is listed also beside an empty cell for details, which a table adds', () => {
		const stopped = decided(report('a9', 'red', 0.9), 'block', 'sanctions 0.9');
		const failure = { ...stopped, sanctions: true, error: 'Slack: not found', details: '' };
		expect(digest([failure, later]).alert.title).toBe(
			'1 sanctions hit – 1 block, 1 allow: Nightly',
		);
	});

	it('is not what failed after a lesser decision', () => {
		for (const outcome of ['review', 'allow'])
			expect(digest([failureAfter(outcome, {})]).counts).toMatchObject({ failed: 1, [outcome]: 0 });
	});
});

test('a failure after the screening is not called one without a screening, so that the address is not screened again', () => {
	const details = {
		...decided(report('a9', 'amber', 0.4), 'review', 'level is amber'),
		level: 'amber',
	};
	const later = { error: 'n8n could not store the PDF', address: 'a9', details };
	const before = { error: 'The service is unavailable', address: 'a8', details: {} };
	const { alert, counts } = digest([fine, later, before]);
	expect(counts).toEqual({
		block: 0,
		failed: 2,
		review: 0,
		undecided: 0,
		allow: 1,
		worse: 0,
		better: 0,
	});
	expect(alert.title).toBe('1 not screened, 1 failed after screening, 1 allow: Nightly');
	expect(alert.text).toContain(
		`Not screened (1)
- a8
  Error: The service is unavailable

Failed after screening (1)
- a9
  Error: n8n could not store the PDF
  Decision: Review: level is amber

Allow (1)`,
	);
	expect(look(later)).toBe('bad');
	// A report on the same address makes either one obsolete.
	const screened = { ...fine, address: 'a9' };
	expect(digest([later, screened]).counts).toMatchObject({ failed: 0, allow: 1 });
});

const account = `0x${'ab'.repeat(20)}`;
const otherSpelling = `xdc${'AB'.repeat(20)}`;

test('a failure counts no more once the same address with the same reference has a report', () => {
	const of = (more: object) => ({ address: account, reference: 'P-1', ...more }) as Item;
	const failed = of({ error: 'Timed out', details: {} });
	const screened = of(fine);
	expect(digest([failed, screened]).alert.text).toContain(
		'Items: 1\nFailed before: 1, and screened later\n',
	);
	const counts = (...some: Item[]) => digest(some).counts.failed;
	for (const same of [{ address: account.toUpperCase() }, { chain: 'eth' }])
		expect(counts({ ...failed, ...same }, screened)).toBe(0);
	const others = [{ address: `1${account.slice(1)}` }, { chain: 'BSC' }, { reference: 'P-2' }];
	// The spelling of XDC names its chain, and the report is on another one.
	for (const other of [...others, { address: otherSpelling }])
		expect(counts({ ...failed, ...other }, screened)).toBe(1);
	// The node names the chain that was asked for among the details.
	expect(counts({ ...failed, details: { chain: 'BSC' } }, screened)).toBe(1);
	expect(counts({ ...failed, details: { chain: 'eth' } }, screened)).toBe(0);
	// The last item about a matter holds.
	expect(counts(screened, failed)).toBe(1);
	expect(counts({ error: 'x' }, { ...fine, address: '' })).toBe(1);
});

test('customers of one account, whom a tag tells apart, are different subjects', () => {
	const exchange = 'r9cZA1mLK5R5Am25ArfXFmqgNwjZgnfk59';
	const customer = (tag: number | false) => classicAddressToXAddress(exchange, tag, false);
	for (const chain of [{}, { chain: 'XRP' }]) {
		const failed = (address: string): Item => ({ error: 'x', address, details: {}, ...chain });
		const screened = (address: string): Item => ({
			...decided(report(exchange, 'green', 0, { chain: 'XRP' }), 'allow'),
			address,
			...chain,
		});
		const failures = (before: string, after: string) =>
			digest([failed(before), screened(after)]).counts.failed;
		expect(failures(exchange, customer(7))).toBe(1);
		expect(failures(customer(7), exchange)).toBe(1);
		expect(failures(customer(7), customer(8))).toBe(1);
		expect(failures(customer(7), customer(7))).toBe(0);
		expect(failures(exchange, customer(false))).toBe(0);
		const spellings = [exchange, customer(7), customer(8), customer(false)];
		expect(listed(spellings.map(screened))).toHaveLength(3);
	}
});

test('items with the same address, reference and chain are listed once, as their worst, and counted each time', () => {
	const of = (score: number, more: object = {}) => ({
		...decided(report(account, 'amber', score), 'review'),
		address: account,
		reference: 'P-1',
		chain: 'ETH',
		...more,
	});
	const same = [of(0.1), of(0.3, { address: otherSpelling }), of(0.2)];
	const { alert, counts } = digest(same);
	expect(counts.review).toBe(3);
	expect(alert.text).toContain('Results: 3, this is the worst\n');
	for (const text of [alert.text, alert.html, JSON.stringify(alert.slackBlocks)]) {
		expect(text).toMatch(/score 0\.3.* 3, this is the worst/s);
		for (const hidden of ['score 0.1', 'score 0.2', 'not listed'])
			expect(text).not.toContain(hidden);
	}
	// The one row covers three equal items, so two are left.
	const others = [{ reference: 'P-2' }, { chain: 'BSC' }].map((more) => of(0, more));
	expect(digest([...same, ...others], 1).alert.text).toContain('… and 2 more items');
	// A failed verification is no lesser evil.
	for (const other of [{ verification: { valid: false } }, { address: '' }])
		expect(listed([...same, of(0, other), of(0, { address: '' })])).toHaveLength(3);
});
