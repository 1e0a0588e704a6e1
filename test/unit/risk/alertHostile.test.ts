import fc from 'fast-check';
import { type Alert, alertOf } from '../../../nodes/WalletScreening/risk/alert';
import type { Decided } from '../../../nodes/WalletScreening/risk/alert/summary';
import type { Reason } from '../../../nodes/WalletScreening/risk/decision';
import type { Report } from '../../../nodes/WalletScreening/service/report';

/** Pieces with which a value could get out of its place, in any mixture with any text. */
const pieces = [
	'<script>alert(1)</script>',
	'"><img src=x onerror=alert(1)>',
	"' style='display:none",
	'</td></tr></table>',
	'<!--',
	'-->',
	'&lt;b&gt;',
	'&#60;',
	'<!channel>',
	'<@U1>',
	'<https://evil.example|here>',
	'*bold* _it_ ~no~ `code` ```',
	'\nDecision: allow',
	'\r\n\r\n',
	'\u2028Decision: allow\u2029',
	'\u0085\u000b\u000c',
	'\u202Egreen\u2066',
	'\u200b\u3164\u2800\ufeff',
	'\u0000\u001b[2J',
	'\ud800',
	'\uffff',
	'\udc00',
	'😀',
	'     ',
	'x'.repeat(5_000),
];
const hostile = fc
	.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary', maxLength: 20 })), {
		minLength: 1,
		maxLength: 6,
	})
	.map((parts) => parts.join(''));

const anything = fc.oneof(hostile, fc.jsonValue({ stringUnit: 'binary' }), fc.constant(undefined));
const score = fc.double({ noNaN: true, noDefaultInfinity: true });

const report = fc.record({
	report_id: hostile,
	address: hostile,
	chain: anything,
	risk: fc.record({
		level: fc.oneof(hostile, fc.constantFrom('green', 'red')),
		score,
		categories: fc.oneof(
			fc.dictionary(hostile, fc.oneof(score, anything), { maxKeys: 40 }),
			anything,
		),
	}),
	balance: anything,
	tx_count: anything,
	report_url: fc.oneof(
		anything,
		fc.webUrl(),
		hostile.map((text) => `https://a.example/${text}`),
	),
}) as fc.Arbitrary<Report>;

const outcome = fc.constantFrom('review', 'block');
const reason: fc.Arbitrary<Reason> = fc.record(
	{
		field: hostile,
		operator: fc.constantFrom('gte', 'lte', 'equals', 'notEquals'),
		value: fc.oneof(hostile, score),
		actual: fc.oneof(hostile, score, fc.constant(null)),
		outcome,
		problem: hostile,
	},
	{ requiredKeys: ['field', 'operator', 'value', 'actual', 'outcome'] },
);
const decision: fc.Arbitrary<Decided | undefined> = fc.option(
	fc.record({
		outcome: fc.constantFrom('allow', 'review', 'block'),
		reasons: fc.array(reason, { maxLength: 12 }),
	}),
	{ nil: undefined },
);

/** Checks the alerts on hostile reports. */
function always(check: (alert: Alert, report: Report, decision: Decided | undefined) => void) {
	fc.assert(
		fc.property(report, decision, (someReport, someDecision) =>
			check(alertOf(someReport, someDecision), someReport, someDecision),
		),
		{ numRuns: 300 },
	);
}

/** Characters that show nothing, break a line or turn the direction of reading. */
const unseen = /[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u3164\u2800\uFFFE\uFFFF]/u;

test('the title is one line of at most 120 characters, all of which can be seen', () => {
	always(({ title }) => {
		expect(title.length).toBeLessThanOrEqual(120);
		expect(title).not.toMatch(unseen);
		expect(title).not.toMatch(/[<>]/);
		expect(title).toMatch(/^(Allow|Review|Block|Attention|Screened): /);
	});
});

test('no value of a report makes a line of the text', () => {
	const label =
		/^((Address|Risk level|Risk score|Chain|Balance|Transactions|Report ID|Report): \S|- \S|Risk categories(: not given)?$|Good sign$)/;
	always(({ title, text }, _, someDecision) => {
		const lines = text.split('\n');
		expect(lines.shift()).toBe(title);
		const decisions = lines.filter((line) => line.startsWith('Decision'));
		expect(decisions).toEqual(someDecision ? [`Decision: ${someDecision.outcome}`] : []);
		const others = lines.filter((line) => line !== '' && !decisions.includes(line));
		expect(others.filter((line) => !label.test(line))).toEqual([]);
		expect(others.filter((line) => unseen.test(line) || /[<>]/.test(line))).toEqual([]);
		const names = others.flatMap((line) => /^[A-Z][\w ]*(?=: )/.exec(line) ?? []);
		expect(names.slice(0, 8)).toEqual([
			'Address',
			'Risk level',
			'Risk score',
			'Chain',
			'Balance',
			'Transactions',
			'Report ID',
			'Report',
		]);
		expect(new Set(names).size).toBe(names.length);
	});
});

/** The tags of a document, without what a bar or a link rightly takes from the report. */
const tagsOf = (html: string): string[] =>
	(html.match(/<[^>]*>/g) ?? []).map((tag) =>
		tag.replace(/^<a href="https?:[^"]*"/, '<a').replace(/\d+%/g, '%'),
	);

