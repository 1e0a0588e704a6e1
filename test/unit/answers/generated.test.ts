import { isDeepStrictEqual } from 'node:util';
import fc from 'fast-check';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { resultsByAddress, resultsIn } from '../support/results';
import { seed } from '../../support/random';
import { type Generated, jobs, ownNames, styles, unfinished, usualNames, write } from './generator';

const plain = new Reader();
const read = ({ body }: Generated, reader = plain) =>
	reader.readJob({ body: JSON.parse(JSON.stringify(body)), status: 200 }, 'job_1');

/** `expect` alone would take most of the time. */
const same = (one: unknown, other: unknown) =>
	isDeepStrictEqual(one, other) || expect(one).toEqual(other);

/** What those get who know what they sent: the state, and for each address its report or null for an error. */
function settled(generated: Generated, reader = plain) {
	const job = read(generated, reader);
	if (job.state === 'running') return { state: job.state };
	const outcomes = resultsByAddress(generated.addresses, job);
	const reports = generated.addresses.map((address) => {
		const outcome = outcomes.get(address)!;
		return outcome instanceof ScreeningError ? null : outcome;
	});
	return { state: job.state, reports };
}

/** The reports that came, in the mind of the service; null for an error. */
function expected({ state, arrived }: Generated) {
	if (state === 'running') return { state };
	return {
		state,
		reports: arrived.map((report) => (state === 'complete' ? (report ?? null) : null)),
	};
}

const check = (numRuns: number, predicate: (job: Generated) => void, names = usualNames) =>
	fc.assert(
		fc.property(jobs, styles(names), (job, style) => predicate(write(job, style))),
		{ seed, numRuns },
	);

describe(`jobs as services may write them (TEST_SEED=${seed})`, () => {
	it('gives each address of a job its own report or an error, in every style', () => {
		check(7000, (job) => same(settled(job), expected(job)));
	});

	it('reads a service with names and words of its own once it has learnt them', () => {
		const { state, words } = ownNames;
		const taught = new Reader({ state, ...words });
		check(1500, (job) => same(settled(job, taught), expected(job)), ownNames);
	});

	it('takes no word for complete that it has not learnt, and names it', () => {
		check(
			1000,
			(job) => {
				const { state, statements } = read(job);
				same([state, statements.join().includes(job.word)], ['running', true]);
			},
			{ state: usualNames.state, words: ownNames.words },
		);
	});

	it('takes no unfinished job for complete that says nothing of its state, whatever else it holds', () => {
		fc.assert(
			fc.property(unfinished, styles(ownNames), (job, style) => {
				for (const state of [null, style.state])
					expect(read(write(job, { ...style, state })).state).toBe('running');
			}),
			{ seed, numRuns: 500 },
		);
	});

	it('leaves nothing unsaid for those who do not know what was sent', () => {
		check(1000, (generated) => {
			const job = read(generated);
			if (job.state !== 'complete') return;
			const outcomes = resultsIn(job);
			const reports = outcomes.filter((one) => !(one instanceof ScreeningError));
			same(
				reports,
				generated.arrived.filter((one) => one),
			);
			// That nothing came at all, says whoever asked.
			const isSaid = outcomes.length > reports.length || outcomes.length === 0;
			same(isSaid || !generated.saysThatMore, true);
		});
	});
});
