import { publishAuditPack } from '../../support/templates/auditPack';
import { SanctionsCase } from '../../support/templates/sanctionsCase';
import { table } from '../../support/templates/dataTable';
import { readPage } from '../../support/templates/page';
import { stage, untilQuiet } from '../../support/templates/stage';
import { pastTime } from '../../support/templates/times';
import { withPack } from '../../support/templates/unpackedPack';

/** The date until which a sanctions case has to be reported. */
export function caseDateTests(): void {
	const settings = table('Screening Settings');
	let theCase: SanctionsCase;
	let { ann, ben, rita } = {} as SanctionsCase['people'];
	beforeAll(async () => {
		theCase = await SanctionsCase.publish();
		({ ann, ben, rita } = theCase.people);
		for (const file of ['board', 'cases']) await stage.publishTemplate(file);
	});
	afterAll(async () => await stage.withdrawAll());
	beforeEach(async () => await theCase.begin());

	test('the date is worked out once, by the settings of that time', async () => {
		const { report_until } = await theCase.row();
		await settings.setAll({ report_days: 3 });
		try {
			await theCase.handOver('rep_2');
			const changed = { status: 'open', report_until, report_id: 'rep_2' };
			expect(await theCase.row()).toMatchObject(changed);
		} finally {
			await settings.setAll({ report_days: 10 });
		}
	});

	test('the date is one day in the table, on each page and form, in each mail and in the audit pack', async () => {
		await publishAuditPack();
		const weekly = await stage.importTemplate('weekly-report');
		// In New York, as n8n has it if nothing else is set, it is still Thursday; ten business days
		// without Thanksgiving.
		const opened_at = '2026-11-20T03:30:00.000Z';
		await table('Screening Holidays').insert({ day: '2026-11-26' });
		await theCase.cases.setAll({
			opened_at,
			hit_at: opened_at,
			report_until: null,
			filed_at: null,
			file_after: pastTime,
		});
		await stage.runFrom(theCase.workflows.hit, 'Every 15 Minutes');
		await untilQuiet();
		await stage.runFrom(theCase.workflows.deadlines, 'Every Morning');
		await stage.runFrom(weekly, 'Every Monday at Eight');
		await untilQuiet();

		const dayIn = (text: unknown, before: RegExp) => {
			const pattern = `${before.source} ?(?:(\\d{4}-\\d\\d-\\d\\d)|(\\w+ \\d+ \\w+ \\d{4}))`;
			const [, inFigures, inWords] = new RegExp(pattern).exec(String(text)) ?? [];
			if (inWords) return new Date(`${inWords} UTC`).toISOString().slice(0, 10);
			return inFigures ?? `no date in: ${String(text)}`;
		};
		const { report_until } = await theCase.row();
		const inZone = new Intl.DateTimeFormat('sv-SE', { timeZone: 'America/New_York' });
		const letter = (subject: RegExp) =>
			stage.mail.letters.find((one) => subject.test(`${one.subject}`))!;
		const inPack = await withPack({ reference: 'P-1' }, async (pack) => {
			const page = await pack.openPage();
			return await page.textOf('#payments');
		});
		await table('Screening Holidays').clear();
		const stopped = letter(/STOPPED/);
		expect({
			table: inZone.format(new Date(`${report_until}`)),
			form: dayIn((await theCase.open(ann)).words, /Report to the authority by/),
			cases: dayIn((await readPage('screening-cases')).words, /Report to the authority by/),
			board: dayIn((await readPage('screening-board')).words, /report by/),
			subject: dayIn(stopped.subject, /Report to the authority by/),
			mail: dayIn(stopped.text, /Report it to .+? by/),
			morning: dayIn(
				letter(/OVERDUE|within three days|not finished/).text,
				/report to the authority by/,
			),
			weekly: dayIn(letter(/: Screening \d{4}/).text, /report to the authority by/),
			pack: dayIn(inPack, /Report to the authority by/),
		}).toEqual(
			Object.fromEntries(
				['table', 'form', 'cases', 'board', 'subject', 'mail', 'morning', 'weekly', 'pack'].map(
					(name) => [name, '2026-12-04'],
				),
			),
		);
	});

	test('each morning says what is due, and each overdue case by itself, to the head, too, until it has an end', async () => {
		const subjectsOfMorning = async () => {
			await untilQuiet();
			stage.clear();
			await stage.runFrom(theCase.workflows.deadlines, 'Every Morning');
			return stage.mail.letters.map(({ to, subject }) => `${to?.[0]?.address}: ${subject}`);
		};
		expect(await subjectsOfMorning()).toEqual([]);
		const soon = new Date(Date.now() + 86_400_000).toISOString();
		await theCase.cases.setAll({ report_until: soon });
		const due = 'Sanctions hits: 1 to report to OFAC within three days';
		expect(await subjectsOfMorning()).toEqual([
			`head@example.com: ${due}`,
			`team@example.com: ${due}`,
		]);
		await theCase.cases.setAll({ report_until: pastTime });
		const overdue = expect.stringMatching(
			/^head@\S+ OVERDUE, was due \w+ \d+ \w+ \d{4}: report P-1, 12 ETH, to OFAC$/,
		);
		for (const heard of [await subjectsOfMorning(), await subjectsOfMorning()])
			expect(heard).toEqual([overdue, expect.stringMatching(/^team@\S+ OVERDUE, was due /)]);
		const { id } = await theCase.row();
		for (const known of ['was due on ', `form/answer-a-case?case=${Number(id)}`])
			expect(stage.mail.letters[0]!.text).toContain(known);
		await theCase.cases.setAll({ report_until: null });
		expect(await subjectsOfMorning()).toContain(`team@example.com: ${due}`);
		expect(stage.mail.letters[0]!.text).toContain('no date: enter report_days');
		await theCase.answer(ann, 'True match');
		expect(await subjectsOfMorning()).toEqual([]);
		await theCase.confirm(ben);
		await theCase.cases.setAll({ report_until: pastTime, answer_at: pastTime });
		expect(await subjectsOfMorning()).toEqual([]);
	});

	const textsOfMorning = async () => {
		await untilQuiet();
		stage.clear();
		await stage.runFrom(theCase.workflows.deadlines, 'Every Morning');
		return stage.mail.letters.map(({ subject, text }) => `${subject}\n${text}`).join();
	};
	const board = async () => (await readPage('screening-board')).words;

	test('a case that a licence closed keeps its duties, to unfreeze and to report, and each morning says that the report is due', async () => {
		await theCase.answer(ann, 'Licence');
		await theCase.confirm(ben);
		expect((await theCase.open(ben)).words).toContain('What you can do in a closed case');
		await theCase.cases.setAll({ report_until: pastTime, confirmed_at: pastTime });
		const due = await textsOfMorning();
		expect(due).toMatch(/OVERDUE, was due .*: report P-1.*record the report in the form/s);
		// The morning does not ask to unfreeze it.
		expect(due).not.toMatch(/not finished|STILL FROZEN/);
		expect(await board()).toMatch(/1 licensed case still to report to the authority, 1 OVERDUE/);
		const closed = (await readPage('screening-cases?show=closed')).words;
		for (const known of ['OVERDUE', 'To do: report the hit to the authority'])
			expect(closed).toContain(known);

		expect((await theCase.answer(rita, 'Record that it is unfrozen')).words).toContain(
			'You requested this payment',
		);
		await theCase.answer(ben, 'Record that it is unfrozen');
		const unfrozen = { status: 'licensed', unfrozen_by: ben.email };
		expect(await theCase.row()).toMatchObject({
			...unfrozen,
			unfrozen_at: expect.stringMatching(/^2026-11-20/),
			reported_at: null,
		});
		await theCase.answer(ben, 'Record the report to the authority');
		const recorded = { reported_to: 'OFAC', report_number: 'B-77' };
		expect(await theCase.row()).toMatchObject({ ...unfrozen, ...recorded });
		expect((await theCase.open(ben)).words).toContain('This case is closed');
		expect(await textsOfMorning()).toBe('');
		expect(await board()).toMatch(/0 licensed cases still to report to the authority/);
	});

	test('after a false positive, each morning says what is still frozen, until it is recorded as unfrozen', async () => {
		await theCase.answer(ann, 'False positive');
		await theCase.confirm(ben);
		await theCase.cases.setAll({ confirmed_at: pastTime });
		expect(await textsOfMorning()).toMatch(/1 not finished.*STILL FROZEN: .*unfreeze it/s);
		expect(await board()).toMatch(/1 closed case still frozen in your system/);
		const closed = (await readPage('screening-cases?show=closed')).words;
		expect(closed).toContain('unfreeze it in your system');
		await theCase.answer(ben, 'Record that it is unfrozen');
		expect(await textsOfMorning()).toBe('');
		expect(await board()).toMatch(/0 closed cases still frozen/);
	});
}
