import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import jest from 'eslint-plugin-jest';
import nodesBase from 'eslint-plugin-n8n-nodes-base';
import { parser, plugin as typescript } from 'typescript-eslint';

const asErrors = (rules) => Object.fromEntries(Object.keys(rules).map((rule) => [rule, 'error']));
const communityRules = asErrors(n8nCommunityNodesPlugin.configs.recommended.rules);
const plugins = { '@n8n/community-nodes': n8nCommunityNodesPlugin, 'n8n-nodes-base': nodesBase };
// Each of these contradicts a rule of n8n's own check for community packages: the nodes of n8n itself name a documentation
// page where a community node gives an address, and may write connection types as plain strings.
const contradicted = {
	'n8n-nodes-base/cred-class-field-documentation-url-miscased': 'off',
	'n8n-nodes-base/node-class-description-inputs-wrong-regular-node': 'off',
	'n8n-nodes-base/node-class-description-inputs-wrong-trigger-node': 'off',
	'n8n-nodes-base/node-class-description-outputs-wrong': 'off',
};
const nodesBaseRules = (set) => ({
	plugins,
	rules: { ...asErrors(nodesBase.configs[set].rules), ...contradicted },
});

/** The layers of CONTRIBUTING, from the top to the bottom: a folder calls no folder beside or above it. */
const layers = [
	['actions', 'webhook'],
	['execution'],
	['description'],
	['transport'],
	['messages'],
	['policy'],
	['client'],
	['answers'],
	['address'],
	['shared'],
];
/** The host has the first two. The libraries are built into the package, with their licences. */
const packages = ['n8n-workflow', 'zod', 'crypto'];
const libraries = ['@noble/hashes', '@scure/base'];

const boundariesOf = (folder, forbidden, allowed) => ({
	files: [`nodes/WalletScreening/${folder}`],
	rules: {
		'no-restricted-imports': [
			'error',
			{
				patterns: [
					{
						regex: `^(?!\\.|(${allowed.join('|')})(/|$))`,
						message: 'The package may not import it.',
					},
					...forbidden.map((name) => ({
						regex: `^\\.\\./(?:\\.\\./)*${name}(/|$)`,
						message: 'A folder calls only folders below it.',
					})),
				],
			},
		],
	},
});
const boundaries = layers.flatMap((folders, at) =>
	folders.map((folder) => {
		const others = layers.slice(0, at + 1).flat();
		const forbidden = others.filter((other) => other !== folder);
		const allowed = folder === 'address' ? [...packages, ...libraries] : packages;
		return boundariesOf(`${folder}/**/*.ts`, forbidden, allowed);
	}),
);

export default [
	boundariesOf('**/*.ts', [], packages),
	...boundaries,
	{ ignores: ['dist/', '.cache/', 'coverage/', 'demo-output/'] },
	{ linterOptions: { noInlineConfig: true } },
	{ files: ['**/*.ts'], languageOptions: { parser } },
	{
		files: ['**/*.json'],
		languageOptions: { parser, parserOptions: { extraFileExtensions: ['.json'] } },
	},
	{
		files: ['nodes/**/*.ts', 'credentials/**/*.ts', 'package.json'],
		plugins,
		rules: communityRules,
	},
	{ files: ['nodes/**/*.ts'], ...nodesBaseRules('nodes') },
	{ files: ['credentials/**/*.ts'], ...nodesBaseRules('credentials') },
	{ files: ['package.json'], ...nodesBaseRules('community') },
	{
		files: ['**/*.ts'],
		languageOptions: { parserOptions: { projectService: true } },
		plugins: { '@typescript-eslint': typescript },
		rules: {
			'@typescript-eslint/no-floating-promises': 'error',
			'@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
		},
	},
	{
		files: ['test/**/*.ts'],
		...jest.configs['flat/recommended'],
		rules: {
			...jest.configs['flat/recommended'].rules,
			'jest/expect-expect': [
				'error',
				{ assertFunctionNames: ['expect*', 'fc.assert', 'editor.*', 'check'] },
			],
			// Tests that several files run lie in functions.
			'jest/no-export': 'off',
			// What a property or a case of a table has to give depends on it.
			'jest/no-conditional-expect': 'off',
			// It wants a promise awaited where it is made; no-floating-promises is content with later.
			'jest/valid-expect': 'off',
			'no-restricted-syntax': [
				'error',
				{
					selector: "ExpressionStatement > CallExpression[callee.name='expect']",
					message: 'Without a matcher this asserts nothing.',
				},
			],
		},
	},
	// What it calls for each body asserts.
	{ files: ['test/unit/**/alertHostile.test.ts'], rules: { 'jest/expect-expect': 'off' } },
	{
		files: ['test/{e2e,support}/**/*.ts', 'test/unit/{description,docs,release}/**/*.ts'],
		rules: { 'jest/no-conditional-expect': 'error' },
	},
];
