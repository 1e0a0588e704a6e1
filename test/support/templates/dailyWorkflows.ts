import type { IDataObject, IExecuteFunctions, INodeExecutionData, INodeType } from 'n8n-workflow';
import { createEngine, type Engine, type RunResult } from '../../../tools/host/engine/engine';
import { readTemplate } from '../../../tools/trial/templates';
import { createDataTables, type DataTables } from '../engine/dataTables';
import { loadNodesOfN8n } from '../engine/n8nNodes';

/** The nodes of n8n that run here. Stand-ins replace all its other nodes. */
const nodesToLoad = ['set', 'filter', 'splitOut', 'crypto', 'convertToFile', 'dataTable'];

/** The tables of *Set Up*, with their columns. */
const columns = Object.fromEntries(
	readTemplate('set-up')
		.nodes.filter(({ parameters }) => parameters.operation === 'create')
		.map(({ parameters: { tableName, columns: made } }) => [
			tableName as string,
			(made as { column: Array<{ name: string; type: string }> }).column,
		]),
);

interface StandInOptions {
	/** Called with the items before the node passes them on. */
	readonly onItems?: (items: INodeExecutionData[], context: IExecuteFunctions) => unknown;
	/** The names of the fields that `onItems` reads. */
	readonly fields?: readonly string[];
	readonly isTrigger?: boolean;
}

/** Creates a node that passes its items on. */
function createStandIn(
	displayName: string,
	{ onItems, fields = [], isTrigger = false }: StandInOptions = {},
): INodeType {
	return {
		description: {
			displayName,
			name: displayName,
			description: displayName,
			version: [1, 1.1, 1.2, 2.1, 2.6],
			group: [],
			defaults: { name: displayName },
			inputs: isTrigger ? [] : ['main'],
			outputs: ['main'],
			properties: fields.map((name) => ({
				displayName: name,
				name,
				type: 'string',
				default: '',
			})),
		},
		async execute(this: IExecuteFunctions) {
			const items = this.getInputData();
			await onItems?.(items, this);
			return [items];
		},
	};
}

/** What stays real under Jest's fake timers: everything except the date. */
const realTimers = [
	'nextTick',
	'setImmediate',
	'setTimeout',
	'setInterval',
	'queueMicrotask',
	'performance',
	'clearTimeout',
	'clearInterval',
	'clearImmediate',
	'hrtime',
] as const;

/**
 * The workflows of a day, in n8n's engine in this process. The rows of data tables, mails and
 * messages stay in memory.
 */
export class DailyWorkflows {
	tables: DataTables = createDataTables(columns);
	/** The items that workflows handed to other workflows: the messages to the team. */
	messages: IDataObject[] = [];
	mails: Array<{ subject: string; text: string; file: string }> = [];
	isMailDown = false;
	private engine!: Engine;

	private constructor() {}

	static async start(): Promise<DailyWorkflows> {
		jest.useFakeTimers({ doNotFake: [...realTimers] });
		const workflows = new DailyWorkflows();
		await workflows.startEngine();
		return workflows;
	}

	private async startEngine(): Promise<void> {
		// The engine keeps one provider, but `reset` replaces the tables.
		const provider = new Proxy({}, { get: (_, name) => Reflect.get(this.tables.provider, name) });
		this.engine = await createEngine({
			dataTables: provider,
			nodeTypes: {
				...(await loadNodesOfN8n(...nodesToLoad)),
				'n8n-nodes-base.executeWorkflowTrigger': createStandIn('When Called', { isTrigger: true }),
				'n8n-nodes-base.scheduleTrigger': createStandIn('Schedule', { isTrigger: true }),
				'n8n-nodes-base.formTrigger': createStandIn('Form', { isTrigger: true }),
				'n8n-nodes-base.executeWorkflow': createStandIn('Execute Sub-workflow', {
					onItems: (items) => this.messages.push(...items.map(({ json }) => json)),
				}),
				'n8n-nodes-base.emailSend': createStandIn('Send Email', {
					fields: ['subject', 'text'],
					onItems: async (_, context) => await this.takeMail(context),
				}),
			},
		});
	}

	private async takeMail({ helpers, getNodeParameter }: IExecuteFunctions): Promise<void> {
		if (this.isMailDown) throw new Error('The mail server does not answer');
		const file = (await helpers.getBinaryDataBuffer(0, 'data')).toString();
		const [subject, text] = ['subject', 'text'].map((name) => String(getNodeParameter(name, 0)));
		this.mails.push({ subject: subject!, text: text!, file });
	}

	/** Empties the tables and the lists of what was sent. */
	reset(): void {
		this.tables = createDataTables(columns);
		this.messages = [];
		this.mails = [];
		this.isMailDown = false;
	}

	/** Runs a template from one of its triggers, with one item. @throws the error of its node */
	async run(template: string, trigger: string, json: IDataObject = {}): Promise<RunResult> {
		const { nodes, connections } = readTemplate(template);
		// No connection leads to a trigger.
		const isTrigger = (name: string) =>
			!Object.values(connections).some(({ main }) => JSON.stringify(main).includes(`"${name}"`));
		const result = await this.engine.run(
			{
				nodes: nodes
					.filter(({ type }) => !type.endsWith('.stickyNote'))
					.map((node) => ({ ...node, disabled: isTrigger(node.name) && node.name !== trigger })),
				connections,
			},
			{ input: [json] },
		);
		if (result.error) throw result.error;
		return result;
	}

	async close(): Promise<void> {
		jest.useRealTimers();
		await this.engine.close();
	}
}
