import { numbersFrom, seed } from '../../support/data/random';
import {
	blockedAddress,
	greenAddress,
	notGreenAddress,
} from '../../support/templates/templateAddresses';
import {
	type Payment,
	type PaymentRow,
	publishApproval,
	requester,
	openPayment,
	paymentWebhookPath,
} from '../../support/templates/approval';
import { table } from '../../support/templates/dataTable';
import { timeoutMs, printFigures, killCount, killsInName } from '../../support/templates/kills';
import { stage, untilQuiet } from '../../support/templates/stage';
import { pastTime } from '../../support/templates/times';
import { postToWebhook } from '../../support/templates/webhooks';
import { invitePerson } from '../../support/templates/people';
import { type Person } from '../../support/browser/person';

const emails = ['ann@example.com', 'ben@example.com'];
const payments = table('Screening Payments');

/** A payment that a person is about to release. */
interface PersonAnswer {
	readonly person: Person;
	readonly payment_id: string;
}

/** Two payments of each kind: released at once, by one person, by two people. */
const paymentsOf = (round: number, time: 'before' | 'during'): Payment[] =>
	[greenAddress, notGreenAddress, blockedAddress].flatMap((address, kind) =>
		[0, 1].map((number) => ({
			payment_id: `R${round}-${time}-${kind}${number}`,
			address,
			chain: 'ETH',
			amount: '1 ETH',
			requested_by: requester,
		})),
	);

/**
 * Both people answer the first payment of each kind that waits for people, and only Ann the second
 * one.
 */
const answersTo = (waiting: readonly Payment[], people: readonly Person[]): PersonAnswer[] =>
	waiting
		.filter(({ address }) => address !== greenAddress)
		.flatMap(({ payment_id }, index) =>
			people.slice(0, index % 2 === 0 ? 2 : 1).map((person) => ({ person, payment_id })),
		);

/**
 * Kills n8n while this release, counted from 1, is with the payment system: the money is on its
 * way, and n8n does not know.
 */
async function killAtRelease(number: number): Promise<void> {
	let releases = 0;
	await new Promise<void>((resolve, reject) => {
		stage.team.onRequest = async () => {
			if (++releases !== number) return;
			stage.team.onRequest = () => {};
			await stage.killAndRestart().then(resolve, reject);
		};
	});
}

/** How often the payment system paid it: once for each Idempotency-Key that named it. */
const timesReleased = (reference: string) =>
	stage.team.carriedOut('/release').filter(({ body }) => body.payment_id === reference).length;

/**
 * Whether a row says what the payment system did, and who approved it. `answered` has the people
 * who answered, heard or not.
 */
function isRight(row: PaymentRow & { address: string }, answered: readonly string[]): boolean {
	const { reference, address, first_by: first, decided_by: last } = row;
	if (!['needs 1 person', 'needs 2 people', 'released', null].includes(row.status)) return false;
	if (timesReleased(reference) !== (row.status === 'released' ? 1 : 0)) return false;
	if (row.status !== 'released') return true;
	if (address === greenAddress) return last === 'policy';
	if (!answered.includes(String(last))) return false;
	return address === notGreenAddress || (first !== last && answered.includes(String(first)));
}

export function killedPaymentTests(): void {
	test(`each payment is released exactly as often as it was approved, ${killsInName}`, async () => {
		const random = numbersFrom(seed);
		const { release } = await publishApproval();
		let people = await Promise.all(emails.map(invitePerson));
		await table('Screening Approvers').insert(...emails.map((email) => ({ email })));
		const post = async (payment: Payment) => await postToWebhook(paymentWebhookPath, payment);
		const tick = async () => {
			await payments.setAll({ due_at: pastTime });
			await stage.runFrom(release, 'Every 15 Minutes');
			await untilQuiet(timeoutMs);
		};

		const taken: Payment[] = [];
		const answers: PersonAnswer[] = [];
		for (let round = 0; round < killCount; round++) {
			const before = paymentsOf(round, 'before');
			taken.push(...before);
			await Promise.all(before.map(post));
			await untilQuiet(timeoutMs);
			const given = answersTo(before, people);
			answers.push(...given);
			const pages = await Promise.all(
				given.map(async ({ person, payment_id }) => await openPayment(person, payment_id)),
			);

			const killed = killAtRelease(1 + Math.floor(random() * 3));
			const storm = { 'Your answer': 'Release', Reason: 'storm' };
			await Promise.allSettled([
				...paymentsOf(round, 'during').map(post),
				...pages.map(async (page) => await page.post(storm)),
			]);
			await killed;
			people = await Promise.all(emails.map(invitePerson));
			await tick();
			await tick();
		}

		const rows = await payments.rows<PaymentRow & { address: string }>();
		const answeredBy = (reference: string) =>
			answers
				.filter(({ payment_id }) => payment_id === reference)
				.map(({ person }) => person.email);
		printFigures({ payments: rows.length, released: stage.team.carriedOut('/release').length });
		expect(rows.filter((row) => !isRight(row, answeredBy(row.reference)))).toEqual([]);
		const references = rows.map(({ reference }) => reference);
		expect(new Set(references).size).toBe(references.length);
		// What n8n had taken before it died is still there, and what the policy allows is released.
		expect(references).toEqual(expect.arrayContaining(taken.map(({ payment_id }) => payment_id)));
		const allowed = taken.filter(({ address }) => address === greenAddress);
		expect(allowed.map(({ payment_id }) => timesReleased(payment_id))).toEqual(
			allowed.map(() => 1),
		);
	});
}
