import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { itemsOf } from '../../../tools/host/workflow';
import { openTimes } from '../../../tools/trial/times';
import { until } from '../../../tools/host/until';
import { greenAddress, notGreenAddress } from '../../support/templates/templateAddresses';
import { type DataTable, table, where } from '../../support/templates/dataTable';
import { foundation } from '../../support/templates/foundation';
import { postForm } from '../../support/browser/form';
import { stage } from '../../support/templates/stage';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { slackMessagesAsText } from '../../support/templates/slackMessages';
import { logInOwner } from '../../support/templates/people';

const oneDay = 24 * 60 * 60 * 1000;
const dayOf = (time: number) => new Date(time).toISOString().slice(0, 10);

/**
 * A ledger against the log, and the log against its seals. Over many days, in n8n's engine:
 * `days.test.ts`.
 */
export function theDayTests(): void {
	const [results, payments, journal] = ['Results', 'Payments', 'Journal'].map((name) =>
		table(`Screening ${name}`),
	) as [DataTable, DataTable, DataTable];
	beforeAll(async () => {
		for (const file of ['reconcile-the-day-hold', 'reconcile-the-day', 'verify-the-log']) {
			await stage.publishTemplate(file);
		}
	});
	afterAll(() => stage.withdrawAll());
	beforeEach(async () => {
		for (const one of [results, payments, journal]) await one.clear();
	});

	const screen = async () => {
		const asked = [
			{ reference: 'P-1', address: greenAddress },
			{ reference: 'P-2', address: greenAddress },
			{ reference: 'P-3', address: notGreenAddress },
			{ reference: 'C-1', address: greenAddress },
		];
		await callWorkflow(foundation.screening, asked);
	};

	test('a ledger that a person uploads is held against the log, both ways', async () => {
		await screen();
		await payments.insert({ reference: 'P-1', status: 'released', amount: '1.5 ETH' });
		const ledger = [
			'Reference;Address;Chain;Amount',
			`P-1;${greenAddress.toLowerCase()};eth;15`,
			`P-3;${notGreenAddress};;`,
			`P-4;${greenAddress};;2`,
		];
		const person = await logInOwner();
		const file = new File([ledger.join('\r\n')], 'ledger.csv', { type: 'text/csv' });
		const form = await person.open('reconcile-the-day');
		const page = await form.send({
			Day: dayOf(Date.now()),
			'Time zone': 'UTC',
			'The references of payments begin with': 'P-',
			'CSV file': file,
		});
		expect(page.words).toMatch(/The day does not add up: \d differences on/);
		for (const row of [
			/Another amount P-1 ledger: 15, screened: 1\.5 ETH/,
			/Paid, not allowed P-3 Review: .* It was not released/,
			/Paid, not screened P-4 no screening in the 7 days/,
			/Not in the ledger P-2 allowed on this day/,
		])
			expect(page.words).toMatch(row);
		expect(page.words).toMatch(/4 differences/);
		expect(page.words).not.toContain('C-1');
		await until('the message', async () =>
			slackMessagesAsText().includes('does not add up') ? true : undefined,
		);
		const [row] = await journal.rows();
		expect(row).toMatchObject({
			person: stage.n8n.login.email,
			answer: page.words.match(/The day does .*? on \S+/)?.[0],
		});
	});

	test('a file that is no ledger is refused in words', async () => {
		const person = await logInOwner();
		const file = new File(['name;sum\r\nAda;1\r\n'], 'other.csv', { type: 'text/csv' });
		const reconcileIn = async (zone: string) =>
			await (
				await person.open('reconcile-the-day')
			).send({ Day: dayOf(Date.now()), 'Time zone': zone, 'CSV file': file });
		expect((await reconcileIn('UTC')).words).toMatch(
			/Not reconciled: .* Name the column "reference"/,
		);
		expect((await reconcileIn('Mars/Olympus')).words).toContain('There is no day');
	});

	test('the table of the ledger is held against the log of yesterday', async () => {
		const workflow = stage.published.find(({ name }) => name === 'Reconcile the Day')!;
		// It makes its table.
		await stage.runFrom(workflow, 'Every Morning');
		await screen();
		await moveBack();
		const paid_at = new Date(Date.now() - oneDay).toISOString();
		const rows = ['P-1', 'P-2'].map((reference) => ({ reference, address: greenAddress, paid_at }));
		await table('Screening Ledger').insert(...rows, {
			reference: 'P-9',
			address: greenAddress,
			paid_at,
		});
		const run = await stage.runFrom(workflow, 'Every Morning');
		const [{ json }] = itemsOf(run, 'Compare with the Log') as [{ json: IDataObject }];
		expect(json.differences).toMatchObject([
			{ kind: 'Paid, not screened', reference: 'P-9' },
			{ kind: 'Not in the ledger', reference: 'C-1' },
		]);
	});

	/** What is in the tables happened a day before. */
	async function moveBack() {
		const times = await openTimes(stage.n8n);
		await times.shiftAllSince(0, -oneDay);
		await times.close();
	}

	test('a day is sealed in a mail, and what was changed since is named', async () => {
		const seal = await stage.importTemplate('seal-the-day', {
			'Send the Seal by E-Mail': { parameters: { toEmail: 'seals@example.com' } },
		});
		await screen();
		await journal.insert({
			subject: 'Payment P-1',
			person: 'bob@example.com',
			answer: 'Reject it',
		});
		await moveBack();
		for (let hour = 0; hour < 2; hour++) {
			await stage.runFrom(seal, 'Every Hour');
		}
		const letters = stage.mail.letters.filter(({ to }) => to?.[0]?.address === 'seals@example.com');
		expect(letters).toHaveLength(1);
		const [{ subject = '', attachments, text, html }] = letters as [(typeof letters)[0]];
		const bytes = Buffer.from(attachments[0]!.content as ArrayBuffer);
		const digest = createHash('sha256').update(bytes).digest('hex');
		expect(subject).toMatch(
			new RegExp(`^Seal of \\d+ \\w+ \\d{4}: 4 results \\(${digest.slice(0, 12)}\\)$`),
		);
		expect(text).toContain('Results: 4\nRecorded answers: 1\n');
		for (const shown of [text, html]) expect(shown).toContain(digest);
		expect(bytes.toString().trim().split('\n')).toHaveLength(6);

		const { day } = (await table('Screening Seals').rows<{ day: string }>())[0]!;
		const verify = async (sealed: { digest: string; rows?: string }) => {
			stage.clear();
			const form = await (await logInOwner()).open('verify-the-log');
			await form.send({
				From: day,
				'Random rows of each day': sealed.rows ?? '',
				'Digest of the last day': sealed.digest,
			});
			await until('the message', async () =>
				/The log (was|is)/.test(slackMessagesAsText()) ? true : undefined,
			);
			return slackMessagesAsText();
		};
		expect(await verify({ digest })).toMatch(/as it was sealed.*Rows verified: 5, all/s);
		expect(await verify({ digest, rows: '2' })).toMatch(
			/as it was sealed.*Rows verified: 2, a sample/s,
		);
		expect(await verify({ digest: '0'.repeat(64) })).toMatch(
			/differs from the one in the second mailbox/,
		);
		await results.setAll({ level: 'green' }, where('reference', 'P-3'));
		await journal.setAll({ answer: 'Release it' });
		const changed = await verify({ digest });
		expect(changed).toMatch(
			/Edited: Screening Results row \d+, P-3: 'level' of the item differs from the report/,
		);
		expect(changed).toMatch(
			/Edited: Screening Journal row \d+: answer was Reject it, is Release it/,
		);
		expect(changed).toContain('2 findings');
	});

	test.each(['reconcile-the-day', 'verify-the-log'])(
		'no one opens %s without a login',
		async (path) => {
			const answer = await postForm(`${stage.n8n.url}/form/${path}`, { 'field-0': '2026-01-01' });
			expect(answer.status).toBe(401);
		},
	);
}
