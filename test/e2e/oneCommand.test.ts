/**
 * Tests the command that imports all templates. After it only credentials and values are missing,
 * and a page lists them.
 */
import type { IDataObject, INode } from 'n8n-workflow';
import { startSandbox } from '../../sandbox/server';
import { runCommand } from '../../tools/host/child';
import { environmentOf, freePort } from '../../tools/host/environment';
import { installN8n } from '../../tools/host/install';
import { type N8n, startFreshInstance } from '../../tools/host/instance';
import type { Credential, Saved, Workflow } from '../../tools/host/workflow';
import { dataOf, logIn, makeApiKey, type Rest } from '../../tools/host/rest';
import { until } from '../../tools/host/until';
import { defaultN8nVersion } from '../../tools/host/versions';
import { prepareTemplate } from '../../tools/trial/importTemplates';
import { startMail } from '../../tools/trial/mail';
import { pathOfTable } from '../../tools/trial/tables';
import { readTemplates, templateFolder } from '../../tools/trial/templates';
import { applyChoices, type Choices, credentialTypeOf } from '../../tools/trial/wiring';
import { sanctionedAddress } from '../support/templates/templateAddresses';
import { startTeamSystem } from '../support/servers/teamSystem';
import { withoutEditor } from '../support/n8n/environment';
import { Person } from '../support/browser/person';

const token = 'token-of-the-systems-of-the-team';
const cleaned = (html: string) => html.replaceAll('\\u003c', '<').replaceAll('\\"', '"');

/**
 * Reads the list on the page: a link for each workflow, and one for each of its nodes that is not
 * complete.
 */
function listedOn(html: string): Array<{ workflow: string; node?: string; text: string }> {
	const links = cleaned(html).matchAll(
		/\/workflow\/([\w-]+)(?:\/([\w-]+))?"[^>]*>([^<]*)<\/a>(?:: ([^<]*))?/g,
	);
	return [...links].map(([, workflow = '', node, name = '', text = name]) => ({
		workflow,
		...(node && { node }),
		text,
	}));
}

