import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type INode, type INodeIssues, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';
import { resources } from '../../nodes/WalletScreening/actions';
import { type N8n, startFreshInstance } from '../../tools/host/instance';
import type { Credential, Saved, Workflow } from '../../tools/host/workflow';
import { dataOf, logIn } from '../../tools/host/rest';
import { applyChoices } from '../../tools/trial/wiring';
import { projectFolder } from '../../tools/host/paths';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { sanctionedMixer } from '../support/data/knownAddresses';
import { serviceCredential } from '../support/n8n/workflows';
import { expectToBecome, type Editor, openEditor } from '../support/n8n/editor';
import {
	completedNodeName,
	editorWorkflow,
	screenNodeName,
	triggerWorkflow,
} from '../support/n8n/editorWorkflows';

const templates = join(projectFolder, 'templates');
/** Types of nodes that need a credential for something else than the service. */
const OTHER_SERVICES = [
	'n8n-nodes-base.slack',
	'n8n-nodes-base.emailSend',
	'n8n-nodes-base.n8n',
	'n8n-nodes-base.webhook',
	'n8n-nodes-base.googleSheets',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi',
	'@n8n/n8n-nodes-langchain.mcpTrigger',
];

/** Templates one below the other; the name of each node begins with that of its file. */
function onOneCanvas(files: string[]): Workflow[] {
	return files.map((file, at) => {
		const named = (name: string) => `${file} ${name}`;
		const json = readFileSync(join(templates, file), 'utf8');
		const { nodes, connections, ...rest } = JSON.parse(json, (key, value) =>
			key === 'node' && typeof value === 'string' ? named(value) : (value as unknown),
		) as Workflow;
		return {
			...rest,
			nodes: nodes.map(({ id, name, position: [x, y], ...node }) => ({
				...node,
				id: named(id),
				name: named(name),
				position: [x, y + at * 3000] as [number, number],
			})),
			connections: Object.fromEntries(
				Object.entries(connections).map(([name, to]) => [named(name), to]),
			),
		};
	});
}

function typeOf(node: INode, types: INodeTypeDescription[]): INodeTypeDescription {
	const isOfNode = ({ name, version }: INodeTypeDescription) =>
		name === node.type && [version].flat().includes(node.typeVersion);
	return types.find(isOfNode)!;
}

/**
 * Whether the editor looks at nothing but the parameters of such a node. Others need a credential,
 * or a part of an AI agent.
 */
const isPlain = ({ name, credentials = [] }: INodeTypeDescription) =>
	name.startsWith('n8n-nodes-base.') && credentials.length === 0;

/** What the editor finds in the parameters of a node, by the function that it calls for that. */
function issuesOf(node: INode, type: INodeTypeDescription): INodeIssues | null {
	const { properties } = type;
	const parameters =
		NodeHelpers.getNodeParameters(properties, node.parameters, true, false, node, type) ?? {};
	return NodeHelpers.getNodeParametersIssues(properties, { ...node, parameters }, type);
}

/** The connections of a workflow over which an AI agent gets its parts. */
const partsOfAgents = ({ connections }: Workflow) =>
	Object.fromEntries(Object.entries(connections).filter(([, to]) => !to.main));

