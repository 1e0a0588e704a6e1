import { setTimeout as sleep } from 'node:timers/promises';
import { reportOn } from '../../../sandbox/reports';
import { createListener, serve } from './server';

/** A request to the service. */
interface Arrived {
	/** Its method and its path. */
	request: string;
	/** The API key; `undefined` if the request had none. */
	key: string | undefined;
	addresses: string[];
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
	arrived: Arrived[];
	/**
	 * Returns an answer in place of the service's own one. The service answers if it returns
	 * `undefined`.
	 */
	answer: ((arrived: Arrived) => TenantAnswer | undefined) | undefined;
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

/** The service takes this long, so that requests of several tenants are in progress at once. */
const msToAnswer = 20;

export async function startTenantService(): Promise<TenantService> {
	const jobs: string[][] = [];

	function answerTo({ request, key = '', addresses }: Arrived): TenantAnswer {
		const tenant = tenantOf(key);
		if (request === 'POST /v1/screen')
			return { status: 200, body: reportOf(tenant, addresses[0]!) };
		if (request === 'POST /v1/bulk') {
			const job_id = `job-${tenant}-${jobs.push(addresses) - 1}`;
			return { status: 202, body: { job_id, status: 'queued' } };
		}
		const [, job_id, owner, number] = /\/bulk\/(job-(\w+)-(\d+))$/.exec(request) ?? [];
		if (owner === tenant) {
			if (!service.isReady) return { status: 200, body: { job_id, status: 'running' } };
			const results = jobs[Number(number)]!.map((address) => reportOf(tenant, address));
			return { status: 200, body: { job_id, status: 'complete', results } };
		}
		const [, reader, address] = /\/reports\/rep-(\w+)-(\w+)$/.exec(request) ?? [];
		if (reader === tenant) return { status: 200, body: reportOf(tenant, address!) };
		return { status: 404, body: { error: 'not found' } };
	}

	const listener = createListener(
		async ({ method, url, headers: { authorization } }, answer, text) => {
			const { address, addresses = [] } = JSON.parse(text || '{}');
			const [, key] = /^Bearer (.+)$/.exec(authorization ?? '') ?? [];
			const all: string[] = address === undefined ? addresses : [address];
			const arrived: Arrived = { request: `${method} ${url}`, key, addresses: all };
			service.arrived.push(arrived);
			await sleep(msToAnswer);
			const { status, body, headers } =
				service.answer?.(arrived) ?? (key ? answerTo(arrived) : { status: 401 });
			answer(status, body ?? {}, headers);
		},
	);
	const { url, close } = await serve(listener);
	const service: TenantService = {
		baseUrl: url,
		close,
		arrived: [],
		answer: undefined,
		isReady: true,
	};
	return service;
}
