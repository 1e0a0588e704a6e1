import {
	type Client,
	type ClientOptions,
	createClient,
	type Request,
} from '../../../nodes/WalletScreening/client/client';
import type { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import type { Limit } from '../../../nodes/WalletScreening/client/pace';
import { createRateLimiter } from '../../../nodes/WalletScreening/client/rateLimiter';
import { createVirtualClock } from './virtualClock';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';

export const BASE_URL = 'https://api.example.com';

/** A request as the service sees it, in milliseconds since the first one could come. */
export interface Seen extends Request {
	at: number;
}

type Reply = Answer | ScreeningError;

type ServiceClientOptions = Partial<ClientOptions> & { signal?: AbortSignal };

/** A service in virtual time, with the clients of one process and one key. */
export function createService(
	reply: (request: Seen, number: number) => Reply | Promise<Reply>,
	{ limit = null as Limit, clock = createVirtualClock() } = {},
) {
	const began = clock.now();
	const seen: Seen[] = [];
	const limiter = createRateLimiter(limit, clock);
	return {
		clock,
		limiter,
		seen,
		/** The client of one execution. */
		client({ signal, ...options }: ServiceClientOptions = {}): Client {
			return createClient({
				baseUrl: BASE_URL,
				send: async (request) => {
					const arrived = { ...request, at: clock.now() - began };
					seen.push(arrived);
					return await reply(arrived, seen.length - 1);
				},
				limiter,
				queueKey: { signal },
				clock: signal ? clock.stoppedBy(signal) : clock,
				random: () => 0.5,
				maxRetries: 5,
				resends: 1,
				...options,
			});
		},
	};
}

/** A service that always gives this reply; requests to it end in virtual time. */
export function serviceOf(reply: Reply, options: ServiceClientOptions = {}) {
	const service = createService(() => reply);
	const client = service.client({ maxRetries: 0, ...options });
	const soon = Object.entries(client).map(([name, method]) => {
		const call = method as (...given: unknown[]) => Promise<unknown>;
		return [name, async (...given: unknown[]) => await service.clock.run(call(...given))];
	});
	return { ...(Object.fromEntries(soon) as Client), seen: service.seen };
}
