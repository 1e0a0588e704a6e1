import { createAlert, createFailureAlert } from '../../../nodes/WalletScreening/messages/alert';
import { type AnyReport } from '../../../nodes/WalletScreening/answers/report';
import type { Decision } from '../../../nodes/WalletScreening/policy/decision';
import type { Reason } from '../../../nodes/WalletScreening/policy/reason';
import { ethereum as address } from '../../support/data/knownAddresses';
import { reportBody } from '../../support/unit/reports';

const at = new Date('2026-11-23T00:05:59.900Z');
const withRisk = (risk: Record<string, unknown>): AnyReport =>
	reportBody({ risk: { level: 'red', score: 0.98, ...risk } });
const decided = (outcome: Decision['outcome'], reasons: Reason[] = []) => ({
	decision: { outcome, reasons },
});
const reason = { operator: 'gte', value: 0.5, actual: 0.95 } as const;
const sanctioned: Reason = { ...reason, field: 'sanctions', outcome: 'block' };
const notGreen: Reason = {
	field: 'level',
	operator: 'notEquals',
	value: 'green',
	actual: 'red',
	outcome: 'review',
};

/** The lines of the text below a heading. */
const below = (heading: string, { text }: { text: string }) =>
	text.split(`\n\n${heading}\n`)[1]?.split('\n\n')[0]?.split('\n');
/** The colour of the banner, and the symbol in Slack. */
const look = ({ html, slackBlocks }: ReturnType<typeof createAlert>) => [
	/bgcolor="(#\w+)"/.exec(html)?.[1],
	JSON.stringify(slackBlocks.blocks[0]).match(/[✅⚠⛔]/u)?.[0],
];
const [good, caution, bad] = [
	['#067647', '✅'],
	['#b54708', '⚠'],
	['#b42318', '⛔'],
];

test('an alert holds everything in each place', () => {
	const categories = { darknet: 0, sanctions: 0.95, note: 'high', clean_exchange: 1.4 };
	const { html, slackBlocks } = createAlert(withRisk({ categories }), {
		...decided('block', [notGreen, sanctioned]),
		reference: 'Payment 4711',
		at,
		policy: { name: 'Payouts', version: 7 },
	});
	const texts = [
		address,
		'Payment 4711',
		'2026-11-23 00:05 UTC',
		'Payouts, version 7',
		'Decision: block',
		'sanctions is 0.95 (0.5 or more means block)',
		'“note”',
		'Clean exchange (good sign)',
		'12.5 ETH',
		'rep_1',
		'https://app.example.com/reports/rep_1',
		'Open the screening report',
	];
	for (const each of texts) {
		for (const place of [html, JSON.stringify(slackBlocks)]) expect(place).toContain(each);
	}
});

test('an alert names what a report lacks, and leaves out what the user did not give', () => {
	const { title, text } = createAlert({
		address: '0xabc',
		risk: { level: 'amber' },
		balance: null,
	});
	expect(title).toBe('Attention: wallet 0xabc is amber (score not given)');
	expect(text).toBe(`${title}

Address: 0xabc

Risk categories
- not given

Details
- Chain: not given
- Balance: not given
- Transactions: not given
- Report ID: not given
- Report: not given`);
});

test.each([
	['green', 'allow', 'Allow', good, 'it is allowed and green'],
	[' GREEN ', undefined, 'Screened', good, 'case and blanks do not count'],
	['green', 'review', 'Review', caution, 'a person has to review it'],
	['green', 'block', 'Block', bad, 'a rule blocks it'],
	['red', 'allow', 'Allow', caution, 'a policy allows it, but it is not green'],
	['red', undefined, 'Attention', bad, 'red is the worst level'],
	['amber', undefined, 'Attention', caution, 'only green is harmless'],
	['light green', 'allow', 'Allow', caution, 'another level may contain the word'],
	['grееn', undefined, 'Attention', caution, 'two letters are Cyrillic'],
	[7, 'allow', 'Allow', caution, 'a number is no level'],
] as const)(
	'an alert on the level %j, decided as %s, is "%s" in %j, because %s',
	(level, outcome, verdict, colours, _because) => {
		const alert = createAlert(withRisk({ level }), outcome && decided(outcome));
		expect(alert.title).toMatch(new RegExp(`^${verdict}: `));
		expect(look(alert)).toEqual(colours);
	},
);

test('a text in a sentence stands in quotation marks unless it is one word', () => {
	const report = { ...withRisk({ level: '✅ “green”. Allow', score: '0' }), chain: 'Arbitrum One' };
	const title = 'Attention: “Arbitrum One” wallet “hello” is “� "green". Allow” (score 0)';
	expect(createAlert({ ...report, address: 'hello' }).title).toBe(title);
});

