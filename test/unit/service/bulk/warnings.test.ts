import { outcomesOf } from '../../../../nodes/WalletScreening/service/results';
import { parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { BTC, ETH, reportOf, SEGWIT } from './samples';

const results = [reportOf(ETH), reportOf(BTC)];
const notAll = { reports: [ETH, BTC], errors: ['missing_result'] };
const all = { reports: [ETH, BTC], errors: [] };

/** What a complete job with these fields says: the addresses with a report, and whether anything is amiss. */
function told(fields: object) {
	const job = parseJob({ job_id: 'j1', status: 'completed', results, ...fields }, 200, 'j1');
	const outcomes = outcomesOf(job.entries ?? [], 'j1').map(({ outcome }) => outcome);
	return {
		reports: outcomes.flatMap((one) => (one instanceof ScreeningError ? [] : one.address)),
		errors: outcomes.flatMap((one) => (one instanceof ScreeningError ? one.errorClass : [])),
	};
}

describe('beside results for all addresses', () => {
	it.each([
		'2 addresses were skipped',
		'Some addresses could not be screened',
		'Results are incomplete',
		'One result was skipped',
		'One check was skipped',
		'A partial result',
		'PARTIAL_RESULTS',
		'sanctions source timed out',
		'The OFAC list is unavailable',
		"darknet data wasn't available",
		'The mixer check failed',
		'missing data of 1 provider',
		`${SEGWIT}: unsupported`,
		`Sanctions not checked for ${ETH}`,
	])('a warning is heard: %s', (text) => {
		for (const warnings of [text, [text], [{ code: 7, message: text }], { items: [{ text }] }])
			expect(told({ warnings })).toEqual(notAll);
		expect(told({ warning: text })).toEqual(notAll);
		expect(told({ meta: { issues: [text] } })).toEqual(notAll);
	});

	it.each([
		'slow chain',
		'Field chain is deprecated',
		'2 duplicate addresses were skipped',
		'No results of this service will be available on Sunday',
		'The address is not in checksum form',
		'The chain is missing, ETH was assumed',
		'The USD price is unavailable',
		'The data of one transaction is incomplete',
		'',
	])('a warning is no reason for alarm: %s', (text) => {
		for (const warnings of [text, [text], [{ code: 7, message: text }]])
			expect(told({ warnings })).toEqual(all);
	});

	it('a warning is heard that has an address for its name', () => {
		expect(told({ warnings: { [SEGWIT]: 'late' } })).toEqual({
			...notAll,
			errors: ['invalid_response'],
		});
		expect(told({ warnings: { [ETH]: 'late' } })).toEqual(all);
	});

	it('nothing is read from what is no warning, however it is nested', () => {
		let deep: unknown = 'Results are incomplete';
		for (let at = 0; at < 50_000; at++) deep = [deep];
		for (const nothing of [null, 7, true, [null], [[7]], { text: null }, deep])
			expect(told({ warnings: nothing, sources: nothing, checks: nothing })).toEqual(all);
	});

	it('an address in a warning explains the warning', () => {
		const failed = { address: SEGWIT, error: 'timed out' };
		expect(
			told({ results: [...results, failed], warnings: ['1 address could not be screened'] }),
		).toEqual({ ...notAll, errors: ['invalid_response'] });
	});

	it.each<[object]>([
		[{ degraded: true }],
		[{ summary: { is_degraded: 'true' } }],
		[{ preview: true }],
		[{ timed_out: true }],
		[{ data_quality: 'partial' }],
		[{ completeness: 'incomplete' }],
		[{ outcome: 'partial_success' }],
		[{ sub_status: 'partial' }],
		[{ status_message: 'Completed with errors' }],
		[{ message: 'Partial results' }],
		[{ results_complete: false }],
		[{ all_addresses_processed: 'no' }],
		[{ fully_processed: false }],
		[{ remaining_results_url: 'https://service.example/2' }],
		[{ full_results_url: 'https://service.example/all' }],
		[{ has_additional_results: true }],
		[{ max_results_reached: true }],
		[{ n_failed: 1 }],
		[{ inconclusive: 1 }],
		[{ deferred_count: '1' }],
		[{ n_addresses: 3 }],
		[{ unique_addresses: 3 }],
		[{ row_count: 3 }],
		[{ address_cnt: 3 }],
		[{ count_total: 3 }],
		[{ flagged: [ETH] }],
		[{ high_risk_addresses: [ETH] }],
		[{ sanctioned_count: 1 }],
		[{ links: [{ relation: 'next', href: '/2' }] }],
		[{ links: [{ name: 'Next', url: '/2' }] }],
		[{ status: 207 }],
		[{ status: 'succeeded_with_issues' }],
		[{ status: 'COMPLETED_PARTIAL' }],
		[{ status: 'partially_done' }],
	])('%j says that something is missing', (beside) => {
		expect(told(beside)).toEqual(notAll);
	});

	it.each<[object]>([
		[{ results_url: 'https://service.example/j1.csv', download_url: 'https://service.example' }],
		[{ addresses: [{ address: ETH, chain: 'ETH' }, { address: BTC }] }],
		[{ wallets: [{ address: ETH, id: 1, status: 'completed' }], sources: { total: 2 } }],
		[{ completed: 1763632800, processed: 1763632800123 }],
		[{ thresholds: { green: 1, amber: 5, red: 8 } }],
		[{ pdf: { status: 'processing', message: 'pending' }, degraded: false, preview: [] }],
		[{ message: 'Job completed', outcome: 'success', data_quality: 'high', result: 'ok' }],
		[{ flagged: [], sanctioned: 0, fully_processed: true, max_results: 1000 }],
		[{ links: [{ name: 'self', url: '/1' }], all_results_url: null }],
		[{ progress: '2/2' }],
	])('%j says nothing of the kind', (beside) => {
		expect(told(beside)).toEqual(all);
	});

	it('an address that only the list of what was sent names is missing', () => {
		const addresses = [{ address: ETH }, { address: SEGWIT, chain: 'BTC' }];
		expect(told({ addresses })).toEqual({ ...notAll, errors: ['invalid_response'] });
	});

	it.each<[object]>([
		[{ error: 'unknown chain' }],
		[{ status: 'failed' }],
		[{ risk: null }],
		[{ report: null }],
	])('a list that says %j of an address contradicts its report', (said) => {
		const addresses = [{ address: ETH, ...said }, { address: BTC }];
		expect(told({ addresses }).reports).not.toContain(ETH);
	});
});

it('a job that does not say how far it is has a share of it done', () => {
	const stateOf = (progress: string) =>
		parseJob({ job_id: 'j1', status: null, progress, results }, 200, 'j1');
	expect(stateOf('1 of 2')).toMatchObject({ state: 'running', isStated: true });
	expect(stateOf('1/2')).toMatchObject({ state: 'running', isStated: true });
	expect(stateOf('2 / 2')).toMatchObject({ isStated: false });
});
