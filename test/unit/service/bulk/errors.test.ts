import {
	jobFailed,
	jobTimeout,
	match,
	noResults,
	outcomesOf,
} from '../../../../nodes/WalletScreening/service/results';
import type { Job } from '../../../../nodes/WalletScreening/service/dialect/reader';
import type { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { BTC, ETH, jobIn } from './samples';

const job: Job = {
	...jobIn({ status: 'completed', note: 'as it came' }),
	job_id: 'job_7f3a',
};
const missing = match([ETH], {
	...job,
	entries: [{ address: BTC, report: undefined, value: 1 }],
}).outcomes.get(ETH) as ScreeningError;
const noReport = outcomesOf([{ address: ETH, report: undefined, value: 'none' }], job.job_id)[0]!
	.outcome as ScreeningError;

test.each([
	['job_failed', jobFailed(job), /job_7f3a ended without completing/, /submit them again/],
	[
		'job_timeout',
		jobTimeout(job, 'yet'),
		/job_7f3a is not complete yet/,
		/later makes no new screening request/,
	],
	['missing_result', noResults(job), /job_7f3a .*contains no results/, /vendor/],
	['missing_result', missing, /job_7f3a .*no result for this address/, /not screened/],
	['invalid_response', noReport, /no final report/, /not screened/],
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