describe("n8n's editor in a browser", () => {
	let sandbox: Sandbox;
	let n8n: N8n;
	let editor: Editor;
	let rightKey: Saved<Credential>;
	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await startFreshInstance('e2e-editor');
		rightKey = await credential(sandbox.keys.readWrite);
		editor = await openEditor(n8n);
	});

	afterAll(async () => {
		await editor?.close();
		await n8n?.stop();
		await sandbox?.close();
	});

	const credential = async (key: string) =>
		await n8n.saveCredential(serviceCredential(key, sandbox.baseUrl));
	const openSaved = async (workflow: Workflow) =>
		await editor.openWorkflow(await n8n.saveWorkflow(workflow));
	/** Opens the node of a new workflow that screens a sanctioned address. */
	const openScreening = async (key = rightKey) => {
		await openSaved(editorWorkflow(key, { address: sanctionedMixer }));
		await editor.openNode(screenNodeName);
	};

	test('imports a template from its file, which a person publishes as it is', async () => {
		const { page } = editor;
		await page.goto(`${n8n.url}/workflow/new`);
		const file = join(templates, 'screen-a-wallet.json');
		await page.getByTestId('workflow-import-input').setInputFiles(file);
		// n8n selects the only credential by itself.
		await page.getByText('Credentials auto-added').waitFor();
		await editor.expectMarks();
		await page.getByTestId('workflow-open-publish-modal-button').click();
		await page.getByTestId('workflow-publish-button').click();
		await page.getByTestId('activation-modal').waitFor();
		const id = new URL(page.url()).pathname.split('/').at(-1);
		const rest = await logIn(n8n.url, n8n.login);
		const saved = await dataOf<{ name: string; active: boolean }>(rest('GET', `/workflows/${id}`));
		expect(saved).toMatchObject({ name: 'Screen a Wallet', active: true });
	});

	test('offers the node by its operations, and it brings the credential along', async () => {
		const { page } = editor;
		await openSaved(editorWorkflow(rightKey, {}));
		await page.getByTestId('execute-workflow-button').waitFor();
		await page.getByTestId('canvas-handle-plus').last().click();
		await page.getByTestId('node-creator-search-bar').fill('Wallet Screening');
		const offered = page.getByTestId('node-creator-item-name');
		await expectToBecome(['Wallet Screening'], () => offered.allInnerTexts());
		await offered.click();
		const actions = resources.flatMap(({ operations }) => operations.map(({ action }) => action));
		await expectToBecome(actions, () => offered.allInnerTexts());
		await offered.getByText('Screen address', { exact: true }).click();
		const fields = ['Address', 'Chain', 'Include PDF', 'Add Decision', 'Options'];
		await editor.expectLabels('Resource', 'Operation', ...fields);
		const chosen = page.getByTestId('node-credentials-select').locator('input');
		expect(await chosen.inputValue()).toMatch(/\S/);
	});

	// Which fields an operation has: unit/contract/contract.jsonl.
	test('shows the fields of the operation that is chosen, and switches an option on that is added', async () => {
		const { page } = editor;
		await openScreening();
		await editor.choose('resource', 'Report');
		await editor.choose('operation', 'Compare');
		const fields = ['Report Field', 'Earlier Report Field', 'Smallest Change', 'Options'];
		await editor.expectLabels('Resource', 'Operation', ...fields);
		await page.getByTestId('collection-parameter-add').click();
		const added = page.getByTestId('parameter-input-onlyChanges').locator('.el-switch');
		await expectToBecome([true], async () =>
			added.evaluateAll((all) => all.map((one) => one.classList.contains('is-checked'))),
		);
	});

	test('adds a rule without a complaint, and changes its operator with the field', async () => {
		await openScreening();
		await editor.switchOn('addDecision');
		const { page } = editor;
		await page.getByTestId('ndv').getByRole('button', { name: 'Add rule' }).click();
		const rules = page.getByTestId('fixed-collection-decisionRules');
		// A new node has two rules, of three lists each.
		const earlierLists = 6;
		const chosen = async () => {
			const all = await rules.locator('.el-select input').all();
			return await Promise.all(
				all.slice(earlierLists).map(async (input) => await input.inputValue()),
			);
		};
		await expectToBecome(['Level', 'Is Not', 'Review'], chosen);
		expect(await rules.locator('.has-issues').count()).toBe(0);
		await rules.locator('.el-select').nth(earlierLists).click();
		await page
			.locator('.option-headline', { hasText: 'Sanctions' })
			.filter({ visible: true })
			.click();
		await expectToBecome(['Sanctions', 'Is at Least', 'Review'], chosen);
		expect(await rules.locator('.has-issues').count()).toBe(0);
	});

	test('shows the report and the decision after a run', async () => {
		await openScreening();
		const output = await editor.runStep('json');
		await output.getByText('"level"').first().waitFor();
		expect(await output.innerText()).toContain(sanctionedMixer);
		expect(await output.innerText()).toMatch(/"level":\s*"red"/);
	});

	test('tells of a wrong key what happened and how to get unstuck', async () => {
		await openScreening(await credential('a-key-that-nobody-issued'));
		await editor.executeStep();
		const { page } = editor;
		const message = await page.getByTestId('node-error-message').innerText();
		expect(message).toContain('The service does not accept the API key');
		expect(await page.getByTestId('node-error-description').innerText()).toContain(
			"Check 'API Key' in the credential",
		);
		expect(await page.getByTestId('ndv').innerText()).not.toContain('a-key-that-nobody-issued');
	});

	test('marks in the templates what their user has to choose, and nothing else', async () => {
		const all = onOneCanvas(readdirSync(templates)).map((one) =>
			applyChoices(one, { credentials: [rightKey], values: {} }),
		);
		const types = await n8n.nodeTypes();
		const everyNode = all.flatMap((one) => one.nodes);
		const isOfPlainType = (node: INode) => isPlain(typeOf(node, types));
		const plain = everyNode.filter(isOfPlainType);
		expect(plain.filter((node) => issuesOf(node, typeOf(node, types)))).toEqual([]);

		// A canvas with all nodes takes half a minute.
		const nodes = everyNode.filter((node) => !isOfPlainType(node));
		const connections = Object.assign({}, ...all.map(partsOfAgents));
		await openSaved({ ...all[0]!, nodes, connections });
		const incomplete = nodes.filter(({ type, disabled, parameters }) => {
			// The Crypto node needs a credential to sign, and none for a digest.
			const isSigning = parameters.action === 'hmac';
			const needsCredential =
				OTHER_SERVICES.includes(type) || parameters.genericAuthType || isSigning;
			const needsUrl = type === 'n8n-nodes-base.httpRequest' && !parameters.url;
			return !disabled && (needsCredential || needsUrl);
		});
		await editor.expectMarks(...incomplete.map(({ name }) => name));
	});

	test('tells in the panel of the trigger which address to give to the service', async () => {
		await openSaved(triggerWorkflow(rightKey));
		await editor.openNode(completedNodeName);
		const { page } = editor;
		await page.getByText('Webhook URLs', { exact: true }).click();
		await page.getByTestId('ndv').getByText('Production URL', { exact: true }).click();
		const panel = await page.getByTestId('ndv').innerText();
		expect(panel).toContain(`${n8n.url.replace('127.0.0.1', 'localhost')}/webhook/`);
		expect(panel).toContain('give the Production URL to the service');
		const fields = ['Output', 'Add Decision', 'Options'];
		await editor.expectLabels('Signature Scheme', 'Signature Header', ...fields);
		await editor.choose('signedContent', 'Standard Webhooks');
		await editor.expectLabels('Signature Scheme', 'Tolerance (Seconds)', ...fields);
	});
});
