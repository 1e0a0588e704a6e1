import { Client } from '../client/client';
import { LimiterRegistry } from '../client/rateLimiter';
import type { Context } from './context';
import { type Connection, connectionOf, hashOf, readCredential } from './credential';
import { Sender, type SendSettings } from './send';
import { systemClock, unlessAborted } from './time';

const limiters = new LimiterRegistry(systemClock());

/** How the requests of a run are made. The signal ends every wait. */
interface RequestSettings extends SendSettings {
	maxRetries: number;
	/** How often a screening is sent again whose answer was lost. */
	resends: number;
	/** Takes the milliseconds that a request waits before it is sent again. */
	onWait?: (wait: number) => void;
}

/**
 * Gives the client of an input item. Items with the same credential have the same client, and all executions of this process
 * that use a key share its rate. A run stays with the keys that it began with, whatever becomes of the credential: its jobs are
 * theirs. n8n takes 2 ms to read the credential for an item, so one that is the same for all items is read once. Throws
 * `invalid_input` for an unusable credential, and `network` if n8n cannot read it.
 */
export function createClients(
	context: Context,
	requests: RequestSettings,
): (itemIndex: number) => Promise<Client> {
	const clients = new Map<string, Client>();
	let ofAll: Client | undefined;

	function clientOf(connection: Connection): Client {
		const { signal, maxRetries, resends } = requests;
		const { baseUrl, id, limit, serviceNames } = connection;
		const sender = new Sender(context, connection, requests);
		return new Client({
			baseUrl,
			maxRetries,
			resends,
			serviceNames,
			send: async (request) => await sender.send(request),
			queue: limiters.queueFor(id, limit),
			queueKey: { signal },
			clock: systemClock(signal),
			random: Math.random,
			onRepetition: (line, wait) => {
				context.logger.debug(line);
				requests.onWait?.(wait);
			},
		});
	}

	return async (itemIndex) => {
		if (ofAll) return ofAll;
		const credential = await unlessAborted(readCredential(context, itemIndex), [requests.signal]);
		const id = hashOf(credential);
		const client = clients.get(id) ?? clientOf(connectionOf(credential, context.getNode()));
		clients.set(id, client);
		if (credential.isSameForAll === true) ofAll = client;
		return client;
	};
}
