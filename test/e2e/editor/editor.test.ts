import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeParameters } from 'n8n-workflow';
import {
	type Credential,
	type N8n,
	type Saved,
	startFreshInstance,
	withCredential,
	type Workflow,
} from '../../../tools/host/instance';
import { projectFolder } from '../../../tools/host/paths';
import { type Sandbox, startSandbox } from '../../../sandbox/server';
import { patience, serviceCredential } from '../../support/workflows';
import { becomes, type Editor, openEditor } from './editor';
import { completedNode, screeningWorkflow, screenNode, triggerWorkflow } from './workflows';

const SANCTIONED = '0x8589427373D6D84E98730D7795D8f6f8731FDA16';

const templates = join(projectFolder, 'templates');
/** Types of nodes that need a credential for something else than the service. */
const OTHER_SERVICES = [
	'n8n-nodes-base.slack',
	'n8n-nodes-base.emailSend',
	'n8n-nodes-base.webhook',
	'n8n-nodes-base.googleSheets',
	'@n8n/n8n-nodes-langchain.lmChatOpenAi',
	'@n8n/n8n-nodes-langchain.mcpTrigger',
];

const POLICY = [
	'Rules',
	'Decision Rules',
	...['Field', 'Operator', 'Value', 'Outcome', 'May Be Waived'],
	...['Otherwise', 'Policy Name', 'Policy Version', 'Exceptions'],
];
const RULES = ['Add Decision', ...POLICY];
const EVIDENCE = ['Add Evidence', 'Reference'];
const DECISION = [...RULES, ...EVIDENCE];
const PDF = ['Include PDF', 'Put Output File in Field', 'File Name'];
const COMMON = ['Concurrency', 'Max Retries', 'Request Timeout (Seconds)'];
const ITEM = ['Concurrency', 'Include Input Fields', 'Max Retries', 'Request Timeout (Seconds)'];
const REPORT = [
	...['Alert Text', 'Concurrency', 'Include Input Fields', 'Mark Execution', 'Max Retries'],
	...['Request Timeout (Seconds)', 'Simplify'],
];

/** Fields that show others once they are switched on. */
const SWITCHES = [
	{ name: 'includePdf', label: PDF[0], shows: PDF.slice(1) },
	{ name: 'addDecision', label: RULES[0], shows: RULES.slice(1) },
];

/** What each operation asks for, with all that can be switched on switched on, and its options (the public names). */
const OPERATIONS: Array<
	[resource: string, operation: string, fields: string[], options: string[]]
> = [
	['Address', 'Check', ['Address', 'Known Addresses'], []],
	[
		'Address',
		'Screen',
		['Address', 'Chain', ...PDF, ...DECISION],
		[REPORT[0]!, 'Check Addresses', ...REPORT.slice(1)],
	],
	['Alert', 'Create Digest', ['Title'], ['Max Listed Items']],
	[
		'Bulk Job',
		'Get',
		['Job ID', 'Output', 'Addresses', ...DECISION],
		[
			...['Alert Text', 'Concurrency', 'Include Input Fields', 'Mark Execution', 'Max Retries'],
			...['Only Not Green', 'Request Timeout (Seconds)', 'Simplify'],
		],
	],
	[
		'Bulk Job',
		'Screen and Wait',
		['Address Source', 'Address Field', 'Chain Field', ...DECISION],
		[
			...['Alert Text', 'Check Addresses', 'Concurrency', 'Include Input Fields'],
			...[
				'Mark Execution',
				'Max Retries',
				'Only Not Green',
				'Poll Interval (Seconds)',
				'Request Timeout (Seconds)',
				'Simplify',
			],
			'Timeout (Minutes)',
		],
	],
	[
		'Bulk Job',
		'Submit',
		['Address Source', 'Address Field', 'Chain Field'],
		['Check Addresses', ...COMMON],
	],
	[
		'Decision',
		'Decide',
		['Report Field', ...POLICY, ...EVIDENCE],
		['Alert Text', 'Mark Execution'],
	],
	['Decision', 'Verify Evidence', ['Report Field', 'Input Binary Field'], []],
	[
		'Report',
		'Compare',
		['Report Field', 'Earlier Report Field', 'Smallest Change'],
		['Only Changes'],
	],
	['Report', 'Download PDF', ['Report', 'Put Output File in Field', 'File Name'], ITEM],
	['Report', 'Get', ['Report', ...PDF, ...DECISION], REPORT],
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
				...{ id: named(id), name: named(name), position: [x, y + at * 3000] as [number, number] },
			})),
			connections: Object.fromEntries(
				Object.entries(connections).map(([name, to]) => [named(name), to]),
			),
		};
	});
}

