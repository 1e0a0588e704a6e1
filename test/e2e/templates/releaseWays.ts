import { numbersFrom, seed } from '../../support/data/random';
import { scenarioAddress } from '../../../sandbox/scenarios';
import {
	blockedAddress,
	greenAddress,
	sanctionedAddress,
} from '../../support/templates/templateAddresses';
import { requester, paymentWebhookPath } from '../../support/templates/approval';
import { table, where } from '../../support/templates/dataTable';
import { stage, untilQuiet } from '../../support/templates/stage';
import {
	falsePositive,
	type StoppedPayment,
	StoppedPayments,
} from '../../support/templates/stoppedPayments';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { pastTime } from '../../support/templates/times';
import { postToWebhook } from '../../support/templates/webhooks';

/** This many ways are tried. */
const wayCount = Number(process.env.WAYS ?? 12);

/**
 * n8n gets this many payments at once: of many more at once it has no connection to its database
 * left.
 */
const maxAtOnce = 24;

interface Kind {
	readonly name: string;
	readonly because: string;
	readonly address: string;
}

/** One thing that a person does to a stopped payment, or to what n8n stored about it. */
interface Move {
	readonly name: string;
	readonly because: string;
	readonly make: (payment: StoppedPayment) => Promise<unknown>;
}

interface Policy {
	readonly name: string;
	readonly because: string;
	/** Published after the hit. */
	readonly text: string;
}

/** A way to get a stopped payment released. */
interface Way {
	readonly payment: StoppedPayment;
	readonly kind: Kind;
	readonly door: Move;
	readonly first: Move;
	readonly second: Move;
}

const kinds: readonly Kind[] = [
	{
		name: 'on the US list',
		because: 'its sanctions score is above 0, and it is red',
		address: sanctionedAddress,
	},
	{
		name: 'red by sanctions',
		because: 'its sanctions score is above 0',
		address: scenarioAddress('sanctioned'),
	},
	{
		name: 'green, and on the list',
		because: 'only the list that n8n reads has it',
		address: greenAddress,
	},
];

const policies: readonly Policy[] = [
	{
		name: 'a policy without rules',
		because: 'a hit under an earlier policy stays a hit',
		text: JSON.stringify({
			otherwise: 'allow',
			rules: [{ field: 'level', operator: 'equals', value: 'violet', outcome: 'block' }],
		}),
	},
	{
		name: 'an exception for it',
		because: 'an exception waives the level, and no hit',
		text: JSON.stringify({
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
			exceptions: kinds.map(({ address }) => ({
				address,
				until: '2999-12-31',
				reason: 'ticket 4711',
				approvedBy: 'Head of Compliance',
			})),
		}),
	},
];

/** The two doors of payments. */
const doorsOf = (stopped: StoppedPayments): readonly Move[] => [
	{
		name: 'posted',
		because: 'the payment system asks before it pays',
		make: async (payment) => await postToWebhook(paymentWebhookPath, stopped.requestFor(payment)),
	},
	{
		name: 'handed over',
		because: 'a workflow of the team passes payments on',
		make: async (payment) =>
			await callWorkflow(stopped.workflows.take, [stopped.requestFor(payment)]),
	},
];

/** What people and the payment system do, without an edit of a table. */
function movesWithoutEdits(stopped: StoppedPayments): readonly Move[] {
	const { ann, ben, rita } = stopped.people;
	return [
		{
			name: 'Ann releases it',
			because: 'she is an approver',
			make: async (payment) => await stopped.release(ann, payment),
		},
		{
			name: 'Ben releases it',
			because: 'he is a second approver',
			make: async (payment) => await stopped.release(ben, payment),
		},
		{
			name: 'Rita releases it',
			because: 'she is an approver, and requested it',
			make: async (payment) => await stopped.release(rita, payment),
		},
		{
			name: 'it is sent again',
			because: 'a known ID is screened again only if it has no status',
			make: async (payment) => await postToWebhook(paymentWebhookPath, stopped.requestFor(payment)),
		},
	];
}

/** Edits of the payment's row. */
function editsOfPayment(stopped: StoppedPayments): readonly Move[] {
	const { ann, ben } = stopped.people;
	return [
		{
			name: 'the status becomes "approved"',
			because: 'a person edits the row as if the policy had allowed it',
			make: async (payment) =>
				await stopped.edit(payment, { status: 'approved', decided_by: 'policy' }),
		},
		{
			name: 'the status becomes "approved, NOT released"',
			because: 'n8n tries again what it did not release',
			make: async (payment) =>
				await stopped.edit(payment, { status: 'approved, NOT released', decided_by: ann.email }),
		},
		{
			name: 'the status becomes "needs 1 person"',
			because: 'one answer would be enough then',
			make: async (payment) =>
				await stopped.edit(payment, { status: 'needs 1 person', first_by: ben.email }),
		},
		{
			name: 'the status becomes "needs 2 people"',
			because: 'its case would have to be closed before',
			make: async (payment) => await stopped.edit(payment, { status: 'needs 2 people' }),
		},
		{
			name: 'the status is emptied, and it is sent again',
			because: 'n8n screens it once more',
			make: async (payment) => {
				await stopped.edit(payment, { status: null });
				await postToWebhook(paymentWebhookPath, stopped.requestFor(payment));
			},
		},
	];
}

