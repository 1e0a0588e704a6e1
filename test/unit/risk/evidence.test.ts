import fc from 'fast-check';
import { digestOfJson } from '../../../nodes/WalletScreening/risk/canonical';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { evidenceOf, verifyEvidence } from '../../../nodes/WalletScreening/risk/evidence';
import { policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { asReport } from '../../../nodes/WalletScreening/risk/report';
import { simplify } from '../../../nodes/WalletScreening/risk/simplify';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { reportBody } from '../support/answers';

const at = new Date('2026-11-21T12:00:00.123Z');
const pdf = Buffer.from('%PDF-1.7 of a report');
const report = reportBody({
	risk: { level: 'amber', score: 0.4, categories: { sanctions: 0.1, mixer: 1e-7 } },
});
const policy = policyOfJson({
	...{ name: 'Payments', version: 3 },
	rules: [
		{
			...{ field: 'level', operator: 'notEquals', value: 'green' },
			...{ outcome: 'review', mayBeWaived: true },
		},
		{ field: 'other', categoryKey: 'gambling', operator: 'gte', value: 0.5, outcome: 'block' },
	],
	exceptions: [
		{ address: report.address, until: '2026-11-21', reason: 'Ticket 4711', approvedBy: 'MLRO' },
	],
});
const run = { package: 'n8n-nodes-wallet-screening@1.0.0', workflowId: 'w1', executionId: '7' };

/** An item as n8n stores it. */
const stored = <T>(item: T) => JSON.parse(JSON.stringify(item)) as Record<string, any>;
const itemWith = (given: { isSimplified?: boolean; chain?: string; pdf?: Uint8Array } = {}) => {
	const { isSimplified = false, chain } = given;
	const decision = decide(asReport(report)!, policy, { at, ...(chain && { chain }) });
	const evidence = evidenceOf({
		...run,
		fields: report,
		isSimplified,
		screenedAt: at,
		retrievedAt: new Date(at.getTime() + 1),
		decided: { decision, policy, at },
		pdf: given.pdf,
	});
	return stored({ ...(isSimplified ? simplify(report) : report), decision, evidence });
};
/** The item with other values in its evidence, and the digest made anew: what somebody forges who knows how. */
const resealed = (item: Record<string, any>, changes: object) => {
	const { sha256: _, ...rest } = stored({ ...item.evidence, ...changes });
	return { ...item, evidence: { ...rest, sha256: digestOfJson(rest) } };
};
const findings = (item: object, options = {}) =>
	verifyEvidence(item as Record<string, unknown>, options).findings;
const valid = { valid: true, findings: [] };

test('evidence names what was known, when, and by which rules', () => {
	const { evidence, decision } = itemWith({ pdf });
	const { sha256, report_sha256, pdf_sha256, ...rest } = evidence;
	expect(rest).toEqual({
		version: 1,
		screened_at: '2026-11-21T12:00:00.123Z',
		retrieved_at: '2026-11-21T12:00:00.124Z',
		decided_at: '2026-11-21T12:00:00.123Z',
		report_id: 'rep_1',
		report_fields: ['address', 'balance', 'chain', 'report_id', 'report_url', 'risk', 'tx_count'],
		policy: policy.record,
		decision,
		package: 'n8n-nodes-wallet-screening@1.0.0',
		workflow_id: 'w1',
		execution_id: '7',
	});
	expect(report_sha256).toBe(digestOfJson(report));
	// printf '%%PDF-1.7 of a report' | openssl dgst -sha256
	expect(pdf_sha256).toBe('cee3d1f256be8d323d08336dbc530985500b96231458cc3a14885dc17eae4ca6');
	expect(sha256).toBe(digestOfJson({ ...rest, report_sha256, pdf_sha256 }));
});

test('evidence on a report that nobody decided on has neither times nor policy', () => {
	const evidence = evidenceOf({ ...run, fields: { address: 'a', risk: {}, nothing: undefined } });
	expect(evidence).toEqual({
		...{ version: 1, report_id: null, report_fields: ['address', 'risk'] },
		...{ policy: null, decision: null, package: run.package },
		...{ workflow_id: 'w1', execution_id: '7' },
		report_sha256: digestOfJson({ address: 'a', risk: {} }),
		sha256: expect.any(String) as string,
	});
	expect(verifyEvidence(stored({ address: 'a', risk: {}, evidence }))).toEqual(valid);
});

test('a report that has no digest is refused', () => {
	for (const balance of ['\ud800', { toJSON: () => ({ a: '\udc00' }) }, 10n]) {
		expect(() => evidenceOf({ ...run, fields: { ...report, balance } })).toThrow(
			expect.objectContaining({ errorClass: 'invalid_response' }) as Error,
		);
	}
});

describe('what fits its evidence is valid', () => {
	it.each([
		['as the service sent it', itemWith(), {}],
		['simplified', itemWith({ isSimplified: true }), {}],
		['with its PDF', itemWith({ pdf }), { pdf }],
		['with a PDF that is not looked at', itemWith({ pdf }), {}],
		['of another chain than asked for', itemWith({ chain: 'TRX' }), {}],
		['beside other fields', { customer: { id: 7 }, ...itemWith(), alert: {} }, {}],
		[
			'beside fields of the report, simplified',
			{ ...report, ...itemWith({ isSimplified: true }) },
			{},
		],
		['in a field, with its evidence', { stored: itemWith() }, { reportField: 'stored' }],
		['in a field, as text', { s: JSON.stringify(itemWith()) }, { reportField: 's' }],
	])('%s', (_, item, options) => {
		expect(verifyEvidence(item, options)).toEqual(valid);
	});

	it('whatever the order of names, and as texts of JSON', () => {
		const { decision, evidence, ...rest } = itemWith();
		const turned = Object.fromEntries(Object.entries(rest).reverse());
		const texts = { decision: JSON.stringify(decision), evidence: JSON.stringify(evidence) };
		expect(verifyEvidence({ ...texts, ...turned })).toEqual(valid);
		expect(verifyEvidence({ report: rest, decision, evidence }, { reportField: 'report' })).toEqual(
			valid,
		);
	});

	it('and after the words for people have changed', () => {
		const item = itemWith({ chain: 'TRX' });
		item.decision.summary = 'Anders gesagt';
		item.decision.reasons[0].problem = 'Anders gesagt';
		item.evidence.decision = structuredClone(item.decision);
		const { sha256: _, ...rest } = item.evidence;
		item.evidence.sha256 = digestOfJson(rest);
		expect(verifyEvidence(item)).toEqual(valid);
	});
});

/** The places of all values in an item. */
type Path = Array<string | number>;
const placesIn = (value: unknown, path: Path = []): Path[] => {
	if (typeof value !== 'object' || value === null) return [path];
	const inner = Object.entries(value).flatMap(([name, own]) => placesIn(own, [...path, name]));
	return path.length > 0 ? [path, ...inner] : inner;
};
const changed = (
	item: object,
	path: Path,
	change: (holder: any, name: string | number) => void,
) => {
	const copy = structuredClone(item);
	const holder = path.slice(0, -1).reduce<any>((value, name) => value[name], copy);
	change(holder, path.at(-1)!);
	return copy;
};
/** Whether the change is found: the item is invalid, or contains no report any more. */
const isFound = (item: object) => {
	try {
		return !verifyEvidence(item as Record<string, unknown>, { pdf }).valid;
	} catch (error) {
		if (!(error instanceof ScreeningError)) throw error;
		return true;
	}
};

describe.each([
	['whole', itemWith({ pdf })],
	['simplified', itemWith({ pdf, isSimplified: true })],
	['of another chain', itemWith({ pdf, chain: 'TRX' })],
])('of an item that is %s', (_, item) => {
	it('every value that is changed, removed or added is found', () => {
		const places = placesIn(item);
		expect(places.length).toBeGreaterThan(60);
		for (const place of places) {
			const others: unknown[] = [null, 'x', 0.123, [], {}, true];
			for (const other of others) {
				const copy = changed(item, place, (holder, name) => {
					holder[name] = other;
				});
				if (JSON.stringify(copy) !== JSON.stringify(item)) {
					expect([place, other, isFound(copy)]).toEqual([place, other, true]);
				}
			}
			const removed = changed(item, place, (holder, name) => {
				if (Array.isArray(holder)) holder.splice(Number(name), 1);
				else delete holder[name];
			});
			expect([place, isFound(removed)]).toEqual([place, true]);
			// At the top, fields of other steps may stand beside a report.
			if (place.length > 1) {
				const added = changed(item, place, (holder) => {
					if (Array.isArray(holder)) holder.push(null);
					else holder.added = null;
				});
				expect([place, isFound(added)]).toEqual([place, true]);
			}
		}
	});

	it('every character that is changed is found', () => {
		const texts = placesIn(item).filter((path) => {
			const value = path.reduce<any>((holder, name) => holder[name], item);
			return typeof value === 'string' && value !== '';
		});
		fc.assert(
			fc.property(fc.constantFrom(...texts), fc.nat(), fc.nat({ max: 94 }), (path, where, code) => {
				const copy = changed(item, path, (holder, name) => {
					const text = holder[name] as string;
					const place = where % text.length;
					const other = String.fromCharCode(32 + code);
					holder[name] = `${text.slice(0, place)}${other}${text.slice(place + 1)}`;
				});
				return JSON.stringify(copy) === JSON.stringify(item) || isFound(copy);
			}),
			{ numRuns: 1_000 },
		);
	});

	it('what is changed in the evidence is found although its digest was made anew', () => {
		const parts = [
			'report_sha256',
			'report_id',
			'report_fields',
			'pdf_sha256',
			'policy',
			'decision',
		];
		const places = placesIn(item.evidence).filter(
			(path) => parts.includes(String(path[0])) && path.at(-1) !== 'problem',
		);
		for (const place of places) {
			const evidence = changed(item.evidence, place, (holder, name) => {
				holder[name] = 'forged';
			}) as Record<string, unknown>;
			const { sha256: _digest, ...rest } = evidence;
			const forged = { ...item, evidence: { ...rest, sha256: digestOfJson(rest) } };
			expect([place, isFound(forged)]).toEqual([place, true]);
		}
	});
});

test('a decision that the rules do not make is found, with all digests made anew', () => {
	const item = itemWith();
	item.decision = { ...item.decision, outcome: 'allow', reasons: [] };
	const { sha256: _, ...rest } = { ...item.evidence, decision: item.decision };
	expect(findings({ ...item, evidence: { ...rest, sha256: digestOfJson(rest) } })).toEqual([
		'By the policy of the evidence the decision is review, for reasons other than the evidence says.',
	]);
});

describe('with its digest made anew, evidence does not fit', () => {
	const again = 'The decision cannot be made again: the evidence lacks a part of it.';
	it.each<[string, object, string]>([
		['without its policy', { policy: null }, again],
		['without its policy and time', { policy: null, decided_at: undefined }, again],
		['without its decision', { decision: null }, again],
		['without the time of the decision', { decided_at: undefined }, again],
		[
			'with only the time of a decision',
			{ policy: null, decision: null },
			'The evidence has the time of a decision, but no decision.',
		],
		[
			'with a word for the time of no decision',
			{ policy: null, decision: null, decided_at: 'x' },
			"'decided_at' of the evidence is not a time.",
		],
		[
			'with a number in place of the policy',
			{ policy: 7 },
			'The policy of the evidence is not an object.',
		],
		[
			'with a policy of another digest',
			{ policy: { ...policy.record, sha256: 'x' } },
			'The policy of the evidence was changed.',
		],
		['with another report ID', { report_id: 'x' }, 'The report has another ID than the evidence.'],
		[
			'with the 30th of February',
			{ screened_at: '2026-02-30T10:00:00.000Z' },
			"'screened_at' of the evidence is not a time.",
		],
		[
			'with no names of fields',
			{ report_fields: [], report_sha256: digestOfJson({}) },
			'The fields of the report are not those that the evidence names.',
		],
	])('%s', (_what, changes, finding) => {
		expect(findings(resealed(itemWith(), changes))).toContain(finding);
	});

	it('with a policy that has no rule', () => {
		const { sha256: _, ...rules } = { ...itemWith().evidence.policy, rules: [] };
		const changes = { policy: { ...rules, sha256: digestOfJson(rules) } };
		expect(findings(resealed(itemWith(), changes))).toEqual([
			expect.stringMatching(/^The decision cannot be made again. There is no rule/),
		]);
	});

	it('with a reason that no longer says that its rule could not be checked', () => {
		const item = itemWith();
		const { problem, ...reason } = item.decision.reasons.find((one: any) => one.problem);
		const decision = {
			...item.decision,
			reasons: item.decision.reasons.map((one: any) => (one.problem === problem ? reason : one)),
		};
		expect(problem).toBeDefined();
		expect(findings(resealed({ ...item, decision }, { decision }))).toHaveLength(1);
	});
});

test('evidence without a digest does not fit what has none, such as half of a character', () => {
	const { sha256: _, ...evidence } = itemWith().evidence;
	const item = { ...itemWith(), evidence: { ...evidence, package: '\ud800' } };
	expect(findings(item)).toContain('The evidence was changed after it was made.');
	const odd = { ...itemWith(), balance: '\ud800' };
	expect(findings(resealed(odd, { report_sha256: undefined }))).toContain(
		'The report is not the one that the evidence was made for.',
	);
});

test('the rules count as of the time of the decision', () => {
	const item = itemWith();
	const { sha256: _, ...rest } = { ...item.evidence, decided_at: '2026-11-22T00:00:00.000Z' };
	const evidence = { ...rest, sha256: digestOfJson(rest) };
	expect(findings({ ...item, evidence })).toHaveLength(1);
	const now = Date.now;
	Date.now = () => Date.UTC(2030, 0, 1);
	try {
		expect(findings(item)).toEqual([]);
	} finally {
		Date.now = now;
	}
});

describe('a finding names what does not fit', () => {
	const item = itemWith({ pdf });
	const evidence = item.evidence as object;
	it.each([
		[{ ...item, balance: '0 ETH' }, 'The report is not the one that the evidence was made for.'],
		[{ ...item, decision: undefined }, 'The item has no decision, but the evidence has one.'],
		[{ ...item, decision: {} }, 'The decision of the item is not the one of the evidence.'],
		[{ ...item, evidence: 'x' }, 'The evidence is not an object.'],
		[{ ...item, evidence: undefined }, 'The item contains no evidence.'],
		[{ ...item, evidence: null }, 'The item contains no evidence.'],
		[{ ...item, evidence: '' }, 'The item contains no evidence.'],
		[{ ...item, risk: undefined }, "The report has no 'risk' any more."],
		[
			{ ...item, evidence: { ...evidence, version: 2 } },
			'This node does not know the version of the evidence.',
		],
		[
			{ ...item, evidence: { ...evidence, package: 'other' } },
			'The evidence was changed after it was made.',
		],
		[
			{ ...item, evidence: { ...evidence, extra: 1 } },
			'The evidence has fields that do not belong to it.',
		],
		[
			{ ...item, evidence: { ...evidence, screened_at: 'yesterday' } },
			"'screened_at' of the evidence is not a time.",
		],
	])('%#', (given, finding) => {
		expect(findings(stored(given))).toContain(finding);
	});

	it('of a removed field', () => {
		const { balance: _, ...rest } = item;
		expect(findings(rest)).toContain("The report has no 'balance' any more.");
	});

	it('of a simplified report', () => {
		const simplified = { ...itemWith({ isSimplified: true }), risk_level: 'green' };
		expect(findings(simplified)).toEqual([
			"'risk_level' of the item is not what the report in the evidence says.",
		]);
	});

	it('of a PDF', () => {
		expect(findings(item, { pdf: Buffer.from('%PDF-1.7 of a Report') })).toEqual([
			'The PDF is not the one that the evidence was made for.',
		]);
		expect(findings(item, { pdf: null })).toEqual(['The item has no PDF.']);
		expect(findings(itemWith(), { pdf })).toEqual(['The evidence was made without a PDF.']);
	});

	it('of a decision that the evidence does not know', () => {
		const bare = evidenceOf({ ...run, fields: report });
		expect(findings(stored({ ...item, evidence: bare }))).toEqual([
			'The item has a decision, but the evidence has none.',
		]);
	});
});

test('an item without a report is an error, with or without evidence', () => {
	const { evidence } = itemWith();
	for (const item of [{}, { evidence }, { customer: 7, evidence }, { address: 'a' }]) {
		expect(() => verifyEvidence(item)).toThrow(ScreeningError);
	}
	expect(() => verifyEvidence(itemWith(), { reportField: 'missing' })).toThrow(ScreeningError);
});

test('an item that never was JSON is looked at as n8n stores it', () => {
	const time = { ...report, checked: at, nothing: undefined };
	const evidence = evidenceOf({ ...run, fields: time });
	expect(verifyEvidence({ ...time, decision: undefined, evidence })).toEqual(valid);
	expect(verifyEvidence(stored({ ...time, evidence }))).toEqual(valid);
	expect(() => verifyEvidence({ ...time, evidence, odd: 10n })).toThrow(ScreeningError);
});

test('evidence of the item itself comes before evidence beside the report', () => {
	const old = itemWith();
	const item = {
		report: old,
		decision: { ...old.decision, outcome: 'allow' },
		evidence: old.evidence,
	};
	expect(findings(item, { reportField: 'report' })).toEqual([
		'The decision of the item is not the one of the evidence.',
	]);
});
