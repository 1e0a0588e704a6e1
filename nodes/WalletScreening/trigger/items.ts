import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { toErrorItem } from '../n8n/nodeError';
import { reportJson } from '../operations/output';
import { decide, type Rule } from '../risk/decision';
import { isGreen } from '../risk/level';
import { jobFailed, noResults, outcomeOf } from '../service/bulk';
import { ScreeningError } from '../service/errors';
import type { Completion } from '../service/jobs';
import type { Report } from '../service/schemas';
import type { Options } from './settings';

/** One item with all that was delivered. */
export function batchItem(body: unknown): INodeExecutionData {
	return { json: (Array.isArray(body) ? { results: body } : body) as IDataObject };
}

/** One item for each report, for each entry that is none, and for the failure of the job. */
export function reportItems(
	{ job_id = '', state, entries = [], body }: Completion,
	options: Options,
	rules: Rule[] | undefined,
): INodeExecutionData[] {
	const { json } = batchItem(body);
	const failures =
		state === 'failed' ? [toErrorItem(jobFailed({ job_id, state, entries, body: json }))] : [];
	if (entries.length === 0 && failures.length === 0) {
		return [(options.fetchResults ?? true) ? toErrorItem(noResults(job_id)) : { json }];
	}
	const outcomes = entries
		.map((entry) => outcomeOf(entry, entry.address, job_id))
		.filter((outcome) => !(options.onlyNotGreen && isAllClear(outcome, rules)));
	return [
		...failures,
		...outcomes.map((outcome) =>
			outcome instanceof ScreeningError
				? toErrorItem(outcome)
				: { json: reportJson(outcome, options, rules) },
		),
	];
}

/** A green report that a rule stops is none. */
function isAllClear(outcome: Report | ScreeningError, rules: Rule[] | undefined): boolean {
	if (outcome instanceof ScreeningError || !isGreen(outcome.risk.level)) return false;
	return !rules || decide(outcome, rules).outcome === 'allow';
}
