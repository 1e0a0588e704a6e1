import { type Deciding, decidingReader } from '../../n8n/decision';
import { decisionFields } from '../../n8n/decisionFields';
import { ofReports, ofRequests, options } from '../../n8n/options';
import type { Paired } from '../../n8n/items';
import { attempt, type Run, withRun } from '../../n8n/run';
import { allFailed, awaitOutcomes } from '../../service/bulk';
import type { Client } from '../../service/client';
import { ScreeningError } from '../../service/errors';
import type { Matched } from '../../service/results';
import type { Operation } from '../operation';
import { addressFields } from './addresses';
import { hint, ifAny } from './hint';
import { type Bulk, createOutcomes, inOrder, type Ordered, readBulk } from './lists';
import { createReportItems, type Timed } from './reports';
import { submitEach, type Submitted } from './submission';

export const screenAndWait: Operation = {
	option: {
		name: 'Screen and Wait',
		value: 'screenAndWait',
		action: 'Screen many addresses and wait',
		description:
			'Screen many addresses in bulk jobs of up to 1,000 and return their reports. For a single address use Address: Screen.',
	},
	fields: [
		...addressFields,
		...decisionFields,
		options(
			...[...ofRequests, ...ofReports],
			...(['checkAddresses', 'onlyNotGreen', 'pollInterval', 'timeout'] as const),
		),
	],
	async run(context) {
		const readDeciding = decidingReader(context);
		const screenAll = async (run: Run): Promise<Paired[]> => {
			const bulk = await readBulk(run, readDeciding);
			if (bulk.refused.length > 0 && !run.continueOnFail) return bulk.refused;
			const screened = await submitEach(
				run,
				bulk.lists,
				async (submitted) => await screen(run, submitted),
			);
			return pairedOf(run, bulk, screened);
		};
		return await withRun(context, screenAll, { isTimed: true });
	},
};

/** What became of the addresses of one submission. */
interface Screened extends Matched {
	client: Client;
	screenedAt: Date;
}

/** Waits for the job of a submission. Unless the user chose to continue, a failure in it is that of the node. */
async function screen(run: Run, submitted: Submitted): Promise<Screened> {
	const { client, addresses, outcome: job } = submitted;
	const { clock, deadline, options, signal, account } = run;
	const { pollInterval, timeout } = options;
	const waiting = { clock, deadline, pollInterval, when: `after ${timeout} minutes` };
	const matched = await attempt(
		async () => await awaitOutcomes(client, submitted, waiting),
		signal,
	);
	const settled =
		matched instanceof ScreeningError
			? allFailed(
					addresses,
					job instanceof ScreeningError ? job : matched.with({ job_id: job.job_id }),
				)
			: matched;
	const outcomes = [...settled.outcomes.values()];
	const reports = outcomes.filter((outcome) => !(outcome instanceof ScreeningError));
	account.reportsInJobs += reports.length;
	if (reports.length < outcomes.length) run.fail();
	return { ...settled, client, screenedAt: new Date() };
}

/** An outcome for each address that was asked for, in order. */
function pairedOf(run: Run, bulk: Bulk<Deciding>, screened: Screened[]): Paired[] {
	const outcomes = createOutcomes<Timed | ScreeningError>();
	for (const { client, outcomes: matched, screenedAt } of screened) {
		for (const [address, outcome] of matched) {
			const isReport = !(outcome instanceof ScreeningError);
			outcomes.set(client, address, isReport ? { report: outcome, screenedAt } : outcome);
		}
	}
	const itemOf = createReportItems(run);
	const paired: Ordered[] = [...bulk.refused];
	let green = 0;
	for (const entry of bulk.entries) {
		const found = outcomes.of(entry);
		// The end of the run leaves the addresses of a list that was not sent without an outcome.
		if (!found) continue;
		const { order, from, given } = entry;
		const outcome = itemOf(entry, found, given);
		if (outcome) paired.push({ order, from, outcome });
		else green++;
	}
	const sum = (name: 'unknown' | 'doubled') => screened.reduce((all, one) => all + one[name], 0);
	hint(run, bulk, paired, ifAny(green, 'green report', 'green reports', 'left out'), [
		...ifAny(sum('unknown'), 'result', 'results', 'ignored: their addresses were not in the list'),
		...ifAny(sum('doubled'), 'result', 'results', 'ignored: they repeat another result'),
	]);
	return inOrder(paired);
}