describe('all templates, imported by one command', () => {
	let n8n: N8n;
	let rest: Rest;
	let choices: Choices;
	const closing: Array<() => Promise<unknown>> = [];
	const workflowOf = async (id: string) =>
		await dataOf<Saved<Workflow>>(rest('GET', `/workflows/${id}`));
	const change = async ({ id, ...workflow }: Saved<Workflow>) => {
		const { nodes, connections, settings } = workflow;
		await rest('PATCH', `/workflows/${id}`, { nodes, connections, settings });
	};
	const openList = async () => {
		const form = await (await Person.logIn(n8n.url, n8n.login)).open('what-is-missing');
		return listedOn((await form.send()).html);
	};

	beforeAll(async () => {
		n8n = await startFreshInstance('e2e-one-command', { environment: withoutEditor });
		const [sandbox, mail, team] = await Promise.all([
			startSandbox(),
			startMail(),
			startTeamSystem(`Bearer ${token}`),
		]);
		closing.push(n8n.stop, sandbox.close, mail.close, team.close);
		rest = await logIn(n8n.url, n8n.login);
		const credential = async (type: string, data: Credential['data']) =>
			await n8n.saveCredential({ name: type, type, data });
		const service = { apiKey: sandbox.keys.readWrite, baseUrl: sandbox.baseUrl };
		const apiKey = await makeApiKey(rest);
		choices = {
			credentials: await Promise.all([
				credential('walletScreeningApi', {
					...service,
					plan: 'enterprise',
					webhookSecret: 'secret',
				}),
				credential('httpHeaderAuth', { name: 'X-Key', value: 'key' }),
				credential('httpBearerAuth', { token }),
				credential('httpBasicAuth', { user: 'reader', password: 'password' }),
				credential('crypto', { hmacSecret: 'a-text-that-signs-statuses-in-this-test' }),
				credential('n8nApi', { apiKey, baseUrl: `${n8n.url}/api/v1` }),
				n8n.saveCredential(mail.credential),
			]),
			values: {
				email: n8n.login.email,
				fromEmail: 'n8n@example.net',
				toEmail: 'team@example.net',
				answer_field: 'done',
				answer_value: 'true',
				frozen_field: 'done',
				frozen_value: 'true',
				ticket_field: 'id',
			},
			urlOf: (action: string) => `${team.url}/${action}`,
		};
	});
	afterAll(async () => {
		for (const close of closing) await close();
	});

	test('need credentials and values only, which a page lists in the order of publication', async () => {
		const { command } = await installN8n(defaultN8nVersion);
		const env = await environmentOf(n8n.userFolder, await freePort());
		const importing = [...command, 'import:workflow', '--separate', `--input=${templateFolder}`];
		await runCommand(importing, { cwd: n8n.userFolder, env });
		const templates = readTemplates();
		const here = await dataOf<Array<{ id: string }>>(rest('GET', '/workflows'));
		expect(here.map(({ id }) => id).sort()).toEqual(templates.map(({ id }) => id).sort());
		for (const { id, settings } of templates)
			expect((await workflowOf(id)).settings).toMatchObject({ ...settings });

		const list = await workflowOf('ws-set-up-missing');
		await change(applyChoices(list, choices));
		await n8n.publishWorkflow(list);
		const listed = await openList();
		const isFree = ({ parameters: { operation } }: INode) =>
			/^(check|compare|decide|verify|createDigest)$/.test(String(operation));
		const lacking = templates
			.filter(({ id }) => id !== list.id)
			.flatMap(({ id, nodes }) =>
				nodes
					.filter((node) => credentialTypeOf(node) && !isFree(node))
					.map((node) => `${id}/${node.id}`),
			);
		const credentials = listed.filter(({ text }) => text.startsWith('select a credential'));
		expect(credentials.map((one) => `${one.workflow}/${one.node}`).sort()).toEqual(lacking.sort());
		const texts = (workflow: string) =>
			listed
				.filter((one) => one.workflow === workflow && one.node)
				.map(({ node, text }) => `${node}: ${text}`);
		expect(texts('ws-sanctions-freeze')).toEqual([
			'freeze-the-account: select a credential (Bearer Auth)',
			'freeze-the-account: enter the URL',
			'answer: enter frozen_field',
			'answer: enter frozen_value',
		]);
		expect(listed.filter(({ text }) => text.startsWith('select the workflow'))).toEqual([]);

		for (const template of templates) {
			const { nodes } = prepareTemplate(template);
			await change(applyChoices({ ...template, nodes }, choices));
		}
		for (const id of ['ws-set-up', 'ws-set-up-deadlines'])
			expect((await n8n.runWorkflow(await workflowOf(id))).status).toBe('success');
		// There is no account here of Google, of a language model, or of Etherscan.
		const refused = ['ws-ask-an-agent', 'ws-screen-a-sheet', 'ws-watch-ethereum'];
		const order = [...new Set((await openList()).map(({ workflow }) => workflow))];
		for (const id of order.filter((one) => !refused.includes(one) && !one.startsWith('ws-set-up')))
			await n8n.publishWorkflow(await workflowOf(id));
		const left = (await openList()).filter(({ node, text }) => node && text);
		expect(new Set(left.map(({ workflow }) => workflow))).toEqual(new Set(refused));
	});

	test('run through six workflows that call each other, without a selection', async () => {
		const person = await Person.logIn(n8n.url, n8n.login);
		const form = await person.open('check-a-wallet');
		const page = await form.send({
			Address: sanctionedAddress,
			Chain: 'ETH',
			'Customer or payment': 'Customer 17',
		});
		expect(page.words).toContain('STOPPED: sanctions hit');
		const rows = `${await pathOfTable(rest, 'Screening Cases')}/rows`;
		const opened = await until('the case with its steps', async () => {
			const { data } = await dataOf<{ data: IDataObject[] }>(rest('GET', rows));
			return data.find(
				({ reference, frozen_at: frozen, ticket }) =>
					reference === 'Customer 17' && frozen && ticket,
			);
		});
		expect(opened).toMatchObject({ address: sanctionedAddress });
	});
});
