import type { IDataObject } from 'n8n-workflow';
import { until } from '../../../tools/host/until';
import { scenarioAddress } from '../../../sandbox/scenarios';
import {
	blockedAddress,
	greenAddress,
	greenAddresses,
	notGreenAddress,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import {
	Approval,
	answeredWords,
	nothingToAnswer,
	openPayment,
} from '../../support/templates/approval';
import { table } from '../../support/templates/dataTable';
import { tellWhatStops } from '../../support/templates/foundation';
import { stage, untilQuiet } from '../../support/templates/stage';
import { withBrokenPolicy } from '../../support/templates/brokenPolicy';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { callerHeader } from '../../support/templates/standIns';
import { pastTime } from '../../support/templates/times';
import { slackMessagesAsText } from '../../support/templates/slackMessages';
import { type Person } from '../../support/browser/person';

/** A payment comes in: what n8n takes, refuses and cannot screen. */
export function paymentIntakeTests(): void {
	let approval: Approval;
	let ann: Person;
	beforeAll(async () => {
		approval = await Approval.publish();
		({ ann } = approval.people);
	});
	afterAll(async () => await stage.withdrawAll());
	beforeEach(async () => await approval.clear());

	test('a payment that the service did not screen is not released, and can be sent again', async () => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 503 } });
		const payment = approval.paymentTo(notGreenAddress);
		expect(await approval.submit(payment)).toMatchObject({ status: null, due_at: null });
		expect(slackMessagesAsText()).toContain(
			`${payment.payment_id}, 12.50 ETH: not screened, send it again`,
		);
		const { words } = await openPayment(ann, payment.payment_id);
		expect(words).toMatch(nothingToAnswer('not screened'));
		stage.sandbox.clearFaults();
		await approval.submit(payment);
		expect(await approval.answer(ann, payment)).toMatch(answeredWords('approved'));
		expect(approval.releaseCount(payment)).toBe(1);
		expect(await approval.rows()).toHaveLength(1);
	});

	/** A sanctioned address with one letter in the wrong case, so that its checksum is wrong. */
	const mistyped = sanctionedAddress.replace(/[a-f]/, (letter) => letter.toUpperCase());
	test('the message about a payment that was not screened says what to do, by the reason', async () => {
		const correctAddress = 'correct the address in a new payment';
		const correctSettings = 'correct the settings, then send it again';
		const [first, second, third, fourth] = greenAddresses as [string, string, string, string];
		/** For each address, the status of the service, the end of the subject, and what is to do. */
		const reasons: Array<[address: string, status: number, title: string, toDo: string]> = [
			[mistyped, 200, correctAddress, 'ask rita@example.com for the right'],
			[scenarioAddress('rejected'), 200, correctAddress, 'as a new payment'],
			[first, 401, correctSettings, 'test the credential'],
			[second, 403, correctSettings, 'Then have your payment system send'],
			[third, 404, correctSettings, 'test the credential'],
			[fourth, 503, 'send it again', 'have your payment system send'],
		];
		for (const [address, status] of reasons.filter(([, one]) => one !== 200))
			stage.sandbox.addFault({
				when: ({ body }) => (body as IDataObject | undefined)?.address === address,
				effect: { kind: 'answer', status },
			});
		const sent = reasons.map(([address]) => approval.paymentTo(address));
		await Promise.all(sent.map(async (payment) => await approval.post(payment)));
		await untilQuiet();
		expect((await approval.rows()).map(({ status }) => status)).toEqual(Array(6).fill(null));
		for (const [n, [, , title, toDo]] of reasons.entries()) {
			const about = `Payment ${sent[n]!.payment_id},`;
			const [letter, ...others] = stage.mail.letters.filter(({ subject }) =>
				subject?.includes(about),
			);
			expect(others).toEqual([]);
			expect(letter?.subject).toMatch(new RegExp(`: not screened, ${title}$`));
			expect(letter?.text).toMatch(new RegExp(`^\\s*To do: .*${toDo}`));
			expect(letter?.text?.match(/To do/g)).toHaveLength(1);
		}
	});

	test('a payment is held when the budget of the month is used up, and goes out after the budget is raised', async () => {
		const [settingsTable, budget] = [table('Screening Settings'), table('Screening Budget')];
		await settingsTable.setAll({ monthly_budget: 1 });
		await budget.insert({ month: new Date().toISOString().slice(0, 7), screenings: 1 });
		try {
			const payment = approval.paymentTo(greenAddress);
			expect(await approval.submit(payment)).toMatchObject({ status: null, report_id: null });
			expect(stage.mail.letters[0]?.subject).toMatch(
				/: not screened, raise the budget or wait for the next month, then send it again$/,
			);
			expect([stage.sandbox.requests, stage.team.requests]).toEqual([[], []]);
			await settingsTable.setAll({ monthly_budget: 2 });
			expect(await approval.submit(payment)).toMatchObject({ status: 'released' });
		} finally {
			await settingsTable.setAll({ monthly_budget: 0 });
			await budget.clear();
		}
	});

	test('an amount is a text, or a number that loses no digits', async () => {
		const post = async (amount: unknown) =>
			(await approval.post({ ...approval.paymentTo(greenAddress), amount })).status;
		const tooLarge = Number('12345678901234567890');
		const text = '12345678901234567890';
		expect([await post(tooLarge), await post(text), await post(Number.MAX_SAFE_INTEGER)]).toEqual([
			400, 202, 202,
		]);
		await untilQuiet();
		const paid = stage.team.requests.map(({ body }) => body.amount);
		expect(paid.sort()).toEqual([text, '9007199254740991']);
		expect(slackMessagesAsText().match(/as a text/g)).toHaveLength(1);
	});

	test('a policy that cannot be read is not reported for each payment, and a payment that it stopped can be sent again', async () => {
		const all = [greenAddress, blockedAddress].map((address) => approval.paymentTo(address));
		await withBrokenPolicy(async () => {
			await table('Screening Told').clear();
			for (const one of all) expect(await approval.submit(one)).toMatchObject({ status: null });
			await approval.tick();
			expect(stage.slack.messages).toEqual([]);
			await tellWhatStops();
			expect(slackMessagesAsText()).toContain('The policy cannot be read');
		});
		expect((await approval.submit(all[0]!)).status).toBe('released');
	});

	test('a payment whose ID comes again with other data is refused', async () => {
		const payment = approval.paymentTo(notGreenAddress);
		const row = await approval.submit(payment);
		const changes = [
			{ amount: '99 ETH' },
			{ address: greenAddress },
			{ chain: 'BSC' },
			{ requested_by: 'ann@example.com' },
		];
		for (const change of [...changes, ...changes]) {
			expect((await approval.post({ ...payment, ...change })).status).toBe(409);
		}
		await untilQuiet();
		expect(await approval.rows()).toMatchObject([
			row,
			...changes.map(() => ({ status: 'refused' })),
		]);
		expect(slackMessagesAsText()).toContain('with other data');
		await approval.answer(ann, payment);
		expect(stage.team.requests).toMatchObject([{ body: payment }]);
	});

	test('a payment that is incomplete, could pass for another line, or has no header, is refused', async () => {
		const whole = approval.paymentTo(greenAddress);
		expect((await approval.post(whole, {})).status).toBe(403);
		const changes: object[] = [
			{ payment_id: 'a b' },
			{ payment_id: { a: 1 } },
			{ address: '' },
			{ amount: null },
			{ address: '=HYPERLINK("x")' },
			{ amount: '1\nTo: somebody else' },
			{ address: '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ' },
			{ amount: '<b>1</b>' },
			{ chain: 'ETH\nRequested by: x' },
			{ requested_by: 'somebody' },
			{ requested_by: 'a@b\nc@d' },
		];
		const bodies = [{}, [], ...changes.map((change) => ({ ...whole, ...change }))];
		for (const body of bodies)
			expect([body, (await approval.post(body)).status]).toEqual([body, 400]);
		await untilQuiet();
		expect(slackMessagesAsText().match(/was refused/g)).toHaveLength(bodies.length);
		expect([stage.team.requests, stage.sandbox.requests, await approval.rows()]).toEqual([
			[],
			[],
			[],
		]);
	});

	test('a payment that n8n did not decide is not released, and the team is told', async () => {
		const payment = approval.paymentTo(greenAddress);
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		await approval.submit(payment);
		stage.clear();
		stage.sandbox.addFault({ effect: { kind: 'delay', ms: 3000 } });
		await approval.post(payment);
		await until('the screening', async () => stage.sandbox.requests[0]);
		// Another run has it by now: what the first one hears does not count.
		await approval.payments.setAll({ due_at: pastTime });
		await untilQuiet();
		expect(await approval.rows()).toMatchObject([{ status: 'screening', report_id: null }]);
		await approval.tick();
		expect(await approval.rows()).toMatchObject([{ status: null, due_at: null }]);
		expect(slackMessagesAsText()).toMatch(/not screened, send it again.*was interrupted/);
		expect(stage.team.requests).toEqual([]);
	});

	test('the system that sent a payment asks for its status', async () => {
		await stage.publishTemplate('approve-status', {
			'When Your System Asks': { webhookId: 'payment-status' },
		});
		const ask = async (payment_id: string, headers = callerHeader) =>
			await fetch(`${stage.n8n.url}/webhook/payment-status?payment_id=${payment_id}`, { headers });
		const payment = approval.paymentTo(notGreenAddress);
		const row = await approval.submit(payment);
		const { payment_id } = payment;
		const answered = await ask(payment_id);
		expect([answered.status, await answered.json()]).toMatchObject([
			200,
			{ payment_id, status: 'needs 1 person', why: row.summary, report_id: row.report_id },
		]);
		await approval.answer(ann, payment);
		const released = { status: 'released', released_at: expect.any(String) };
		expect(await (await ask(payment_id)).json()).toMatchObject(released);
		expect((await ask('P-unknown')).status).toBe(404);
		expect((await ask(payment_id, { 'X-Caller-Key': 'another' })).status).toBe(403);
	});

	test('a workflow hands a payment over, and gets its status', async () => {
		const payment = approval.paymentTo(blockedAddress);
		const { payment_id: reference } = payment;
		const given = await callWorkflow(approval.workflows.take, [payment as unknown as IDataObject]);
		await untilQuiet();
		expect(given).toMatchObject([{ reference, status: 'needs 2 people' }]);
		const again = await callWorkflow(approval.workflows.take, [{ ...payment, amount: '13 ETH' }]);
		expect(again).toMatchObject([{ status: 'refused', code: '409' }]);
	});
}
