import type { IDataObject } from 'n8n-workflow';
import type { Job } from '../../service/dialect/reader';
import type { Asked } from './addresses';

/**
 * A bulk job as an item: the service's body, what can be said of it in any case, and what was asked for, if that is known. If
 * the service has something else under one of these names, that is under `service`.
 */
export function jobJson(
	{ body, job_id, state, unread }: Job,
	addressCount: number | undefined,
	asked?: Array<string | Asked>,
): IDataObject {
	const theirs = body as IDataObject;
	const ours = {
		job_id,
		completed: state === 'complete',
		failed: state === 'failed',
		...(unread.length > 0 && { unread }),
		...(addressCount !== undefined && { address_count: theirs.address_count ?? addressCount }),
		...(asked && { addresses: asked }),
	} as IDataObject;
	const hidden = Object.keys(ours).filter((name) => name in theirs && theirs[name] !== ours[name]);
	const service = Object.fromEntries(hidden.map((name) => [name, theirs[name]]));
	return { ...theirs, ...ours, ...(hidden.length > 0 && { service }) };
}
