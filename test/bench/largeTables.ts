import type { IDataObject } from 'n8n-workflow';
import { until } from '../../tools/host/until';
import { numberedAddress } from '../support/data/addresses';
import { publishAuditPack, requestPack } from '../support/templates/auditPack';
import { table } from '../support/templates/dataTable';
import { readPage } from '../support/templates/page';
import { stage, untilQuiet } from '../support/templates/stage';
import { expectReports, nightSize, withCustomerWorkflows } from './customersStage';
import { formatCount, type Row } from './row';
import { measureWait, payoutRow, policyRow } from './waits';
import { callWorkflow } from '../support/templates/workflowCalls';
import { yearlySchedule } from '../support/templates/schedules';
import { logInOwner } from '../support/templates/people';
import { type Person } from '../support/browser/person';

/* The sizes are numbers of rows. */

/** Each table that the pages read. */
const tableSize = 2 * nightSize;
/** The rows of the log that the audit pack is about. */
const packSize = 4000;
/** The long list, which is submitted in parts of 1,000 rows. */
const listSize = 10_000;
/** The number of the first address on the long list. No other table has these addresses. */
const firstListNumber = 30_000;
/** The addresses of one call of *Our Screening*. */
const batchSize = 2000;

/**
 * Measures rows about pages, forms and lists in an n8n whose tables are as long as the log after
 * two nights of `nightSize` customers.
 */
export async function largeTableRows(): Promise<Row[]> {
	return await withCustomerWorkflows('bench-large-tables', {}, async ({ screening }) => {
		const person = await logInOwner();
		for (let first = 0; first < tableSize; first += batchSize) {
			expectReports(await callWorkflow(screening, createBatch(first)), batchSize);
		}
		return [
			...(await pageRows()),
			await packRow(person),
			await policyRow(person, tableSize),
			await longListRow(),
			// It is the last one, because it adds results to the log.
			await payoutRow(person),
		];
	});
}

/** Returns the input of one call of *Our Screening*: the addresses from number `first` on. */
const createBatch = (first: number): IDataObject[] =>
	Array.from({ length: batchSize }, (_, index) => ({
		address: numberedAddress(first + index),
		reference: first + index < packSize ? 'Pack' : `C-${first + index}`,
	}));

/** The pages, and words that each shows if it has read its tables. */
const pages = [
	{
		template: 'board',
		path: 'screening-board',
		shown: [`${tableSize} sanctions cases to answer`, `${tableSize} payments need approval`],
	},
	{
		template: 'cases',
		path: 'screening-cases',
		// The page shows only the newest 300.
		shown: ['Sanctions cases (300)', 'Payments (300)'],
	},
];

async function pageRows(): Promise<Row[]> {
	for (const { template } of pages) await stage.publishTemplate(template);
	const payments = Array.from({ length: tableSize }, (_, index) => ({
		reference: `P-${index}`,
		address: numberedAddress(index),
		amount: '1 ETH',
		status: 'needs 1 person',
	}));
	await table('Screening Payments').insert(...payments);
	const cases = payments.map(({ reference, address }) => ({
		case_key: `${reference}|${address}`,
		reference,
		address,
		status: 'open',
	}));
	await table('Screening Cases').insert(...cases);
	const rows: Row[] = [];
	for (const { template, path, shown } of pages) {
		const read = async () => {
			const { status, words } = await readPage(path);
			const missing = shown.filter((part) => !words.includes(part));
			if (status !== 200 || missing.length > 0)
				throw new Error(`The page ${template} answered ${status}, without ${missing.join(', ')}`);
		};
		const title = `The page _${template}_, with ${formatCount(tableSize)} results, open payments and open cases`;
		rows.push(await measureWait(title, read, 'How long the page takes to open.'));
	}
	return rows;
}

async function packRow(person: Person): Promise<Row> {
	await publishAuditPack();
	const title = `The audit pack of ${formatCount(packSize)} results, of ${formatCount(tableSize)} in the log`;
	const request = async () => {
		const { words } = await requestPack(person, { reference: 'Pack' });
		const isWhole =
			words.includes(`Audit pack: ${packSize} results, 0 of them not screened`) &&
			words.includes('Each report is in it as a PDF');
		if (!isWhole) throw new Error(`No pack of ${packSize} results: ${words}`);
	};
	const meaning = 'How long an auditor waits for the pack, with each PDF.';
	return await measureWait(title, request, meaning);
}

async function longListRow(): Promise<Row> {
	const submit = await stage.importTemplate('screen-a-long-list', {
		'Every Minute': yearlySchedule,
	});
	const results = await stage.importTemplate('long-list-results', {
		'Every Minute': yearlySchedule,
		// It calls the workflow of sanctions hits, which is not on this stage.
		'Hand Over': { disabled: true },
	});
	const list = table('Screening List');
	const listRows = Array.from({ length: listSize }, (_, index) => ({
		address: numberedAddress(firstListNumber + index),
		reference: `L-${index}`,
	}));
	await list.insert(...listRows);
	const runBoth = async () => {
		await stage.runFrom(submit, 'Every Minute');
		await stage.runFrom(results, 'Every Minute');
		await untilQuiet(300_000);
		const outcomes = (await list.rows<IDataObject>()).map(({ outcome }) => outcome);
		if (outcomes.includes('not screened')) throw new Error('A row of the list was not screened');
		return outcomes.length === listSize && outcomes.every(Boolean) ? outcomes : undefined;
	};
	const screen = async () =>
		await until('the results of the list', runBoth, { timeoutMs: 2_400_000 });
	const title = `${formatCount(listSize)} rows of a long list, with ${formatCount(tableSize)} rows in each table`;
	const meaning =
		'Here the two workflows ran one after the other, and the bench read the list after each round. In use, each runs once a minute, so a list takes longer.';
	return await measureWait(title, screen, meaning);
}
