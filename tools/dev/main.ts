import type { ChildProcess } from 'node:child_process';
import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { credentialFor } from '../demo/credential';
import { npm, startCommand, stopCommand } from '../host/child';
import { type N8n, startInstance } from '../host/instance';
import type { Workflow } from '../host/workflow';
import { installPackage, installedIn } from '../host/package';
import { downloadFolder, projectFolder } from '../host/paths';
import { reportProgress } from '../host/progress';
import { runScript, untilInterrupted } from '../host/script';
import { deliveryPath, deliveryUrl, importTemplates } from '../trial/importTemplates';
import { applyChoices } from '../trial/wiring';

/** The user folder of n8n stays between runs, with all that a developer saves. */
const userFolder = join(downloadFolder, 'dev');
/** This file exists once the templates are saved. */
const receipt = join(userFolder, 'filled');
const webhookSecret = 'dev-secret';

/** A workflow that receives the deliveries of the sandbox. */
const receiver: Workflow = {
	name: 'Receive a Bulk Job',
	settings: {},
	nodes: [
		{
			id: deliveryPath,
			name: 'Bulk Job Completed',
			type: 'n8n-nodes-wallet-screening.walletScreeningTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
			webhookId: deliveryPath,
		},
	],
	connections: {},
};

async function startN8n(): Promise<N8n> {
	await installPackage(userFolder);
	// n8n serves a package anew as soon as its files change.
	const options = { userFolder, port: 5678, environment: { N8N_DEV_RELOAD: 'true' } };
	const n8n = await reportProgress('Starting n8n', () => startInstance(options));
	// At this signal, Node listens for a debugger.
	process.kill(await n8n.processId(), 'SIGUSR1');
	return n8n;
}

async function saveWorkflows(n8n: N8n, sandbox: Sandbox): Promise<void> {
	const credential = await n8n.saveCredential(credentialFor(sandbox, webhookSecret));
	const choices = { credentials: [credential], values: {} };
	await importTemplates(n8n, choices, { publishes: false });
	await n8n.publishWorkflow(await n8n.saveWorkflow(applyChoices(receiver, choices)));
	await writeFile(receipt, '');
}

/** Builds the package into n8n whenever a source file changes. */
function startBuilder(): ChildProcess {
	const env = { ...process.env, INSTALLED: installedIn(userFolder) };
	const build = [...npm, 'run', 'build', '--', 'watch'];
	return startCommand(build, { cwd: projectFolder, env }, process.stderr.fd);
}

const greeting = ({ url, login }: N8n) => `
Open ${url.replace('127.0.0.1', 'localhost')} and log in as ${login.email}, password ${login.password}.
n8n has a new version of the nodes a few seconds after you save a file.
A debugger can attach to port 9229; n8n's log is ${join(userFolder, 'n8n.log')}.
What you save in n8n stays in ${userFolder} until you delete that folder. Ctrl+C ends n8n.
`;

async function main(): Promise<void> {
	const n8n = await startN8n();
	// Ctrl+C waits until the receipt is written: otherwise, the next start saves templates again.
	const interrupted = untilInterrupted();
	const webhook = { url: deliveryUrl(n8n), secret: webhookSecret, scheme: 'body' as const };
	const sandbox = await startSandbox({ port: 4010, webhook });
	if (!existsSync(receipt))
		await reportProgress('Saving the templates', () => saveWorkflows(n8n, sandbox));
	const builder = startBuilder();
	console.log(greeting(n8n));
	await interrupted;
	await Promise.all([
		stopCommand(builder, 1000),
		sandbox.close(),
		reportProgress('Stopping n8n', n8n.stop),
	]);
}

runScript(main);
