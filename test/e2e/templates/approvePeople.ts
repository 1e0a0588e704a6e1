import type { IDataObject } from 'n8n-workflow';
import { reportOn } from '../../../sandbox/reports';
import { blockedAddress, notGreenAddress } from '../../support/templates/templateAddresses';
import {
	Approval,
	unchangedWords,
	answeredWords,
	nothingToAnswer,
	type Payment,
	requester,
	openPayment,
	paymentFormPath,
} from '../../support/templates/approval';
import { postForm } from '../../support/browser/form';
import { stage, untilQuiet } from '../../support/templates/stage';
import { callerHeader } from '../../support/templates/standIns';
import { slackMessagesAsText } from '../../support/templates/slackMessages';
import { type Person } from '../../support/browser/person';

/** People approve a payment: who counts, how often, and what they see. */
export function approvalByPeopleTests(): void {
	let approval: Approval;
	let { ann, ben, rita, zoe } = {} as Approval['people'];
	beforeAll(async () => {
		approval = await Approval.publish();
		({ ann, ben, rita, zoe } = approval.people);
	});
	afterAll(async () => await stage.withdrawAll());
	beforeEach(async () => await approval.clear());

	test('a payment to review waits for one listed person, who sees what it is, and the journal has the answer', async () => {
		const payment = approval.paymentTo(notGreenAddress);
		const row = await approval.submit(payment);
		expect(row).toMatchObject({ status: 'needs 1 person', decided_by: null });
		const { report_url } = reportOn(notGreenAddress, 'ETH', stage.sandbox.baseUrl);
		const { payment_id, address } = payment;
		expect(row.category).toMatch(/^(darknet|mixer|scam|stolen) 0\.\d+$/);
		const facts = [payment_id, '12.50 ETH', address, requester, String(row.summary)];
		for (const known of [...facts, report_url, `${paymentFormPath}?reference=${payment_id}`]) {
			expect(slackMessagesAsText()).toContain(known);
			expect(stage.mail.letters[0]?.text).toContain(known);
		}
		expect(stage.mail.letters[0]?.subject).toBe(
			`ON HOLD (review): payment ${payment_id}, 12.50 ETH: needs 1 approval (${String(row.category)})`,
		);
		expect(stage.mail.letters[0]?.text).toMatch(
			new RegExp(
				`^To do: .*\nDo not pay it until an approver has released it\\.\nWho can release it: one approver, but not ${requester}, who requested it\\.\nUntil when: there is no deadline\\.`,
			),
		);
		const page = await openPayment(ann, payment_id);
		for (const known of [...facts, String(row.category)]) expect(page.words).toContain(known);
		expect(page.html).toContain(report_url);
		expect(page.words).toMatch(
			/Requested by rita\S+ \(may not release it\).*by no one yet .*needed one approver/s,
		);
		const last = await approval.answer(ann, payment);
		expect(last).toMatch(answeredWords('approved'));
		for (const known of [
			payment_id,
			address,
			'12.50 ETH',
			`Decided by ${ann.email}`,
			'releases it',
		])
			expect(last).toContain(known);
		const decided = { decided_by: ann.email, decided_reason: 'I called the customer' };
		expect(await approval.rowOf(payment)).toMatchObject({ ...decided, status: 'released' });
		expect(approval.releaseCount(payment)).toBe(1);
		expect(slackMessagesAsText()).toContain(`Payment ${payment_id}, 12.50 ETH: released`);
		const entry = { subject: `Payment ${payment_id}`, person: ann.email, answer: 'Release' };
		expect(await approval.journal.rows()).toMatchObject([entry]);
	});

	test('a blocked payment needs two different people, however often the first one answers', async () => {
		const payment = approval.paymentTo(blockedAddress);
		expect((await approval.submit(payment)).status).toBe('needs 2 people');
		expect(stage.mail.letters[0]?.subject).toMatch(
			/^ON HOLD \(block\): payment \S+, 12\.50 ETH: needs 2 approvals \(darknet 0\.95\)$/,
		);
		expect(stage.mail.letters[0]?.text).toMatch(
			/^To do: read the screening report, then release or reject the payment in the form\..*\nDo not pay it until two approvers have released it\./,
		);
		expect(await approval.answer(ann, payment)).toMatch(answeredWords('needs 1 approval'));
		expect(slackMessagesAsText()).toContain(
			`Approved so far by ${ann.email}: I called the customer`,
		);
		expect(stage.mail.letters.at(-1)?.subject).toMatch(
			/^ON HOLD \(block\): .*: needs 1 more approval \(darknet 0\.95\)$/,
		);
		expect(stage.mail.letters.at(-1)?.text).toContain(
			`neither ${ann.email}, who approved it, nor ${requester}, who requested it`,
		);
		const again = unchangedWords(
			'needs 1 approval',
			'You approved it already: another approver has to give the second approval',
		);
		expect(await approval.answer(ann, payment)).toMatch(again);
		expect(stage.team.requests).toEqual([]);
		// His address is typed otherwise in the list, and still he is one person.
		expect(await approval.answer(ben, payment)).toMatch(answeredWords('approved'));
		const by = { first_by: ann.email, decided_by: ben.email };
		expect(await approval.rowOf(payment)).toMatchObject({ ...by, status: 'released' });
		expect(approval.releaseCount(payment)).toBe(1);
		// It was blocked, so the head of the team hears of it.
		const heard = stage.mail.letters.filter(({ subject }) =>
			/^Released despite a block decision/.test(subject!),
		);
		expect(heard.map(({ to }) => to?.[0]?.address)).toEqual([
			'head@example.com',
			'team@example.com',
		]);
	});

	test('neither an unlisted person, nor the requester, nor an answer without a reason changes anything', async () => {
		const [payment, review] = [blockedAddress, notGreenAddress].map((address) => ({
			...approval.paymentTo(address),
			requested_by: 'RITA@example.com',
		})) as [Payment, Payment];
		const before = [await approval.submit(payment), await approval.submit(review)];
		const unknown = { ...payment, payment_id: payment.payment_id.toLowerCase() };
		const attempts: Array<[attempt: () => Promise<string>, why: string]> = [
			[() => approval.answer(zoe, payment), 'You are not on the list of approvers.'],
			[() => approval.answer(zoe, payment, 'Reject'), 'You are not on the list of approvers.'],
			[() => approval.answer(zoe, review), 'You are not on the list of approvers.'],
			[() => approval.answer(rita, payment), 'You cannot approve your own payment.'],
			[() => approval.answer(rita, review), 'You cannot approve your own payment.'],
			[() => approval.answer(ann, payment, 'Release', '   '), 'Enter a reason.'],
			[() => approval.answer(ann, payment, 'release'), 'Nothing changed'],
			[() => approval.answer(ann, unknown), 'No payment has this ID.'],
			[() => approval.answer(ann, { ...payment, payment_id: '%' }), 'No payment has this ID.'],
		];
		for (const [attempt, why] of attempts) {
			const page = await attempt();
			expect(page).toContain('Nothing changed');
			expect(page).toContain(why);
		}
		expect([await approval.rowOf(payment), await approval.rowOf(review)]).toEqual(before);
		expect(stage.team.requests).toEqual([]);
		// Who asks for a payment that is not there gives no answer.
		expect(await approval.journal.rows()).toHaveLength(attempts.length - 2);
	});

	test('one rejection is enough, and holds', async () => {
		const payment = approval.paymentTo(blockedAddress);
		await approval.submit(payment);
		expect(await approval.answer(ben, payment, 'Reject', 'Not ours\nDecided by: ann')).toContain(
			'rejected',
		);
		expect((await openPayment(ann, payment.payment_id)).words).toMatch(nothingToAnswer('rejected'));
		const rejected = { status: 'rejected', decided_by: ben.email };
		expect(await approval.submit(payment)).toMatchObject(rejected);
		expect(approval.releaseCount(payment)).toBe(0);
		// A reason stays on its line.
		expect(slackMessagesAsText()).toContain('Decided by ben@example.com: Not ours Decided by: ann');
	});

	test('one answer sent 20 times releases once', async () => {
		const payment = approval.paymentTo(notGreenAddress);
		await approval.submit(payment);
		const page = await openPayment(ann, payment.payment_id);
		const release = { 'Your answer': 'Release', Reason: 'now' };
		const sent = Array.from({ length: 20 }, () => page.post(release));
		// n8n leaves those without an answer that come while the first one is worked on.
		await Promise.race(sent);
		await untilQuiet();
		expect(await approval.rowOf(payment)).toMatchObject({ status: 'released' });
		expect(stage.team.requests).toHaveLength(1);
		const results = (await approval.journal.rows()).filter(({ result }) =>
			/counts/.test(String(result)),
		);
		expect(results).toHaveLength(1);
	});

	test('answers at the same moment have one outcome', async () => {
		const atOnce = async (address: string, ...clicks: Array<[Person, 'Release' | 'Reject']>) => {
			const payment = approval.paymentTo(address);
			await approval.submit(payment);
			const opened = clicks.map(([person]) => openPayment(person, payment.payment_id));
			const answers = (await Promise.all(opened)).map((page, index) =>
				page.post({ 'Your answer': clicks[index]![1], Reason: 'now' }),
			);
			await Promise.all(answers);
			await untilQuiet();
			const asked = stage.team.requests.filter(({ key }) => key === payment.payment_id);
			return { row: await approval.rowOf(payment), count: asked.length };
		};
		const [review, twice, both, against] = await Promise.all([
			atOnce(notGreenAddress, [ann, 'Release'], [ben, 'Release']),
			atOnce(blockedAddress, [ann, 'Release'], [ann, 'Release']),
			atOnce(blockedAddress, [ann, 'Release'], [ben, 'Release']),
			atOnce(notGreenAddress, [ann, 'Release'], [ben, 'Reject']),
		]);
		// One person is enough: the money goes out once.
		expect(review).toMatchObject({ row: { status: 'released' }, count: 1 });
		// The same person twice is one person.
		expect(twice).toMatchObject({ row: { status: 'needs 1 person' }, count: 0 });
		// Two people are two, or one of them came too early to be the second.
		expect(['needs 1 person', 'released']).toContain(both.row.status);
		expect(both.row.first_by).not.toBe(both.row.decided_by);
		// Released or rejected, never both.
		expect(['rejected', 'released']).toContain(against.row.status);
		for (const { row, count } of [both, against])
			expect(count).toBe(row.status === 'released' ? 1 : 0);
	});

	test('an answer without a login changes nothing, on either page', async () => {
		const payment = approval.paymentTo(notGreenAddress);
		const row = await approval.submit(payment);
		const first = await ann.open(paymentFormPath);
		const second = await first.send({ 'Payment ID': payment.payment_id });
		const token = second.token!;
		const [head, claims = '', signature] = token.split('.');
		const claim = JSON.parse(Buffer.from(claims, 'base64url').toString()) as IDataObject;
		const changed = Buffer.from(JSON.stringify({ ...claim, email: ben.email })).toString(
			'base64url',
		);
		const forged: Array<Record<string, string>> = [
			{},
			{ 'x-auth-token': ann.email },
			{ 'x-auth-token': `${head}.${changed}.${signature}` },
			{ 'x-auth-token': token.slice(0, -2) },
			callerHeader,
		];
		const release = { 'Your answer': 'Release', Reason: 'forged' };
		for (const headers of [...forged, { 'x-auth-token': first.token! }]) {
			const answered = await postForm(second.url, second.fill(release), headers);
			expect(answered.status).toBe(401);
		}
		for (const headers of forged)
			expect((await postForm(first.url, { 'field-0': 'x' }, headers)).status).toBe(401);
		// Fields that say who it is are no fields of the form.
		const page = await openPayment(zoe, payment.payment_id);
		await postForm(
			page.url,
			{ ...page.fill(release), 'field-3': ben.email },
			{ 'x-auth-token': page.token! },
		);
		await untilQuiet();
		expect(await approval.rowOf(payment)).toEqual(row);
		expect((await approval.journal.rows()).map(({ person }) => person)).toEqual([zoe.email]);
	});

	test('a payment without an answer stays held, and a message that was not delivered is sent again', async () => {
		stage.setDown('slack', 'mail');
		const payment = approval.paymentTo(notGreenAddress);
		const row = await approval.submit(payment);
		expect(row).toMatchObject({ status: 'needs 1 person' });
		stage.clear();
		await approval.tickOnceDue();
		expect(slackMessagesAsText()).toContain(
			`ON HOLD (review): payment ${payment.payment_id}, 12.50 ETH: needs 1 approval`,
		);
		expect(stage.mail.letters).toHaveLength(1);
		for (const reminder of [1, 2]) {
			stage.clear();
			await approval.tick();
			expect(stage.slack.messages).toEqual([]);
			await approval.tickOnceDue();
			const subject = expect.stringContaining(
				`Reminder ${reminder}: ON HOLD (review): payment ${payment.payment_id}`,
			);
			expect(stage.mail.letters.map((letter) => letter.subject)).toEqual([subject]);
		}
		const left = Date.parse((await approval.rowOf(payment)).due_at!) - Date.now();
		expect(left).toBeGreaterThan(3.9 * 3_600_000);
		expect(stage.team.requests).toEqual([]);
	});
}
