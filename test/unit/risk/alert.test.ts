import { alertOf } from '../../../nodes/WalletScreening/risk/alert';
import type { Decided } from '../../../nodes/WalletScreening/risk/alert/summary';
import type { Reason } from '../../../nodes/WalletScreening/risk/decision';
import type { Report } from '../../../nodes/WalletScreening/service/report';
import { reportBody } from '../support/answers';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const categories = reportBody().risk.categories;
const reportUrl = 'https://app.example.com/reports/rep_1';

const withRisk = (risk: Record<string, unknown>): Report =>
	reportBody({ risk: { level: 'red', score: 0.98, ...risk } }) as Report;
const decided = (outcome: Decided['outcome'], reasons: Reason[] = []): Decided => ({
	outcome,
	reasons,
});
const notGreen: Reason = {
	field: 'level',
	operator: 'notEquals',
	value: 'green',
	actual: 'red',
	outcome: 'review',
};
const sanctioned: Reason = {
	field: 'sanctions',
	operator: 'gte',
	value: 0.5,
	actual: 0.95,
	outcome: 'block',
};

/** The rows of the text under a heading. */
const listIn = (text: string, heading: string): string[] =>
	(text.split('\n\n').find((paragraph) => paragraph.startsWith(heading)) ?? '')
		.split('\n')
		.slice(1);

/** What a person reads in a document. */
const readable = (html: string): string =>
	html
		.replace(/<title>.*?<\/title>|<!--.*?-->|<[^>]*>/gs, ' ')
		.replaceAll('&nbsp;', ' ')
		.replaceAll('&#39;', "'")
		.replace(/\s+/g, ' ')
		.trim();

/** Every text that Slack shows. */
const slackTexts = (value: unknown): string[] => {
	if (Array.isArray(value)) return value.flatMap(slackTexts);
	if (typeof value !== 'object' || value === null) return [];
	return Object.entries(value).flatMap(([key, child]) =>
		key === 'text' && typeof child === 'string' ? [child] : slackTexts(child),
	);
};

describe('the title', () => {
	it.each([
		['block', 'red', 0.98, 'Block: ETH wallet 0xd8dA6B…A96045 is red (score 0.98)'],
		['review', 'amber', 0.5, 'Review: ETH wallet 0xd8dA6B…A96045 is amber (score 0.5)'],
		['allow', 'green', 0, 'Allow: ETH wallet 0xd8dA6B…A96045 is green (score 0)'],
		[undefined, 'amber', 71, 'Attention: ETH wallet 0xd8dA6B…A96045 is amber (score 71)'],
		[undefined, 'Green', 0.02, 'Screened: ETH wallet 0xd8dA6B…A96045 is Green (score 0.02)'],
	] as const)('of %s for %s', (outcome, level, score, title) => {
		const decision = outcome && decided(outcome);
		expect(alertOf(withRisk({ level, score }), decision).title).toBe(title);
	});

	it('shows a short address whole, and does without a chain', () => {
		const report = { report_id: 'r', address: '0xabc', risk: { level: 'red', score: 1 } };
		expect(alertOf(report).title).toBe('Attention: wallet 0xabc is red (score 1)');
	});
});

test('the text names every field, the categories and the reasons', () => {
	const risk = { categories: { ...categories, sanctions: 0.95, mixer: 0.3, clean_exchange: 1.4 } };
	expect(alertOf(withRisk(risk), decided('block', [notGreen, sanctioned])).text).toBe(
		`Block: ETH wallet 0xd8dA6B…A96045 is red (score 0.98)

Decision: block
- sanctions is 0.95 (0.5 or more means block)
- level is red (anything but green means review)

Address: ${address}
Risk level: red
Risk score: 0.98
Chain: ETH
Balance: 12.5 ETH
Transactions: 42
Report ID: rep_1
Report: ${reportUrl}

Risk categories
- Sanctions: 0.95
- Mixer: 0.3
- Darknet: 0.01
- Scam: 0
- Stolen: 0

Good sign
- Clean exchange: 1.4`,
	);
});

test('white space does not push a value out of sight', () => {
	const { text } = alertOf(reportBody({ balance: ` 1${' '.repeat(80)}ETH\u00a0\u3000x ` }));
	expect(text).toContain('\nBalance: 1 ETH x\n');
});

