import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { blockedAddress } from './templateAddresses';
import { requester } from './approval';
import { table } from './dataTable';
import type { StatusReceiver } from '../servers/statusReceiver';
import { stage, untilQuiet } from './stage';
import { yearlySchedule } from './schedules';
import { pastTime } from './times';

export interface CallbackWorkflows {
	readonly deliver: Saved<Workflow>;
	readonly tell: Saved<Workflow>;
}

/** Imports and publishes the two workflows that send statuses to a payment system. */
export async function publishCallbacks(
	{ url }: Pick<StatusReceiver, 'url'>,
	schedule: object = yearlySchedule,
): Promise<CallbackWorkflows> {
	const deliver = await stage.publishTemplate('approve-deliver', {
		'Status to the Payment System': { parameters: { url: `${url}/statuses` } },
	});
	const tell = await stage.publishTemplate('approve-tell', { 'Every Minute': schedule });
	// The first run makes the table.
	await stage.runFrom(tell, 'Every Minute');
	await untilQuiet();
	return { deliver, tell };
}

/** Does what n8n does every minute, as if the pause after each failure were over. */
export async function passMinute(tell: Saved<Workflow>): Promise<void> {
	const isLater = { columnName: 'next_at', condition: 'gt', value: pastTime } as const;
	await table('Screening Callbacks').setAll({ next_at: pastTime }, [isLater]);
	await stage.runFrom(tell, 'Every Minute');
	await untilQuiet(300_000);
}

/** Returns the row of a payment that two people approved, and that was released. */
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
	screened_at: timeAt(0),
	first_at: timeAt(1),
	decided_at: timeAt(2),
	released_at: timeAt(3),
});

/** The statuses of such a payment in the order in which a payment system receives them. */
export const wayToRelease = ['needs 2 people', 'needs 1 person', 'approved', 'released'];

/** Returns a time on the day of that payment, in minutes after its screening. */
export const timeAt = (minutes: number) => new Date(Date.UTC(2026, 0, 1, 8, minutes)).toISOString();
