import { repeatError } from '../../../nodes/WalletScreening/answers/match';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { bitcoin, ethereum, sanctionedBitcoin } from '../../support/data/knownAddresses';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { statusError } from '../../../nodes/WalletScreening/client/statusErrors';
import { resultsByAddress, resultsIn, jobIn } from '../../support/unit/jobResults';
import { reportOf } from '../../support/unit/reports';

/** A complete job with these results. */
const jobOf = (results: unknown, more: object = {}) =>
	jobIn({ status: 'completed', results, ...more });

const noReport = (address: string, entry: unknown) =>
	expect.objectContaining({
		errorClass: 'invalid_response',
		details: { address, job_id: 'j1', entry },
	});

/** What a job says of something that is missing, and what the error shows of it. */
const gaps: Array<[because: string, more: object, entry: unknown]> = [
	['a source timed out', { errors: ['OFAC timed out'] }, 'OFAC timed out'],
	['it is partial', { partial: true }, { partial: true }],
	[
		'it ended with errors',
		{ status: 'completed_with_errors' },
		{ status: 'completed_with_errors' },
	],
	['a part of it has an error', { parts: { ofac: { error: 'timeout' } } }, { error: 'timeout' }],
	['a part of it was skipped', { parts: { ofac: { skipped: true } } }, { skipped: true }],
	['one source failed', { failed: [{ message: 'OFAC' }] }, { message: 'OFAC' }],
	['an error is of a part of it', { error: 'OFAC is down' }, { error: 'OFAC is down' }],
	['it was no success', { success: false }, { success: false }],
	[
		'an address failed, under another name',
		{ failed: { wallet: bitcoin, reason: 'no' } },
		{ failed: { wallet: bitcoin, reason: 'no' } },
	],
	['one source still runs', { pending: [{ source: 'OFAC' }] }, { source: 'OFAC' }],
];

