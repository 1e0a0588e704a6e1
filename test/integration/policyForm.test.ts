/** What the form of *Change the Policy* makes of sentences, and what its preview says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Expression, type IDataObject } from 'n8n-workflow';

import { decide } from '../../nodes/WalletScreening/risk/decision';
import { policyOfJson } from '../../nodes/WalletScreening/risk/policy';
import { reportOn } from '../../sandbox/reports';
import type { Workflow } from '../../tools/host/instance';
import { addressesOf } from '../support/addresses';
import { useService } from './engine/service';
import { CONTINUE } from './engine/workflows';

const service = useService();
const file = join(__dirname, '../../templates/change-the-policy.json');
const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as Workflow;
const parametersOf = (name: string) => nodes.find((one) => one.name === name)!.parameters;

/** What nodes gave, by their names, for expressions that ask for it. */
type Given = Record<string, IDataObject[]>;
function valueOf(expression: string, given: Given, $json: IDataObject = {}): unknown {
	const data = {
		$json,
		// n8n's guard of computed names, which is not in question here.
		__sanitize: (name: unknown) => name,
		$: (name: string) => {
			const all = given[name]!.map((json) => ({ json }));
			return { all: () => all, first: () => all[0] };
		},
	};
	Expression.initializeGlobalContext(data as never);
	return Expression.resolveWithoutWorkflow(expression.slice(1), data as never);
}

/** The fields that an Edit Fields node makes. */
function edited(name: string, $json: IDataObject, given: Given): IDataObject {
	const { assignments } = parametersOf(name).assignments as {
		assignments: Array<{ name: string; type: string; value: string }>;
	};
	const fields = assignments.map(({ name: field, type, value }) => {
		const isConstant = /object|array/.test(type) && !value.startsWith('=');
		const constant = isConstant ? (JSON.parse(value) as object) : value;
		const isExpression = value.startsWith('=') && !/\$now|\$\('In Force'\)|parseJson/.test(value);
		const resolved = isExpression ? valueOf(value, given, $json) : constant;
		return [field, resolved];
	});
	// Between nodes, items are plain JSON.
	return JSON.parse(JSON.stringify(Object.fromEntries(fields))) as IDataObject;
}

const words = edited('Words', {}, {});
const rows = addressesOf(8).map((address, at) => {
	const report = reportOn(address, 'ETH', 'http://localhost');
	return { reference: `P-${at}`, address, outcome: 'allow', report: JSON.stringify(report) };
});

/** The policy that the form makes of what somebody wrote. */
function written(texts: IDataObject) {
	const given: Given = { Words: [words], 'Last 30 Days': rows };
	const sentences = { ...texts, ...edited('Sentences', texts, given) };
	const policy = edited('Policy', { reason: 'why', json: '', ...sentences }, given);
	return { text: String(policy.json || policy.lines), reports: policy.reports as IDataObject[] };
}

const [first, second] = [rows[0]!.address, rows[1]!.address];
const rule = (field: string, operator: string, value: unknown, outcome: string, more = {}) => ({
	field,
	operator,
	value,
	outcome,
	mayBeWaived: false,
	...more,
});
const all = { all: [{ field: 'score', operator: 'gte', value: 0.2 }], outcome: 'block' };
const hostile = 'a "quoted" \\ name, <b>{{ 1 }}</b>';

/** What somebody writes, and what it says in the policy language. */
const texts = {
	rules: [
		'level is not green: review',
		'level is high risk: block, may be waived',
		'score at least 0.5: block',
		'tx_count at most 3: review',
		'clean_exchange is not 1: review',
		'other gambling at most 0.2: review',
		'other at least at least 0.7: block',
		JSON.stringify(all),
	].join('\r\n\r\n'),
	otherwise: 'Allow it, whatever its level',
	lists: `Own: block: ${first}, ${second}`,
	exceptions: [
		`${first} on Base 2 until 2099-12-31 by ${hostile}: Ours: old ones`,
		`${second} until 2099-12-30 by Ann: ${hostile}`,
	].join('\n'),
};
const policy = {
	otherwise: 'allow',
	rules: [
		rule('level', 'notEquals', 'green', 'review'),
		rule('level', 'equals', 'high risk', 'block', { mayBeWaived: true }),
		rule('score', 'gte', 0.5, 'block'),
		rule('tx_count', 'lte', 3, 'review'),
		rule('clean_exchange', 'notEquals', 1, 'review'),
		rule('other', 'lte', 0.2, 'review', { categoryKey: 'gambling' }),
		rule('other', 'gte', 0.7, 'block', { categoryKey: 'at least' }),
		all,
	],
	lists: [{ name: 'Own', outcome: 'block', addresses: [first, second] }],
	exceptions: [
		{
			address: first,
			chain: 'Base 2',
			until: '2099-12-31',
			approvedBy: hostile,
			reason: 'Ours: old ones',
		},
		{ address: second, until: '2099-12-30', approvedBy: 'Ann', reason: hostile },
	],
};
const list = { name: hostile, outcome: 'review', addresses: [second] };

test.each([
	['all kinds of sentences', {}, {}],
	['a list as JSON', { lists: JSON.stringify(list) }, { lists: [list] }],
	[
		'Allow If Green',
		{ otherwise: 'Allow it if its level is green, else review it' },
		{ otherwise: 'allowGreen' },
	],
	['Review', { otherwise: 'Review it' }, { otherwise: 'review' }],
])('the form makes of %s what was meant', (_what, writing, meaning) => {
	const { text } = written({ ...texts, ...writing });
	expect(policyOfJson(text).record).toEqual(policyOfJson({ ...policy, ...meaning }).record);
});

test.each([
	'level is not green: review',
	'score at least 0.05: block',
	'tx_count at least 1: review',
])('the preview of the policy %j is what Decide says', async (rules) => {
	const shows = (parametersOf('Look').formFields as { values: IDataObject[] }).values;
	const html = String(shows.find(({ elementName }) => elementName === 'changes')!.html);
	const table = html.slice(0, html.indexOf('</table>'));
	const { text, reports } = written({ rules, otherwise: 'Allow it, whatever its level' });
	const decision = { ...parametersOf('Decide'), rulesJson: text, addEvidence: false };
	const parameters = { ...decision, policyName: '', policyVersion: '' };
	const run = { input: reports, onError: CONTINUE, credential: null } as const;
	const { json } = await service.run(parameters, run);
	const shown = String(valueOf(table, { Decide: json }));
	const expected = rows.map(
		({ report }) =>
			decide(JSON.parse(report) as never, policyOfJson(text), { at: new Date() }).outcome,
	);
	for (const outcome of ['block', 'review', 'allow']) {
		const count = expected.filter((one) => one === outcome).length;
		const before = outcome === 'allow' ? 8 : 0;
		expect(shown).toContain(`<td>${outcome}</td><td>${before}</td><td>${count}</td>`);
	}
});

test.each([
	['mixer above 0.5: review', "Rule 1 has a wrong 'operator' (above)"],
	['sanctions atleast 0.5: block', "Rule 1 has a wrong 'operator' (atleast)"],
	['sanctons at least 0.5: block', "Rule 1 has a wrong 'field' (sanctons)"],
	['level is red: stop', "Rule 1 has a wrong 'outcome' (stop)"],
	['level is red: block\nsanctions at least 0,5: block', "Rule 2 has a wrong 'value' (0,5)"],
	['', 'There is no rule'],
])('the rules %j come back with the words of the node', (rules, said) => {
	const otherwise = 'Review it';
	expect(() => policyOfJson(written({ rules, otherwise }).text)).toThrow(said);
});
