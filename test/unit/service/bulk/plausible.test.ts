import fc from 'fast-check';

import { isSettled, match, outcomesOf } from '../../../../nodes/WalletScreening/service/results';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import type { Report } from '../../../../nodes/WalletScreening/service/report';
import { parseCompletion, parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import { plausible, type Plausible } from './plausible';

const isError = (outcome: unknown): outcome is ScreeningError => outcome instanceof ScreeningError;

/** Fails with the difference; comparing with `expect` ten thousand times takes ten times as long. */
function same(actual: unknown, expected: unknown) {
	if (JSON.stringify(actual) !== JSON.stringify(expected)) expect(actual).toEqual(expected);
}

const byAddress = (reports: Report[]) =>
	Object.fromEntries(reports.map((report) => [report.address, report]));

/** Of all results: the final reports and no other, each once; an error where something is missing, and else none. */
function holdsWhatIsTrue(
	outcomes: Array<Report | ScreeningError>,
	{ final, tellsOfMore }: Plausible,
) {
	const reports = outcomes.filter((one): one is Report => !isError(one));
	same(reports.map(({ address }) => address).sort(), final.map(({ address }) => address).sort());
	for (const report of reports) same(report, byAddress(final)[report.address]);
	same(outcomes.some(isError), tellsOfMore);
}

function isReadWell(made: Plausible) {
	const { body, addresses, final, state, tellsOfMore } = made;
	const job = parseJob(body, 200, 'j1');
	const reports = byAddress(final);
	const isWhole = final.length === addresses.length && !tellsOfMore;

	same(isSettled(addresses, job), state === 'complete' || (state === undefined && isWhole));
	if (state) same(job.state, state);
	else expect(job.isStated).toBe(false);
	if (state === 'running') same(job.entries, undefined);
	if (isSettled(addresses, job) || state === 'failed') {
		const { outcomes } = match(addresses, job);
		same([...outcomes.keys()], addresses);
		for (const [address, outcome] of outcomes) {
			same(isError(outcome) ? undefined : outcome, reports[address]);
		}
	}
	if (job.entries?.length) {
		holdsWhatIsTrue(
			outcomesOf(job.entries, 'j1').map(({ outcome }) => outcome),
			made,
		);
	}

	const completion = parseCompletion(Buffer.from(JSON.stringify(body)));
	same(completion?.job_id, 'j1');
	if (state === 'running') same(completion?.entries, undefined);
	else if (completion?.entries?.length) {
		holdsWhatIsTrue(
			outcomesOf(completion.entries, 'j1').map(({ outcome }) => outcome),
			made,
		);
	} else same(final, []);
}

// A run that fails prints its seed.
test('of any plausible body the final reports are read, nothing else, and nothing is missing in silence', () => {
	fc.assert(fc.property(plausible, isReadWell), { numRuns: 10_000 });
}, 300_000);
