import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { errorOf } from '../../support/unit/errors';
import { reportBody } from '../../support/unit/reports';

const body = reportBody();
const { address, risk } = body;
const read = (answer: unknown, names = {}, subject: object = { address }) =>
	new Reader(names).readReport({ body: answer, status: 200 }, subject);
const errorFor = async (...given: Parameters<typeof read>) => await errorOf(() => read(...given));

test('a report is given as the service sent it, unknown fields too', () => {
	const own = { ...body, tags: ['new'], risk: { ...risk, model: 7 } };
	expect(read(own)).toBe(own);
	expect(read({ code: 0, message: 'OK', data: [own] })).toBe(own);
});

test.each([
	['report_id', { report_id: undefined }, 'it is missing'],
	['report_id', { report_id: '..' }, 'it would lead out of its path'],
	['report_id', { report_id: 'rep_\ud800' }, 'half of a character has no place in a path'],
	['risk.level', { risk: { level: '' } }, 'it is empty'],
	['risk.score', { risk: { score: '0.1' } }, 'it is a text'],
	['risk.score', { risk: { score: -1 } }, 'a number below 0 stands for one that is not known'],
	['risk.categories', { risk: { categories: null } }, 'it is no object'],
	[
		'risk.categories.scam',
		{ risk: { categories: { ...risk.categories, scam: -1 } } },
		'a number below 0 stands for one that is not known',
	],
	[
		'risk.categories.sanctions',
		{ risk: { categories: { ...risk.categories, sanctions: '0' } } },
		'it is a text',
	],
])(
	'an error names %s and the address of the report %j, because %s',
	async (path, changes, _because) => {
		const error = await errorFor(reportBody(changes));
		expect(error.errorClass).toBe('invalid_response');
		expect(error.message).toContain(`no final report for ${address}: '${path}' `);
		expect(error.description).toMatch(/not screened.*Run it again later/);
	},
);

test('the categories that reports have are proposed, but never without sanctions', async () => {
	const { mixer, sanctions, ...others } = risk.categories;
	const withoutMixer = { ...body, risk: { ...risk, categories: { sanctions, ...others } } };
	const { proposedNames } = await errorFor(withoutMixer);
	expect(proposedNames?.['categories']).toEqual(expect.arrayContaining(['sanctions', 'scam']));
	expect(read(withoutMixer, proposedNames)).toBe(withoutMixer);
	const withoutSanctions = { ...body, risk: { ...risk, categories: { mixer, ...others } } };
	expect((await errorFor(withoutSanctions)).proposedNames).toBeUndefined();
});

