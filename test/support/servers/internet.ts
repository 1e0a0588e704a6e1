import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { IncomingMessage, RequestListener } from 'node:http';
import { createServer } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { generate } from 'selfsigned';
import { serve } from './server';

/** The type of a host name among the alternative names of a certificate (RFC 5280). */
const dnsName = 2 as const;

/** The part of the internet that n8n can reach in a test. */
export interface Internet {
	/** Environment variables that make n8n reach the stand-ins under the host names of the sites. */
	readonly environment: Readonly<Record<string, string>>;
	close(): Promise<void>;
}

/**
 * Starts a proxy that leads each host name to its stand-in. n8n's own nodes reach the stand-ins
 * unchanged. Every other host is refused, except those on loopback.
 */
export async function startInternet(
	sites: Readonly<Record<string, RequestListener>>,
): Promise<Internet> {
	const folder = await mkdtemp(join(tmpdir(), 'internet-'));
	const certificateFile = join(folder, 'certificate');
	const { cert, key } = await createCertificate(Object.keys(sites));
	await writeFile(certificateFile, cert);
	const tunnels = new Set<Duplex>();
	const servers = new Map(
		Object.entries(sites).map(([host, site]) => [`${host}:443`, createServer({ key, cert }, site)]),
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
	const proxyVariables = ['HTTP_PROXY', 'HTTPS_PROXY', 'http_proxy', 'https_proxy'];
	return {
		environment: {
			...Object.fromEntries(proxyVariables.map((name) => [name, proxy.url])),
			NODE_EXTRA_CA_CERTS: certificateFile,
			npm_config_cafile: certificateFile,
		},
		async close() {
			for (const socket of tunnels) socket.destroy();
			await proxy.close();
			await rm(folder, { recursive: true });
		},
	};
}

/** Creates a certificate for these hosts, which is signed with its own key. */
async function createCertificate(hosts: readonly string[]): Promise<{ cert: string; key: string }> {
	const altNames = hosts.map((value) => ({ type: dnsName, value }));
	const { cert, private: key } = await generate([{ name: 'commonName', value: 'Test Sites' }], {
		keyType: 'ec',
		algorithm: 'sha256',
		extensions: [{ name: 'subjectAltName', altNames }],
	});
	return { cert, key };
}