test.each([
	['bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a', true, 'it begins with a format'],
	['green', false, 'a word is no address'],
	['x:0xabc', false, 'no format has a name of one letter'],
])('the address %s is printed raw: %s, because %s', (given, isRaw, _because) => {
	const { text } = createAlert({ ...withRisk({}), address: given });
	expect(text.includes(`\nAddress: ${given}\n`)).toBe(isRaw);
	expect(/^Address: “.*”$/m.test(text)).toBe(!isRaw);
});

test('a title has the first eight and the last six characters of an address of more than 16', () => {
	const title = (given: string) => createAlert({ ...withRisk({}), address: given }).title;
	expect(title('bc1qqqqqqqqqqqq2')).toContain(' bc1qqqqqqqqqqqq2 ');
	expect(title('bc1qqqqqqqqqqqqq2')).toContain(' bc1qqqqq…qqqqq2 ');
});

test('a time zone that this machine does not know gives the time in UTC', () => {
	const at = new Date('2026-11-23T00:05:00Z');
	const { text } = createAlert(withRisk({}), { at, timeZone: 'Nowhere/Land' });
	expect(text).toContain('Date: 2026-11-23 00:05 UTC');
});

test('categories come with the highest first, before them what is no number, and beyond the 24 highest a count and the good sign', () => {
	const rows = (categories: unknown) =>
		below('Risk categories', createAlert(withRisk({ categories })));
	expect(rows(undefined)).toEqual(['- not given']);
	const odd = { a_b: 0.2, b: null, c: 'high', d: -3, e: 40, f: [1], 'Not a key': 0.0001 };
	expect(rows(odd)).toEqual([
		'- “c”: high',
		'- “f”: (1)',
		'- ██████████ E: 40',
		'- ██░░░░░░░░ A b: 0.2',
		'- █░░░░░░░░░ “Not a key”: 0.0001',
		'- ░░░░░░░░░░ D: -3',
		'- B: not given',
	]);
	const many = Array.from({ length: 100 }, (_, index) => [`c${index}`, index / 100]);
	const all = { clean_exchange: 0.5, ...Object.fromEntries(many) };
	expect(rows(all)?.slice(23)).toEqual([
		'- ████████░░ C76: 0.76',
		'- … and 76 more',
		'- █████░░░░░ Clean exchange (good sign): 0.5',
	]);
});

test('reasons to block come first, then those to review, then those waived; those beyond the eighth are counted', () => {
	const waived_by = { until: '2026-12-31', reason: 'Ticket 4711', approved_by: 'MLRO' };
	const mixed: Reason = { ...sanctioned, field: 'mixer' };
	const reasons = [{ ...mixed, waived_by }, ...Array<Reason>(7).fill(notGreen), sanctioned];
	const rows = (some: Reason[]) =>
		below('Decision: block', createAlert(withRisk({}), decided('block', some)));
	const block = '- sanctions is 0.95 (0.5 or more means block)';
	const all = rows(reasons);
	expect([all?.length, all?.[0], all?.[8]]).toEqual([9, block, '- … and 1 more']);
	const unjudged: Reason = { ...mixed, outcome: 'review', problem: 'the report has no mixer' };
	const many = Array.from({ length: 9 }, () => ({ ...unjudged }));
	const [first, second] = rows([...many, mixed]) ?? [];
	expect(first).toContain('the report has no mixer');
	expect(second).toMatch(/^- mixer is /);
	expect(rows(reasons.slice(7))).toHaveLength(2);
	expect(rows([])).toEqual(['- No rule applies']);
});

test.each<[Reason[], string, string, string]>([
	[
		[notGreen, sanctioned],
		'Block: sanctions 0.95 – ETH wallet 0xd8dA6B…A96045 is red (score 0.98)',
		'Sanctions 0.95 – ETH wallet is red',
		'the hit comes before the level',
	],
	[
		[{ list: 'US <list>', sanctions: true, outcome: 'block' }],
		"Block: on the sanctions list 'US ‹list›' – ETH wallet 0xd8dA6B…A96045 is red (score 0.98)",
		"On the sanctions list 'US ‹list›' – ETH wallet is red",
		'a list has no score',
	],
	[
		[{ ...sanctioned, outcome: 'review' }],
		'Block: sanctions 0.95 – ETH wallet 0xd8dA6B…A96045 is red (score 0.98)',
		'Sanctions 0.95 – ETH wallet is red',
		'a hit is one whatever its outcome',
	],
	[
		[notGreen],
		'Block: ETH wallet 0xd8dA6B…A96045 is red (score 0.98)',
		'ETH wallet is red',
		'there is no hit',
	],
])('the heading on %j is %j: %s', (reasons, title, headline, _because) => {
	const alert = createAlert(
		reportBody({ address, risk: { level: 'red', score: 0.98 } }),
		decided('block', reasons),
	);
	expect(alert.title).toBe(title);
	expect(alert.text.replaceAll('\u00a0', ' ')).toContain(title);
	expect(alert.html.replaceAll('&#39;', "'")).toContain(headline);
});

