import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { projectFolder } from '../../../host/paths';
import { dataOf } from '../../../host/rest';
import type { Workflow } from '../../../host/instance';
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
const files = readdirSync(folder);

/** One n8n for all templates: a start takes half a minute. */
describe('the templates, in an n8n that reaches nothing beyond this machine', () => {
	let stage: Stage;
	beforeAll(async () => {
		stage = await startStage('e2e-templates');
	}, patience);
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	test.each(files)('%s is imported, and nothing in it is lost', async (file) => {
		const template = JSON.parse(readFileSync(join(folder, file), 'utf8')) as Workflow;
		const { id } = await stage.n8n.saveWorkflow(template);
		const saved = await dataOf<Workflow>(stage.rest('GET', `/workflows/${id}`));
		// n8n gives each node that can be called a webhookId of its own.
		const nodes = saved.nodes.map(({ webhookId: _, ...node }) => node);
		expect(nodes).toEqual(template.nodes);
		expect(saved.connections).toEqual(template.connections);
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
