import type { IDataObject } from 'n8n-workflow';
import { reportsIn, type Vendor, vendors } from '../data/vendors';
import { createListener, type Respond, serve } from './server';

type End = 'complete' | 'completeWithError' | 'failed';

/** The level of a screening, or how a job ends: after its `running` answers, or at once. */
export type Course = 'green' | 'red' | End | `${End} at once`;

/**
 * How many requests about a job that has run are answered after its end. Then the key is refused. If
 * the node never finds that the job has ended, this ends the test sooner than a time-out.
 */
const maxAnswersAfterEnd = 6;

/** One server for all vendors, which answers in their words: the sandbox has only two dialects. */
export interface VendorService {
	/** Returns the base address that selects a vendor and the course of its screenings and jobs. */
	baseUrl(vendor: Vendor, course: Course): string;
	close(): Promise<void>;
}

/** A request to the service, taken apart. */
interface VendorRequest {
	vendor: Vendor;
	/** It selects how jobs of this vendor go. Each course has its own job. */
	course: string;
	/** The method, and the first part of the path below `/v1`, e.g. `POST screen`. */
	endpoint: string;
	/** The ID of the report or job; empty if the path has none. */
	id: string;
	isForPdf: boolean;
	body: IDataObject;
}

/** The jobs of all vendors, each of which is in progress until it was asked for often enough. */
class VendorJobs {
	/** The number of requests about each job since it was submitted, by vendor and course. */
	private readonly lookCounts: Record<string, number> = {};

	submit({ vendor, course }: VendorRequest): void {
		this.lookCounts[`${vendor.id}/${course}`] = 0;
	}

	/** Returns the answer to the next request about a job; `undefined` after the last one. */
	nextAnswer({ vendor, course }: VendorRequest): unknown {
		const end = course.replace(' at once', '') as End;
		const endsAtOnce = end !== course;
		if (endsAtOnce) return vendor[end];
		const job = `${vendor.id}/${course}`;
		const lookCount = this.lookCounts[job] ?? 0;
		this.lookCounts[job] = lookCount + 1;
		if (lookCount > vendor.running.length + maxAnswersAfterEnd) return undefined;
		return vendor.running[lookCount] ?? vendor[end];
	}
}

export async function startVendorService(apiKey: string): Promise<VendorService> {
	const jobs = new VendorJobs();
	const listener = createListener(({ method = '', url = '', headers }, answer, text) => {
		const request = parseRequest(method, url, text);
		if (headers.authorization !== `Bearer ${apiKey}`) return answer(401, request.vendor.error401);
		answerTo(request, jobs, answer);
	});
	const { url, close } = await serve(listener);
	return {
		baseUrl: (vendor, course) => `${url}/${vendor.id}/${encodeURIComponent(course)}`,
		close,
	};
}

/** Reads a request. Its path is `/VENDOR/COURSE/v1/RESOURCE`, with `/ID` or `/ID/pdf` behind it. */
function parseRequest(method: string, url: string, text: string): VendorRequest {
	const [, vendorId, course = '', , resource, id = '', pdf] = url
		.split('/')
		.map(decodeURIComponent);
	return {
		vendor: vendors.find((candidate) => candidate.id === vendorId)!,
		course,
		endpoint: `${method} ${resource}`,
		id,
		isForPdf: pdf !== undefined,
		body: (text ? JSON.parse(text) : {}) as IDataObject,
	};
}

/** Answers a request whose key is right. */
function answerTo(request: VendorRequest, jobs: VendorJobs, answer: Respond): void {
	const { vendor, course, endpoint, id, isForPdf, body } = request;
	switch (endpoint) {
		case 'POST screen':
			if (typeof body.address !== 'string') return answer(400, vendor.error400);
			return answer(200, course === 'red' ? vendor.screenRed : vendor.screen);
		case 'GET reports':
			if (id !== reportsIn(vendor.screen)[0]!['report_id']) return answer(404, {});
			if (!isForPdf) return answer(200, vendor.screen);
			return answer(200, '%PDF-1.7\n%%EOF', { 'content-type': 'application/pdf' });
		case 'POST bulk':
			if (!Array.isArray(body.addresses)) return answer(400, vendor.error400);
			jobs.submit(request);
			return answer(vendor.handle.status, vendor.handle.body, vendor.handle.headers);
		case 'GET bulk': {
			if (id !== vendor.jobId) return answer(404, {});
			const job = jobs.nextAnswer(request);
			return job ? answer(200, job) : answer(401, vendor.error401);
		}
		default:
			return answer(404, {});
	}
}
