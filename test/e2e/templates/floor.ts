import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { blockedAddress, greenAddress, sanctionedAddress, scenarioAddress } from './addresses';
import { formPath, paymentPath, publishApproval, requester, secondPage } from './approve';
import { table, where } from './dataTable';
import { callWorkflow, publishCases, type Result } from './foundation';
import { invitePerson, type Person } from './person';
import { never, past, postTo, said, stage, untilQuiet } from './stage';

/** Many payments at once take n8n longer than a minute. */
const quiet = async () => await untilQuiet(300_000);

/** How many payments n8n gets at once: of many more at once it has no connection to its database left. */
const mostAtOnce = 24;

/** Does something with each, in groups that n8n can take, and waits until all of it has ended. */
async function withEach<T>(all: readonly T[], act: (one: T) => Promise<unknown>): Promise<void> {
	for (let start = 0; start < all.length; start += mostAtOnce) {
		await Promise.all(all.slice(start, start + mostAtOnce).map(act));
		await quiet();
	}
}

/** How many ways of each kind are tried; 0 is all. */
const mostWays = Number(process.env.WAYS ?? 24);

const falsePositive = { status: 'false positive', answer: 'false positive' };

interface Hit {
	reference: string;
	address: string;
}

/** What somebody tries with a payment that is stopped. */
interface Move {
	name: string;
	because: string;
	make: (hit: Hit) => Promise<unknown>;
}

type Parts = [handOver: Saved<Workflow>, giveBack: Saved<Workflow>, screening: Saved<Workflow>];

