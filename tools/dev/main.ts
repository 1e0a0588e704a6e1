import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { startSandbox } from '../../sandbox/server';
import { credentialFor } from '../demo/credential';
import { npm, start, stop } from '../host/child';
import { startInstance, type Workflow } from '../host/instance';
import { installPackage, installedIn } from '../host/package';
import { downloadFolder, projectFolder } from '../host/paths';
import { reportProgress } from '../host/progress';
import { deliveryPath, deliveryUrl, importTemplates } from '../trial/fill';
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

/** While n8n starts, Ctrl+C exits at once. Afterwards it begins an orderly shutdown. */
let interrupt: () => void = () => process.exit(130);

async function main(): Promise<void> {
	await installPackage(userFolder);
	// n8n serves a package anew as soon as its files change.
	const options = { userFolder, port: 5678, environment: { N8N_DEV_RELOAD: 'true' } };
	const n8n = await reportProgress('Starting n8n', () => startInstance(options));
	// Ctrl+C waits until the receipt is written: otherwise, the next start saves templates again.
	const ended = new Promise<void>((resolve) => (interrupt = resolve));
	// At this signal, Node listens for a debugger.
	process.kill(await n8n.processId(), 'SIGUSR1');
	const webhook = { url: deliveryUrl(n8n), secret: webhookSecret, scheme: 'body' as const };
	const sandbox = await startSandbox({ port: 4010, webhook });
	if (!existsSync(receipt)) {
		const credential = await n8n.saveCredential(credentialFor(sandbox, webhookSecret));
		const choices = { credentials: [credential], values: {} };
		await reportProgress('Saving the templates', () =>
			importTemplates(n8n, choices, { publishes: false }),
		);
		const workflow = applyChoices(receiver, choices);
		await n8n.publishWorkflow(await n8n.saveWorkflow(workflow));
		await writeFile(receipt, '');
	}
	const env = { ...process.env, INSTALLED: installedIn(userFolder) };
	const build = [...npm, 'run', 'build', '--', 'watch'];
	const builder = start(build, { cwd: projectFolder, env }, process.stderr.fd);
	console.log(`
Open ${n8n.url.replace('127.0.0.1', 'localhost')} and log in as ${n8n.login.email}, password ${n8n.login.password}.
n8n has a new version of the nodes a few seconds after you save a file.
A debugger can attach to port 9229; n8n's log is ${join(userFolder, 'n8n.log')}.
What you save in n8n stays in ${userFolder} until you delete that folder. Ctrl+C ends n8n.
`);
	await ended;
	await Promise.all([
		stop(builder, 1000),
		sandbox.close(),
		reportProgress('Stopping n8n', n8n.stop),
	]);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt());
main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exit(1);
});
