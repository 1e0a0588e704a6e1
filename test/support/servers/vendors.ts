import type { IDataObject } from 'n8n-workflow';
import { bitcoin, tron } from '../data/known';
import { createListener, serve } from './server';
import vendorList from '../data/vendors.json';

/** The three addresses of each bulk job in these tests. */
export const submitted = ['0x28C6c06298d514Db089934071355E5743bf21d60', bitcoin, tron] as const;
export const [screened] = submitted;

/** The answers of a service that follows the specification, in the style of a known public API. */
export interface Vendor {
	id: string;
	/**
	 * Answers to POST /v1/screen about the first address. GET /v1/reports/{id} is answered with
	 * `screen`.
	 */
	screen: unknown;
	screenRed: unknown;
	/** The answer to POST /v1/bulk. */
	handle: { status: number; headers: Record<string, string>; body: unknown };
	/** The job ID in the paths, as text. */
	jobId: string;
	/**
	 * Answers to GET /v1/bulk/{job_id}: first each of `running`, then one of the three that follow.
	 */
	running: unknown[];
	complete: unknown;
	/** The job is complete, but the third address has no report. */
	completeWithError: unknown;
	failed: unknown;
	error400: unknown;
	error401: unknown;
}

type End = 'complete' | 'completeWithError' | 'failed';

/** The level of a screening, or how a job ends: after its `running` answers, or at once. */
export type Course = 'green' | 'red' | End | `${End} at once`;

/**
 * How many requests about a job that has run are answered after its end. Then the key is refused. If
 * the node never finds that the job has ended, this ends the test sooner than a time-out.
 */
const answersAfterEnd = 6;

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

/** One server for all vendors, which answers in their words: the sandbox has only two dialects. */
export interface VendorService {
	/** The base address that selects a vendor and the course of its screenings and jobs. */
	baseUrl(vendor: Vendor, course: Course): string;
	close(): Promise<void>;
}

export async function serveVendors(apiKey: string): Promise<VendorService> {
	/** The number of requests about a job that runs first, by vendor and course. */
	const looks: Record<string, number> = {};

	/** The answer about a job; `undefined` after the last one. */
	function answerAboutJob(vendor: Vendor, course: string): unknown {
		const end = course.replace(' at once', '') as End;
		const isAtOnce = end !== course;
		if (isAtOnce) return vendor[end];
		const path = `${vendor.id}/${course}`;
		const looksSoFar = looks[path] ?? 0;
		looks[path] = looksSoFar + 1;
		if (looksSoFar > vendor.running.length + answersAfterEnd) return undefined;
		return vendor.running[looksSoFar] ?? vendor[end];
	}

	const { url, close } = await serve(
		createListener(({ method, url, headers }, answer, text) => {
			const [, vendorId, course = '', , resource, id = '', pdf] = url!
				.split('/')
				.map(decodeURIComponent);
			const vendor = vendors.find((candidate) => candidate.id === vendorId)!;
			const { address, addresses } = (text ? JSON.parse(text) : {}) as IDataObject;
			if (headers.authorization !== `Bearer ${apiKey}`) return answer(401, vendor.error401);
			switch (`${method} ${resource}`) {
				case 'POST screen':
					if (typeof address !== 'string') return answer(400, vendor.error400);
					return answer(200, course === 'red' ? vendor.screenRed : vendor.screen);
				case 'GET reports':
					if (id !== reportsIn(vendor.screen)[0]!['report_id']) return answer(404, {});
					if (pdf === undefined) return answer(200, vendor.screen);
					return answer(200, '%PDF-1.7\n%%EOF', { 'content-type': 'application/pdf' });
				case 'POST bulk':
					if (!Array.isArray(addresses)) return answer(400, vendor.error400);
					looks[`${vendorId}/${course}`] = 0;
					return answer(vendor.handle.status, vendor.handle.body, vendor.handle.headers);
				case 'GET bulk': {
					if (id !== vendor.jobId) return answer(404, {});
					const job = answerAboutJob(vendor, course);
					return job ? answer(200, job) : answer(401, vendor.error401);
				}
				default:
					return answer(404, {});
			}
		}),
	);
	return {
		baseUrl: (vendor, course) => `${url}/${vendor.id}/${encodeURIComponent(course)}`,
		close,
	};
}