describe('the outcome of each address of a complete job', () => {
	it('is missing_result, with the reason, if the job has no results at all, or more than the service sent', () => {
		for (const results of [[], {}, undefined, 7]) {
			expect(resultsByAddress([ethereum], jobOf(results)).get(ethereum)).toMatchObject({
				errorClass: 'missing_result',
				message: 'Bulk job j1 is complete, but contains no results',
				details: {
					address: ethereum,
					job_id: 'j1',
					body: expect.stringContaining('completed') as string,
				},
			});
		}
		for (const more of [{ total: 500 }, { next: '/2' }, { status: 'completed_with_errors' }]) {
			const outcomes = resultsByAddress(
				[ethereum, sanctionedBitcoin],
				jobOf([reportOf(sanctionedBitcoin)], more),
			);
			expect(outcomes.get(sanctionedBitcoin)).toEqual(reportOf(sanctionedBitcoin));
			expect(outcomes.get(ethereum)).toMatchObject({
				errorClass: 'missing_result',
				message: 'Bulk job j1 has more results than the service sent',
				description: expect.stringMatching(/not screened.*vendor/) as string,
				details: { address: ethereum, job_id: 'j1' },
			});
		}
	});

	it.each(gaps)(
		'is invalid_response for all if each has a report, and the job says that %s',
		(_because, more, entry) => {
			// An entry that states nothing explains no gap.
			const job = jobOf([reportOf(ethereum), null, reportOf(sanctionedBitcoin)], more);
			const outcomes = resultsByAddress([ethereum, sanctionedBitcoin], job);
			expect([...outcomes]).toEqual([
				[ethereum, noReport(ethereum, entry)],
				[sanctionedBitcoin, noReport(sanctionedBitcoin, entry)],
			]);
		},
	);

	it.each<[because: string, more: object, field: string]>([
		['a check was skipped', { skipped_checks: ['sanctions'] }, 'skipped_checks'],
		['a source failed', { failed_sources: ['OFAC'] }, 'failed_sources'],
		['sources are missing', { missing_sources: 2 }, 'missing_sources'],
		['it is provisional', { provisional: true }, 'provisional'],
		['its results are withdrawn', { withdrawn: true }, 'withdrawn'],
		['one of its sources failed', { sources: { ofac: 'failed' } }, 'sources'],
		['one of its sources waits', { sources: [{ status: 'ok' }, { status: 'pending' }] }, 'sources'],
		['sources had errors', { source_errors: ['OFAC timed out'] }, 'source_errors'],
	])(
		'is invalid_response for each report if the job says that %s, also beside a failed address',
		(_because, more, field) => {
			const failed = { address: sanctionedBitcoin, error: 'no source' };
			const job = jobOf([reportOf(ethereum), failed], more);
			const outcomes = resultsByAddress([ethereum, sanctionedBitcoin], job);
			expect(outcomes.get(ethereum)).toMatchObject({
				errorClass: 'invalid_response',
				message: expect.stringContaining(`'${field}' is`) as string,
			});
		},
	);

	it.each<[because: string, results: object[], more: object]>([
		['has no report', [reportOf(ethereum)], { partial: true }],
		[
			'failed',
			[reportOf(ethereum), { address: sanctionedBitcoin, error: 'no source' }],
			{ errors: ['no source'] },
		],
		[
			'is named in a map',
			[reportOf(ethereum)],
			{ failed: { [sanctionedBitcoin]: { reason: 'no source' } } },
		],
		[
			'is named',
			[reportOf(ethereum)],
			{ errors: [{ address: sanctionedBitcoin, message: 'no source' }] },
		],
	])(
		'is its report if what the job lacks is another address, which %s',
		(_because, results, more) => {
			expect(
				resultsByAddress([ethereum, sanctionedBitcoin], jobOf(results, more)).get(ethereum),
			).toEqual(reportOf(ethereum));
		},
	);

	it.each([
		['webhook', { error: 'timeout' }],
		['callback', { errors: ['timeout'] }],
		['notification', { failures: [{ status: 503 }] }],
		['delivery', { partial: true }],
		['pdf', { error: 'not rendered yet' }],
		['webhooks', [{ status: 'failed', error: 'timeout' }]],
	])('is its report beside a %s that failed', (name, failure) => {
		const job = jobOf([reportOf(ethereum)], { [name]: failure });
		expect(resultsByAddress([ethereum], job).get(ethereum)).toEqual(reportOf(ethereum));
	});

	it.each<[because: string, more: object]>([
		['in another list', { items: [{ address: ethereum, status: 'failed' }] }],
		['by a switch', { items: [{ address: ethereum, pending: true }] }],
		['in a map', { statuses: { [ethereum]: 'timeout' } }],
	])('is invalid_response if the answer states elsewhere that it failed: %s', (_because, more) => {
		const job = jobOf([reportOf(ethereum), reportOf(sanctionedBitcoin)], more);
		const outcomes = resultsByAddress([ethereum, sanctionedBitcoin], job);
		expect(outcomes.get(ethereum)).toMatchObject({
			errorClass: 'invalid_response',
			message: expect.stringContaining('contradictory results') as string,
		});
		expect(outcomes.get(sanctionedBitcoin)).toEqual(reportOf(sanctionedBitcoin));
	});

	it.each<[because: string, more: object]>([
		['it is done', { items: [{ address: ethereum, status: 'done' }] }],
		['its word may describe a customer', { customers: [{ wallet: ethereum, status: 'expired' }] }],
		['it is a case', { cases: [{ address: ethereum, status: 'pending' }] }],
		['it is a transfer', { transfers: [{ address: ethereum, status: 'failed' }] }],
		['it is of the past', { history: [{ address: ethereum, status: 'failed' }] }],
	])('is its report beside another list that states nothing against it: %s', (_because, more) => {
		const outcomes = resultsByAddress([ethereum], jobOf([reportOf(ethereum)], more));
		expect(outcomes.get(ethereum)).toEqual(reportOf(ethereum));
	});

	it('is its report beside an error that is about another address', () => {
		const errors = { 'addresses.1': ['The address is invalid.'] };
		const job = jobOf([reportOf(ethereum)], { success: false, errors });
		const outcomes = resultsByAddress([ethereum, sanctionedBitcoin], job);
		expect(outcomes.get(ethereum)).toEqual(reportOf(ethereum));
		expect(outcomes.get(sanctionedBitcoin)).toMatchObject({ errorClass: 'missing_result' });
	});

	it('is invalid_response if an object beside its report is not final, and only for it', () => {
		const results = [
			{ report: reportOf(ethereum), meta: { provisional: true } },
			{ report: reportOf(sanctionedBitcoin), meta: { provisional: false } },
		];
		const outcomes = resultsByAddress([ethereum, sanctionedBitcoin], jobOf(results));
		expect(outcomes.get(ethereum)).toMatchObject({
			errorClass: 'invalid_response',
			message: expect.stringContaining("'meta.provisional' is true") as string,
		});
		expect(outcomes.get(sanctionedBitcoin)).toEqual(reportOf(sanctionedBitcoin));
	});

	it('is its report beside an entry that states nothing', () => {
		const outcomes = resultsByAddress([ethereum], jobOf([null, {}, reportOf(ethereum)]));
		expect(outcomes.get(ethereum)).toEqual(reportOf(ethereum));
	});

	describe('of one account that two chains have (the legacy form and CashAddr)', () => {
		const legacy = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';
		const cashAddr = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';

		it('is the report in its own spelling, if both were asked for', () => {
			const red = reportOf(cashAddr, { risk: { ...reportOf(cashAddr).risk, level: 'red' } });
			const outcomes = resultsByAddress([legacy, cashAddr], jobOf([reportOf(legacy), red]));
			expect([...outcomes.values()]).toEqual([reportOf(legacy), red]);
			expect(resultsByAddress([legacy, cashAddr], jobOf([reportOf(legacy)]))).toEqual(
				new Map<string, unknown>([
					[legacy, reportOf(legacy)],
					[cashAddr, expect.objectContaining({ errorClass: 'missing_result' })],
				]),
			);
		});

		it('is there only if it names the chain, so that a list without a state goes on', () => {
			const body = { job_id: 'job_1', results: [reportOf(legacy)] };
			const stateFor = (addresses: string[]) =>
				new Reader().readJob({ body, status: 200 }, 'job_1', addresses).state;
			expect(stateFor([legacy, cashAddr])).toBe('running');
			expect(stateFor([cashAddr])).toBe('complete');
		});

		it('is the report in either spelling, if one was asked for', () => {
			const outcomes = resultsByAddress([cashAddr], jobOf([reportOf(legacy)]));
			expect(outcomes.get(cashAddr)).toEqual(reportOf(legacy));
		});
	});

	it.each<object>([
		{ error: { code: 'unsupported_chain', message: 'no' } },
		reportOf(ethereum, { risk: { score: '0.1' } }),
	])('is invalid_response, with the entry, if that holds no report of it: %j', (more) => {
		const entry = { ...more, address: ethereum };
		for (const results of [[entry], { [ethereum]: entry }]) {
			const outcomes = resultsByAddress([ethereum], jobOf(results));
			expect([...outcomes]).toEqual([[ethereum, noReport(ethereum, entry)]]);
		}
	});

	it('is invalid_response if the only failure names the address in a field of any name', () => {
		const failed = { wallet: ethereum, reason: 'a source was down' };
		const outcomes = resultsByAddress(
			[ethereum],
			jobOf([reportOf(ethereum)], { failed: [failed] }),
		);
		expect(outcomes.get(ethereum)).toMatchObject({
			errorClass: 'invalid_response',
			details: { entry: [reportOf(ethereum), failed] },
		});
	});

	it('is invalid_response if a failure names nothing but its counterparty', () => {
		const failed = { ref: 'b', counterparty: { address: bitcoin } };
		const job = jobOf([reportOf(ethereum)], { failed: [failed] });
		expect(resultsByAddress([ethereum], job).get(ethereum)).toMatchObject({
			errorClass: 'invalid_response',
			details: { entry: failed },
		});
	});

	it('is the error that names the address beside the results', () => {
		const error = { address: sanctionedBitcoin, message: 'no' };
		const outcomes = resultsByAddress(
			[ethereum, sanctionedBitcoin],
			jobOf([reportOf(ethereum)], { error }),
		);
		expect(outcomes.get(sanctionedBitcoin)).toEqual(noReport(sanctionedBitcoin, error));
	});

	it('is the first of several equal results', () => {
		const [first, second] = [
			reportOf(ethereum, { tx_count: 1 }),
			reportOf(ethereum, { tx_count: 2 }),
		];
		const other = reportOf(ethereum.toLowerCase(), { tx_count: 3 });
		const outcomes = resultsByAddress([ethereum], jobOf([first, second, other]));
		expect(outcomes.get(ethereum)).toBe(first);
	});

	it('is a report that comes twice, with its fields in another order', () => {
		const report = reportOf(ethereum);
		const risk = Object.fromEntries(Object.entries(report.risk).reverse());
		const outcomes = resultsByAddress([ethereum], jobOf([report, { ...report, risk }]));
		expect(outcomes.get(ethereum)).toEqual(report);
	});

	it('is invalid_response, with up to ten of them, if results contradict each other', () => {
		const green = reportOf(ethereum);
		const red = reportOf(ethereum, { risk: { level: 'red', score: 9.9 } });
		const [error, late] = ['busy', 'late'].map((text) => ({ address: ethereum, error: text }));
		for (const results of [
			[green, { ...red, address: ethereum.toLowerCase() }],
			[green, { ...green, chain: 'BSC' }],
			[green, error],
			[late, error],
		]) {
			for (const entry of [results, [...results].reverse()]) {
				const outcomes = resultsByAddress([ethereum], jobOf(entry));
				expect(outcomes.get(ethereum)).toEqual(noReport(ethereum, entry));
			}
		}
		const many = Array.from({ length: 11 }, (_, score) => reportOf(ethereum, { risk: { score } }));
		expect(resultsByAddress([ethereum], jobOf(many)).get(ethereum)).toEqual(
			noReport(ethereum, many.slice(0, 10)),
		);
	});

	it('is found under the name that stands for an address on some chains', () => {
		const [name, report] = ['alice.x', reportOf('alice.x')];
		expect([...resultsByAddress([name], jobOf({ [name]: report }))]).toEqual([[name, report]]);
	});

	it('is not touched by results for addresses that were not sent', () => {
		const results = [
			reportOf(sanctionedBitcoin),
			null,
			[],
			7,
			{ error: 'no address' },
			reportOf(ethereum),
		];
		const outcomes = resultsByAddress([ethereum, bitcoin], jobOf(results));
		const message = `Bulk job j1 is complete, but has no result for ${bitcoin}`;
		expect([...outcomes]).toEqual([
			[ethereum, reportOf(ethereum)],
			[bitcoin, expect.objectContaining({ errorClass: 'missing_result', message })],
		]);
	});
});

