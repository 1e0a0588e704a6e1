import { mkdir, writeFile } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { projectFolder } from '../host/paths';
import { step } from '../host/progress';
import { addresses, bulkSummary } from './bulk';
import type { ListRun, Place } from './place';
import { findings, type Screening, screeningsOf, wallets } from './screenings';
import type { Service } from './service';
import { tableOf } from './table';

/** Git ignores it, and file managers show it. */
const folder = join(projectFolder, 'demo-output');

interface Alert {
	readonly text: string;
	readonly html: string;
	readonly slackBlocks: object;
}

/** Writes files for people to open. @returns their paths, seen from the current folder */
async function save({ riskiest, pdf }: ListRun, alert: Alert) {
	const files = {
		mail: [join(folder, 'alert.html'), alert.html],
		slack: [join(folder, 'alert.slack.json'), JSON.stringify(alert.slackBlocks, null, 2)],
		pdf: [join(folder, pdf.fileName), pdf.bytes],
	} as const;
	if (!pdf.bytes.subarray(0, 5).equals(Buffer.from('%PDF-'))) {
		throw new Error(`The PDF of report ${String(riskiest.json.report_id)} is not a PDF.`);
	}
	await mkdir(folder, { recursive: true });
	for (const [file, content] of Object.values(files)) await writeFile(file, content);
	const shown = (file: string) => relative(process.cwd(), file);
	return { mail: shown(files.mail[0]), slack: shown(files.slack[0]), pdf: shown(files.pdf[0]) };
}

function countsOf(screenings: readonly Screening[]): string {
	const countOf = (wanted: string) =>
		screenings.filter(({ decision }) => decision === wanted).length;
	return `${screenings.length} reports: ${countOf('allow')} to allow, ${countOf('review')} to review, ${countOf('block')} to block.`;
}

function report(wrong: readonly string[]): boolean {
	for (const finding of wrong) console.error(finding);
	return wrong.length === 0;
}

/** Screens the list and shows what came of it. Gives whether all of it is as it must be. */
async function presentList(place: Place): Promise<boolean> {
	const run = await step(`Screening ${wallets.length} wallets`, () => place.screenList());
	const screenings = screeningsOf(run.reports);
	const { columns = Infinity } = process.stdout;
	const colors = process.stdout.isTTY && process.stdout.hasColors();
	console.log(`\n${tableOf(screenings, { width: columns, colors })}\n\n${countsOf(screenings)}\n`);

	const alert = run.riskiest.json.alert as unknown as Alert;
	const files = await save(run, alert);
	console.log(`The alert on the riskiest wallet:\n`);
	console.log(`${alert.text.trim().replaceAll(/^(?=.)/gm, '  ')}\n`);
	console.log(`  As an e-mail      ${files.mail}`);
	console.log(`  As Slack blocks   ${files.slack}`);
	console.log(`  Its PDF report    ${files.pdf}\n`);
	return report(findings(screenings));
}

/** Screens the whole sanctions list in bulk and shows what came of it. Gives whether all of it is as it must be. */
async function presentBulk(place: Place): Promise<boolean> {
	const items = await step(
		`Screening ${addresses.length.toLocaleString('en')} addresses in bulk`,
		() => place.screenInBulk(),
	);
	const { text, wrong } = bulkSummary(items);
	console.log(`\n${text}\n`);
	return report(wrong);
}

/**
 * Runs the demo's workflows and shows what came of them; in bulk only if the service does not bill it.
 *
 * @returns whether all of it is as it must be
 */
export async function present(place: Place, service: Service): Promise<boolean> {
	const isListWell = await presentList(place);
	return (service.billed || (await presentBulk(place))) && isListWell;
}
