import type { IDataObject } from 'n8n-workflow';
import { sanctionedAddress } from '../../support/templates/templateAddresses';
import { requester } from '../../support/templates/approval';
import { SanctionsCase } from '../../support/templates/sanctionsCase';
import {
	chooseAnswer,
	confirmation,
	openCase,
	answerDetails,
} from '../../support/templates/caseForms';
import { where } from '../../support/templates/dataTable';
import { stage, untilQuiet } from '../../support/templates/stage';
import { pastTime } from '../../support/templates/times';
import { type FormPage } from '../../support/browser/person';

/** The same status for each of these payments. */
const statusForEach = (payments: object, status: string) =>
	Object.fromEntries(Object.keys(payments).map((reference) => [reference, status]));

/** A sanctions case, from its hit to its end: two people answer it. */
export function caseAnswerTests(): void {
	let theCase: SanctionsCase;
	let { ann, ben, cara, rita } = {} as SanctionsCase['people'];
	beforeAll(async () => {
		theCase = await SanctionsCase.publish();
		({ ann, ben, cara, rita } = theCase.people);
	});
	afterAll(async () => await stage.withdrawAll());
	beforeEach(async () => await theCase.begin());

	/** The payment, who may not answer, the bars of the categories, the date. */
	const expectWhatIsKnown = ({ words }: FormPage) => {
		for (const known of [
			'STOPPED',
			'P-1',
			'12 ETH',
			`${requester} (may not answer this case)`,
			sanctionedAddress,
			'sanctions is 0.893',
			'sanctions ██████████████████ 0.893',
			'Report to the authority by',
			'in 1',
		])
			expect(words).toContain(known);
	};
	test('a page shows what is known, and a false positive that two people close gives the payment back to its approvals, once', async () => {
		const page = await theCase.open(ann);
		expectWhatIsKnown(page);
		const asked = await chooseAnswer(page, 'False positive');
		const first = await asked.send(answerDetails['False positive']);
		expect(first.words).toContain('A second approver has to confirm your answer');
		expect(await theCase.row()).toMatchObject({ status: 'answered', answer_by: ann.email });
		expect(await theCase.paymentStatus()).toBe('sanctions: stopped');
		expect((await theCase.confirm(ben)).words).toContain('Closed: false positive');
		await untilQuiet();
		expect(await theCase.row()).toMatchObject({
			status: 'false positive',
			answer_by: ann.email,
			confirmed_by: ben.email,
			proof: 'ticket T-6',
			confirmed_reason: 'I compared both',
		});
		const again = { status: 'needs 2 people', first_by: null, decided_by: null };
		expect(await theCase.payments.rows()).toMatchObject([again]);
		const heard = stage.mail.letters.map(({ subject, to }) => `${to?.[0]?.address}: ${subject}`);
		for (const who of ['team', 'head'])
			expect(heard).toContainEqual(
				expect.stringMatching(
					`^${who}@\\S+ Closed as a false positive: sanctions case P-1, 12 ETH \\(sanctions 0\\.\\d+\\)$`,
				),
			);
		const closed = stage.mail.letters.at(-1)!.text!;
		for (const known of [
			`${ann.email} answered that the hit is a false positive, and ${ben.email} confirmed it.`,
			'n8n puts the payment up for approval again',
			'n8n never unfreezes anything',
			'Still frozen: payment P-1',
			'Release or reject the payment: ',
			'form/answer-a-payment?reference=P-1',
		])
			expect(closed).toContain(known);
		const written = await theCase.journal.rows<IDataObject>();
		expect(written.map(({ subject, person, result }) => [subject, person, result])).toEqual([
			['Case P-1', ann.email, 'It counts. Status: answered.'],
			['Case P-1', ben.email, 'It counts. Status: false positive.'],
		]);
		// What people did with the payment since stays as it is.
		await theCase.payments.setAll({ status: 'released' });
		await theCase.giveBack();
		expect(await theCase.paymentStatus()).toBe('released');
		expect((await theCase.open(ben)).words).toContain('This case is closed');
	});

	test('a stopped payment goes back to its approvals if two people, without its requester, closed its case', async () => {
		const byTwo = {
			status: 'false positive',
			answer: 'false positive',
			answer_by: ann.email,
			confirmed_by: ben.email,
			confirmed_at: pastTime,
		};
		const licensed = { ...byTwo, status: 'licensed', answer: 'licensed' };
		const goBack = {
			'closed months ago': byTwo,
			'closed under a licence that has not ended': {
				...licensed,
				licence_until: '2999-12-31T00:00Z',
			},
		};
		const stayStopped = {
			'closed under a licence that has ended': { ...licensed, licence_until: pastTime },
			'closed by one person': { ...byTwo, confirmed_by: ann.email },
			'closed by the person who requested it': { ...byTwo, confirmed_by: requester },
			'closed as a true match': { ...byTwo, status: 'true match', answer: 'true match' },
			'closed and opened again': { ...byTwo, status: 'open', confirmed_at: null },
		};
		await theCase.replaceWith({ ...goBack, ...stayStopped });
		await theCase.giveBack();
		expect(await theCase.paymentStatuses()).toEqual({
			...statusForEach(goBack, 'needs 2 people'),
			...statusForEach(stayStopped, 'sanctions: stopped'),
		});
	});

	test('an answer does not count, and says why', async () => {
		const attempts: Array<[why: string, attempt: () => Promise<FormPage>]> = [
			['You requested this payment', () => theCase.answer(rita, 'False positive')],
			['not on the list of approvers', () => theCase.answer(cara, 'False positive')],
			[
				'Missing: proof',
				() => theCase.answer(ann, 'False positive', { 'Where do you keep the proof?': ' ' }),
			],
			[
				'The last day of the licence is missing or has passed',
				() => theCase.answer(ann, 'Licence', { 'Last day on which': '2020-01-31' }),
			],
			[
				'lies in the future',
				() => theCase.answer(ann, 'True match', { 'Date of your report': '2099-01-01' }),
			],
			[
				'There is a new screening report',
				async () => {
					const page = await chooseAnswer(await theCase.open(ann), 'False positive');
					await theCase.handOver('rep_2');
					return await page.send(answerDetails['False positive']);
				},
			],
		];
		for (const [why, attempt] of attempts) {
			expect((await attempt()).words).toMatch(new RegExp(`Nothing changed.*${why}`));
			expect(await theCase.row()).toMatchObject({ status: 'open', answer: null });
		}
		expect(await theCase.paymentStatus()).toBe('sanctions: stopped');
		expect(stage.mail.letters.map(({ subject }) => subject)).not.toContainEqual(
			expect.stringContaining('CONFIRM'),
		);
	});

	test('a confirmation does not count, and says why; an answer that is sent back can be answered again', async () => {
		const expectRefused = async ({ words }: FormPage, why: string) => {
			expect(words).toMatch(new RegExp(`Nothing changed.*${why}`));
			expect(await theCase.row()).toMatchObject({ status: 'answered', confirmed_by: null });
		};
		await theCase.answer(ann, 'True match');
		await expectRefused(await theCase.confirm(ann), 'another approver has to confirm it');
		await expectRefused(await theCase.confirm(rita), 'You requested this payment');
		await expectRefused(await theCase.confirm(cara), 'not on the list of approvers');

		const pageOfFirstAnswer = await theCase.open(ann);
		expect((await theCase.confirm(ben, 'Send it back', 'Another name')).words).toContain(
			'You sent it back',
		);
		expect(await theCase.row()).toMatchObject({ status: 'open', answer: null, reported_at: null });
		expect((await theCase.answer(ben, 'False positive')).words).toContain(
			'A second approver has to confirm your answer',
		);
		await expectRefused(await pageOfFirstAnswer.send(confirmation()), 'Status: answered');
		expect(await theCase.paymentStatus()).toBe('sanctions: stopped');
	});

	test('of two who answer or confirm at once, one counts', async () => {
		const pages = await Promise.all([ann, ben].map(async (one) => await theCase.open(one)));
		const asked = await Promise.all(
			pages.map(async (page) => await chooseAnswer(page, 'False positive')),
		);
		await Promise.all(asked.map(async (page) => await page.send(answerDetails['False positive'])));
		const counted = async () =>
			(await theCase.journal.rows<IDataObject>()).filter(({ result }) =>
				/^It counts/.test(`${result}`),
			);
		expect(await counted()).toHaveLength(1);
		const { answer_by } = await theCase.row();
		const second = answer_by === ann.email ? ben : ann;
		const both = await Promise.all([second, second].map(async (one) => await theCase.open(one)));
		await Promise.all(both.map(async (page) => await page.send(confirmation())));
		expect(await counted()).toHaveLength(2);
		expect(await theCase.paymentStatus()).toBe('needs 2 people');
	});

	const recorded = { reported_to: 'OFAC', report_number: 'B-77' };
	test('a report can be recorded before the case is answered: it ends no case, and the answer keeps it', async () => {
		const page = await theCase.answer(ann, 'Record the report to the authority');
		expect(page.words).toContain('Recorded');
		expect(await theCase.row()).toMatchObject({ ...recorded, status: 'open', answer: null });
		expect(await theCase.paymentStatus()).toBe('sanctions: stopped');
		expect((await theCase.open(ann)).words).toContain('Reported to OFAC');
		await theCase.answer(ann, 'False positive');
		await theCase.confirm(ben, 'Send it back');
		expect(await theCase.row()).toMatchObject({ ...recorded, status: 'open', answer: null });
	});

	test('of two who record a report at once, one counts', async () => {
		const record = 'Record the report to the authority';
		const forms = await Promise.all(
			[ann, ben].map(async (person) => await chooseAnswer(await theCase.open(person), record)),
		);
		const pages = await Promise.all(
			forms.map(
				async (form, number) =>
					await form.send({
						...answerDetails[record],
						'Reference number of your report': `B-${number}`,
					}),
			),
		);
		const ends = pages.map(({ words }) => /Recorded|Nothing changed/.exec(words)?.[0]);
		expect([...ends].sort()).toEqual(['Nothing changed', 'Recorded']);
		expect((await theCase.row()).report_number).toBe(`B-${ends.indexOf('Recorded')}`);
	});

	test('a true match says when and to whom it was reported, stops its payment, and has others to its wallet screened again', async () => {
		const screened_at = new Date(Date.now() - 60_000).toISOString();
		const statuses = ['needs 1 person', 'approved', 'approved, release unknown', 'released'];
		const others = statuses.map((status) => ({
			reference: `other, ${status}`,
			address: sanctionedAddress.toLowerCase(),
			status,
			first_by: ann.email,
			screened_at,
		}));
		await theCase.payments.insert(...others);
		const statusesNow = async () =>
			(await theCase.payments.rows<IDataObject>())
				.filter(({ reference }) => String(reference).startsWith('other'))
				.map(({ status, first_by }) => [status, first_by]);
		await theCase.answer(ann, 'True match');
		expect(await theCase.row()).toMatchObject({ true_match_since: null });
		await theCase.confirm(ben);
		await untilQuiet();
		const confirmed = {
			...recorded,
			status: 'true match',
			reported_at: expect.stringMatching(/^2026-11-20/),
			true_match_since: expect.any(String),
		};
		expect(await theCase.row()).toMatchObject(confirmed);
		// Only those are screened again that may still be paid.
		const unknown = ['approved, release unknown', ann.email];
		const again = [[null, null], [null, null], unknown, ['released', ann.email]];
		expect(await statusesNow()).toEqual(again);
		// After the new screening, they are not screened a second time.
		const now = { status: 'needs 1 person', screened_at: new Date().toISOString() };
		await theCase.payments.setAll(now, where('reference', 'other, approved'));
		await theCase.giveBack();
		expect((await statusesNow())[1]).toEqual(['needs 1 person', null]);
		expect(await theCase.paymentStatus()).toBe('sanctions: stopped');
		// Another report on it is filed, and opens nothing.
		await theCase.handOver('rep_2');
		expect(await theCase.row()).toMatchObject({ ...confirmed, report_id: 'rep_2' });
	});

	test('a true match can be opened again, e.g. for a licence: its report stays, and the wallet stays a true match until two people find a false positive', async () => {
		await theCase.cases.setAll({
			status: 'true match',
			answer: 'true match',
			answer_by: ann.email,
			answer_at: pastTime,
			...recorded,
			reported_at: pastTime,
			confirmed_by: ben.email,
			confirmed_at: pastTime,
			true_match_since: pastTime,
		});
		const { report_until } = await theCase.row();
		const kept = { ...recorded, report_until, true_match_since: pastTime };
		expect((await theCase.answer(rita, 'Open the case again')).words).toContain('Nothing changed');
		expect((await theCase.answer(ben, 'Open the case again')).words).toContain(
			'The case is open again',
		);
		const open = { ...kept, status: 'open', answer: null, confirmed_by: null };
		expect(await theCase.row()).toMatchObject(open);
		expect(await theCase.paymentStatus()).toBe('sanctions: stopped');

		await theCase.answer(ann, 'Licence');
		await theCase.confirm(ben);
		expect(await theCase.row()).toMatchObject({ ...kept, status: 'licensed' });
		expect(await theCase.paymentStatus()).toBe('needs 2 people');
		await theCase.cases.setAll({ licence_until: pastTime });
		await theCase.giveBack();
		expect(await theCase.row()).toMatchObject(open);
		expect(await theCase.paymentStatus()).toBe('sanctions: stopped');

		await theCase.answer(ann, 'False positive');
		expect(await theCase.row()).toMatchObject(kept);
		await theCase.confirm(ben);
		expect(await theCase.row()).toMatchObject({ status: 'false positive', true_match_since: null });
		expect(await theCase.paymentStatus()).toBe('needs 2 people');
	});

	test('a licence, whose copy is kept by its name and digest, opens the case of a customer again when it ends, and freezes it again', async () => {
		const file = new File(['proof'], 'proof.txt', { type: 'text/plain' });
		await theCase.answer(ann, 'Licence', { 'Copy of the licence': file });
		expect((await theCase.row()).proof).toBe(
			// printf proof | sha256sum
			'proof.txt, SHA-256 c1cda26362828b69266512052b97cb3729e3b052e4ade47c0a1e3383defe73c7',
		);
		await theCase.confirm(ben);
		await theCase.payments.clear();
		await theCase.cases.setAll({ licence_until: pastTime, door: 'customer' });
		expect(await theCase.row()).toMatchObject({ frozen_at: expect.any(String) });
		await theCase.giveBack();
		expect(await theCase.row()).toMatchObject({ status: 'open', answer: null, frozen_at: null });
		expect((await theCase.journal.rows<IDataObject>()).at(-1)).toMatchObject({
			answer: 'Licence ended',
			reason: expect.stringMatching(/has ended\.$/),
		});
	});

	test('what a licence allowed before the hit has a new date when the licence ends', async () => {
		const wasInForce = 'No: the licence was in force before the hit';
		await theCase.answer(ann, 'Licence', {
			'Does the hit have to be reported': wasInForce,
		});
		expect((await theCase.open(ben)).words).toContain(
			'not required, according to the answer: the licence was in force before the hit',
		);
		await theCase.confirm(ben);
		await stage.runFrom(theCase.workflows.hit, 'Every 15 Minutes');
		expect(await theCase.row()).toMatchObject({ report_until: null, hit_at: null });
		await theCase.cases.setAll({ licence_until: pastTime, unfrozen_at: pastTime });
		expect((await theCase.open(ben)).words).toContain('This case is closed');
		await theCase.giveBack();
		await stage.runFrom(theCase.workflows.hit, 'Every 15 Minutes');
		const { report_until, hit_at, ...row } = await theCase.row();
		expect(row).toMatchObject({ status: 'open', report_duty: null });
		for (const time of [report_until, hit_at])
			expect(Date.parse(`${time}`)).toBeGreaterThan(Date.now() - 600_000);
	});

	test('another report opens a case again: a closed one with a new date, an answered one with its date and what was reported', async () => {
		await theCase.answer(ann, 'False positive');
		await theCase.confirm(ben);
		await theCase.cases.setAll({ report_until: pastTime, opened_at: pastTime });
		await theCase.handOver('rep_1');
		expect(await theCase.row()).toMatchObject({ status: 'false positive', report_until: pastTime });
		await theCase.handOver('rep_2');
		const { report_until, ...row } = await theCase.row();
		expect(row).toMatchObject({ status: 'open', answer: null, confirmed_by: null });
		expect(Date.parse(`${report_until}`)).toBeGreaterThan(Date.now());

		await theCase.answer(ann, 'Record the report to the authority');
		await theCase.answer(ann, 'False positive');
		await theCase.handOver('rep_3');
		expect(await theCase.row()).toMatchObject({
			...recorded,
			status: 'open',
			answer: null,
			report_id: 'rep_3',
			report_until,
		});
	});

	test('a link to no case, and to nothing, says so', async () => {
		for (const id of ['999999', 'x', '']) {
			const page = await openCase(ann, id);
			expect(page.words).toContain('There is no such case');
		}
	});
}
