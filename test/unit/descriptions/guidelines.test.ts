/** n8n's UX guidelines for verified community nodes, as far as they can be asserted and n8n's rules for ESLint do not. */
import { action, places } from './walk';
import { type INode, type INodeTypes, Workflow } from 'n8n-workflow';
import { resources } from '../../../nodes/WalletScreening/operations';
import { WalletScreening } from '../../../nodes/WalletScreening/WalletScreening.node';

// Operations share fields: each is looked at once.
const every = [
	...new Map(
		places.map(({ path, field }) => [
			JSON.stringify({ ...field, displayOptions: undefined, name: path.replace(/\[.*?\]/g, '') }),
			[path, field] as const,
		]),
	).values(),
];
const operations = resources.flatMap((resource) =>
	resource.operations.map(
		({ value, name }) => [resource.value, value, `${resource.name}: ${name}`] as const,
	),
);
it.each(operations)('%s %s is named on the canvas as %s', (resource, operation, title) => {
	const node: INode = {
		id: 'node',
		name: 'Node',
		type: action.name,
		typeVersion: 1,
		position: [0, 0],
		parameters: { resource, operation },
	};
	const nodeTypes = { getByNameAndVersion: () => new WalletScreening() } as unknown as INodeTypes;
	const own = { nodes: [node], connections: {}, active: false, nodeTypes };
	const { expression } = new Workflow(own);
	expect(expression.getSimpleParameterValue(node, action.subtitle, 'internal', {})).toBe(title);
});

// The node chooses how many requests are in progress: another number for jobs than for single addresses.
it.each(every.filter(([, { type, name }]) => type === 'number' && name !== 'concurrency'))(
	'%s has a default within its limits',
	(_, { default: value, typeOptions: { minValue = NaN, maxValue = Infinity } = {} }) => {
		expect(value).toBeGreaterThanOrEqual(minValue);
		expect(value).toBeLessThanOrEqual(maxValue);
	},
);

it.each(every.filter(([, { name }]) => /key$|secret|token|password/i.test(name)))(
	'%s hides a secret',
	(path, { typeOptions }) => {
		expect(typeOptions?.password === true).toBe(path.startsWith('credential'));
	},
);
