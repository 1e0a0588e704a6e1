import { n8nCommunityNodesPlugin } from '@n8n/eslint-plugin-community-nodes';
import parser from '@typescript-eslint/parser';
import nodesBase from 'eslint-plugin-n8n-nodes-base';

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

export default [
	{ ignores: ['dist/', '.cache/', 'coverage/'] },
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
];
