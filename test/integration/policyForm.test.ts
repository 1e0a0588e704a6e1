/**
 * Tests how the form of *Change the Policy* reads sentences. Its pages are tested in e2e/templates.
 */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Expression, type IDataObject } from 'n8n-workflow';

import { readPolicy } from '../../nodes/WalletScreening/policy/policy';
import type { Workflow } from '../../tools/host/workflow';
import { numberedAddresses } from '../support/data/addresses';

const file = join(__dirname, '../../templates/change-the-policy.json');
const { nodes } = JSON.parse(readFileSync(file, 'utf8')) as Workflow;

interface Field {
	name: string;
	type: string;
	value: string;
}

/** The fields of these names that an Edit Fields node makes. */
function edited(node: string, names: string[], $json: IDataObject = {}): IDataObject {
	const { assignments } = nodes.find((one) => one.name === node)!.parameters.assignments as {
		assignments: Field[];
	};
	const data = {
		$json,
		// n8n's guard of computed names, which is not in question here.
		__sanitize: (name: unknown) => name,
		$: () => ({ first: () => ({ json: words }) }),
	};
	const valueOf = ({ type, value }: Field): unknown => {
		if (!value.startsWith('=')) return type === 'string' ? value : JSON.parse(value);
		Expression.initializeGlobalContext(data as never);
		return Expression.resolveWithoutWorkflow(value.slice(1), data as never);
	};
	const made = assignments.filter(({ name }) => names.includes(name));
	const fields = made.map((field) => [field.name, valueOf(field)] as const);
	// Between nodes, items are plain JSON.
	return JSON.parse(JSON.stringify(Object.fromEntries(fields))) as IDataObject;
}

const words = edited('Sentence Patterns', ['rule', 'list', 'waive', 'words']);

/** The policy that the form makes of the sentences of a person. */
const written = (texts: IDataObject) => edited('Policy', ['lines'], texts).lines;

const [first, second] = numberedAddresses(2) as [string, string];
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

/** Texts that a user writes, and below what they mean in the policy language. */
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
	const text = written({ ...texts, ...writing });
	expect(readPolicy(text).record).toEqual(readPolicy({ ...policy, ...meaning }).record);
});

test.each([
	['mixer above 0.5: review', "Rule 1 has a wrong 'operator' (above)"],
	['sanctions atleast 0.5: block', "Rule 1 has a wrong 'operator' (atleast)"],
	['sanctons at least 0.5: block', "Rule 1 has a wrong 'field' (sanctons)"],
	['level is red: stop', "Rule 1 has a wrong 'outcome' (stop)"],
	['level is red: block\nsanctions at least 0,5: block', "Rule 2 has a wrong 'value' (0,5)"],
	['', 'The policy has no rules'],
])('the rules %j come back with the words of the node', (rules, message) => {
	const otherwise = 'Review it';
	expect(() => readPolicy(written({ rules, otherwise }))).toThrow(message);
});
