import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { projectFolder } from '../host/paths';
import { step } from '../host/progress';
import type { DemoEngine } from './engine';
import { type Report, tableOf } from './table';
import workflow from './workflow.json';

const parametersOf = (name: string) =>
	workflow.nodes.find((node) => node.name === name)!.parameters;

/** The wallets that `workflow.json` screens, and who they belong to. */
export const wallets = (
	JSON.parse(parametersOf('Addresses to Screen').jsonOutput!) as {
		addresses: Array<{ address: string; note: string }>;
	}
).addresses;

interface Alert {
	readonly text: string;
	readonly html: string;
	readonly slackBlocks: object;
}

/** Writes files for people to open. @returns their paths, seen from the current folder */
async function save(files: ReadonlyArray<readonly [name: string, content: string | Buffer]>) {
	// Git ignores it, and file managers show it.
	const folder = join(projectFolder, 'demo-output');
	await mkdir(folder, { recursive: true });
	for (const [name, content] of files) await writeFile(join(folder, name), content);
	return files.map(([name]) => relative(process.cwd(), join(folder, name)));
}

/** Screens the wallets of `workflow.json` as it does, and shows what came of them. */
export async function presentList({ run, bytes }: DemoEngine): Promise<void> {
	const items = await step(`Screening ${wallets.length} wallets`, () =>
		run(parametersOf('Screen Each Address'), wallets),
	);
	const reports = items.map(({ json }) => json as unknown as Report & { alert: Alert });
	const { columns = Infinity, isTTY } = process.stdout;
	console.log(`\n${tableOf(reports, columns, isTTY && process.stdout.hasColors())}\n`);
	const count = (wanted: string) => reports.filter(({ outcome }) => outcome === wanted).length;
	const counts = `${count('allow')} to allow, ${count('review')} to review, ${count('block')} to block`;
	console.log(`${reports.length} reports: ${counts}.\n`);

	const riskiest = reports.reduce((one, other) => (other.score > one.score ? other : one));
	const [download] = await run(parametersOf('Download Its PDF Report'), [{ ...riskiest }]);
	const pdf = download!.binary!.data!;
	const { text, html, slackBlocks } = riskiest.alert;
	const [mail, slack, report] = await save([
		['alert.html', html],
		['alert.slack.json', JSON.stringify(slackBlocks, null, 2)],
		[pdf.fileName!, await bytes(pdf)],
	]);
	console.log(`The alert on the riskiest wallet:\n`);
	console.log(`${text.trim().replaceAll(/^(?=.)/gm, '  ')}\n`);
	console.log(`  As an e-mail      ${mail}`);
	console.log(`  As Slack blocks   ${slack}`);
	console.log(`  Its PDF report    ${report}\n`);
}
