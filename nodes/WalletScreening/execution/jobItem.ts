import type { IDataObject } from 'n8n-workflow';
import type { AddressRequest } from '../address/input';
import type { Job } from '../answers/jobAnswer';
import type { JobItem } from '../description/outputItems';

/** Makes the JSON of a bulk job: its state, its requests if they are known, and the body. */
export function createJobJson(
	{ body, job_id, state, unread }: Job,
	addressCount: number | undefined,
	requests?: Array<string | AddressRequest>,
): IDataObject {
	const item: JobItem = {
		job_id,
		completed: state === 'complete',
		failed: state === 'failed',
		...(addressCount !== undefined && { address_count: addressCount }),
		...(requests && { addresses: requests }),
		...(unread.length > 0 && { unread }),
		job: body,
	};
	return item as object as IDataObject;
}
