import Fastify from 'fastify';
import { parse } from 'parse5';
import { addMailbox } from '../../tools/trial/mailbox';
import type { Letter } from '../../tools/trial/mail';

const hostile = `"><script>alert(1)</script><img src=x onerror="alert(1)">`;

/** The names of the elements and attributes of a page, as a browser reads it. */
function namesOf(html: string): string[] {
	const names = (node: any): string[] => [
		node.nodeName,
		...(node.childNodes ?? []).flatMap(names),
		...(node.attrs ?? []).map(({ name }: { name: string }) => name),
	];
	return names(parse(html));
}

test('the mailbox shows the newest letter first, and each as it is, in a frame that runs nothing', async () => {
	const from = { name: hostile, address: 'a@b.example' };
	const letters = [
		{ subject: 'first', html: '<b>one</b>' },
		{ subject: hostile, text: `<b> http://localhost:1/form?a=1&b=2 ${hostile}` },
	].map((one) => ({ headers: [], attachments: [], from, receivedAt: new Date(0), ...one }));
	const site = Fastify({ forceCloseConnections: true });
	addMailbox(site, { letters: letters as unknown as Letter[] });
	const url = await site.listen({ port: 0, host: '127.0.0.1' });
	const page = async (path: string) => {
		const response = await fetch(url + path);
		return {
			body: await response.text(),
			policy: response.headers.get('content-security-policy'),
		};
	};

	const { body, policy } = await page('/mail');
	expect(body.indexOf('href="/mail/1"')).toBeLessThan(body.indexOf('href="/mail/0"'));
	expect(policy).toContain("default-src 'none'");
	for (const path of ['/mail', '/mail/1', '/mail/1/body']) {
		const names = namesOf((await page(path)).body);
		for (const name of ['script', 'img', 'onerror']) expect(names).not.toContain(name);
	}
	const shown = await page('/mail/0/body');
	expect(shown.body).toContain('<b>one</b>');
	expect(shown.policy).toMatch(/^sandbox allow-popups .*; default-src 'none'/);
	// People open the links of a letter without markup, too.
	expect((await page('/mail/1/body')).body).toContain(
		'<a href="http://localhost:1/form?a=1&amp;b=2">',
	);
	await site.close();
});
