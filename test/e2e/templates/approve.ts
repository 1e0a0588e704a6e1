import type { IDataObject } from 'n8n-workflow';
import { until } from '../../../tools/host/until';
import { reportOn } from '../../../sandbox/reports';
import {
	blockedAddress,
	greenAddress,
	notGreenAddress,
	sanctionedAddress,
	scenarioAddress,
} from './addresses';
import { breakPolicy, callWorkflow, tellWhatStops } from './foundation';
import { table } from './dataTable';
import { type FormPage, invitePerson, type Person, postForm } from './person';
import { callerHeader, never, past, postTo, said, stage, untilQuiet as quiet } from './stage';

export interface Payment {
	payment_id: string;
	address: string;
	chain?: string;
	amount: string;
	requested_by: string;
}

export interface PaymentRow extends IDataObject {
	id: number;
	reference: string;
	status: string | null;
	first_by: string | null;
	decided_by: string | null;
	due_at: string | null;
}

export const paymentPath = 'approve-a-payment';
export const formPath = 'answer-a-payment';
const unknownPath = 'answer-a-release';
const unknown = 'approved, release unknown';
export const requester = 'rita@example.com';

/** Imports and publishes the five parts. */
export async function publishApproval() {
	await stage.publishTemplate('approve-remind');
	await stage.publishTemplate('approve-unknown', {
		'When a Person Opens the Page': { webhookId: unknownPath },
	});
	const release = await stage.publishTemplate('approve-release', {
		Release: { parameters: { url: `${stage.team.url}/release` } },
		'Every 15 Minutes': never,
	});
	const answer = await stage.publishTemplate('approve-answer', {
		'When a Person Opens the Page': { webhookId: formPath },
	});
	const take = await stage.publishTemplate('approve-take', {
		'When a Payment Comes In': { webhookId: paymentPath },
	});
	return { release, answer, take };
}

/** What the last page says of an answer. */
const counts = (status: string) =>
	new RegExp(
		`You ${{ approved: 'released it', rejected: 'rejected it' }[status] ?? 'approved it'}.*Status ${status} `,
	);
const changesNothing = (status: string, why: string) =>
	new RegExp(`Nothing changed ${why}.*Status ${status} `);
/** The second page of the form, for a payment on which nobody has to decide now. */
const nothingToAnswer = (status: string) => new RegExp(`Nothing to answer .*Status ${status} `);

/** Opens the form of a payment, and gives the page on which a person answers. */
export const secondPage = async (person: Person, payment_id: string): Promise<FormPage> =>
	await (await person.open(formPath)).send(payment_id);

