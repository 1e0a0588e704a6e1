import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { seed } from '../../support/data/random';
import {
	type GeneratedAnswer,
	jobs,
	ownNames,
	styles,
	unfinishedJobs,
	usualNames,
	writeAnswer,
} from '../../support/unit/answerGenerator';
import { resultsByAddress, resultsIn } from '../../support/unit/jobResults';

const plain = new Reader();
const read = ({ body }: GeneratedAnswer, reader = plain) =>
	reader.readJob({ body: JSON.parse(JSON.stringify(body)), status: 200 }, 'job_1');

/** Calls the slow `expect` only for values that differ. */
const expectSame = (actual: unknown, expectedValue: unknown) =>
	isDeepStrictEqual(actual, expectedValue) || expect(actual).toEqual(expectedValue);

/**
 * Returns what the reader finds when it knows the addresses: the state, and for each address its
 * report, or null for an error.
 */
function readOutcomes(generated: GeneratedAnswer, reader = plain) {
	const job = read(generated, reader);
	if (job.state === 'running') return { state: job.state };
	const outcomes = resultsByAddress(generated.addresses, job);
	const reports = generated.addresses.map((address) => {
		const outcome = outcomes.get(address)!;
		return outcome instanceof ScreeningError ? null : outcome;
	});
	return { state: job.state, reports };
}

/** Returns the same as the generator knows it. */
function expected({ state, arrived }: GeneratedAnswer) {
	if (state === 'running') return { state };
	return {
		state,
		reports: arrived.map((report) => (state === 'complete' ? (report ?? null) : null)),
	};
}

const check = (numRuns: number, predicate: (job: GeneratedAnswer) => void, names = usualNames) =>
	fc.assert(
		fc.property(jobs, styles(names), (job, style) => predicate(writeAnswer(job, style))),
		{ seed, numRuns },
	);

describe(`jobs as services may write them (TEST_SEED=${seed})`, () => {
	it('gives each address of a job its own report or an error, in every style', () => {
		check(7000, (job) => expectSame(readOutcomes(job), expected(job)));
	});

	it('reads a service with names and words of its own once it has learnt them', () => {
		const { state, words } = ownNames;
		const taught = new Reader({ state, ...words });
		check(1500, (job) => expectSame(readOutcomes(job, taught), expected(job)), ownNames);
	});

	it('takes no word for complete that it has not learnt, and names it', () => {
		check(
			1000,
			(job) => {
				const { state, statedBy } = read(job);
				expectSame([state, statedBy.join().includes(job.word)], ['running', true]);
			},
			{ state: usualNames.state, words: ownNames.words },
		);
	});

	it('takes no unfinished job without a state for complete, whatever else it holds', () => {
		fc.assert(
			fc.property(unfinishedJobs, styles(ownNames), (job, style) => {
				for (const state of [null, style.state])
					expect(read(writeAnswer(job, { ...style, state })).state).toBe('running');
			}),
			{ seed, numRuns: 500 },
		);
	});

	it('finds every report without knowing the addresses, and says if there is an address without one', () => {
		check(1000, (generated) => {
			const job = read(generated);
			if (job.state !== 'complete') return;
			const outcomes = resultsIn(job);
			const reports = outcomes.filter((outcome) => !(outcome instanceof ScreeningError));
			expectSame(
				reports,
				generated.arrived.filter((report) => report),
			);
			// The caller itself reports an answer without any result.
			const isReported = outcomes.length > reports.length || outcomes.length === 0;
			expectSame(isReported || !generated.statesMissing, true);
		});
	});
});
