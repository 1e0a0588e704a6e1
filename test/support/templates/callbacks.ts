import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/instance';
import { blockedAddress } from './addresses';
import { requester } from './approval';
import { table } from './dataTable';
import type { StatusReceiver } from '../servers/statusReceiver';
import { yearlySchedule, pastTime, stage, untilQuiet } from './stage';

export interface CallbackWorkflows {
	readonly deliver: Saved<Workflow>;
	readonly tell: Saved<Workflow>;
}

/** Imports and publishes the two workflows that tell a payment system. */
export async function publishCallbacks(
	{ url }: Pick<StatusReceiver, 'url'>,
	schedule: object = yearlySchedule,
): Promise<CallbackWorkflows> {
	const deliver = await stage.publishTemplate('approve-deliver', {
		'Status to the Payment System': { parameters: { url: `${url}/statuses` } },
	});
	const tell = await stage.publishTemplate('approve-tell', { 'Every Minute': schedule });
	// It makes its table.
	await stage.runFrom(tell, 'Every Minute');
	await untilQuiet();
	return { deliver, tell };
}

/** A minute in which the pauses of all that failed end, too. */
export async function passMinute(tell: Saved<Workflow>): Promise<void> {
	const isLater = { columnName: 'next_at', condition: 'gt', value: pastTime } as const;
	await table('Screening Callbacks').setAll({ next_at: pastTime }, [isLater]);
	await stage.runFrom(tell, 'Every Minute');
	await untilQuiet(300_000);
}

/** A payment that two people approved, as its row is once it was released. */
export const releasedRow = (reference: string): IDataObject => ({
	reference,
	address: blockedAddress,
	chain: 'ETH',
	amount: '1 ETH',
	requested_by: requester,
	status: 'released',
	summary: 'Block: level is red – “déjà vu”',
	report_id: 'rep_1',
	first_by: 'ann@example.com',
	decided_by: 'ben@example.com',
	screened_at: at(0),
	first_at: at(1),
	decided_at: at(2),
	released_at: at(3),
});

/** The statuses that a payment system receives of such a payment, in order. */
export const wayToRelease = ['needs 2 people', 'needs 1 person', 'approved', 'released'];

/** A time on the day of that payment. */
export const at = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 8, minutes)).toISOString();
