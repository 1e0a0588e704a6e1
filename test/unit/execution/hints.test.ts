import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { showCounts } from '../../../nodes/WalletScreening/execution/itemCounts';
import { describeMissingCategories } from '../../../nodes/WalletScreening/execution/missingCategories';

const address = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const report = (level: string, outcome?: string): IDataObject => ({
	...(outcome && { outcome, summary: `${outcome}: why` }),
	level,
	report: { address, risk: { categories: { sanctions: 0.893, mixer: 0.1, clean_exchange: 1.4 } } },
});
const failure: IDataObject = { error: 'No answer', details: { errorClass: 'server' } };
const repeated = (count: number, json: IDataObject) => Array.from({ length: count }, () => json);

function hintFor(list: IDataObject[], notes: string[] = []) {
	const hints: NodeExecutionHint[] = [];
	const addExecutionHints = (...more: NodeExecutionHint[]) => hints.push(...more);
	showCounts({ addExecutionHints } as unknown as IExecuteFunctions, list, notes);
	return hints.map(({ message, type }) => [message, type]);
}

it.each<[item: IDataObject, message: string, type: string, name: string]>([
	[report('red', 'block'), 'block: why', 'danger', 'a block'],
	[report('red', 'review'), 'review: why', 'warning', 'a review'],
	[report('green', 'allow'), 'allow: why', 'info', 'an allow'],
	[
		{ ...report('red'), outcome: 'block', sanctions: true },
		'block, sanctions hit, red, sanctions 0.893',
		'danger',
		'a decision without its summary',
	],
	[{ outcome: 'review', sanctions: false }, 'review', 'warning', 'an outcome alone'],
	[report('green'), 'green, sanctions 0.893', 'info', 'green without a decision'],
	[report('amber'), 'amber, sanctions 0.893', 'warning', 'another level without a decision'],
	[
		{ ...report('green'), asked_chain: 'BSC' },
		'green, of another chain, sanctions 0.893',
		'warning',
		'a report of another chain',
	],
	[
		{ ...report('green'), asked_chain: '' },
		'green, sanctions 0.893',
		'info',
		'a row of a table, which has an empty text for what an item lacks',
	],
	[{ level: 'red', mixer: 0.5 }, 'red', 'warning', 'an item without its report'],
	[failure, 'Failed: No answer', 'danger', 'a failure'],
	[report('red', 'Block '), 'Block : why', 'danger', 'a block that a user wrote by hand'],
	[
		report('green', 'blocked'),
		'green, sanctions 0.893',
		'warning',
		'an outcome that no decision has',
	],
])('a hint on %j is %j, with the type %s: %s', (item, message, type) => {
	expect(hintFor([item])).toEqual([[message, type]]);
});

it('a hint counts the outcomes of many, the worst first, in the colour of the worst', () => {
	const many = [
		...repeated(96, report('green', 'allow')),
		...repeated(3, report('red', 'block')),
		...repeated(2, { ...failure, outcome: 'allow' }),
		report('violet', 'review'),
	];
	expect(hintFor(many)).toEqual([['3 block, 2 failed, 1 review, 96 allow', 'danger']]);
	expect(hintFor(repeated(2, report('green', 'allow')))).toEqual([['2 allow', 'info']]);
	expect(hintFor([report('red'), report('green')])).toEqual([['1 not green, 1 green', 'warning']]);
	expect(
		hintFor(repeated(2, report('green')), ['2 addresses in 1 bulk job', '1 left out']),
	).toEqual([['2 green. 2 addresses in 1 bulk job, 1 left out', 'info']]);
});

it('a hint is silent if nothing came, and bears any value as a level', () => {
	for (const items of [[{ job_id: 'job_1' }], []]) expect(hintFor(items)).toEqual([]);
	expect(hintFor([report('x'.repeat(1e6))])[0]![0]!.length).toBeLessThan(200);
	// n8n shows hints as HTML.
	expect(hintFor([report('<a href=x>green</a>')])[0]![0]).not.toMatch(/[<>]/);
});

it('a hint names a category that no report in the output has, and those that they have', () => {
	const reasonOn = (field: string, actual: number | null = null) => ({
		field,
		operator: 'gte',
		value: 0.5,
		actual,
		outcome: 'review',
	});
	const item = (categories: IDataObject, ...reasons: IDataObject[]) => ({
		report: { address, risk: { categories } },
		reasons,
	});
	const start =
		"No report in the output has the category 'sanction', so the rules on it result in a review.";
	const misspelt = reasonOn('sanction');
	const some = { mixer: 0, scam: 0, sanctions: 0.9 };
	expect(
		describeMissingCategories([item(some, misspelt), item(some, { all: [misspelt] })]),
	).toEqual([`${start} The reports have these: mixer, scam, sanctions.`]);
	expect(describeMissingCategories([item({}, misspelt)])).toEqual([start]);
	const fine = ['mixer', 'level', 'chain'].map((field) => reasonOn(field));
	const given = reasonOn('gambling', 0.5);
	expect(describeMissingCategories([item({}, ...fine, given), item({ mixer: 0.1 })])).toEqual([]);
	expect(describeMissingCategories([{ error: 'Down' }, {}])).toEqual([]);
	// The report of what an agent gets may have the category.
	expect(describeMissingCategories([{ reasons: [misspelt] }])).toEqual([]);
});
