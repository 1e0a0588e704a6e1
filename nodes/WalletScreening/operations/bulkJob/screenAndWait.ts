import { type Deciding, decidingReader, decisionFields } from '../../n8n/decision';
import { options } from '../../n8n/fields';
import type { Paired } from '../../n8n/items';
import { originOf, reportOutcome } from '../../n8n/reportItem';
import { awaitOutcomes } from '../../service/bulk';
import { ScreeningError } from '../../service/errors';
import type { Report } from '../../service/report';
import type { Operation } from '../operation';
import { addressFields } from './addresses';
import { type BulkRun, count, hint, inBulk, outcomeMap, submitAll } from './run';

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
	const { client, clock, deadline, entries, given, options: chosen } = run;
	const outcomes = outcomeMap<{ report: Report; screenedAt: Date } | ScreeningError>();
	const doubts = outcomeMap<ScreeningError>();
	let unknown = 0;
	let doubled = 0;

	await submitAll(run, async ({ addresses, outcome: job }) => {
		if (job instanceof ScreeningError) {
			for (const address of addresses) outcomes.set(address, job.with({ address }));
			return false;
		}
		const matched = await awaitOutcomes(
			client,
			{ addresses, job },
			{
				clock,
				deadline,
				pollInterval: chosen.pollInterval,
				when: `after ${chosen.timeout} minutes`,
			},
		);
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

	const origin = originOf(run.context);
	const used = new Set<Report>();
	let failures = 0;
	let green = 0;
	const paired = entries.flatMap(({ address, from }): Paired[] => {
		const outcome = address instanceof ScreeningError ? address : outcomes.get(address);
		// A list that was never sent, because an earlier one ended the node, leaves its addresses without an outcome.
		if (!outcome) return [];
		if (outcome instanceof ScreeningError) {
			failures++;
			// Another spelling of the address may have been sent.
			return [{ outcome: typeof address === 'string' ? outcome.with({ address }) : outcome, from }];
		}
		// Items must not share objects: a later node may change one of them.
		const report = used.has(outcome.report) ? structuredClone(outcome.report) : outcome.report;
		used.add(report);
		const received = { report, screenedAt: outcome.screenedAt };
		const item = reportOutcome(received, given[from] as Deciding, chosen, origin);
		if (!item) green++;
		if (item instanceof ScreeningError) failures++;
		return item ? [{ outcome: item, from }] : [];
	});
	const inDoubt = new Map<ScreeningError, number>();
	for (const { address, from } of entries) {
		const doubt = address instanceof ScreeningError ? undefined : doubts.get(address);
		if (doubt && !inDoubt.has(doubt)) inDoubt.set(doubt, from);
	}
	// After the items of the addresses, so that these stay in the order of the input.
	for (const [outcome, from] of inDoubt) paired.push({ outcome, from });
	const ignored = unknown + doubled;
	hint(
		run,
		[
			...(green > 0 ? [`${count(green, 'green report', 'green reports')} left out`] : []),
			...(unknown > 0
				? [`${count(unknown, 'result', 'results')} ignored: their addresses were not in the list`]
				: []),
			...(doubled > 0
				? [`${count(doubled, 'result', 'results')} ignored: they repeat another result`]
				: []),
			...(inDoubt.size > 0
				? [`${count(inDoubt.size, 'bulk job', 'bulk jobs')} with an error of its own`]
				: []),
		],
		failures,
		ignored + inDoubt.size > 0,
	);
	return paired;
}