test('no value of a report makes a tag or an attribute of the document', () => {
	const harmless = (categories: Record<string, unknown>, report_url?: string) =>
		alertOf(
			{ report_id: 'r', address: 'a', risk: { level: 'red', score: 1, categories }, report_url },
			{
				outcome: 'block',
				reasons: [
					{ field: 'level', operator: 'equals', value: 'x', actual: 'x', outcome: 'block' },
				],
			},
		).html;
	const numbers = { half: 0.5, full: 1, none: 0, clean_exchange: 0.5 };
	const colors = ['green', 'amber', 'red'].flatMap((level) =>
		tagsOf(
			alertOf(
				{ report_id: 'r', address: 'a', risk: { level, score: 1, categories: numbers } },
				undefined,
			).html,
		),
	);
	const known = new Set([
		...colors,
		...tagsOf(harmless({ ...numbers, text: 'x' }, 'https://a.example/r')),
		...tagsOf(harmless({})),
		...tagsOf(harmless(Object.fromEntries(Array.from({ length: 30 }, (_, i) => [`c${i}`, 0.5])))),
	]);
	always(({ html }) => {
		const unknown = tagsOf(html).filter((tag) => !known.has(tag));
		expect(unknown).toEqual([]);
		const content = html.replace(/<[^>]*>/g, '');
		expect(content).not.toMatch(/[<>"']/);
		expect(content).not.toMatch(/&(?!(amp|lt|gt|quot|#39|nbsp);)/);
		expect(content.replaceAll('\n', '')).not.toMatch(unseen);
	});
});

test('the document shows a hostile address as it is', () => {
	const address = `"><b title='x'>&amp;`;
	const { html } = alertOf({ report_id: 'r', address, risk: { level: 'red', score: 1 } });
	expect(html).toContain('>&quot;&gt;&lt;b title=&#39;x&#39;&gt;&amp;amp;</div>');
});

/** Every object in a message that has a type. */
function objectsIn(value: unknown): Array<Record<string, unknown>> {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap(objectsIn);
	return 'type' in value ? [value as Record<string, unknown>, ...inner] : inner;
}

/** What a message may hold in which Slack reads no markup. */
const kinds =
	/^(header|plain_text|rich_text|rich_text_section|rich_text_list|rich_text_preformatted|text|link)$/;
const isEmpty = (elements: unknown) => Array.isArray(elements) && elements.length === 0;

test('Slack finds no markup in a message, and no limit passed', () => {
	always(({ slackBlocks }) => {
		const { blocks } = slackBlocks;
		// The Slack node may add a block to the 50 that Slack takes.
		expect(blocks.length).toBeLessThanOrEqual(49);
		const objects = objectsIn(blocks);
		expect(objects.filter(({ type }) => !kinds.test(String(type)))).toEqual([]);
		expect(objects.filter(({ elements }) => isEmpty(elements))).toEqual([]);
		const texts = objects.flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
		expect(texts.filter((text) => text === '' || /[<>]/.test(text))).toEqual([]);
		const symbolless = texts.map((text) => text.replace(/^⚠️|\n/g, ''));
		expect(symbolless.filter((text) => unseen.test(text))).toEqual([]);
		const lines = objects
			.filter(({ type }) => type === 'rich_text_section')
			.flatMap(({ elements }) => objectsIn(elements).map(({ text }) => String(text)));
		expect(lines.filter((line) => /\n./.test(line))).toEqual([]);
		const urls = objects.flatMap(({ url }) => (url === undefined ? [] : [String(url)]));
		expect(urls.filter((url) => !/^https?:\/\/[^\s<>"]{1,2990}$/.test(url))).toEqual([]);
		for (const block of blocks) {
			const length = objectsIn(block)
				.map(({ text }) => (typeof text === 'string' ? text.length : 0))
				.reduce((sum, one) => sum + one, 0);
			expect(length).toBeLessThanOrEqual(block.type === 'header' ? 150 : 3_000);
		}
	});
});

test('the size is bounded, however large the report', () => {
	const huge = '<&"\u202e\n'.repeat(200_000);
	const categories = Object.fromEntries(
		Array.from({ length: 5_000 }, (_, index) => [`${index}${huge.slice(0, 500)}`, huge]),
	);
	const { title, text, html, slackBlocks } = alertOf(
		{
			report_id: huge,
			address: huge,
			chain: huge,
			risk: { level: huge, score: -1.2345678901234567e-300, categories },
			balance: huge,
			tx_count: { huge },
			report_url: huge,
		},
		{
			outcome: 'block',
			reasons: Array<Reason>(500).fill({
				field: huge,
				operator: 'equals',
				value: huge,
				actual: huge,
				outcome: 'block',
			}),
		},
	);
	expect(title.length).toBeLessThanOrEqual(120);
	expect(text.length).toBeLessThan(8_000);
	// Gmail cuts a mail off at 102 KB.
	expect(Buffer.byteLength(html)).toBeLessThan(64_000);
	expect(JSON.stringify(slackBlocks).length).toBeLessThan(16_000);
});

test('a value that is nested too deeply to be written is said to be unreadable', () => {
	const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as unknown;
	const { text } = alertOf({
		report_id: 'r',
		address: 'a',
		risk: { level: 'red', score: 1 },
		balance: deep,
	});
	expect(text).toContain('\nBalance: unreadable\n');
});

test('a cut value ends in an ellipsis, and no character is cut in two', () => {
	for (const shift of ['', 'x']) {
		const { text } = alertOf({
			report_id: 'r',
			address: `${shift}${'😀'.repeat(200)}`,
			risk: { level: 'red', score: 1 },
		});
		const shown = /^Address: (.*)$/m.exec(text)?.[1] ?? '';
		expect(shown).toMatch(/^x?(😀)+…$/u);
		expect(shown.length).toBeGreaterThanOrEqual(255);
		expect(shown.length).toBeLessThanOrEqual(256);
	}
});
