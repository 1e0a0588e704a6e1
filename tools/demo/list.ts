import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import type { Alert } from '../../nodes/WalletScreening/messages/render';
import type { Engine } from '../host/engine/engine';
import { projectFolder } from '../host/paths';
import { reportProgress } from '../host/progress';
import type { Credential } from '../host/workflow';
import { tableOf, type WalletRow } from './table';
import workflow from './workflow.json';

/** The node that begins the workflow. */
const [start] = workflow.nodes;
const nodeNamed = (name: string) => workflow.nodes.find((node) => node.name === name)!;

/** The wallets that `workflow.json` screens, and a note on the owner of each. */
export const wallets = (
	JSON.parse(nodeNamed('Addresses to Screen').parameters.jsonOutput!) as {
		addresses: Array<{ address: string; note: string }>;
	}
).addresses;

/** A wallet with its report, as `workflow.json` screens it. */
type ScreenedWallet = WalletRow & { readonly alert: Alert };

/**
 * Screens the wallets of `workflow.json` with its nodes, and prints the results.
 *
 * @throws an Error with the words of the node that failed
 */
export async function presentList(engine: Engine, credential: Credential): Promise<void> {
	const items = await reportProgress(`Screening ${wallets.length} wallets`, () =>
		runNode('Screen Each Address', wallets, engine, credential),
	);
	const screened = items.map(({ json }) => json as unknown as ScreenedWallet);
	printTable(screened);
	const riskiest = screened.reduce((one, other) => (other.score > one.score ? other : one));
	const [download] = await runNode(
		'Download Its PDF Report',
		[{ ...riskiest }],
		engine,
		credential,
	);
	const pdf = download!.binary!.data!;
	await presentAlert(riskiest.alert, pdf.fileName!, await engine.bytes(pdf));
}

/** Runs one node of `workflow.json` on these items. @returns its output */
async function runNode(
	node: string,
	input: IDataObject[],
	engine: Engine,
	{ name, type }: Credential,
): Promise<INodeExecutionData[]> {
	const credentials = { [type]: { id: name, name } };
	const nodes = [start, { ...nodeNamed(node), credentials }] as unknown as INode[];
	const toNode = { main: [[{ node, type: 'main' as const, index: 0 }]] };
	const connections = { [start!.name]: toNode };
	const { error, items } = await engine.run({ nodes, connections }, { input });
	if (error) throw new Error(`The workflow failed: ${error.message}. ${error.description ?? ''}`);
	return items[0] ?? [];
}

function printTable(screened: readonly ScreenedWallet[]): void {
	const { stdout } = process;
	console.log(`\n${tableOf(screened, stdout.isTTY && stdout.hasColors())}\n`);
	const count = (wanted: string) => screened.filter(({ outcome }) => outcome === wanted).length;
	const counts = `${count('allow')} to allow, ${count('review')} to review, ${count('block')} to block`;
	console.log(`${screened.length} reports: ${counts}.\n`);
}

/** Prints an alert, and saves it beside the PDF of its report. */
async function presentAlert(alert: Alert, pdfName: string, pdf: Buffer): Promise<void> {
	const { text, html, slackBlocks } = alert;
	const [mail, slack, report] = await save([
		['alert.html', html],
		['alert.slack.json', JSON.stringify(slackBlocks, null, 2)],
		[pdfName, pdf],
	]);
	console.log(`The alert on the riskiest wallet:

${text.trim().replaceAll(/^(?=.)/gm, '  ')}

  As an e-mail      ${mail}
  As Slack blocks   ${slack}
  Its PDF report    ${report}

The sandbox ends with this demo. So the link in the alert leads nowhere: open the PDF report.`);
}

/** Writes files for people to open. @returns their paths, seen from the current folder */
async function save(files: ReadonlyArray<readonly [name: string, content: string | Buffer]>) {
	// Git ignores this folder, and file managers show it.
	const folder = join(projectFolder, 'demo-output');
	await mkdir(folder, { recursive: true });
	for (const [name, content] of files) await writeFile(join(folder, name), content);
	return files.map(([name]) => relative(process.cwd(), join(folder, name)));
}
