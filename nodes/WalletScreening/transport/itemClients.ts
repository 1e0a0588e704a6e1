import { Client } from '../client/client';
import { answerError } from '../client/statusErrors';
import { LimiterRegistry } from '../client/rate/rateLimiter';
import { systemClock } from './clock';
import { type Connection, createConnection, hashOf } from './connection';
import type { Context } from './context';
import { createCredentialReader } from './credentialReader';
import { Sender, type SendSettings } from './send';

/** How the requests of a run are made. The signal ends every wait. */
interface RequestSettings extends SendSettings {
	maxRetries: number;
	/** How often a screening whose answer was lost is sent again. */
	resends: number;
	/** Takes the milliseconds that a request waits before it is sent again. */
	onWait?: (wait: number) => void;
}

/** The limiters of this process, which all its executions share. */
const limiters = new LimiterRegistry(systemClock());

/**
 * Makes a function that gives the client of an input item. Items with the same credential have the
 * same client. All executions of this process that use a key share its rate, if their credentials
 * state the same plan for it. A run stays with the keys that it began with, also after the
 * credential was changed: its jobs are theirs.
 * @throws {ScreeningError} The function: `invalid_input` for an unusable credential, and `network`
 * if n8n cannot read it
 */
export function createItemClients(
	context: Context,
	settings: RequestSettings,
): (itemIndex: number) => Promise<Client> {
	const credentialOf = createCredentialReader(context, settings.signal);
	/** By the hashes of their credentials. */
	const clients = new Map<string, Client>();
	return async (itemIndex) => {
		const credential = await credentialOf(itemIndex);
		const hash = hashOf(credential);
		const known = clients.get(hash);
		if (known) return known;
		const connection = createConnection(credential, context.getNode());
		const client = createClient(context, connection, settings);
		clients.set(hash, client);
		return client;
	};
}

/**
 * Makes a client. After a 401 it sends nothing else: the same key would be rejected each time, so the
 * other requests, also those in the queue, fail with the same error.
 */
function createClient(context: Context, connection: Connection, settings: RequestSettings): Client {
	const { signal, maxRetries, resends, onWait } = settings;
	const { baseUrl, id, rateLimit, serviceNames } = connection;
	const sender = new Sender(context, connection, settings);
	const keyRejected = new AbortController();
	return new Client({
		baseUrl,
		maxRetries,
		resends,
		serviceNames,
		send: async (request) => {
			const answer = await sender.send(request);
			if (answer.status === 401) keyRejected.abort(answerError(answer));
			return answer;
		},
		queue: limiters.queueFor(id, rateLimit),
		caller: { signal: AbortSignal.any([keyRejected.signal, ...(signal ? [signal] : [])]) },
		clock: systemClock(signal),
		random: Math.random,
		onRepetition: (line, wait) => {
			context.logger.debug(line);
			onWait?.(wait);
		},
	});
}