test('a sanctions hit is no matter of caution, even if a person has to review it', () => {
	const alert = createAlert(withRisk({ level: 'amber' }), {
		decision: { outcome: 'review', reasons: [], sanctions: true },
	});
	expect(look(alert)).toEqual(bad);
});

describe('the link to the report', () => {
	const linksIn = (report_url: unknown) => {
		const { text, html, slackBlocks } = createAlert(reportBody({ report_url }));
		return [
			text.split('\n- Report: ')[1],
			/<a href="([^"]*)"/.exec(html)?.[1],
			/"type":"link","url":"([^"]*)"/.exec(JSON.stringify(slackBlocks))?.[1],
		];
	};

	it('leads to the URL of the report, with all that is markup encoded', () => {
		const url = `https://app.example.com/r_1/(a)*~@[x]?a='1'&b=2#c`;
		expect(linksIn(url)).toEqual([
			'https://app.example.com/r%5F1/%28a%29%2A%7E%40%5Bx%5D?a=%271%27&b=2#c',
			'https://app.example.com/r_1/(a)*~@[x]?a=%271%27&#38;b=2#c',
			'https://app.example.com/r_1/(a)*~@[x]?a=%271%27&b=2#c',
		]);
		expect(linksIn('http://localhost:3000/r')).toEqual(Array(3).fill('http://localhost:3000/r'));
	});

	it.each([
		['javascript:alert(1)', 'javascript: alert(1)', 'it is a script'],
		['http://app.example.com/r', 'http:⁄⁄app·example·com/r', 'the connection is not private'],
		[
			'https://app.example.com@evil.example/r',
			'https:⁄⁄app·example·com@ evil·example/r',
			'it shows another host than it leads to',
		],
		[
			'https://user:secret@app.example.com/',
			'https:⁄⁄user: secret@ app·example·com⁄',
			'it holds a password',
		],
		[
			`https://a.example/${'x'.repeat(2_000)}`,
			`https:⁄⁄a·example/${'x'.repeat(281)}…`,
			'a place of the message would refuse it',
		],
		[null, 'not given', 'there is none'],
	])('is a dead text if it is %j: %j, because %s', (url, shown, _because) => {
		expect(linksIn(url)).toEqual([shown, undefined, undefined]);
	});
});

test('the alert on a failure holds that the wallet is not screened, what happened, and what to do', () => {
	const details = {
		errorClass: 'server',
		httpCode: '503',
		description: 'Run it again later.',
		address,
		job_ids: ['j1', 'j2'],
		report_id: 'rep1',
		outcome: 'block',
		summary: 'Block: score is 1',
	};
	const error = 'The service is unavailable (status 503)';
	const alert = createFailureAlert({ error, details }, { reference: 'Payment 4711', at });
	expect(alert.text).toBe(`Not screened: wallet 0xd8dA6B…A96045: ${error}

Error: ${error}
Address: ${address}
Reference: Payment 4711
Date: 2026-11-23 00:05 UTC
What to do: Run it again later.
Decision: Block: score is 1
Error class: server
HTTP status: 503
Report ID: rep1
Job ID: j1, j2`);
	expect(look(alert)).toEqual(bad);
	expect(alert.html).toContain('>Not screened<');
});

test('the alert on a failure is not about a wallet without a screening if there is a report, and needs no details', () => {
	const withReport = { address: 'a1', level: 'red', report: {} };
	const titleOf = (...given: Parameters<typeof createFailureAlert>) =>
		createFailureAlert(...given).title;
	expect(titleOf({ error: 'x', details: withReport })).toBe('Failed: wallet a1: x');
	const ofDecision = { failedStep: 'decision' } as const;
	expect(titleOf({ error: 'x', address: 'a1' }, ofDecision)).toBe('Not decided: wallet a1: x');
	for (const details of [undefined, 7, 'x', {}]) {
		const { text } = createFailureAlert({ error: { a: 1 }, details });
		expect(text).toBe('Not screened: ("a": 1)\n\nError: ("a": 1)');
		expect(titleOf({ error: 'x', details, address: 'a1' })).toBe('Not screened: wallet a1: x');
	}
});