test('what a report lacks is said to be lacking', () => {
	const report = { report_id: 'r', address: '0xabc', risk: { level: 'red', score: 1 } };
	const { text, html, slackBlocks } = alertOf({ ...report, balance: null, tx_count: '' });
	for (const label of ['Chain', 'Balance', 'Transactions', 'Report', 'Risk categories']) {
		expect(text).toContain(`\n${label}: not given`);
	}
	expect(text).not.toContain('Good sign');
	expect(readable(html)).toContain('Risk categories not given');
	expect(readable(html)).toContain('Balance not given Transactions not given');
	expect(slackTexts(slackBlocks)).toContain('Risk categories: not given');
});

test.each([
	['a text', 'high', 'Categories: high'],
	['a list', [0.5], 'Categories: [0.5]'],
	['a number', 7, 'Categories: 7'],
])('%s in the place of the categories is shown as it is', (_, value, line) => {
	const alert = alertOf(withRisk({ categories: value }));
	expect(listIn(alert.text, 'Risk categories')).toEqual([`- ${line}`]);
});

describe('categories', () => {
	it('come with the highest first, and before them what is not a number', () => {
		const mixed = { a: 0.2, b: null, c: 'high', d: -3, e: 40, f: { deep: [1] }, g: Number.NaN };
		const { text } = alertOf(withRisk({ categories: mixed }));
		expect(listIn(text, 'Risk categories')).toEqual([
			'- C: high',
			'- F: {"deep":[1]}',
			'- G: NaN',
			'- E: 40',
			'- A: 0.2',
			'- D: -3',
			'- B: not given',
		]);
	});

	const widthsIn = (html: string) =>
		[...html.matchAll(/<td width="(\d+)%" bgcolor="(#\w+)"/g)].map(([, width, color]) => [
			Number(width),
			color,
		]);

	it('have bars that end where the row does, and a good sign is not red', () => {
		const risk = { categories: { a: 40, b: 0.5, c: 0.0001, d: 0, e: -3, clean_exchange: 1.4 } };
		const { html, slackBlocks } = alertOf(withRisk(risk));
		const bars = widthsIn(html);
		expect(bars.map(([width]) => width)).toEqual([100, 50, 2, 100]);
		expect(new Set(bars.slice(0, 3).map(([, color]) => color)).size).toBe(1);
		expect(bars[3]?.[1]).not.toBe(bars[0]?.[1]);
		const rows = slackTexts(slackBlocks).flatMap((text) => text.split('\n'));
		expect(rows).toEqual(
			expect.arrayContaining([
				'A                ██████████ 40',
				'B                █████░░░░░ 0.5',
				'C                █░░░░░░░░░ 0.0001',
				'D                ░░░░░░░░░░ 0',
				'E                ░░░░░░░░░░ -3',
				'Clean exchange   ██████████ 1.4',
			]),
		);
	});

	it('with a long name keep their bars in line in Slack', () => {
		const { slackBlocks } = alertOf(
			withRisk({ categories: { ransomware_proceeds: 0.5, scam: 0 } }),
		);
		expect(slackTexts(slackBlocks)).toContain(
			'Ransomware proc… █████░░░░░ 0.5\nScam             ░░░░░░░░░░ 0',
		);
	});

	it('beyond the 24 highest are counted, and the good sign stays', () => {
		const many = Object.fromEntries(
			Array.from({ length: 100 }, (_, index) => [`c${index}`, index / 100]),
		);
		const alert = alertOf(withRisk({ categories: { clean_exchange: 0.5, ...many } }));
		const rows = listIn(alert.text, 'Risk categories');
		expect(rows.slice(0, 1).concat(rows.slice(-2))).toEqual([
			'- C99: 0.99',
			'- C76: 0.76',
			'- … and 76 more in the report',
		]);
		expect(listIn(alert.text, 'Good sign')).toEqual(['- Clean exchange: 0.5']);
		expect(readable(alert.html)).toContain('C76 0.76 … and 76 more in the report Good sign');
		const shown = slackTexts(alert.slackBlocks).join('\n');
		expect(shown).toContain('… and 76 more in the report');
		expect(shown).toContain('Clean exchange');
	});
});

test.each([
	[0.1 + 0.2, '0.3'],
	[0.9800000001, '0.98'],
	[0.123456, '0.123456'],
	[2 / 3, '0.666667'],
	[1e-9, '1e-9'],
	[-0, '0'],
	[9007199254740991, '9007199254740991'],
	[12345678.25, '12345678.25'],
])('the number %d is shown as %s', (score, shown) => {
	expect(alertOf(withRisk({ score })).text).toContain(`\nRisk score: ${shown}\n`);
});