test('what went wrong with the whole job is the outcome of each address', () => {
	const known = { job_id: 'j1', body: expect.stringContaining('rep_') as string };
	const failed = jobIn({
		status: 'done',
		failed: true,
		results: [reportOf(ethereum), reportOf(sanctionedBitcoin)],
	});
	const locked = statusError(403, undefined);
	for (const [address, outcome] of resultsByAddress([ethereum, sanctionedBitcoin], failed)) {
		expect(outcome).toMatchObject({ errorClass: 'job_failed', details: { ...known, address } });
	}
	for (const { address, error } of repeatError([ethereum, sanctionedBitcoin], locked)) {
		expect(error).toMatchObject({ errorClass: 'forbidden', details: { address } });
	}
	expect(resultsIn(failed)).toMatchObject([{ errorClass: 'job_failed', details: known }]);
});

describe('the outcomes of a job whose addresses are unknown', () => {
	const outcomes = (results: unknown, more?: object) => resultsIn(jobOf(results, more));

	it('are two for one account on two chains that the spellings name, and both count', () => {
		const reports = [`eth:${ethereum}`, `bsc:${ethereum}`].map((address) => reportOf(address));
		expect(outcomes(reports, { total: 2 })).toEqual(reports);
	});

	it('say that there are no results, if a switch states the end', () => {
		const message = 'Bulk job j1 is complete, but contains no results';
		expect(resultsIn(jobIn({ done: true, results: [] }))).toMatchObject([{ message }]);
	});

	it('are one for each address, and one for each result without one', () => {
		const [one, other] = ['one', 'other'].map((error) => ({ error }));
		const results = [
			reportOf(ethereum),
			one,
			reportOf(ethereum.toLowerCase()),
			{ address: sanctionedBitcoin },
			other,
		];
		const nameless = expect.any(ScreeningError) as unknown;
		expect(outcomes(results)).toEqual([
			results[0],
			nameless,
			noReport(sanctionedBitcoin, results[3]),
			nameless,
		]);
	});

	it.each<[because: string, part: object]>([
		['has an error', { error: 'no source', results: [] }],
		['still runs', { status: 'queued', results: [] }],
	])('have an error more if a part of the list %s', (_because, part) => {
		const chains = [{ results: [reportOf(ethereum)] }, part];
		const job = new Reader().readDeliveredJob({ job_id: 'j1', chains });
		const details = { job_id: 'j1', entry: part };
		const error = expect.objectContaining({ errorClass: 'invalid_response', details });
		expect(resultsIn(job)).toEqual([error, reportOf(ethereum)]);
	});

	it('have an error for each address of a part that failed', () => {
		const part = { addresses: [bitcoin, sanctionedBitcoin], error: 'no source', results: [] };
		const chains = [{ results: [reportOf(ethereum)] }, part];
		const job = new Reader().readDeliveredJob({ job_id: 'j1', chains });
		const [first, ...errors] = resultsIn(job);
		expect(first).toEqual(reportOf(ethereum));
		expect(errors).toMatchObject(
			[bitcoin, sanctionedBitcoin].map((address) => ({
				message: expect.stringMatching(`${address}.*no source`) as string,
			})),
		);
	});

	it('have an error more for a text of no known format among the addresses of such a part', () => {
		const part = { addresses: [bitcoin, 'new-chain:7'], error: 'no source', results: [] };
		const chains = [{ results: [reportOf(ethereum)] }, part];
		const job = new Reader().readDeliveredJob({ job_id: 'j1', chains });
		const ofPart = job.results.filter(({ report }) => !report).map(({ value }) => value);
		expect(ofPart).toEqual([bitcoin, 'new-chain:7']);
		expect(resultsIn(job)).toHaveLength(3);
	});

	it('have an error if a delivery, which is the whole answer, is partial', () => {
		const job = new Reader().readDeliveredJob({
			delivery: { job_id: 'j1', partial: true, results: [reportOf(ethereum)] },
		});
		expect(resultsIn(job)[0]).toMatchObject({ errorClass: 'invalid_response' });
	});

	it('have none for an empty part of the list', () => {
		const chains = [{ results: [reportOf(ethereum)] }, { results: [] }];
		const job = new Reader().readDeliveredJob({ job_id: 'j1', chains });
		expect(resultsIn(job)).toEqual([reportOf(ethereum)]);
	});

	/** An address of Tron without a digit. */
	const withoutDigit = 'TBYSxPcWJyFCHMvkcweNqGGhBYvKcCeztn';

	describe.each([
		withoutDigit,
		'0.0.1234567',
		'0x1654653399040a61',
		'account_rdx12y7md4spfq5qy7e3mfjpa52937uvkxf0nmydsu5wydkkxw3qx6nghn',
		'alice.near',
		'ryjl3-tyaaa-aaaaa-aaaba-cai',
	])('with %s as a key beside addresses', (key) => {
		const reports = { [ethereum]: reportOf(ethereum), [bitcoin]: reportOf(bitcoin) };
		const failure = { error: 'no source' };

		it('have its report', () => {
			expect(outcomes({ ...reports, [key]: reportOf(key) })).toEqual(
				[ethereum, bitcoin, key].map((one) => reportOf(one)),
			);
		});

		it('have its report, which an entry may hold', () => {
			const wrapped = [ethereum, key].map((one) => [one, { result: reportOf(one) }] as const);
			expect(outcomes(Object.fromEntries(wrapped))).toEqual(
				expect.arrayContaining([ethereum, key].map((one) => reportOf(one))),
			);
		});

		it.each<[what: string, results: unknown, more: object, entry: unknown]>([
			['an object', { ...reports, [key]: failure }, {}, failure],
			[
				'an object beside the results',
				reports,
				{ failed: { [sanctionedBitcoin]: failure, [key]: failure } },
				failure,
			],
			[
				'an object with a state beside the results',
				reports,
				{ failed: { [sanctionedBitcoin]: failure, [key]: { status: 'failed', risk: null } } },
				{ status: 'failed', risk: null },
			],
			['a text', reports, { failed: { [sanctionedBitcoin]: 'no', [key]: 'no' } }, 'no'],
		])('have its failure, which is %s', (_what, results, more, entry) => {
			expect(outcomes(results, more)).toContainEqual(noReport(key, entry));
		});
	});

	it.each<[what: string, more: object]>([
		['a total', { total: 1 }],
		['an object about the job', { meta: { page: 1 } }],
		['an object of an unknown version', { 'v2.meta': { total: 1 } }],
		['a reference', { '@odata.context': { name: 'results' }, 'next-page': {} }],
	])('have nothing for %s in a map by address', (_what, more) => {
		expect(outcomes({ [ethereum]: reportOf(ethereum), ...more })).toEqual([reportOf(ethereum)]);
	});

	it('are none if the job in a map by address still runs', () => {
		const body = { [ethereum]: reportOf(ethereum), 'v2.job': { status: 'running' } };
		expect(new Reader().readDeliveredJob(body)).toMatchObject({ state: 'running', results: [] });
	});

	it.each([{ provisional: true }, { of: { provisional: true } }])(
		'are errors if what lies in a map by address makes all reports doubtful: %j',
		(meta) => {
			const results = { [ethereum]: reportOf(ethereum), 'v2.meta': meta };
			expect(outcomes(results)).toMatchObject([{ details: { address: ethereum } }]);
		},
	);

	it.each(['pending', 'failed', 'warming'])(
		'are judged one by one in a delivery that is only a list: one that is "%s" is an error',
		(status) => {
			const entry = { address: sanctionedBitcoin, status };
			const job = new Reader().readDeliveredJob([reportOf(ethereum), entry]);
			expect(resultsIn(job)).toEqual([
				reportOf(ethereum),
				expect.objectContaining({
					message: `The service answered with no final report for ${sanctionedBitcoin}: 'status' is "${status}"`,
					details: { address: sanctionedBitcoin, entry },
				}),
			]);
		},
	);

	it('name the only address that failed, whatever its field is called', () => {
		const failed = { wallet: sanctionedBitcoin, reason: 'no source' };
		expect(outcomes([reportOf(ethereum)], { failed: [failed] })).toEqual([
			reportOf(ethereum),
			noReport(sanctionedBitcoin, failed),
		]);
	});

	it.each<[how: string, failed: object]>([
		['as a list', { address: sanctionedBitcoin, errors: [{ source: 'OFAC', message: 'timeout' }] }],
		['as texts', { address: sanctionedBitcoin, reasons: ['timeout'] }],
		['beside a wallet', { wallet: sanctionedBitcoin, reasons: ['timeout'] }],
	])(
		'are an error for the only address that failed, if it gives its reasons %s',
		(_how, failed) => {
			const errors = [reportOf(ethereum), noReport(sanctionedBitcoin, failed)];
			expect(outcomes([reportOf(ethereum)], { failed: [failed] })).toEqual(errors);
		},
	);

	it.each([
		[[{ wallet: ethereum, error: 'no source' }]],
		[[ethereum, bitcoin].map((wallet) => ({ wallet, error: 'no source' }))],
	])('are the failures of a list without a report, under any name of an address: %j', (results) => {
		expect(outcomes(results)).toEqual(results.map((one) => noReport(one.wallet, one)));
	});

	it('are an error for the address of a map that gives its reasons as a list', () => {
		const failed = { errors: ['timeout'] };
		expect(outcomes([reportOf(ethereum)], { failed: { [sanctionedBitcoin]: failed } })).toEqual([
			reportOf(ethereum),
			noReport(sanctionedBitcoin, failed),
		]);
	});

	it.each<[what: string, failed: unknown, addresses: string[]]>([
		[
			'inside of another',
			[{ address: bitcoin, related: [{ address: sanctionedBitcoin }] }],
			[bitcoin, sanctionedBitcoin],
		],
		[
			'of one reason',
			[{ reason: 'timeout', of: [{ address: bitcoin }, { address: sanctionedBitcoin }] }],
			[bitcoin, sanctionedBitcoin],
		],
	])('are errors for all failed addresses %s', (_what, failed, addresses) => {
		const errors = outcomes([reportOf(ethereum)], { failed }).slice(1);
		const named = new Set(errors.map((one) => 'details' in one && one.details.address));
		expect([...named]).toEqual(addresses);
	});

	it('are errors if a source failed beside an address: any report may lack it', () => {
		const failed = [[{ address: sanctionedBitcoin }, { source: 'OFAC' }]];
		expect(outcomes([reportOf(ethereum)], { failed })[0]).toMatchObject({
			details: { address: ethereum, entry: { source: 'OFAC' } },
		});
	});

	const hash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

	it.each([
		['an ID may look like an address', { id: hash, wallet: sanctionedBitcoin }],
		['a counterparty is another', { counterparty: bitcoin, wallet: sanctionedBitcoin }],
		['so is its wallet', { counterparty_wallet: bitcoin, query: sanctionedBitcoin }],
		['a name with both is that of an ID', { wallet_id: hash, custom_id: sanctionedBitcoin }],
		['an account may be digits only', { account: hash }],
	])('name the address of a failure, and nothing else in it: %s', (_because, failed) => {
		const address = 'account' in failed ? hash : sanctionedBitcoin;
		expect(outcomes([reportOf(ethereum)], { failed: [failed] })).toEqual([
			reportOf(ethereum),
			noReport(address, failed),
		]);
	});

	it('are errors if all that a failure names is a request: any report may lack a source', () => {
		const errors = [{ message: 'OFAC timed out', request: hash }];
		expect(outcomes([reportOf(ethereum)], { errors })).toEqual([
			noReport(ethereum, errors[0]),
			expect.objectContaining({ details: { job_id: 'j1', entry: errors[0] } }),
		]);
	});

	it('are none for an address in a list inside of a result', () => {
		const counterparties = [{ address: sanctionedBitcoin }];
		expect(outcomes([{ report: reportOf(ethereum), counterparties }])).toEqual([
			reportOf(ethereum),
		]);
	});

	it.each(gaps)(
		'are errors if the job says that %s: any report may lack a source',
		(_because, more, entry) => {
			expect(outcomes([reportOf(ethereum)], more)[0]).toMatchObject({
				errorClass: 'invalid_response',
				details: { address: ethereum, entry },
			});
			const errors = outcomes([reportOf(ethereum)], more);
			expect(errors.every((error) => error instanceof ScreeningError)).toBe(true);
		},
	);

	it.each([{ pages: 2 }, { links: [{ rel: 'next', href: '/2' }] }])(
		'end with an error if there are more results: %j',
		(more) => {
			const [report, rest, ...others] = outcomes([reportOf(ethereum)], more);
			expect(report).not.toBeInstanceOf(ScreeningError);
			expect(rest).toMatchObject({ errorClass: 'missing_result', details: { job_id: 'j1' } });
			expect(others).toEqual([]);
		},
	);
});
