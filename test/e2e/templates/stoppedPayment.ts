import type { IDataObject } from 'n8n-workflow';
import { scenarioAddress } from '../../../sandbox/scenarios';
import { blockedAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { requester, openPayment, paymentWebhookPath } from '../../support/templates/approval';
import { where } from '../../support/templates/dataTable';
import { stage, untilQuiet } from '../../support/templates/stage';
import {
	answerLink,
	falsePositive,
	lettersTo,
	StoppedPayments,
} from '../../support/templates/stoppedPayments';
import { pastTime } from '../../support/templates/times';
import { postToWebhook } from '../../support/templates/webhooks';
import { slackMessagesAsText } from '../../support/templates/slackMessages';

/** The number of hits that arrive at once. n8n has fewer connections to its database. */
const hitsAtOnce = 12;

/** A payment with a sanctions hit: what people see of it, and the only ways in which it goes on. */
export function stoppedPaymentTests(): void {
	let stopped: StoppedPayments;
	let { ann, ben, rita } = {} as StoppedPayments['people'];
	beforeAll(async () => {
		stopped = await StoppedPayments.publish();
		({ ann, ben, rita } = stopped.people);
	});
	afterAll(async () => await stage.withdrawAll());
	beforeEach(async () => await stopped.clear());

	test('a stopped payment is reported once, with its case, the score and the day, and offers no answer; the case names what was frozen', async () => {
		const hit = { reference: 'P-1', address: sanctionedAddress };
		await stopped.post(hit);
		await stopped.tick();
		const [row] = await stopped.cases.rows<IDataObject>();
		expect(row).toMatchObject({ reference: 'P-1', door: 'payment', amount: '12.50 ETH' });
		expect(row).toMatchObject({ requested_by: requester, status: 'open' });
		expect(row!.frozen).toBe(`payment P-1, 12.50 ETH, wallet ${sanctionedAddress} ETH: done true`);
		for (const to of ['team', 'head']) {
			const [letter, ...others] = lettersTo(to, 'STOPPED');
			expect(others).toEqual([]);
			expect(letter!.subject).toMatch(
				/^STOPPED: payment P-1, 12\.50 ETH, sanctions 0\.\d+\. Report to the authority by \w+ \d+ \w+ \d{4}$/,
			);
			for (const known of [
				'sanctions is 0.',
				'Report it to OFAC by ',
				'no approval releases it',
				`Neither may be ${requester}`,
				`answer-a-case?case=${Number(row!.id)}`,
			])
				expect(letter!.text).toContain(known);
		}
		expect(slackMessagesAsText()).not.toContain(answerLink(hit));
		const page = await openPayment(ann, 'P-1');
		expect(page.words).toMatch(/STOPPED: do not pay.*Report to the authority by \w+ \d+ \w+ \d{4}/);
		expect(page.words).not.toContain('Your answer');
		expect(page.html).toContain(`form/answer-a-case?case=${Number(row!.id)}`);
		expect(await stopped.rowOf(hit)).toMatchObject({
			category: expect.stringMatching(/^sanctions 0\.\d+$/),
		});
		// A payment that is stopped long after its case was opened is reported again.
		await stopped.cases.setAll({ opened_at: pastTime });
		await stopped.tick();
		expect(lettersTo('team', 'STOPPED: payment P-1')).toHaveLength(2);
		expect(lettersTo('team', 'STOPPED: payment P-1')[1]!.text).toContain(
			'Report to the authority by: ',
		);
	});

	test('a page that was opened before its hit releases nothing', async () => {
		const payment = { reference: 'P-6', address: blockedAddress };
		await stopped.post(payment);
		const pages = await Promise.all([ann, ben, rita].map((one) => openPayment(one, 'P-6')));
		expect(pages.map(({ words }) => words.includes('Your answer'))).toEqual([true, true, true]);
		await stopped.results.insert({
			reference: 'P-6',
			address: blockedAddress,
			outcome: 'block',
			sanctions: true,
			summary: 'Block: sanctions is 0.9',
			report_id: 'rep_late',
			case_due_at: pastTime,
		});
		for (const page of pages) {
			await page.send({ 'Your answer': 'Release', Reason: 'I saw it before' });
			await untilQuiet();
		}
		await stopped.tick();
		expect(stopped.listReleased()).toEqual([]);
		expect(await stopped.rowOf(payment)).toMatchObject({
			status: 'sanctions: stopped',
			decided_by: null,
		});
	});

	test('a false positive goes its whole way: stopped, closed by two, approved by two, released once', async () => {
		const hit = { reference: 'P-2', address: sanctionedAddress };
		await stopped.post(hit);
		expect(await stopped.rowOf(hit)).toMatchObject({ status: 'sanctions: stopped' });
		expect((await stopped.release(ann, hit)).words).toContain('STOPPED: do not pay');

		// Rita requested it: she is an approver, and counts neither as the first person nor as the
		// second.
		expect((await stopped.answerFalsePositive(rita, hit)).words).toMatch(
			/Nothing changed.*You requested this payment/,
		);
		expect((await stopped.answerFalsePositive(ann, hit)).words).toContain(
			'A second approver has to confirm your answer',
		);
		for (const person of [rita, ann])
			expect((await stopped.confirmCase(person, hit)).words).toContain('Nothing changed');
		await stopped.tick();
		expect(await stopped.rowOf(hit)).toMatchObject({ status: 'sanctions: stopped' });
		expect((await stopped.confirmCase(ben, hit)).words).toContain('Closed: false positive');
		await untilQuiet();
		expect(await stopped.rowOf(hit)).toMatchObject({
			status: 'needs 2 people',
			first_by: null,
			decided_by: null,
		});
		expect(stopped.listReleased()).toEqual([]);

		// An approver sees that it was stopped, who closed its case, and why.
		const form = await openPayment(ben, 'P-2');
		expect(form.words).toContain(
			`Sanctions case Closed: false positive , by ${ann.email} and ${ben.email}: The list names another wallet`,
		);
		await stopped.tick();
		expect(lettersTo('team', 'ON HOLD (block): payment P-2')[0]!.text).toContain(
			`Sanctions case: false positive, closed by ${ann.email} and ${ben.email}`,
		);
		expect((await stopped.release(rita, hit)).words).toContain(
			'You cannot approve your own payment',
		);
		expect((await stopped.release(ann, hit)).words).toContain('You approved it');
		await untilQuiet();
		await stopped.tick();
		expect((await stopped.release(ann, hit)).words).toContain(
			'another approver has to give the second approval',
		);
		expect(stopped.listReleased()).toEqual([]);
		const last = await stopped.release(ben, hit);
		expect(last.words).toContain('You released it');
		await untilQuiet();
		for (const _ of [1, 2]) await stopped.tick();
		await stopped.post(hit);
		expect(stopped.listReleased()).toEqual(['P-2']);
		expect(await stopped.rowOf(hit)).toMatchObject({
			status: 'released',
			first_by: ann.email,
			decided_by: ben.email,
		});
		// A late approver sees that it was released.
		const late = await openPayment(ann, 'P-2');
		expect(late.words).toMatch(/Nothing to answer.*Status released.*Released \d+ \w+ \d{4}/);
		const written = await stopped.journal.rows<IDataObject>();
		const counted = written.filter(({ result }) => /^(It|Your answer) counts/.test(`${result}`));
		expect(counted.map(({ subject, person, answer }) => [subject, person, answer])).toEqual([
			['Case P-2', ann.email, 'False positive'],
			['Case P-2', ben.email, 'Confirm it'],
			['Payment P-2', ann.email, 'Release'],
			['Payment P-2', ben.email, 'Release'],
		]);
	});

	test('a licence that ends before the release stops the payment, and opens its case again', async () => {
		const hit = { reference: 'P-9', address: sanctionedAddress };
		await stopped.post(hit);
		const [{ report_until }] = (await stopped.cases.rows<IDataObject>()) as [IDataObject];
		await stopped.license(hit, 'L-9');
		expect(await stopped.rowOf(hit)).toMatchObject({ status: 'needs 2 people' });
		expect((await stopped.release(ann, hit)).words).toContain('You approved it');
		await untilQuiet();
		stage.clear();

		// New York, as n8n has it if nothing else is set, is five hours behind UTC in January.
		await stopped.cases.setAll({ licence_until: '2026-01-31T04:59:59.999Z', opened_at: pastTime });
		for (const _ of [1, 2]) await stage.runFrom(stopped.workflows.giveBack, 'Every 15 Minutes');
		expect(await stopped.rowOf(hit)).toMatchObject({
			status: 'sanctions: stopped',
			first_by: null,
		});
		expect(await stopped.cases.rows()).toMatchObject([
			{ status: 'open', answer: null, confirmed_by: null, licence: 'L-9', report_until },
		]);
		await stopped.tick();
		const [letter, ...others] = lettersTo('team', 'STOPPED');
		expect(others).toEqual([]);
		expect(letter!.subject).toMatch(
			/^STOPPED: payment P-9, .*: its licence has ended, do not pay \(sanctions 0\.\d+\)$/,
		);
		for (const known of [
			'The licence L-9 of its case ended on Fri 30 Jan 2026 and no longer covers this payment.',
			`Two approvers close it, but not ${requester}, who requested the payment.`,
		])
			expect(letter!.text).toContain(known);
		const page = await stopped.release(ben, hit);
		expect(page.words).toMatch(/STOPPED: do not pay.*L-9 ended on Fri 30 Jan 2026/);
		expect((await stopped.openCase(ann, hit)).words).toContain(
			'L-9 ended on Fri 30 Jan 2026. Is there',
		);
		expect(stopped.listReleased()).toEqual([]);

		await stopped.license(hit, 'L-10');
		for (const person of [ann, ben]) {
			await stopped.release(person, hit);
			await untilQuiet();
		}
		expect(stopped.listReleased()).toEqual(['P-9']);
		// What was released under a licence stays as it is when the licence ends.
		await stopped.cases.setAll({ licence_until: pastTime });
		await stage.runFrom(stopped.workflows.giveBack, 'Every 15 Minutes');
		expect(await stopped.rowOf(hit)).toMatchObject({ status: 'released' });
		expect(await stopped.cases.rows()).toMatchObject([{ status: 'licensed', licence: 'L-10' }]);
	});

	test('a payment of a closed case that is sent again is given back to its approvals, however late', async () => {
		const hit = { reference: 'P-7', address: sanctionedAddress };
		await stopped.post(hit);
		const closed = {
			...falsePositive,
			answer_by: ann.email,
			confirmed_by: ben.email,
		};
		await stopped.cases.setAll(
			{ ...closed, answer_at: pastTime, confirmed_at: pastTime },
			where('reference', hit.reference),
		);
		await stopped.payments.setAll({ status: null }, where('reference', hit.reference));
		await stopped.post(hit);
		expect(await stopped.rowOf(hit)).toMatchObject({ status: 'sanctions: stopped' });
		expect(await stopped.cases.rows()).toMatchObject([{ status: 'false positive' }]);
		await stage.runFrom(stopped.workflows.giveBack, 'Every 15 Minutes');
		expect(await stopped.rowOf(hit)).toMatchObject({ status: 'needs 2 people' });
		expect(stopped.listReleased()).toEqual([]);
	});

	test('a hit whose level is not red is stopped as well', async () => {
		const hit = { reference: 'P-8', address: scenarioAddress('amberSanctionedFromDay1') };
		stage.sandbox.setDay(1);
		await stopped.post(hit);
		stage.sandbox.setDay(0);
		expect(await stopped.results.rows()).toMatchObject([{ level: 'amber', outcome: 'block' }]);
		expect(await stopped.rowOf(hit)).toMatchObject({
			status: 'sanctions: stopped',
			category: 'sanctions 0.9',
		});
		expect(await stopped.cases.rows()).toMatchObject([{ reference: 'P-8', status: 'open' }]);
	});

	test('a person who rejects a released payment is told that it is too late', async () => {
		const payment = { reference: 'P-3', address: blockedAddress };
		await stopped.post(payment);
		const open = await openPayment(ben, 'P-3');
		await stopped.payments.setAll(
			{ status: 'released', released_at: pastTime },
			where('reference', payment.reference),
		);
		const { words } = await open.send({ 'Your answer': 'Reject', Reason: 'Stop it' });
		expect(words).toMatch(
			/Nothing changed Too late: it was released .* Call the people who make the payments at once/,
		);
		expect(words).not.toContain('second approval');
	});

	test(`${hitsAtOnce} hits at once are frozen once each, and get one ticket, one file and one message each`, async () => {
		const hits = Array.from({ length: hitsAtOnce }, (_, n) => ({
			reference: `B-${n}`,
			address: sanctionedAddress,
		}));
		await Promise.all(
			hits.map(async (hit) => await postToWebhook(paymentWebhookPath, stopped.requestFor(hit))),
		);
		await untilQuiet(300_000);
		const count = (path: string) => stage.team.requests.filter((one) => one.path === path).length;
		expect([count('/freeze'), count('/tickets')]).toEqual([hitsAtOnce, hitsAtOnce]);
		expect(
			(await stopped.cases.rows<IDataObject>()).filter(
				({ frozen_at, ticket, filed_at }) => frozen_at && ticket && filed_at,
			),
		).toHaveLength(hitsAtOnce);
		const told = lettersTo('team', 'STOPPED').map(({ subject }) => subject!);
		const casesTold = told.filter((subject) => subject.includes('Report to the authority by'));
		expect(casesTold.map((subject) => subject.split(',')[0]).sort()).toEqual(
			hits.map(({ reference }) => `STOPPED: payment ${reference}`).sort(),
		);
	});

	test.each<[unknown, string]>([
		['<html>Log in</html>', 'a login page'],
		[{ error: 'account not found' }, 'an error'],
		[{ done: false, id: '' }, 'another value'],
		[[], 'a list'],
	])('an answer such as %j freezes nothing and opens no ticket: %s', async (given) => {
		stage.team.answer = given;
		await stopped.post({ reference: 'P-4', address: sanctionedAddress });
		expect(await stopped.cases.rows()).toMatchObject([
			{ frozen_at: null, frozen: null, ticket: null },
		]);
		expect(slackMessagesAsText()).toMatch(/FREEZE FAILED: payment P-4, 12\.50 ETH, wallet 0x/);
		expect(slackMessagesAsText()).toMatch(/TICKET FAILED: payment P-4/);
	});

	test('a hit whose hand-over fails is handed over later', async () => {
		await stopped.results.insert({
			reference: 'L-1',
			address: sanctionedAddress,
			outcome: 'block',
			sanctions: true,
			summary: 'Block: sanctions is 0.9',
			report_id: 'rep_lost',
			case_due_at: pastTime,
		});
		await stage.runFrom(stopped.workflows.handOver, 'Every 15 Minutes');
		await untilQuiet();
		expect(await stopped.cases.rows()).toMatchObject([{ reference: 'L-1' }]);
		expect(await stopped.results.rows()).toMatchObject([{ case_due_at: null }]);
	});
}
