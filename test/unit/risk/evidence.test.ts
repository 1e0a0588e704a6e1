import { digestOfJson } from '../../../nodes/WalletScreening/risk/canonical';
import { decide } from '../../../nodes/WalletScreening/risk/decision';
import { evidenceOf } from '../../../nodes/WalletScreening/risk/evidence';
import { policyOfJson } from '../../../nodes/WalletScreening/risk/policy';
import { apart, asReport, reportAt, simplify } from '../../../nodes/WalletScreening/risk/report';
import { verifyEvidence } from '../../../nodes/WalletScreening/risk/verification';
import { ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { reportBody } from '../support/answers';

const at = new Date('2026-11-21T12:00:00.123Z');
const pdf = Buffer.from('%PDF-1.7 of a report');
const report = reportBody({
	risk: { level: 'amber', score: 0.4, categories: { sanctions: 0.1, mixer: 1e-7 } },
});
const others = { addresses: ['vitalik.eth'], max_age_days: 2 };
const policy = policyOfJson({
	...{ name: 'Payments', version: 3, otherwise: 'allow' },
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
	],
});
const input = { amount: 5000, payer: { country: 'KP', name: 'J. Doe' }, odd: {} };
const run = { package: 'n8n-nodes-wallet-screening@1.0.0', workflowId: 'w1', executionId: '7' };

interface Given {
	isSimplified?: boolean;
	chain?: string;
	pdf?: Uint8Array;
	fields?: object;
}

/** An item as n8n stores it. */
const stored = <T>(item: T) => JSON.parse(JSON.stringify(item)) as Record<string, any>;
const itemWith = ({ isSimplified = false, chain, fields = report, ...rest }: Given = {}) => {
	const decision = decide(asReport(fields)!, policy, { at, chain, input });
	const evidence = evidenceOf({
		...{ ...run, fields, isSimplified, reference: 'Payment 17', screenedAt: at, ...rest },
		askedChain: chain,
		retrievedAt: new Date(at.getTime() + 1),
		decided: { decision, policy, at, input },
		serviceNames: { jobId: ['ticket'] },
	});
	const own = isSimplified ? simplify(asReport(fields)!) : fields;
	return stored({ ...own, ...(chain && { asked_chain: chain }), decision, evidence });
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
		...{ version: 1, reference: 'Payment 17', service_names: { jobId: ['ticket'] } },
		screened_at: '2026-11-21T12:00:00.123Z',
		retrieved_at: '2026-11-21T12:00:00.124Z',
		decided_at: '2026-11-21T12:00:00.123Z',
		report_id: 'rep_1',
		report_fields: ['address', 'balance', 'chain', 'report_id', 'report_url', 'risk', 'tx_count'],
		inputs: { amount: 5000, 'payer.country': 'KP' },
		...{ policy: policy.record, decision, package: run.package },
		...{ workflow_id: 'w1', execution_id: '7' },
	});
	expect(report_sha256).toBe(digestOfJson(report));
	// printf '%%PDF-1.7 of a report' | openssl dgst -sha256
	expect(pdf_sha256).toBe('cee3d1f256be8d323d08336dbc530985500b96231458cc3a14885dc17eae4ca6');
	expect(sha256).toBe(digestOfJson({ ...rest, report_sha256, pdf_sha256 }));
	expect(JSON.stringify(policy.record)).not.toContain('vitalik');
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
	const { decision, evidence, ...rest } = itemWith();
	it.each<[string, object, object]>([
		['simplified', itemWith({ isSimplified: true }), {}],
		['with its PDF', itemWith({ pdf }), { pdf }],
		['of another chain than asked for', itemWith({ chain: 'TRX' }), {}],
		['beside other fields', { customer: { id: 7 }, ...itemWith(), alert: {}, change: 1 }, {}],
		['beside fields of it', { ...report, ...itemWith({ isSimplified: true }) }, {}],
		['in a field, as text', { s: JSON.stringify(itemWith()) }, { reportField: 's' }],
		['in a row that keeps no decision', { r: rest, evidence }, { reportField: 'r' }],
		['with texts of JSON', { evidence: JSON.stringify(evidence), ...rest }, {}],
	])('%s', (_, item, options) => {
		expect(verifyEvidence(item as Record<string, unknown>, options)).toEqual(valid);
	});

	it('after the words for people have changed', () => {
		const item = itemWith({ chain: 'TRX' });
		const said = structuredClone(item.decision);
		for (const one of [said, ...said.reasons])
			for (const words of ['summary', 'problem']) if (one[words]) one[words] = 'Anders gesagt';
		expect(findings(resealed({ ...item, decision: said }, { decision: said }))).toEqual([]);
	});

	it('as n8n stores it', () => {
		const time = { ...report, checked: at, nothing: undefined };
		const made = evidenceOf({ ...run, fields: time });
		expect(verifyEvidence({ ...time, decision: undefined, evidence: made })).toEqual(valid);
		expect(() => verifyEvidence({ ...time, evidence: made, odd: 10n })).toThrow(ScreeningError);
	});
});

