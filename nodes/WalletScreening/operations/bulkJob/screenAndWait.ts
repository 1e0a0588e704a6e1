import type { Paired } from '../../n8n/outcomes';
import { unlessAborted } from '../../n8n/time';
import { screenJob } from '../../service/bulk';
import type { Report } from '../../service/shapes';
import { ScreeningError } from '../../service/errors';
import { decisionFields } from '../decisionFields';
import { options } from '../fields';
import type { Operation } from '../operation';
import { reportJson } from '../output';
import { addressFields } from './addresses';
import { type BulkRun, count, eachJob, hint, inBulk } from './run';

export const screenAndWait: Operation = {
	option: {
		name: 'Screen and Wait',
		value: 'screenAndWait',
		action: 'Screen many addresses and wait',
		description: 'Screen any number of addresses in bulk jobs and give each input item its report',
	},
	fields: [
		...addressFields,
		...decisionFields(),
		options(
			'alertText',
			'concurrency',
			'maxRetries',
			'pollInterval',
			'requestTimeout',
			'simplify',
			'timeout',
		),
	],
	async run(context) {
		return await inBulk(context, screenAll);
	},
};

async function screenAll(run: BulkRun): Promise<Paired[]> {
	const { context, entries, jobs, jobIds, ending, screening } = run;
	const { client, clock, options: chosen } = screening;
	const outcomes = new Map<string, Report | ScreeningError>();
	let unknown = 0;
	let doubled = 0;

	await eachJob(run, async (addresses) => {
		const matched = await screenJob(client, addresses, {
			clock: {
				now: clock.now,
				sleep: async (ms) => await unlessAborted(clock.sleep(ms), [ending.signal]),
			},
			pollInterval: chosen.pollInterval,
			timeout: chosen.timeout,
			onJob(jobId) {
				jobIds.push(jobId);
				context.sendMessageToUI(
					`Bulk job ${jobId} (${jobIds.length} of ${jobs.length}): waiting for ${count(addresses.length, 'address', 'addresses')}`,
				);
			},
		});
		unknown += matched.unknown;
		doubled += matched.doubled;
		let failure: ScreeningError | undefined;
		for (const [address, outcome] of matched.outcomes) {
			outcomes.set(address, outcome);
			if (outcome instanceof ScreeningError) failure ??= outcome;
		}
		return failure;
	});

	const given = new Set<Report>();
	const paired = entries.flatMap(({ address, from }): Paired[] => {
		const outcome = address instanceof ScreeningError ? address : outcomes.get(address);
		// Only a job that was never begun, because an earlier one ends the node, leaves an address without an outcome.
		if (!outcome) return [];
		if (outcome instanceof ScreeningError) return [{ outcome, from }];
		// Items that share a report must not share its objects: a later node may change one of them.
		const report = given.has(outcome) ? structuredClone(outcome) : outcome;
		given.add(report);
		return [{ outcome: { json: reportJson(report, chosen, screening.rules.get(from)) }, from }];
	});
	hint(
		run,
		[
			...(unknown > 0
				? [`${count(unknown, 'result', 'results')} for addresses that were not sent ignored`]
				: []),
			...(doubled > 0
				? [`${count(doubled, 'second result', 'second results')} for an address ignored`]
				: []),
		],
		paired.filter(({ outcome }) => outcome instanceof ScreeningError).length,
	);
	return paired;
}
