import type { IDataObject } from 'n8n-workflow';
import {
	blockedAddress,
	greenAddress,
	notGreenAddress,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import {
	publishApproval,
	requester,
	openPayment,
	paymentFormPath,
	paymentWebhookPath,
} from '../../support/templates/approval';
import { table, where } from '../../support/templates/dataTable';
import { tellWhatStops } from '../../support/templates/foundation';
import {
	type Failure,
	type StatusReceiver,
	startStatusReceiver,
} from '../../support/servers/statusReceiver';
import { stage, untilQuiet } from '../../support/templates/stage';
import {
	type CallbackWorkflows,
	passMinute,
	publishCallbacks,
	releasedRow,
	timeAt,
	wayToRelease,
} from '../../support/templates/callbacks';
import { callerHeader } from '../../support/templates/standIns';
import { pastTime } from '../../support/templates/times';
import { postToWebhook } from '../../support/templates/webhooks';
import { slackMessagesAsText } from '../../support/templates/slackMessages';
import { invitePerson } from '../../support/templates/people';
import { type Person } from '../../support/browser/person';

/** How many statuses the longest test delivers. Each takes about a second. */
const maxStatuses = Number(process.env.STATUSES ?? 28);

/** A payment system that receives each status of its payments. */
export function callbackTests(): void {
	const [payments, callbacks] = [table('Screening Payments'), table('Screening Callbacks')];
	let system: StatusReceiver;
	let workflows: CallbackWorkflows;
	let [ann, ben] = [] as unknown as [Person, Person];
	beforeAll(async () => {
		system = await startStatusReceiver();
		await publishApproval();
		await stage.publishTemplate('approve-status', {
			'When Your System Asks': { webhookId: 'payment-status' },
		});
		workflows = await publishCallbacks(system);
		const emails = ['ann@example.com', 'ben@example.com'];
		[ann, ben] = (await Promise.all(emails.map((email) => invitePerson(email)))) as [
			Person,
			Person,
		];
		await table('Screening Approvers').clear();
		await table('Screening Approvers').insert(...emails.map((email) => ({ email })));
	});
	afterAll(async () => {
		await stage.withdrawAll();
		await system.close();
	});
	beforeEach(async () => {
		for (const name of ['Screening Told', 'Screening Results']) await table(name).clear();
		for (const one of [payments, callbacks]) await one.clear();
		system.clear();
	});

	const pass = async () => await passMinute(workflows.tell);
	const send = async (payment_id: string, address: string) => {
		const payment = { payment_id, address, chain: 'ETH', amount: '1 ETH', requested_by: requester };
		await postToWebhook(paymentWebhookPath, payment);
		await untilQuiet();
	};
	const release = async (person: Person, payment_id: string) => {
		const page = await openPayment(person, payment_id);
		await page.send({ 'Your answer': 'Release', Reason: `I asked, in ${paymentFormPath}` });
		await untilQuiet();
	};
	const rowOf = async (reference: string) =>
		(await callbacks.rows()).find((row) => row.reference === reference)!;

	test('is told each status of a payment, in the words that it also asks for', async () => {
		for (const [id, address] of Object.entries({
			green: greenAddress,
			review: notGreenAddress,
			block: blockedAddress,
			hit: sanctionedAddress,
		})) {
			await send(id, address);
		}
		// The green one is released by now: n8n looks at it for the first time.
		await pass();
		await release(ann, 'review');
		await release(ann, 'block');
		await pass();
		await release(ben, 'block');
		await pass();
		await pass();
		expect(system.statusesOf('green')).toEqual(['approved', 'released']);
		expect(system.statusesOf('review')).toEqual(['needs 1 person', 'approved', 'released']);
		expect(system.statusesOf('block')).toEqual(wayToRelease);
		expect(system.statusesOf('hit')).toEqual(['sanctions: stopped']);
		expect(system.callbacks).toHaveLength(10);
		expect(system.callbacks.filter(({ problem }) => problem)).toEqual([]);
		for (const id of ['green', 'review', 'block', 'hit']) {
			const url = `${stage.n8n.url}/webhook/payment-status?payment_id=${id}`;
			const asked = (await (await fetch(url, { headers: callerHeader })).json()) as IDataObject;
			const [last] = system.accepted.filter(({ payment_id }) => payment_id === id).slice(-1);
			const { number, ...told } = JSON.parse(last!.body).data;
			expect(told).toEqual(asked);
			expect(number).toBe(system.statusesOf(id).length);
		}
	});

	test('is told that a payment was not screened, each time that it was sent', async () => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		for (let time = 0; time < 2; time++) {
			await send('P-1', greenAddress);
			await pass();
		}
		stage.sandbox.clearFaults();
		await send('P-1', greenAddress);
		await pass();
		const statuses = ['not screened', 'not screened', 'approved', 'released'];
		expect(system.statusesOf('P-1')).toEqual(statuses);
	});

	interface Way {
		/** What becomes of the payment, minute by minute. */
		readonly changes: readonly IDataObject[];
		readonly statuses: readonly string[];
	}
	const ways: Readonly<Record<string, Way>> = {
		'a release that was refused, unknown, and then known': {
			changes: ['approved, NOT released', 'approved, release unknown', 'released'].map(
				(status) => ({ status }),
			),
			statuses: [
				...wayToRelease.slice(0, 3),
				'approved, NOT released',
				'approved, release unknown',
				'released',
			],
		},
		'a rejection by the first of two': {
			changes: [{ status: 'rejected', first_by: null, first_at: null }],
			statuses: ['needs 2 people', 'rejected'],
		},
		'a rejection by the second of two': {
			changes: [{ status: 'rejected' }],
			statuses: ['needs 2 people', 'needs 1 person', 'rejected'],
		},
		'a hit that a later check found, and two people closed': {
			changes: [
				{ status: 'approved' },
				{ status: 'sanctions: stopped', first_by: null, decided_by: null },
				{ status: 'needs 2 people' },
				{ status: 'needs 1 person', first_by: 'ann@example.com' },
			],
			statuses: [
				'needs 2 people',
				'needs 1 person',
				'approved',
				'sanctions: stopped',
				'needs 2 people',
				'needs 1 person',
			],
		},
		'an approval that became too old, and a new screening': {
			changes: [
				{ status: 'approved' },
				{ status: null, first_by: null, decided_by: null },
				{ status: 'approved', decided_by: 'policy', screened_at: timeAt(9), summary: 'Allow' },
			],
			statuses: ['needs 2 people', 'needs 1 person', 'approved', 'not screened', 'approved'],
		},
		'statuses that n8n answers when the payment comes in': {
			changes: [{ status: 'screening' }, { status: 'refused' }, { status: null, summary: null }],
			statuses: [],
		},
	};
	test(`is told the way of ${Object.keys(ways).join('; of ')}`, async () => {
		const all = Object.entries(ways).map(([name, way], n) => ({ name, ...way, id: `P-${n}` }));
		await payments.insert(
			...all.map(({ id, changes: [first] }) => ({ ...releasedRow(id), ...first })),
		);
		await pass();
		const minutes = Math.max(...all.map(({ changes }) => changes.length));
		for (let minute = 1; minute < minutes; minute++) {
			for (const { id, changes } of all) {
				const change = changes[minute];
				if (change) await payments.setAll(change, where('reference', id));
			}
			await pass();
		}
		expect(all.map(({ name, id }) => [name, system.statusesOf(id)])).toEqual(
			all.map(({ name, statuses }) => [name, statuses]),
		);
		expect(system.callbacks).toHaveLength(all.flatMap(({ statuses }) => statuses).length);
	});

	test(`${maxStatuses} statuses reach a receiver that fails one in three, each in order, each correctly signed`, async () => {
		const failures: Failure[] = [
			500,
			404,
			302,
			'breaks before it accepts',
			'breaks after it accepts',
		];
		system.failure = (request) =>
			request % 3 === 0 ? failures[(request / 3) % failures.length] : undefined;
		const references = Array.from(
			{ length: maxStatuses / wayToRelease.length },
			(_, n) => `P-${n}`,
		);
		await payments.insert(...references.map(releasedRow));
		let minutes = 0;
		const isDone = async () =>
			(await callbacks.rows()).filter((row) => row.sent_at).length === maxStatuses;
		do await pass();
		while (!(await isDone()) && ++minutes < 40);
		for (const reference of references) expect(system.statusesOf(reference)).toEqual(wayToRelease);
		expect(new Set(system.accepted.map(({ id }) => id)).size).toBe(maxStatuses);
		expect(system.callbacks.filter(({ problem }) => problem)).toEqual([]);
		// What came again is what came before, with a signature of its own time.
		const bodies = new Map(system.callbacks.map(({ id, body }) => [id, body]));
		for (const { id, body } of system.callbacks) expect(body).toBe(bodies.get(id));
		expect(system.callbacks.length).toBeGreaterThan(1.4 * maxStatuses);
		if (process.env.STATUSES) console.log({ requests: system.requestCount, minutes });
	});

	test('receives no status before it took the one before it', async () => {
		system.failure = () => 500;
		await payments.insert(releasedRow('P-1'), { ...releasedRow('P-2'), status: 'rejected' });
		for (let minute = 0; minute < 3; minute++) await pass();
		expect(new Set(system.callbacks.map(({ number }) => number))).toEqual(new Set([1]));
		expect(system.callbacks).toHaveLength(6);
		system.failure = () => undefined;
		await pass();
		expect(system.statusesOf('P-1')).toEqual(wayToRelease);
	});

	test('after a failure, n8n waits longer each time, never more than 6 hours, and after some 3 days it gives up', async () => {
		/** How long the pause after so many failures more is, in minutes. */
		const pauses: ReadonlyArray<[failures: number, minutes: number | null]> = [
			[0, 2],
			[3, 16],
			[8, 360],
			[19, null],
		];
		system.failure = () => 500;
		const references = pauses.map(([failures]) => `P-${failures}`);
		await payments.insert(...references.map(releasedRow));
		await pass();
		for (const [attempts] of pauses)
			await callbacks.setAll({ attempts, next_at: pastTime }, where('reference', `P-${attempts}`));
		await stage.runFrom(workflows.tell, 'Every Minute');
		await untilQuiet();
		const found = [];
		for (const [failures] of pauses) {
			const { next_at, updatedAt, problem } = await rowOf(`P-${failures}`);
			expect(problem).toContain('500');
			const pause = Date.parse(String(next_at)) - Date.parse(String(updatedAt));
			found.push([failures, next_at === null ? null : Math.round(pause / 60_000)]);
		}
		expect(found).toEqual(pauses);
	});

	test('the team is told once a day of what it does not take for two hours, and a person sends it again', async () => {
		system.failure = () => 500;
		await payments.insert(releasedRow('P-1'));
		await pass();
		await tellWhatStops();
		expect(slackMessagesAsText()).not.toContain('does not accept them');
		await callbacks.setAll({ attempts: 19 });
		await pass();
		for (let time = 0; time < 2; time++) await tellWhatStops();
		const texts = stage.slack.messages.map(({ text }) => text);
		expect(texts).toEqual([
			expect.stringMatching(/does not accept them[^]*P-1: needs 2 people[^]*500/),
		]);
		expect(texts[0]).toContain('has stopped sending some of them');
		expect(stage.mail.letters.map(({ to }) => to?.[0]?.address)).toContain('head@example.com');
		system.failure = () => undefined;
		await stage.runFrom(workflows.deliver, 'Try Again Now');
		expect(system.statusesOf('P-1')).toEqual(wayToRelease);
	});
}
