import type { IDataObject } from 'n8n-workflow';
import { failureOf, itemsOf, type Saved, type Workflow } from '../../../tools/host/instance';
import { type PlainNode, startNode, workflowOf } from '../n8n/workflows';
import { table, where } from './dataTable';
import { type Changes, openStage, resourceLocator, stage, yearlySchedule } from './stage';

/** What *Our Screening* stores in its table and gives to the workflow that calls it. */
export interface Result extends IDataObject {
	reference: string;
	address: string;
	outcome: string;
	summary: string;
	report: string | null;
	reasons: string | null;
	evidence: string | null;
	error: string | null;
}

/** Returns a node that hands its items to a workflow. */
export const callTo = (called: Saved<Workflow>): PlainNode => ({
	name: 'Call',
	type: 'n8n-nodes-base.executeWorkflow',
	typeVersion: 1.2,
	parameters: { workflowId: resourceLocator('id', called.id), options: {} },
});

/**
 * Hands items to a workflow, as another workflow does.
 *
 * @returns the items that it gives back
 * @throws an error with the reason, if it fails
 */
export async function callWorkflow<T extends IDataObject>(
	called: Saved<Workflow>,
	items: IDataObject[],
): Promise<T[]> {
	const call = callTo(called);
	const pinData = { [startNode.name]: items.map((json) => ({ json })) };
	const caller = { ...workflowOf(`Calls ${called.name}`, startNode, call), pinData };
	const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow(caller));
	if (run.data.resultData.error) throw new Error(failureOf(run));
	return itemsOf(run, call.name).map(({ json }) => json as T);
}

/** Calls `work` while the newest policy cannot be read. */
export async function withBrokenPolicy(work: () => Promise<void>): Promise<void> {
	const policies = table('Screening Policies');
	const broken = { name: 'Broken', version: '9', policy: '{ "rules": [', changed_by: 'Ada' };
	await policies.insert(broken);
	try {
		await work();
	} finally {
		await policies.setAll({ policy: null }, where('name', broken.name));
	}
}

/** *Set Up*, the two workflows that all others call, and *Tell What Stops*. */
export let foundation: Record<'tables' | 'tell' | 'screening' | 'stops', Saved<Workflow>>;

/** Runs *Tell What Stops*, as n8n does every five minutes. */
export const tellWhatStops = async () =>
	await stage.runFrom(foundation.stops, 'Every Five Minutes');

/**
 * Opens the stage, makes the tables, and publishes the workflows that all others call, and what
 * these call themselves.
 */
export async function setUp(name: string, environment?: Record<string, string>): Promise<void> {
	await openStage(name, environment);
	foundation = {
		...(await publishOurScreening()),
		stops: await stage.importTemplate('tell-what-stops', { 'Every Five Minutes': yearlySchedule }),
	};
	// The first run makes the table.
	await tellWhatStops();
	stage.keepPublished();
}

/**
 * Makes the tables, and publishes *Our Screening* with the workflows that it calls. It opens no
 * cases.
 */
export async function publishOurScreening() {
	const tables = await stage.importTemplate('set-up');
	const deadlines = await stage.importTemplate('set-up-deadlines');
	for (const one of [tables, deadlines]) await stage.runFrom(one, 'Click Here Once');
	const tell = await stage.publishTemplate('tell-the-team', {
		'Every Morning': yearlySchedule,
		'Tell the Head of the Team': { parameters: { toEmail: 'head@example.com' } },
	});
	for (const file of ['screening-budget', 'reuse-and-budget']) await stage.publishTemplate(file);
	const screening = await stage.publishTemplate('our-screening', {
		'Hand Over': { disabled: true },
	});
	return { tables, tell, screening };
}

/** The number of hits that arrive at once. n8n has fewer connections to its database. */
export const hitsAtOnce = 12;

/**
 * Publishes the workflows of cases, and an *Our Screening* that hands hits over to them.
 *
 * @returns the workflows by the names of their files
 */
export async function publishCases(): Promise<Record<CaseWorkflow, Saved<Workflow>>> {
	const url = (path: string) => ({ parameters: { url: `${stage.team.url}${path}` } });
	const changes: Partial<Record<CaseWorkflow, Changes>> = {
		'sanctions-freeze': { 'Freeze the Account': url('/freeze') },
		'sanctions-ticket': { 'Open a Ticket': url('/tickets') },
		'sanctions-hit': { 'Every 15 Minutes': yearlySchedule },
		'sanctions-hand-over': { 'Every 15 Minutes': yearlySchedule },
	};
	const published: Array<[string, Saved<Workflow>]> = [];
	for (const file of caseWorkflows)
		published.push([file, await stage.publishTemplate(file, changes[file])]);
	return Object.fromEntries(published) as Record<CaseWorkflow, Saved<Workflow>>;
}

/** The files of these workflows, each after those that it calls. */
const caseWorkflows = [
	'sanctions-freeze',
	'sanctions-ticket',
	'sanctions-file',
	'sanctions-hit',
	'sanctions-hand-over',
	'our-screening',
] as const;
type CaseWorkflow = (typeof caseWorkflows)[number];
