import {
	blockedAddress,
	greenAddress,
	notGreenAddress,
} from '../../support/templates/templateAddresses';
import {
	Approval,
	type Payment,
	releaseUnknown,
	releaseFormPath,
} from '../../support/templates/approval';
import { stage, untilQuiet } from '../../support/templates/stage';
import { yearlySchedule } from '../../support/templates/schedules';
import { pastTime } from '../../support/templates/times';
import { slackMessagesAsText } from '../../support/templates/slackMessages';
import { type Person } from '../../support/browser/person';

/** An approved payment is released once, or the team is told why it is not. */
export function releaseTests(): void {
	let approval: Approval;
	let { ann, ben, rita, zoe } = {} as Approval['people'];
	beforeAll(async () => {
		approval = await Approval.publish();
		({ ann, ben, rita, zoe } = approval.people);
	});
	afterAll(async () => await stage.withdrawAll());
	beforeEach(async () => await approval.clear());

	test('a payment that the policy allows is released at once, once, though it comes in 20 times', async () => {
		const payment = approval.paymentTo(greenAddress);
		const sent = await Promise.all(Array.from({ length: 20 }, () => approval.post(payment)));
		await untilQuiet();
		expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
		const released = { status: 'released', decided_by: 'policy', due_at: null };
		expect(await approval.rows()).toMatchObject([released]);
		expect(stage.team.requests).toMatchObject([{ key: payment.payment_id, body: payment }]);
		expect(stage.sandbox.requests).toHaveLength(1);
		expect([...stage.slack.messages, ...stage.mail.letters]).toEqual([]);
	});

	test('an approved payment that could not be released is named, and released once later', async () => {
		stage.team.refusingPaths.add('/release');
		const payment = approval.paymentTo(blockedAddress);
		const approve = async () => {
			await approval.submit(payment);
			for (const person of [ann, ben]) await approval.answer(person, payment);
		};
		await approve();
		// What was decided a day ago has to be screened and approved again.
		await approval.payments.setAll({ decided_at: pastTime });
		await approval.tickOnceDue();
		expect(await approval.rowOf(payment)).toMatchObject({
			status: null,
			first_by: null,
			decided_by: null,
		});
		expect(slackMessagesAsText()).toContain('send it again');
		await approve();
		expect(await approval.rowOf(payment)).toMatchObject({ status: 'approved, NOT released' });
		expect(slackMessagesAsText()).toMatch(
			new RegExp(`Payment ${payment.payment_id}, 12\\.50 ETH: approved, NOT released`),
		);
		await approval.tickOnceDue();
		expect(approval.releaseCount(payment)).toBe(0);
		stage.team.refusingPaths.clear();
		await approval.payments.setAll({ due_at: pastTime });
		const before = stage.team.requests.length;
		await Promise.all([approval.tick(), approval.tick(), approval.tick()]);
		expect(await approval.rowOf(payment)).toMatchObject({ status: 'released', problem: '' });
		expect(stage.team.requests).toHaveLength(before + 1);
	});

	test('only the configured answer of the payment system counts as released', async () => {
		const payment = approval.paymentTo(greenAddress);
		stage.team.answer = '<html>Log in</html>';
		await approval.submit(payment);
		for (const next of [{ error: 'insufficient funds' }, { done: false }, [true], { done: true }]) {
			const problem = expect.stringMatching(
				/^It may have been paid. .*(gave another answer|Invalid JSON)/,
			);
			expect(await approval.rowOf(payment)).toMatchObject({ status: releaseUnknown, problem });
			stage.team.answer = next;
			await approval.tickOnceDue();
		}
		expect(await approval.rowOf(payment)).toMatchObject({ status: 'released', problem: '' });
		expect(new Set(stage.team.requests.map(({ key }) => key)).size).toBe(1);
	});

	describe('a release whose answer was lost', () => {
		const decide = async (
			person: Person,
			{ payment_id }: Payment,
			what: string,
			reason: string,
		) => {
			const page = await (await person.open(releaseFormPath)).send({ 'Payment ID': payment_id });
			const { words } = await page.send({ 'Your answer': what, 'Where did you look': reason });
			await untilQuiet();
			return words;
		};
		/** A payment that was made, but whose answer was lost. */
		const lose = async () => {
			const payment = approval.paymentTo(notGreenAddress);
			await approval.submit(payment);
			stage.team.answer = { queued: true };
			await approval.answer(ann, payment);
			expect(await approval.rowOf(payment)).toMatchObject({ status: releaseUnknown });
			return payment;
		};

		test('stays unknown, is asked again with its key for a day, and its ID is refused', async () => {
			const payment = await lose();
			expect(stage.mail.letters.at(-1)?.subject).toContain(
				`${payment.payment_id}, 12.50 ETH: ${releaseUnknown}`,
			);
			for (const words of [
				'check in your payment system',
				`${releaseFormPath}?reference=`,
				'gave another answer',
			])
				expect(stage.mail.letters.at(-1)?.text).toContain(words);
			// A refusal of what may have been paid before says nothing of it.
			stage.team.refusingPaths.add('/release');
			await approval.tickOnceDue();
			expect(await approval.rowOf(payment)).toMatchObject({ status: releaseUnknown });
			const asked = stage.team.requests.length;
			expect(new Set(stage.team.requests.map(({ key }) => key))).toEqual(
				new Set([payment.payment_id]),
			);
			await approval.payments.setAll({ decided_at: pastTime });
			await approval.tickOnceDue();
			expect(stage.team.requests).toHaveLength(asked);
			const before = stage.sandbox.requests.length;
			const again = await approval.post(payment);
			expect([again.status, await again.json()]).toMatchObject([
				409,
				{ status: releaseUnknown, why: expect.stringContaining('may have been paid') },
			]);
			await untilQuiet();
			expect(stage.sandbox.requests).toHaveLength(before);
			expect(await approval.rowOf(payment)).toMatchObject({
				status: releaseUnknown,
				problem: expect.stringMatching(/^It may have been paid/),
			});
		});

		test('is released or not as one approver says, who did not request it', async () => {
			const [payment, other] = [await lose(), await lose()];
			for (const [person, reason, why] of [
				[zoe, 'I looked', 'You are not on the list'],
				[rita, 'I looked', 'You requested this payment'],
				[ann, ' ', 'Enter where you looked'],
			] as Array<[Person, string, string]>) {
				expect(await decide(person, payment, 'It was paid', reason)).toMatch(
					new RegExp(`Nothing changed ${why}`),
				);
				expect(await approval.rowOf(payment)).toMatchObject({ status: releaseUnknown });
			}
			expect(await decide(ben, payment, 'It was paid', 'Statement 7')).toContain('Status released');
			expect(await approval.rowOf(payment)).toMatchObject({
				status: 'released',
				problem: `${ben.email} says that it was paid: Statement 7`,
			});
			expect(await decide(ben, other, 'It was not paid', 'Not in the list')).toContain(
				'Status not screened',
			);
			expect(await approval.rowOf(other)).toMatchObject({ status: null, decided_by: null });
			expect(slackMessagesAsText()).toContain(
				`${other.payment_id}, 12.50 ETH: not screened, send it again`,
			);
			expect(await approval.journal.rows()).toEqual(
				expect.arrayContaining([
					expect.objectContaining({
						subject: `Payment ${payment.payment_id}`,
						person: ben.email,
						answer: 'It was paid',
						reason: 'Statement 7',
					}),
				]),
			);
			// It may come again, and needs its approval again.
			stage.team.answer = null;
			expect((await approval.submit(other)).status).toBe('needs 1 person');
			const page = await (await ann.open(releaseFormPath)).send({ 'Payment ID': other.payment_id });
			expect(page.words).toContain('Nothing to answer');
		});

		test.each<[string, string, () => void]>([
			[
				'of status 503',
				'the payment system may have paid before it failed',
				() => stage.team.downPaths.add('/release'),
			],
			[
				'that breaks off',
				'the payment system may have paid before the connection broke',
				() => stage.team.breakingPaths.add('/release'),
			],
		])('comes of an answer %s, because %s; the next answer ends it', async (_, __, breakAnswer) => {
			const payment = approval.paymentTo(greenAddress);
			breakAnswer();
			await approval.submit(payment);
			expect(await approval.rowOf(payment)).toMatchObject({ status: releaseUnknown });
			stage.team.mend();
			await approval.tickOnceDue();
			expect(await approval.rowOf(payment)).toMatchObject({ status: 'released' });
			expect(approval.releaseCount(payment)).toBe(1);
		});

		test('is not what a refused connection leaves: that payment is not released', async () => {
			const payment = approval.paymentTo(greenAddress);
			stage.team.refusingPaths.add('/release');
			await approval.submit(payment);
			const { problem } = await approval.rowOf(payment);
			const nowhere = await stage.importTemplate('approve-release', {
				Release: { parameters: { url: 'http://127.0.0.1:9/release' } },
				'Every 15 Minutes': yearlySchedule,
			});
			await approval.payments.setAll({ due_at: pastTime });
			await stage.runFrom(nowhere, 'Every 15 Minutes');
			await untilQuiet();
			const row = await approval.rowOf(payment);
			expect(row).toMatchObject({ status: 'approved, NOT released' });
			expect(row.problem).not.toBe(problem);
			expect(row.problem).toMatch(/refused/i);
		});
	});
}
