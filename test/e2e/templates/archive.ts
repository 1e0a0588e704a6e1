import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pdfOf } from '../../../sandbox/pdf';
import { reportOn } from '../../../sandbox/reports';
import template from '../../../templates/archive-pdf-reports.json';
import { greenAddress, sanctionedAddress } from './addresses';
import type { Stage } from './stage';

const day = /^\d{4}-\d\d-\d\d/;

/** The workflow that files the PDF reports of wallets. */
export function archiveTests(stageOf: () => Stage, { isN8n1 = false } = {}): void {
	let stage: Stage;
	beforeAll(() => {
		stage = stageOf();
	});
	afterEach(async () => {
		const files = await readdir(stage.filesFolder);
		await Promise.all(files.map(async (file) => await rm(join(stage.filesFolder, file))));
	});

	const file = async (wallets: string[], folder = stage.filesFolder) => {
		const jsonOutput = JSON.stringify({ folder, wallets });
		const changes = { 'Folder and Wallets': { parameters: { jsonOutput } } };
		const workflow = await stage.importTemplate(template, changes);
		const { status, data } = await stage.runFrom(workflow, 'When You Execute the Workflow');
		const files = (await readdir(stage.filesFolder)).sort();
		return { status, error: data.resultData.error?.message, files };
	};
	const reportOf = (address: string) => reportOn(address, undefined, stage.sandbox.baseUrl);
	const nameOf = (address: string) => {
		const { risk, report_id } = reportOf(address);
		return `_${risk.level}_${report_id}_${address}.pdf`;
	};

	test('files the report of each wallet under its date, level, ID and address', async () => {
		const wallets = [greenAddress, sanctionedAddress];
		const { status, files } = await file(wallets);
		expect(status).toBe('success');
		expect(files.map((name) => name.replace(day, ''))).toEqual(wallets.map(nameOf).sort());
		for (const name of files) {
			expect(name).toMatch(day);
			const address = wallets.find((wallet) => name.includes(wallet)) ?? '';
			const pdf = await readFile(join(stage.filesFolder, name));
			expect(pdf.equals(await pdfOf(reportOf(address)))).toBe(true);
		}
	});

	test('runs as it is shipped if the folder that it names is there', () => {
		const { parameters } = template.nodes.find(({ name }) => name === 'Folder and Wallets')!;
		const { folder, wallets } = JSON.parse(String(parameters.jsonOutput)) as {
			folder: string;
			wallets: string[];
		};
		// What n8n allows by default is `~/.n8n-files`; this is the home in its Docker image.
		expect(folder).toBe('/home/node/.n8n-files');
		expect(wallets.length).toBeGreaterThan(0);
	});

	test('files all others, and fails, when a report cannot be had', async () => {
		const lost = reportOf(sanctionedAddress).report_id;
		stage.sandbox.addFault({
			when: ({ path }) => path.includes(`${lost}/pdf`),
			effect: { kind: 'answer', status: 404 },
		});
		const { status, error, files } = await file([sanctionedAddress, greenAddress]);
		expect(files.map((name) => name.replace(day, ''))).toEqual([nameOf(greenAddress)]);
		expect(status).toBe('error');
		expect(error).toContain('Reports that were not filed');
		expect(error).toContain(sanctionedAddress);
	});

	test('names every wallet that was not filed, whatever kept it from that', async () => {
		const { status, error, files } = await file([greenAddress, 'two words'], '/nowhere/at/all');
		expect(files).toEqual([]);
		expect(status).toBe('error');
		expect(error).toContain('2 failed');
		expect(error).toContain(greenAddress);
		expect(error).toContain('contains a space');
	});

	test('no value of a report leads out of the folder', async () => {
		stage.sandbox.addFault({
			when: ({ path }) => path === '/v1/screen',
			effect: {
				kind: 'rewrite',
				rewrite: (report) => ({ ...report, risk: { ...report.risk, level: '../../../out/red' } }),
			},
		});
		const { status, files } = await file([greenAddress]);
		expect(status).toBe('success');
		expect(files).toEqual([
			expect.stringMatching(new RegExp(`_-out-red_rep_\\w+_${greenAddress}\\.pdf$`)),
		]);
	});

	// n8n 1 writes everywhere.
	if (!isN8n1) {
		test('fails in a folder that n8n may not write to', async () => {
			const { status, error } = await file([greenAddress], '/tmp');
			expect(status).toBe('error');
			expect(error).toMatch(/not allowed|not writable|access/i);
		});
	}
}
