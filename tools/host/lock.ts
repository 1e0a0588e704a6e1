import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';
import { reportProgress } from './progress';
import { until } from './until';

/**
 * Milliseconds that a process may hold the lock: the slowest download of n8n, or a build of the
 * package.
 */
const timeoutMs = 60 * 60_000;

/** The port that is the lock of a name: one below those that operating systems choose for outgoing connections. */
export function lockPort(name: string): number {
	return 20_000 + (createHash('sha256').update(name).digest().readUInt32BE() % 10_000);
}

/**
 * Runs `work` while no other process on this machine runs work under the same name. The lock is a
 * port of the loopback interface, which the system frees however its holder ends. Two names may
 * share a port and then wait for each other, so locks do not nest.
 *
 * @throws when the lock is not free within an hour
 */
export async function withLock<T>(name: string, work: () => Promise<T>): Promise<T> {
	const port = lockPort(name);
	const take = async () => {
		// A connection that stays open would keep the server from closing.
		const server = createServer((socket) => socket.destroy());
		server.listen({ port, host: '127.0.0.1', exclusive: true });
		try {
			await once(server, 'listening');
			return server;
		} catch (error) {
			if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined;
			throw error;
		}
	};
	const wait = () => until(`port ${port} to be free`, take, { timeoutMs, pauseMs: 250 });
	const lock =
		(await take()) ??
		(await reportProgress(`Waiting for another process, which holds port ${port}`, wait));
	try {
		return await work();
	} finally {
		lock.close();
		await once(lock, 'close');
	}
}