/** Edits of the row of its case. */
function editsOfCase({ people: { ann, ben }, cases }: StoppedPayments): readonly Move[] {
	const caseOf = ({ reference }: StoppedPayment) => where('reference', reference);
	return [
		{
			name: 'the case is deleted',
			because: 'the log has the hit, too',
			make: async (payment) => await cases.clear(caseOf(payment)),
		},
		{
			name: 'the case is edited to "false positive"',
			because: 'no second person confirmed it',
			make: async (payment) =>
				await cases.setAll({ ...falsePositive, answer_by: ann.email }, caseOf(payment)),
		},
		{
			name: 'the requester of the payment closes the case',
			because: 'neither of the two may be the requester',
			make: async (payment) =>
				await cases.setAll(
					{ ...falsePositive, answer_by: ann.email, confirmed_by: requester },
					caseOf(payment),
				),
		},
		{
			name: 'the case has a licence that has ended',
			because: 'a licence counts up to its last day',
			make: async (payment) =>
				await cases.setAll(
					{
						status: 'licensed',
						answer: 'licensed',
						answer_by: ann.email,
						confirmed_by: ben.email,
						licence_until: pastTime,
					},
					caseOf(payment),
				),
		},
	];
}

const movesOf = (stopped: StoppedPayments): readonly Move[] => [
	...movesWithoutEdits(stopped),
	...editsOfPayment(stopped),
	...editsOfCase(stopped),
];

/** Deals each of `all` once, in a random order, before it deals one of them again. */
function* dealFrom<T>(all: readonly T[], random: () => number): Generator<T, never> {
	for (;;) {
		const rest = [...all];
		while (rest.length > 0) yield* rest.splice(Math.floor(random() * rest.length), 1);
	}
}

/** Makes that many ways, in which all kinds, doors and moves occur about as often as each other. */
function dealWays(count: number, stopped: StoppedPayments, random: () => number): Way[] {
	const kind = dealFrom(kinds, random);
	const door = dealFrom(doorsOf(stopped), random);
	const first = dealFrom(movesOf(stopped), random);
	const second = dealFrom(movesOf(stopped), random);
	return Array.from({ length: count }, (_, number) => {
		const { value: dealt } = kind.next();
		return {
			payment: { reference: `H-${number}`, address: dealt.address },
			kind: dealt,
			door: door.next().value,
			first: first.next().value,
			second: second.next().value,
		};
	});
}

const describeWay = ({ payment, kind, door, first, second }: Way) =>
	[payment.reference, kind.name, door.name, first.name, second.name].join(', ');

/** Makes a move for each way, in groups that n8n can take, and waits until all of it has ended. */
async function makeAll(ways: readonly Way[], step: 'door' | 'first' | 'second'): Promise<void> {
	for (let start = 0; start < ways.length; start += maxAtOnce) {
		const group = ways.slice(start, start + maxAtOnce);
		await Promise.all(group.map(async (way) => await way[step].make(way.payment)));
		await untilQuiet(300_000);
	}
}

/** Writes the list of the Treasury, with the green address on it. */
async function listGreenAddress(): Promise<void> {
	const lists = table('Screening Sanctions');
	await lists.clear();
	await lists.insert({
		name: 'SDN',
		published: '11/25/2026',
		read_at: new Date().toISOString(),
		count: 1,
		addresses: JSON.stringify([greenAddress]),
		entries: '{}',
	});
}

/** Two moves, in any order, on a payment that is stopped, under any policy: none releases it. */
export function releaseWayTests(): void {
	let stopped: StoppedPayments;
	beforeAll(async () => void (stopped = await StoppedPayments.publish()));
	afterAll(async () => await stage.withdrawAll());
	beforeEach(async () => await stopped.clear());

	const perPolicy = Math.ceil(wayCount / policies.length);
	test.each(policies)(
		`none of ${perPolicy} ways releases a hit, under $name: $because (TEST_SEED=${seed})`,
		async ({ name, text }) => {
			const random = numbersFrom(seed + policies.findIndex((one) => one.name === name));
			const ways = dealWays(perPolicy, stopped, random);
			// Two people may release this one: the workflows release, if they may.
			const blocked = { reference: 'BLOCKED', address: blockedAddress };
			await listGreenAddress();
			await makeAll(ways, 'door');
			await stopped.post(blocked);
			for (const way of ways) {
				const { status, decided_by } = await stopped.rowOf(way.payment);
				expect([describeWay(way), status, decided_by]).toEqual([
					describeWay(way),
					'sanctions: stopped',
					null,
				]);
			}

			const loose = { name: 'Loose', version: '99', policy: text, changed_by: 'Rita' };
			await table('Screening Policies').insert(loose);
			// The list is gone, too: only the case and the log have the hit.
			await table('Screening Sanctions').clear();
			try {
				await makeAll(ways, 'first');
				await stopped.tick();
				await makeAll(ways, 'second');
				await stopped.edit(blocked, { status: 'approved', decided_by: stopped.people.ann.email });
				for (const _ of [1, 2]) await stopped.tick();
			} finally {
				await table('Screening Policies').setAll({ policy: null }, where('name', loose.name));
			}

			const released = stopped.listReleased();
			const wrong = ways.filter(({ payment }) => released.includes(payment.reference));
			expect(wrong.map(describeWay)).toEqual([]);
			expect(released).toEqual(['BLOCKED']);
			const rows = await stopped.payments.rows<{ reference: string; status: string }>();
			const statuses = rows.filter(({ reference }) => reference !== 'BLOCKED');
			const approved = statuses.filter(({ status }) => /^(approved|released)/.test(status));
			expect(approved).toEqual([]);
		},
		120_000 + perPolicy * 30_000,
	);
}
