import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
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
import { cacheFolder, projectFolder } from '../host/paths';
import { step } from '../host/progress';
import type { Alert } from '../nodes/WalletScreening/risk/alert';
import { bulkSummary, bulkWorkflow } from './bulk';
import { findings, nodes, screeningsOf } from './screenings';
import { openService, type Service } from './service';
import { tableOf } from './table';
import workflow from './workflow.json';

const folder = join(cacheFolder, 'demo');
const templates = join(projectFolder, 'templates');

const shown = (file: string) => relative(process.cwd(), file);

/**
 * Writes the alert on the riskiest address to files, as a mail shows it and as Slack takes it.
 *
 * @returns the alert as text, and where the files lie
 */
async function saveAlert(execution: Execution) {
	const alert = itemsOf(execution, nodes.riskiest)[0]?.json.alert as Alert | undefined;
	if (!alert) throw new Error('The workflow has made no alert.');
	const mail = join(folder, 'alert.html');
	const slack = join(folder, 'alert.slack.json');
	await mkdir(folder, { recursive: true });
	await writeFile(mail, alert.html);
	await writeFile(slack, JSON.stringify(alert.slackBlocks, null, 2));
	return { text: alert.text, mail, slack };
}

/** Puts the templates beside the demo's own workflows, with the credential chosen where it is needed. */
async function importTemplates(n8n: N8n, credential: Saved<Credential>): Promise<void> {
	for (const name of await readdir(templates)) {
		const template = JSON.parse(await readFile(join(templates, name), 'utf8')) as Workflow;
		await n8n.saveWorkflow(withCredential(template, credential));
	}
}

/**
 * Writes the PDF that the workflow has downloaded to a file.
 *
 * @returns where it lies
 * @throws when there is none, or it is no PDF
 */
async function savePdf(n8n: N8n, execution: Execution): Promise<string> {
	const [item] = itemsOf(execution, nodes.download);
	const property = item?.binary?.data;
	if (!property) throw new Error('The workflow has downloaded no PDF.');
	const pdf = await n8n.binary(property);
	if (!pdf.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
		throw new Error('What the workflow has downloaded is not a PDF.');
	}
	await mkdir(folder, { recursive: true });
	const file = join(folder, property.fileName ?? 'report.pdf');
	await writeFile(file, pdf);
	return file;
}

/** Screens the whole sanctions list in bulk and shows what came of it. Gives whether all of it is as it must be. */
async function screenInBulk(n8n: N8n, credential: Saved<Credential>): Promise<boolean> {
	const saved = await n8n.saveWorkflow(withCredential(bulkWorkflow, credential));
	const execution = await step('Screening the whole sanctions list in bulk', () =>
		n8n.runWorkflow(saved),
	);
	const { text, wrong } = bulkSummary(execution);
	console.log(text);
	for (const finding of wrong) console.error(finding);
	return wrong.length === 0;
}

/** Screens the list in n8n and shows what came of it. Gives whether all of it is as it must be. */
async function screenList(n8n: N8n, service: Service): Promise<boolean> {
	const credential = await n8n.saveCredential(service.credential);
	const saved = await n8n.saveWorkflow(withCredential(workflow as unknown as Workflow, credential));
	const execution = await step(`Screening the list with ${service.description}`, () =>
		n8n.runWorkflow(saved),
	);

	const { columns = Infinity } = process.stdout;
	const colors = process.stdout.isTTY && process.stdout.hasColors();
	const screenings = screeningsOf(execution);
	if (screenings.length > 0) console.log(tableOf(screenings, { width: columns, colors }));
	const wrong = findings(execution);
	for (const finding of wrong) console.error(finding);
	if (execution.status === 'success') {
		const { text, mail, slack } = await saveAlert(execution);
		console.log(`\n${text.trim()}\n`);
		console.log(`This alert on the riskiest as an e-mail: ${shown(mail)}`);
		console.log(`And as blocks for Slack: ${shown(slack)}`);
		console.log(`Its PDF report: ${shown(await savePdf(n8n, execution))}`);
	}
	await importTemplates(n8n, credential);
	const well = service.billed || (await screenInBulk(n8n, credential));
	const { email, password } = n8n.login;
	console.log(`Editor: ${n8n.url}/workflow/${saved.id}  (e-mail ${email}, password ${password})`);
	console.log('The templates are there too, under Overview.');
	return well && wrong.length === 0;
}

async function demo(isOver: () => Promise<unknown>): Promise<void> {
	const service = await openService(process.env);
	try {
		const n8n = await startFreshInstance('demo');
		try {
			if (!(await screenList(n8n, service))) process.exitCode = 1;
			await isOver();
		} finally {
			await n8n.stop();
		}
	} finally {
		await service.close();
	}
}

async function untilInterrupted(): Promise<void> {
	console.log('Ctrl+C ends the demo.');
	await Promise.race([once(process, 'SIGINT'), once(process, 'SIGTERM')]);
}

async function main(): Promise<void> {
	const { values } = parseArgs({ options: { once: { type: 'boolean', default: false } } });
	await demo(values.once ? async () => {} : untilInterrupted);
}

main().catch((error: unknown) => {
	console.error((error as Error).message);
	process.exitCode = 1;
});
