import Fastify from 'fastify';
import { startSandbox } from '../../sandbox/server';
import { credentialFor } from '../demo/credential';
import workflow from '../demo/workflow.json';
import { freePort } from '../host/environment';
import { freshFolder } from '../host/folder';
import { startFreshInstance, type Workflow } from '../host/instance';
import { step } from '../host/progress';
import { dataOf, logIn, makeAccount, makeApiKey } from '../host/rest';
import { deliveriesTo, fill } from './fill';
import { startMail } from './mail';
import { addMailbox } from './mailbox';
import { days, playMonth } from './month';
import { addPayments, type PaymentRow } from './payments';
import { addStart } from './start';
import { timeZone } from './site';
import { pathOfTable } from './tables';
import { wired } from './wiring';

/** The logins and keys of people and systems. Other machines cannot reach anything of the trial. */
const visitor = { user: 'team', password: 'Screening-1' };
const secondApprover = { email: 'second.approver@example.com', password: 'Screening-1' };
const fromSystem = { name: 'X-Caller-Key', value: 'trial-caller-key' };
const token = 'trial-token';
const webhookSecret = 'trial-webhook-secret';
const signingText = 'trial-signing-text-of-32-letters';

/** Each ends something that was started. They are called in reverse order. */
const endings: Array<() => Promise<unknown>> = [];

/** Starts everything that belongs to the trial. @returns the address of its first page */
async function startTrial(): Promise<string> {
	const folder = await freshFolder('trial-files');
	const environment = { N8N_RESTRICT_FILE_ACCESS_TO: folder, GENERIC_TIMEZONE: timeZone };
	const n8n = await startFreshInstance('n8n', { environment });
	endings.push(() => step('Stopping n8n', n8n.stop));
	// n8n's own links name localhost, and a login at another name does not count there.
	const editor = n8n.url.replace('127.0.0.1', 'localhost');

	const mail = await startMail();
	endings.push(mail.close);
	const webhook = { url: deliveriesTo(n8n), secret: webhookSecret, scheme: 'body' as const };
	const sandbox = await startSandbox({ day: days, webhook });
	endings.push(sandbox.close);
	const service = { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.readWrite, webhookSecret };

	const site = Fastify({ forceCloseConnections: true });
	endings.push(() => site.close());
	const port = await freePort();
	const url = `http://localhost:${port}`;
	addMailbox(site, mail);
	const rest = await logIn(n8n.url, n8n.login);
	const payments = addPayments(site, {
		token,
		signingText,
		readRows: async () => {
			const path = await pathOfTable(rest, 'Screening Payments');
			return (await dataOf<{ data: PaymentRow[] }>(rest('GET', `${path}/rows?take=250`))).data;
		},
		tell: async (payment) =>
			await fetch(`${n8n.url}/webhook/approve-a-payment`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', [fromSystem.name]: fromSystem.value },
				body: JSON.stringify(payment),
			}),
	});

	const start = await step('Setting up the workflows', async () => {
		const save = async (name: string, type: string, data: object) =>
			await n8n.saveCredential({ name, type, data: { ...data } });
		const apiKey = await makeApiKey(rest);
		const choices = {
			credentials: await Promise.all([
				n8n.saveCredential(credentialFor(sandbox, webhookSecret)),
				save('From the Payment System', 'httpHeaderAuth', fromSystem),
				save('To the Payment System', 'httpBearerAuth', { token }),
				save('Statuses to the Payment System', 'crypto', { hmacSecret: signingText }),
				save('Pages', 'httpBasicAuth', visitor),
				save('n8n', 'n8nApi', { apiKey, baseUrl: `${n8n.url}/api/v1` }),
				n8n.saveCredential(mail.credential),
			]),
			values: {
				email: n8n.login.email,
				fromEmail: 'n8n@example.com',
				toEmail: 'team@example.com',
				folder,
				answer_field: 'status',
				answer_value: 'released',
				frozen_field: 'status',
				frozen_value: 'frozen',
				ticket_field: 'id',
			},
			urlOf: (action: string) => `http://127.0.0.1:${port}/do/${action}`,
		};
		const filled = await fill(n8n, choices);
		await makeAccount(rest, secondApprover);
		const table = await pathOfTable(rest, 'Screening Approvers');
		const data = [{ email: secondApprover.email }];
		await rest('POST', `${table}/insert`, { data, returnType: 'count' });
		const first = await n8n.saveWorkflow(wired(workflow as unknown as Workflow, choices));
		return { filled, first: first.id };
	});
	const approvers = [n8n.login, secondApprover] as const;
	addStart(site, { editor, ...start, approvers, visitor, service });
	await site.listen({ port, host: '127.0.0.1' });
	const workflows = start.filled.map(({ workflow }) => workflow);
	await step('Playing the past month', () =>
		playMonth({
			n8n,
			sandbox,
			letters: mail.letters,
			payments,
			workflows,
			rest,
			people: [n8n.login.email, secondApprover.email],
		}),
	);
	return url;
}

let interrupt: () => void = () => process.exit(130);

async function main(): Promise<void> {
	try {
		const url = await startTrial();
		const ended = new Promise<void>((resolve) => (interrupt = resolve));
		console.log(
			`\nOpen this address in your browser: ${url}\n\nCtrl+C ends n8n and deletes what is in it.`,
		);
		await ended;
	} finally {
		for (const end of endings.reverse()) await end();
	}
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt());
main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
