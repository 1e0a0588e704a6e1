import { setTimeout as sleep } from 'node:timers/promises';
import { reportOn } from '../../../sandbox/reports';
import { createListener, serve } from './server';

/** A request to the service. */
interface TenantRequest {
	/** Its method and its path, e.g. `POST /v1/screen`. */
	endpoint: string;
	/** The API key; `undefined` if the request had none. */
	key: string | undefined;
	addresses: string[];
}

/** The body of a request: one address to screen, or those of a bulk job. */
interface TenantBody {
	address?: string;
	addresses?: string[];
}

interface TenantAnswer {
	status: number;
	headers?: Record<string, string>;
	body?: unknown;
}

/**
 * A service with many tenants: the key of a tenant opens only its own reports and jobs. The sandbox
 * has no tenants.
 */
export interface TenantService {
	readonly baseUrl: string;
	/** The requests in order. */
	requests: TenantRequest[];
	/** Replaces the service's own answer to a request, unless it returns `undefined`. */
	answer: ((request: TenantRequest) => TenantAnswer | undefined) | undefined;
	/** Whether bulk jobs are complete. */
	isReady: boolean;
	close(): Promise<void>;
}

/** Returns the tenant NAME of a key `key-of-NAME…`. */
const tenantOf = (key: string) => /key-of-(\w+)/.exec(key)?.[1] ?? 'nobody';

const reportOf = (tenant: string, address: string) => ({
	...reportOn(address, 'ETH', 'https://app.example.com'),
	report_id: `rep-${tenant}-${address}`,
});

/** How long each answer takes, so that requests of several tenants are in progress at once. */
const latencyMs = 20;

export async function startTenantService(): Promise<TenantService> {
	const jobs: string[][] = [];

	function answerTo({ endpoint, key = '', addresses }: TenantRequest): TenantAnswer {
		const tenant = tenantOf(key);
		if (endpoint === 'POST /v1/screen')
			return { status: 200, body: reportOf(tenant, addresses[0]!) };
		if (endpoint === 'POST /v1/bulk') {
			const job_id = `job-${tenant}-${jobs.push(addresses) - 1}`;
			return { status: 202, body: { job_id, status: 'queued' } };
		}
		const [, job_id, owner, number] = /\/bulk\/(job-(\w+)-(\d+))$/.exec(endpoint) ?? [];
		if (owner === tenant) {
			if (!service.isReady) return { status: 200, body: { job_id, status: 'running' } };
			const results = jobs[Number(number)]!.map((address) => reportOf(tenant, address));
			return { status: 200, body: { job_id, status: 'complete', results } };
		}
		const [, reader, address] = /\/reports\/rep-(\w+)-(\w+)$/.exec(endpoint) ?? [];
		if (reader === tenant) return { status: 200, body: reportOf(tenant, address!) };
		return { status: 404, body: { error: 'not found' } };
	}

	const listener = createListener(
		async ({ method, url, headers: { authorization } }, answer, text) => {
			const { address, addresses = [] } = JSON.parse(text || '{}') as TenantBody;
			const [, key] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
			const request: TenantRequest = {
				endpoint: `${method} ${url}`,
				key,
				addresses: address === undefined ? addresses : [address],
			};
			service.requests.push(request);
			await sleep(latencyMs);
			const { status, body, headers } =
				service.answer?.(request) ?? (key ? answerTo(request) : { status: 401 });
			answer(status, body ?? {}, headers);
		},
	);
	const { url, close } = await serve(listener);
	const service: TenantService = {
		baseUrl: url,
		close,
		requests: [],
		answer: undefined,
		isReady: true,
	};
	return service;
}
