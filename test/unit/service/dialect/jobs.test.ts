import fc from 'fast-check';
import { createReader } from '../../../../nodes/WalletScreening/service/dialect/reader';
import { settle } from '../../../../nodes/WalletScreening/service/bulk';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { seed } from '../../../support/random';
import { reportBody } from '../../support/answers';

/*
 * Jobs as a service may write them where its specification shows no shape (sections 2.4, 3 and 4.4). Each is made from what is
 * true of it: how far it is, and what became of each address. The reader must find that and nothing else.
 */

type Fields = Record<string, unknown>;

const states = {
	complete: ['complete', 'completed', 'done', 'finished', 'ready', 'succeeded'],
	running: ['pending', 'queued', 'running', 'processing', 'in progress', 'scheduled'],
	failed: ['failed', 'cancelled', 'expired', 'error'],
	/** No list has these words. */
	unknown: ['hibernating', 'stage two', 'level', 'tranche'],
};
const spellings: Array<(words: string) => string> = [
	(words) => words,
	(words) => words.toUpperCase().replaceAll(' ', '_'),
	(words) => words.replaceAll(' ', '-'),
	(words) => words.replace(/(?:^| )(.)/g, (_, letter: string) => letter.toUpperCase()),
];

const addresses = fc
	.uniqueArray(fc.bigInt({ min: 2n ** 150n, max: 2n ** 160n - 1n }), { minLength: 1, maxLength: 6 })
	// Some chains have names in the place of addresses.
	.map((numbers) =>
		numbers.map((number) =>
			number % 4n === 0n
				? `wallet${number.toString(36).slice(-8)}.x`
				: `0x${number.toString(16).padStart(40, '0')}`,
		),
	);

const reportFor = (address: string) =>
	fc
		.record({
			level: fc.constantFrom('green', 'amber', 'red', 'severe', 'LOW'),
			score: fc.double({ min: 0, max: 1, noNaN: true }),
			sanctions: fc.double({ min: 0, max: 1, noNaN: true }),
		})
		.map(({ level, score, sanctions }) => {
			const others = { darknet: 0, mixer: 0.1, scam: 0, stolen: 0, clean_exchange: 1.2 };
			return reportBody({
				address,
				report_id: `rep_${address}`,
				risk: { level, score, categories: { sanctions, ...others } },
			});
		});

/** What became of an address, and the entry that says it; `undefined`: no entry mentions it. */
const fateOf = (address: string) =>
	fc.oneof(
		{ weight: 6, arbitrary: reportFor(address).map((sent) => ({ sent, entry: sent as Fields })) },
		{
			weight: 2,
			arbitrary: fc
				.tuple(reportFor(address), fc.constantFrom('report', 'result', 'data', 'screening'))
				.map(([sent, wrapper]) => ({
					sent,
					entry: { address, status: 'completed', error: null, [wrapper]: sent },
				})),
		},
		{
			weight: 2,
			arbitrary: fc.constantFrom<Fields>(
				{ address, status: 'failed', error: { code: 'unsupported', message: 'No such chain' } },
				{ address, error: 'not found' },
				{ address, report: null },
				{ address, status: 'pending', risk: null },
			),
		}.arbitrary.map((entry) => ({ sent: undefined, entry })),
		{ weight: 1, arbitrary: fc.constant({ sent: undefined, entry: undefined }) },
	);

/** What such APIs carry beside the job, and what says nothing of it. */
const besides = fc.subarray<[string, unknown]>([
	['created_at', '2026-11-01T10:00:00Z'],
	['updatedAt', 1_762_000_000],
	['next_monitoring_date', '2026-12-24'],
	['webhook_url', 'https://example.com/hook'],
	['livemode', true],
	['failed_checks', 0],
	['errors', []],
	['error', null],
	['message', 'Screening of the batch'],
	['has_more', false],
	['next_cursor', null],
	['meta', { request_id: 'req_1', took_ms: 12, page: 1, pages: 1 }],
	['links', { self: '/v1/bulk/job_1' }],
	['plan', { name: 'pro', state: 'active' }],
	['owner', { id: 'usr_1', team: 'compliance' }],
]);

const jobs = addresses.chain((sent) =>
	fc
		.record({
			fates: fc.tuple(...sent.map(fateOf)),
			state: fc.constantFrom(...(Object.keys(states) as Array<keyof typeof states>)),
			word: fc.nat(),
			spelling: fc.constantFrom(...spellings),
			stateName: fc.constantFrom('status', 'state', 'job_status', 'jobState', 'Status'),
			isNested: fc.boolean(),
			resultsName: fc.constantFrom('results', 'reports', 'data', 'items', 'screenings', 'Results'),
			isKeyed: fc.boolean(),
			wrappers: fc.constantFrom([], ['data'], ['job'], ['data', 'job'], ['response', 'bulk_job']),
			besides,
		})
		.map((plan) => {
			const words = states[plan.state];
			const word = plan.spelling(words[plan.word % words.length]!);
			const entries = plan.fates.flatMap(({ entry }, at) => (entry ? [{ at, entry }] : []));
			// `data` may wrap the job, too, so that in it only what looks like an address is one.
			const isKeyed =
				plan.isKeyed && (plan.resultsName !== 'data' || sent.every((one) => one.startsWith('0x')));
			const results = isKeyed
				? Object.fromEntries(entries.map(({ at, entry }) => [sent[at], entry]))
				: entries.map(({ entry }) => entry);
			const job: Fields = {
				job_id: 'job_1',
				[plan.stateName]: plan.isNested ? { name: word } : word,
				...Object.fromEntries(plan.besides),
				[plan.resultsName]: results,
			};
			const body = plan.wrappers.reduceRight<Fields>((inner, name) => ({ [name]: inner }), job);
			return { addresses: sent, body, word, state: plan.state, fates: plan.fates };
		}),
);

const reader = createReader();

test(`a job is as far as it says, and each address has its own report or an error (TEST_SEED=${seed})`, () => {
	fc.assert(
		fc.property(jobs, ({ addresses: sent, body, word, state, fates }) => {
			const job = reader.job(body, 200, 'job_1', {});
			expect(job.state).toBe(state === 'unknown' ? 'running' : state);
			if (state === 'unknown') expect(job.unread.join()).toContain(word);
			if (state !== 'complete') {
				expect(job.entries).toBeUndefined();
				return;
			}
			const { outcomes, unknown, doubled } = settle(sent, job);
			expect({ unknown, doubled }).toEqual({ unknown: 0, doubled: 0 });
			const found = [...outcomes].map(([address, one]) => [
				address,
				one instanceof ScreeningError ? undefined : one,
			]);
			expect(found).toEqual(fates.map((fate, at) => [sent[at], fate.sent]));
		}),
		{ numRuns: 1000, seed },
	);
});
