import Fastify, { type FastifyInstance } from 'fastify';
import { parse } from 'parse5';
import type { Email } from 'postal-mime';
import { addMailbox } from '../../tools/trial/mailbox';
import type { Letter } from '../../tools/trial/mail';

const hostile = `"><script>alert(1)</script><img src=x onerror="alert(1)">`;

/** The names of the elements of a page, as a browser reads it. */
function elementsOf(html: string): string[] {
	const names = (node: any): string[] => [
		node.nodeName,
		...(node.childNodes ?? []).flatMap(names),
		...(node.attrs ?? []).map(({ name }: { name: string }) => name),
	];
	return names(parse(html));
}

let site: FastifyInstance;
beforeEach(() => (site = Fastify({ forceCloseConnections: true })));
afterEach(() => site.close());
const fetched = async (path: string, init?: RequestInit) => {
	const url = site.server.listening
		? site.listeningOrigin
		: await site.listen({ port: 0, host: '127.0.0.1' });
	return await fetch(url + path, { redirect: 'manual', ...init });
};
const page = async (path: string) => {
	const response = await fetched(path);
	const policy = String(response.headers.get('content-security-policy'));
	return { body: await response.text(), policy };
};
describe('the mailbox', () => {
	const letter = (others: Partial<Letter>): Letter => ({
		...({
			headers: [],
			attachments: [],
			from: { name: hostile, address: 'a@b.example' },
		} as unknown as Email),
		receivedAt: new Date(0),
		...others,
	});

	test('shows the newest letter first, and each as it is, in a frame that runs nothing', async () => {
		const letters = [
			letter({ subject: 'first', html: '<b>one</b>' }),
			letter({ subject: hostile }),
		];
		addMailbox(site, { letters });
		const { body, policy } = await page('/mail');
		expect(body.indexOf('href="/mail/1"')).toBeLessThan(body.indexOf('href="/mail/0"'));
		for (const one of ['/mail', '/mail/1']) {
			const elements = elementsOf((await page(one)).body);
			for (const name of ['script', 'img', 'onerror']) expect(elements).not.toContain(name);
		}
		expect(policy).toContain("default-src 'none'");
		const shown = await page('/mail/0/body');
		expect(shown.body).toContain('<b>one</b>');
		expect(shown.policy).toMatch(
			/^sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'/,
		);
	});

	test('lets people open the links of a letter without markup', async () => {
		addMailbox(site, {
			letters: [letter({ text: `<b> http://localhost:1/form?a=1&b=2 ${hostile}` })],
		});
		const { body } = await page('/mail/0/body');
		expect(body).toContain('<a href="http://localhost:1/form?a=1&amp;b=2">');
		expect(elementsOf(body)).not.toContain('script');
	});
});
