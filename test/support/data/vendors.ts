import type { IDataObject } from 'n8n-workflow';
import { bitcoin, tron } from './knownAddresses';
import vendorList from './vendors.json';

/** The three addresses of each bulk job in these tests. */
export const submittedAddresses = [
	'0x28C6c06298d514Db089934071355E5743bf21d60',
	bitcoin,
	tron,
] as const;
export const [screenedAddress] = submittedAddresses;

/** The answers of a service that follows the specification, in the style of a known public API. */
export interface Vendor {
	id: string;
	/**
	 * Answers to POST /v1/screen about `screenedAddress`. GET /v1/reports/{id} is answered with
	 * `screen`.
	 */
	screen: unknown;
	screenRed: unknown;
	/** The answer to POST /v1/bulk. */
	handle: { status: number; headers: Record<string, string>; body: unknown };
	/** The job ID in the paths, as text. */
	jobId: string;
	/**
	 * Answers to GET /v1/bulk/{job_id}: first each of `running`, then one of `complete`,
	 * `completeWithError` and `failed`.
	 */
	running: unknown[];
	complete: unknown;
	/** The job is complete, but the third address has no report. */
	completeWithError: unknown;
	failed: unknown;
	error400: unknown;
	error401: unknown;
}

export const vendors = vendorList as unknown as Vendor[];

/**
 * Finds every object in a body, or in JSON text in it, that has the ID and the risk of a report
 * (section 2.1).
 */
export function reportsIn(body: unknown): IDataObject[] {
	if (typeof body === 'string' && body.startsWith('{')) return reportsIn(JSON.parse(body));
	if (typeof body !== 'object' || body === null) return [];
	if ('report_id' in body && 'risk' in body) return [body as IDataObject];
	return Object.values(body).flatMap(reportsIn);
}