describe('reasons', () => {
	const reasonsIn = (...reasons: Reason[]) =>
		listIn(alertOf(withRisk({}), decided('review', reasons)).text, 'Decision');

	it('say what the rule asks and what the report says', () => {
		const reason = { field: 'mixer', actual: 0.3, value: 0.2, outcome: 'review' } as const;
		expect(
			reasonsIn(
				{ ...reason, operator: 'gte' },
				{ ...reason, operator: 'lte', value: 0.4 },
				{ ...reason, operator: 'equals', value: 0.3 },
				{ ...reason, operator: 'notEquals', actual: null },
				{ ...reason, operator: 'gte', actual: null, problem: "The report has no 'mixer'" },
			),
		).toEqual([
			'- mixer is 0.3 (0.2 or more means review)',
			'- mixer is 0.3 (0.4 or less means review)',
			'- mixer is 0.3 (0.3 means review)',
			'- mixer is not given (anything but 0.2 means review)',
			"- The report has no 'mixer', which means review",
		]);
	});

	it('to block come first, and those beyond the eighth are counted', () => {
		const shown = reasonsIn(...Array<Reason>(9).fill(notGreen), sanctioned);
		expect(shown).toHaveLength(9);
		expect(shown[0]).toBe('- sanctions is 0.95 (0.5 or more means block)');
		expect(shown[8]).toBe('- … and 2 more');
	});

	it('say that no rule applies if none does', () => {
		const { text, html } = alertOf(reportBody(), decided('allow'));
		expect(text).toContain('\n\nDecision: allow\n- No rule applies\n\n');
		expect(readable(html)).toContain('Decision: allow • No rule applies');
	});

	it('are not mentioned if nothing was decided', () => {
		const { text, html, slackBlocks } = alertOf(reportBody());
		expect(text + html + JSON.stringify(slackBlocks)).not.toContain('Decision');
	});
});

describe('an all-clear', () => {
	/** The first thing that is seen: colour of the banner, and symbol in Slack. */
	const look = (level: string, outcome?: Decided['outcome']) => {
		const { html, slackBlocks } = alertOf(withRisk({ level }), outcome && decided(outcome));
		const banner = /bgcolor="(#\w+)"/.exec(html)?.[1];
		return [banner, slackTexts(slackBlocks)[0]?.split(' ')[0]];
	};
	const [green, yellow, red] = [look('green'), look('yellow'), look('red')];

	it('looks like no warning', () => {
		expect(green).toEqual(['#067647', '✅']);
		expect(yellow).toEqual(['#b54708', '⚠️']);
		expect(red).toEqual(['#b42318', '⛔']);
	});

	it.each(['amber', 'Severe', 'light green', 'greenish', 'grееn', 'green.', '0', 'low', ' '])(
		'is not made of the level %j',
		(level) => {
			expect(look(level)).toEqual(yellow);
			expect(look(level, 'allow')).toEqual(yellow);
		},
	);

	it.each(['green', 'GREEN', 'Green'])('is made of %s', (level) => {
		expect(look(level)).toEqual(green);
		expect(look(level, 'allow')).toEqual(green);
	});

	it('gives way to the decision', () => {
		expect(look('green', 'review')).toEqual(yellow);
		expect(look('green', 'block')).toEqual(red);
		expect(look('red', 'allow')).toEqual(yellow);
	});
});

describe('the link to the report', () => {
	const linksIn = (report_url: unknown) => {
		const alert = alertOf(reportBody({ report_url }));
		return [
			[...alert.html.matchAll(/<a\s[^>]*href="([^"]*)"/g)].map(([, url]) => url),
			JSON.stringify(alert.slackBlocks).match(/"type":"link","url":"[^"]*"/g) ?? [],
		];
	};

	it('is a link of the web', () => {
		expect(linksIn(`${reportUrl}?a=1&b="'<>`)).toEqual([
			[`${reportUrl}?a=1&amp;b=%22%27%3C%3E`],
			[`"type":"link","url":"${reportUrl}?a=1&b=%22%27%3C%3E"`],
		]);
		expect(linksIn('http://localhost:3000/r')).toEqual([
			['http://localhost:3000/r'],
			['"type":"link","url":"http://localhost:3000/r"'],
		]);
	});

	it.each([
		'javascript:alert(1)',
		' JaVaScRiPt:alert(1)',
		'java\nscript:alert(1)',
		'data:text/html,x',
		'vbscript:x',
		'file:///etc/passwd',
		'//example.com/r',
		'/reports/1',
		'app.example.com/reports/1',
		'https://app.example.com@evil.example/r',
		'https://user:secret@app.example.com/r',
		`https://app.example.com/${'x'.repeat(3_000)}`,
		`https://app.example.com/${'é'.repeat(500)}`,
		'https://',
	])('is text if it is %j', (url) => {
		expect(linksIn(url)).toEqual([[], []]);
		const { text, html, slackBlocks } = alertOf(reportBody({ report_url: url }));
		const shown = url.trim().replace('\n', '\uFFFD').slice(0, 200);
		expect(text).toContain(`\nReport: ${shown}`);
		expect(readable(html)).toContain(`Report link ${shown}`);
		expect(slackTexts(slackBlocks).at(-1)).toContain(shown);
	});

	it.each([7, {}, null, undefined, ['https://app.example.com']])(
		'is left out if it is %j',
		(url) => {
			expect(linksIn(url)).toEqual([[], []]);
		},
	);
});

