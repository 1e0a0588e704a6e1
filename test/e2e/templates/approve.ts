import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../host/instance';
import { until } from '../../../host/until';
import { reportOn } from '../../../sandbox/reports';
import payoutTemplate from '../../../templates/screen-a-payout-run.json';
import template from '../../../templates/approve-a-payment.json';
import { screening, start, workflowOf } from '../../support/workflows';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { type DataTable, dataTable, makeTables } from './dataTable';
import { invitePerson, type Person, postForm } from './person';
import { never, postTo, type Stage, untilQuiet } from './stage';
import { startTeamSystem, type TeamSystem } from './teamSystem';

export interface Payment {
	payment_id: string;
	address: string;
	chain?: string;
	amount: string;
	requested_by: string;
}

interface Row extends IDataObject {
	id: number;
	payment_id: string;
	status: string;
}

export const paymentPath = 'approve-a-payment';
export const formPath = 'answer-a-payment';
export const requester = 'rita@example.com';
/** How often each race is run; more in a long run. */
const rounds = Number(process.env.APPROVE_ROUNDS ?? 2);

const past = '2026-01-01T00:00:00.000Z';

/** Imports the workflow, makes its tables, and connects it to a payment system. */
export async function importApproval(stage: Stage, team: TeamSystem) {
	const workflow = await stage.importTemplate(template, {
		'When a Payment Comes In': { webhookId: paymentPath },
		'When Somebody Answers': { webhookId: formPath },
		'Release the Payment': { parameters: { url: `${team.url}/release` } },
		'Every 15 Minutes': { parameters: never },
	});
	const made = await makeTables(stage, workflow);
	return {
		workflow,
		payments: made('Make the Table of Payments'),
		approvers: made('Make the Table of Approvers'),
		answers: made('Make the Table of Answers'),
	};
}

