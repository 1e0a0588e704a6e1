import { type Deciding, decidingReader, decisionFields } from '../../n8n/decision';
import { options } from '../../n8n/fields';
import type { Paired } from '../../n8n/items';
import { originOf, reportOutcome } from '../../n8n/reportItem';
import { awaitOutcomes } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import type { Report } from '../../service/report';
import type { Operation } from '../operation';
import { addressFields } from './addresses';
import { type BulkRun, hint, ifAny, inBulk, outcomeMap, submitAll } from './run';

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
		...decisionFields(),
		options(
			'alertText',
			'concurrency',
			'includeInputFields',
			'maxRetries',
			'onlyNotGreen',
			'pollInterval',
			'requestTimeout',
			'simplify',
			'timeout',
		),
	],
	async run(context) {
		return await inBulk(context, decidingReader(context), screenAll, { isTimed: true });
	},
};

async function screenAll(run: BulkRun<Deciding>): Promise<Paired[]> {
	const screened = await submitAndWait(run);
	const { unknown, doubled } = screened;
	const { paired, green } = reportsOf(run, screened);
	const doubts = doubtsOf(run, screened);
	hint(run, paired, ifAny(green, 'green report', 'green reports', 'left out'), [
		...ifAny(unknown, 'result', 'results', 'ignored: their addresses were not in the list'),
		...ifAny(doubled, 'result', 'results', 'ignored: they repeat another result'),
		...ifAny(doubts.length, 'bulk job', 'bulk jobs', 'with an error of its own'),
	]);
	// The doubts come after the items of the addresses, so that these stay in the order of the input.
	return [...paired, ...doubts];
}

type Screened = Awaited<ReturnType<typeof submitAndWait>>;

/** What the jobs gave: the outcomes of the addresses, and beside them what is wrong with a job, and results of no use. */
async function submitAndWait(run: BulkRun<Deciding>) {
	const { client, clock, deadline, options } = run;
	const { pollInterval, timeout } = options;
	const waiting = { clock, deadline, pollInterval, when: `after ${timeout} minutes` };
	const outcomes = outcomeMap<{ report: Report; screenedAt: Date } | ScreeningError>();
	const doubts = outcomeMap<ScreeningError>();
	let unknown = 0;
	let doubled = 0;
	await submitAll(run, async ({ addresses, outcome: job }) => {
		if (job instanceof ScreeningError) {
			for (const address of addresses) outcomes.set(address, job.with({ address }));
			return false;
		}
		const matched = await awaitOutcomes(client, { addresses, job }, waiting);
		unknown += matched.unknown;
		doubled += matched.doubled;
		const screenedAt = new Date();
		const { doubt } = matched;
		let isFine = !doubt;
		for (const [address, outcome] of matched.outcomes) {
			if (doubt) doubts.set(address, doubt);
			const isReport = !(outcome instanceof ScreeningError);
			outcomes.set(address, isReport ? { report: outcome, screenedAt } : outcome);
			isFine &&= isReport;
		}
		return isFine;
	});
	return { outcomes, doubts, unknown, doubled };
}

/** An outcome for each address that was asked for, in order, and how many reports were left out because they are green. */
function reportsOf(
	{ context, entries, given, options }: BulkRun<Deciding>,
	{ outcomes }: Screened,
): { paired: Paired[]; green: number } {
	const origin = originOf(context);
	const used = new Set<Report>();
	let green = 0;
	const paired = entries.flatMap(({ address, from }): Paired[] => {
		const outcome = address instanceof ScreeningError ? address : outcomes.get(address);
		// A list that was never sent, because an earlier one ended the node, leaves its addresses without an outcome.
		if (!outcome) return [];
		if (outcome instanceof ScreeningError) {
			// Another spelling of the address may have been sent.
			return [{ outcome: typeof address === 'string' ? outcome.with({ address }) : outcome, from }];
		}
		// Items must not share objects: a later node may change one of them.
		const report = used.has(outcome.report) ? structuredClone(outcome.report) : outcome.report;
		used.add(report);
		const received = { report, screenedAt: outcome.screenedAt };
		const item = reportOutcome(received, given[from] as Deciding, options, origin);
		if (!item) green++;
		return item ? [{ outcome: item, from }] : [];
	});
	return { paired, green };
}

/** The doubt about each job, with the first input item that has an address in it. */
function doubtsOf({ entries }: BulkRun<Deciding>, { doubts }: Screened): Paired[] {
	const firsts = new Map<ScreeningError, number>();
	for (const { address, from } of entries) {
		const doubt = address instanceof ScreeningError ? undefined : doubts.get(address);
		if (doubt && !firsts.has(doubt)) firsts.set(doubt, from);
	}
	return [...firsts].map(([outcome, from]) => ({ outcome, from }));
}
