/** n8n's UX guidelines for verified community nodes, as far as they can be asserted and n8n's rules for ESLint do not. */
import { action, choices, groups, isShown, places, scopes, settings, trigger } from './walk';
import { type INode, type INodeProperties, type INodeTypes, Workflow } from 'n8n-workflow';
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
	it.each(texts)('%s is described in sentence case: %s', (_, text) => {
		expect(text).not.toBe('');
		expect(inSentenceCase(text)).toBe(true);
	});

	it.each(texts)('%s does not speak of errors or in jargon: %s', (_, text) => {
		expect(text).not.toMatch(/\b(errors?|problems?|failures?|mistakes?|payload|endpoint|parse)\b/i);
	});

	it.each(every.filter(([, { placeholder }]) => placeholder !== undefined))(
		'%s has an example or the label of its button as placeholder',
		(_, { type, placeholder }) => {
			const button = { collection: /^Add option$/, fixedCollection: /^Add [a-z]+$/ };
			expect(placeholder).toMatch(button[type as keyof typeof button] ?? /^e\.g\. \S.*[^.]$/);
		},
	);

	it.each(every.filter(([, { type }]) => type === 'string' || type.endsWith('ollection')))(
		'%s has a placeholder, unless it is a secret',
		(_, { placeholder, typeOptions }) => {
			expect(placeholder === undefined).toBe(typeOptions?.password === true);
		},
	);
});

describe('operations', () => {
	const operations = action.properties.filter(({ name }) => name === 'operation').flatMap(choices);

	it.each(operations)(
		'$value has an action in sentence case, without articles',
		({ action: label }) => {
			expect(inSentenceCase(label as string)).toBe(true);
			expect(label).not.toMatch(/\b(a|an|the)\b|\.$/i);
		},
	);

	it('have actions that tell them apart', () => {
		expect(new Set(operations.map(({ action: label }) => label)).size).toBe(operations.length);
	});

	it.each(
		action.properties
			.filter(({ name }) => name === 'operation')
			.flatMap((field) =>
				choices(field).map(({ value, name }) => [
					String(field.displayOptions?.show?.resource),
					String(value),
					name,
				]),
			),
	)('%s %s is named on the canvas by its titles', (resource, operation, title) => {
		const node: INode = {
			...{ id: 'node', name: 'Node', type: action.name, typeVersion: 1, position: [0, 0] },
			parameters: { resource, operation },
		};
		const nodeTypes = {
			getByNameAndVersion: () => new WalletScreening(),
		} as unknown as INodeTypes;
		const workflow = new Workflow({ nodes: [node], connections: {}, active: false, nodeTypes });
		const group = choices(action.properties[0] as INodeProperties).find(
			({ value }) => value === resource,
		);
		expect(workflow.expression.getSimpleParameterValue(node, action.subtitle, 'internal', {})).toBe(
			`${group?.name}: ${title}`,
		);
	});
});

describe('choices', () => {
	const lists = [
		...ofType('options').map(
			([path, field]) => [path, choices(field).map(({ name }) => name)] as const,
		),
		...ofType('collection').map(
			([path, { options }]) =>
				[path, (options as INodeProperties[]).map(({ displayName }) => displayName)] as const,
		),
	];

	it.each(lists)('%s are sorted', (_, list) => {
		expect(list).toEqual([...list].sort((a, b) => a.localeCompare(b, 'en')));
	});
});

describe('defaults', () => {
	// The node chooses how many requests are in progress: another number for jobs than for single addresses.
	const entered = ofType('number').filter(([, { name }]) => name !== 'concurrency');

	it.each(entered)(
		'%s has a number within its limits',
		(_, { default: value, typeOptions: { minValue = NaN, maxValue = Infinity } = {} }) => {
			expect(value).toEqual(expect.any(Number));
			expect(value).toBeGreaterThanOrEqual(minValue);
			expect(value).toBeLessThanOrEqual(maxValue);
		},
	);

	it.each(ofType('fixedCollection'))('%s has what could be entered', (_, field) => {
		const entries = Object.entries(field.default as Record<string, Array<Record<string, unknown>>>);
		expect(groups(field).map(({ name }) => name)).toEqual(
			expect.arrayContaining(entries.map(([name]) => name)),
		);
		for (const [name, set] of entries) {
			const fields = groups(field).find((group) => group.name === name)?.values ?? [];
			for (const values of set) {
				const shown = fields.filter((inner) => isShown(inner, values));
				expect(Object.keys(values).sort()).toEqual(shown.map((inner) => inner.name).sort());
				for (const inner of shown.filter(({ type }) => type === 'options'))
					expect(choices(inner).map(({ value }) => value)).toContain(values[inner.name]);
			}
		}
	});
});

describe('fields', () => {
	it.each(scopes.map((scope) => [scope.path, scope] as const))(
		'%s never shows two of the same name, and each of them at some time',
		(_, scope) => {
			const shownAtSomeTime = new Set<INodeProperties>();
			for (const values of settings(scope)) {
				const shown = scope.fields.filter((field) => isShown(field, values));
				expect(shown.map(({ name }) => name)).toEqual([...new Set(shown.map(({ name }) => name))]);
				for (const field of shown) shownAtSomeTime.add(field);
			}
			expect(shownAtSomeTime.size).toBe(scope.fields.length);
		},
	);

	it.each(scopes.map((scope) => [scope.path, scope] as const))(
		'%s has one label for one name',
		(_, { fields }) => {
			// n8n's guidelines give the field of a file that is read a label of its own.
			const isRead = ({ displayName }: INodeProperties) => displayName === 'Input Binary Field';
			for (const { name, displayName } of fields.filter((field) => !isRead(field))) {
				const same = fields.filter((field) => field.name === name && !isRead(field));
				expect([...new Set(same.map((field) => field.displayName))]).toEqual([displayName]);
			}
		},
	);

	it.each(every.filter(([, { name }]) => /key$|secret|token|password/i.test(name)))(
		'%s hides a secret, and nothing else is hidden',
		(path, { typeOptions }) => {
			expect(typeOptions?.password === true).toBe(path.startsWith('credential'));
		},
	);

	it.each(every.filter(([path]) => path.includes('.options.')))(
		'%s is one of the options, so it is not required',
		(_, { required }) => {
			expect(required).not.toBe(true);
		},
	);
});
