import { createLimiterRegistry } from '../pace/rateLimiter';
import { type Client, createClient } from '../service/client';
import { own, ScreeningError } from '../service/errors';
import type { Context } from './context';
import { type Connection, connectionOf, hashOf, readCredential } from './credential';
import { createSend } from './send';
import { systemClock, unlessAborted } from './time';

const limiterFor = createLimiterRegistry(systemClock());

/** How the requests of a run are made. */
interface Requests {
	maxRetries: number;
	/** How often a screening with a lost answer is sent again. */
	resends: number;
	/** Seconds. */
	requestTimeout: number;
	/** Ends every wait. */
	signal?: AbortSignal | undefined;
}

/** Requests under the key of a connection, and only under that. */
interface Connected {
	connection: Connection;
	client: Client;
}

/**
 * Gives the client of an input item. Items with the same credential have the same client, and all executions of this process
 * that use a key share its rate. n8n takes 2 ms to read the credential for an item, so one that is the same for all items is
 * read once. Throws `invalid_input` for an unusable credential, and `network` if n8n cannot read it.
 */
export function createClients(
	context: Context,
	requests: Requests,
): (itemIndex: number) => Promise<Client> {
	const clients = new Map<string, Client>();
	let ofAll: Client | undefined;

	function connected(connection: Connection): Connected {
		const { signal, maxRetries, resends } = requests;
		const { baseUrl, id, limit, serviceNames } = connection;
		const client = createClient({
			...{ baseUrl, maxRetries, resends, serviceNames },
			send: createSend(context, connection, requests),
			limiter: limiterFor(id, limit),
			queueKey: { signal },
			clock: systemClock(signal),
			random: Math.random,
		});
		return { connection, client };
	}

	/** What somebody has put in the place of the connection, if it is another key of the same service. */
	async function replacement({ baseUrl, id, secrets }: Connection): Promise<Connected | undefined> {
		const latest = connectionOf(await readCredential(context, 0), context.getNode(), secrets);
		return latest.baseUrl === baseUrl && latest.id !== id ? connected(latest) : undefined;
	}

	return async (itemIndex) => {
		if (ofAll) return ofAll;
		const credential = await unlessAborted(readCredential(context, itemIndex), [requests.signal]);
		const id = hashOf(credential);
		const known = clients.get(id);
		if (known) return known;
		const first = connected(connectionOf(credential, context.getNode()));
		if (credential.isSameForAll === true) return (ofAll = renewable(first, replacement));
		clients.set(id, first.client);
		return first.client;
	};
}

/**
 * A client that outlives its key: if the service refuses the key, it goes on under the one that somebody has put into the
 * credential meanwhile. A submit does not, because a refused one may have made a job.
 */
function renewable(
	first: Connected,
	replacement: (refused: Connection) => Promise<Connected | undefined>,
): Client {
	let current = first;

	async function ask<T>(request: (client: Client) => Promise<T>): Promise<T> {
		const used = current;
		const outcome = await request(used.client).catch(own);
		if (!(outcome instanceof ScreeningError)) return outcome;
		if (outcome.errorClass !== 'unauthorized') throw outcome;
		const latest = await replacement(used.connection).catch(() => undefined);
		if (latest && current === used) current = latest;
		if (current === used) throw outcome;
		return await request(current.client);
	}

	return {
		serviceNames: first.connection.serviceNames,
		screen: async (...given) => await ask(async (client) => await client.screen(...given)),
		getReport: async (id) => await ask(async (client) => await client.getReport(id)),
		getPdf: async (id) => await ask(async (client) => await client.getPdf(id)),
		submitBulk: async (addresses) => await current.client.submitBulk(addresses),
		getBulk: async (id) => await ask(async (client) => await client.getBulk(id)),
	};
}
