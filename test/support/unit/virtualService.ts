import {
	Client,
	type ClientOptions,
	type ServiceRequest,
} from '../../../nodes/WalletScreening/client/client';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import type { RateLimit } from '../../../nodes/WalletScreening/client/pace';
import { RateLimiter } from '../../../nodes/WalletScreening/client/rateLimiter';
import { createVirtualClock } from './virtualClock';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';

export const BASE_URL = 'https://api.example.com';

/** A request that reached the service. */
export interface Seen extends ServiceRequest {
	/** Milliseconds since the service was created. */
	at: number;
}

type Reply = Answer | ScreeningError;

type ServiceClientOptions = Partial<ClientOptions> & { signal?: AbortSignal };

/** Creates a service in virtual time. Its clients share a process and a key. */
export function createService(
	reply: (request: Seen, number: number) => Reply | Promise<Reply>,
	{ limit = null as RateLimit | null, clock = createVirtualClock() } = {},
) {
	const began = clock.now();
	const seen: Seen[] = [];
	const queue = new RateLimiter(limit, clock);
	return {
		clock,
		queue,
		seen,
		/** Returns a client for one execution. */
		client({ signal, ...options }: ServiceClientOptions = {}): Client {
			return new Client({
				baseUrl: BASE_URL,
				send: async (request) => {
					const arrived = { ...request, at: clock.now() - began };
					seen.push(arrived);
					const answer = await reply(arrived, seen.length - 1);
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
		getBulk: async (...given: Parameters<Client['getBulk']>) =>
			await clock.run(client.getBulk(...given)),
		seen: service.seen,
	};
}
