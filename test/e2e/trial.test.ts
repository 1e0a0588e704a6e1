import { type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import type { IDataObject } from 'n8n-workflow';
import { scenarioAddress } from '../../sandbox/scenarios';
import { stopCommand } from '../../tools/host/child';
import { dataOf, logIn } from '../../tools/host/rest';
import { until } from '../../tools/host/until';
import { pathOfTable } from '../../tools/trial/tables';
import { sanctioned } from '../support/data/knownAddresses';
import { startTrial } from '../support/n8n/trial';
import { Person } from '../support/browser/person';

const dayMs = 24 * 60 * 60 * 1000;
const harmless = scenarioAddress('harmless');

describe('npm run n8n', () => {
	let trial: ChildProcess;
	afterEach(() => stopCommand(trial, 0));

	test('leads from its first page to a month of results, a message and a payment, and leaves nothing behind', async () => {
		const started = startTrial();
		trial = started.process;
		const url = await started.firstPage();
		const page = async (path: string) => await (await fetch(url + path)).text();
		const first = await page('/');
		const editor = new URL(/href="(http:\S+?)\/workflow\//.exec(first)![1]!).origin;
		const logins = [...first.matchAll(/>([\w.]+@[\w.]+)<.+?>(\S+?)<\/span>/g)];
		const [owner, second] = logins.map(([, email = '', password = '']) => ({ email, password }));

		const rest = await logIn(editor, owner!);
		const rowsOf = async (table: string) => {
			const rows = `${await pathOfTable(rest, table)}/rows?take=250`;
			return (await dataOf<{ data: IDataObject[] }>(rest('GET', rows))).data;
		};
		const results = await rowsOf('Screening Results');
		const dates = results.map(({ createdAt }) => String(createdAt).slice(0, 10));
		expect(new Set(dates).size).toBe(30);
		expect(Date.now() - Math.min(...dates.map(Date.parse))).toBeGreaterThan(29 * dayMs);
		const [policy] = await rowsOf('Screening Policies');
		expect(String(policy!.createdAt) < dates.sort()[0]!).toBe(true);
		expect(new Set(results.map(({ outcome }) => outcome))).toEqual(
			new Set(['allow', 'review', 'block', 'not screened']),
		);

		const pay = async (address: string) => {
			const body = new URLSearchParams({ address, other: '', amount: '12.50 ETH' });
			await fetch(`${url}/payments`, { method: 'POST', body });
			return /P-\d+/.exec(await page('/payments'))![0];
		};
		const held = await pay(sanctioned);
		const letter = await until('the message', async () => {
			const link = new RegExp(`href="(/mail/\\d+)"><b>[^<]*payment ${held},`);
			const [, path] = link.exec(await page('/mail')) ?? [];
			return path && (await page(`${path}/body`));
		});
		const [, form = '', query = ''] =
			/http:\/\/localhost:\d+\/form\/([\w-]+)\??([^\s"<]*)/.exec(letter) ?? [];
		const shown = async (name: string, search = '') => {
			const [, link = ''] = new RegExp(`href="(http:\\S+/screening-${name})"`).exec(first) ?? [];
			const { origin, pathname, username, password } = new URL(link);
			const authorization = `Basic ${btoa(`${username}:${password}`)}`;
			return await (await fetch(origin + pathname + search, { headers: { authorization } })).text();
		};
		expect(await shown('board')).toMatch(/<b>4<\/b><span>sanctions cases to answer/);
		expect(await shown('cases')).toMatch(new RegExp(`${held}\\b`));
		const closed = await shown('cases', '?show=closed');
		for (const [answer, by, confirmed] of [
			['true match', owner, second],
			['false positive', second, owner],
		] as const)
			expect(closed).toMatch(
				new RegExp(
					`Closed: ${answer}[^]*?<dt>Answered<dd>${answer}, by ${by!.email}, [^]*?<dt>Confirmed by<dd>${confirmed!.email}, `,
				),
			);
		expect(await shown('wallet', `?address=${sanctioned}`)).toContain(held);
		const opened = await (await Person.logIn(editor, second!)).open(form, query);
		expect(form).toBe('answer-a-case');
		const asked = await opened.send();
		expect(`${opened.words} ${asked.words}`).toMatch(/STOPPED/);
		const refused = await (await Person.logIn(editor, owner!)).open('answer-a-payment');
		expect((await refused.send({ 'Payment ID': held })).words).toMatch(/STOPPED: do not pay/);

		const allowed = await pay(harmless);
		await until(`${allowed} to be released`, async () => {
			const row = (await page('/payments')).split('<tr>').find((one) => one.includes(allowed));
			return row?.includes('>released<') || undefined;
		});

		// The terminal tells all processes of the command, npm and the trial among them.
		process.kill(-trial.pid!, 'SIGINT');
		await once(trial, 'exit', { signal: AbortSignal.timeout(30_000) });
		await expect(fetch(`${editor}/healthz`)).rejects.toThrow();
	});
});
