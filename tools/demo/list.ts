import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Alert } from '../../nodes/WalletScreening/messages/render';
import type { Engine } from '../host/engine/engine';
import { projectFolder } from '../host/paths';
import { reportProgress } from '../host/progress';
import type { Credential } from '../host/workflow';
import { type Report, tableOf } from './table';
import workflow from './workflow.json';

const [start] = workflow.nodes;
const nodeNamed = (name: string) => workflow.nodes.find((node) => node.name === name)!;

/** The wallets that `workflow.json` screens, and a note on the owner of each. */
export const wallets = (
	JSON.parse(nodeNamed('Addresses to Screen').parameters.jsonOutput!) as {
		addresses: Array<{ address: string; note: string }>;
	}
).addresses;

/** Writes files for people to open. @returns their paths, seen from the current folder */
async function save(files: ReadonlyArray<readonly [name: string, content: string | Buffer]>) {
	// Git ignores this folder, and file managers show it.
	const folder = join(projectFolder, 'demo-output');
	await mkdir(folder, { recursive: true });
	for (const [name, content] of files) await writeFile(join(folder, name), content);
	return files.map(([name]) => relative(process.cwd(), join(folder, name)));
}

/**
 * Screens the wallets of `workflow.json` with its nodes, and prints the results.
 *
 * @throws an Error with the words of the node that failed
 */
export async function presentList(engine: Engine, { name, type }: Credential): Promise<void> {
	/** Runs one node of `workflow.json` on these items. */
	async function run(node: string, input: IDataObject[]): Promise<INodeExecutionData[]> {
		const credentials = { [type]: { id: name, name } };
		const nodes = [start, { ...nodeNamed(node), credentials }] as unknown as INode[];
		const toNode = { main: [[{ node, type: 'main' as const, index: 0 }]] };
		const connections = { [start!.name]: toNode };
		const { error, items } = await engine.run({ nodes, connections }, { input });
		if (!error) return items[0] ?? [];
		throw new Error(`The workflow failed: ${error.message}. ${error.description ?? ''}`);
	}

	const items = await reportProgress(`Screening ${wallets.length} wallets`, () =>
		run('Screen Each Address', wallets),
	);
	const reports = items.map(({ json }) => json as unknown as Report & { alert: Alert });
	const { isTTY } = process.stdout;
	console.log(`\n${tableOf(reports, isTTY && process.stdout.hasColors())}\n`);
	const count = (wanted: string) => reports.filter(({ outcome }) => outcome === wanted).length;
	const counts = `${count('allow')} to allow, ${count('review')} to review, ${count('block')} to block`;
	console.log(`${reports.length} reports: ${counts}.\n`);

	const riskiest = reports.reduce((one, other) => (other.score > one.score ? other : one));
	const [download] = await run('Download Its PDF Report', [{ ...riskiest }]);
	const pdf = download!.binary!.data!;
	const { text, html, slackBlocks } = riskiest.alert;
	const [mail, slack, report] = await save([
		['alert.html', html],
		['alert.slack.json', JSON.stringify(slackBlocks, null, 2)],
		[pdf.fileName!, await engine.bytes(pdf)],
	]);
	console.log(`The alert on the riskiest wallet:\n`);
	console.log(`${text.trim().replaceAll(/^(?=.)/gm, '  ')}\n`);
	console.log(`  As an e-mail      ${mail}`);
	console.log(`  As Slack blocks   ${slack}`);
	console.log(`  Its PDF report    ${report}\n`);
}