describe("n8n's editor in a browser", () => {
	let sandbox: Sandbox;
	let n8n: N8n;
	let editor: Editor;
	let rightKey: Saved<Credential>;
	let good: Saved<Workflow>;
	let bad: Saved<Workflow>;
	/** A workflow to change: the editor saves what is changed in it. */
	let scratch: () => Promise<Saved<Workflow>>;
	let trigger: Saved<Workflow>;

	beforeAll(async () => {
		sandbox = await startSandbox();
		n8n = await startFreshInstance('e2e-editor');
		const credential = async (key: string) =>
			await n8n.saveCredential(serviceCredential(key, sandbox.baseUrl));
		rightKey = await credential(sandbox.keys.readWrite);
		good = await n8n.saveWorkflow(screeningWorkflow(rightKey, { address: SANCTIONED }));
		scratch = async () =>
			await n8n.saveWorkflow(screeningWorkflow(rightKey, { address: SANCTIONED }));
		bad = await n8n.saveWorkflow(
			screeningWorkflow(await credential('a-key-that-nobody-issued'), { address: SANCTIONED }),
		);
		trigger = await n8n.saveWorkflow(triggerWorkflow(rightKey));
		editor = await openEditor(n8n);
	}, patience);

	afterAll(async () => {
		await editor?.close();
		await n8n?.stop();
		await sandbox?.close();
	});

	test(
		'offers the node by its operations, and it brings the credential along',
		async () => {
			const { page } = editor;
			await editor.openWorkflow(await scratch());
			await page.getByTestId('execute-workflow-button').waitFor();
			await page.getByTestId('canvas-handle-plus').last().click();
			await page.getByTestId('node-creator-search-bar').fill('Wallet Screening');
			const offered = page.getByTestId('node-creator-item-name');
			await becomes(['Wallet Screening'], () => offered.allInnerTexts());
			await offered.click();
			await becomes(
				[
					...['Check address', 'Screen address', 'Create digest', 'Get bulk job'],
					...['Screen many addresses and wait', 'Submit bulk job', 'Decide on report'],
					...['Verify evidence', 'Compare report', 'Download PDF of report', 'Get report'],
				],
				() => offered.allInnerTexts(),
			);
			await offered.getByText('Screen address').click();
			await editor.shows(
				...['Resource', 'Operation', 'Address', 'Chain', 'Include PDF'],
				...['Add Decision', ...EVIDENCE, 'Options'],
			);
			const chosen = page.getByTestId('node-credentials-select').locator('input');
			expect(await chosen.inputValue()).toMatch(/\S/);
		},
		patience,
	);

	test.each(OPERATIONS)(
		'%s: %s shows its own fields and options, and no others',
		async (resource, operation, fields, options) => {
			await editor.openWorkflow(await scratch());
			await editor.openNode(screenNode);
			await editor.choose('resource', resource);
			await editor.choose('operation', operation);
			if (operation === 'Get' && resource === 'Bulk Job') {
				await editor.shows('Resource', 'Operation', 'Job ID', 'Output', 'Options');
				await editor.choose('output', 'Reports');
			}
			const switches = SWITCHES.filter(({ label }) => fields.some((field) => field === label));
			const hidden = switches.flatMap(({ shows }) => shows);
			const atFirst = fields.filter((field) => !hidden.includes(field));
			const collection = options.length > 0 ? ['Options'] : [];
			await editor.shows('Resource', 'Operation', ...atFirst, ...collection);
			for (const { name } of switches) await editor.switchOn(name);
			await editor.shows('Resource', 'Operation', ...fields, ...collection);
			if (options.length === 1) {
				await editor.addOnlyOption();
				await editor.shows('Resource', 'Operation', ...fields, 'Options', ...options);
				return;
			}
			const offered = options.length > 0 ? await editor.addableOptions() : [];
			expect(offered).toEqual(options);
		},
		patience,
	);

	test(
		'switches an option on that is added',
		async () => {
			await editor.openWorkflow(await scratch());
			await editor.openNode(screenNode);
			await editor.choose('resource', 'Report');
			await editor.choose('operation', 'Compare');
			await editor.addOnlyOption();
			const added = editor.page.getByTestId('parameter-input-onlyChanges').locator('.el-switch');
			await becomes([true], async () =>
				added.evaluateAll((all) => all.map((one) => one.classList.contains('is-checked'))),
			);
		},
		patience,
	);

	test(
		'adds a rule without a complaint, and changes its operator with the field',
		async () => {
			await editor.openWorkflow(await scratch());
			await editor.openNode(screenNode);
			await editor.switchOn('addDecision');
			const { page } = editor;
			await page.getByTestId('ndv').getByRole('button', { name: 'Add rule' }).click();
			const rules = page.getByTestId('fixed-collection-decisionRules');
			const chosen = async () => {
				const all = await rules.locator('.el-select input').all();
				return await Promise.all(all.slice(3).map(async (input) => await input.inputValue()));
			};
			await becomes(['Level', 'Is Not', 'Review'], chosen);
			expect(await rules.locator('.has-issues').count()).toBe(0);
			await rules.locator('.el-select').nth(3).click();
			await page
				.locator('.option-headline', { hasText: 'Sanctions' })
				.filter({ visible: true })
				.click();
			await becomes(['Sanctions', 'Is at Least', 'Review'], chosen);
			expect(await rules.locator('.has-issues').count()).toBe(0);
		},
		patience,
	);

	test(
		'shows the report and the decision after a run',
		async () => {
			await editor.openWorkflow(good);
			await editor.openNode(screenNode);
			await editor.executeStep();
			const output = editor.page.getByTestId('output-panel');
			await output.getByTestId('node-run-status-success').waitFor();
			await output.getByTestId('radio-button-json').click();
			await output.getByText('"level"').waitFor();
			expect(await output.innerText()).toContain(SANCTIONED);
			expect(await output.innerText()).toMatch(/"level":\s*"red"/);
		},
		patience,
	);

	test(
		'tells of a wrong key what happened and how to get unstuck',
		async () => {
			await editor.openWorkflow(bad);
			await editor.openNode(screenNode);
			await editor.executeStep();
			const { page } = editor;
			const message = await page.getByTestId('node-error-message').innerText();
			expect(message).toContain('The service does not accept the API key');
			expect(await page.getByTestId('node-error-description').innerText()).toContain(
				"Check 'API Key' in the credential",
			);
			expect(await page.getByTestId('ndv').innerText()).not.toContain('a-key-that-nobody-issued');
		},
		patience,
	);

	test(
		'marks in the templates what their user has to choose, and nothing else',
		async () => {
			const all = onOneCanvas(readdirSync(templates)).map((one) => withCredential(one, rightKey));
			const nodes = all.flatMap((one) => one.nodes);
			const connections = Object.assign(
				{},
				...all.map((one) => one.connections),
			) as Workflow['connections'];
			await editor.openWorkflow(await n8n.saveWorkflow({ ...all[0]!, nodes, connections }));
			const incomplete = nodes.filter(({ type, disabled, parameters }) => {
				const needsCredential = OTHER_SERVICES.includes(type) || parameters.genericAuthType;
				const callsNothing = (parameters.workflowId as INodeParameters | undefined)?.value === '';
				return !disabled && (needsCredential || callsNothing);
			});
			await editor.marks(...incomplete.map(({ name }) => name));
		},
		patience,
	);

	test(
		'tells in the panel of the trigger which address to give to the service',
		async () => {
			await editor.openWorkflow(trigger);
			await editor.openNode(completedNode);
			const { page } = editor;
			await page.getByText('Webhook URLs', { exact: true }).click();
			await page.getByTestId('ndv').getByText('Production URL', { exact: true }).click();
			const panel = await page.getByTestId('ndv').innerText();
			expect(panel).toContain(`${n8n.url.replace('127.0.0.1', 'localhost')}/webhook/`);
			expect(panel).toContain('give the Production URL to the service');
			await editor.shows(
				...['Signature Scheme', 'Signature Header', 'Output'],
				...['Add Decision', ...EVIDENCE, 'Options'],
			);
			for (const [scheme, fields] of [
				['Timestamp and Body', ['Signature Header', 'Timestamp Header', 'Tolerance (Seconds)']],
				['Stripe Style', ['Signature Header', 'Tolerance (Seconds)']],
				['Standard Webhooks', ['Tolerance (Seconds)']],
			] as const) {
				await editor.choose('signedContent', scheme);
				await editor.shows(
					...['Signature Scheme', ...fields, 'Output', 'Add Decision', ...EVIDENCE, 'Options'],
				);
			}
			await editor.choose('output', 'Batch');
			await editor.shows('Signature Scheme', 'Tolerance (Seconds)', 'Output', 'Options');
		},
		patience,
	);
});
