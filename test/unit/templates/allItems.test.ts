/**
 * n8n evaluates an expression for each item that a node gets. So one that reads all items, or one
 * item that holds what all of them hold, takes time in the square of their number, and n8n does
 * nothing else meanwhile. It may stand only in a node that gets one item.
 */
import type { INode } from 'n8n-workflow';
import type { Workflow } from '../../../tools/host/workflow';
import { readTemplate, templateNames } from '../../../tools/trial/templates';
import { connectInRow } from '../../support/n8n/workflows';

type Template = Pick<Workflow, 'nodes' | 'connections'> & { file: string };
const templates: Template[] = templateNames.map((file) => ({ file, ...readTemplate(file) }));

interface Named {
	template: string;
	node: string;
	because: string;
}

/** Nodes of this package that read a large item, but once for all items. */
const readByTheNode: Named[] = [
	{
		template: 'our-screening',
		node: 'Screen in Bulk',
		because: 'it reads a field of the first item of a node once, for all addresses',
	},
	{
		template: 'our-screening',
		node: 'Screen Each',
		because: 'it reads a field of the first item of a node once, for all addresses',
	},
	{
		template: 'reuse-and-budget',
		node: 'Decide',
		because: 'it reads a field of the first item of a node once, for all reports',
	},
	{
		template: 'reuse-and-budget',
		node: 'Screen in Bulk',
		because: 'it reads a field of the first item of a node once, for all addresses',
	},
	{
		template: 'reuse-and-budget',
		node: 'Screen Each',
		because: 'it reads a field of the first item of a node once, for all addresses',
	},
	{
		template: 'long-list-results',
		node: 'Decide',
		because:
			'the node reads the policy once if it is the same for all reports, and lets n8n work in between',
	},
];

/** Items that are large, whatever number of items there is. */
const largeItems: Named[] = [
	{
		template: 'our-screening',
		node: 'Policy',
		because: 'it holds the addresses of the sanctions list',
	},
	{
		template: 'reuse-and-budget',
		node: 'When Called',
		because: 'it holds the addresses of the sanctions list, and all items of the call',
	},
	{
		template: 'long-list-results',
		node: 'Policy',
		because: 'it holds the addresses of the sanctions list',
	},
];

const isNamed = (list: Named[], { template, node }: Omit<Named, 'because'>) =>
	list.some((one) => one.template === template && one.node === node);

const typeOf = ({ type }: INode) => type.split('.').at(-1)!;
const expressionsOf = (value: unknown): string[] => {
	if (typeof value === 'string') return value.startsWith('=') ? [value] : [];
	return typeof value === 'object' && value !== null
		? Object.values(value).flatMap(expressionsOf)
		: [];
};

/** Triggers that begin a run with one item. */
const triggers = [
	'formTrigger',
	'webhook',
	'scheduleTrigger',
	'manualTrigger',
	'errorTrigger',
	'chatTrigger',
];
/** Nodes that give no more items than they get. */
const passing = [
	'set',
	'crypto',
	'form',
	'if',
	'filter',
	'switch',
	'respondToWebhook',
	'convertToFile',
	'compression',
	'emailSend',
	'extractFromFile',
];

/** Nodes that read their parameters once, however many items they get. */
const readsOnce = ({ type, parameters }: INode) =>
	/\.(form|respondToWebhook|stopAndError|aggregate|splitInBatches|merge|limit)$/.test(type) ||
	parameters.operation === 'createDigest';

/** The fields that an Edit Fields node makes, without those that are small whatever they count. */
const fieldsOf = ({ parameters }: INode) => {
	const { assignments = [] } = (parameters.assignments ?? {}) as { assignments?: Field[] };
	return assignments.filter(({ type }) => type !== 'number' && type !== 'boolean');
};
interface Field {
	type: string;
	value: string;
}

/** Returns the relations between the nodes of a template. */
function graphOf({ file, nodes, connections }: Template) {
	const isLarge = (node: INode) => isNamed(largeItems, { template: file, node: node.name });
	const byName = new Map(nodes.map((node) => [node.name, node]));
	const before = (name: string) =>
		Object.entries(connections).flatMap(([from, { main }]) =>
			(main ?? []).flatMap((targets) =>
				(targets ?? []).filter(({ node }) => node === name).map(() => from),
			),
		);
	const operationOf = ({ parameters }: INode) => parameters.operation;
	/** Returns whether a node outputs at most one item in a run. */
	const givesOne = (node: INode, path: string[] = []): boolean => {
		const type = typeOf(node);
		if (triggers.includes(type) || type === 'aggregate') return true;
		if (type === 'walletScreening' && operationOf(node) === 'createDigest') return true;
		if (type === 'convertToFile' && /^(csv|toJson)$/.test(String(operationOf(node)))) return true;
		if (type === 'dataTable') {
			const isOne =
				node.parameters.limit === 1 || /^(insert|upsert|create)$/.test(String(operationOf(node)));
			return isOne && getsOne(node, path);
		}
		return (
			passing.includes(type) &&
			!(type === 'extractFromFile' && operationOf(node) !== 'text') &&
			getsOne(node, path)
		);
	};
	/** Returns whether a node works on at most one item in a run. */
	const getsOne = (node: INode, path: string[] = []): boolean => {
		if (node.executeOnce || readsOnce(node) || triggers.includes(typeOf(node))) return true;
		if (path.includes(node.name)) return false;
		const sources = before(node.name).map((name) => byName.get(name)!);
		return sources.length > 0 && sources.every((source) => givesOne(source, [...path, node.name]));
	};
	/**
	 * Returns whether an item of the node contains the content of all items of another node, or
	 * passes on such an item.
	 */
	const holdsAll = (node: INode, path: string[] = []): boolean => {
		if (typeOf(node) === 'aggregate' || isLarge(node)) return true;
		if (typeOf(node) === 'set' && expressionsOf(fieldsOf(node)).some((text) => readsAll.test(text)))
			return true;
		const passesOn =
			typeOf(node) === 'set'
				? node.parameters.includeOtherFields && node.parameters.include !== 'selected'
				: /^(crypto|if|filter|switch)$/.test(typeOf(node));
		if (!passesOn || path.includes(node.name)) return false;
		return before(node.name).some((name) => holdsAll(byName.get(name)!, [...path, node.name]));
	};
	return { byName, getsOne, holdsAll };
}