test.each([
	['the report still runs', { ...body, status: 'pending' }, 'status'],
	['what is around it still runs', { status: 'pending', data: body }, 'status'],
	['its word is unknown', { ...body, status: 'baked' }, 'status'],
	[
		'its state is a sentence that is not known',
		{ ...body, status: 'Pending: the upstream data provider has not answered yet, retry later' },
		'status',
	],
	['its state is a sign that is not known', { ...body, status: '⏳' }, 'status'],
	['its state is a dash', { status: '-', data: body }, 'status'],
	['a part of it still runs', { ...body, risk_status: 'pending' }, 'risk_status'],
	[
		'what is around it has a part that runs',
		{ aml_status: 'IN_PROGRESS', data: body },
		'aml_status',
	],
	['a part of it failed', { ...body, screen_status: 'failed' }, 'screen_status'],
	['its state is an object that runs', { status: { code: 'pending' }, data: body }, 'status'],
	['its state is an object that failed', { ...body, state: { id: 4, name: 'FAILED' } }, 'state'],
	['its outcome is a failure', { ...body, outcome: 'failed' }, 'outcome'],
	['the result of the request is an error', { result: 'error', data: body }, 'result'],
	['its conclusion is a failure', { ...body, conclusion: 'failure' }, 'conclusion'],
	['it has no end yet', { ...body, completed_at: null }, 'completed_at'],
	['what is around it has no end yet', { finished_at: '', report: body }, 'finished_at'],
	['it has the code of an error', { ...body, error_code: 'SRC_TIMEOUT' }, 'error_code'],
	['the text of an error may begin with zeros', { ...body, error: '0007 source down' }, 'error'],
	['it may begin like the first year', { ...body, error: '0001-TIMEOUT' }, 'error'],
	['its end is expected', { ...body, completed_at: 'expected 2026-11-30' }, 'completed_at'],
	['it waits since a day', { finished: 'pending since 2026-11-28', data: body }, 'finished'],
	['the code of its error is a status of HTTP', { ...body, error_code: 503 }, 'error_code'],
	['it has the reason of a failure', { ...body, fail_reason: 'x' }, 'fail_reason'],
	['1 is a switch in a report', { ...body, pending: 1 }, 'pending'],
	['1 is one also as a text', { ...body, in_progress: '1' }, 'in_progress'],
	['some sources are pending', { ...body, pending: 2 }, 'pending'],
	['some sources were skipped', { ...body, skipped: 2 }, 'skipped'],
	['some are missing, also as a text', { ...body, missing: '3' }, 'missing'],
	['so many failed that it may be a status of HTTP', { failed: 500, data: body }, 'failed'],
	[
		'a category is missing in its risk',
		reportBody({ risk: { missing_categories: ['sanctions'] } }),
		'risk.missing_categories',
	],
	[
		'an error stands among the categories',
		reportBody({ risk: { categories: { ...risk.categories, error: 'OFAC is down' } } }),
		'risk.categories.error',
	],
	[
		'a part of the screening failed',
		{ ...body, tx_screening: { error: 'x' } },
		'tx_screening.error',
	],
	['its risk is partial in some', reportBody({ risk: { partial: 2 } }), 'risk.partial'],
	['some sources are stale', { ...body, stale: 2 }, 'stale'],
	['0 is a switch in a report', { ...body, done: 0 }, 'done'],
	['0 is one around it, where nothing else is counted', { success: 0, data: body }, 'success'],
	['0 is one in its risk', reportBody({ risk: { ready: 0 } }), 'risk.ready'],
	['yes is a switch', { is_pending: 'yes', data: body }, 'is_pending'],
	['no is a switch', { ...body, is_complete: 'No' }, 'is_complete'],
	['a source failed', { ...body, failed_sources: ['ofac'] }, 'failed_sources'],
	['a check was skipped', { ...body, skipped_checks: ['sanctions'] }, 'skipped_checks'],
	['a check still runs', { pending_checks: ['sanctions'], data: body }, 'pending_checks'],
	['it failed', { ...body, failed: true }, 'failed'],
	['it was skipped', { ...body, skipped: true }, 'skipped'],
	['an object holds the code of an error', { ...body, error: { code: 503 } }, 'error'],
	['it is incomplete in some sources', { ...body, incomplete: ['OFAC'] }, 'incomplete'],
	['its result is not there yet', { ...body, result: 'pending' }, 'result'],
	['what went wrong is a text', { ...body, failed: 'no source' }, 'failed'],
	['what went wrong names its address', { ...body, failed: { address, reason: 'x' } }, 'failed'],
	['a source was skipped', { ...body, skipped: ['OFAC'] }, 'skipped'],
	['a source has not answered yet', { ...body, pending: ['OFAC'] }, 'pending'],
	['some sources are missing', { ...body, skipped_sources: 2 }, 'skipped_sources'],
	['what is around it timed out', { timed_out: true, report: body }, 'timed_out'],
	['it has an error', { ...body, error: 'timeout' }, 'error'],
	['its risk has an error', reportBody({ risk: { error: 'source down' } }), 'risk.error'],
	['its risk still runs', reportBody({ risk: { status: 'pending' } }), 'risk.status'],
	['its risk is not complete', reportBody({ risk: { partial: true } }), 'risk.partial'],
	['a source is missing', { ...body, unavailable_sources: ['OFAC'] }, 'unavailable_sources'],
	['the answer is an error of HTTP', { code: 500, message: 'timeout', data: body }, 'code'],
	['the answer is no success', { success: false, data: body }, 'success'],
	[
		'a part of it still runs',
		{ ...body, status: 'done', sanctions_status: 'pending' },
		'sanctions_status',
	],
	[
		'a progress explains no failure',
		{ ...body, status: 'done', success: false, progress: 99 },
		'success',
	],
	['its progress is below the end', { ...body, progress: 40 }, 'progress'],
	['one of its sources failed', { ...body, sources: [{ status: 'failed' }] }, 'sources'],
	[
		'one of its checks failed, and its level is green',
		{
			...body,
			checks: [{ status: 'passed' }, { status: 'failed' }],
		},
		'checks',
	],
	['a check was not run', { ...body, checks: { sanctions: 'not_run' } }, 'checks'],
	['a source has an error in a number', { ...body, providers: { x: { error: 503 } } }, 'providers'],
	[
		'a thing that is not known failed',
		{ ...body, tracing: { status: 'failed' } },
		'tracing.status',
	],
	[
		'one of many things that are not known lacks sources',
		{ ...body, parts: [{ missing_sources: ['OFAC'] }] },
		'parts.0.missing_sources',
	],
	[
		'a part of it repeats its address, and failed',
		{ ...body, screening: [{ address, status: 'failed' }] },
		'screening.0.status',
	],
	['one of its sources has no answer yet', { ...body, sources: { ofac: 'pending' } }, 'sources'],
	[
		'an object in it has an error',
		{ ...body, screening: { ofac: { error: 'timeout' } } },
		'screening.ofac.error',
	],
	['an object in it is not final', { ...body, meta: { provisional: true } }, 'meta.provisional'],
	[
		'what is beside it lacks a source',
		{ meta: { missing_sources: ['OFAC'] }, data: body },
		'meta.missing_sources',
	],
	[
		'the screening beside it still runs',
		{ screening: { status: 'pending' }, report: body },
		'screening.status',
	],
	['an entry beside it has an error', [body, { error: 'OFAC timed out' }], '1.error'],
	['another result of its address failed', [body, { address, error: 'no source' }], 'error'],
])('a report is refused if %s', async (_because, answer, field) => {
	const error = await errorFor(answer);
	expect(error.message).toContain(`no final report for ${address}: '${field}' is `);
	expect(error.details.report_id).toBe(body.report_id);
});

