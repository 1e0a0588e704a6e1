import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import type { Deciding } from '../n8n/decision';
import { toErrorItem } from '../n8n/nodeError';
import { isAllClear, type Origin, reportJson } from '../n8n/reportItem';
import { ScreeningError } from '../service/errors';
import { jobFailed, noResults, outcomeOf } from '../service/results';
import type { Completion } from '../service/shapes';
import type { Options } from './settings';

/** One item with all that was delivered. */
export function batchItem(body: unknown): INodeExecutionData {
	return { json: (Array.isArray(body) ? { results: body } : body) as IDataObject };
}

/** One item for each report, for each entry that is none, and for the failure of the job. */
export function reportItems(
	{ job_id = '', state, entries = [], body }: Completion,
	{ options, deciding, origin }: { options: Options; deciding: Deciding; origin: Origin },
): INodeExecutionData[] {
	const { json } = batchItem(body);
	const failed = (error: ScreeningError) => toErrorItem(error, 'trigger');
	const failures =
		state === 'failed' ? [failed(jobFailed({ job_id, state, entries, body: json }))] : [];
	if (entries.length === 0 && failures.length === 0) {
		return [(options.fetchResults ?? true) ? failed(noResults(job_id)) : { json }];
	}
	const retrievedAt = new Date();
	const outcomes = entries.map((entry) => outcomeOf(entry, entry.address, job_id));
	const kept = options.onlyNotGreen
		? outcomes.filter((one) => one instanceof ScreeningError || !isAllClear(one, deciding.policy))
		: outcomes;
	return [
		...failures,
		...kept.map((outcome) =>
			outcome instanceof ScreeningError
				? failed(outcome)
				: { json: reportJson({ report: outcome, retrievedAt }, deciding, options, origin) },
		),
	];
}
