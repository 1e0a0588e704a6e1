/** n8n's UX guidelines for verified community nodes, as far as they can be asserted and n8n's rules for ESLint do not. */
import { action, choices, isShown, places, scopes, settings, trigger } from './walk';
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
const described = every.filter(
	([, { type, name }]) =>
		!['collection', 'notice', 'hidden'].includes(type) && !['operation', 'resource'].includes(name),
);
const ofType = (type: string) => every.filter(([, field]) => field.type === type);
/** Names that keep their case anywhere: of things, of standards, and of what the user sees elsewhere. */
const names =
	/\b(API|Address: Screen|Bulk Job: Screen and Wait|Bulk Job|ETH|HTML|ID|ISO 8601|JSON|PDF|Slack|Standard Webhooks|Submit|Unix|URL|UTC)\b/g;
function inSentenceCase(text: string) {
	return text.split(/(?<=\.) /).every((sentence) => {
		const [first = '', ...rest] = sentence.replace(names, (name) => name.toLowerCase());
		return (/[A-Z\d]/.test(first) || sentence.search(names) === 0) && !/[A-Z]/.test(rest.join(''));
	});
}

/** What a person reads beside the fields. */
const texts = [
	...described.map(([path, { description, hint }]) => [path, description ?? hint ?? ''] as const),
	...every.flatMap(([path, field]) =>
		choices(field).flatMap(({ name, description }) =>
			description === undefined ? [] : [[`${path}=${name}`, description] as const],
		),
	),
	['action', action.description] as const,
	['trigger', trigger.description] as const,
];

describe('texts', () => {
	it.each(texts)('%s is described in sentence case and without jargon: %s', (_, text) => {
		expect(text).not.toBe('');
		expect(inSentenceCase(text)).toBe(true);
		expect(text).not.toMatch(/\b(errors?|problems?|failures?|mistakes?|payload|endpoint|parse)\b/i);
	});

	it.each(every.filter(([, { type }]) => type === 'string' || type.endsWith('ollection')))(
		'%s has an example or the label of its button as placeholder, unless it is a secret',
		(_, { type, placeholder, typeOptions }) => {
			const button = { collection: /^Add option$/, fixedCollection: /^Add [a-z]+$/ };
			const shown = button[type as keyof typeof button] ?? /^e\.g\. \S.*[^.]$/;
			expect(placeholder ?? '').toMatch(typeOptions?.password ? /^$/ : shown);
		},
	);
});

describe('operations', () => {
	const operations = action.properties.filter(({ name }) => name === 'operation').flatMap(choices);

	it('have actions in sentence case, without articles, that tell them apart', () => {
		const labels = operations.map(({ action: label }) => String(label));
		const odd = labels.filter((one) => !inSentenceCase(one) || /\b(a|an|the)\b|\.$/i.test(one));
		expect(odd).toEqual([]);
		expect(new Set(labels).size).toBe(labels.length);
	});

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

it.each([...ofType('options'), ...ofType('collection')])('%s is sorted', (_, { options = [] }) => {
	const list = options.map((one) => ('displayName' in one ? one.displayName : one.name));
	expect(list).toEqual([...list].sort((a, b) => a.localeCompare(b, 'en')));
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
