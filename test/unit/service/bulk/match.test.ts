import fc from 'fast-check';

import { inJobs } from '../../../../nodes/WalletScreening/service/bulk';
import { isSettled, match } from '../../../../nodes/WalletScreening/service/results';
import { type Job, parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { addressesOf, BTC, ETH, reportOf, SEGWIT } from './samples';

/** A complete job with these results. */
const jobOf = (results?: unknown): Job =>
	parseJob({ job_id: 'j1', status: 'completed', ...(results !== undefined && { results }) }, 200);

const missing = (address: string) =>
	expect.objectContaining({
		errorClass: 'missing_result',
		known: { address, job_id: 'j1' },
	});
const noReport = (address: string, entry: unknown) =>
	expect.objectContaining({
		errorClass: 'invalid_response',
		known: { address, job_id: 'j1', entry },
	});

describe('the outcome of each address of a complete job', () => {
	it('is its report, whatever the order of the results', () => {
		const { outcomes, unknown, doubled } = match([ETH, BTC], jobOf([reportOf(BTC), reportOf(ETH)]));
		expect([...outcomes]).toEqual(
			expect.arrayContaining([
				[ETH, reportOf(ETH)],
				[BTC, reportOf(BTC)],
			]),
		);
		expect({ unknown, doubled, size: outcomes.size }).toEqual({ unknown: 0, doubled: 0, size: 2 });
	});

	it.each([
		['0x, in small letters', ETH, ETH.toLowerCase()],
		['0x, in capital letters', ETH.toLowerCase(), `0x${ETH.slice(2).toUpperCase()}`],
		['0X', ETH, ETH.toUpperCase()],
		['bech32, in capital letters', SEGWIT, SEGWIT.toUpperCase()],
		['bech32, in small letters', SEGWIT.toUpperCase(), SEGWIT],
		['bech32 of Litecoin', 'LTC1QR07ZU594QF63XM7L7', 'ltc1qr07zu594qf63xm7l7'],
	])('is found under another spelling: %s', (_what, sent, answered) => {
		const report = reportOf(answered);
		for (const results of [[report], { [answered]: report }]) {
			const { outcomes, unknown, doubled } = match([sent], jobOf(results));
			expect(outcomes.get(sent)).toBe(report);
			expect([outcomes.size, unknown, doubled]).toEqual([1, 0, 0]);
		}
	});

	it.each([
		['base58', BTC, BTC.toLowerCase()],
		['base58 of Tron', 'TMuA6YqfCeX8EhbfYEg5y7S4DqzSJireY9', 'tmua6yqfcex8ehbfyeg5y7s4dqzsjirey9'],
		['not hexadecimal', '0xNotHex', '0xnothex'],
		['no bech32 after the prefix', 'bc1Obi', 'bc1obi'],
		['an unknown format', 'Alice.eth', 'alice.eth'],
	])('is not that of another address that only looks alike: %s', (_what, sent, answered) => {
		const { outcomes, unknown } = match([sent], jobOf([reportOf(answered)]));
		expect([...outcomes]).toEqual([[sent, missing(sent)]]);
		expect(unknown).toBe(1);
	});

	it('is not that of an address with white space around it', () => {
		const { outcomes, unknown } = match([ETH], jobOf([reportOf(` ${ETH}`)]));
		expect([...outcomes]).toEqual([[ETH, missing(ETH)]]);
		expect(unknown).toBe(1);
	});

	it('is missing_result if the job has none for it, or none at all', () => {
		expect(match([ETH, BTC], jobOf([reportOf(BTC)])).outcomes.get(ETH)).toEqual(missing(ETH));
		for (const results of [[], {}]) {
			const { outcomes, unknown, doubled } = match([ETH, BTC], jobOf(results));
			expect([...outcomes]).toEqual([
				[ETH, missing(ETH)],
				[BTC, missing(BTC)],
			]);
			expect([unknown, doubled]).toEqual([0, 0]);
		}
	});

	it('is missing_result, with what the job is, if its results are not to be found', () => {
		for (const results of [undefined, null, 7]) {
			const { outcomes, unknown, doubled } = match([ETH], jobOf(results));
			expect(outcomes.get(ETH)).toMatchObject({
				errorClass: 'missing_result',
				message: 'Bulk job j1 is complete, but contains no results',
				known: { address: ETH, job_id: 'j1', body: expect.stringContaining('completed') },
			});
			expect([unknown, doubled]).toEqual([0, 0]);
		}
	});

	it('is missing_result that says so if the service has more results than it sent', () => {
		for (const more of [{ total: 500 }, { next_cursor: 'c2' }, { has_more: true }]) {
			const job = parseJob(
				{ job_id: 'j1', status: 'completed', results: [reportOf(BTC)], ...more },
				200,
			);
			const { outcomes, unknown, doubled } = match([ETH, BTC], job);
			expect(outcomes.get(BTC)).toEqual(reportOf(BTC));
			expect(outcomes.get(ETH)).toMatchObject({
				errorClass: 'missing_result',
				message: 'The service did not send all results of bulk job j1',
				description: expect.stringMatching(/not screened.*vendor/) as string,
				known: { address: ETH, job_id: 'j1' },
			});
			expect([unknown, doubled]).toEqual([0, 0]);
		}
	});

	it.each<[string, object, number?]>([
		['an error of the job', { error: 'sanctions provider was down' }],
		['a partial answer', { partial: true }],
		['more results', { has_more: true }],
		['a next page', { next: '/v1/bulk/j1?page=2' }],
		['a greater total', { total: 3 }],
		['a level that no report has', { summary: { green: 1, red: 1 } }],
		['the status 206', {}, 206],
		['a state with errors', { status: 'completed_with_errors' }],
	])('is its report, and the job is in doubt, beside %s', (_what, more, httpCode = 200) => {
		const results = [reportOf(ETH), reportOf(BTC)];
		const body = { job_id: 'j1', status: 'completed', results, ...more };
		const { outcomes, doubt } = match([ETH, BTC], parseJob(body, httpCode, 'j1'));
		expect([...outcomes.values()]).toEqual(results);
		expect(doubt).toMatchObject({
			errorClass: 'missing_result',
			message: 'The service did not send all results of bulk job j1',
		});
		expect(doubt!.known).toEqual({
			job_id: 'j1',
			entry: expect.objectContaining({ results: 2 }) as object,
		});
	});

	it('is not in doubt for a page that is full of what was sent', () => {
		const body = { job_id: 'j1', status: 'completed', page: 1, per_page: 2 };
		const job = parseJob({ ...body, results: [reportOf(ETH), reportOf(BTC)] }, 200);
		expect(match([ETH, BTC], job)).not.toHaveProperty('doubt');
		expect(match([ETH, BTC, SEGWIT], job).outcomes.get(SEGWIT)).toMatchObject({
			errorClass: 'missing_result',
			message: 'The service may not have sent all results of bulk job j1',
		});
		expect(isSettled([ETH, BTC], { ...job, isStated: false })).toBe(true);
		expect(isSettled([ETH, BTC, SEGWIT], { ...job, isStated: false })).toBe(false);
	});

	it('is the only sign of what is missing, if an address has no result', () => {
		const body = { job_id: 'j1', status: 'completed', total: 3 };
		const failed = { address: BTC, error: 'no' };
		const doubtOf = (results: unknown[]) =>
			match([ETH, BTC], parseJob({ ...body, results }, 200)).doubt;
		expect(doubtOf([reportOf(ETH)])).toBeUndefined();
		expect(doubtOf([reportOf(ETH), failed])).toMatchObject({ errorClass: 'missing_result' });
		expect(match([ETH], jobOf([reportOf(ETH)]))).not.toHaveProperty('doubt');
	});

	it('is not that of an entry without an address, whatever the address looks like', () => {
		const nameless = { risk: { level: 'green', score: 0 } };
		const { outcomes, unknown, doubled } = match(['undefined'], jobOf([nameless]));
		expect([...outcomes]).toEqual([['undefined', missing('undefined')]]);
		expect([unknown, doubled]).toEqual([1, 0]);
	});

	it.each<[string, object]>([
		['an error of its own', { error: { code: 'unsupported_chain', message: 'no' } }],
		['nothing', {}],
		['a report of another address', { report: reportOf(BTC) }],
		['a score that is a text', reportOf(ETH, { risk: { level: 'green', score: '0.1' } })],
		['a level that is missing', reportOf(ETH, { risk: { score: 0.1 } })],
	])('is invalid_response, with the entry, if that holds %s', (_what, more) => {
		const entry = { ...more, address: ETH };
		const { outcomes, unknown, doubled } = match([ETH], jobOf([entry]));
		expect([...outcomes]).toEqual([[ETH, noReport(ETH, entry)]]);
		expect([unknown, doubled]).toEqual([0, 0]);
	});

	it('is invalid_response if an object keyed by address holds no object', () => {
		for (const value of [null, 'clean', 0, [], reportOf(BTC)]) {
			const { outcomes } = match([ETH], jobOf({ [ETH]: value }));
			expect([...outcomes]).toEqual([[ETH, noReport(ETH, value)]]);
		}
	});

	it('is the first of several results that say the same, and the others are counted', () => {
		const [first, second] = [reportOf(ETH, { tx_count: 1 }), reportOf(ETH, { tx_count: 2 })];
		const other = reportOf(ETH.toLowerCase(), { tx_count: 3 });
		const { outcomes, unknown, doubled } = match([ETH], jobOf([first, second, other]));
		expect(outcomes.get(ETH)).toBe(first);
		expect([unknown, doubled]).toEqual([0, 2]);
	});

	it('is invalid_response, with all of them, if results contradict each other', () => {
		const green = reportOf(ETH);
		const red = { ...green, risk: { level: 'red', score: 9.9 } };
		const small = { ...red, address: ETH.toLowerCase() };
		const [error, late] = ['busy', 'late'].map((text) => ({ address: ETH, error: text }));
		for (const [one, other] of [
			[green, red],
			[green, small],
			[green, error],
			[late, error],
		]) {
			for (const results of [
				[one, other],
				[other, one],
			]) {
				const { outcomes, unknown, doubled } = match([ETH], jobOf(results));
				expect(outcomes.get(ETH)).toMatchObject({
					errorClass: 'invalid_response',
					known: { address: ETH, job_id: 'j1', entry: results },
				});
				expect([unknown, doubled]).toEqual([0, 0]);
			}
		}
	});

	describe('with reports on several chains', () => {
		const on = (chain: unknown, level: string, score: number, categories?: object) =>
			reportOf(ETH, { chain, risk: { level, score, ...(categories && { categories }) } });
		const outcomeOfAll = (results: unknown[]) => match([ETH], jobOf(results)).outcomes.get(ETH);

		it.each<[string, object, object]>([
			['a level that is not green', on('ETH', 'red', 7), on('BSC', 'green', 0.1)],
			['a level spelled otherwise', on('ETH', ' Red', 7), on('BSC', 'red', 5)],
			['a higher score', on('ETH', 'green', 0.3), on('BSC', 'green', 0.1)],
			['a higher category', on('ETH', 'x', 1, { scam: 0.2 }), on('BSC', 'x', 1, { scam: 0.1 })],
			['one category more', on('ETH', 'x', 1, { scam: 0.2 }), on('BSC', 'x', 1, {})],
			[
				'less of what is good',
				on('ETH', 'x', 1, { clean_exchange: 0.5 }),
				on('BSC', 'x', 1, { clean_exchange: 1.2 }),
			],
		])('is the one with %s, in whatever order', (_what, worse, better) => {
			for (const results of [
				[worse, better],
				[better, worse],
			]) {
				const { outcomes, unknown, doubled } = match([ETH], jobOf(results));
				expect(outcomes.get(ETH)).toBe(worse);
				expect([unknown, doubled]).toEqual([0, 1]);
			}
		});

		it.each<[string, object, object]>([
			['levels that are not green', on('ETH', 'red', 7), on('BSC', 'amber', 5)],
			['a green one with a higher score', on('ETH', 'red', 1), on('BSC', 'green', 2)],
			[
				'a green one with a higher category',
				on('ETH', 'red', 2, { scam: 0.1 }),
				on('BSC', 'green', 1, { scam: 0.2 }),
			],
			[
				'a category that is no number',
				on('ETH', 'red', 2, { scam: 0.1 }),
				on('BSC', 'green', 1, { scam: '0.01' }),
			],
			[
				'more of what is good',
				on('ETH', 'red', 2, { clean_exchange: 2 }),
				on('BSC', 'green', 1, { clean_exchange: 1 }),
			],
		])('is invalid_response if neither is the worst in everything: %s', (_what, one, other) => {
			for (const results of [
				[one, other],
				[other, one],
			]) {
				expect(outcomeOfAll(results)).toMatchObject({
					errorClass: 'invalid_response',
					message: expect.stringContaining('several chains') as string,
					known: { address: ETH, entry: results },
				});
			}
		});

		it('is invalid_response if two of them are of one chain, however it is spelled', () => {
			const all = [on('ETH', 'red', 7), on('BSC', 'green', 0.1), on(' bsc\u200b', 'green', 0.2)];
			expect(outcomeOfAll(all)).toMatchObject({
				errorClass: 'invalid_response',
				message: expect.stringContaining('contradict') as string,
			});
			expect(outcomeOfAll(all.slice(0, 2))).toBe(all[0]);
		});
	});

	it('is invalid_response if results are nested too deeply to be compared', () => {
		const deep = JSON.parse(`${'['.repeat(50_000)}${']'.repeat(50_000)}`) as unknown;
		const body = { job_id: 'j1', status: 'done', results: [{ address: ETH, deep }, reportOf(ETH)] };
		const job = parseJob({ ...body, items: [{ address: ETH, deep }] }, 200);
		expect(match([ETH], job).outcomes.get(ETH)).toMatchObject({ errorClass: 'invalid_response' });
	});

	it('is not touched by results for addresses that were not sent, which are counted', () => {
		const results = [reportOf(BTC), null, [], 7, { error: 'no address' }, reportOf(ETH)];
		const { outcomes, unknown, doubled } = match([ETH], jobOf(results));
		expect([...outcomes]).toEqual([[ETH, reportOf(ETH)]]);
		expect([unknown, doubled]).toEqual([5, 0]);
	});

	it('is there for an address that is named like a property of every object', () => {
		const names = ['__proto__', 'constructor', 'toString'];
		const results = JSON.parse(
			`{${names.map((name) => `"${name}":${JSON.stringify(reportOf(name))}`).join(',')}}`,
		) as object;
		const { outcomes } = match(names, jobOf(results));
		expect(names.map((name) => outcomes.get(name))).toEqual(names.map((name) => reportOf(name)));
		expect([...match(names, jobOf({})).outcomes]).toEqual(
			names.map((name) => [name, missing(name)]),
		);
	});
});

describe('any results for any addresses', () => {
	const hex = ['0xA1', '0xa1', '0XA1', '0xb2', '0xB2'];
	const bech32 = ['bc1qq', 'BC1QQ', 'bc1zz'];
	const base58 = ['1Aa', '1aA', 'TRx', 'trX'];
	const address = fc.constantFrom(...hex, ...bech32, ...base58);
	/** Written out here once more: the letters' case means nothing in these two formats only. */
	const sameAddress = (a: string, b: string) =>
		a === b ||
		(/^(0x|bc1)/i.test(a) && /^(0x|bc1)/i.test(b) && a.toLowerCase() === b.toLowerCase());

	const result = fc.oneof(
		{ weight: 5, arbitrary: address.map((value) => reportOf(value)) },
		{ weight: 2, arbitrary: address.map((value) => ({ address: value, error: 'no' }) as object) },
		{ weight: 1, arbitrary: fc.constantFrom(reportOf('elsewhere'), {}) as fc.Arbitrary<object> },
	);

	it('every address has one outcome, of its own, and every result is taken, doubled or unknown', () => {
		fc.assert(
			fc.property(
				fc.array(address, { maxLength: 12 }),
				// Each result is an object of its own, so that it is known again.
				fc.array(result, { maxLength: 16 }).map((results) => results.map((one) => ({ ...one }))),
				(sent, results) => {
					const addresses = inJobs(sent)[0] ?? [];
					const { outcomes, unknown, doubled } = match(addresses, jobOf(results));
					const taken = new Set<unknown>();

					// Spellings of one address go once, as the first of them is spelled.
					const first = sent.filter(
						(own, at) => !sent.slice(0, at).some((one) => sameAddress(one, own)),
					);
					expect([...outcomes.keys()]).toEqual(first);
					for (const [own, outcome] of outcomes) {
						const mine = results.filter(
							(one) => 'address' in one && sameAddress(one.address as string, own),
						);
						const failed = mine.filter((one) => 'error' in one);
						if (!(outcome instanceof ScreeningError)) {
							expect(outcome).toBe(mine[0]);
							expect(failed).toEqual([]);
							taken.add(outcome);
						} else if (outcome.errorClass === 'invalid_response') {
							expect(failed).not.toEqual([]);
							for (const entry of [outcome.known.entry].flat()) {
								expect(mine).toContain(entry);
								taken.add(entry);
							}
							if (failed.length < mine.length) expect(outcome.known.entry).toBeInstanceOf(Array);
						} else {
							expect(outcome).toEqual(missing(own));
							expect(mine).toEqual([]);
						}
					}
					const strangers = results.filter(
						(one) =>
							!('address' in one) || !sent.some((own) => sameAddress(one.address as string, own)),
					);
					expect(unknown).toBe(strangers.length);
					expect(doubled).toBe(results.length - strangers.length - taken.size);
				},
			),
			{ numRuns: 2000 },
		);
	});

	it('of several jobs, answered in any order: each address has its own report', () => {
		const all = addressesOf(2500);
		fc.assert(
			fc.property(
				fc.integer({ min: 0, max: 2500 }),
				fc.integer({ min: 1, max: 2499 }),
				fc.boolean(),
				(count, step, keyed) => {
					const sent = Array.from({ length: count }, (_, at) => all[(at * step) % 2500]!);
					const outcomes = new Map(
						inJobs(sent).flatMap((addresses) => {
							const reports = [...addresses].sort().map((one) => reportOf(one));
							const results = keyed
								? Object.fromEntries(reports.map((report) => [report.address, report]))
								: reports.reverse();
							const matched = match(addresses, jobOf(results));
							expect([matched.unknown, matched.doubled]).toEqual([0, 0]);
							return [...matched.outcomes];
						}),
					);
					for (const one of new Set(sent))
						expect(outcomes.get(one)).toMatchObject({ address: one });
					expect([...outcomes.keys()]).toEqual([...new Set(sent)]);
				},
			),
			{ numRuns: 20 },
		);
	});
});
