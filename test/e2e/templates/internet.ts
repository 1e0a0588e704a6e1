import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import {
	createServer as createHttpServer,
	type IncomingMessage,
	type RequestListener,
} from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { openssl as part, required } from '../../../tools/host/parts';

/** What n8n meets beyond this machine. */
export interface Internet {
	/** Variables with which n8n meets the sites where it asks for their hosts, and nobody else's but loopback. */
	environment: Record<string, string>;
	/** Other machines that n8n asked for, as `host:port`; it reached none of them. */
	otherHosts: Set<string>;
	close(): Promise<void>;
}

interface Certificate {
	key: Buffer;
	cert: Buffer;
}

/** A certificate for the hosts, and in `authority` the file of the one who signed it. */
async function certify(
	folder: string,
	hosts: string[],
): Promise<Certificate & { authority: string }> {
	const file = (name: string) => join(folder, name);
	const program = required(part);
	const openssl = async (...args: string[]) => await promisify(execFile)(program, args);
	const newKey = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'];
	await writeFile(file('names'), `subjectAltName=${hosts.map((host) => `DNS:${host}`).join(',')}`);
	await openssl(
		...['req', '-x509', ...newKey, '-subj', '/CN=Test Authority', '-days', '2'],
		...['-keyout', file('ca.key'), '-out', file('ca.pem')],
	);
	await openssl(
		...['req', ...newKey, '-subj', '/CN=Test Sites'],
		...['-keyout', file('key'), '-out', file('request')],
	);
	await openssl(
		...['x509', '-req', '-in', file('request'), '-CA', file('ca.pem'), '-CAkey', file('ca.key')],
		...['-CAcreateserial', '-days', '2', '-extfile', file('names'), '-out', file('cert')],
	);
	return {
		key: await readFile(file('key')),
		cert: await readFile(file('cert')),
		authority: file('ca.pem'),
	};
}

/** Starts stand-ins for sites, by their hosts, behind a proxy, so that n8n's own nodes meet them as they ship. */
export async function startInternet(
	sites: Readonly<Record<string, RequestListener>>,
): Promise<Internet> {
	const folder = await mkdtemp(join(tmpdir(), 'internet-'));
	const { authority, ...certificate } = await certify(folder, Object.keys(sites));
	const tunnels = new Set<Duplex>();
	const otherHosts = new Set<string>();
	const servers = new Map(
		Object.entries(sites).map(([host, site]) => [
			`${host}:443`,
			createHttpsServer(certificate, site),
		]),
	);

	const proxy = createHttpServer((request, response) => {
		otherHosts.add(String(request.headers.host));
		response.writeHead(403).end();
	});
	proxy.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
		socket.on('error', () => socket.destroy());
		const server = servers.get(url);
		if (!server) {
			otherHosts.add(url);
			socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
			return;
		}
		tunnels.add(socket.once('close', () => tunnels.delete(socket)));
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		server.emit('connection', socket);
	});
	proxy.listen(0, '127.0.0.1');
	await once(proxy, 'listening');

	const url = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
	const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
	return {
		environment: {
			...Object.fromEntries(names.map((name) => [name, url])),
			NODE_EXTRA_CA_CERTS: authority,
		},
		otherHosts,
		async close() {
			for (const socket of tunnels) socket.destroy();
			proxy.closeAllConnections();
			proxy.close();
			await once(proxy, 'close');
			await rm(folder, { recursive: true });
		},
	};
}
