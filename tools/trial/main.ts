import Fastify, { type FastifyInstance } from 'fastify';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { credentialFor } from '../demo/credential';
import demoWorkflow from '../demo/workflow.json';
import { freePort } from '../host/environment';
import { freshFolder } from '../host/folder';
import { type N8n, startFreshInstance } from '../host/instance';
import type { Credential, Saved, Workflow } from '../host/workflow';
import { reportProgress } from '../host/progress';
import { logIn, makeAccount, makeApiKey, type Rest } from '../host/rest';
import { runScript, untilInterrupted } from '../host/script';
import { deliveryUrl, importTemplates } from './importTemplates';
import { type MailServer, startMail } from './mail';
import { enterHolidays } from './holidays';
import { addMailbox } from './mailbox';
import { playMonth } from './month';
import { daysPlayed } from './monthPlan';
import { addPayments, type PaymentOptions } from './payments';
import type { PaymentRow } from './paymentSystem';
import { addStartPage } from './start';
import { timeZone } from './site';
import { insertRows, readRows } from './tables';
import { applyChoices, type Choices } from './wiring';

/** The logins and keys of people and systems. Other machines cannot reach anything of the trial. */
const visitor = { user: 'team', password: 'Screening-1' };
const secondApprover = { email: 'second.approver@example.com', password: 'Screening-1' };
const fromSystem = { name: 'X-Caller-Key', value: 'trial-caller-key' };
const token = 'trial-token';
const webhookSecret = 'trial-webhook-secret';
const signingText = 'trial-signing-text-of-32-letters';

/** The workflow to begin with in the editor. */
const firstWorkflow = demoWorkflow as unknown as Workflow;

/** Each ends something that was started. They are called in reverse order. */
const endings: Array<() => Promise<unknown>> = [];

/** Starts everything that belongs to the trial. @returns the address of its first page */
async function startTrial(): Promise<string> {
	const folder = await freshFolder('trial-files');
	const n8n = await startN8n(folder);
	const rest = await logIn(n8n.url, n8n.login);
	const mail = await startMailServer();
	const sandbox = await startService(n8n);

	const port = await freePort();
	const site = createSite();
	addMailbox(site, mail);
	const payments = addPayments(site, paymentOptions(n8n, rest));

	const { templates, first } = await reportProgress('Setting up the workflows', async () => {
		const choices: Choices = {
			credentials: await saveCredentials({ n8n, rest, mail, sandbox }),
			values: fieldValues(n8n, folder),
			urlOf: (action) => `http://127.0.0.1:${port}/do/${action}`,
		};
		const templates = await importTemplates(n8n, choices);
		await addSecondApprover(rest);
		await enterHolidays(rest);
		const first = await n8n.saveWorkflow(applyChoices(firstWorkflow, choices));
		return { templates, first };
	});

	addStartPage(site, {
		// n8n's own links name localhost, and a login at another name does not count there.
		editor: n8n.url.replace('127.0.0.1', 'localhost'),
		firstWorkflowId: first.id,
		templates,
		approvers: [n8n.login, secondApprover],
		visitor,
		service: { baseUrl: sandbox.baseUrl, apiKey: sandbox.keys.readWrite, webhookSecret },
	});
	await site.listen({ port, host: '127.0.0.1' });
	await reportProgress('Playing the past month', () =>
		playMonth({
			n8n,
			rest,
			sandbox,
			letters: mail.letters,
			payments,
			workflows: templates.map((template) => template.workflow),
			people: [n8n.login.email, secondApprover.email],
		}),
	);
	return `http://localhost:${port}`;
}

/** @param folder n8n may read and write files in it */
async function startN8n(folder: string): Promise<N8n> {
	const environment = { N8N_RESTRICT_FILE_ACCESS_TO: folder, GENERIC_TIMEZONE: timeZone };
	const n8n = await startFreshInstance('n8n', { environment });
	endings.push(() => reportProgress('Stopping n8n', n8n.stop));
	return n8n;
}

async function startMailServer(): Promise<MailServer> {
	const mail = await startMail();
	endings.push(mail.close);
	return mail;
}

/** Starts the sandbox, which delivers the results of bulk jobs to n8n. */
async function startService(n8n: N8n): Promise<Sandbox> {
	const webhook = { url: deliveryUrl(n8n), secret: webhookSecret, scheme: 'body' as const };
	const sandbox = await startSandbox({ day: daysPlayed, webhook });
	endings.push(sandbox.close);
	return sandbox;
}

function createSite(): FastifyInstance {
	const site = Fastify({ forceCloseConnections: true });
	endings.push(() => site.close());
	return site;
}

/** Connects the payment system to n8n: its webhook for payments, and its table of them. */
function paymentOptions(n8n: N8n, rest: Rest): PaymentOptions {
	return {
		token,
		signingText,
		readRows: async () => await readRows<PaymentRow>(rest, 'Screening Payments'),
		sendPayment: async (payment) =>
			await fetch(`${n8n.url}/webhook/approve-a-payment`, {
				method: 'POST',
				headers: { 'content-type': 'application/json', [fromSystem.name]: fromSystem.value },
				body: JSON.stringify(payment),
			}),
	};
}

/** The parts of the trial that n8n has credentials for. */
interface CredentialSources {
	readonly n8n: N8n;
	readonly rest: Rest;
	readonly mail: MailServer;
	readonly sandbox: Sandbox;
}

async function saveCredentials({
	n8n,
	rest,
	mail,
	sandbox,
}: CredentialSources): Promise<Array<Saved<Credential>>> {
	const save = async (name: string, type: string, data: object) =>
		await n8n.saveCredential({ name, type, data: { ...data } });
	const apiKey = await makeApiKey(rest);
	return await Promise.all([
		n8n.saveCredential(credentialFor(sandbox, webhookSecret)),
		save('From the Payment System', 'httpHeaderAuth', fromSystem),
		save('To the Payment System', 'httpBearerAuth', { token }),
		save('Statuses to the Payment System', 'crypto', { hmacSecret: signingText }),
		save('Pages', 'httpBasicAuth', visitor),
		save('n8n', 'n8nApi', { apiKey, baseUrl: `${n8n.url}/api/v1` }),
		n8n.saveCredential(mail.credential),
	]);
}

/** The values that the templates ask their user for. */
function fieldValues(n8n: N8n, folder: string): Choices['values'] {
	return {
		email: n8n.login.email,
		fromEmail: 'n8n@example.com',
		toEmail: 'team@example.com',
		folder,
		answer_field: 'status',
		answer_value: 'released',
		frozen_field: 'status',
		frozen_value: 'frozen',
		ticket_field: 'id',
	};
}

/** Makes the account of the second approver, and lists it among those who approve payments. */
async function addSecondApprover(rest: Rest): Promise<void> {
	await makeAccount(rest, secondApprover);
	await insertRows(rest, 'Screening Approvers', [{ email: secondApprover.email }]);
}

async function main(): Promise<void> {
	try {
		const url = await startTrial();
		console.log(
			`\nOpen this address in your browser: ${url}\n\nCtrl+C ends n8n and deletes what is in it.`,
		);
		await untilInterrupted();
	} finally {
		for (const end of endings.reverse()) await end();
	}
}

runScript(main);
