import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { table } from './dataTable';
import { stage, untilQuiet } from './stage';
import { yearlySchedule } from './schedules';
import { pastTime } from './times';
import { postToWebhook } from './webhooks';
import { type FormPage, type Person } from '../browser/person';
import { invitePerson } from './people';

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

/** The path of the webhook that takes payments. */
export const paymentWebhookPath = 'approve-a-payment';
/** The path of the form in which people decide on a payment. */
export const paymentFormPath = 'answer-a-payment';
/** The path of the form in which a person answers whether a payment was made. */
export const releaseFormPath = 'answer-a-release';
/** The status of a payment while nothing shows whether it was released. */
export const releaseUnknown = 'approved, release unknown';
export const requester = 'rita@example.com';

interface ApprovalWorkflows {
	readonly take: Saved<Workflow>;
	readonly answer: Saved<Workflow>;
	readonly release: Saved<Workflow>;
}

/** Imports and publishes the workflows through which a payment passes until it is released. */
export async function publishApproval(): Promise<ApprovalWorkflows> {
	await stage.publishTemplate('approve-remind');
	await stage.publishTemplate('approve-unknown', {
		'When a Person Opens the Page': { webhookId: releaseFormPath },
	});
	const release = await stage.publishTemplate('approve-release', {
		Release: { parameters: { url: `${stage.team.url}/release` } },
		'Every 15 Minutes': yearlySchedule,
	});
	const answer = await stage.publishTemplate('approve-answer', {
		'When a Person Opens the Page': { webhookId: paymentFormPath },
	});
	const take = await stage.publishTemplate('approve-take', {
		'When a Payment Comes In': { webhookId: paymentWebhookPath },
	});
	return { release, answer, take };
}

/** Opens the form of a payment. @returns the page on which a person answers */
export const openPayment = async (person: Person, payment_id: string): Promise<FormPage> =>
	await (await person.open(paymentFormPath)).send({ 'Payment ID': payment_id });

/** The people on the list of approvers. */
export interface Approvers {
	readonly ann: Person;
	readonly ben: Person;
	/** The requester of each payment. */
	readonly rita: Person;
}

interface People extends Approvers {
	/** A person who is no approver. */
	readonly zoe: Person;
}

/**
 * The number of payments that tests have made. It is never reset, because the payment system takes an
 * ID only once.
 */
let paymentCount = 0;

/**
 * The workflows that hold a payment until people have approved it, their tables, and what people
 * and time do to it.
 */
export class Approval {
	readonly payments = table('Screening Payments');
	readonly journal = table('Screening Journal');

	private constructor(
		readonly workflows: ApprovalWorkflows,
		readonly people: People,
	) {}

	/**
	 * Publishes the workflows, and writes the list of approvers. One of its addresses is typed in
	 * another way than in the account.
	 */
	static async publish(): Promise<Approval> {
		const workflows = await publishApproval();
		const [ann, ben, rita, zoe] = await Promise.all([
			invitePerson('ann@example.com'),
			invitePerson('ben@example.com'),
			invitePerson(requester),
			invitePerson('zoe@example.com'),
		]);
		const approvers = table('Screening Approvers');
		await approvers.clear();
		await approvers.insert(
			{ email: ann.email },
			{ email: ' Ben@Example.COM' },
			{ email: rita.email },
		);
		return new Approval(workflows, { ann, ben, rita, zoe });
	}

	async clear(): Promise<void> {
		for (const one of [this.payments, this.journal]) await one.clear();
	}

	/** Makes a payment with a new ID. */
	paymentTo(address: string): Payment {
		return {
			payment_id: `A-${++paymentCount}`,
			address,
			chain: 'ETH',
			amount: '12.50 ETH',
			requested_by: requester,
		};
	}

	async post(payment: unknown, headers?: Record<string, string>): Promise<Response> {
		return await postToWebhook(paymentWebhookPath, payment, headers);
	}

	async rows(): Promise<PaymentRow[]> {
		return await this.payments.rows<PaymentRow>();
	}

	async rowOf({ payment_id }: Payment): Promise<PaymentRow> {
		const row = (await this.rows()).find(({ reference }) => reference === payment_id);
		if (!row) throw new Error(`No row of the payment ${payment_id}`);
		return row;
	}

	/** Posts a payment, and waits until n8n has screened it. @returns its row */
	async submit(payment: Payment): Promise<PaymentRow> {
		await this.post(payment);
		await untilQuiet();
		return await this.rowOf(payment);
	}

	/** Answers in the form, if it asks for an answer. @returns the words of the last page */
	async answer(
		person: Person,
		{ payment_id }: Payment,
		answer = 'Release',
		reason = 'I called the customer',
	): Promise<string> {
		const page = await openPayment(person, payment_id);
		if (!page.asks('Your answer')) return page.words;
		const { words } = await page.send({ 'Your answer': answer, Reason: reason });
		await untilQuiet();
		return words;
	}

	/**
	 * Does what n8n does every 15 minutes, and waits for the reminders, which are executions of their
	 * own.
	 */
	async tick(): Promise<void> {
		await stage.runFrom(this.workflows.release, 'Every 15 Minutes');
		await untilQuiet();
	}

	/** Does what n8n does every 15 minutes, as if the next step of every payment were due. */
	async tickOnceDue(): Promise<void> {
		await this.payments.setAll({ due_at: pastTime });
		await this.tick();
	}

	/** Counts how often the payment system paid a payment: once for each Idempotency-Key. */
	releaseCount({ payment_id }: Payment): number {
		return stage.team.carriedOut('/release').filter(({ body }) => body.payment_id === payment_id)
			.length;
	}
}

/** Matches the words of the last page after an answer that counts. */
export function answeredWords(status: string): RegExp {
	const deedByStatus: Record<string, string> = { approved: 'released it', rejected: 'rejected it' };
	return new RegExp(`You ${deedByStatus[status] ?? 'approved it'}.*Status ${status} `);
}

/** Matches the words of the last page after an answer that does not count, with the reason. */
export const unchangedWords = (status: string, why: string) =>
	new RegExp(`Nothing changed ${why}.*Status ${status} `);

/** Matches the words of the second page, for a payment that needs no decision now. */
export const nothingToAnswer = (status: string) =>
	new RegExp(`Nothing to answer .*Status ${status} `);