test('the Slack node is given an object with blocks, of kinds that messages may hold', () => {
	const { blocks } = alertOf(withRisk({ categories }), decided('block', [sanctioned])).slackBlocks;
	expect(blocks.map(({ type }) => type)).toEqual([
		'header',
		'rich_text',
		'rich_text',
		'rich_text',
		'rich_text',
	]);
	expect(blocks[0]).toEqual({
		type: 'header',
		text: {
			type: 'plain_text',
			text: '⛔ Block: ETH wallet 0xd8dA6B…A96045 is red (score 0.98)',
			emoji: false,
		},
	});
	expect(blocks[1]).toEqual({
		type: 'rich_text',
		elements: [
			{
				type: 'rich_text_section',
				elements: [{ type: 'text', text: address, style: { code: true } }],
			},
		],
	});
});

test('the document says all that the text says', () => {
	const alert = alertOf(withRisk({ categories }), decided('block', [sanctioned]));
	expect(readable(alert.html)).toBe(
		`Block ETH wallet is red, score 0.98 ${address} ` +
			'Decision: block • sanctions is 0.95 (0.5 or more means block) ' +
			'Risk categories Mixer 0.03 Darknet 0.01 Sanctions 0 Scam 0 Stolen 0 ' +
			'Good sign Clean exchange 1.4 ' +
			'Details Risk level red Risk score 0.98 Chain ETH Balance 12.5 ETH Transactions 42 ' +
			`Report ID rep_1 Open the report ${reportUrl}`,
	);
});

test('the report is not changed', () => {
	const report = withRisk({ categories: { a: 0, b: 1 } });
	const before = structuredClone(report);
	alertOf(report, decided('block', [notGreen, sanctioned]));
	expect(report).toEqual(before);
});

