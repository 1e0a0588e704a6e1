import type { IDataObject } from 'n8n-workflow';
import type { Job } from '../../service/shapes';

/**
 * A bulk job as an item: the service's body, and what can be said of it in any case. If the service has something else
 * under one of these names, that is under `service`.
 */
export function jobJson(
	{ body, job_id, state }: Job,
	addressCount: number | undefined,
): IDataObject {
	const theirs = body as IDataObject;
	const ours: IDataObject = {
		job_id,
		completed: state === 'complete',
		failed: state === 'failed',
		...(addressCount !== undefined && { address_count: theirs.address_count ?? addressCount }),
	};
	const hidden = Object.keys(ours).filter((name) => name in theirs && theirs[name] !== ours[name]);
	const service = Object.fromEntries(hidden.map((name) => [name, theirs[name]]));
	return { ...theirs, ...ours, ...(hidden.length > 0 && { service }) };
}
