/** What the form of *Change the Policy* makes of sentences, and what its preview says. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Expression, type IDataObject } from 'n8n-workflow';

import { decide } from '../../nodes/WalletScreening/risk/decision';
import { policyOfJson } from '../../nodes/WalletScreening/risk/policy';
import { reportOn } from '../../sandbox/reports';
import type { Workflow } from '../../tools/host/instance';
import { addressesOf } from '../support/addresses';
import { numbersFrom, seed } from '../support/random';
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
		const isConstant = type === 'object' && !value.startsWith('=');
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

const random = numbersFrom(seed);
const oneOf = <T>(choices: readonly T[]) => choices[Math.floor(random() * choices.length)]!;
const some = <T>(most: number, make: () => T) =>
	Array.from({ length: Math.floor(random() * (most + 1)) }, make);
const operators = { is: 'equals', 'is not': 'notEquals', 'at least': 'gte', 'at most': 'lte' };
const name = () => oneOf(['Own', 'Ours: old ones', 'a "quoted" \\ name', '<b>{{ 1 }}</b>']);
const address = () => oneOf(rows).address;

/** A sentence, and what it says in the policy language. */
function randomRule(): [sentence: string, rule: object] {
	const field = oneOf(['level', 'score', 'tx_count', 'sanctions', 'clean_exchange', 'other']);
	const isLevel = field === 'level';
	const word = oneOf(Object.keys(operators).filter((one) => !isLevel || one.startsWith('is')));
	const value = isLevel ? oneOf(['green', 'red', 'high risk']) : Math.round(random() * 100) / 100;
	const category = field === 'other' ? { categoryKey: oneOf(['gambling', 'at least']) } : {};
	const outcome = oneOf(['block', 'review']);
	const mayBeWaived = random() < 0.5;
	const operator = operators[word as keyof typeof operators];
	const rule = { field, ...category, operator, value, outcome, mayBeWaived };
	if (random() < 0.2) {
		const all = { all: [{ field, ...category, operator, value }], outcome, mayBeWaived };
		return [JSON.stringify(all), all];
	}
	const what = [field, ...Object.values(category), word, value].join(' ');
	return [`${what}: ${outcome}${mayBeWaived ? ', may be waived' : ''}`, rule];
}

function randomPolicy() {
	const rules = [randomRule(), ...some(4, randomRule)];
	const lists = some(1, () => ({
		...{ name: name(), outcome: oneOf(['block', 'review']) },
		addresses: some(3, address).concat(address()),
	}));
	const exceptions = some(2, () => ({
		...{ address: address(), ...(random() < 0.5 && { chain: oneOf(['ETH', 'Base 2']) }) },
		...{ until: '2099-12-31', approvedBy: name().replace(':', ''), reason: name() },
	}));
	const otherwise = oneOf([
		['Allow it if its level is green, else review it', 'allowGreen'],
		['Review it', 'review'],
		['Allow it, whatever its level', 'allow'],
	]);
	const texts = {
		...{ rules: rules.map(([sentence]) => sentence).join('\r\n\r\n'), otherwise: otherwise[0]! },
		lists: lists
			.map((list) => `${JSON.stringify({ ...list })}`)
			.concat(lists.length ? [] : [`Own: block: ${rows[0]!.address}, ${rows[1]!.address}`])
			.join('\n'),
		exceptions: exceptions
			.map((one) => {
				const on = one.chain ? ` on ${one.chain}` : '';
				return `${one.address}${on} until ${one.until} by ${one.approvedBy}: ${one.reason}`;
			})
			.join('\n'),
	};
	const addresses = [rows[0]!.address, rows[1]!.address];
	const own = { name: 'Own', outcome: 'block', addresses };
	const policy = {
		...{ otherwise: otherwise[1], rules: rules.map(([, rule]) => rule) },
		...{ lists: lists.length ? lists : [own], exceptions },
	};
	return { texts, policy };
}

test(`1,000 policies as the form writes them say what was meant, seed ${seed}`, async () => {
	for (let n = 0; n < 1000; n++) {
		const { texts, policy } = randomPolicy();
		expect(policyOfJson(written(texts).text).record).toEqual(policyOfJson(policy).record);
	}
});

test(`the preview of 100 policies is what Decide says, seed ${seed}`, async () => {
	const { html } = (parametersOf('Look').formFields as { values: Array<{ html: string }> })
		.values[0]!;
	const table = html.slice(0, html.indexOf('</table>'));
	for (let n = 0; n < 100; n++) {
		const { texts } = randomPolicy();
		const { text, reports } = written(texts);
		const decision = { ...parametersOf('Decide'), rulesJson: text, addEvidence: false };
		const parameters = { ...decision, policyName: '', policyVersion: '' };
		const run = { input: reports, onError: CONTINUE, credential: null } as const;
		const { json } = await service.run(parameters, run);
		const shown = String(valueOf(table, { Decide: json }));
		const expected = rows.map(
			({ report }) =>
				decide(JSON.parse(report) as never, policyOfJson(text), { at: new Date() }).outcome,
		);
		const count = (outcome: string) => expected.filter((one) => one === outcome).length;
		for (const outcome of ['block', 'review', 'allow'])
			expect(shown).toContain(
				`<td>${outcome}</td><td>${outcome === 'allow' ? 8 : 0}</td><td>${count(outcome)}</td>`,
			);
	}
});

test.each([
	['sanctions atleast 0.5: block', "Rule 1 has a wrong 'field' (sanctions a…)"],
	['sanctons at least 0.5: block', "Rule 1 has a wrong 'field' (sanctons)"],
	['level is red: stop', "Rule 1 has a wrong 'outcome' (stop)"],
	['level is red: block\nsanctions at least 0,5: block', "Rule 2 has a wrong 'value' (0,5)"],
	['', 'There is no rule'],
])('the rules %j come back with the words of the node', (rules, said) => {
	const otherwise = 'Review it';
	expect(() => policyOfJson(written({ rules, otherwise }).text)).toThrow(said);
});