/** A node that an expression names: `$('Its Name')`. */
const namedNode = String.raw`\$\('((?:[^'\\]|\\.)*)'\)`;
/** Returns the names of the nodes that a pattern finds, with the name as its first group. */
const namesFound = (text: string, pattern: RegExp) =>
	[...text.matchAll(pattern)].map(([, name]) => unquoted(name!));
const unquoted = (name: string) => name.replaceAll("\\'", "'");
const anyNode = new RegExp(namedNode, 'g');
/** Finds the nodes whose items are read, except the linked item, which is another one each time. */
const otherItems = new RegExp(String.raw`${namedNode}(?!\.item\b|\.isExecuted)`, 'g');
const allOfNode = new RegExp(String.raw`${namedNode}\s*\.all\(`, 'g');
const readsAll = /\.all\(|\$items\(|\$input\.(?!first\(\)|item\b|last\(\)|all\()/;

/** A node that limits itself to so many rows of a data table may read all its items. */
const few = 250;
const isBounded = (node: INode | undefined) =>
	node !== undefined && typeOf(node) === 'dataTable' && Number(node.parameters.limit) <= few;
/** Removes from an expression the parts that read a limited number of rows. */
const withoutFew = (expression: string, byName: Map<string, INode>) =>
	expression.replace(allOfNode, (read, name: string) =>
		isBounded(byName.get(unquoted(name))) ? '' : read,
	);

/** Finds each expression of a template that reads all items, or an item that contains them all. */
function readsOf(template: Template) {
	const { byName, getsOne, holdsAll } = graphOf(template);
	return template.nodes.flatMap((node) =>
		expressionsOf(node.parameters).flatMap((expression) => {
			const large = namesFound(expression, otherItems).filter(
				(name) => holdsAll(byName.get(name)!) && name !== node.name,
			);
			const what = readsAll.test(withoutFew(expression, byName))
				? ['all items']
				: large.map((name) => `the item of ${name}`);
			return what.map((one) => ({
				template: template.file,
				node: node.name,
				reads: one,
				getsOne: getsOne(node),
			}));
		}),
	);
}
const reads = templates.flatMap(readsOf);

/** A node that gets each item of a list, behind one that contains the whole list. */
const sample = (expression: string): Template => ({
	file: 'sample',
	...connectInRow(
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
		{ name: 'List', type: 'n8n-nodes-base.httpRequest' },
		{ name: 'Ann\'s "Whole" List', type: 'n8n-nodes-base.aggregate' },
		{ name: 'Each', type: 'n8n-nodes-base.splitOut' },
		{ name: 'Reader', type: 'n8n-nodes-base.set', parameters: { value: expression } },
	),
});
const wholeList = String.raw`$('Ann\'s "Whole" List')`;

test.each([
	["={{ $('List').all().length }}", 'all items', 'it is the usual form'],
	["={{ $('List')\n.all(0, 1) }}", 'all items', 'a line may end before .all'],
	["={{ $items('List') }}", 'all items', 'it is the older form'],
	['={{ $input.all() }}', 'all items', 'its own items may be many'],
	['={{ $input.all?.() }}', 'all items', 'a call may be optional'],
	[`={{ ${wholeList}.first().json.data }}`, 'the item of Ann\'s "Whole" List', 'it is the list'],
	[
		`={{ ${wholeList}.last().json.data }}`,
		'the item of Ann\'s "Whole" List',
		'the last is the first',
	],
])('%s reads %s: %s', (expression, read, _because) => {
	const found = { template: 'sample', node: 'Reader', reads: read, getsOne: false };
	expect(readsOf(sample(expression))).toEqual([found]);
});

test.each([
	["={{ $('List').first().json.id }}", 'the first item of a list is small'],
	['={{ $input.first().json.id + $input.item.json.id }}', 'each is one item'],
	[`={{ ${wholeList}.item.json.id }}`, 'the linked item is another one each time'],
	[`={{ ${wholeList}.isExecuted }}`, 'it reads no item'],
	["$('List').all()", 'it is a text, and no expression'],
])('%s reads neither: %s', (expression, _because) => {
	expect(readsOf(sample(expression))).toEqual([]);
});

test('only nodes that get one item read all items', () => {
	const wrong = reads
		.filter(({ getsOne }) => !getsOne)
		.filter((one) => !isNamed(readByTheNode, one))
		.map(({ template, node, reads: what }) => `${template}: ${node} reads ${what}`);
	expect([...new Set(wrong)]).toEqual([]);
});

test.each(readByTheNode)('$template: $node is in a list: $because', (one) => {
	const stands = reads.filter(({ getsOne, ...read }) => !getsOne && isNamed([one], read));
	expect(stands).not.toEqual([]);
});

test('each node that an expression names is in its workflow', () => {
	for (const { file, nodes } of templates) {
		const names = nodes.map(({ name }) => name);
		const named = nodes.flatMap(({ parameters }) =>
			expressionsOf(parameters).flatMap((text) => namesFound(text, anyNode)),
		);
		const missing = named.filter((name) => !names.includes(name));
		expect({ file, missing }).toEqual({ file, missing: [] });
	}
});
