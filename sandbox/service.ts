import type { JobSnapshot, Jobs } from './bulk';
import { webPage } from './page';
import { pdfOf } from './pdf';
import type { Report, Reports } from './reports';
import { problemWith } from './requestBody';

export type KeyName = 'readWrite' | 'readOnly';

export interface ServiceRequest {
	method: string;
	/** Path without query. */
	path: string;
	/** Parsed JSON; `undefined` where the body is not JSON or not declared as such. */
	body: unknown;
	/** The key that the request carries; `null` when it carries none that is valid. */
	key: KeyName | null;
}

export interface Answer {
	status: number;
	headers: Record<string, string>;
	body: string | Buffer;
	/** The job that the request created. */
	job_id?: string;
}

export interface ServiceParts {
	reports: Reports;
	jobs: Jobs;
	/** Takes one request from the key's limit; gives the seconds to wait where it is exceeded, else 0. */
	takeTurn: (key: KeyName) => number;
	jobBody: (job: JobSnapshot) => unknown;
}

const errorCodes = {
	400: 'bad_request',
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	429: 'rate_limited',
	500: 'server_error',
} as const;

function json(status: number, body: unknown): Answer {
	return {
		status,
		headers: { 'content-type': 'application/json; charset=utf-8' },
		body: JSON.stringify(body),
	};
}

/** An error answer (section 7); its body is the sandbox's own. */
export function refusal(status: keyof typeof errorCodes, message: string): Answer {
	return json(status, { error: { code: errorCodes[status], message } });
}

function html(report: Report): Answer {
	return {
		status: 200,
		headers: { 'content-type': 'text/html; charset=utf-8' },
		body: webPage(report),
	};
}

async function pdf(report: Report): Promise<Answer> {
	return {
		status: 200,
		headers: {
			'content-type': 'application/pdf',
			'content-disposition': `attachment; filename="${report.report_id}.pdf"`,
		},
		body: await pdfOf(report),
	};
}

type Handler = (id: string, body: unknown) => Answer | Promise<Answer>;

/** The endpoints of section 4, and the web page that `report_url` leads to, which needs no key. */
export function createService({ reports, jobs, takeTurn, jobBody }: ServiceParts) {
	const withReport =
		(answer: (report: Report) => Answer | Promise<Answer>): Handler =>
		(id) => {
			const report = reports.find(id);
			return report ? answer(report) : refusal(404, `There is no report ${id}`);
		};

	const screen: Handler = (_id, body) => {
		const problem = problemWith('ScreenRequest', body);
		if (problem) return refusal(400, problem);
		const { address, chain } = body as { address: string; chain?: string };
		return json(200, reports.create(address, chain));
	};

	const submitJob: Handler = (_id, body) => {
		const problem = problemWith('BulkRequest', body);
		if (problem) return refusal(400, problem);
		const job = jobs.submit((body as { addresses: string[] }).addresses);
		return { ...json(202, jobBody(job)), job_id: job.job_id };
	};

	const getJob: Handler = (id) => {
		const job = jobs.find(id);
		return job ? json(200, jobBody(job)) : refusal(404, `There is no job ${id}`);
	};

	const webView = { method: 'GET', path: /^\/reports\/([^/]+)$/, handle: withReport(html) };
	const endpoints = [
		{ method: 'POST', path: /^\/v1\/screen$/, handle: screen },
		{
			method: 'GET',
			path: /^\/v1\/reports\/([^/]+)$/,
			handle: withReport((report) => json(200, report)),
		},
		{ method: 'GET', path: /^\/v1\/reports\/([^/]+)\/pdf$/, handle: withReport(pdf) },
		{ method: 'POST', path: /^\/v1\/bulk$/, handle: submitJob },
		{ method: 'GET', path: /^\/v1\/bulk\/([^/]+)$/, handle: getJob },
	];

	return async ({ method, path, body, key }: ServiceRequest): Promise<Answer> => {
		const serves = (route: { method: string; path: RegExp }) =>
			route.method === method && route.path.test(path);
		const run = (route: { path: RegExp; handle: Handler }) =>
			route.handle(route.path.exec(path)?.[1] ?? '', body);

		if (serves(webView)) return run(webView);
		if (!key) return refusal(401, 'The API key is missing or not valid');
		const wait = takeTurn(key);
		if (wait > 0) {
			const { headers, ...answer } = refusal(429, 'The rate limit of the API key is exceeded');
			return { ...answer, headers: { ...headers, 'retry-after': String(wait) } };
		}
		const endpoint = endpoints.find(serves);
		if (!endpoint) return refusal(404, `There is no ${method} ${path}`);
		if (method === 'POST' && key === 'readOnly') return refusal(403, 'The API key is read-only');
		return run(endpoint);
	};
}
