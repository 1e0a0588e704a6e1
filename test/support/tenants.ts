import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';

/** A request as it arrived. */
export interface Arrived {
	request: string;
	/** `undefined` if it carried none. */
	key: string | undefined;
	addresses: string[];
}

/** A service for many keys, each of which sees only its own reports and jobs. */
export interface TenantService {
	baseUrl: string;
	arrived: Arrived[];
	/** Keys that it refuses with 401; all others are good. */
	revoked: Set<string>;
	/** Answers in the place of the service, if it gives one. */
	answer:
		| ((
				arrived: Arrived,
		  ) => { status: number; headers?: Record<string, string>; body?: unknown } | undefined)
		| undefined;
	/** Whether jobs are complete. */
	isReady: boolean;
	close(): Promise<void>;
}

/** The name of the tenant of a key `key-of-NAME…` */
const tenantOf = (key: string) => /key-of-(\w+)/.exec(key)?.[1] ?? 'nobody';

const reportOf = (tenant: string, address: string) => ({
	report_id: `rep-${tenant}-${address}`,
	address,
	chain: 'ETH',
	risk: {
		level: 'green',
		score: 0.1,
		categories: { sanctions: 0, darknet: 0, mixer: 0, scam: 0, stolen: 0, clean_exchange: 1 },
	},
	balance: '1 ETH',
	tx_count: 1,
	report_url: `https://app.example.com/reports/rep-${tenant}-${address}`,
});

export async function startTenantService(): Promise<TenantService> {
	const jobs: string[][] = [];

	function answerTo(method: string, path: string, tenant: string, body: any): [number, unknown] {
		if (path === '/v1/screen') return [200, reportOf(tenant, body.address as string)];
		if (method === 'POST') {
			const id = `job-${tenant}-${jobs.push(body.addresses as string[]) - 1}`;
			return [202, { job_id: id, status: 'queued' }];
		}
		const [, owner, number] = /^\/v1\/bulk\/job-(\w+)-(\d+)$/.exec(path) ?? [];
		if (owner === tenant) {
			if (!service.isReady) return [200, { job_id: `job-${owner}-${number}`, status: 'running' }];
			const results = jobs[Number(number)]!.map((address) => reportOf(tenant, address));
			return [200, { job_id: `job-${owner}-${number}`, status: 'complete', results }];
		}
		const [, reader, address] = /^\/v1\/reports\/rep-(\w+)-(\w+)$/.exec(path) ?? [];
		return reader === tenant ? [200, reportOf(tenant, address!)] : [404, { error: 'not found' }];
	}

	async function reply(request: IncomingMessage) {
		const { method = '', url = '', headers } = request;
		const sent = await text(request);
		const body =
			sent === '' ? {} : (JSON.parse(sent) as { address?: string; addresses?: string[] });
		const [, key] = /^Bearer (.+)$/.exec(headers.authorization ?? '') ?? [];
		const arrived = {
			request: `${method} ${url}`,
			key,
			addresses: body.addresses ?? (body.address === undefined ? [] : [body.address]),
		};
		service.arrived.push(arrived);
		// So that requests of several tenants are in progress at once.
		await pause(20);
		const given = service.answer?.(arrived);
		if (given) return { headers: {}, body: '', ...given };
		if (key === undefined || service.revoked.has(key))
			return { status: 401, headers: {}, body: {} };
		const [status, content] = answerTo(method, url, tenantOf(key), body);
		return { status, headers: {}, body: content };
	}

	const server = createServer((request, response) => {
		void reply(request).then(({ status, headers, body }) => {
			response.writeHead(status, { 'content-type': 'application/json', ...headers });
			response.end(typeof body === 'string' ? body : JSON.stringify(body));
		});
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	const service: TenantService = {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		arrived: [],
		revoked: new Set(),
		answer: undefined,
		isReady: true,
		async close() {
			server.closeAllConnections();
			await new Promise((resolve) => server.close(resolve));
		},
	};
	return service;
}