test.each(['provisional', 'stale', 'failed', 'pending'])(
	'a report is refused under "%s"',
	async (name) => {
		const { message } = await errorFor({ [name]: body });
		expect(message).toContain(`no final report for ${address}: it is under "${name}"`);
	},
);

test.each([
	[
		'a verdict on the wallet is none on the report',
		{ ...body, result: 'failed_kyc', rejected: true },
	],
	['a word in a risk is a verdict', reportBody({ risk: { status: 'low' } })],
	['a state of the wallet is none of the report', { ...body, wallet_status: 'frozen' }],
	['a state of the customer is none of the report', { ...body, kyc_status: 'expired' }],
	['a switch of the customer is none of the report', { ...body, sanctions_status: false }],
	['nothing found is a verdict', { ...body, result: 'not_found', listing_status: 'nothing found' }],
	['a state of the report is surer', { ...body, status: 'complete', review_status: 'pending' }],
	[
		'an object under the name of a state may be that of HTTP',
		{ status: { code: 201, text: 'Created', message: 'Nothing to add' }, data: body },
	],
	[
		'a former word in the object of a state is not its word',
		{ ...body, status: { code: 'done', previous: 'pending' } },
	],
	[
		'several checks may be verdicts on the wallet',
		{
			...reportBody({ risk: { ...risk, level: 'red' } }),
			checks: [
				{ name: 'mixer', status: 'passed' },
				{ name: 'sanctions', status: 'failed' },
			],
		},
	],
	[
		'one of many things that are not known may run',
		{ ...body, approvals: [{ status: 'pending' }] },
	],
	['a thing that is not known may have a life of its own', { ...body, licence: { expired: true } }],
	['a thing that is not known may run', { ...body, translation: { status: 'pending' } }],
	['an action in an object may be a hint', { ...body, details: { action: 'pending' } }],
	[
		'several checks beside it may be verdicts',
		{
			report: reportBody({ risk: { ...risk, level: 'red' } }),
			meta: { checks: { ofac: 'passed', eu: 'failed' } },
		},
	],
	[
		'a part of it is about another address',
		{ ...body, screening: [{ address: `0x${'e'.repeat(40)}`, status: 'failed' }] },
	],
	['several webhooks are not about it', { ...body, webhooks: [{ status: 'failed' }] }],
	['a case beside the report has a state of its own', { case: { status: 'pending' }, body }],
	['an object beside the report may be that of the request', { meta: { status: 'created' }, body }],
	['what the wallet did is no screening', { ...body, transactions: [{ status: 'failed' }] }],
	[
		'a source may not have the wallet',
		{ ...body, sources: [{ name: 'OFAC', status: 'not_found' }] },
	],
	['a code may be that of a country', { ...body, country: { code: 566 } }],
	['a report of the past has a state of its own', { ...body, history: [{ status: 'failed' }] }],
	['a number in an object counts something', { ...body, stats: { failed: 2, pending: 1 } }],
	[
		'another address may have failed',
		[body, { address: `0x${'e'.repeat(40)}`, error: 'no source' }],
	],
	['empty errors are none', { ...body, error: '', errors: [], error_code: null }],
	['a code may say that there is no error', { ...body, error_code: '0000', error: 'no_error' }],
	['switches may be off', { ...body, pending: 0, error: 'no', done: 1, is_final: 'yes' }],
	['a word of success is an end', { ...body, screened: 'ok', finished: 'success' }],
	['a number of what is done counts something', { ...body, processed: 42, done: 2 }],
	['a number of rejections may be a verdict on the wallet', { ...body, rejected: 2 }],
	['a duration is no switch', { ...body, running_time: 1, waitingTime: '1' }],
	['a text may say that there is no error', { ...body, error: 'No error', errors: '-' }],
	['a pending amount may be 0', { ...body, pending: '0 ETH' }],
	['a code may be 0', { ...body, error: { code: 0, text: '' } }],
	['a wallet may be accepted', { ...body, result: 'accepted' }],
	['no source is missing', { ...body, skipped_sources: 0, failed_sources: [], stale: false }],
	['no source failed, was skipped or waits', { ...body, failed: [], skipped: '', pending: [] }],
	['a failed check is a verdict on the wallet', { ...body, failed_checks: ['sanctions'] }],
	['a time of the end may name its zone', { ...body, ended_at: '2026-11-28 Asia/Beijing' }],
	['a time of the end may have a word before it', { ...body, ended_at: 'done 2026-11-28' }],
	['an analysis of the customer may run', { ...body, customer_analysis: { status: 'pending' } }],
	['a code of an envelope may be any number', { code: 1, message: 'OK', result: body }],
	['a warning is for people', { ...body, warnings: ['high exposure'] }],
])('a report counts although there is more: %s', (_because, answer) => {
	expect(read(answer).report_id).toBe(body.report_id);
});

