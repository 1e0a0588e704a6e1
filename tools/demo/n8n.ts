import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import {
	type N8n,
	type Saved,
	startFreshInstance,
	withCredential,
	type Workflow,
} from '../host/instance';
import { projectFolder } from '../host/paths';
import { step } from '../host/progress';
import { credentialFor } from './credential';
import workflow from './workflow.json';

const templates = join(projectFolder, 'templates');
const secret = 'demo-secret';

/** Starts when the sandbox delivers the results of a job. */
const receiving = {
	name: 'Receive a Bulk Job',
	settings: {},
	nodes: [
		{
			id: 'trigger',
			name: 'Bulk Job Completed',
			type: 'n8n-nodes-wallet-screening.walletScreeningTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			webhookId: 'demo',
		},
	],
	connections: {},
} satisfies Workflow;

/** Saves the workflows with the credential chosen in them. @returns the one to start with */
async function fill(n8n: N8n, sandbox: Sandbox): Promise<Saved<Workflow>> {
	const credential = await n8n.saveCredential(credentialFor(sandbox, secret));
	const save = (one: Workflow) => n8n.saveWorkflow(withCredential(one, credential));
	for (const name of await readdir(templates)) {
		await save(JSON.parse(await readFile(join(templates, name), 'utf8')) as Workflow);
	}
	await n8n.publishWorkflow(await save(receiving));
	return save(workflow as unknown as Workflow);
}

/** What a person can do now. */
function instructions({ url, login }: N8n, { baseUrl, keys }: Sandbox, start: Saved<Workflow>) {
	// n8n's own links name localhost, and a login at another name does not count there.
	const editor = url.replace('127.0.0.1', 'localhost');
	return `
Open this address in your browser: ${editor}/workflow/${start.id}

  E-mail     ${login.email}
  Password   ${login.password}

Click "Execute workflow". The templates are under Overview. All of them use the sandbox,
a stand-in for the service with made-up reports:

  Base URL         ${baseUrl}
  API key          ${keys.readWrite}
  Webhook secret   ${secret}

This submits a bulk job. Seconds later the sandbox sends a signed webhook, and the workflow
"${receiving.name}" runs; look at its Executions:

  curl ${baseUrl}/v1/bulk -H 'Authorization: Bearer ${keys.readWrite}' \\
    -H 'Content-Type: application/json' \\
    -d '{"addresses":["0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045"]}'

This moves the sandbox to the next day, on which some test addresses change (docs/sandbox.md):

  curl -X PUT ${baseUrl}/sandbox/day -d 1

Ctrl+C ends n8n and deletes what is in it.`;
}

let interrupt: () => void = () => process.exit(130);

async function main(): Promise<void> {
	const n8n = await startFreshInstance('n8n');
	try {
		const url = `${n8n.url}/webhook/${receiving.nodes[0]!.webhookId}/webhook`;
		const sandbox = await startSandbox({ webhook: { url, secret, scheme: 'body' } });
		try {
			const start = await step('Saving the workflows', () => fill(n8n, sandbox));
			const ended = new Promise<void>((resolve) => (interrupt = resolve));
			console.log(instructions(n8n, sandbox, start));
			await ended;
		} finally {
			await sandbox.close();
		}
	} finally {
		await step('Stopping n8n', n8n.stop);
	}
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt());
main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
