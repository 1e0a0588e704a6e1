import type { Saved, Workflow } from '../../../tools/host/workflow';
import { yearlySchedule } from './schedules';
import { type Changes, stage } from './stage';

/** The files of the workflows of cases, each after those that it calls. */
const caseWorkflows = [
	'sanctions-freeze',
	'sanctions-ticket',
	'sanctions-file',
	'sanctions-hit',
	'sanctions-hand-over',
	'our-screening',
] as const;
type CaseWorkflow = (typeof caseWorkflows)[number];

/**
 * Publishes the workflows of cases, and an *Our Screening* that hands hits over to them.
 *
 * @returns the workflows by the names of their files
 */
export async function publishCaseWorkflows(): Promise<Record<CaseWorkflow, Saved<Workflow>>> {
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
