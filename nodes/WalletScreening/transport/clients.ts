import { Client } from '../client/client';
import { LimiterRegistry } from '../client/rateLimiter';
import { unlessAborted } from '../shared/abort';
import { systemClock } from './clock';
import type { Context } from './context';
import { type Connection, createConnection, hashOf, readCredential } from './credential';
import { Sender, type SendSettings } from './send';

/** How the requests of a run are made. The signal ends every wait. */
interface RequestSettings extends SendSettings {
	maxRetries: number;
	/** How often a screening is sent again whose answer was lost. */
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
 * credential was changed: its jobs are theirs. n8n takes 2 ms to read the credential for an item, so
 * one that is the same for all items is read once.
 * @throws {ScreeningError} The function: `invalid_input` for an unusable credential, and `network`
 * if n8n cannot read it
 */
export function createClients(
	context: Context,
	settings: RequestSettings,
): (itemIndex: number) => Promise<Client> {
	const clients = new Map<string, Client>();
	let sameForAll: Client | undefined;
	return async (itemIndex) => {
		if (sameForAll) return sameForAll;
		const credential = await unlessAborted(readCredential(context, itemIndex), [settings.signal]);
		const id = hashOf(credential);
		const known = clients.get(id);
		const client =
			known ?? createClient(context, createConnection(credential, context.getNode()), settings);
		clients.set(id, client);
		if (credential.isSameForAll === true) sameForAll = client;
		return client;
	};
}

function createClient(context: Context, connection: Connection, settings: RequestSettings): Client {
	const { signal, maxRetries, resends, onWait } = settings;
	const { baseUrl, id, rateLimit, serviceNames } = connection;
	const sender = new Sender(context, connection, settings);
	return new Client({
		baseUrl,
		maxRetries,
		resends,
		serviceNames,
		send: async (request) => await sender.send(request),
		queue: limiters.queueFor(id, rateLimit),
		caller: { signal },
		clock: systemClock(signal),
		random: Math.random,
		onRepetition: (line, wait) => {
			context.logger.debug(line);
			onWait?.(wait);
		},
	});
}