describe('a whole alert', () => {
	const risk = { categories: { sanctions: 0.52, darknet: 0, note: 'high', clean_exchange: 1.4 } };
	const whole = alertOf(withRisk(risk), decided('block', [sanctioned, notGreen]));
	const bare = alertOf({ ...withRisk({ categories: {} }), chain: '', report_url: undefined });

	const part = (type: string, elements: object[]) => ({ type, elements });
	const section = (...elements: object[]) => part('rich_text_section', elements);
	const text = (value: string) => ({ type: 'text', text: value });
	const bold = (value: string) => ({ ...text(value), style: { bold: true } });

	it('for Slack consists of these blocks', () => {
		expect(whole.slackBlocks.blocks).toEqual([
			{
				type: 'header',
				text: {
					type: 'plain_text',
					text: '⛔ Block: ETH wallet 0xd8dA6B…A96045 is red (score 0.98)',
					emoji: false,
				},
			},
			part('rich_text', [section({ ...text(address), style: { code: true } })]),
			part('rich_text', [
				section(bold('Decision: block')),
				{
					type: 'rich_text_list',
					style: 'bullet',
					elements: [
						section(text('sanctions is 0.95 (0.5 or more means block)')),
						section(text('level is red (anything but green means review)')),
					],
				},
			]),
			part('rich_text', [
				section(bold('Risk categories')),
				part('rich_text_preformatted', [
					text(
						[
							'Note             high',
							'Sanctions        █████░░░░░ 0.52',
							'Darknet          ░░░░░░░░░░ 0',
						].join('\n'),
					),
				]),
				section(bold('Good sign')),
				part('rich_text_preformatted', [text('Clean exchange   ██████████ 1.4')]),
			]),
			part('rich_text', [
				section(
					...[bold('Risk level '), text('red\n'), bold('Risk score '), text('0.98\n')],
					...[bold('Chain '), text('ETH\n'), bold('Balance '), text('12.5 ETH\n')],
					...[bold('Transactions '), text('42\n'), bold('Report ID '), text('rep_1\n')],
					{ type: 'link', url: reportUrl, text: 'Open the report', style: { bold: true } },
				),
			]),
		]);
	});

	it('for Slack leaves out what there is nothing to say about', () => {
		const { blocks } = bare.slackBlocks;
		expect(blocks).toHaveLength(4);
		expect(blocks.slice(2)).toEqual([
			part('rich_text', [section(bold('Risk categories: not given'))]),
			part('rich_text', [
				section(
					...[bold('Risk level '), text('red\n'), bold('Risk score '), text('0.98\n')],
					...[bold('Chain '), text('not given\n'), bold('Balance '), text('12.5 ETH\n')],
					...[bold('Transactions '), text('42\n'), bold('Report ID '), text('rep_1\n')],
					...[bold('Report '), text('not given')],
				),
			]),
		]);
	});

	it('as text leaves it out too, without gaps', () => {
		expect(bare.text.split('\n\n').map((paragraph) => paragraph.split('\n')[0])).toEqual([
			bare.title,
			`Address: ${address}`,
			'Risk categories: not given',
		]);
		expect(bare.text).toMatch(/Risk categories: not given$/);
	});

	it('in a document reads from top to bottom', () => {
		expect(readable(whole.html)).toBe(
			[
				`Block ETH wallet is red, score 0.98 ${address}`,
				'Decision: block • sanctions is 0.95 (0.5 or more means block)',
				'• level is red (anything but green means review)',
				'Risk categories Note high Sanctions 0.52 Darknet 0 Good sign Clean exchange 1.4',
				'Details Risk level red Risk score 0.98 Chain ETH Balance 12.5 ETH Transactions 42',
				`Report ID rep_1 Open the report ${reportUrl}`,
			].join(' '),
		);
	});

	it('in a document leaves out what there is nothing to say about', () => {
		expect(readable(bare.html)).toBe(
			[
				`Attention Wallet is red, score 0.98 ${address} Risk categories not given`,
				'Details Risk level red Risk score 0.98 Chain not given Balance 12.5 ETH Transactions 42',
				'Report ID rep_1 Report link not given',
			].join(' '),
		);
	});
});

describe('a value', () => {
	const levelIn = (level: string) =>
		/Risk level: (.*)/.exec(alertOf(withRisk({ level })).text)?.[1];

	it('that is cut off is seen to be cut off, also after white space without end', () => {
		expect(levelIn('x'.repeat(64))).toBe('x'.repeat(64));
		expect(levelIn('x'.repeat(65))).toBe(`${'x'.repeat(63)}…`);
		expect(levelIn(`green${' '.repeat(1000)}not`)).toBe('green…');
	});

	it('is not cut within a character', () => {
		expect(levelIn(`😀${'x'.repeat(61)}😀😀`)).toBe(`😀${'x'.repeat(61)}…`);
	});

	it('keeps what would be markup in sight', () => {
		expect(levelIn('<b>')).toBe('‹b›');
		expect(alertOf(withRisk({ level: '<b>' })).title).toContain(' is ‹b› ');
	});

	it('is written in a document with the entities of HTML', () => {
		const { html } = alertOf(withRisk({ level: `&<>"'` }));
		expect(html).toContain('>&amp;&lt;&gt;&quot;&#39;<');
	});

	it.each([
		['high', []],
		[0, ['rest']],
		[0.52, ['filled', 'rest']],
		[1, ['filled']],
	])('of a category, %j, has a bar of these parts: %j', (value, parts) => {
		const { html } = alertOf(withRisk({ categories: { mixer: value } }));
		const bar = /<table [^>]*aria-hidden="true".*?<\/table>/.exec(html)?.[0] ?? '';
		const cells = [...bar.matchAll(/<td( width="\d+%")?/g)];
		expect(cells.map(([, width]) => (width ? 'filled' : 'rest'))).toEqual(parts);
	});

	it('is an address shown whole up to 16 characters', () => {
		const title = (length: number) =>
			alertOf({ ...withRisk({}), address: 'bc1'.padEnd(length, 'q') }).title;
		expect(title(16)).toContain(' bc1qqqqqqqqqqqqq ');
		expect(title(17)).toContain(' bc1qqqqq…qqqqqq ');
	});
});
