import { rm } from 'node:fs/promises';
import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { sanctionedAddress } from './addresses';
import { requester } from './approval';
import { openPage, packOf } from './auditPack';
import {
	type CaseAnswer,
	chooseAnswer,
	confirmation,
	details,
	openCase,
	publishCaseForm,
} from './caseForms';
import { table } from './dataTable';
import { callWorkflow, publishCases } from './foundation';
import { readPage } from './pages';
import type { Entries } from './form';
import { invitePerson, type Person } from './person';
import { yearlySchedule, pastTime, stage, untilQuiet } from './stage';

/** A sanctions case, from its hit to its end: two people answer it. */
export function caseTests(): void {
	let [hit, giveBack, deadlines]: Array<Saved<Workflow>> = [];
	let [ann, ben, cara, owner]: Person[] = [];
	const [cases, payments] = [table('Screening Cases'), table('Screening Payments')];
	const [journal, approvers] = [table('Screening Journal'), table('Screening Approvers')];
	const settings = table('Screening Settings');
	beforeAll(async () => {
		hit = (await publishCases())['sanctions-hit'];
		giveBack = await stage.publishTemplate('approve-give-back', {
			'Every 15 Minutes': yearlySchedule,
		});
		await publishCaseForm();
		deadlines = await stage.publishTemplate('sanctions-deadlines', {
			'Every Morning': yearlySchedule,
		});
		const emails = ['case-ann@example.com', 'case-ben@example.com', requester];
		[ann, ben, owner] = await Promise.all(emails.map(async (email) => await invitePerson(email)));
		cara = await invitePerson('case-cara@example.com');
		// The person who requests payments is an approver, too; Cara is none.
		await approvers.insert(...emails.map((email) => ({ email })));
	});
	afterAll(async () => await stage.withdrawAll());

	const handOver = async (more: IDataObject = {}) => {
		const report = { report_id: 'rep_1', risk: { categories: { sanctions: 0.893, mixer: 0.2 } } };
		await callWorkflow(hit!, [
			{
				reference: 'P-1',
				address: sanctionedAddress,
				chain: 'ETH',
				amount: '12 ETH',
				outcome: 'block',
				sanctions: true,
				summary: 'Block: sanctions is 0.893',
				report_id: 'rep_1',
				report: JSON.stringify(report),
				door: 'payment',
				requested_by: requester,
				...more,
			},
		]);
		await untilQuiet();
	};
	const theCase = async () => (await cases.rows<IDataObject>())[0]!;
	const status = async () => (await payments.rows<IDataObject>())[0]!.status;
	const open = async (person: Person) => await openCase(person, (await theCase()).id);
	const answer = async (person: Person, what: CaseAnswer, changed: Entries = {}) =>
		await (await chooseAnswer(await open(person), what)).send({ ...details[what], ...changed });
	const confirm = async (person: Person, ...given: Parameters<typeof confirmation>) =>
		await (await open(person)).send(confirmation(...given));

	beforeEach(async () => {
		await Promise.all([cases, payments, journal].map(async (one) => await one.clear()));
		await payments.insert({
			reference: 'P-1',
			address: sanctionedAddress,
			amount: '12 ETH',
			requested_by: requester,
			status: 'sanctions: stopped',
			first_by: 'old@example.com',
			decided_by: 'old@example.com',
		});
		await handOver();
		stage.clear();
	});

	test('shows what is known: the payment, who may not answer, the bars of the categories, the date', async () => {
		const page = await open(ann!);
		for (const known of [
			'STOPPED',
			'P-1',
			'12 ETH',
			`${requester}, who may not answer`,
			sanctionedAddress,
			'sanctions is 0.893',
			'sanctions ██████████████████ 0.893',
			'Report it by',
			'in 1',
		])
			expect(page.words).toContain(known);
	});

	test('a false positive that two people close gives the payment back to its approvals, once', async () => {
		const first = await answer(ann!, 'False positive');
		expect(first.words).toContain('Your answer waits for a second person');
		expect(await theCase()).toMatchObject({ status: 'answered', answer_by: ann!.email });
		expect(await status()).toBe('sanctions: stopped');
		expect((await confirm(ben!)).words).toContain('Closed: false positive');
		await untilQuiet();
		expect(await theCase()).toMatchObject({
			status: 'false positive',
			answer_by: ann!.email,
			confirmed_by: ben!.email,
			proof: 'ticket T-6',
			confirmed_reason: 'I compared both',
		});
		const again = { status: 'needs 2 people', first_by: null, decided_by: null };
		expect(await payments.rows()).toMatchObject([again]);
		const heard = stage.mail.letters.map(({ subject, to }) => `${to?.[0]?.address}: ${subject}`);
		for (const who of ['team', 'head'])
			expect(heard).toContain(
				`${who}@example.com: Closed as false positive: sanctions case P-1, 12 ETH`,
			);
		const written = await journal.rows<IDataObject>();
		expect(written.map(({ subject, person, result }) => [subject, person, result])).toEqual([
			['Case P-1', ann!.email, 'It counts. Status: answered.'],
			['Case P-1', ben!.email, 'It counts. Status: false positive.'],
		]);
		// What people did with the payment since stays as it is.
		await payments.setAll({ status: 'released' });
		await stage.runFrom(giveBack!, 'Every 15 Minutes');
		expect(await status()).toBe('released');
		expect((await open(ben!)).words).toContain('This case is closed');
	});

	const closedBy = (answer_by: string, confirmed_by: string, more: IDataObject = {}) => ({
		status: 'false positive',
		answer: 'false positive',
		answer_by,
		confirmed_by,
		confirmed_at: pastTime,
		...more,
	});
	const licence = { status: 'licensed', answer: 'licensed' };
	test.each<[string, () => IDataObject, string]>([
		['closed months ago', () => closedBy(ann!.email, ben!.email), 'needs 2 people'],
		[
			'under a licence that has not ended',
			() => closedBy(ann!.email, ben!.email, { ...licence, licence_until: '2999-12-31T00:00Z' }),
			'needs 2 people',
		],
		[
			'under a licence that has ended',
			() => closedBy(ann!.email, ben!.email, { ...licence, licence_until: pastTime }),
			'sanctions: stopped',
		],
		['closed by one person', () => closedBy(ann!.email, ann!.email), 'sanctions: stopped'],
		['closed by who requested it', () => closedBy(ann!.email, requester), 'sanctions: stopped'],
		[
			'a true match',
			() => closedBy(ann!.email, ben!.email, { status: 'true match', answer: 'true match' }),
			'sanctions: stopped',
		],
		[
			'open again',
			() => closedBy(ann!.email, ben!.email, { status: 'open', confirmed_at: null }),
			'sanctions: stopped',
		],
	])('a payment that is stopped, and whose case was %s', async (_, change, wanted) => {
		await cases.setAll(change());
		await stage.runFrom(giveBack!, 'Every 15 Minutes');
		expect(await status()).toBe(wanted);
	});

	test('a true match says when, to whom and under which number it was reported, and stays stopped', async () => {
		await answer(ann!, 'True match');
		await confirm(ben!);
		await stage.runFrom(giveBack!, 'Every 15 Minutes');
		expect(await theCase()).toMatchObject({
			status: 'true match',
			reported_to: 'OFAC',
			report_number: 'B-77',
			reported_at: expect.stringMatching(/^2026-11-20/),
		});
		expect(await status()).toBe('sanctions: stopped');
		// Another report on it is filed, and opens nothing.
		await handOver({ report_id: 'rep_2' });
		expect(await theCase()).toMatchObject({ status: 'true match', report_id: 'rep_2' });
	});

	test('a file is kept by its name and digest', async () => {
		const file = new File(['proof'], 'proof.txt', { type: 'text/plain' });
		await answer(ann!, 'Licence', { 'Copy of the licence': file });
		expect((await theCase()).proof).toBe(
			// printf proof | sha256sum
			'proof.txt, SHA-256 c1cda26362828b69266512052b97cb3729e3b052e4ade47c0a1e3383defe73c7',
		);
	});

	test.each<[string, () => Promise<{ words: string }>]>([
		['You requested this payment', async () => await answer(owner!, 'False positive')],
		['not on the list of approvers', async () => await answer(cara!, 'False positive')],
		[
			'Missing: proof',
			async () => await answer(ann!, 'False positive', { 'Where is the proof?': ' ' }),
		],
		['The licence has ended', () => answer(ann!, 'Licence', { 'Valid until': '2020-01-31' })],
		['lies ahead', () => answer(ann!, 'True match', { 'Reported on': '2099-01-01' })],
		[
			'There is a new report',
			async () => {
				const page = await chooseAnswer(await open(ann!), 'False positive');
				await handOver({ report_id: 'rep_2' });
				return await page.send(details['False positive']);
			},
		],
	])('an answer does not count, and says why: %s', async (why, attempt) => {
		expect((await attempt()).words).toMatch(new RegExp(`Nothing changed.*${why}`));
		expect(await theCase()).toMatchObject({ status: 'open', answer: null });
		expect(await status()).toBe('sanctions: stopped');
		expect(stage.mail.letters.map(({ subject }) => subject)).not.toContainEqual(
			expect.stringContaining('CONFIRM'),
		);
	});

	test.each<[string, () => Promise<{ words: string }>]>([
		['Another person has to confirm', async () => await confirm(ann!)],
		['You requested this payment', async () => await confirm(owner!)],
		['not on the list of approvers', async () => await confirm(cara!)],
		[
			'Status: answered',
			async () => {
				// The page showed an answer that was sent back and rewritten since.
				const page = await open(ben!);
				await confirm(ben!, 'Send it back');
				await answer(ann!, 'False positive');
				return await page.send(confirmation());
			},
		],
	])('a confirmation does not count, and says why: %s', async (why, attempt) => {
		await answer(ann!, 'False positive');
		expect((await attempt()).words).toMatch(new RegExp(`Nothing changed.*${why}`));
		expect(await theCase()).toMatchObject({ status: 'answered', confirmed_by: null });
		expect(await status()).toBe('sanctions: stopped');
	});

	test('of two who answer or confirm at once, one counts', async () => {
		const pages = await Promise.all([ann!, ben!].map(open));
		const asked = await Promise.all(
			pages.map(async (page) => await chooseAnswer(page, 'False positive')),
		);
		await Promise.all(asked.map(async (page) => await page.send(details['False positive'])));
		const counted = async () =>
			(await journal.rows<IDataObject>()).filter(({ result }) => /^It counts/.test(`${result}`));
		expect(await counted()).toHaveLength(1);
		const { answer_by } = await theCase();
		const second = answer_by === ann!.email ? ben! : ann!;
		const both = await Promise.all([second, second].map(open));
		await Promise.all(both.map(async (page) => await page.send(confirmation())));
		expect(await counted()).toHaveLength(2);
		expect(await status()).toBe('needs 2 people');
	});

	test('an answer that is sent back can be answered again', async () => {
		await answer(ann!, 'True match');
		expect((await confirm(ben!, 'Send it back', 'Another name')).words).toContain(
			'You sent it back',
		);
		expect(await theCase()).toMatchObject({ status: 'open', answer: null, reported_at: null });
		expect((await answer(ben!, 'False positive')).words).toContain('waits for a second person');
	});

	test('another report opens a case again that was closed as a false positive, with a date of its own', async () => {
		await answer(ann!, 'False positive');
		await confirm(ben!);
		await cases.setAll({ report_until: pastTime, opened_at: pastTime });
		await handOver();
		expect(await theCase()).toMatchObject({ status: 'false positive', report_until: pastTime });
		await handOver({ report_id: 'rep_2' });
		const { report_until, ...row } = await theCase();
		expect(row).toMatchObject({ status: 'open', answer: null, confirmed_by: null });
		expect(Date.parse(`${report_until}`)).toBeGreaterThan(Date.now());
	});

	test('the date is worked out once, by the settings of that time', async () => {
		const { report_until } = await theCase();
		await settings.setAll({ report_days: 3 });
		await handOver({ report_id: 'rep_2' });
		expect(await theCase()).toMatchObject({ status: 'open', report_until, report_id: 'rep_2' });
		await settings.setAll({ report_days: 10 });
	});

	test('the date is one day in the table, on each page and form, in each mail and in the audit pack', async () => {
		for (const file of ['board', 'cases']) await stage.publishTemplate(file);
		await stage.publishTemplate('audit-pack', {
			'When a Person Asks': { webhookId: 'screening-audit' },
		});
		const weekly = await stage.importTemplate('weekly-report');
		// In New York, as n8n has it if nothing else is set, it is still Thursday; ten business days without Thanksgiving.
		const opened_at = '2026-11-20T03:30:00.000Z';
		await table('Screening Holidays').insert({ day: '2026-11-26' });
		await cases.setAll({ opened_at, report_until: null, filed_at: null, file_after: pastTime });
		await stage.runFrom(hit!, 'Every 15 Minutes');
		await untilQuiet();
		await stage.runFrom(deadlines!, 'Every Morning');
		await stage.runFrom(weekly, 'Every Monday at Eight');
		await untilQuiet();

		const dayIn = (text: unknown, before: RegExp) => {
			const pattern = `${before.source} ?(?:(\\d{4}-\\d\\d-\\d\\d)|(\\w+ \\d+ \\w+ \\d{4}))`;
			const [, inFigures, inWords] = new RegExp(pattern).exec(String(text)) ?? [];
			if (inWords) return new Date(`${inWords} UTC`).toISOString().slice(0, 10);
			return inFigures ?? `no date in: ${String(text)}`;
		};
		const { report_until } = await theCase();
		const inZone = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' });
		const letter = (subject: RegExp) =>
			stage.mail.letters.find((one) => subject.test(`${one.subject}`))!;
		const { folder } = await packOf('P-1');
		const pack = await openPage(folder);
		const inPack = await pack.textOf('#payments');
		await pack.close();
		await rm(folder, { recursive: true });
		await table('Screening Holidays').clear();
		const stopped = letter(/STOPPED/);
		expect({
			table: inZone.format(new Date(`${report_until}`)),
			form: dayIn((await open(ann!)).words, /Report it by/),
			cases: dayIn((await readPage('screening-cases')).words, /Report by/),
			board: dayIn((await readPage('screening-board')).words, /(?:was|is) due on/),
			subject: dayIn(stopped.subject, /Report by/),
			mail: dayIn(stopped.text, /Report it to .+? by/),
			morning: dayIn(letter(/OVERDUE|within three days|not ended/).text, /report by/),
			weekly: dayIn(letter(/: Screening \d{4}/).text, /report by/),
			pack: dayIn(inPack, /Report by/),
		}).toEqual(
			Object.fromEntries(
				['table', 'form', 'cases', 'board', 'subject', 'mail', 'morning', 'weekly', 'pack'].map(
					(name) => [name, '2026-12-04'],
				),
			),
		);
	});

	test('each morning says what is due or overdue, to the head, too, until the case has an end', async () => {
		const morning = async () => {
			await untilQuiet();
			stage.clear();
			await stage.runFrom(deadlines!, 'Every Morning');
			return stage.mail.letters.map(({ to, subject }) => `${to?.[0]?.address}: ${subject}`);
		};
		expect(await morning()).toEqual([]);
		const soon = new Date(Date.now() + 86_400_000).toISOString();
		await cases.setAll({ report_until: soon });
		const due = 'Sanctions hits: 1 to report within three days';
		expect(await morning()).toEqual([`head@example.com: ${due}`, `team@example.com: ${due}`]);
		await cases.setAll({ report_until: pastTime });
		expect(await morning()).toContain('head@example.com: OVERDUE: 1 report of a sanctions hit');
		expect(stage.mail.letters[0]!.text).toMatch(
			/P-1, 12 ETH: report by \w+ \d+ \w+ \d{4}, OVERDUE/,
		);
		await cases.setAll({ report_until: null });
		expect(await morning()).toContain(`team@example.com: ${due}`);
		expect(stage.mail.letters[0]!.text).toContain('no date: enter report_days');
		await answer(ann!, 'True match');
		expect(await morning()).toEqual([]);
		await confirm(ben!);
		await cases.setAll({ report_until: pastTime, answer_at: pastTime });
		expect(await morning()).toEqual([]);
	});

	test('a link to no case, and to nothing, says so', async () => {
		for (const id of ['999999', 'x', '']) {
			const page = await openCase(ann!, id);
			expect(page.words).toContain('There is no such case');
		}
	});
}
