import type { IDataObject } from 'n8n-workflow';
import { until } from '../../tools/host/until';
import { numberedAddress } from '../support/data/addresses';
import { publishAuditPack, requestPack } from '../support/templates/auditPack';
import { table } from '../support/templates/dataTable';
import { callWorkflow } from '../support/templates/foundation';
import { readPage } from '../support/templates/page';
import { logInOwner, type Person } from '../support/templates/person';
import { openPolicyForm, previewPolicy, publishDraftForm } from '../support/templates/policyForms';
import { yearlySchedule, stage, untilQuiet } from '../support/templates/stage';
import {
	type CustomerWorkflows,
	expectReports,
	nightSize,
	runNight,
	withCustomerWorkflows,
} from './customersStage';
import { formatCount, type Row } from './row';
import { describeTimed, measureTime } from './timed';

/* The sizes are numbers of rows. */

/** Each table that the pages read. */
const tableSize = 2 * nightSize;
/** The part of the log that the audit pack is about. */
const packSize = 4000;
/** The newest decisions of the log, on which the form of a policy tries a draft. */
const previewSize = 5000;
const payoutSize = 3000;
/** The long list, which is submitted in parts of 1,000 rows. */
const listSize = 10_000;
/** The addresses of one call of *Our Screening*. */
const batchSize = 2000;

/* The addresses of these lists begin at these numbers, so that no other table has them. */
const firstPayoutNumber = 20_000;
const firstListNumber = 30_000;

/**
 * Measures rows about pages, forms and lists in an n8n whose tables are as long as the log after
 * two nights of `nightSize` customers.
 */
export async function largeTableRows(): Promise<Row[]> {
	return await withCustomerWorkflows('bench-large-tables', {}, async ({ screening }) => {
		const person = await logInOwner();
		for (let from = 0; from < tableSize; from += batchSize) {
			expectReports(await callWorkflow(screening, batchFrom(from)), batchSize);
		}
		return [
			...(await pageRows()),
			await packRow(person),
			await policyRow(person, tableSize),
			await longListRow(),
			// This one is the last, because it logs more results.
			await payoutRow(person),
		];
	});
}

/** Returns the input of one call of *Our Screening*, with the addresses from this number on. */
const batchFrom = (from: number): IDataObject[] =>
	Array.from({ length: batchSize }, (_, index) => ({
		address: numberedAddress(from + index),
		reference: from + index < packSize ? 'Pack' : `C-${from + index}`,
	}));

/**
 * Measures rows about n8n in queue mode with PostgreSQL. n8n's own settings decide when a worker
 * counts as dead.
 */
export async function queueTableRows(): Promise<Row[]> {
	const environment = { OFFLOAD_MANUAL_EXECUTIONS_TO_WORKERS: 'true' };
	const cluster = { workers: 2, concurrency: 5 };
	return await withCustomerWorkflows(
		'bench-queue-tables',
		{ environment, cluster },
		async (workflows) => {
			const person = await logInOwner();
			const rows = [
				await nightRow(workflows),
				await policyRow(person, nightSize),
				await payoutRow(person),
			];
			await untilQuiet();
			const executions = await stage.n8n.executionsOf();
			const failed = executions.filter(({ status }) => !['success', 'waiting'].includes(status));
			if (failed.length > 0) throw new Error(`Executions ended badly: ${JSON.stringify(failed)}`);
			const ending = `all ${executions.length} executions that n8n kept ended well or wait`;
			return rows.map((row) => ({ ...row, measured: `${row.measured}; ${ending}` }));
		},
	);
}

/**
 * Measures the row about how long a person waits, and how long n8n gives no answer to others
 * meanwhile. There is nothing to compare it with.
 */
async function waitRow(name: string, act: () => Promise<unknown>, meaning: string): Promise<Row> {
	const measured = describeTimed(await measureTime(act));
	return { name, measured, against: '', ratio: undefined, meaning };
}

/** The time is that of the night alone, without that of storing its customers. */
async function nightRow(workflows: CustomerWorkflows): Promise<Row> {
	return {
		name: `The night of ${formatCount(nightSize)} customers`,
		measured: describeTimed(await runNight(workflows, nightSize)),
		against: '',
		ratio: undefined,
		meaning: 'The first night, in which all customers are new.',
	};
}

/** The pages, and the words for the open payments and cases on them. */
const pages = [
	{
		template: 'board',
		path: 'screening-board',
		shown: [`${tableSize} sanctions cases to answer`, `${tableSize} payments need approval`],
	},
	{
		template: 'cases',
		path: 'screening-cases',
		// The page shows the newest 300.
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
		rows.push(await waitRow(title, read, 'How long the page takes to open.'));
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
	return await waitRow(title, request, meaning);
}

/** @param resultCount the results in the log, at least `previewSize` */
async function policyRow(person: Person, resultCount: number): Promise<Row> {
	await publishDraftForm();
	const form = await openPolicyForm(person);
	const preview = async () => {
		const { words } = await previewPolicy(form, {
			rules: 'mixer at least 0.5: block',
			otherwise: 'Allow it, whatever its level',
			reason: 'Why',
		});
		if (!words.includes(`of ${previewSize} decisions`))
			throw new Error(`No preview on ${previewSize} decisions: ${words}`);
	};
	const title = `The preview of a policy, with ${formatCount(resultCount)} results in the log`;
	const meaning = `How long the form tries a draft on the newest ${formatCount(previewSize)} decisions.`;
	return await waitRow(title, preview, meaning);
}

async function payoutRow(person: Person): Promise<Row> {
	await stage.publishTemplate('screen-a-payout-run', {
		'When a Person Uploads a File': { webhookId: 'payout-run' },
	});
	const lines = Array.from(
		{ length: payoutSize },
		(_, index) => `R-${index};${numberedAddress(firstPayoutNumber + index)};1 ETH`,
	);
	const file = new File([['reference;address;amount', ...lines].join('\n')], 'run.csv');
	const form = await person.open('payout-run');
	const upload = async () => {
		const { words } = await form.send({ 'CSV file': file });
		if (!words.includes(`of ${payoutSize} rows`) || !words.includes('Not screened 0'))
			throw new Error(`No payout run of ${payoutSize} screened rows: ${words}`);
	};
	const title = `A payout run of ${formatCount(payoutSize)} rows`;
	return await waitRow(title, upload, 'How long a person waits for the two files.');
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
	return await waitRow(title, screen, meaning);
}