/** A payment with a sanctions hit, and each way to get it out. */
export function floorTests(): void {
	let parts: Awaited<ReturnType<typeof publishApproval>>;
	let [handOver, giveBack, screening] = [] as unknown as Parts;
	let [ann, ben, rita] = [] as unknown as [Person, Person, Person];
	const [payments, cases, results] = [
		table('Screening Payments'),
		table('Screening Cases'),
		table('Screening Results'),
	];
	const [policies, lists] = [table('Screening Policies'), table('Screening Sanctions')];
	const journal = table('Screening Journal');

	beforeAll(async () => {
		const published = await publishCases();
		[handOver, screening] = [published['sanctions-hand-over'], published['our-screening']];
		parts = await publishApproval();
		giveBack = await stage.publishTemplate('approve-give-back', { 'Every 15 Minutes': never });
		await stage.publishTemplate('answer-a-case-record');
		await stage.publishTemplate('answer-a-case', {
			'When a Person Opens the Page': { webhookId: 'answer-a-case' },
		});
		const people = ['ann', 'ben', 'rita'].map((name) => invitePerson(`${name}@example.com`));
		[ann, ben, rita] = (await Promise.all(people)) as [Person, Person, Person];
		await table('Screening Approvers').clear();
		await table('Screening Approvers').insert(...[ann, ben, rita].map(({ email }) => ({ email })));
	});
	afterAll(() => stage.withdrawAll());
	beforeEach(async () => {
		for (const one of [payments, cases, results, journal]) await one.clear();
	});

	const bodyOf = ({ reference, address }: Hit) => ({
		...{ payment_id: reference, address, chain: 'ETH', amount: '12.50 ETH' },
		requested_by: requester,
	});
	const of = ({ reference }: Hit) => where('reference', reference);
	const edit = async (hit: Hit, row: IDataObject) =>
		await payments.setAll({ due_at: past, decided_at: new Date().toISOString(), ...row }, of(hit));
	const answer = async (person: Person, { reference }: Hit) => {
		const page = await secondPage(person, reference);
		return page.words.includes('Your answer')
			? await page.send(undefined, 'Release', 'Customer assured us that it is fine')
			: page;
	};
	const tick = async () => {
		await payments.setAll({ due_at: past });
		await stage.runFrom(parts.release, 'Every 15 Minutes');
		await quiet();
	};
	const released = () => stage.team.requests.filter(({ path }) => path === '/release');
	const rowOf = async ({ reference }: Hit) =>
		(await payments.rows<IDataObject>()).find((row) => row.reference === reference)!;

	const kinds: Array<[name: string, address: string, because: string]> = [
		['on the US list', sanctionedAddress, 'its sanctions score is above 0, and it is red'],
		['red by sanctions', scenarioAddress('01'), 'its sanctions score is above 0'],
		['green, and on the list', greenAddress, 'only the list that n8n reads has it'],
	];
	const doors: Array<[name: string, send: (hit: Hit) => Promise<unknown>]> = [
		['posted', async (hit) => await postTo(paymentPath, bodyOf(hit))],
		['handed over', async (hit) => await callWorkflow(parts.take, [bodyOf(hit)])],
	];
	/** Screens many at once, and leaves what their door leaves of each: that takes a tenth of the time. */
	const allComeIn = async (hits: Hit[]) => {
		const asked = hits
			.map(bodyOf)
			.map(({ payment_id: reference, ...one }) => ({ reference, ...one }));
		const given: Result[] = [];
		for (let start = 0; start < asked.length; start += mostAtOnce) {
			const some = asked.slice(start, start + mostAtOnce);
			given.push(
				...(await callWorkflow<Result>(
					screening,
					some.map((one) => ({ ...one, door: 'payment' })),
				)),
			);
			await quiet();
		}
		await payments.insert(
			...given.map(({ summary, report_id, report_url }, n) => ({
				...{ ...asked[n], summary, report_id, report_url, category: 'sanctions' },
				...{ status: 'sanctions: stopped', due_at: new Date().toISOString(), reminders: 0 },
			})),
		);
	};
	const moves: Move[] = [
		{ name: 'Ann releases', because: 'a listed person', make: (hit) => answer(ann, hit) },
		{ name: 'Ben releases', because: 'a second listed person', make: (hit) => answer(ben, hit) },
		{ name: 'Rita releases', because: 'who requested it', make: (hit) => answer(rita, hit) },
		{
			name: 'it is sent again',
			because: 'a known ID is screened again only if it has no status',
			make: (hit) => postTo(paymentPath, bodyOf(hit)),
		},
		{
			name: 'the status becomes "approved"',
			because: 'somebody edits the row as if the policy had allowed it',
			make: (hit) => edit(hit, { status: 'approved', decided_by: 'policy' }),
		},
		{
			name: 'the status becomes "approved, NOT released"',
			because: 'what was not released is tried again',
			make: (hit) => edit(hit, { status: 'approved, NOT released', decided_by: ann.email }),
		},
		{
			name: 'the status becomes "needs 1 person"',
			because: 'one answer would be enough then',
			make: (hit) => edit(hit, { status: 'needs 1 person', first_by: ben.email }),
		},
		{
			name: 'the status becomes "needs 2 people"',
			because: 'its case would have to be closed before',
			make: (hit) => edit(hit, { status: 'needs 2 people' }),
		},
		{
			name: 'the status is emptied, and it is sent again',
			because: 'it is screened anew',
			make: async (hit) => {
				await edit(hit, { status: null });
				await postTo(paymentPath, bodyOf(hit));
			},
		},
		{
			name: 'the case is deleted',
			because: 'the log has the hit, too',
			make: (hit) => cases.clear(of(hit)),
		},
		{
			name: 'the case is edited to "false positive"',
			because: 'nobody confirmed it',
			make: (hit) => cases.setAll({ ...falsePositive, answer_by: ann.email }, of(hit)),
		},
		{
			name: 'the case is closed by who requested the payment',
			because: 'neither of the two may be the requester',
			make: (hit) =>
				cases.setAll({ ...falsePositive, answer_by: ann.email, confirmed_by: requester }, of(hit)),
		},
		{
			name: 'the case has a licence that has ended',
			because: 'a licence counts up to its last day',
			make: (hit) =>
				cases.setAll(
					{
						...{ status: 'licensed', answer: 'licensed' },
						...{ answer_by: ann.email, confirmed_by: ben.email },
						licence_until: past,
					},
					of(hit),
				),
		},
	];

	const allowAll = JSON.stringify({
		otherwise: 'allow',
		rules: [{ field: 'level', operator: 'equals', value: 'violet', outcome: 'block' }],
	});
	const waiveAll = (until = '2999-12-31') =>
		JSON.stringify({
			otherwise: 'allow',
			rules: [
				{
					field: 'level',
					operator: 'notEquals',
					value: 'green',
					outcome: 'block',
					mayBeWaived: true,
				},
			],
			exceptions: kinds.map(([, address]) => ({
				...{ address, until, reason: 'ticket 4711', approvedBy: 'Head of Compliance' },
			})),
		});
	const published: Array<[name: string, policy: string | null, because: string]> = [
		['', null, 'the policy stays as it is'],
		[' after the rules are gone', allowAll, 'a hit of before stays one'],
		[' after an exception for it', waiveAll(), 'an exception waives the level, and no hit'],
	];

	/** Each kind of hit, door, policy and two moves in their order. */
	const ways = kinds.flatMap((kind, k) =>
		moves.flatMap((first, a) =>
			moves.map((second, b) => {
				const n = k + a * 7 + b * 3;
				const [door, policy] = [doors[n % doors.length]!, published[n % published.length]!];
				return { kind, door, policy, first, second };
			}),
		),
	);
	const chosen =
		mostWays === 0 ? ways : ways.filter((_, n) => n % Math.ceil(ways.length / mostWays) === 0);

	const listed = async () => {
		await lists.clear();
		await lists.insert({
			...{ name: 'SDN', published: '11/25/2026', read_at: new Date().toISOString(), count: 1 },
			...{ addresses: JSON.stringify([greenAddress]), entries: '{}' },
		});
	};

	test.each(published)(
		`none of ${chosen.length} ways in all releases a hit%s`,
		async (name, policy) => {
			await listed();
			const tried = chosen
				.filter((way) => way.policy[0] === name)
				.map((way, n) => ({ ...way, hit: { reference: `H-${n}`, address: way.kind[1] } }));
			await withEach(tried.slice(0, mostAtOnce), async ({ door, hit }) => await door[1](hit));
			if (tried.length > mostAtOnce) await allComeIn(tried.slice(mostAtOnce).map(({ hit }) => hit));
			for (const { hit } of tried)
				expect(await rowOf(hit)).toMatchObject({ status: 'sanctions: stopped', decided_by: null });
			if (policy)
				await policies.insert({ name: 'Loose', version: '99', policy, changed_by: 'Rita' });
			// The list is gone, too: only the case and the log know of the hit.
			if (policy) await lists.clear();
			try {
				for (const step of ['first', 'second'] as const) {
					await withEach(tried, async (way) => await way[step].make(way.hit));
					await tick();
				}
				await tick();
			} finally {
				await policies.setAll({ policy: null }, where('name', 'Loose'));
			}
			expect(released()).toEqual([]);
			const rows = await payments.rows<IDataObject>();
			expect(rows.filter(({ status }) => status === 'released' || status === 'approved')).toEqual(
				[],
			);
			await lists.clear();
		},
		60_000 + chosen.length * 20_000,
	);

	/** What a person of the team got, by the beginning of its subject. */
	const letters = (to: string, subject: string) =>
		stage.mail.letters.filter(
			(one) => one.to?.[0]?.address === `${to}@example.com` && one.subject?.startsWith(subject),
		);

	test('a stopped payment is said once, with its case, the score and the day, and has no answer', async () => {
		const hit = { reference: 'P-1', address: sanctionedAddress };
		await postTo(paymentPath, bodyOf(hit));
		await quiet();
		await tick();
		const [row] = await cases.rows<IDataObject>();
		expect(row).toMatchObject({ reference: 'P-1', door: 'payment', amount: '12.50 ETH' });
		expect(row).toMatchObject({ requested_by: requester, status: 'open' });
		for (const to of ['team', 'head']) {
			const [letter, ...others] = letters(to, 'STOPPED');
			expect(others).toEqual([]);
			expect(letter!.subject).toMatch(
				/^STOPPED: payment P-1, 12\.50 ETH, sanctions 0\.\d+\. Report by \w+ \d+ \w+ \d{4}$/,
			);
			for (const known of [
				...['sanctions is 0.', 'Report it to OFAC by ', 'no approval releases it'],
				...[`Neither of them is ${requester}`, `answer-a-case?case=${Number(row!.id)}`],
			])
				expect(letter!.text).toContain(known);
		}
		expect(said()).not.toContain(`${formPath}?reference=P-1`);
		const page = await secondPage(ann, 'P-1');
		expect(page.words).toMatch(/STOPPED: do not pay.*Report it by \w+ \d+ \w+ \d{4}/);
		expect(page.words).not.toContain('Your answer');
		expect(page.html).toContain(`form/answer-a-case?case=${Number(row!.id)}`);
		expect(await rowOf(hit)).toMatchObject({
			category: expect.stringMatching(/^sanctions 0\.\d+$/),
		});
		// What is stopped again long after its case was opened is said again.
		await cases.setAll({ opened_at: past });
		await tick();
		expect(letters('team', 'STOPPED: payment P-1')).toHaveLength(2);
		expect(letters('team', 'STOPPED: payment P-1')[1]!.text).toContain('Report it by: ');
	});

	test('a page that was opened before its hit releases nothing', async () => {
		const payment = { reference: 'P-6', address: blockedAddress };
		await postTo(paymentPath, bodyOf(payment));
		await quiet();
		const pages = await Promise.all([ann, ben, rita].map((one) => secondPage(one, 'P-6')));
		expect(pages.map(({ words }) => words.includes('Your answer'))).toEqual([true, true, true]);
		await results.insert({
			...{ reference: 'P-6', address: blockedAddress, outcome: 'block', sanctions: true },
			...{ summary: 'Block: sanctions is 0.9', report_id: 'rep_late', case_due_at: past },
		});
		for (const page of pages) {
			await page.send(undefined, 'Release', 'I saw it before');
			await quiet();
		}
		await tick();
		expect(released()).toEqual([]);
		expect(await rowOf(payment)).toMatchObject({ status: 'sanctions: stopped', decided_by: null });
	});

	const openCase = async (person: Person, { reference }: Hit) => {
		const all = await cases.rows<IDataObject>();
		const { id } = all.find((row) => row.reference === reference)!;
		return await (await person.open('answer-a-case', `case=${Number(id)}`)).send(String(id));
	};
	const isNone = async (person: Person, hit: Hit) =>
		await (
			await (await openCase(person, hit)).send(undefined, 'False positive')
		).send(undefined, 'The list names another wallet', 'ticket T-6');
	const confirm = async (person: Person, hit: Hit) =>
		await (await openCase(person, hit)).send(undefined, 'Confirm it', 'I compared both');

	test('a false positive goes its whole way: stopped, closed by two, approved by two, released once', async () => {
		const hit = { reference: 'P-2', address: sanctionedAddress };
		await postTo(paymentPath, bodyOf(hit));
		await quiet();
		expect(await rowOf(hit)).toMatchObject({ status: 'sanctions: stopped' });
		expect((await answer(ann, hit)).words).toContain('STOPPED: do not pay');

		// Who requested it is on the list of approvers, and counts neither as the first nor as the second.
		expect((await isNone(rita, hit)).words).toMatch(/Nothing changed.*You requested this payment/);
		expect((await isNone(ann, hit)).words).toContain('Your answer waits for a second person');
		for (const person of [rita, ann])
			expect((await confirm(person, hit)).words).toContain('Nothing changed');
		await tick();
		expect(await rowOf(hit)).toMatchObject({ status: 'sanctions: stopped' });
		expect((await confirm(ben, hit)).words).toContain('Closed: false positive');
		await quiet();
		expect(await rowOf(hit)).toMatchObject({
			...{ status: 'needs 2 people', first_by: null, decided_by: null },
		});
		expect(released()).toEqual([]);

		// Who approves it sees that it was stopped, who closed its case, and why.
		const form = await secondPage(ben, 'P-2');
		expect(form.words).toContain(
			`Sanctions case Closed as false positive by ${ann.email} and ${ben.email}: The list names another wallet`,
		);
		await tick();
		expect(letters('team', 'BLOCKED: payment P-2')[0]!.text).toContain(
			`Sanctions case: false positive, closed by ${ann.email} and ${ben.email}`,
		);
		expect((await answer(rita, hit)).words).toContain('You cannot approve your own payment');
		expect((await answer(ann, hit)).words).toContain('You approved it');
		await quiet();
		await tick();
		expect((await answer(ann, hit)).words).toContain(
			'The other approval must be of another person',
		);
		expect(released()).toEqual([]);
		const last = await answer(ben, hit);
		expect(last.words).toContain('You released it');
		await quiet();
		for (const _ of [1, 2]) await tick();
		await postTo(paymentPath, bodyOf(hit));
		await quiet();
		expect(released().map(({ key }) => key)).toEqual(['P-2']);
		expect(await rowOf(hit)).toMatchObject({
			...{ status: 'released', first_by: ann.email, decided_by: ben.email },
		});
		// Whoever answers now hears what is true.
		const late = await secondPage(ann, 'P-2');
		expect(late.words).toMatch(/Nothing to answer.*Status released.*Released \d+ \w+ \d{4}/);
		const written = await journal.rows<IDataObject>();
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
		await postTo(paymentPath, bodyOf(hit));
		await quiet();
		const [{ report_until }] = (await cases.rows<IDataObject>()) as [IDataObject];
		const license = async (number: string) => {
			const form = await (await openCase(ann, hit)).send(undefined, 'Licence');
			await form.send(undefined, number, '2099-12-31', 'It covers this payment');
			expect((await confirm(ben, hit)).words).toContain('Closed: licensed');
			await quiet();
		};
		await license('L-9');
		expect(await rowOf(hit)).toMatchObject({ status: 'needs 2 people' });
		expect((await answer(ann, hit)).words).toContain('You approved it');
		await quiet();
		stage.clear();

		// New York, as n8n has it if nothing else is set, is five hours behind UTC in January.
		await cases.setAll({ licence_until: '2026-01-31T04:59:59.999Z', opened_at: past });
		for (const _ of [1, 2]) await stage.runFrom(giveBack, 'Every 15 Minutes');
		expect(await rowOf(hit)).toMatchObject({ status: 'sanctions: stopped', first_by: null });
		expect(await cases.rows()).toMatchObject([
			{ status: 'open', answer: null, confirmed_by: null, licence: 'L-9', report_until },
		]);
		await tick();
		const [letter, ...others] = letters('team', 'STOPPED');
		expect(others).toEqual([]);
		expect(letter!.subject).toMatch(
			/^STOPPED: payment P-9, .*: its licence has ended, do not pay$/,
		);
		for (const known of [
			'The licence L-9 of its case ended on Fri 30 Jan 2026 and no longer covers this payment.',
			`Two people close it, neither of them ${requester}.`,
		])
			expect(letter!.text).toContain(known);
		const page = await answer(ben, hit);
		expect(page.words).toMatch(/STOPPED: do not pay.*L-9 ended on Fri 30 Jan 2026/);
		expect((await openCase(ann, hit)).words).toContain('L-9 ended on Fri 30 Jan 2026. Is there');
		expect(released()).toEqual([]);

		await license('L-10');
		for (const person of [ann, ben]) {
			await answer(person, hit);
			await quiet();
		}
		expect(released().map(({ key }) => key)).toEqual(['P-9']);
		// What was released under a licence stays as it is when the licence ends.
		await cases.setAll({ licence_until: past });
		await stage.runFrom(giveBack, 'Every 15 Minutes');
		expect(await rowOf(hit)).toMatchObject({ status: 'released' });
		expect(await cases.rows()).toMatchObject([{ status: 'licensed', licence: 'L-10' }]);
	});

	test('a payment of a closed case that is sent again is given back to its approvals, however late', async () => {
		const hit = { reference: 'P-7', address: sanctionedAddress };
		await postTo(paymentPath, bodyOf(hit));
		await quiet();
		const closed = { ...falsePositive, answer_by: ann.email, confirmed_by: ben.email };
		await cases.setAll({ ...closed, answer_at: past, confirmed_at: past }, of(hit));
		await payments.setAll({ status: null }, of(hit));
		await postTo(paymentPath, bodyOf(hit));
		await quiet();
		expect(await rowOf(hit)).toMatchObject({ status: 'sanctions: stopped' });
		expect(await cases.rows()).toMatchObject([{ status: 'false positive' }]);
		await stage.runFrom(giveBack, 'Every 15 Minutes');
		expect(await rowOf(hit)).toMatchObject({ status: 'needs 2 people' });
		expect(released()).toEqual([]);
	});

	test('a hit whose level is not red is stopped as well', async () => {
		const hit = { reference: 'P-8', address: scenarioAddress('22') };
		stage.sandbox.setDay(1);
		await postTo(paymentPath, bodyOf(hit));
		await quiet();
		stage.sandbox.setDay(0);
		expect(await results.rows()).toMatchObject([{ level: 'amber', outcome: 'block' }]);
		expect(await rowOf(hit)).toMatchObject({
			...{ status: 'sanctions: stopped', category: 'sanctions 0.9' },
		});
		expect(await cases.rows()).toMatchObject([{ reference: 'P-8', status: 'open' }]);
	});

	test('who rejects what was released meanwhile hears that it is too late', async () => {
		const payment = { reference: 'P-3', address: blockedAddress };
		await postTo(paymentPath, bodyOf(payment));
		await quiet();
		const open = await secondPage(ben, 'P-3');
		await payments.setAll({ status: 'released', released_at: past }, of(payment));
		const { words } = await open.send(undefined, 'Reject', 'Stop it');
		expect(words).toMatch(/Nothing changed Too late: it was released .* Call whoever pays at once/);
		expect(words).not.toContain('other approval');
	});

	test('30 hits at once are frozen once each, and get one ticket each', async () => {
		const hits = Array.from({ length: 30 }, (_, n) => ({
			...{ reference: `B-${n}`, address: sanctionedAddress },
		}));
		await Promise.all(hits.map((hit) => postTo(paymentPath, bodyOf(hit))));
		await quiet();
		const count = (path: string) => stage.team.requests.filter((one) => one.path === path).length;
		expect([count('/freeze'), count('/tickets')]).toEqual([30, 30]);
		expect(
			(await cases.rows<IDataObject>()).filter(({ frozen_at, ticket }) => frozen_at && ticket),
		).toHaveLength(30);
	});

	test.each<[unknown, string]>([
		['<html>Log in</html>', 'a login page'],
		[{ error: 'account not found' }, 'an error'],
		[{ done: false, id: '' }, 'another value'],
		[[], 'a list'],
	])('an answer such as %j freezes nothing and opens no ticket: %s', async (given) => {
		stage.team.answer = given;
		await postTo(paymentPath, bodyOf({ reference: 'P-4', address: sanctionedAddress }));
		await quiet();
		expect(await cases.rows()).toMatchObject([{ frozen_at: null, frozen: null, ticket: null }]);
		expect(said()).toMatch(/FREEZE FAILED: payment P-4, 12\.50 ETH, wallet 0x/);
		expect(said()).toMatch(/TICKET FAILED: payment P-4/);
	});

	test('what the payment system confirmed is written by name', async () => {
		await postTo(paymentPath, bodyOf({ reference: 'P-5', address: sanctionedAddress }));
		await quiet();
		const [row] = await cases.rows<IDataObject>();
		expect(row!.frozen).toBe(`payment P-5, 12.50 ETH, wallet ${sanctionedAddress} ETH: done true`);
	});

	test('a hit whose hand-over fails is handed over later', async () => {
		await results.insert({
			...{ reference: 'L-1', address: sanctionedAddress, outcome: 'block', sanctions: true },
			...{ summary: 'Block: sanctions is 0.9', report_id: 'rep_lost', case_due_at: past },
		});
		await stage.runFrom(handOver, 'Every 15 Minutes');
		await quiet();
		expect(await cases.rows()).toMatchObject([{ reference: 'L-1' }]);
		expect(await results.rows()).toMatchObject([{ case_due_at: null }]);
	});
}
