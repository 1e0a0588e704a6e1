import fc from 'fast-check';
import MarkdownIt from 'markdown-it';
import { createAlert, createFailureAlert } from '../../../nodes/WalletScreening/messages/alert';
import { createDigest } from '../../../nodes/WalletScreening/messages/digest';
import type { Alert } from '../../../nodes/WalletScreening/messages/render';
import { type AnyReport } from '../../../nodes/WalletScreening/answers/report';
import { allNodesIn, parsePage } from '../../support/browser/html';
import pieces from './hostile.json';
import { reportBody } from '../../support/unit/reports';

/** A text of megabytes, and a value that is nested too deeply to be written. */
const huge = '<&"@\u202e\n'.repeat(200_000);
const deep = JSON.parse('['.repeat(200_000) + ']'.repeat(200_000)) as unknown;
/** Pieces of text with which a value could get out of its place in one of the messages. */
const short = fc
	.array(fc.oneof(fc.constantFrom(...pieces), fc.string({ unit: 'binary' })), { minLength: 1 })
	.map((parts) => parts.slice(0, 6).join(''));
const hostile = fc.oneof({ arbitrary: short, weight: 9 }, fc.constantFrom(huge, '😀'.repeat(300)));
const odd = fc.constantFrom(undefined, deep, { huge });
const anything = fc.oneof(hostile, fc.jsonValue({ stringUnit: 'binary' }), odd);
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), anything);
const named = <T>(value: fc.Arbitrary<T>, ...names: string[]) =>
	Object.fromEntries(names.map((name) => [name, value]));
const urls = [fc.webUrl(), hostile.map((text) => `https://a.example/${text}`)];
const risk = fc.record({
	level: fc.oneof(hostile, fc.constantFrom('green', 'red')),
	score: number,
	categories: fc.oneof(fc.dictionary(hostile, number), anything),
});
const report = fc.record({
	...named(anything, 'report_id', 'chain', 'balance', 'tx_count'),
	address: hostile,
	risk,
	report_url: fc.oneof(anything, ...urls),
}) as fc.Arbitrary<AnyReport>;
const outcome = fc.constantFrom('allow', 'review', 'block');
const waived_by = fc.record(named(hostile, 'until', 'reason', 'approved_by'));
const operator = fc.constantFrom('gte', 'lte', 'equals', 'notEquals');
const compared = { field: hostile, operator, value: hostile, actual: hostile, outcome };
const reason = fc.record(
	{ ...compared, problem: hostile, waived_by },
	{ requiredKeys: Object.keys(compared) as never },
) as fc.Arbitrary<never>;
const policy = fc.record(named(anything, 'name', 'version'));
const about = fc.record({ reference: anything, policy, at: fc.constant(new Date()) });
const detail = ['address', 'description', 'level', 'summary', 'job_ids', 'errorClass'];
const details = fc.oneof(anything, fc.record(named(anything, ...detail), { requiredKeys: [] }));
const failure = fc.record({ error: anything, details });
const fields = fc.array(fc.record(named(anything, 'field', 'before', 'after')));
const change = fc.record({ kind: fc.constant('worse'), fields });
const item = fc.oneof(
	failure,
	fc.record({ report, outcome, change, ...named(anything, 'summary', 'reference') }),
);

const linkify = new MarkdownIt().linkify.set({ fuzzyIP: true });
/**
 * Characters that are invisible, break a line or turn the direction of reading, and texts that
 * become links.
 */
const isAlive = (text: string) =>
	/[\p{Cc}\p{Cf}\p{Cs}\u2028\u2029\u3164\u2800\uFFFE\uFFFF]/u.test(text) || linkify.test(text);
/** The possible beginnings of a line below the title. */
const ours =
	/^$|^((Address|Chain asked for|Reference|Date|Policy|Error|What to do|Decision|Error class|HTTP status|Report ID|Job ID|Items): \S|- \S|Risk categories$|Details$|Decision: (allow|review|block)$|(Block|Not screened|Failed after screening|Review|Not decided|Allow) \(\d+\)$| {2}(Reference|Results|Why|Decision|Error|Worse than before|Report): \S|… and \d+ more items? |If you expected)/;
