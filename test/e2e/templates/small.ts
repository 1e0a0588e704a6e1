import type { IDataObject } from 'n8n-workflow';
import { parse } from 'csv-parse/sync';
import { seed } from '../../support/random';
import { reportOn } from '../../../sandbox/reports';
import { scenarioAddress } from '../../../sandbox/scenarios';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { table } from './dataTable';
import { breakPolicy, callWorkflow, foundation, tellWhatStops } from './foundation';
import { hostileRows } from './hostile';
import { logInOwner } from './person';
import { resourceLocator, outputOf, pastTime, postTo, stage, untilQuiet } from './stage';

const refusedAddress = scenarioAddress('refused');
/** The workflows that work on their own first. */
export function smallTests(): void {
	/** What "Replace" makes of the node, with *Our Screening* selected. */
	const replaced = () => {
		const parameters = { workflowId: resourceLocator('id', foundation.screening.id), options: {} };
		const node = { type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2, parameters };
		return { Screen: node };
	};

	test('the form shows the result, or says what to do if the service gave none', async () => {
		await table('Screening Results').clear();
		await stage.publishTemplate('check-a-wallet-form', {
			'When a Person Enters a Wallet': { webhookId: 'check-a-wallet' },
		});
		const person = await logInOwner();
		const shown = async (address: string) =>
			(await (await person.open('check-a-wallet')).send({ Address: address })).html;
		const { report_url } = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		const red = await shown(sanctionedAddress);
		for (const known of ['STOPPED: sanctions hit', 'Decision: block', 'Sanctions 0.', report_url])
			expect(red).toContain(known);
		expect(await shown(greenAddress)).toContain('Decision: allow');
		const mistyped = await shown(sanctionedAddress.replace('a', 'A'));
		expect(mistyped).toMatch(/Not screened: this is not an all-clear.*Copy the address again/s);
		expect(await table('Screening Results').rows()).toHaveLength(3);
		await stage.withdrawAll();
	});

	describe.each([
		['on its own', false],
		['with Our Screening in the place of Screen', true],
	])('%s', (_, isReplaced) => {
		const changes = () => (isReplaced ? replaced() : {});

		test('the starter goes one of three ways', async () => {
			const workflow = await stage.importTemplate('screen-a-wallet', changes());
			const ends = async (address: string) => {
				const run = await stage.runFrom(workflow, 'Enter an Address', outputOf({ address }));
				return ['Continue', 'Ask a Person'].filter((node) => run.data.resultData.runData[node]);
			};
			expect(await ends(greenAddress)).toEqual(['Continue']);
			expect(await ends(sanctionedAddress)).toEqual(['Ask a Person']);
			expect(await ends('two words')).toEqual(['Ask a Person']);
		});

		describe('an incoming transaction', () => {
			beforeAll(async () => {
				await stage.publishTemplate('screen-incoming-transaction', {
					...changes(),
					'When a Transaction Comes In': { webhookId: 'incoming-transaction' },
				});
			});
			afterAll(() => stage.withdrawAll());
			const post = async (body: unknown, headers?: Record<string, string>) => {
				const response = await postTo('incoming-transaction', body, headers);
				await untilQuiet();
				const text = await response.text();
				const { status } = response;
				return { status, body: status === 403 ? {} : (JSON.parse(text) as IDataObject) };
			};

			test.each([
				[greenAddress, 200, 'allow'],
				[notGreenAddress, 409, 'review'],
				[sanctionedAddress, 409, 'block'],
				['two words', 400, 'not screened'],
				[refusedAddress, 400, 'not screened'],
			])('of %s is answered %i', async (from, status, outcome) => {
				const answer = await post({ transaction_id: 'T-1', from, chain: 'ETH' });
				const body = { outcome, transaction_id: 'T-1', address: from };
				expect(answer).toMatchObject({ status, body });
				expect(stage.slack.refused).toEqual([]);
				expect(stage.slack.messages).toHaveLength(outcome === 'allow' ? 0 : 1);
			});

			test('that holds a private key repeats it nowhere', async () => {
				const key = '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ';
				const answer = await post({ transaction_id: 'T-3', from: key });
				expect(answer.body).toMatchObject({ address: '(private key removed)' });
				const { slack, mail } = stage;
				const rows = await table('Screening Results').rows();
				expect(JSON.stringify([answer, slack.messages, mail.letters, rows])).not.toContain(key);
				expect(slack.messages).toHaveLength(1);
			});

			test('whose sender is markup mentions nobody and links to nothing', async () => {
				await post({ transaction_id: 'T-4', from: '<!channel> <https://evil.example|Release>' });
				const said = JSON.stringify(stage.slack.messages);
				expect(said).toContain('evil.example');
				expect(said).not.toMatch(/<!|<https|:\/\/evil/);
				for (const { html } of stage.mail.letters) expect(html).not.toMatch(/<!channel|<https/);
			});

			test('that names no address is answered 400, and of a caller without the header 403', async () => {
				expect((await post({ from: greenAddress }, {})).status).toBe(403);
				expect(stage.sandbox.requests).toEqual([]);
				for (const body of [{}, [], { from: null }, { from: { a: 1 } }]) {
					expect((await post(body)).status).toBe(400);
				}
			});

			/** Posts two transactions that cannot be screened. @returns the number of messages about them */
			const postTwoUnscreened = async () => {
				for (const transaction_id of ['T-5', 'T-6'])
					expect((await post({ transaction_id, from: greenAddress })).status).toBe(503);
				return stage.slack.messages.splice(0).length;
			};

			test('that is not screened is answered 503', async () => {
				stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
				expect(await postTwoUnscreened()).toBe(2);
			});

			if (!isReplaced) return;
			test('is answered 503 under a policy that cannot be read, and the team is told once', async () => {
				const mend = await breakPolicy();
				await table('Screening Told').clear();
				expect(await postTwoUnscreened()).toBe(0);
				await tellWhatStops();
				expect(stage.slack.messages.map(({ text }) => text)).toEqual(
					expect.arrayContaining([expect.stringContaining('The policy cannot be read')]),
				);
				await mend();
			});
		});
	});

	test('the weekly report has counts, the worst, and every row as CSV without formulas', async () => {
		await table('Screening Results').clear();
		await callWorkflow(foundation.screening, [
			...[greenAddress, sanctionedAddress].map((address) => ({ address, reference: 'W' })),
			{ address: '=HYPERLINK("https://evil.example")', reference: '+1' },
		]);
		const failed = { address: greenAddress, reference: 'W-2', outcome: 'not screened' };
		const hostile = hostileRows(50, ['policy', 'report_id'], seed);
		await table('Screening Results').insert(failed, ...hostile);
		await callWorkflow(foundation.screening, [{ address: greenAddress, reference: 'W-2' }]);
		const cases = table('Screening Cases');
		await cases.clear();
		const closed = { status: 'false positive', answer_by: 'ann@example.com' };
		await cases.insert(
			{ reference: 'W-3', amount: '9 ETH', status: 'open', report_until: pastTime },
			{ reference: '<img src=x>', status: 'answered', reported_at: pastTime },
			{
				reference: 'W-4',
				...closed,
				confirmed_by: 'ben@example.com',
				confirmed_at: new Date().toISOString(),
			},
			{ reference: 'W-5', ...closed, confirmed_at: pastTime },
		);
		const weekly = await stage.importTemplate('weekly-report');
		await stage.runFrom(weekly, 'Every Monday at Eight');
		const [letter] = stage.mail.letters;
		const counts = `1 sanctions hit, 1 block, ${hostile.length + 1} not screened, 2 allow: `;
		expect(letter?.subject?.startsWith(counts)).toBe(true);
		for (const known of [sanctionedAddress, 'Reference: W', 'Failed before'])
			expect(letter?.html).toContain(known);
		for (const known of [
			'Sanctions cases: 2 open, 1 closed since last Monday',
			'W-3, 9 ETH: report by Wed 31 Dec 2025, OVERDUE, to answer',
			'Closed: W-4: false positive, by ann@example.com and ben@example.com',
		])
			for (const text of [letter?.text, letter?.html]) expect(text).toContain(known);
		expect(letter?.html).not.toMatch(/<img|W-5/);
		await cases.clear();
		const [file] = letter!.attachments;
		const csv = Buffer.from(file!.content as ArrayBuffer);
		const rows = parse(csv, { columns: true }) as IDataObject[];
		const outcomes = rows.map(({ outcome }) => outcome).filter(Boolean);
		expect(outcomes).toEqual(['allow', 'block', 'not screened', 'not screened', 'allow']);
		for (const value of rows.flatMap((row) => Object.values(row))) {
			expect(String(value)).not.toMatch(/^[=+@\s-]/);
		}
	});
}