/** The three workflows that hold a payment until people have approved it. */
export function approveTests(): void {
	let parts: Awaited<ReturnType<typeof publishApproval>>;
	let [ann, ben, rita, zoe] = [] as unknown as [Person, Person, Person, Person];
	const [payments, journal] = [table('Screening Payments'), table('Screening Journal')];

	beforeAll(async () => {
		parts = await publishApproval();
		const invited = ['ann', 'ben', 'rita', 'zoe'].map((name) =>
			invitePerson(`${name}@example.com`),
		);
		[ann, ben, rita, zoe] = (await Promise.all(invited)) as [Person, Person, Person, Person];
		// Zoe is no approver. Rita is one, and requests the payments. Somebody typed the list.
		const listed = ['ann@example.com', ' Ben@Example.COM', rita.email];
		await table('Screening Approvers').clear();
		await table('Screening Approvers').insert(...listed.map((email) => ({ email })));
	});
	afterAll(() => stage.withdrawAll());
	beforeEach(async () => {
		for (const one of [payments, journal]) await one.clear();
	});

	let count = 0;
	const paymentTo = (address: string): Payment => ({
		...{ payment_id: `P-${++count}`, address, chain: 'ETH', amount: '12.50 ETH' },
		requested_by: requester,
	});
	const post = async (payment: unknown, headers?: Record<string, string>) =>
		await postTo(paymentPath, payment, headers);
	const rows = async () => await payments.rows<PaymentRow>();
	const rowOf = async ({ payment_id }: Payment) =>
		(await rows()).find(({ reference }) => reference === payment_id)!;
	/** Sends a payment in, and gives what n8n wrote of it once it is done. */
	const submit = async (payment: Payment) => {
		const { status } = await post(payment);
		await quiet();
		return { status, row: await rowOf(payment) };
	};
	const answer = async (
		person: Person,
		{ payment_id }: Payment,
		what = 'Release',
		reason = 'I called the customer',
	) => {
		const { words } = await (await secondPage(person, payment_id)).send(undefined, what, reason);
		await quiet();
		return words;
	};
	/** Does what n8n does once the next step of every payment is due. */
	const tickOnceDue = async () => {
		await payments.setAll({ due_at: past });
		await tick();
	};
	const released = ({ payment_id }: Payment) =>
		stage.team.done('/release').filter(({ key }) => key === payment_id).length;
	/** Runs part 3, and waits for the reminders, which it does not wait for itself. */
	const tick = async () => {
		await stage.runFrom(parts.release, 'Every 15 Minutes');
		await quiet();
	};

	test('a payment that the policy allows is released at once, once, though it comes in 20 times', async () => {
		const payment = paymentTo(greenAddress);
		const sent = await Promise.all(Array.from({ length: 20 }, () => post(payment)));
		await quiet();
		expect(new Set(sent.map(({ status }) => status))).toEqual(new Set([202]));
		const released = { status: 'released', decided_by: 'policy', due_at: null };
		expect(await rows()).toMatchObject([released]);
		expect(stage.team.requests).toMatchObject([{ key: payment.payment_id, body: payment }]);
		expect(stage.sandbox.requests).toHaveLength(1);
		expect([...stage.slack.messages, ...stage.mail.letters]).toEqual([]);
	});

	test('a payment to review waits for one listed person, who sees what it is, and all is written down', async () => {
		const payment = paymentTo(notGreenAddress);
		const { row } = await submit(payment);
		expect(row).toMatchObject({ status: 'needs 1 person', decided_by: null });
		const { report_url } = reportOn(notGreenAddress, 'ETH', stage.sandbox.baseUrl);
		const { payment_id, address } = payment;
		expect(row.category).toMatch(/^(darknet|mixer|scam|stolen) 0\.\d+$/);
		const facts = [payment_id, '12.50 ETH', address, requester, String(row.summary)];
		for (const known of [...facts, report_url, `${formPath}?reference=${payment_id}`]) {
			expect(said()).toContain(known);
			expect(stage.mail.letters[0]?.text).toContain(known);
		}
		const page = await secondPage(ann, payment_id);
		for (const known of [...facts, String(row.category)]) expect(page.words).toContain(known);
		expect(page.html).toContain(report_url);
		expect(page.words).toMatch(
			/Requested by rita\S+ \(may not decide\).*by no one yet .*needed one approver/s,
		);
		const last = await answer(ann, payment);
		expect(last).toMatch(counts('approved'));
		for (const known of [
			payment_id,
			address,
			'12.50 ETH',
			`Decided by ${ann.email}`,
			'releases it',
		])
			expect(last).toContain(known);
		const decided = { decided_by: ann.email, decided_reason: 'I called the customer' };
		expect(await rowOf(payment)).toMatchObject({ ...decided, status: 'released' });
		expect(released(payment)).toBe(1);
		expect(said()).toContain(`Payment ${payment_id}, 12.50 ETH: released`);
		const entry = { subject: `Payment ${payment_id}`, person: ann.email, answer: 'Release' };
		expect(await journal.rows()).toMatchObject([entry]);
	});

	test('a blocked payment needs two different people, however often the first one answers', async () => {
		const payment = paymentTo(blockedAddress);
		expect((await submit(payment)).row.status).toBe('needs 2 people');
		expect(stage.mail.letters[0]?.subject).toMatch(/^BLOCKED: .*, darknet 0\.95: needs 2 people$/);
		expect(await answer(ann, payment)).toMatch(counts('needs 1 person'));
		expect(said()).toContain(`Approved so far by ${ann.email}: I called the customer`);
		expect(stage.mail.letters.at(-1)?.subject).toMatch(/^BLOCKED: .*: needs 1 more person$/);
		const again = changesNothing('needs 1 person', 'The other approval must be of another person');
		expect(await answer(ann, payment)).toMatch(again);
		expect(stage.team.requests).toEqual([]);
		// His address is typed otherwise in the list, and still he is one person.
		expect(await answer(ben, payment)).toMatch(counts('approved'));
		const by = { first_by: ann.email, decided_by: ben.email };
		expect(await rowOf(payment)).toMatchObject({ ...by, status: 'released' });
		expect(released(payment)).toBe(1);
		// It was blocked, so the head of the team hears of it.
		const heard = stage.mail.letters.filter(({ subject }) =>
			/^Released though blocked/.test(subject!),
		);
		expect(heard.map(({ to }) => to?.[0]?.address)).toEqual([
			'head@example.com',
			'team@example.com',
		]);
	});

	test('neither an unlisted person, nor the requester, nor an answer without a reason changes anything', async () => {
		const [payment, review] = [blockedAddress, notGreenAddress].map((address) => ({
			...{ ...paymentTo(address), requested_by: 'RITA@example.com' },
		})) as [Payment, Payment];
		const before = [(await submit(payment)).row, (await submit(review)).row];
		const unknown = { ...payment, payment_id: payment.payment_id.toLowerCase() };
		const attempts: Array<[attempt: () => Promise<string>, why: string]> = [
			[() => answer(zoe, payment), 'You are not on the list of approvers.'],
			[() => answer(zoe, payment, 'Reject'), 'You are not on the list of approvers.'],
			[() => answer(zoe, review), 'You are not on the list of approvers.'],
			[() => answer(rita, payment), 'You cannot approve your own payment.'],
			[() => answer(rita, review), 'You cannot approve your own payment.'],
			[() => answer(ann, payment, 'Release', '   '), 'Enter a reason.'],
			[() => answer(ann, payment, 'release'), 'Nothing changed'],
			[() => answer(ann, unknown), 'No payment has this ID.'],
			[() => answer(ann, { ...payment, payment_id: '%' }), 'No payment has this ID.'],
		];
		for (const [attempt, why] of attempts) {
			const page = await attempt();
			expect(page).toContain('Nothing changed');
			expect(page).toContain(why);
		}
		expect([await rowOf(payment), await rowOf(review)]).toEqual(before);
		expect(stage.team.requests).toEqual([]);
		// Who asks for a payment that is not there gives no answer.
		expect(await journal.rows()).toHaveLength(attempts.length - 2);
	});

	test('one rejection is enough, and holds', async () => {
		const payment = paymentTo(blockedAddress);
		await submit(payment);
		expect(await answer(ben, payment, 'Reject', 'Not ours\nDecided by: ann')).toContain('rejected');
		expect((await secondPage(ann, payment.payment_id)).words).toMatch(nothingToAnswer('rejected'));
		const rejected = { status: 'rejected', decided_by: ben.email };
		expect((await submit(payment)).row).toMatchObject(rejected);
		expect(released(payment)).toBe(0);
		// A reason stays on its line.
		expect(said()).toContain('Decided by ben@example.com: Not ours Decided by: ann');
	});

	test('one answer sent 20 times releases once', async () => {
		const payment = paymentTo(notGreenAddress);
		await submit(payment);
		const { url, token } = await secondPage(ann, payment.payment_id);
		const fields = [undefined, 'Release', 'now'];
		const headers = { 'x-auth-token': token! };
		const sent = Array.from({ length: 20 }, () => postForm(url, fields, headers));
		// n8n leaves those without an answer that come while the first one is worked on.
		await Promise.race(sent);
		await quiet();
		expect(await rowOf(payment)).toMatchObject({ status: 'released' });
		expect(stage.team.requests).toHaveLength(1);
		const results = (await journal.rows()).filter(({ result }) => /counts/.test(String(result)));
		expect(results).toHaveLength(1);
	});

	test('answers at the same moment have one outcome', async () => {
		const atOnce = async (address: string, ...clicks: Array<[Person, 'Release' | 'Reject']>) => {
			const payment = paymentTo(address);
			await submit(payment);
			const opened = clicks.map(([person]) => secondPage(person, payment.payment_id));
			const answers = (await Promise.all(opened)).map(({ url, token }, index) =>
				postForm(url, [undefined, clicks[index]![1], 'now'], { 'x-auth-token': token! }),
			);
			await Promise.all(answers);
			await quiet();
			const asked = stage.team.requests.filter(({ key }) => key === payment.payment_id);
			return { row: await rowOf(payment), count: asked.length };
		};
		// One person is enough: the money goes out once.
		const review = await atOnce(notGreenAddress, [ann, 'Release'], [ben, 'Release']);
		expect(review).toMatchObject({ row: { status: 'released' }, count: 1 });
		// The same person twice is one person.
		const twice = await atOnce(blockedAddress, [ann, 'Release'], [ann, 'Release']);
		expect(twice).toMatchObject({ row: { status: 'needs 1 person' }, count: 0 });
		// Two people are two, or one of them came too early to be the second.
		const both = await atOnce(blockedAddress, [ann, 'Release'], [ben, 'Release']);
		expect(['needs 1 person', 'released']).toContain(both.row.status);
		expect(both.row.first_by).not.toBe(both.row.decided_by);
		// Released or rejected, never both.
		const against = await atOnce(notGreenAddress, [ann, 'Release'], [ben, 'Reject']);
		expect(['rejected', 'released']).toContain(against.row.status);
		for (const { row, count } of [both, against])
			expect(count).toBe(row.status === 'released' ? 1 : 0);
	});

	test('an answer that nobody signed in for changes nothing, on either page', async () => {
		const payment = paymentTo(notGreenAddress);
		const { row } = await submit(payment);
		const first = await ann.open(formPath);
		const second = await first.send(payment.payment_id);
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
		for (const headers of [...forged, { 'x-auth-token': first.token! }]) {
			const answered = await postForm(second.url, [undefined, 'Release', 'forged'], headers);
			expect(answered.status).toBe(401);
		}
		for (const headers of forged)
			expect((await postForm(first.url, ['x'], headers)).status).toBe(401);
		// Fields that say who it is are no fields of the form.
		const page = await secondPage(zoe, payment.payment_id);
		await page.send(undefined, 'Release', 'forged', ben.email);
		await quiet();
		expect(await rowOf(payment)).toEqual(row);
		expect((await journal.rows()).map(({ person }) => person)).toEqual([zoe.email]);
	});

	test('silence keeps a payment held, and a message that was not said comes again', async () => {
		stage.setDown('slack', 'mail');
		const payment = paymentTo(notGreenAddress);
		const { row } = await submit(payment);
		expect(row).toMatchObject({ status: 'needs 1 person' });
		stage.clear();
		await tickOnceDue();
		expect(said()).toContain(`Payment ${payment.payment_id}, 12.50 ETH: needs 1 person`);
		expect(stage.mail.letters).toHaveLength(1);
		for (const reminder of [1, 2]) {
			stage.clear();
			await tick();
			expect(stage.slack.messages).toEqual([]);
			await tickOnceDue();
			const subject = expect.stringContaining(
				`Reminder ${reminder}: Payment ${payment.payment_id}`,
			);
			expect(stage.mail.letters.map((letter) => letter.subject)).toEqual([subject]);
		}
		const left = Date.parse((await rowOf(payment)).due_at!) - Date.now();
		expect(left).toBeGreaterThan(3.9 * 3_600_000);
		expect(stage.team.requests).toEqual([]);
	});

	test('what the service did not screen is not released, and can be sent again', async () => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 503 } });
		const payment = paymentTo(notGreenAddress);
		expect((await submit(payment)).row).toMatchObject({ status: null, due_at: null });
		expect(said()).toContain(`${payment.payment_id}, 12.50 ETH: not screened, send it again`);
		const { words } = await secondPage(ann, payment.payment_id);
		expect(words).toMatch(nothingToAnswer('not screened'));
		stage.sandbox.clearFaults();
		await submit(payment);
		expect(await answer(ann, payment)).toMatch(counts('approved'));
		expect(released(payment)).toBe(1);
		expect(await rows()).toHaveLength(1);
	});

	const address = 'correct the address in a new payment';
	const settings = 'correct the settings, then send it again';
	/** A sanctioned address with one letter in the wrong case, so that its checksum is wrong. */
	const mistyped = sanctionedAddress.replace(/[a-f]/, (letter) => letter.toUpperCase());
	test.each([
		['the address is mistyped', mistyped, 200, address, 'ask rita@example.com for the right'],
		['the service refuses the address', scenarioAddress('13'), 200, address, 'as a new payment'],
		['the key is wrong', greenAddress, 401, settings, 'test the credential'],
		['the key may not screen', greenAddress, 403, settings, 'Then let your payment system send'],
		['the Base URL is wrong', greenAddress, 404, settings, 'test the credential'],
		['the service is down', greenAddress, 503, 'send it again', 'let your payment system send'],
	])('if %s, the message says what to do', async (_, to, status, title, text) => {
		if (status !== 200) stage.sandbox.addFault({ effect: { kind: 'answer', status } });
		const { row } = await submit(paymentTo(to));
		expect(row.status).toBeNull();
		const [letter] = stage.mail.letters;
		expect(letter?.subject).toMatch(new RegExp(`: not screened, ${title}$`));
		expect(letter?.text).toMatch(new RegExp(`^\\s*To do: .*${text}`));
		expect(letter?.text?.match(/To do/g)).toHaveLength(1);
	});

	test('an approved payment that could not be released is named, and released once later', async () => {
		stage.team.refusing.add('/release');
		const payment = paymentTo(blockedAddress);
		const approve = async () => {
			await submit(payment);
			for (const person of [ann, ben]) await answer(person, payment);
		};
		await approve();
		// What was decided a day ago has to be screened and approved again.
		await payments.setAll({ decided_at: past });
		await tickOnceDue();
		expect(await rowOf(payment)).toMatchObject({ status: null, first_by: null, decided_by: null });
		expect(said()).toContain('send it again');
		await approve();
		expect(await rowOf(payment)).toMatchObject({ status: 'approved, NOT released' });
		expect(said()).toMatch(new RegExp(`${payment.payment_id}, .* approved, NOT released`));
		await tickOnceDue();
		expect(released(payment)).toBe(0);
		stage.team.refusing.clear();
		await payments.setAll({ due_at: past });
		const before = stage.team.requests.length;
		await Promise.all([tick(), tick(), tick()]);
		expect(await rowOf(payment)).toMatchObject({ status: 'released', problem: '' });
		expect(stage.team.requests).toHaveLength(before + 1);
	});

	test('only the value that the payment system was said to answer counts as released', async () => {
		const payment = paymentTo(greenAddress);
		stage.team.answer = '<html>Log in</html>';
		await submit(payment);
		for (const next of [{ error: 'insufficient funds' }, { done: false }, [true], { done: true }]) {
			const problem = expect.stringMatching(
				/^It may have been paid. .*(Another answer|Invalid JSON)/,
			);
			expect(await rowOf(payment)).toMatchObject({ status: unknown, problem });
			stage.team.answer = next;
			await tickOnceDue();
		}
		expect(await rowOf(payment)).toMatchObject({ status: 'released', problem: '' });
		expect(new Set(stage.team.requests.map(({ key }) => key)).size).toBe(1);
	});

	describe('a release whose answer was lost', () => {
		const decide = async (
			person: Person,
			{ payment_id }: Payment,
			what: string,
			reason: string,
		) => {
			const page = await (await person.open(unknownPath)).send(payment_id);
			const { words } = await page.send(undefined, what, reason);
			await quiet();
			return words;
		};
		/** A payment that was made, and nobody heard of it. */
		const lose = async () => {
			const payment = paymentTo(notGreenAddress);
			await submit(payment);
			stage.team.answer = { queued: true };
			await answer(ann, payment);
			expect(await rowOf(payment)).toMatchObject({ status: unknown });
			return payment;
		};

		test('stays unknown, is asked again with its key for a day, and its ID is refused', async () => {
			const payment = await lose();
			expect(stage.mail.letters.at(-1)?.subject).toContain(
				`${payment.payment_id}, 12.50 ETH: ${unknown}`,
			);
			for (const words of [
				'look in your payment system',
				`${unknownPath}?reference=`,
				'Another answer came',
			])
				expect(stage.mail.letters.at(-1)?.text).toContain(words);
			// A refusal of what may have been paid before says nothing of it.
			stage.team.refusing.add('/release');
			await tickOnceDue();
			expect(await rowOf(payment)).toMatchObject({ status: unknown });
			const asked = stage.team.requests.length;
			expect(new Set(stage.team.requests.map(({ key }) => key))).toEqual(
				new Set([payment.payment_id]),
			);
			await payments.setAll({ decided_at: past });
			await tickOnceDue();
			expect(stage.team.requests).toHaveLength(asked);
			const before = stage.sandbox.requests.length;
			const again = await post(payment);
			expect([again.status, await again.json()]).toMatchObject([
				409,
				{ status: unknown, why: expect.stringContaining('may have been paid') },
			]);
			await quiet();
			expect(stage.sandbox.requests).toHaveLength(before);
			expect(await rowOf(payment)).toMatchObject({
				status: unknown,
				problem: expect.stringMatching(/^It may have been paid/),
			});
		});

		test('is released or not as one approver says, who did not request it', async () => {
			const [payment, other] = [await lose(), await lose()];
			for (const [person, reason, why] of [
				[zoe, 'I looked', 'You are not on the list'],
				[rita, 'I looked', 'You requested this payment'],
				[ann, ' ', 'Say where you looked'],
			] as Array<[Person, string, string]>) {
				expect(await decide(person, payment, 'It was paid', reason)).toMatch(
					new RegExp(`Nothing changed ${why}`),
				);
				expect(await rowOf(payment)).toMatchObject({ status: unknown });
			}
			expect(await decide(ben, payment, 'It was paid', 'Statement 7')).toContain('Status released');
			expect(await rowOf(payment)).toMatchObject({
				status: 'released',
				problem: `${ben.email} says that it was paid: Statement 7`,
			});
			expect(await decide(ben, other, 'It was not paid', 'Not in the list')).toContain(
				'Status not screened',
			);
			expect(await rowOf(other)).toMatchObject({ status: null, decided_by: null });
			expect(said()).toContain(`${other.payment_id}, 12.50 ETH: not screened, send it again`);
			expect(await journal.rows()).toEqual(
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
			expect((await submit(other)).row.status).toBe('needs 1 person');
			const page = await (await ann.open(unknownPath)).send(other.payment_id);
			expect(page.words).toContain('Nothing to answer');
		});

		test('is an answer that broke off, a status 5xx, or silence; no connection is none', async () => {
			const payment = paymentTo(greenAddress);
			stage.team.down.add('/release');
			await submit(payment);
			expect(await rowOf(payment)).toMatchObject({ status: unknown });
			stage.team.down.clear();
			await tickOnceDue();
			expect(await rowOf(payment)).toMatchObject({ status: 'released' });
			const url = 'http://127.0.0.1:9/release';
			const nowhere = await stage.importTemplate('approve-release', {
				Release: { parameters: { url } },
				'Every 15 Minutes': never,
			});
			const next = paymentTo(greenAddress);
			stage.team.refusing.add('/release');
			await submit(next);
			await payments.setAll({ due_at: past });
			await stage.runFrom(nowhere, 'Every 15 Minutes');
			await quiet();
			expect(await rowOf(next)).toMatchObject({ status: 'approved, NOT released' });
		});
	});

	test.each([
		[12345678901234567890, 400],
		['12345678901234567890', 202],
		[9007199254740991, 202],
	])('an amount of %p is answered with %i', async (amount, status) => {
		const payment = { ...paymentTo(greenAddress), amount: amount as string };
		expect((await post(payment)).status).toBe(status);
		await quiet();
		expect(stage.team.requests.map(({ body }) => body.amount)).toEqual(
			status === 202 ? [String(amount)] : [],
		);
		expect(said().includes('as a text')).toBe(status === 400);
	});

	test('a policy that cannot be read is not said for each payment, and what it stopped can be sent again', async () => {
		const all = [greenAddress, blockedAddress].map(paymentTo);
		const mend = await breakPolicy();
		await table('Screening Told').clear();
		for (const one of all) expect((await submit(one)).row).toMatchObject({ status: null });
		await tick();
		expect(stage.slack.messages).toEqual([]);
		await tellWhatStops();
		expect(said()).toContain('The policy cannot be read');
		await mend();
		expect((await submit(all[0]!)).row.status).toBe('released');
	});

	test('a payment whose ID comes again with other data is refused', async () => {
		const payment = paymentTo(notGreenAddress);
		const { row } = await submit(payment);
		const changes = [
			...[{ amount: '99 ETH' }, { address: greenAddress }, { chain: 'BSC' }],
			{ requested_by: 'ann@example.com' },
		];
		for (const change of [...changes, ...changes]) {
			expect((await post({ ...payment, ...change })).status).toBe(409);
		}
		await quiet();
		expect(await rows()).toMatchObject([row, ...changes.map(() => ({ status: 'refused' }))]);
		expect(said()).toContain('with other data');
		await answer(ann, payment);
		expect(stage.team.requests).toMatchObject([{ body: payment }]);
	});

	test('a payment that is incomplete, could pass for another line, or has no header, is refused', async () => {
		const whole = paymentTo(greenAddress);
		expect((await post(whole, {})).status).toBe(403);
		const changes: object[] = [
			...[{ payment_id: 'a b' }, { payment_id: { a: 1 } }, { address: '' }, { amount: null }],
			...[{ address: '=HYPERLINK("x")' }, { amount: '1\nTo: somebody else' }],
			{ address: '5HueCGU8rMjxEXxiPuD5BDku4MkFqeZyd4dZ1jvhTVqvbTLvyTJ' },
			...[{ amount: '<b>1</b>' }, { chain: 'ETH\nRequested by: x' }],
			...[{ requested_by: 'somebody' }, { requested_by: 'a@b\nc@d' }],
		];
		const bodies = [{}, [], ...changes.map((change) => ({ ...whole, ...change }))];
		for (const body of bodies) expect([body, (await post(body)).status]).toEqual([body, 400]);
		await quiet();
		expect(said().match(/was refused/g)).toHaveLength(bodies.length);
		expect([stage.team.requests, stage.sandbox.requests, await rows()]).toEqual([[], [], []]);
	});

	test('a payment that n8n did not decide is not released, and the team hears of it', async () => {
		const payment = paymentTo(greenAddress);
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		await submit(payment);
		stage.clear();
		stage.sandbox.addFault({ effect: { kind: 'delay', ms: 3000 } });
		await post(payment);
		await until('the screening', async () => stage.sandbox.requests[0]);
		// Another run has it by now: what the first one hears does not count.
		await payments.setAll({ due_at: past });
		await quiet();
		expect(await rows()).toMatchObject([{ status: 'screening', report_id: null }]);
		await tick();
		expect(await rows()).toMatchObject([{ status: null, due_at: null }]);
		expect(said()).toMatch(/not screened, send it again.*was interrupted/);
		expect(stage.team.requests).toEqual([]);
	});

	test('the system that sent a payment asks for its status', async () => {
		await stage.publishTemplate('approve-status', {
			'When Your System Asks': { webhookId: 'payment-status' },
		});
		const ask = async (payment_id: string, headers = callerHeader) =>
			await fetch(`${stage.n8n.url}/webhook/payment-status?payment_id=${payment_id}`, { headers });
		const payment = paymentTo(notGreenAddress);
		const { row } = await submit(payment);
		const { payment_id } = payment;
		const answered = await ask(payment_id);
		expect([answered.status, await answered.json()]).toMatchObject([
			200,
			{ payment_id, status: 'needs 1 person', why: row.summary, report_id: row.report_id },
		]);
		await answer(ann, payment);
		const released = { status: 'released', released_at: expect.any(String) };
		expect(await (await ask(payment_id)).json()).toMatchObject(released);
		expect((await ask('P-unknown')).status).toBe(404);
		expect((await ask(payment_id, { 'X-Caller-Key': 'another' })).status).toBe(403);
	});

	test('a workflow hands a payment over, and hears its status', async () => {
		const payment = paymentTo(blockedAddress);
		const { payment_id: reference } = payment;
		const given = await callWorkflow(parts.take, [payment as unknown as IDataObject]);
		await quiet();
		expect(given).toMatchObject([{ reference, status: 'needs 2 people' }]);
		const again = await callWorkflow(parts.take, [{ ...payment, amount: '13 ETH' }]);
		expect(again).toMatchObject([{ status: 'refused', code: '409' }]);
	});
}
