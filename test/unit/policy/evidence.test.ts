import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { packageVersion } from '../../../nodes/WalletScreening/shared/packageVersion';
import { createReportJson } from '../../../nodes/WalletScreening/execution/reportItem';
import { digestOfJson } from '../../../nodes/WalletScreening/shared/canonical';
import { decide } from '../../../nodes/WalletScreening/policy/decision';
import { createEvidence } from '../../../nodes/WalletScreening/policy/evidence';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { sha256Hex } from '../../../nodes/WalletScreening/shared/sha256';
import { createContext } from '../../support/unit/context';
import { verifyItem } from '../../support/unit/verification';
import { reportBody } from '../../support/unit/reports';

const at = new Date('2026-11-21T12:00:00.123Z');
const pdf = Buffer.from('%PDF-1.7 of a report');
const pdfSha256 = sha256Hex(pdf);
const report = reportBody({
	risk: { level: 'amber', score: 0.4, categories: { sanctions: 0.1, mixer: 1e-7 } },
});
const others = { addresses: ['vitalik.eth'], max_age_days: 2 };
const policy = readPolicy({
	name: 'Payments',
	version: 3,
	otherwise: 'allow',
	rules: [
		{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review', mayBeWaived: true },
		{ field: { input: 'odd' }, operator: 'equals', value: 'yes', outcome: 'review' },
		{ field: 'other', categoryKey: 'gambling', operator: 'gte', value: 0.5, outcome: 'block' },
		{
			all: [
				{ field: { input: 'amount' }, operator: 'gte', value: 1000 },
				{ field: { input: 'payer.country' }, operator: 'equals', value: 'KP' },
			],
			outcome: 'review',
		},
	],
	exceptions: [
		{ address: report.address, until: '2026-11-21', reason: 'Ticket 4711', approvedBy: 'MLRO' },
	],
	lists: [
		{ name: 'Hit', outcome: 'review', addresses: [report.address], as_of: '2026-11-20' },
		{ name: 'Miss', outcome: 'block', as_of: '2026-11-20', ...others },
		{ name: 'Old', outcome: 'block', as_of: '2026-11-01', ...others },
		{ name: 'Sanctioned', outcome: 'block', sanctions: true, addresses: [report.address] },
	],
});
// The evidence keeps the text as the item has it, with what was pasted along.
const country = 'KP\u200b';
const input = { amount: 5000, payer: { country, name: 'J. Doe' }, odd: {} };
/** The IDs are those of the context of tests. */
const run = { package: packageVersion, workflowId: 'workflow', executionId: 'execution' };

type Item = Record<string, any>;
/** The item as n8n stores it. */
const stored = (item: object) => JSON.parse(JSON.stringify(item)) as Item;

jest.useFakeTimers({ now: at });
afterAll(() => jest.useRealTimers());

/** An item as the node makes it. */
const itemWith = ({ simplify = false, isDecided = true, ...rest } = {}) =>
	stored(
		createReportJson(
			createContext(),
			{
				report: report as never,
				screenedAt: at,
				retrievedAt: new Date(+at + 1),
				serviceNames: { jobId: ['ticket'] },
				...rest,
			},
			{ policy: isDecided ? policy : undefined, addEvidence: true, reference: '-17', input },
			{ simplify },
		).json,
	);

/** An item as a row of a log: texts and numbers in columns, and objects as JSON text. */
const rowOf = (item: Item): Item => ({
	...item,
	id: 7,
	createdAt: '2026-11-21',
	updatedAt: '2026-11-21',
	// The apostrophe keeps a spreadsheet from taking the reference for a formula.
	reference: "'-17",
	report_id: report.report_id,
	report_url: report.report_url,
	policy: 'Payments',
	policy_version: '3',
	error: null,
	error_class: null,
	report: JSON.stringify(item.report),
	reasons: JSON.stringify(item.reasons),
	evidence: JSON.stringify(item.evidence),
});

/** The item with other values in its evidence and a new digest, as a skilled forger makes it. */
const resealed = (item: Item, changes: object): Item => {
	const { sha256: _, ...rest } = stored({ ...item.evidence, ...changes });
	return { ...item, evidence: { ...rest, sha256: digestOfJson(rest) } };
};
const findings = (item: Item, options = {}) => verifyItem(item, options).findings;
const valid = { valid: true, findings: [] };

test('evidence holds what was known, when, and by which rules a decision was made', () => {
	const { evidence, outcome, summary, reasons } = itemWith({ pdfSha256, sent: 2 } as object);
	const { sha256: seal, report_sha256, pdf_sha256, ...rest } = evidence;
	expect(rest).toEqual({
		version: 1,
		reference: '-17',
		service_names: { jobId: ['ticket'] },
		screened_at: '2026-11-21T12:00:00.123Z',
		retrieved_at: '2026-11-21T12:00:00.124Z',
		decided_at: '2026-11-21T12:00:00.123Z',
		report_id: 'rep_1',
		inputs: { amount: 5000, 'payer.country': country },
		policy: policy.record,
		decision: { outcome, sanctions: true, summary, reasons },
		package: run.package,
		workflow_id: run.workflowId,
		execution_id: run.executionId,
		sent: 2,
	});
	expect(report_sha256).toBe(digestOfJson(report));
	// printf '%%PDF-1.7 of a report' | openssl dgst -sha256
	expect(pdf_sha256).toBe('cee3d1f256be8d323d08336dbc530985500b96231458cc3a14885dc17eae4ca6');
	expect(seal).toBe(digestOfJson({ ...rest, report_sha256, pdf_sha256 }));
	expect(JSON.stringify(policy.record)).not.toContain('vitalik');
});

test('evidence on a report without a decision has neither times nor policy', () => {
	const evidence = createEvidence({
		...run,
		report: { address: 'a', risk: {}, nothing: undefined },
	});
	expect(evidence).toEqual({
		version: 1,
		report_id: null,
		policy: null,
		decision: null,
		package: run.package,
		workflow_id: run.workflowId,
		execution_id: run.executionId,
		report_sha256: digestOfJson({ address: 'a', risk: {} }),
		sha256: expect.any(String) as string,
	});
});

test('evidence holds no inputs if the policy compares no field of the item', () => {
	const plain = readPolicy([{ field: 'score', operator: 'gte', value: 2, outcome: 'block' }]);
	const decisionRecord = {
		decision: decide(report as never, plain, { at }),
		policy: plain,
		at,
		input: { amount: 1 },
	};
	expect(createEvidence({ ...run, report, decisionRecord })).not.toHaveProperty('inputs');
});

test('a report that has no digest is refused', () => {
	const cyclic: Item = {};
	cyclic.itself = cyclic;
	for (const balance of ['\ud800', { toJSON: () => ({ a: '\udc00' }) }, cyclic]) {
		const refusal = {
			errorClass: 'invalid_response',
			message: expect.stringContaining('has no digest') as string,
			description: expect.stringContaining('switch the evidence off') as string,
		};
		expect(() => createEvidence({ ...run, report: { ...report, balance } })).toThrow(
			expect.objectContaining(refusal) as Error,
		);
	}
});

describe('a field of the input item that has no digest is named, and not blamed on the service:', () => {
	const memo = readPolicy([
		{ field: { input: 'payer.memo' }, operator: 'equals', value: 'gift', outcome: 'review' },
	]);
	// An emoji that was cut.
	const cutText = 'hi \ud83d';
	const cutInput = { payer: { memo: cutText } };
	const decisionRecord = {
		decision: decide(report as never, memo, { at, input: cutInput }),
		policy: memo,
		at,
		input: cutInput,
	};
	it.each<[name: string, source: object]>([
		['payer.memo', { decisionRecord }],
		['reference', { reference: cutText }],
		['asked_chain', { askedChain: cutText }],
	])('%s', (name, source) => {
		expect(() => createEvidence({ ...run, report, ...source })).toThrow(
			expect.objectContaining({
				message: `The evidence has no digest: '${name}' of the input item contains half of a character`,
				description: 'Correct this field, or switch the evidence off.',
			}) as Error,
		);
	});
});

test('a fault in making the evidence is not taken for one of the report', () => {
	const noTime = { ...run, report, screenedAt: new Date(NaN) };
	expect(() => createEvidence(noTime)).toThrow(RangeError);
});

const row = rowOf(itemWith());
const kinds: Array<[string, Item, object]> = [
	['simplified', itemWith({ simplify: true }), {}],
	['with its PDF, of another chain', itemWith({ pdfSha256, chain: 'TRX' } as object), { pdf }],
	['without a decision', itemWith({ isDecided: false }), {}],
	['that is a row of a log, with an input', { ...row, amount: '5000' }, {}],
];

describe('an item that fits its evidence is valid', () => {
	const { report: _, ...rest } = itemWith();
	it.each([
		...kinds,
		['whole', itemWith(), {}],
		['that is a row of a log', row, {}],
		['with its report elsewhere', { ...rest, a: { b: report } }, { reportField: 'a.b' }],
		['with other fields', { ...itemWith(), customer: { id: 7 }, change: 1, balance: 'x' }, {}],
		['with nested fields that rules compared', { ...itemWith(), payer: { country } }, {}],
		['with a number in its reference', { ...itemWith(), reference: -17 }, {}],
		...['TRUE', 1, '1'].map((sanctions): [string, Item, object] => [
			`with the mark ${JSON.stringify(sanctions)}`,
			{ ...itemWith(), sanctions },
			{},
		]),
		...[false, 'FALSE', 0, '0', '', null].map((sanctions): [string, Item, object] => [
			`that is no hit, with the mark ${JSON.stringify(sanctions)}`,
			{ ...itemWith({ isDecided: false }), sanctions },
			{},
		]),
		['in small letters', { ...itemWith(), address: report.address.toLowerCase() }, {}],
		['with times', { ...stored(itemWith()), seen: at, nothing: undefined }, {}],
	])('%s', (_name, item, options) => {
		expect(verifyItem(item, options)).toEqual(valid);
	});

	it('after the words for people have changed', () => {
		const item = itemWith({ chain: 'TRX' } as object);
		const reworded = structuredClone({ ...item.evidence.decision, summary: 'Anders gesagt' });
		for (const one of reworded.reasons) if (one.problem) one.problem = 'Anders gesagt';
		const { summary, reasons } = reworded;
		expect(findings(resealed({ ...item, summary, reasons }, { decision: reworded }))).toEqual([]);
	});
});

test('a rule may compare a field of the input item that the node has, too', () => {
	const ofReport = ['score', 'level', ' chain ', 'address', 'report.balance'];
	const names = [...ofReport, 'outcome', 'sanctions', 'error_class'];
	const all = names.map((input) => ({ field: { input }, operator: 'equals', value: 'x' }));
	const item = stored(
		createReportJson(
			createContext(),
			{ report: report as never },
			{
				policy: readPolicy({ otherwise: 'allow', rules: [{ all, outcome: 'block' }] }),
				addEvidence: true,
				reference: undefined,
				input: {
					...Object.fromEntries(names.map((name) => [name.trim(), 'x'])),
					report: { balance: 'x' },
				},
			},
			{},
		).json,
	);
	expect(item.outcome).toBe('block');
	expect(verifyItem(item)).toEqual(valid);
	// A log has this column, which is empty for an address that was screened.
	expect(verifyItem({ ...item, error_class: null })).toEqual(valid);
	expect(findings({ ...item, score: 0 })).toEqual(["'score' of the item differs from the report."]);
});

test('a decision on a category about sanctions that no rule is on is repeated', () => {
	const rules = [{ field: 'sanctions', operator: 'notEquals', value: 0, outcome: 'block' }];
	const categories = { sanctions: 0, ofac_sanctions: 0.9 };
	const item = stored(
		createReportJson(
			createContext(),
			{ report: reportBody({ risk: { level: 'green', score: 0, categories } }) as never },
			{ policy: readPolicy(rules), addEvidence: true, reference: undefined, input: {} },
			{},
		).json,
	);
	expect(item.outcome).toBe('review');
	expect(verifyItem(item)).toEqual(valid);
	const allowed = { outcome: 'allow', summary: 'Allow: no rule applies', reasons: [] };
	expect(findings(resealed({ ...item, ...allowed }, { decision: allowed }))).toEqual([
		'By the policy in the evidence, the decision is review, and the evidence has another outcome.',
	]);
});

/**
 * Yields a copy of the item for each value and each edit of it, also inside of a JSON text, with
 * the path of the value.
 */
function* editsOf(value: unknown, path: string[] = []): Generator<[path: string[], edited: Item]> {
	const isJson = typeof value === 'string' && /^[[{]/.test(value);
	const held = (isJson ? JSON.parse(value) : value) as Item;
	if (typeof held !== 'object' || held === null) return;
	const withEdit = (edit: (copy: Item) => unknown) => {
		const copy = structuredClone(held);
		edit(copy);
		return (isJson ? JSON.stringify(copy) : copy) as Item;
	};
	const isList = Array.isArray(held);
	// A field that an item does not have is not compared.
	const isInner = path.length > 0;
	if (isInner) yield [path, withEdit((copy) => (isList ? copy.push(1) : (copy.added = 1)))];
	for (const [name, own] of Object.entries(held)) {
		const here = [...path, name];
		const nudged = typeof own === 'number' ? own + 1e-9 : `${String(own)}x`;
		for (const other of [null, nudged]) yield [here, withEdit((copy) => (copy[name] = other))];
		const without = (copy: Item) => (isList ? copy.splice(Number(name), 1) : delete copy[name]);
		if (isInner) yield [here, withEdit(without)];
		for (const [inside, edited] of editsOf(own, here))
			yield [inside, withEdit((copy) => (copy[name] = edited))];
	}
}

/** Whether the edit is found: the item is invalid, or no longer contains a report. */
const isFound = (item: Item, options: object) => {
	try {
		return !verifyItem(item, options).valid;
	} catch (error) {
		if (!(error instanceof ScreeningError)) throw error;
		return true;
	}
};

const page = readFileSync(join(__dirname, '../../../docs/evidence.md'), 'utf8');
const [, unverified = ''] = /^These are not verified: (.+)$/m.exec(page) ?? [];
const notVerified = [...unverified.matchAll(/`(\w+)`/g)].map(([, name]) => name);

test.each(kinds)('an edit of any value of an item %s is found', (_kind, item, options) => {
	const tried = [...editsOf(item)].filter(([[field = '', ...inner], edited]) => {
		const isBlank = !inner.length && (item[field] ?? '') === '' && (edited[field] ?? '') === '';
		return (
			!isBlank && !notVerified.includes(field) && JSON.stringify(edited) !== JSON.stringify(item)
		);
	});
	const missed = tried.filter(([, edited]) => !isFound(edited, options));
	expect(missed.map(([path]) => path.join('.'))).toEqual([]);
	expect(tried.length).toBeGreaterThan(50);
});

describe('with its digest made anew, evidence does not fit', () => {
	const lacks = 'The evidence cannot be made again: it lacks a part of the decision.';
	const never = (name: string) => `'${name}' of the evidence does not fit the rest.`;
	const start = 'By the policy in the evidence, the decision is';
	const decides = (outcome: string) => `${start} ${outcome}, and the evidence has another outcome.`;
	const differs = `${start} block, but its reasons or its mark of a sanctions hit differ from the evidence.`;
	const { decision } = itemWith().evidence;
	const deciding = (changes: object) => ({ decision: { ...decision, ...changes } });
	const rules: Item[] = decision.reasons.filter(({ list }: Item) => !list);
	const hits: Item[] = decision.reasons.filter(({ list }: Item) => list);
	it.each<[because: string, changes: object, finding: string]>([
		['a decision needs its policy', { policy: null }, lacks],
		['a day is no time of a decision', { decided_at: '2026-11-21' }, lacks],
		[
			'a time of a decision needs a decision',
			{ policy: null, decision: null, inputs: undefined },
			never('decided_at'),
		],
		['February has no day 30', { screened_at: '2026-02-30T10:00:00.000Z' }, never('screened_at')],
		['the node writes no such field', { extra: 1 }, never('extra')],
		[
			'only version 1 exists',
			{ version: 2 },
			'This node does not know the version of the evidence.',
		],
		[
			'the report names itself',
			{ report_id: 'rep_2' },
			'The report has another ID than the evidence.',
		],
		[
			'there are two reports',
			{ report: reportBody() },
			'The report of the item is not the one in the evidence.',
		],
		[
			'no policy is without rules',
			{ policy: { rules: [] } },
			'The evidence cannot be made again: The policy has no rules.',
		],
		['the rules say block', deciding({ outcome: 'allow' }), decides('block')],
		['the address is on a sanctions list', deciding({ sanctions: undefined }), differs],
		[
			'the policy has no such list',
			deciding({ reasons: [...rules, { ...hits[0], list: 'Unknown' }, hits[1]] }),
			decides('review'),
		],
		[
			'a list that missed gives no reason',
			deciding({ reasons: [...rules, ...hits, { list: 'Miss', outcome: 'review' }] }),
			differs,
		],
		[
			'a rule that could not be checked has a problem',
			deciding({
				reasons: [...rules.map(({ problem: _, ...checked }) => checked), ...hits],
			}),
			differs,
		],
	])('%s: %j', (_because, changes, finding) => {
		expect(findings(resealed(itemWith(), changes))).toContain(finding);
	});

	it('at another time: exceptions are over, and lists grow old', () => {
		for (const decided_at of ['2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.001Z']) {
			expect(findings(resealed(itemWith(), { decided_at }))).toHaveLength(1);
		}
		const item = itemWith();
		jest.setSystemTime(Date.UTC(2030, 0, 1));
		expect(findings(item)).toEqual([]);
		jest.setSystemTime(at);
	});
});

describe('a finding names what does not fit', () => {
	it.each<[object, string[]]>([
		[{ level: 'green' }, ["'level' of the item differs from the report."]],
		[{ sanctions: false }, ["'sanctions' of the item differs from the evidence."]],
		[{ sanctions: 0 }, ["'sanctions' of the item differs from the evidence."]],
		[{ sanctions: 2 }, ["'sanctions' of the item differs from the evidence."]],
		[{ outcome: 'allow' }, ["'outcome' of the item differs from the evidence."]],
		[
			{ error_class: 'A' },
			["'error_class' of the item is not empty, but its address was screened."],
		],
		[{ evidence: undefined }, ['The item contains no evidence.']],
		[{ evidence: '{"version":' }, ['The item contains no evidence.']],
		[
			{ amount: 50, payer: { country: 'DE' } },
			[
				"'amount' of the item differs from the value that the rules compared.",
				"'payer.country' of the item differs from the value that the rules compared.",
			],
		],
	])('%#: %s', (changes, found) => {
		expect(findings({ ...itemWith(), ...changes })).toEqual(found);
	});

	it('of a PDF', () => {
		const item = itemWith({ pdfSha256 } as object);
		expect(findings(item, { pdf: Buffer.from('%PDF-1.7 of a Report') })).toEqual([
			'The PDF is not the one that the evidence was made for.',
		]);
		expect(findings(item, { pdf: 'missing' })).toEqual(['The item has no PDF.']);
		expect(findings(itemWith(), { pdf })).toEqual(['The evidence was made without a PDF.']);
	});
});

test('an item without a report is an error, with or without evidence', () => {
	const { evidence } = itemWith();
	for (const item of [{}, { customer: 7, evidence }, report])
		expect(() => verifyItem(item)).toThrow(ScreeningError);
	expect(() => findings(itemWith(), { reportField: 'missing' })).toThrow(ScreeningError);
});