/** The places of all values in an item. */
type Path = Array<string | number>;
const placesIn = (value: unknown, path: Path = []): Path[] => {
	if (typeof value !== 'object' || value === null) return [path];
	const inner = Object.entries(value).flatMap(([name, own]) => placesIn(own, [...path, name]));
	return path.length > 0 ? [path, ...inner] : inner;
};
const changed = (item: object, path: Path, change: (holder: any, name: any) => void) => {
	const copy = structuredClone(item);
	const holder = path.slice(0, -1).reduce<any>((value, name) => value[name], copy);
	change(holder, path.at(-1));
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
		const changes: Array<(holder: any, name: any) => void> = [
			(holder, name) => (holder[name] = 'x'),
			(holder, name) => (holder[name] = typeof holder[name] === 'object' ? {} : null),
			(holder, name) => (Array.isArray(holder) ? holder.splice(name, 1) : delete holder[name]),
			(holder) => (Array.isArray(holder) ? holder.push(null) : (holder.added = null)),
		];
		const missed = changes.map((change) =>
			places
				.filter((place) => !isFound(changed(item, place, change)))
				.map((place) => place.join('.')),
		);
		// An item may hold no copy of the decision, and fields of other steps beside the report.
		expect(missed).toEqual([[], [], ['decision'], Object.keys(item)]);
	});

	it('what is changed in the evidence is found although its digest was made anew', () => {
		const parts = 'report_sha256 report_id report_fields pdf_sha256 policy decision'.split(' ');
		const words = ['problem', 'summary'];
		const places = placesIn(item.evidence).filter(
			([part, ...rest]) => parts.includes(String(part)) && !words.includes(String(rest.at(-1))),
		);
		for (const place of [...places, ['inputs', 'amount'], ['inputs']]) {
			const evidence = changed(item.evidence, place, (holder, name) => (holder[name] = 'forged'));
			expect([place, isFound(resealed(item, evidence))]).toEqual([place, true]);
		}
	});
});

describe('with its digest made anew, evidence does not fit', () => {
	const lacks = 'The evidence cannot be made again: it lacks a part of the decision.';
	const never = (name: string) => `'${name}' of the evidence does not fit the rest.`;
	it.each<[object, string]>([
		[{ policy: null }, lacks],
		[{ decided_at: '2026-11-21' }, lacks],
		[{ policy: null, decision: null, inputs: undefined }, never('decided_at')],
		[{ screened_at: '2026-02-30T10:00:00.000Z' }, never('screened_at')],
		[{ extra: 1 }, never('extra')],
		[{ version: 2 }, 'This node does not know the version of the evidence.'],
		[{ report_fields: 'address' }, 'The evidence cannot be made again: it names no report.'],
		[{ policy: { rules: [] } }, 'The evidence cannot be made again: There is no rule.'],
	])('%j', (changes, finding) => {
		expect(findings(resealed(itemWith(), changes))).toContain(finding);
	});

	const { decision } = itemWith();
	const withOther = (list: string, outcome: string) => ({
		...decision,
		reasons: [...decision.reasons.filter((one: any) => one.list !== list), { list, outcome }],
	});
	const withoutProblem = stored({
		...decision,
		reasons: decision.reasons.map((one: any) => (one.list ? one : { ...one, problem: undefined })),
	});
	it.each<[string, object]>([
		['outcome', { outcome: 'allow', reasons: [], summary: 'Allow: no rule applies' }],
		['hit on a list', withOther('Miss', 'review')],
		['list', withOther('Unknown', 'review')],
		['rule that could be checked', withoutProblem],
	])('with another %s than the rules decide', (_what, forged) => {
		expect(findings(resealed({ ...itemWith(), decision: forged }, { decision: forged }))).toEqual([
			expect.stringMatching(/^(By the policy of the evidence the decision is|The evidence cannot)/),
		]);
	});

	it('at another time: exceptions are over, and lists grow old', () => {
		for (const decided_at of ['2026-11-22T00:00:00.000Z', '2026-11-22T00:00:00.001Z']) {
			expect(findings(resealed(itemWith(), { decided_at }))).toHaveLength(1);
		}
		jest.useFakeTimers({ now: Date.UTC(2030, 0, 1) });
		expect(findings(itemWith())).toEqual([]);
		jest.useRealTimers();
	});
});

