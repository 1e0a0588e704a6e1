import type { IDataObject } from 'n8n-workflow';
import { readTemplate } from '../../../tools/trial/templates';
import { notGreenAddress } from '../../support/templates/templateAddresses';
import { foundation, type ScreeningResult } from '../../support/templates/foundation';
import { stage } from '../../support/templates/stage';
import { startTeams, type Teams } from '../../support/servers/teams';
import { callWorkflow } from '../../support/templates/workflowCalls';

/** *Tell the Team* with Microsoft Teams as one of its channels. */
export function microsoftTeamsTests(): void {
	let teams: Teams;
	beforeAll(async () => void (teams = await startTeams()));
	afterAll(async () => await teams.close());
	beforeEach(() => void Object.assign(teams, { cards: [], refused: [], isDown: false }));

	/** Tells the team by those of the channels that are active. */
	const tell = async (active: readonly string[], ...messages: IDataObject[]) => {
		const workflow = await stage.importTemplate('tell-the-team', {
			'Tell in Slack': { disabled: !active.includes('Tell in Slack') },
			'Tell in Teams': {
				disabled: !active.includes('Tell in Teams'),
				parameters: { url: teams.url },
			},
			'Tell by E-Mail': { disabled: !active.includes('Tell by E-Mail') },
		});
		return await callWorkflow(workflow, messages);
	};

	test('gets texts, alerts and results as cards, in which a text is no markup', async () => {
		const [result] = await callWorkflow<ScreeningResult>(foundation.screening, [
			{ address: notGreenAddress, reference: 'P-1' },
		]);
		const alert = {
			title: 'Block: 0xab',
			text: 'Why: sanctions\nScore: 0.9',
			html: '<p>',
			slackBlocks: [],
		};
		const long = `first ${'<'.repeat(4000)} https://the.link`;
		const link = 'https://n8n.example/form?reference=1';
		await tell(
			['Tell in Teams'],
			{
				title: 'A https://evil.example title',
				text: '[Report](https://evil.example)\n\n**x**',
			},
			...[{ alert }, result!],
			{ title: 'BLOCKED', text: long, link, action: 'Release or reject' },
		);
		expect(teams.refused).toEqual([]);
		const board = {
			type: 'Action.OpenUrl',
			title: 'Open the board',
			url: expect.stringMatching(/^http\S+\/webhook\/screening-board$/) as string,
		};
		const [forged, alarm, decided, cut] = teams.texts();
		expect(forged).toBe('A https evil.example title\n[Report](https://evil.example)\n**x**');
		expect(alarm).toMatch(/^Block: 0xab\nTo do: .*\nWhy: sanctions\nScore: 0\.9$/);
		expect(decided).toContain(`review: ${notGreenAddress}`);
		expect(cut).toMatch(/^BLOCKED\nfirst [^]+\n\[cut\]\n[^]+the\.link$/);
		expect(teams.cards.map(({ actions }) => actions)).toEqual([
			[board],
			[board],
			[
				board,
				{ type: 'Action.OpenUrl', title: 'Open the screening report', url: result!.report_url },
			],
			[{ type: 'Action.OpenUrl', title: 'Release or reject', url: link }],
		]);
	});

	test('is deactivated as it comes, and then nothing counts as posted there', async () => {
		const { nodes } = readTemplate('tell-the-team');
		expect(nodes.find(({ name }) => name === 'Tell in Teams')?.disabled).toBe(true);
		stage.setDown('slack', 'mail');
		const forged = { title: 'T', text: 'x', statusCode: 202 };
		for (const active of ['Tell in Slack', 'Tell by E-Mail'])
			await expect(tell([active], forged)).rejects.toThrow('Not delivered');
	});

	test('a message fails only if none took it, and says why', async () => {
		stage.setDown('slack', 'mail');
		const all = ['Tell in Slack', 'Tell in Teams', 'Tell by E-Mail'];
		await tell(all, { title: 'T', text: 'in Teams' });
		expect(teams.texts()).toEqual(['T\nin Teams']);
		teams.isDown = true;
		await expect(tell(all, { title: 'T', text: 'x' })).rejects.toThrow(
			/Not delivered: T\. Slack: .+ Teams: .*503.* E-mail: .+/,
		);
		await expect(tell(['Tell in Teams'], { title: 'T', text: 'x' })).rejects.toThrow('503');
		stage.setDown('slack');
		await tell(all, { title: 'T', text: 'by mail' });
		expect(stage.mail.letters).toHaveLength(1);
	});
}
