/** n8n's UX guidelines for verified community nodes, as far as they can be asserted. */
import {
	action,
	choices,
	credential,
	groups,
	isShown,
	places,
	scopes,
	settings,
	trigger,
} from './walk';
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
const labels = [
	...places.flatMap(({ field }) => (field.type === 'notice' ? [] : field.displayName)),
	...places.flatMap(({ field }) => choices(field).map(({ name }) => name)),
	...places.flatMap(({ field }) => groups(field).map(({ displayName }) => displayName)),
];

const small = /^(a|an|and|at|by|for|in|of|on|or|per|the|to|with)$/;
function inTitleCase(label: string) {
	const words = label.split(' ');
	return words.every(
		(word, at) => /^\(?[A-Z]/.test(word) || (small.test(word) && at > 0 && at < words.length - 1),
	);
}

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

describe('labels', () => {
	it.each([
		...new Set([...labels, action.displayName, trigger.displayName, credential.displayName]),
	])('%s is in title case', (label) => {
		expect(inTitleCase(label)).toBe(true);
	});
});

describe('texts', () => {
	it.each(texts)('%s is described in sentence case: %s', (_, text) => {
		expect(text).not.toBe('');
		expect(inSentenceCase(text)).toBe(true);
	});

	it.each(texts)('%s ends in a full stop if it has several sentences: %s', (_, text) => {
		expect(text.endsWith('.')).toBe(text.slice(0, -1).includes('. '));
	});

	it.each(texts)('%s does not speak of errors or in jargon: %s', (_, text) => {
		expect(text).not.toMatch(/\b(errors?|problems?|failures?|mistakes?|payload|endpoint|parse)\b/i);
	});

	it.each(ofType('boolean'))('%s begins with "Whether"', (_, { description }) => {
		expect(description).toMatch(/^Whether to /);
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

	it('are there for every resource', () => {
		const [resource] = action.properties;
		const shownFor = action.properties
			.filter(({ name }) => name === 'operation')
			.map(({ displayOptions }) => displayOptions?.show);
		expect(shownFor).toEqual(
			choices(resource as INodeProperties).map(({ value }) => ({ resource: [value] })),
		);
	});

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

	it('and resources are chosen and described, and take no expression', () => {
		for (const field of action.properties.filter(({ name }) =>
			/^(resource|operation)$/.test(name),
		)) {
			expect(field).toMatchObject({ type: 'options', noDataExpression: true });
			for (const { description } of choices(field)) expect(description).toEqual(expect.any(String));
		}
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

	it.each(ofType('options'))('%s differ in name and value', (_, field) => {
		const { length } = choices(field);
		expect(length).toBeGreaterThan(0);
		expect(new Set(choices(field).map(({ name }) => name)).size).toBe(length);
		expect(new Set(choices(field).map(({ value }) => value)).size).toBe(length);
	});
});

describe('defaults', () => {
	it.each(ofType('string'))('%s has a text, without white space around it', (_, field) => {
		expect(field.default).toEqual(expect.any(String));
		expect((field.default as string).trim()).toBe(field.default);
	});

	it.each(ofType('boolean'))('%s is on or off', (_, { default: value }) => {
		expect(value).toEqual(expect.any(Boolean));
	});

	// The node chooses how many requests are in progress: another number for jobs than for single addresses.
	const isChosen = ({ name }: INodeProperties) => name === 'concurrency';

	it.each(ofType('number').filter(([, field]) => !isChosen(field)))(
		'%s has a number within its limits',
		(_, { default: value, typeOptions: { minValue = NaN, maxValue = Infinity } = {} }) => {
			expect(value).toEqual(expect.any(Number));
			expect(value).toBeGreaterThanOrEqual(minValue);
			expect(value).toBeLessThanOrEqual(maxValue);
		},
	);

	it.each(ofType('number').filter(([, field]) => isChosen(field)))(
		'%s has none',
		(_, { default: value }) => {
			expect(value).toBe('');
		},
	);

	it.each(ofType('options'))('%s has one of its choices', (_, field) => {
		expect(choices(field).map(({ value }) => value)).toContain(field.default);
	});

	it.each(ofType('collection'))('%s has no option set', (_, { default: value }) => {
		expect(value).toEqual({});
	});

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
