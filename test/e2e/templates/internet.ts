import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { promisify } from 'node:util';
import { openssl as part, required } from '../../../tools/host/parts';
import { serve } from '../../support/server';

/** Makes a certificate for the hosts, which nobody but who trusts it itself takes. */
async function certify(folder: string, hosts: string[]): Promise<string> {
	const names = hosts.map((host) => `DNS:${host}`).join(',');
	const certificate = join(folder, 'certificate');
	await promisify(execFile)(required(part), [
		...['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes'],
		...['-subj', '/CN=Test Sites', '-addext', `subjectAltName=${names}`, '-days', '2'],
		...['-keyout', join(folder, 'key'), '-out', certificate],
	]);
	return certificate;
}

/**
 * Starts stand-ins for sites, by their hosts, behind a proxy, so that n8n's own nodes meet them as they ship, and nobody
 * else's but loopback.
 */
export async function startInternet(sites: Readonly<Record<string, RequestListener>>) {
	const folder = await mkdtemp(join(tmpdir(), 'internet-'));
	const certificate = await certify(folder, Object.keys(sites));
	const pair = { key: await readFile(join(folder, 'key')), cert: await readFile(certificate) };
	const tunnels = new Set<Duplex>();
	const servers = new Map(
		Object.entries(sites).map(([host, site]) => [`${host}:443`, createServer(pair, site)]),
	);
	const proxy = await serve((_request, response) => response.writeHead(403).end());
	proxy.server.on('connect', ({ url = '' }: IncomingMessage, socket: Duplex) => {
		socket.on('error', () => socket.destroy());
		const server = servers.get(url);
		if (!server) return void socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
		tunnels.add(socket.once('close', () => tunnels.delete(socket)));
		socket.write('HTTP/1.1 200 Connection established\r\n\r\n');
		server.emit('connection', socket);
	});
	const names = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
	return {
		/** Variables with which n8n meets the sites where it asks for their hosts. */
		environment: {
			...Object.fromEntries(names.map((name) => [name, proxy.url])),
			NODE_EXTRA_CA_CERTS: certificate,
		},
		async close() {
			for (const socket of tunnels) socket.destroy();
			await proxy.close();
			await rm(folder, { recursive: true });
		},
	};
}