const reportLink = /^(- |  )Report: https:\/\/\S+$/;

function expectDeadText({ title, text }: Alert) {
	expect(title.length).toBeLessThanOrEqual(120);
	// A sheet takes a cell that begins with one of = + - @ for a formula.
	expect(title).toMatch(
		/^(Allow|Review|Block|Attention|Screened|Failed|Not screened|Not decided|No items|\d+)\b/,
	);
	const [first, ...lines] = text.split('\n');
	expect(first).toBe(title);
	expect(lines.filter((line) => !ours.test(line))).toEqual([]);
	const values = [title, ...lines].filter((line) => !reportLink.test(line));
	expect(values.filter(isAlive)).toEqual([]);
	// Markup of Markdown and Slack, apart from that at the beginning of a line, and commands, tags,
	// mentions and emoji.
	expect(text).not.toMatch(/[_*`[\]<>~|\\]/);
	expect(values.join('\n')).not.toMatch(/(^|\s)\/\w|[@#$&][\w!]|:[\w+-]+:(?!\d)/);
}

/** A document as its elements, without what a value may rightly change, its texts and its links. */
function outlineOf(html: string) {
	const nodes = allNodesIn(parsePage(html));
	const attributes = nodes.flatMap(({ attrs = [] }) => attrs);
	const tags = nodes.map(({ nodeName, data, attrs = [] }) => {
		const own = attrs.map(({ name, value }) => `${name}=${name === 'href' ? '' : value}`);
		return [nodeName, data, ...own]
			.join(' ')
			.replace(/\d+(%|px)|(?<=colspan=)\d|#\w{6}|0\.\d\d(?=\))|(?<=title=)\d+ [a-z ]+(?= )/g, '');
	});
	return {
		tags: [...new Set(tags)],
		texts: nodes.flatMap(({ value }) => value?.replaceAll('\n', '') ?? []),
		links: attributes.flatMap(({ name, value }) => (name === 'href' ? [value] : [])),
	};
}

const honest = reportBody({
	risk: { level: 'red', score: 1, categories: { a: 0, b: 0.5, c: 'x' } },
});
const known = new Set(
	[
		createAlert(honest, { decision: { outcome: 'block', reasons: [] } }),
		createAlert({ ...honest, report_url: 'x' }),
		createDigest([{ report: honest }, { report: honest }, { error: 'x' }], {
			title: 'x',
			maxListed: 3,
		}).alert,
	].flatMap(({ html }) => outlineOf(html).tags),
);

function expectDeadHtml({ html }: Alert) {
	const { tags, texts, links } = outlineOf(html);
	expect(tags.filter((tag) => !known.has(tag))).toEqual([]);
	expect(links.filter((href) => !href.startsWith('https://'))).toEqual([]);
	expect(texts.filter(isAlive)).toEqual([]);
	// Gmail cuts a mail off at 102 KB.
	expect(Buffer.byteLength(html)).toBeLessThan(102_000);
}

/** Every object in a message for Slack that has a type, in the order of reading. */
function objectsIn(value: unknown): Array<Record<string, unknown>> {
	if (typeof value !== 'object' || value === null) return [];
	const inner = Object.values(value).flatMap(objectsIn);
	return 'type' in value ? [value as Record<string, unknown>, ...inner] : inner;
}

function expectDeadBlocks({ title, slackBlocks: { blocks } }: Alert) {
	// The Slack node may add a block to the 50 that Slack takes.
	expect(blocks.length).toBeLessThanOrEqual(49);
	const objects = objectsIn(blocks);
	// In elements of these types, Slack reads no markup.
	const dead = /^(header|plain_text|rich_text|rich_text_section|rich_text_list|text|link)$/;
	expect(objects.filter(({ type }) => !dead.test(String(type)))).toEqual([]);
	expect(objects.filter(({ elements }) => JSON.stringify(elements) === '[]')).toEqual([]);
	const textsIn = (value: unknown) =>
		objectsIn(value).flatMap(({ text }) => (typeof text === 'string' ? [text] : []));
	const [header = '', ...texts] = textsIn(blocks);
	expect(header.replace(/^(✅|⚠️|⛔) /, '')).toBe(title);
	expect(texts.filter((text) => text === '' || /[<>]/.test(text))).toEqual([]);
	expect(texts.filter((text) => text !== '\n' && isAlive(text))).toEqual([]);
	const urls = objects.flatMap(({ type, url }) => (type === 'link' ? [String(url)] : []));
	expect(urls.filter((url) => !/^https:\/\/[^\s<>"]{1,2990}$/.test(url))).toEqual([]);
	const lengths = blocks.map((block) => textsIn(block).join('').length);
	expect(lengths[0]).toBeLessThanOrEqual(150);
	expect(Math.max(...lengths)).toBeLessThanOrEqual(3_000);
	// Slack refuses a message with a longer text in all its blocks together.
	expect(lengths.reduce((sum, length) => sum + length)).toBeLessThan(11_000);
}

function expectDead(alert: Alert) {
	expectDeadText(alert);
	expectDeadHtml(alert);
	expectDeadBlocks(alert);
}

test('nothing of a report, a failure, a policy or a list of items is alive, in any place', () => {
	const decision = fc.record({ outcome, reasons: fc.array(reason, { maxLength: 12 }) });
	const title = hostile;
	const alert = fc.oneof(
		fc
			.tuple(report, fc.option(decision, { nil: undefined }), about)
			.map(([one, decided, more]) => createAlert(one, { decision: decided, ...more })),
		fc.tuple(failure, about).map((given) => createFailureAlert(...given)),
		fc
			.tuple(fc.array(item, { maxLength: 30 }), title, fc.nat({ max: 40 }))
			.map(([items, name, most]) => createDigest(items, { title: name, maxListed: most }).alert),
	);
	fc.assert(fc.property(alert, expectDead), { seed: 20_261_123, numRuns: 40 });
});

test('thousands of values neither lengthen nor stop it', () => {
	// What comes in one answer has at most 16 MB, so that many values are shorter than one may be.
	const long = huge.slice(0, 3_000);
	const names = Array.from({ length: 5_000 }, (_, index) => `${index}${huge.slice(0, 500)}`);
	const categories = Object.fromEntries(names.map((name) => [name, long]));
	const one = { address: huge, risk: { level: huge, score: huge, categories } };
	const reasons = Array(500).fill({ field: long, operator: 'gte', value: long, actual: long });
	expectDead(createAlert(one, { decision: { outcome: 'block', reasons }, reference: huge }));
	// Slack could make a link of each character, so a space follows it there.
	const doubled = '@'.repeat(3_000);
	const doubledReport = {
		report_id: doubled,
		address: doubled,
		chain: doubled,
		balance: doubled,
		tx_count: doubled,
		risk: { level: doubled, score: doubled, categories },
	};
	const comparison = { field: { input: doubled }, operator: 'equals', value: doubled };
	const doubledReasons = Array(9).fill({ all: Array(4).fill(comparison), outcome: 'block' });
	const context = { reference: doubled, askedChain: doubled, policy: { name: doubled } };
	const decision = { outcome: 'block', reasons: doubledReasons } as const;
	expectDead(createAlert(doubledReport, { decision, ...context }));
	const fields = Array(50).fill({ field: huge, before: huge, after: deep });
	const report = { address: long, risk: { level: long, score: long, categories } };
	const item = { report, outcome: 'block', summary: huge, change: { kind: 'worse', fields } };
	const options = { title: huge, maxListed: 1_000 };
	expectDead(createDigest(Array(100).fill(item), options).alert);
	expectDead(createDigest(Array(1_000).fill({ error: "'", address: 'a1' }), options).alert);
});
