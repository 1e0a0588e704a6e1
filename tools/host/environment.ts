import { once } from 'node:events';
import { mkdir } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { join } from 'node:path';

// All other variables are left out: a variable of n8n on this machine could lead it to another
// database.
const inherited = [
	'PATH',
	'HOME',
	'LANG',
	'TZ',
	'NODE_EXTRA_CA_CERTS',
	'HTTP_PROXY',
	'HTTPS_PROXY',
	'http_proxy',
	'https_proxy',
];

/**
 * The environment variables of an n8n that sends no statistics, and serves on `port` of the
 * loopback interface.
 */
export async function environmentOf(userFolder: string, port: number): Promise<NodeJS.ProcessEnv> {
	const noProxy = [process.env.NO_PROXY ?? process.env.no_proxy, 'localhost', '127.0.0.1'];
	const temporary = join(userFolder, 'tmp');
	await mkdir(temporary, { recursive: true });
	return {
		...Object.fromEntries(inherited.map((name) => [name, process.env[name]])),
		NO_PROXY: noProxy.filter(Boolean).join(','),
		// n8n makes a folder of a fixed name there, which would be closed to other users of this
		// machine.
		TMPDIR: temporary,
		N8N_USER_FOLDER: userFolder,
		// For an hour, each form that a person opens leaves a cookie, which the browser sends to all
		// forms. A browser keeps up to 180, which is more than Node takes by default.
		NODE_OPTIONS: '--max-http-header-size=131072',
		N8N_LISTEN_ADDRESS: '127.0.0.1',
		N8N_PORT: String(port),
		N8N_RUNNERS_BROKER_PORT: String(await freePort()),
		N8N_DEFAULT_BINARY_DATA_MODE: 'filesystem',
		N8N_SECURE_COOKIE: 'false',
		N8N_DIAGNOSTICS_ENABLED: 'false',
		N8N_PERSONALIZATION_ENABLED: 'false',
		N8N_TEMPLATES_ENABLED: 'false',
		N8N_VERSION_NOTIFICATIONS_ENABLED: 'false',
	};
}

/** A port of the loopback interface on which no process listens. */
export async function freePort(): Promise<number> {
	const server = createServer().listen(0, '127.0.0.1');
	await once(server, 'listening');
	const { port } = server.address() as AddressInfo;
	server.close();
	await once(server, 'close');
	return port;
}
