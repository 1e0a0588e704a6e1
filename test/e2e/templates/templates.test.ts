import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { INodeTypeDescription } from 'n8n-workflow';
import { projectFolder } from '../../../host/paths';
import { dataOf } from '../../../host/rest';
import type { Workflow } from '../../../host/instance';
import { anchorOf } from '../../support/anchor';
import { patience } from '../../support/workflows';
import { agentTests } from './agent';
import { agentAttackTests } from './agentAttack';
import { archiveTests } from './archive';
import { completedTests } from './completed';
import { eventTests } from './events';
import { failureTests } from './failures';
import { formTests } from './form';
import { listTests } from './list';
import { longListTests } from './longList';
import { nightlyTests } from './nightly';
import { payoutTests } from './payout';
import { policyTests } from './policy';
import { sheetTests } from './sheet';
import { type Stage, startStage } from './stage';
import { transactionTests } from './transaction';
import { watchTests } from './watch';
import { weeklyTests } from './weekly';

const folder = join(projectFolder, 'templates');
const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;

/** One n8n for all templates: a start takes half a minute. */
describe('the templates, in an n8n that reaches nothing beyond this machine', () => {
	let stage: Stage;
	let known: INodeTypeDescription[];
	beforeAll(async () => {
		stage = await startStage('e2e-templates');
		known = await stage.n8n.nodeTypes();
	}, patience);
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	describe.each(files)('%s', (file) => {
		const template = read(file);

		test('holds nothing of the person who made it', () => {
			const keys = ['id', 'name', 'nodes', 'connections', 'settings'];
			expect(keys).toEqual(expect.arrayContaining(Object.keys(template)));
			for (const node of template.nodes) {
				expect(node).not.toHaveProperty('credentials');
				expect(node).not.toHaveProperty('webhookId');
			}
		});

		test('says first what it does, what it needs, which n8n, and where there is more', () => {
			const [first] = template.nodes;
			const content = String(first?.parameters.content);
			expect(first?.name).toBe('About This Workflow');
			expect(content).toMatch(/^## .+\n.+/);
			expect(content).toContain('**You need:** ');
			expect(content).toContain('**n8n:** ');
			expect(content).toContain(`/docs/templates.md#${anchorOf(template.name)})`);
		});

		test('holds no long expression, and no code that an operation could replace', () => {
			// They read what an explorer answers, which no node of n8n's does.
			const readers = ['Read Esplora', 'Read Etherscan', 'Read TronGrid'];
			const coded = template.nodes.filter(({ type }) =>
				/\.(code|function|functionItem)$/.test(type),
			);
			expect(readers).toEqual(expect.arrayContaining(coded.map(({ name }) => name)));
			for (const { name, parameters } of template.nodes) {
				const texts = JSON.stringify(parameters, (_, value) =>
					typeof value === 'string' && !value.startsWith('=') ? undefined : value,
				);
				for (const [expression] of texts.matchAll(/\{\{.*?\}\}/g)) {
					const { length } = JSON.parse(`"${expression}"`) as string;
					expect({ name, expression, isLong: length > 120 }).toMatchObject({ isLong: false });
				}
			}
		});

		test('is imported with all its nodes, and nothing in them is lost', async () => {
			const { id } = await stage.n8n.saveWorkflow(template);
			const saved = await dataOf<Workflow>(stage.rest('GET', `/workflows/${id}`));
			// n8n gives each node that can be called a webhookId of its own.
			const nodes = saved.nodes.map(({ webhookId: _, ...node }) => node);
			expect(nodes).toEqual(template.nodes);
			expect(saved.connections).toEqual(template.connections);

			for (const { type, typeVersion } of template.nodes) {
				const versions = known
					.filter(({ name }) => name === type)
					.flatMap(({ version }) => version);
				expect({ type, versions }).toEqual({
					type,
					versions: expect.arrayContaining([typeVersion]),
				});
			}
		});
	});

	describe('an incoming transaction', () => {
		transactionTests(() => stage);
	});
	describe('customers, night after night', () => {
		nightlyTests(() => stage);
	});
	describe('addresses that are watched', () => {
		watchTests(() => stage);
	});
	describe('a list in bulk, with events', () => {
		eventTests(() => stage);
	});
	describe('a bulk job that is complete', () => {
		completedTests(() => stage);
	});
	describe('a list in bulk', () => {
		listTests(() => stage);
	});
	describe('a long list', () => {
		longListTests(() => stage);
	});
	describe('a Google Sheet', () => {
		sheetTests(() => stage);
	});
	describe('a policy on old reports', () => {
		policyTests(() => stage);
	});
	describe('a payout run', () => {
		payoutTests(() => stage);
	});
	describe('a form', () => {
		formTests(() => stage);
	});
	describe('an audit log', () => {
		weeklyTests(() => stage);
	});
	describe('a run that fails', () => {
		failureTests(() => stage);
	});
	describe('an agent', () => {
		agentTests(() => stage);
		agentAttackTests(() => stage);
	});
	describe('an archive of PDF reports', () => {
		archiveTests(() => stage);
	});
});
