import type { IDataObject } from 'n8n-workflow';
import { reportOn } from '../../../sandbox/reports';
import { notGreenAddress } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { foundation, type ScreeningResult } from '../../support/templates/foundation';
import { stage, untilQuiet } from '../../support/templates/stage';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { outputOf } from '../../../tools/host/workflow';

const screen = async (item: IDataObject) =>
	(await callWorkflow<ScreeningResult>(foundation.screening, [item]))[0]!;
const tell = async (...messages: IDataObject[]) => await callWorkflow(foundation.tell, messages);

/** The workflow through which all others tell the team, in Slack and by e-mail. */
export function tellTheTeamTests(): void {
	test('says texts, alerts and results in Slack and by e-mail; a text is no markup', async () => {
		const result = await screen({ address: notGreenAddress, reference: 'P-1' });
		const forged = { title: 'A <!channel> title', text: 'To: x\n<https://evil.example|Report>' };
		await tell(forged, result);
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages.map(({ text }) => text)).toEqual([
			expect.stringMatching(
				/^\*A &lt;!channel> title\*\nTo: x\n&lt;https:\/\/evil\.example\|Report>\n<http\S+\/webhook\/screening-board\|Open the board>$/,
			),
			expect.stringContaining(`*review: ${notGreenAddress}*`),
		]);
		const [first, second] = stage.mail.letters;
		expect(first?.html).toContain('<b>To:</b> x<br>&#60;https://evil.example|Report&#62;');
		expect(first?.html).not.toContain('<!channel');
		const { report_url } = reportOn(notGreenAddress, undefined, stage.sandbox.baseUrl);
		expect(second?.text).toContain(`Open the screening report: ${report_url}`);
	});

	test('keeps the link below a text that it shortens', async () => {
		const text = `first ${'<'.repeat(4000)} https://the.link`;
		const link = 'https://n8n.example/form?reference=1';
		await tell({ title: 'BLOCKED', text, link, action: 'Release or reject' });
		expect(stage.slack.messages[0]?.text).toMatch(
			/^\*BLOCKED\*\nfirst [^]+\[cut\][^]+the\.link\n<https:\S+\|Release or reject>$/,
		);
		expect(stage.mail.letters[0]?.html).toContain(`<a href="${link}"`);
	});

	test('mails what is overdue to the head of the team, too', async () => {
		const link = 'https://n8n.example/form?reference=1';
		await tell({ title: 'OVERDUE', text: 'text', link, action: 'Answer', is_overdue: true });
		const { letters } = stage.mail;
		const recipients = letters.map(({ to }) => to?.[0]?.address);
		expect(recipients).toEqual(['head@example.com', 'team@example.com']);
		for (const { html } of letters) expect(html).toContain(`<a href="${link}"`);
	});

	test('fails only if neither took it', async () => {
		stage.setDown('slack');
		await tell({ title: 'T', text: 'by mail' });
		expect(stage.mail.letters).toHaveLength(1);
		stage.setDown('mail');
		await tell({ title: 'T', text: 'in Slack' });
		expect(stage.slack.messages).toHaveLength(1);
		stage.setDown('slack', 'mail');
		await expect(tell({ title: 'T', text: 'nowhere' })).rejects.toThrow('Not delivered: T');
		// n8n hands the failure to the workflow itself, which says it.
		stage.setDown();
		await untilQuiet();
	});

	test('with one of the two deactivated, a failure of the other one is a failure', async () => {
		const without = async (node: string) =>
			await stage.importTemplate('tell-the-team', { [node]: { disabled: true } });
		const [noMail, noSlack] = [await without('Tell by E-Mail'), await without('Tell in Slack')];
		await callWorkflow(noMail, [{ title: 'T', text: 'Slack only' }]);
		await callWorkflow(noSlack, [{ title: 'T', text: 'mail only' }]);
		expect([stage.slack.messages.length, stage.mail.letters.length]).toEqual([1, 1]);
		stage.setDown('slack', 'mail');
		for (const one of [noMail, noSlack]) {
			const telling = callWorkflow(one, [{ title: 'T', text: 'x', ok: true, messageId: '1' }]);
			await expect(telling).rejects.toThrow('Not delivered');
		}
	});

	test('says each morning that it runs, in which time zone, and until when addresses were read', async () => {
		const watched = table('Screening Watch');
		await watched.insert({ wallet: 'a wallet', checked_at: '2026-01-02T03:04:05.000Z' });
		await stage.runFrom(foundation.tell, 'Every Morning');
		const [message] = stage.slack.messages;
		expect(message?.text).toMatch(/is running: \d{4}-\d\d-\d\d \d\d:\d\d \(\w+\/\w+/);
		// In n8n's zone.
		const [, time = ''] = /a wallet read until (\S+[+-]\d\d:\d\d)/.exec(message?.text ?? '') ?? [];
		expect(Date.parse(time)).toBe(Date.parse('2026-01-02T03:04:05.000Z'));
		await watched.clear();
	});

	test('names the workflow, the node and the reason of a run that failed', async () => {
		const error = { message: 'No server responds' };
		const url = 'http://n8n.example/execution/7';
		const execution = { url, lastNodeExecuted: 'Screen', error };
		const json = { workflow: { id: '1', name: 'Payouts' }, execution };
		await stage.runFrom(foundation.tell, 'When a Run Fails', outputOf(json));
		for (const known of ['Payouts', 'Screen', error.message, url]) {
			expect(stage.slack.messages[0]?.text).toContain(known);
		}
	});
}
