import {
	jobFailed,
	jobTimeout,
	match,
	noResults,
	outcomeOf,
} from '../../../../nodes/WalletScreening/service/results';
import { type Job, parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import type { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { ETH } from './samples';

const job: Job = parseJob({ job_id: 'job_7f3a', status: 'completed', note: 'as it came' }, 200);
const missing = match([ETH], { ...job, entries: [] }).outcomes.get(ETH) as ScreeningError;
const noReport = outcomeOf(
	{ address: ETH, report: undefined, value: 'none' },
	ETH,
	job.job_id,
) as ScreeningError;

test.each([
	['job_failed', jobFailed(job), /job_7f3a ended without completing/, /submit them again/],
	[
		'job_timeout',
		jobTimeout(job, 'yet'),
		/job_7f3a is not complete yet/,
		/later makes no new screening request/,
	],
	['missing_result', noResults(job.job_id), /job_7f3a .*contains no results/, /vendor/],
	['missing_result', missing, /job_7f3a .*no result for this address/, /not screened/],
	['invalid_response', noReport, /invalid risk report/, /not screened/],
] as Array<[string, ScreeningError, RegExp, RegExp]>)(
	'the error %s says what happened, how to get unstuck, and of which job',
	(errorClass, error, what, advice) => {
		expect(error).toMatchObject({ errorClass, known: { job_id: 'job_7f3a' } });
		expect(error.message).toMatch(what);
		expect(error.description).toMatch(advice);
	},
);

test.each([jobFailed(job), jobTimeout(job, 'yet')])(
	'the error $errorClass has what the service said',
	({ known }) => {
		expect(known.body).toContain('as it came');
	},
);
