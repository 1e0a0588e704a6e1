import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { logIn } from '../../../tools/host/rest';

const owner = { email: 'owner@example.com', password: 'Screening-1' };
const servers: Server[] = [];
afterEach(() => servers.splice(0).forEach((server) => server.close()));

/** An n8n that answers each path with a status; it gives a cookie, and lists what it was asked. */
async function startN8n(statuses: Record<string, number>) {
	const requests: string[] = [];
	const server = createServer(({ url = '', headers }, response) => {
		requests.push(`${url} ${headers.cookie ?? ''}`.trim());
		response.setHeader('set-cookie', ['n8n-auth=abc; HttpOnly', 'n8n-lang=en']);
		response.writeHead(statuses[url] ?? 200).end('{"data":{}}');
	}).listen(0, '127.0.0.1');
	servers.push(server);
	await once(server, 'listening');
	return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

it('logs in, and sends the cookies from then on', async () => {
	const { url, requests } = await startN8n({});
	await (
		await logIn(url, owner)
	)('GET', '/workflows');
	expect(requests).toEqual(['/rest/login', '/rest/workflows n8n-auth=abc; n8n-lang=en']);
});

it('creates the owner of an n8n that has none', async () => {
	const { url, requests } = await startN8n({ '/rest/login': 401 });
	await logIn(url, owner);
	expect(requests).toEqual(['/rest/login', '/rest/owner/setup']);
});

it('names the login that an n8n with another owner does not accept', async () => {
	const { url } = await startN8n({ '/rest/login': 401, '/rest/owner/setup': 400 });
	await expect(logIn(url, owner)).rejects.toThrow(
		/does not let owner@example\.com log in: POST \/rest\/login was answered 401.*\n.*change it back/,
	);
});
