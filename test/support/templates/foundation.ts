import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { yearlySchedule } from './schedules';
import { openStage, stage } from './stage';
import { quickExpressions } from '../n8n/environment';

/** What *Our Screening* stores in its table and gives to the workflow that calls it. */
export interface ScreeningResult extends IDataObject {
	reference: string;
	address: string;
	outcome: string;
	summary: string;
	report: string | null;
	reasons: string | null;
	evidence: string | null;
	error: string | null;
}

/** *Set Up*, the two workflows that all others call, and *Tell What Stops*. */
export let foundation: Record<'tables' | 'tell' | 'screening' | 'stops', Saved<Workflow>>;

/** Runs *Tell What Stops*, as n8n does every five minutes. */
export const tellWhatStops = async () =>
	await stage.runFrom(foundation.stops, 'Every Five Minutes');

/**
 * Opens the stage, makes the tables, and publishes the workflows that all others call, with those
 * that these call themselves.
 *
 * @param name the name of n8n's folder
 */
export async function setUp(name: string, environment?: Record<string, string>): Promise<void> {
	await openStage(name, { ...quickExpressions, ...environment });
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
export async function publishOurScreening(): Promise<
	Record<'tables' | 'tell' | 'screening', Saved<Workflow>>
> {
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
