import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Workflow } from '../../../tools/host/instance';
import { projectFolder } from '../../../tools/host/paths';
import { dataOf } from '../../../tools/host/rest';
import { agentTests } from './agent';
import { assistantTests } from './assistants';
import { auditPackTests } from './auditPack';
import { costTests } from './cost';
import { foundationTests, setUp } from './foundation';
import { listTests } from './lists';
import { longListTests } from './longList';
import { pageTests } from './pages';
import { smallTests } from './small';
import { readTemplate, stage } from './stage';
import { theDayTests } from './theDay';
import { watchTests } from './watch';

const templates = readdirSync(join(projectFolder, 'templates'));

const chapters: Array<[string, () => void]> = [
	['the pages', pageTests],
	['an audit pack', auditPackTests],
	['a day that adds up', theDayTests],
	['what screenings cost', costTests],
	['a long list', longListTests],
	['watched addresses', watchTests],
	['an agent', agentTests],
	['AI assistants', assistantTests],
];

/** The other workflows share one n8n: a start takes half a minute. */
describe('the templates, in an n8n that reaches nothing beyond this machine', () => {
	beforeAll(async () => await setUp('e2e-templates'));
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	test('are imported, and nothing in them is lost', async () => {
		for (const file of templates) {
			const template = await readTemplate(file.replace('.json', ''));
			const { id } = await stage.n8n.saveWorkflow(template);
			const saved = await dataOf<Workflow>(stage.rest('GET', `/workflows/${id}`));
			// n8n gives each node that can be called a webhookId of its own.
			const nodes = saved.nodes.map(({ webhookId: _, ...node }) => node);
			expect(nodes).toEqual(template.nodes);
			expect(saved.connections).toEqual(template.connections);
		}
	});

	foundationTests();
	listTests();
	smallTests();
	describe.each(chapters)('%s', (_, tests) => {
		tests();
	});
});