test.each([
	['an unknown word', 'baked', ', which the node does not know', { complete: ['baked'] }],
	['a number', 3, ', which the node does not know', { complete: ['3'] }],
	['a known word', 'pending', '', undefined],
])(
	'%s on a report is named, and proposed if it may be an end: %j',
	async (_what, status, why, names) => {
		const { message, proposedNames } = await errorFor({ ...body, status });
		expect(message).toMatch(new RegExp(`'status' is ${JSON.stringify(status)}${why}$`));
		expect(proposedNames).toEqual(names);
		if (names) expect(read({ ...body, status }, proposedNames).report_id).toBe(body.report_id);
	},
);

test('where other names of a state are taught, a word that is always bad still counts beside it', () => {
	const answer = { lifecycle: 'done', report: body, screening: { aml_status: 'pending' } };
	expect(() => read(answer, { state: ['lifecycle'] })).toThrow("'screening.aml_status' is");
});

describe('of several reports', () => {
	const other = { ...body, report_id: 'rep_2', risk: { ...risk, level: 'red' } };

	it('one of the past does not count', () => {
		expect(read({ now: body, history: [other] })).toBe(body);
		expect(() => read({ previous: other })).toThrow(`no report for ${address}`);
	});

	it('that differ none counts', () => {
		expect(() => read({ one: body, other })).toThrow(`several reports that differ for ${address}`);
	});

	it('that of the ID counts', () => {
		expect(read([body, other], {}, { report_id: 'rep_2' })).toBe(other);
		expect(() => read(body, {}, { report_id: 'rep_2' })).toThrow('a report of another ID');
	});

	it('none counts if one of the same address failed, also for an ID', () => {
		const { report_id } = body;
		const failed = { address, error: 'no source' };
		expect(() => read([body, failed], {}, { report_id })).toThrow(`'error' is "no source"`);
		expect(read([body, { ...failed, address: `0x${'e'.repeat(40)}` }], {}, { report_id })).toBe(
			body,
		);
	});

	it('that of the address counts', () => {
		const elsewhere = `0x${'e'.repeat(40)}`;
		expect(() => read(body, {}, { address: elsewhere })).toThrow(
			`the report of another address for ${elsewhere}`,
		);
	});
});
