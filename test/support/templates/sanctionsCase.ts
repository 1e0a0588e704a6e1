import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { sanctionedAddress } from './templateAddresses';
import { type Approvers, requester } from './approval';
import {
	type CaseAnswer,
	chooseAnswer,
	confirmation,
	openCase,
	publishCaseForm,
	answerDetails,
} from './caseForms';
import { type DataTable, table } from './dataTable';
import type { Entries } from '../browser/form';
import { stage, untilQuiet } from './stage';
import { callWorkflow } from './workflowCalls';
import { publishCaseWorkflows } from './caseWorkflows';
import { yearlySchedule } from './schedules';
import { type FormPage, type Person } from '../browser/person';
import { invitePerson } from './people';

interface People extends Approvers {
	/** A person who is no approver. */
	readonly cara: Person;
}

interface Workflows {
	readonly hit: Saved<Workflow>;
	readonly giveBack: Saved<Workflow>;
	readonly deadlines: Saved<Workflow>;
}

/** The case of one stopped payment, and what people and time do to it. */
export class SanctionsCase {
	readonly cases = table('Screening Cases');
	readonly payments = table('Screening Payments');
	readonly journal = table('Screening Journal');

	/** The rows that the open case has made; undefined before the first `begin`. */
	private opened: { cases: IDataObject[]; journal: IDataObject[] } | undefined;

	private constructor(
		readonly workflows: Workflows,
		readonly people: People,
	) {}

	/** Publishes the workflows, and puts the people on the list of approvers. */
	static async publish(): Promise<SanctionsCase> {
		const hit = (await publishCaseWorkflows())['sanctions-hit'];
		const giveBack = await stage.publishTemplate('approve-give-back', {
			'Every 15 Minutes': yearlySchedule,
		});
		await publishCaseForm();
		const deadlines = await stage.publishTemplate('sanctions-deadlines', {
			'Every Morning': yearlySchedule,
		});
		const [ann, ben, rita, cara] = await Promise.all([
			invitePerson('case-ann@example.com'),
			invitePerson('case-ben@example.com'),
			invitePerson(requester),
			invitePerson('case-cara@example.com'),
		]);
		await table('Screening Approvers').insert(...[ann, ben, rita].map(({ email }) => ({ email })));
		return new SanctionsCase({ hit, giveBack, deadlines }, { ann, ben, rita, cara });
	}

	/**
	 * Clears the tables, and stores a stopped payment. Its case is open, and waits for an answer. The
	 * first call hands its hit over; later ones write the rows that this made.
	 */
	async begin(): Promise<void> {
		// Executions that the test before has started may still send mails.
		await untilQuiet();
		for (const rows of [this.cases, this.payments, this.journal]) await rows.clear();
		await this.payments.insert(stoppedPayment('P-1'));
		if (this.opened) {
			await this.cases.insert(...this.opened.cases);
			await this.journal.insert(...this.opened.journal);
		} else {
			await this.handOver('rep_1');
			this.opened = {
				cases: await readOwnColumns(this.cases),
				journal: await readOwnColumns(this.journal),
			};
		}
		stage.clear();
	}

	/**
	 * Stores other stopped payments in the place of this one: for each reference a payment, and its
	 * case as it was when it was opened, except for these fields.
	 */
	async replaceWith(changes: Readonly<Record<string, IDataObject>>): Promise<void> {
		for (const rows of [this.cases, this.payments]) await rows.clear();
		await this.payments.insert(...Object.keys(changes).map(stoppedPayment));
		const [opened] = this.opened!.cases;
		await this.cases.insert(
			...Object.entries(changes).map(([reference, changed]) => ({
				...opened,
				reference,
				case_key: `${reference}|${sanctionedAddress.toLowerCase()}`,
				...changed,
			})),
		);
	}

	/** Hands the hit of this report over, as *Our Screening* does. */
	async handOver(report_id: string): Promise<void> {
		const report = { report_id, risk: { categories: { sanctions: 0.893, mixer: 0.2 } } };
		await callWorkflow(this.workflows.hit, [
			{
				reference: 'P-1',
				address: sanctionedAddress,
				chain: 'ETH',
				amount: '12 ETH',
				outcome: 'block',
				sanctions: true,
				summary: 'Block: sanctions is 0.893',
				report_id,
				report: JSON.stringify(report),
				door: 'payment',
				requested_by: requester,
			},
		]);
		await untilQuiet();
	}

	async row(): Promise<IDataObject> {
		return (await this.cases.rows<IDataObject>())[0]!;
	}

	async paymentStatus(): Promise<unknown> {
		return (await this.payments.rows<IDataObject>())[0]!.status;
	}

	/** Reads the status of each payment, by its reference. */
	async paymentStatuses(): Promise<Record<string, unknown>> {
		const rows = await this.payments.rows<IDataObject>();
		return Object.fromEntries(rows.map(({ reference, status }) => [reference, status]));
	}

	/** Does what n8n does every 15 minutes with payments whose cases are closed. */
	async giveBack(): Promise<void> {
		await stage.runFrom(this.workflows.giveBack, 'Every 15 Minutes');
	}

	async open(person: Person): Promise<FormPage> {
		return await openCase(person, (await this.row()).id);
	}

	/** Answers with the usual details, except those in `changed`. @returns the last page */
	async answer(person: Person, answer: CaseAnswer, changed: Entries = {}): Promise<FormPage> {
		const page = await chooseAnswer(await this.open(person), answer);
		return await page.send({ ...answerDetails[answer], ...changed });
	}

	async confirm(person: Person, ...verdict: Parameters<typeof confirmation>): Promise<FormPage> {
		return await (await this.open(person)).send(confirmation(...verdict));
	}
}

/** The row of a stopped payment, whose answers before the hit no longer count. */
const stoppedPayment = (reference: string): IDataObject => ({
	reference,
	address: sanctionedAddress,
	amount: '12 ETH',
	requested_by: requester,
	status: 'sanctions: stopped',
	first_by: 'old@example.com',
	decided_by: 'old@example.com',
});

/** Reads the rows of a table, without the columns that n8n itself adds. */
async function readOwnColumns(rows: DataTable): Promise<IDataObject[]> {
	const all = await rows.rows<IDataObject>();
	return all.map(({ id: _id, createdAt: _createdAt, updatedAt: _updatedAt, ...row }) => row);
}
