import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import {
	type Approvers,
	openPayment,
	publishApproval,
	requester,
	paymentFormPath,
	paymentWebhookPath,
} from './approval';
import { chooseAnswer, confirmation, openCase, publishCaseForm, answerDetails } from './caseForms';
import { table, where } from './dataTable';
import { stage, untilQuiet } from './stage';
import { publishCaseWorkflows } from './caseWorkflows';
import { yearlySchedule } from './schedules';
import { pastTime } from './times';
import { postToWebhook } from './webhooks';
import { type FormPage, type Person } from '../browser/person';
import { invitePerson } from './people';

/** A payment to a wallet that is a sanctions hit. */
export interface StoppedPayment {
	readonly reference: string;
	readonly address: string;
}

interface Workflows {
	readonly take: Saved<Workflow>;
	readonly release: Saved<Workflow>;
	readonly giveBack: Saved<Workflow>;
	readonly handOver: Saved<Workflow>;
}

/** What the row of a case has once it is closed as a false positive. */
export const falsePositive = { status: 'false positive', answer: 'false positive' };

/**
 * The workflows through which a stopped payment passes, their tables, and what people and time do
 * to it.
 */
export class StoppedPayments {
	readonly payments = table('Screening Payments');
	readonly cases = table('Screening Cases');
	readonly results = table('Screening Results');
	readonly journal = table('Screening Journal');

	private constructor(
		readonly workflows: Workflows,
		readonly people: Approvers,
	) {}

	/** Publishes the workflows, and puts the people on the list of approvers. */
	static async publish(): Promise<StoppedPayments> {
		const published = await publishCaseWorkflows();
		const { take, release } = await publishApproval();
		const giveBack = await stage.publishTemplate('approve-give-back', {
			'Every 15 Minutes': yearlySchedule,
		});
		await publishCaseForm();
		const [ann, ben, rita] = await Promise.all([
			invitePerson('ann@example.com'),
			invitePerson('ben@example.com'),
			invitePerson(requester),
		]);
		await table('Screening Approvers').clear();
		await table('Screening Approvers').insert(...[ann, ben, rita].map(({ email }) => ({ email })));
		const handOver = published['sanctions-hand-over'];
		return new StoppedPayments({ take, release, giveBack, handOver }, { ann, ben, rita });
	}

	async clear(): Promise<void> {
		const tables = [this.payments, this.cases, this.results, this.journal];
		for (const one of tables) await one.clear();
	}

	/** Returns what the payment system posts. */
	requestFor({ reference, address }: StoppedPayment): IDataObject {
		return {
			payment_id: reference,
			address,
			chain: 'ETH',
			amount: '12.50 ETH',
			requested_by: requester,
		};
	}

	/** Posts the payment as the payment system does, and waits until n8n has screened it. */
	async post(payment: StoppedPayment): Promise<void> {
		await postToWebhook(paymentWebhookPath, this.requestFor(payment));
		await untilQuiet();
	}

	/** Writes these fields into the row of a payment, and marks it as due and decided. */
	async edit({ reference }: StoppedPayment, row: IDataObject): Promise<void> {
		const decided = { due_at: pastTime, decided_at: new Date().toISOString() };
		await this.payments.setAll({ ...decided, ...row }, where('reference', reference));
	}

	/** Answers with *Release*, if the form asks for an answer. @returns the last page */
	async release(person: Person, { reference }: StoppedPayment): Promise<FormPage> {
		const page = await openPayment(person, reference);
		if (!page.asks('Your answer')) return page;
		return await page.send({
			'Your answer': 'Release',
			Reason: 'Customer assured us that it is fine',
		});
	}

	/** Does what n8n does every 15 minutes, as if every payment were due. */
	async tick(): Promise<void> {
		await this.payments.setAll({ due_at: pastTime });
		await stage.runFrom(this.workflows.release, 'Every 15 Minutes');
		// Many payments at once take n8n longer than a minute.
		await untilQuiet(300_000);
	}

	/** Lists the payments that the payment system was asked to release, by their references. */
	listReleased(): unknown[] {
		return stage.team.requests.filter(({ path }) => path === '/release').map(({ key }) => key);
	}

	async rowOf({ reference }: StoppedPayment): Promise<IDataObject> {
		const rows = await this.payments.rows<IDataObject>();
		const row = rows.find((one) => one.reference === reference);
		if (!row) throw new Error(`No row of the payment ${reference}`);
		return row;
	}

	/** Opens the form of the payment's case. */
	async openCase(person: Person, { reference }: StoppedPayment): Promise<FormPage> {
		const all = await this.cases.rows<IDataObject>();
		return await openCase(person, all.find((row) => row.reference === reference)?.id);
	}

	async answerFalsePositive(person: Person, payment: StoppedPayment): Promise<FormPage> {
		const form = await this.openCase(person, payment);
		return await (await chooseAnswer(form, 'False positive')).send(answerDetails['False positive']);
	}

	async confirmCase(person: Person, payment: StoppedPayment): Promise<FormPage> {
		const form = await this.openCase(person, payment);
		return await form.send(confirmation());
	}

	/** Lets two people close the payment's case under a licence. @throws if the case stays open */
	async license(payment: StoppedPayment, licence: string): Promise<void> {
		const form = await this.openCase(this.people.ann, payment);
		const page = await chooseAnswer(form, 'Licence');
		await page.send({ ...answerDetails.Licence, 'Licence number': licence });
		const { words } = await this.confirmCase(this.people.ben, payment);
		if (!words.includes('Closed: licensed')) throw new Error(`The case stays open: ${words}`);
		await untilQuiet();
	}
}

/** Returns the mails to PERSON@example.com whose subjects begin with this text. */
export const lettersTo = (person: string, subject: string) =>
	stage.mail.letters.filter(
		(letter) =>
			letter.to?.[0]?.address === `${person}@example.com` && letter.subject?.startsWith(subject),
	);

/** Returns the link to the form of a payment, as messages to approvers have it. */
export const answerLink = ({ reference }: StoppedPayment) =>
	`${paymentFormPath}?reference=${reference}`;
