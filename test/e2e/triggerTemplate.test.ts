import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { INode } from 'n8n-workflow';
import { itemsOf, type N8n, startFreshInstance, type Workflow } from '../../host/instance';
import template from '../../templates/bulk-completed-alert.json';
import { completion, deliver, hookCredential, report, secrets } from './triggers';
import { patience } from './workflow';

const trigger = 'When a Bulk Job Is Complete';
const slack = 'Tell the Team in Slack';
const email = 'Send the Team an E-Mail';
const imported = template as unknown as Workflow;

/** A mail server that takes everything; `letters` are what it was given, as text. */
async function startMailServer(): Promise<{ server: Server; port: number; letters: string[] }> {
	const letters: string[] = [];
	const server = createServer((socket: Socket) => {
		let input = '';
		let isLetter = false;
		socket.write('220 ready\r\n');
		socket.on('error', () => socket.destroy());
		socket.on('data', (data) => {
			input += data.toString();
			for (;;) {
				const end = isLetter ? '\r\n.\r\n' : '\r\n';
				const at = input.indexOf(end);
				if (at < 0) return;
				const text = input.slice(0, at);
				input = input.slice(at + end.length);
				if (isLetter) letters.push(withoutQuoting(text));
				isLetter = !isLetter && /^DATA/i.test(text);
				socket.write(isLetter ? '354 go on\r\n' : '250 done\r\n');
			}
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return { server, port: (server.address() as AddressInfo).port, letters };
}

/** Undoes what mail does to long lines and letters beyond ASCII. */
function withoutQuoting(letter: string): string {
	const bytes = letter
		.replaceAll('=\r\n', '')
		.replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(parseInt(hex, 16)));
	return Buffer.from(bytes, 'latin1').toString('utf8');
}

describe('the workflow that alerts when a bulk job is complete', () => {
	let n8n: N8n;
	beforeAll(async () => {
		n8n = await startFreshInstance('e2e-trigger-template');
	}, patience);
	afterAll(() => n8n?.stop());

	test('holds no credential and no node that n8n does not know', async () => {
		expect(JSON.stringify(template)).not.toMatch(/credential"|webhookId|whsec_/);
		expect(imported.nodes.filter(({ credentials }) => credentials)).toEqual([]);

		const known = await n8n.nodeTypes();
		for (const { type, typeVersion } of imported.nodes) {
			const versions = known.filter(({ name }) => name === type).flatMap(({ version }) => version);
			expect({ type, versions }).toEqual({ type, versions: expect.arrayContaining([typeVersion]) });
		}
	});

	test('says in n8n what is missing until its credentials are chosen', async () => {
		const workflow = await n8n.saveWorkflow(imported);
		await expect(n8n.publishWorkflow(workflow)).rejects.toThrow(
			/2 nodes have configuration issues.*Bulk Job Is Complete.*credential: walletScreeningApi/,
		);
	});

	test('alerts of all that is not known to be green, and of nothing else', async () => {
		const { server, port, letters } = await startMailServer();
		const service = await n8n.saveCredential(hookCredential(secrets.body));
		const mail = await n8n.saveCredential({
			name: 'Mail',
			type: 'smtp',
			data: {
				user: '',
				password: '',
				host: '127.0.0.1',
				port,
				secure: false,
				disableStartTls: true,
			},
		});
		// The text for Slack goes into an item, for Slack cannot be reached from here.
		const changes: Record<string, (node: INode) => INode> = {
			[trigger]: (node) => ({
				...node,
				webhookId: 'alert',
				credentials: { walletScreeningApi: { id: service.id, name: service.name } },
			}),
			[slack]: ({ id, name, position, parameters: { text } }) => {
				const field = { id: 'text', name: 'text', type: 'string', value: text };
				const parameters = { assignments: { assignments: [field] } } as INode['parameters'];
				return { id, name, position, parameters, type: 'n8n-nodes-base.set', typeVersion: 3.4 };
			},
			[email]: (node) => ({
				...node,
				disabled: false,
				credentials: { smtp: { id: mail.id, name: mail.name } },
			}),
		};
		const nodes = imported.nodes.map((node) => changes[node.name]?.(node) ?? node);
		const workflow = await n8n.saveWorkflow({ ...imported, nodes });
		await n8n.publishWorkflow(workflow);
		const url = `${n8n.url}/webhook/alert/webhook`;

		try {
			const green = report('green');
			const red = Object.assign(report('red'), { report_url: 'https://x.example/1' });
			const odd = { address: '<!channel>&', error: 'unsupported' };
			expect((await deliver({ url }, completion(green))).status).toBe(200);
			expect((await deliver({ url }, completion(green, red, odd))).status).toBe(200);
			const many = Array.from({ length: 60 }, () => report('yellow'));
			expect((await deliver({ url }, completion(...many))).status).toBe(200);

			const [last, first, ...others] = await n8n.executionsOf(workflow);
			expect(others).toEqual([]);
			const told = await n8n.finishedExecution(String(first?.id));
			const toldMany = await n8n.finishedExecution(String(last?.id));
			expect([told.status, toldMany.status]).toEqual(['success', 'success']);

			const [letter, longLetter] = letters;
			expect(letters).toHaveLength(2);
			expect(letter).toContain('Subject: Wallet screening: 2 to look at');
			expect(letter).toContain(`red (score 0.5): ${String(red.address)} https://x.example/1`);
			expect(letter).toContain('not screened: <!channel>& (');
			expect(letter).not.toContain(green.address);
			expect(longLetter).toContain(many[49]?.address);
			expect(longLetter).not.toContain(many[50]?.address);
			expect(longLetter).toContain('… and 10 more');

			const [item] = itemsOf(told, slack);
			expect(item?.json.text).toContain('not screened: &lt;!channel&gt;&amp; (');
			expect(item?.json.text).toContain(String(red.address));
		} finally {
			server.close();
		}
	}, 60_000);
});
