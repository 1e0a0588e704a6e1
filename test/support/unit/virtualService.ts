import {
	Client,
	type ClientOptions,
	type ServiceRequest,
} from '../../../nodes/WalletScreening/client/client';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import type { RateLimit } from '../../../nodes/WalletScreening/client/rate/pace';
import { RateLimiter } from '../../../nodes/WalletScreening/client/rate/rateLimiter';
import { createVirtualClock } from './virtualClock';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';

export const BASE_URL = 'https://api.example.com';

/** A request that reached the service. */
export interface ArrivedRequest extends ServiceRequest {
	/** Milliseconds since the service was created. */
	at: number;
}

/** What the service does with a request: it answers, or the request fails. */
type Reply = Answer | ScreeningError;

type ServiceClientOptions = Partial<ClientOptions> & { signal?: AbortSignal };

/**
 * Creates a service in virtual time. Its clients share a process and a key.
 *
 * @param reply is called with each request and its number, from 0
 */
export function createService(
	reply: (request: ArrivedRequest, number: number) => Reply | Promise<Reply>,
	{ limit = null as RateLimit | null, clock = createVirtualClock() } = {},
) {
	const createdAt = clock.now();
	const requests: ArrivedRequest[] = [];
	const queue = new RateLimiter(limit, clock);
	return {
		clock,
		queue,
		requests,
		/** Returns a client for one execution. */
		client({ signal, ...options }: ServiceClientOptions = {}): Client {
			return new Client({
				baseUrl: BASE_URL,
				send: async (request) => {
					const arrived = { ...request, at: clock.now() - createdAt };
					requests.push(arrived);
					const answer = await reply(arrived, requests.length - 1);
					if (answer instanceof ScreeningError) throw answer;
					return answer;
				},
				queue,
				caller: { signal },
				clock: signal ? clock.stoppedBy(signal) : clock,
				random: () => 0.5,
				maxRetries: 5,
				resends: 1,
				...options,
			});
		},
	};
}

/**
 * Creates a service that always gives this reply. The returned functions send a request to it, and
 * settle in virtual time.
 */
export function serviceOf(reply: Reply, options: ServiceClientOptions = {}) {
	const service = createService(() => reply);
	const client = service.client({ maxRetries: 0, ...options });
	const { clock } = service;
	return {
		screen: async (address: string, chain?: string) =>
			await clock.run(client.screen(address, chain)),
		getReport: async (id: string) => await clock.run(client.getReport(id)),
		getPdf: async (id: string) => await clock.run(client.getPdf(id)),
		submitBulk: async (addresses: string[]) => await clock.run(client.submitBulk(addresses)),
		getBulk: async (...values: Parameters<Client['getBulk']>) =>
			await clock.run(client.getBulk(...values)),
		requests: service.requests,
	};
}