/** The workflow that holds a payment until persons have approved it. */
export function approveTests(stageOf: () => Stage): void {
	let stage: Stage;
	let team: TeamSystem;
	let workflow: Saved<Workflow>;
	let payments: DataTable;
	let answers: DataTable;
	let ann: Person;
	let ben: Person;
	let rita: Person;
	let zoe: Person;

	beforeAll(async () => {
		stage = stageOf();
		team = await startTeamSystem(stage.callerHeader);
		const imported = await importApproval(stage, team);
		workflow = imported.workflow;
		payments = dataTable(stage.rest, imported.payments);
		answers = dataTable(stage.rest, imported.answers);
		const people = ['ann', 'ben', 'zoe'].map((name) => `${name}@example.com`);
		[ann, ben, zoe, rita] = (await Promise.all(
			[...people, requester].map(async (email) => await invitePerson(stage, email)),
		)) as [Person, Person, Person, Person];
		// Zoe is no approver. Rita is one, and requests the payments.
		const approvers = dataTable(stage.rest, imported.approvers);
		await approvers.insert(...[ann, ben, rita].map(({ email }) => ({ email })));
		await stage.n8n.publishWorkflow(workflow);
	});
	afterAll(async () => {
		await stage.n8n.unpublishWorkflow(workflow);
		await team.close();
	});
	beforeEach(async () => {
		await payments.clear();
		await answers.clear();
		team.requests.length = 0;
		team.down.clear();
	});

	let count = 0;
	const paymentTo = (address: string): Payment => ({
		...{ payment_id: `P-${++count}`, address, chain: 'ETH', amount: '12.50 ETH' },
		requested_by: requester,
	});
	const post = async (payment: unknown, headers?: Record<string, string>) =>
		await postTo(stage, paymentPath, payment, headers);
	const rowsOf = async (id: string) =>
		(await payments.rows<Row>()).filter(({ payment_id }) => payment_id === id);
	const rowOf = async (id: string) =>
		(await rowsOf(id)).find(({ status }) => status !== 'repeated')!;
	const released = (id: string) => team.done('/release').filter(({ key }) => key === id).length;
	const quiet = async () => await untilQuiet(stage, workflow);
	/** Sends a payment in, and gives what n8n wrote of it once it is done. */
	const submit = async (payment: Payment) => {
		const answer = await post(payment);
		await quiet();
		return { status: answer.status, row: await rowOf(payment.payment_id) };
	};
	const answer = async (
		person: Person,
		{ payment_id }: { payment_id: string },
		what: 'Release' | 'Reject' = 'Release',
		reason = 'I called the customer',
	) => (await person.sendForm(formPath, [payment_id, what, reason])).page;
	const tick = async () => {
		const run = await stage.runFrom(workflow, 'Every 15 Minutes');
		return run.status;
	};

	test('a payment that the policy allows is released at once, and nobody is asked', async () => {
		const payment = paymentTo(greenAddress);
		const { status, row } = await submit(payment);
		expect(status).toBe(202);
		expect(row).toMatchObject({
			...{ status: 'released', outcome: 'allow', decided_by: 'policy', persons_missing: '0' },
			decided_at: expect.any(String),
		});
		expect(released(payment.payment_id)).toBe(1);
		expect(team.requests).toMatchObject([{ key: payment.payment_id, body: payment }]);
		expect([...stage.slack.messages, ...stage.mail.letters]).toEqual([]);
	});

	test('a payment to review is held until one listed person approves it, and all of it is recorded', async () => {
		const payment = paymentTo(notGreenAddress);
		const { payment_id } = payment;
		const { row } = await submit(payment);
		expect(row).toMatchObject({ status: 'held', persons_missing: '1', outcome: 'review' });
		expect(released(payment_id)).toBe(0);
		expect(stage.slack.refused).toEqual([]);
		const report = reportOn(notGreenAddress, 'ETH', stage.sandbox.baseUrl);
		expect(row.decided_at).toBeNull();
		const [asked] = stage.slack.messages;
		const title = `Payment ${payment_id} is held for review. Persons missing: 1`;
		expect([asked?.text, stage.mail.letters[0]?.subject]).toEqual([title, title]);
		for (const known of [payment_id, notGreenAddress, report.report_url, 'answer=Release']) {
			expect(JSON.stringify(asked?.blocks)).toContain(known);
			expect(stage.mail.letters[0]?.text?.replace(/\s/g, '')).toContain(known);
		}

		expect(await answer(ann, payment)).toContain('Approved by ann@example.com');
		await quiet();
		const after = await rowOf(payment_id);
		expect(after).toMatchObject({
			...{ status: 'released', decided_by: ann.email, decided_reason: 'I called the customer' },
			...{ report_id: report.report_id, persons_missing: '0' },
		});
		expect(released(payment_id)).toBe(1);
		expect(await answers.rows()).toMatchObject([
			{ payment_id, person: ann.email, answer: 'Release', reason: 'I called the customer' },
		]);

		// An auditor verifies the row later.
		const json = {
			...(JSON.parse(String(after.report)) as IDataObject),
			decision: JSON.parse(String(after.decision)) as IDataObject,
			evidence: JSON.parse(String(after.evidence)) as IDataObject,
		};
		const verify = screening(stage.service, { resource: 'decision', operation: 'verify' });
		const audit = { ...workflowOf('Audit', start, verify), pinData: { [start.name]: [{ json }] } };
		const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow(audit));
		expect(itemsOf(run, verify.name)[0]?.json.verification).toEqual({ valid: true, findings: [] });
	});

	test('a blocked payment needs two different persons, however often the first one clicks', async () => {
		const payment = paymentTo(sanctionedAddress);
		expect((await submit(payment)).row).toMatchObject({ status: 'held', persons_missing: '2' });
		expect(stage.mail.letters[0]?.subject).toContain('is blocked by your rules');
		expect(await answer(ann, payment)).toContain('First approval');
		for (let again = 0; again < 5; again++) {
			expect(await answer(ann, payment)).toContain(
				'Nothing changed. You approved it. Another person must.',
			);
		}
		expect(released(payment.payment_id)).toBe(0);
		expect(await answer(ben, payment)).toContain('Approved by');
		await quiet();
		expect(await rowOf(payment.payment_id)).toMatchObject({
			...{ status: 'released', first_by: ann.email, decided_by: ben.email },
		});
		expect(released(payment.payment_id)).toBe(1);
	});

	test('neither an unlisted person, nor the requester, nor an answer without a reason releases', async () => {
		for (const address of [notGreenAddress, sanctionedAddress]) {
			const payment = paymentTo(address);
			const before = (await submit(payment)).row;
			const lowerCase = { payment_id: payment.payment_id.toLowerCase() };
			const attempts: Array<[attempt: () => Promise<string>, why: string]> = [
				[() => answer(zoe, payment), 'You are not on the list of approvers.'],
				[() => answer(zoe, payment, 'Reject'), 'You are not on the list of approvers.'],
				[() => answer(rita, payment), 'You cannot approve your own payment.'],
				[() => answer(ann, payment, 'Release', '   '), 'Enter a reason.'],
				[() => answer(ann, payment, 'release' as never), 'Choose Release or Reject.'],
				[() => answer(ann, lowerCase), 'No payment has this ID.'],
				[() => answer(ann, { payment_id: '%' }), 'No payment has this ID.'],
				[() => answer(ann, { payment_id: '' }), 'No payment has this ID.'],
			];
			for (const [attempt, why] of attempts) {
				expect(await attempt()).toContain(`Nothing changed. ${why}`);
			}
			await quiet();
			expect(await rowOf(payment.payment_id)).toEqual(before);
		}
		expect(team.requests).toEqual([]);
		expect(await answers.rows()).toHaveLength(16);
	});

	test('a rejected payment stays rejected', async () => {
		const payment = paymentTo(notGreenAddress);
		await submit(payment);
		expect(await answer(ben, payment, 'Reject', 'Not our customer')).toContain('Rejected by ben');
		expect(await answer(ann, payment)).toContain('Nothing changed. The payment is rejected');
		expect((await submit(payment)).row).toMatchObject({
			...{ status: 'rejected', decided_by: ben.email, decided_reason: 'Not our customer' },
		});
		expect(released(payment.payment_id)).toBe(0);
	});

	test.each(['new', 'not screened'])(
		'the page says what an answer did, also if the payment has a younger row that is %s',
		async (status) => {
			const payment = paymentTo(notGreenAddress);
			await submit(payment);
			// As n8n writes it of a repeat, before it marks the repeat or if it is killed then.
			await payments.insert({ ...payment, status, remind_at: '2099-01-01T00:00:00.000Z' });
			expect(await answer(rita, payment)).toContain('You cannot approve your own payment.');
			expect(await answer(ann, payment)).toContain('Approved by ann@example.com');
			await quiet();
			expect(await answer(ben, payment)).toContain('Nothing changed. The payment is released.');
			expect(released(payment.payment_id)).toBe(1);
		},
	);

	test('one answer sent 20 times releases once', async () => {
		const payment = paymentTo(notGreenAddress);
		await submit(payment);
		const token = await ann.openForm(formPath);
		const fields = [payment.payment_id, 'Release', 'I called the customer'];
		const url = `${stage.n8n.url}/form/${formPath}`;
		const sent = Array.from({ length: 20 }, () => postForm(url, fields, { 'x-auth-token': token }));
		expect((await Promise.all(sent)).map(({ status }) => status)).toEqual(Array(20).fill(200));
		await quiet();
		expect(await rowOf(payment.payment_id)).toMatchObject({ status: 'released' });
		expect(team.requests).toHaveLength(1);
		const results = (await answers.rows<{ result: string }>()).map(({ result }) => result);
		expect(results).toHaveLength(20);
		expect(results.filter((result) => result.startsWith('Approved'))).toHaveLength(1);
	});

	test('answers at the same moment have one outcome', async () => {
		const tokens = new Map<Person, string>();
		for (const person of [ann, ben]) tokens.set(person, await person.openForm(formPath));
		const url = `${stage.n8n.url}/form/${formPath}`;
		const atOnce = async (address: string, ...clicks: Array<[Person, 'Release' | 'Reject']>) => {
			const payment = paymentTo(address);
			await submit(payment);
			const sent = clicks.map(async ([person, what]) => {
				const fields = [payment.payment_id, what, 'now'];
				return await postForm(url, fields, { 'x-auth-token': tokens.get(person)! });
			});
			await Promise.all(sent);
			await quiet();
			const count = team.requests.filter(({ key }) => key === payment.payment_id).length;
			return { row: await rowOf(payment.payment_id), count };
		};
		for (let round = 0; round < rounds; round++) {
			// One person is enough: the money goes out once.
			const review = await atOnce(notGreenAddress, [ann, 'Release'], [ben, 'Release']);
			expect(review).toMatchObject({ row: { status: 'released' }, count: 1 });
			// The same person twice is one person.
			const twice = await atOnce(sanctionedAddress, [ann, 'Release'], [ann, 'Release']);
			expect(twice).toMatchObject({ row: { status: 'held', persons_missing: '1' }, count: 0 });
			// Two persons are two, or one of them came too early to be the second.
			const both = await atOnce(sanctionedAddress, [ann, 'Release'], [ben, 'Release']);
			expect(['held', 'released']).toContain(both.row.status);
			expect(both.count).toBe(both.row.status === 'released' ? 1 : 0);
			expect(both.row.first_by).not.toBe(both.row.decided_by);
			// Released or rejected, never both.
			const against = await atOnce(notGreenAddress, [ann, 'Release'], [ben, 'Reject']);
			expect(['rejected', 'released']).toContain(against.row.status);
			expect(against.count).toBe(against.row.status === 'released' ? 1 : 0);
		}
	});

	test('an answer that nobody signed in for starts nothing', async () => {
		const payment = paymentTo(notGreenAddress);
		await submit(payment);
		const url = `${stage.n8n.url}/form/${formPath}`;
		const fields = [payment.payment_id, 'Release', 'forged'];
		const token = await ann.openForm(formPath);
		const [head, claims = '', signature] = token.split('.');
		const claim = JSON.parse(Buffer.from(claims, 'base64url').toString()) as IDataObject;
		const changed = Buffer.from(JSON.stringify({ ...claim, sub: 'ben' })).toString('base64url');
		const none = Buffer.from('{"alg":"none","typ":"JWT"}').toString('base64url');
		const runs = (await stage.n8n.executionsOf(workflow)).length;
		const forged: Array<Record<string, string>> = [
			{},
			{ 'x-auth-token': '' },
			{ 'x-auth-token': 'ann@example.com' },
			{ 'x-auth-token': `${head}.${changed}.${signature}` },
			{ 'x-auth-token': `${none}.${claims}.` },
			{ 'x-auth-token': token.slice(0, -2) },
			{ authorization: `Bearer ${token}` },
			{ authorization: 'Basic YW5uOmFubg==' },
			{ cookie: `n8n-auth=${token}` },
			stage.callerHeader,
		];
		for (const headers of forged) {
			expect((await postForm(url, fields, headers)).status).toBe(401);
		}
		// Fields that say who it is are no fields of the form.
		await postForm(`${url}?user=ben@example.com`, [...fields, ben.email], {
			'x-auth-token': await zoe.openForm(formPath),
		});
		await quiet();
		expect((await stage.n8n.executionsOf(workflow)).length).toBe(runs + 1);
		expect(await rowOf(payment.payment_id)).toMatchObject({ status: 'held' });
		expect(team.requests).toEqual([]);
		expect(await answers.rows()).toMatchObject([{ person: zoe.email }]);
	});

	test('silence keeps a payment held, and goes to the head of the team', async () => {
		const payment = paymentTo(notGreenAddress);
		await submit(payment);
		for (const reminders of [1, 2, 3]) {
			stage.clear();
			// Four hours have not passed.
			await tick();
			expect([...stage.slack.messages, ...stage.mail.letters]).toEqual([]);
			await payments.setAll({ remind_at: past });
			await tick();
			expect(stage.slack.messages).toHaveLength(1);
			expect(JSON.stringify(stage.slack.messages)).toContain(`${payment.payment_id} is still held`);
			expect(stage.mail.letters[0]?.to?.[0]?.address).toBe('head-of-compliance@example.com');
			expect(await rowOf(payment.payment_id)).toMatchObject({
				...{ status: 'held', reminders: reminders + 1 },
			});
		}
		expect(team.requests).toEqual([]);
	});

	test('after the first of two approvals the team is asked for the second one, then its head', async () => {
		const payment = paymentTo(sanctionedAddress);
		await submit(payment);
		await answer(ann, payment);
		for (const asked of ['compliance@example.com', 'head-of-compliance@example.com']) {
			stage.clear();
			await tick();
			const [letter] = stage.mail.letters;
			expect(letter?.to?.[0]?.address).toBe(asked);
			expect(letter?.subject).toContain('Persons missing: 1');
			expect(letter?.text).toContain(`Approved so far by: ${ann.email} (I called the customer)`);
			expect(stage.slack.messages).toMatchObject([{ text: letter?.subject }]);
			stage.clear();
			await tick();
			expect([...stage.slack.messages, ...stage.mail.letters]).toEqual([]);
			await payments.setAll({ remind_at: past });
		}
	});

	test('a request that did not reach Slack is sent again', async () => {
		stage.slack.isDown = true;
		stage.mail.isDown = true;
		const payment = paymentTo(notGreenAddress);
		const { row } = await submit(payment);
		expect(row).toMatchObject({ status: 'held', reminders: 0 });
		stage.clear();
		await payments.setAll({ remind_at: past });
		await tick();
		expect(stage.slack.messages).toHaveLength(1);
		expect(stage.mail.letters[0]?.to?.[0]?.address).toBe('compliance@example.com');
	});

	test.each([401, 503])(
		'when the service answers %i, nothing is released, and the payment can be sent again',
		async (status) => {
			stage.sandbox.addFault({ effect: { kind: 'answer', status } });
			const payment = paymentTo(greenAddress);
			await post(payment);
			await quiet();
			expect(await rowsOf(payment.payment_id)).toMatchObject([{ status: 'not screened' }]);
			expect(JSON.stringify(stage.slack.messages)).toMatch(
				/was not screened .*[^.]\. Correct what it names, if anything, then send it again\./,
			);
			expect(await answer(ann, payment)).toContain(
				'Nothing changed. The payment is not screened. You can answer only a held payment.',
			);
			expect(team.requests).toEqual([]);
			stage.sandbox.clearFaults();
			await submit(payment);
			expect(released(payment.payment_id)).toBe(1);
		},
	);

	test('an approved payment that could not be released is named in Slack, and released once later', async () => {
		team.down.add('/release');
		const payment = paymentTo(notGreenAddress);
		await submit(payment);
		await answer(ann, payment);
		await quiet();
		expect(await rowOf(payment.payment_id)).toMatchObject({ status: 'approved' });
		expect(JSON.stringify(stage.slack.messages)).toContain('Approved, but NOT released');
		await payments.setAll({ remind_at: past });
		await tick();
		expect(released(payment.payment_id)).toBe(0);
		team.down.clear();
		await Promise.all([tick(), tick()]);
		await tick();
		expect(await rowOf(payment.payment_id)).toMatchObject({ status: 'released' });
		expect(released(payment.payment_id)).toBe(1);
		expect(new Set(team.requests.map(({ key }) => key)).size).toBe(1);
	});

	test('a payment that comes in 20 times is one payment', async () => {
		const payment = paymentTo(greenAddress);
		const sent = await Promise.all(Array.from({ length: 20 }, () => post(payment)));
		await quiet();
		expect(sent.filter(({ status }) => status === 202)).toHaveLength(1);
		expect(sent.filter(({ status }) => status === 200)).toHaveLength(19);
		expect(team.requests).toHaveLength(1);
		expect(stage.sandbox.requests).toHaveLength(1);
	});

	test.each([
		{ amount: '99 ETH' },
		{ address: greenAddress },
		{ chain: 'BSC' },
		{ requested_by: 'ann@example.com' },
	])('a payment whose ID comes again with %o is refused', async (change) => {
		const payment = paymentTo(notGreenAddress);
		const { row } = await submit(payment);
		expect((await post({ ...payment, ...change })).status).toBe(409);
		await quiet();
		expect(await rowsOf(payment.payment_id)).toMatchObject([
			row,
			{ status: 'refused: other data' },
		]);
		expect(JSON.stringify(stage.slack.messages)).toContain('with other data');
		expect(team.requests).toEqual([]);
	});

	test.each([
		[{}],
		[[]],
		[{ payment_id: 'a b' }],
		[{ payment_id: { a: 1 } }],
		[{ address: '' }],
		[{ amount: null }],
		[{ requested_by: 'somebody' }],
	])('an incomplete payment is refused: %j', async (change) => {
		const whole = paymentTo(greenAddress);
		const isEmpty = Object.keys(change).length === 0;
		expect((await post(isEmpty ? change : { ...whole, ...change })).status).toBe(400);
		await quiet();
		expect(JSON.stringify(stage.slack.messages)).toContain('was not taken');
		expect([team.requests, stage.sandbox.requests]).toEqual([[], []]);
	});

	test('a caller without the header is turned away', async () => {
		expect((await post(paymentTo(greenAddress), {})).status).toBe(403);
		expect(await payments.rows()).toEqual([]);
	});

	test('a payment that n8n did not decide is not released, and Slack names it', async () => {
		const payment = paymentTo(greenAddress);
		await payments.insert({ ...payment, status: 'new', remind_at: past });
		await tick();
		expect(await rowOf(payment.payment_id)).toMatchObject({ status: 'not screened' });
		expect(JSON.stringify(stage.slack.messages)).toContain('was interrupted');
		expect(team.requests).toEqual([]);
	});

	test('a payout run hands over what it holds', async () => {
		const handOver = {
			...{ id: 'approval', name: 'Ask for Approval', position: [1240, 900] as [number, number] },
			...{ type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
			parameters: {
				workflowId: { __rl: true, mode: 'id', value: workflow.id },
				workflowInputs: {
					mappingMode: 'defineBelow',
					value: {
						...{ payment_id: '={{ $json.id }}', address: '={{ $json.address }}', chain: '' },
						amount: '={{ $json.amount }}',
						requested_by: "={{ $('When Somebody Uploads a File').first().json.user.email }}",
					},
					...{ matchingColumns: [], schema: [], attemptToConvertTypes: false },
					convertFieldsToString: true,
				},
				options: {},
			},
		};
		const { connections, nodes } = payoutTemplate as unknown as Workflow;
		const lists = connections['Part the Lists']!.main!;
		const wired = {
			...{ ...payoutTemplate, name: 'Payouts with Approval', nodes: [...nodes, handOver] },
			connections: {
				...connections,
				'Part the Lists': {
					main: lists.map((list, index) =>
						index === 1 ? [...list!, { node: handOver.name, type: 'main', index: 0 }] : list,
					),
				},
			},
		};
		const payout = await stage.importTemplate(wired);
		await stage.n8n.publishWorkflow(payout);
		const csv = `id,address,amount\nR1,${greenAddress},1\nR2,${notGreenAddress},2\nR3,${sanctionedAddress},3\n`;
		const file = new File([csv], 'run.csv', { type: 'text/csv' });
		expect((await rita.sendForm('payout-run', [file])).status).toBe(200);
		const run = await until('the payout run', async () => {
			const [newest] = await stage.n8n.executionsOf(payout);
			return newest && (await stage.n8n.finishedExecution(String(newest.id)));
		});
		await stage.n8n.unpublishWorkflow(payout);
		expect(run.data.resultData.error?.message).toBeUndefined();
		await quiet();
		expect(await payments.rows()).toMatchObject([
			{ payment_id: 'R2', status: 'held', persons_missing: '1', amount: '2' },
			{ payment_id: 'R3', status: 'held', persons_missing: '2', amount: '3' },
		]);
		for (const row of await payments.rows()) expect(row.requested_by).toBe(requester);
		expect(team.requests).toEqual([]);
		await answer(ann, { payment_id: 'R2' });
		await quiet();
		expect(team.requests.map(({ key }) => key)).toEqual(['R2']);
	});
}
