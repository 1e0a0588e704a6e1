/** n8n's UX guidelines for verified community nodes, as far as they can be asserted and n8n's rules for ESLint do not. */
import { action, isShown, places, scopes, settings } from './walk';
import { type INode, type INodeProperties, type INodeTypes, Workflow } from 'n8n-workflow';
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
const ofType = (type: string) => every.filter(([, field]) => field.type === type);
describe('operations', () => {
	it.each(
		resources.flatMap((resource) =>
			resource.operations.map(
				({ value, name }) => [resource.value, value, `${resource.name}: ${name}`] as const,
			),
		),
	)('%s %s is named on the canvas as %s', (resource, operation, title) => {
		const node: INode = {
			...{ id: 'node', name: 'Node', type: action.name, typeVersion: 1, position: [0, 0] },
			parameters: { resource, operation },
		};
		const nodeTypes = { getByNameAndVersion: () => new WalletScreening() } as unknown as INodeTypes;
		const own = { nodes: [node], connections: {}, active: false, nodeTypes };
		const { expression } = new Workflow(own);
		const shown = expression.getSimpleParameterValue(node, action.subtitle, 'internal', {});
		expect(shown).toBe(title);
	});
});

// The node chooses how many requests are in progress: another number for jobs than for single addresses.
it.each(ofType('number').filter(([, { name }]) => name !== 'concurrency'))(
	'%s has a default within its limits',
	(_, { default: value, typeOptions: { minValue = NaN, maxValue = Infinity } = {} }) => {
		expect(value).toBeGreaterThanOrEqual(minValue);
		expect(value).toBeLessThanOrEqual(maxValue);
	},
);

describe('fields', () => {
	it.each(scopes)(
		'$path never shows two of the same name, and each of them at some time',
		(scope) => {
			const shownAtSomeTime = new Set<INodeProperties>();
			for (const values of settings(scope)) {
				const shown = scope.fields.filter((field) => isShown(field, values));
				expect(shown.map(({ name }) => name)).toEqual([...new Set(shown.map(({ name }) => name))]);
				for (const field of shown) shownAtSomeTime.add(field);
			}
			expect(shownAtSomeTime.size).toBe(scope.fields.length);
		},
	);

	it.each(scopes)('$path has one label for one name', ({ fields }) => {
		// n8n's guidelines give the field of a file that is read a label of its own.
		const some = fields.filter(({ displayName }) => displayName !== 'Input Binary Field');
		const labels = new Set(some.map(({ name, displayName }) => `${name}: ${displayName}`));
		expect(labels.size).toBe(new Set(some.map(({ name }) => name)).size);
	});

	it.each(every.filter(([, { name }]) => /key$|secret|token|password/i.test(name)))(
		'%s hides a secret',
		(path, { typeOptions }) => {
			expect(typeOptions?.password === true).toBe(path.startsWith('credential'));
		},
	);
});
