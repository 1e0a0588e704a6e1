import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Workflow } from '../../../tools/host/instance';
import { projectFolder } from '../../../tools/host/paths';
import { dataOf } from '../../../tools/host/rest';
import { patience } from '../../support/workflows';
import { agentTests } from './agent';
import { approveTests } from './approve';
import { assistantTests } from './assistants';
import { foundationTests, setUp } from './foundation';
import { listTests } from './lists';
import { longListTests } from './longList';
import { reviewTests } from './review';
import { sanctionsTests } from './sanctions';
import { smallTests } from './small';
import { readTemplate, type Stage, startStage } from './stage';
import { watchTests } from './watch';

const files = readdirSync(join(projectFolder, 'templates')).map((file) =>
	file.replace('.json', ''),
);

/** One n8n for all templates: a start takes half a minute. */
describe('the templates, in an n8n that reaches nothing beyond this machine', () => {
	let stage: Stage;
	let shared: Awaited<ReturnType<typeof setUp>>;
	beforeAll(async () => {
		stage = await startStage('e2e-templates');
		shared = await setUp(stage);
	}, patience);
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	test.each(files)('%s is imported, and nothing in it is lost', async (file) => {
		const template = await readTemplate(file);
		const { id } = await stage.n8n.saveWorkflow(template);
		const saved = await dataOf<Workflow>(stage.rest('GET', `/workflows/${id}`));
		// n8n gives each node that can be called a webhookId of its own.
		const nodes = saved.nodes.map(({ webhookId: _, ...node }) => node);
		expect(nodes).toEqual(template.nodes);
		expect(saved.connections).toEqual(template.connections);
	});

	foundationTests(
		() => stage,
		() => shared,
	);
	listTests(() => stage);
	describe('a payment that waits for people', () => {
		approveTests(() => stage);
	});
	describe('a payment that one person reviews', () => {
		reviewTests(() => stage);
	});
	describe('a sanctions hit', () => {
		sanctionsTests(
			() => stage,
			() => shared,
		);
	});
	describe('a long list', () => {
		longListTests(() => stage);
	});
	describe('watched addresses', () => {
		watchTests(() => stage);
	});
	describe('an agent', () => {
		agentTests(
			() => stage,
			() => shared,
		);
	});
	describe('AI assistants', () => {
		assistantTests(() => stage);
	});
	smallTests(
		() => stage,
		() => shared,
	);
});
