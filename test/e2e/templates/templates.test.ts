import type { Workflow } from '../../../tools/host/workflow';
import { dataOf } from '../../../tools/host/rest';
import { readTemplate, templateNames } from '../../../tools/trial/templates';
import { agentTests } from './agent';
import { assistantTests } from './assistants';
import { auditPackTests } from './auditPack';
import { checkAWalletTests } from './checkAWallet';
import { costTests } from './cost';
import { customersNightlyTests } from './customersNightly';
import { firstWorkflowTests } from './firstWorkflows';
import { setUp } from '../../support/templates/foundation';
import { googleSheetTests } from './googleSheet';
import { longListTests } from './longList';
import { microsoftTeamsTests } from './microsoftTeams';
import { ourScreeningTests } from './ourScreening';
import { pageTests } from './pages';
import { payoutRunTests } from './payoutRun';
import { stage } from '../../support/templates/stage';
import { tellTheTeamTests } from './tellTheTeam';
import { theDayTests } from './theDay';
import { watchReadingTests } from './watchReading';
import { watchScreeningTests } from './watchScreening';
import { weeklyReportTests } from './weeklyReport';

const chapters: Array<[string, () => void]> = [
	['Our Screening', ourScreeningTests],
	['Tell the Team', tellTheTeamTests],
	['Microsoft Teams', microsoftTeamsTests],
	['a payout run', payoutRunTests],
	['customers, night after night', customersNightlyTests],
	['a Google Sheet', googleSheetTests],
	['the form for one wallet', checkAWalletTests],
	['a first workflow', firstWorkflowTests],
	['the weekly report', weeklyReportTests],
	['the pages', pageTests],
	['an audit pack', auditPackTests],
	['a day that adds up', theDayTests],
	['what screenings cost', costTests],
	['a long list', longListTests],
	['payments to watched addresses', watchReadingTests],
	['the screening of payments to watched addresses', watchScreeningTests],
	['an agent', agentTests],
	['AI assistants', assistantTests],
];

/** The other workflows share one n8n: a start takes half a minute. */
describe('the templates, in an n8n that reaches nothing beyond this machine', () => {
	beforeAll(async () => await setUp('e2e-templates'));
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	test('are imported, and nothing in them is lost', async () => {
		for (const name of templateNames) {
			const template = readTemplate(name);
			const { id } = await stage.n8n.saveWorkflow(template);
			const saved = await dataOf<Workflow>(stage.rest('GET', `/workflows/${id}`));
			// n8n gives each node that can be called a webhookId of its own.
			const nodes = saved.nodes.map(({ webhookId: _, ...node }) => node);
			expect(nodes).toEqual(template.nodes);
			expect(saved.connections).toEqual(template.connections);
		}
	});

	describe.each(chapters)('%s', (_, tests) => {
		tests();
	});
});