describe('a finding names what does not fit', () => {
	const item = itemWith({ pdf });
	it.each<[object, string]>([
		[{ balance: undefined }, 'The fields of the report are not those that the evidence names.'],
		[{ decision: {} }, 'A decision of the item is not the one of the evidence.'],
		[{ evidence: undefined }, 'The item contains no evidence.'],
		[{ balance: '\ud800' }, expect.stringContaining('The report has no digest') as string],
		[
			{ ...itemWith({ isSimplified: true }), risk: undefined, risk_level: 'green' },
			"'risk_level' of the item is not what the report in the evidence says.",
		],
		[
			{ risk_level: 'no such level' },
			"The item contains no report: 'risk_level' and another field say two things of the risk.",
		],
	])('%#: %s', (changes, finding) => {
		expect(findings(stored({ ...item, ...changes }))).toContainEqual(finding);
	});

	it('of what rules compared, if the item still has it', () => {
		expect(findings({ ...itemWith(), amount: '5000', payer: { country: 'KP' } })).toEqual([]);
		expect(findings({ ...itemWith(), amount: 50, payer: { country: 'DE' } })).toEqual([
			"'amount' of the item is not what the rules compared.",
			"'payer.country' of the item is not what the rules compared.",
		]);
	});

	it('of a PDF', () => {
		expect(findings(item, { pdf: Buffer.from('%PDF-1.7 of a Report') })).toEqual([
			'The PDF is not the one that the evidence was made for.',
		]);
		expect(findings(item, { pdf: null })).toEqual(['The item has no PDF.']);
		expect(findings(itemWith(), { pdf })).toEqual(['The evidence was made without a PDF.']);
	});
});

describe('all copies agree', () => {
	const { decision, evidence, ...rest } = itemWith();
	const forged = { ...decision, outcome: 'allow', reasons: [] };
	const other = 'A decision of the item is not the one of the evidence.';

	const older = resealed({ evidence }, { execution_id: '6' });
	const two = 'The item contains two different pieces of evidence.';

	it.each<[object, string, string[]]>([
		[{ decision, evidence, report: { ...rest, decision: forged } }, 'report', [other]],
		[{ decision: JSON.stringify(forged), report: { ...rest, evidence } }, 'report', [other]],
		[{ row: JSON.stringify({ decision: forged, report: rest }), evidence }, 'row.report', [other]],
		[{ evidence, report: { ...rest, ...older } }, 'report', [two]],
		// An object beside the way to the report says nothing.
		[{ 'a.b': { ...rest, evidence }, a: { decision: forged } }, 'a.b', []],
	])('%#: in %j', (item, reportField, found) => {
		expect(findings(item, { reportField })).toEqual(found);
	});
});

describe('fields of the service that are named like those of this node', () => {
	const theirs = {
		...{ decision: { outcome: 'allow' }, alert: 'x', change: 1, evidence: {}, verification: 1 },
	};
	const sent = { ...report, ...theirs, asked_chain: 'TRX', service_alert: 'y' };

	it('get names of their own, and lose nothing', () => {
		const { decision, alert, change, evidence, verification, asked_chain, ...rest } = sent;
		expect(apart(sent)).toEqual({
			...{ ...rest, service_decision: decision, service_service_alert: alert },
			...{ service_change: change, service_evidence: evidence },
			...{ service_verification: verification, service_asked_chain: asked_chain },
		});
		expect(apart(report)).toBe(report);
	});

	it.each([false, true])('spoil no honest evidence; simplified: %s', (isSimplified) => {
		expect(verifyEvidence(itemWith({ fields: apart(sent), isSimplified }))).toEqual(valid);
	});

	it('belong to a report in a field of its own, and are no copies', () => {
		const { fields } = reportAt({ report: sent }, 'report');
		const { decision, evidence } = itemWith({ fields });
		const held = (one: object) =>
			findings({ report: one, decision, evidence }, { reportField: 'report' });
		expect(held(sent)).toEqual([]);
		expect(held({ ...sent, decision: { outcome: 'block' } })).not.toEqual([]);
	});
});

test('an item without a report is an error, with or without evidence', () => {
	const { evidence } = itemWith();
	for (const item of [{}, { customer: 7, evidence }, { address: 'a' }])
		expect(() => verifyEvidence(item)).toThrow(ScreeningError);
	expect(() => findings(itemWith(), { reportField: 'missing' })).toThrow(ScreeningError);
});
