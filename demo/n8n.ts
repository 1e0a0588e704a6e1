import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { dockerWay } from '../host/docker';
import { isInstalled } from '../host/install';
import {
	type Credential,
	type Execution,
	itemsOf,
	type N8n,
	type Saved,
	startFreshInstance,
	withCredential,
	type Workflow,
} from '../host/instance';
import { downloadFolder, projectFolder } from '../host/paths';
import { step } from '../host/progress';
import { defaultN8nVersion } from '../host/versions';
import { bulkWorkflow, screenNode } from './bulk';
import { failIf, type Place } from './place';
import { present } from './present';
import { nodes } from './screenings';
import { openService, type Service } from './service';
import workflow from './workflow.json';

const templates = join(projectFolder, 'templates');

/** Puts the templates beside the demo's own workflows, with the credential chosen where it is needed. */
async function importTemplates(n8n: N8n, credential: Saved<Credential>): Promise<void> {
	for (const name of await readdir(templates)) {
		const template = JSON.parse(await readFile(join(templates, name), 'utf8')) as Workflow;
		await n8n.saveWorkflow(withCredential(template, credential));
	}
}

/** A real n8n, in which the demo's workflows are saved. */
function placeIn(n8n: N8n, list: Saved<Workflow>, bulk: Saved<Workflow>): Place {
	const run = async (saved: Saved<Workflow>): Promise<Execution> => {
		const execution = await n8n.runWorkflow(saved);
		failIf(execution.data.resultData.error);
		return execution;
	};
	return {
		screenList: async () => {
			const execution = await run(list);
			const [riskiest] = itemsOf(execution, nodes.riskiest);
			const property = itemsOf(execution, nodes.download)[0]?.binary?.data;
			if (!riskiest || !property) throw new Error('No PDF came.');
			return {
				reports: itemsOf(execution, nodes.screen),
				riskiest,
				pdf: {
					fileName: property.fileName ?? 'report.pdf',
					bytes: await n8n.binary(property),
				},
			};
		},
		screenInBulk: async () => itemsOf(await run(bulk), screenNode),
	};
}

async function announceDownload(): Promise<void> {
	console.log(`n8n ${defaultN8nVersion} is not in ${downloadFolder} yet.
Its download takes 2 GB and some minutes, once for all clones. WALLET_SCREENING_CACHE moves it.\n`);
	const docker = await dockerWay();
	if (docker) console.log(`${docker}\n`);
}

async function demo(
	isOver: (n8n: N8n, list: Saved<Workflow>, service: Service) => Promise<void>,
): Promise<void> {
	const service = await openService(process.env);
	try {
		if (!isInstalled(defaultN8nVersion)) await announceDownload();
		const n8n = await startFreshInstance('n8n');
		try {
			const credential = await n8n.saveCredential(service.credential);
			const save = (one: unknown) => n8n.saveWorkflow(withCredential(one as Workflow, credential));
			const [list, bulk] = [await save(workflow), await save(bulkWorkflow)];
			await importTemplates(n8n, credential);
			console.log(`\nScreening with ${service.description}.\n`);
			if (!(await present(placeIn(n8n, list, bulk), service))) process.exitCode = 1;
			await isOver(n8n, list, service);
		} finally {
			await step('Stopping n8n', n8n.stop);
		}
	} finally {
		await service.close();
	}
}

let interrupt: () => void = () => process.exit(130);

/** How to let a day pass in the sandbox, if it is what screens. */
const nextDayText = ({ sandboxUrl }: Service) =>
	sandboxUrl === undefined
		? ''
		: `
The sandbox listens on ${sandboxUrl}. To see what changes over time, move it to the next day:

  curl -X PUT ${sandboxUrl}/sandbox/day -d 1
`;

async function untilInterrupted(
	{ url, login }: N8n,
	list: Saved<Workflow>,
	service: Service,
): Promise<void> {
	// n8n's own links name localhost, and a login at another name does not count there.
	const address = url.replace('127.0.0.1', 'localhost');
	console.log(`Open this address in your browser: ${address}/workflow/${list.id}

  E-mail     ${login.email}
  Password   ${login.password}

The workflows of templates/ are there too, under Overview.
${nextDayText(service)}
Ctrl+C ends n8n and deletes what is in it.`);
	await new Promise<void>((resolve) => (interrupt = resolve));
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => interrupt());
	await demo(values.once ? async () => {} : untilInterrupted);
}

main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
