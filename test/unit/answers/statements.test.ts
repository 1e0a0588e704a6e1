import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { wordGroups } from '../../../nodes/WalletScreening/answers/standardNames';
import { normalizeName } from '../../../nodes/WalletScreening/answers/vocabulary';
import { ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { reportBody } from '../../support/unit/reports';

const reader = new Reader();
const report = reportBody();
const readJob = (content: object) =>
	reader.readJob({ body: { job_id: 'j', ...content }, status: 200 }, 'j');

/** What becomes of the one report of an answer. */
function fateOfReport(body: unknown, by = reader): 'accepted' | 'refused' {
	try {
		by.readReport({ body, status: 200 }, { address: report.address });
		return 'accepted';
	} catch (error) {
		if (error instanceof ScreeningError) return 'refused';
		throw error;
	}
}

/*
 * What a field does: to the state of a job, to a report that has it, to a report in an object that has
 * it, and to a complete job, which may lack something by it. `jobRules` and `effects` in
 * `statements.ts` have the reasons.
 */
test.each<[field: object, state: string, inReport: string, around: string, lack: string]>([
	[{ status: 'failed' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ status: 'queued' }, 'running', 'refused', 'refused', 'no lack'],
	[{ status: 'baked' }, 'running', 'refused', 'refused', 'no lack'],
	[{ status: 'done' }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ status: 'completed_with_errors' }, 'complete', 'refused', 'refused', 'lack'],
	// It may be about the request.
	[{ status: 'success' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ status: 'ok' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ status: 3 }, 'running', 'refused', 'accepted', 'no lack'],
	[{ error: 'no source' }, 'failed', 'refused', 'refused', 'no lack'],
	// In a job, a number counts errors.
	[{ error: 503 }, 'running', 'refused', 'refused', 'lack'],
	[{ errors: 2 }, 'running', 'refused', 'refused', 'lack'],
	[{ errors: 0 }, 'running', 'accepted', 'accepted', 'no lack'],
	// A list of what is done may be empty if all failed.
	[{ status: 'done', completed: [] }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ completion_status: 'completed' }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ completion_status: 'baked' }, 'running', 'refused', 'refused', 'no lack'],
	[{ final_status: 'cancelled' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ done: true }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ done: false }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed_at: 'pending' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed_at: 'No wallet found' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed_at: 'not yet' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed_at: '2026-11-28 Asia/Beijing' }, 'complete', 'accepted', 'accepted', 'no lack'],
	// The time zero of Go and .NET.
	[{ completed_at: '0001-01-01T00:00:00Z' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed_at: '01/01/0001 00:00:00' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed_at: '1/1/0001 12:00:00 AM' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed_at: -62_135_596_800 }, 'running', 'refused', 'refused', 'no lack'],
	[{ failed_at: '01/01/0001 00:00:00' }, 'running', 'accepted', 'accepted', 'no lack'],
	[
		{ error: { code: 0, message: 'No errors occurred' } },
		'running',
		'accepted',
		'accepted',
		'no lack',
	],
	[{ completed_at: null }, 'running', 'refused', 'refused', 'no lack'],
	[{ partial: true }, 'running', 'refused', 'refused', 'lack'],
	[{ partial: 'OFAC was not available' }, 'running', 'refused', 'refused', 'lack'],
	[{ partial: { source: 'OFAC' } }, 'running', 'refused', 'refused', 'lack'],
	[{ unavailable: 'OFAC' }, 'running', 'refused', 'refused', 'lack'],
	[{ sources: { ofac: 'unreachable' } }, 'running', 'refused', 'refused', 'no lack'],
	[{ finalized: false }, 'running', 'refused', 'refused', 'no lack'],
	[{ analysed: false }, 'running', 'refused', 'refused', 'no lack'],
	[{ failed: { ofac: 'timeout' } }, 'running', 'refused', 'refused', 'lack'],
	[{ failed: '0 of 500' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ degraded: 'OFAC down' }, 'running', 'refused', 'refused', 'no lack'],
	[{ error: { code: 503 } }, 'failed', 'refused', 'refused', 'no lack'],
	// A number may count the errors, and then nothing says that all came.
	[{ errors: { count: 2 } }, 'running', 'refused', 'refused', 'lack'],
	[{ errors: [503] }, 'running', 'refused', 'refused', 'lack'],
	[{ error_code: 7 }, 'running', 'refused', 'refused', 'no lack'],
	[{ error_code: 200 }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ err: 'no source' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ errors: { codes: [7, 8] } }, 'running', 'refused', 'refused', 'lack'],
	[{ error: { code: -1 } }, 'running', 'refused', 'refused', 'lack'],
	[{ skipped_checks: { ids: [3, 4] } }, 'running', 'refused', 'refused', 'no lack'],
	[{ errors: { ofac: ['timed out'] } }, 'failed', 'refused', 'refused', 'no lack'],
	[{ error: '0 of 12 sources answered' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ error: 'No issues found.' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ failed: 'no addresses failed' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ failed: '0 wallets' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ error: 'No wallet found' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ error: 'No address found.' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ error: 'no items' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ error: '0 wallets found' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ error: 'No error details' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ missing_sources: { ETH: ['OFAC'] } }, 'running', 'refused', 'refused', 'lack'],
	// A sentence with a date is no time.
	[{ partial: 'OFAC missing since 2026-11-28' }, 'running', 'refused', 'refused', 'lack'],
	[{ failed: [3] }, 'running', 'refused', 'refused', 'lack'],
	// Numbers say nothing of the end.
	[{ completed: { count: 5 } }, 'running', 'accepted', 'accepted', 'no lack'],
	// An object is no word.
	[{ done: true, kyc_status: { by: 'us' } }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ our_kyc_status: 'timeout' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ wallet_status: 'timeout' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ done: true, address_status: 'frozen' }, 'running', 'accepted', 'accepted', 'no lack'],
	// It did not succeed yet.
	[{ done: false, success: false }, 'running', 'refused', 'refused', 'no lack'],
	[{ done: true, success: false }, 'failed', 'refused', 'refused', 'no lack'],
	[
		{ status: 'done', status_text: 'All were screened' },
		'complete',
		'accepted',
		'accepted',
		'no lack',
	],
	[{ status_text: 'All were screened' }, 'running', 'refused', 'refused', 'no lack'],
	[{ status: 'done', status_text: 'failed' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ error: { code: 200, message: 'Successful' } }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ AMLStatus: 'failed' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ check1Status: 'pending' }, 'running', 'refused', 'refused', 'no lack'],
	[{ aml_status: { code: 'failed' } }, 'failed', 'refused', 'refused', 'no lack'],
	[{ status: ['failed'] }, 'failed', 'refused', 'refused', 'no lack'],
	[{ provisional: true }, 'running', 'refused', 'refused', 'no lack'],
	[{ unavailable_source: 'OFAC' }, 'running', 'refused', 'refused', 'no lack'],
	[{ missing_category: 'sanctions' }, 'running', 'refused', 'refused', 'no lack'],
	[{ skipped_sources: 2 }, 'running', 'refused', 'refused', 'no lack'],
	[{ failed_checks: ['OFAC'] }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ skipped_categories: ['sanctions'] }, 'running', 'refused', 'refused', 'lack'],
	[{ categories_failed: ['sanctions'] }, 'running', 'refused', 'refused', 'lack'],
	[{ unavailable_providers: ['OFAC'] }, 'running', 'refused', 'refused', 'lack'],
	[{ incompleteLists: 1 }, 'running', 'refused', 'refused', 'no lack'],
	// A list of addresses, and not the name of a source.
	[{ skipped_list: [] }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ unavailable_checks: ['OFAC'] }, 'running', 'refused', 'refused', 'lack'],
	[{ sources_unavailable: ['OFAC'] }, 'running', 'refused', 'refused', 'lack'],
	[{ failed_sources: { ofac: 503 } }, 'running', 'refused', 'refused', 'no lack'],
	[{ missing_sources: [7] }, 'running', 'refused', 'refused', 'no lack'],
	[{ missing_sources: {} }, 'running', 'accepted', 'accepted', 'no lack'],
	// A failure counts in a result beside a state, too. Of a job, it may be about a delivery.
	[{ status: 'done', aml_status: 'failed' }, 'complete', 'refused', 'refused', 'no lack'],
	[{ status: 'done', review_status: 'pending' }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ status: 'done', kyc_status: 'expired' }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ expired: true }, 'running', 'refused', 'refused', 'no lack'],
	// The time until which a report counts may be still to come.
	[{ expired_at: '2099-12-31T00:00:00Z' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ failed: 'no source' }, 'running', 'refused', 'refused', 'lack'],
	[{ error: 'None.' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ error: 'No error' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ result: 'pending' }, 'running', 'refused', 'refused', 'no lack'],
	// The start of Unix time is no time.
	[{ failed_at: '1970-01-01T00:00:00Z' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ status: 'not done' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completed: '28 Nov 2026' }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ completed: '20261128T060000Z' }, 'complete', 'accepted', 'accepted', 'no lack'],
	[{ completed: '28.11.2026' }, 'complete', 'accepted', 'accepted', 'no lack'],
	// What JavaScript writes.
	[
		{ completed: 'Sat Nov 28 2026 06:00:00 GMT+0000 (Coordinated Universal Time)' },
		'complete',
		'accepted',
		'accepted',
		'no lack',
	],
	// Until then, a report counts.
	[{ expired: 'Sat, 28 Nov 2099 06:00:00 GMT' }, 'running', 'accepted', 'accepted', 'no lack'],
	// Since then, it does not.
	[{ revoked_at: '2026-11-20T00:00:00Z' }, 'running', 'refused', 'refused', 'no lack'],
	// Only a word that is always bad counts under a name about the screening.
	[{ completeness: 'partial' }, 'running', 'refused', 'refused', 'no lack'],
	[{ completeness: 'full' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ shipping: 'pending' }, 'running', 'accepted', 'accepted', 'no lack'],
	// It is no failure yet.
	[{ error: 'Job is still processing' }, 'running', 'refused', 'refused', 'no lack'],
	[{ error_code: 'NOT_READY' }, 'running', 'refused', 'refused', 'no lack'],
	[{ error: 'The address is missing' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ success: false, message: 'Job not ready yet' }, 'running', 'refused', 'refused', 'no lack'],
	[{ success: false, message: 'Source down' }, 'failed', 'refused', 'refused', 'no lack'],
	[{ code: 'PENDING' }, 'running', 'refused', 'refused', 'no lack'],
	[{ has_errors: true }, 'failed', 'refused', 'refused', 'no lack'],
	[{ is_done: 'N' }, 'running', 'refused', 'refused', 'no lack'],
	[{ progress: '2/3' }, 'running', 'refused', 'refused', 'no lack'],
	[{ progress: '3 of 3' }, 'running', 'accepted', 'accepted', 'no lack'],
	// The opposite of a word of completion.
	[{ status: 'unfinished' }, 'running', 'refused', 'refused', 'no lack'],
	[{ not_final: true }, 'running', 'refused', 'refused', 'no lack'],
	[{ unscreened: 1 }, 'running', 'refused', 'refused', 'lack'],
	// One address failed, but none is named.
	[{ failed: 1 }, 'running', 'refused', 'refused', 'lack'],
	// A part of a whole is no time.
	[{ completed: '500/2000' }, 'running', 'accepted', 'accepted', 'no lack'],
	// An event is about a delivery, also if it is one of something that still runs.
	[{ event: 'job.running' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ type: 'pending' }, 'running', 'accepted', 'accepted', 'no lack'],
	[{ action: 'in_progress' }, 'running', 'accepted', 'accepted', 'no lack'],
])(
	'a job with %j is %s, a report with it is %s, a report in an object with it is %s, and there is %s',
	(field, state, inReport, around, lack) => {
		// Only a complete job is read for what it lacks.
		const withEnd = readJob({ ended: true, ...field, results: [report] });
		expect({
			state: readJob(field).state,
			inReport: fateOfReport({ ...report, ...field }),
			around: fateOfReport({ ...field, data: report }),
			lack: withEnd.unnamedLack === undefined ? 'no lack' : 'lack',
		}).toEqual({ state, inReport, around, lack });
	},
);

test.each<[word: string, asValue: string, asName: string, underAnyName: string, because: string]>([
	['cancelled', 'failed', 'refused', 'accepted', 'a customer may have cancelled'],
	['skipped', 'failed', 'refused', 'refused', 'it is always bad'],
	['timeout', 'failed', 'accepted', 'refused', 'it is the name of no list'],
	['killed', 'failed', 'accepted', 'accepted', 'it counts as a value only'],
	['errors', 'failed', 'refused', 'accepted', 'its name is that of errors'],
	['pending', 'running', 'refused', 'refused', 'it is always bad'],
	['partial', 'running', 'refused', 'refused', 'its name is that of what lacks something'],
	['scheduled', 'running', 'accepted', 'accepted', 'it counts as a value only'],
	['finished', 'complete', 'accepted', 'accepted', 'it is an end'],
])(
	'a job with the state %j is %s, a report under it as a name is %s, one with it under another name is %s, because %s',
	(word, asValue, asName, underAnyName) => {
		expect({
			asValue: readJob({ status: word }).state,
			asName: fateOfReport({ [word]: report }),
			underAnyName: fateOfReport({ ...report, kyc_status: word }),
		}).toEqual({ asValue, asName, underAnyName });
	},
);

describe('where another name of a state is taught', () => {
	const taught = new Reader({ state: ['ripeness'] });

	test.each<[because: string, body: object, fate: string]>([
		['a word that is always bad counts in a report', { ...report, status: 'pending' }, 'refused'],
		['it counts around it', { state: 'failed', data: report }, 'refused'],
		['it counts around its element', { status: 'failed', list: [{ of: report }] }, 'refused'],
		['it may be in an object', { ...report, status: { code: 'pending' } }, 'refused'],
		['a name may end like a state', { ...report, aml_status: 'failed' }, 'refused'],
		['the taught one replaces it', { ...report, ripeness: 'done', status: 'pending' }, 'accepted'],
		['a part of it failed', { ...report, ripeness: 'done', aml_status: 'failed' }, 'refused'],
		['a review may be open', { ...report, ripeness: 'done', review_status: 'pending' }, 'accepted'],
		['a part of it still runs', { ...report, ripeness: 'done', aml_status: 'pending' }, 'refused'],
		['an unknown word is of something else', { ...report, status: 'baked' }, 'accepted'],
		['a customer may be expired', { ...report, kyc_status: 'expired' }, 'accepted'],
	])('a standard one counts only where it is certain: %s', (_because, body, fate) => {
		expect(fateOfReport(body, taught)).toBe(fate);
	});

	test.each([
		['a standard name', { ripeness: 'done', meta: { state: 'queued' }, status: 'pending' }],
		['a name that ends like one', { done: true, sync_status: 'queued' }],
	])('%s makes no state of a job', (_name, fields) => {
		const body = { job_id: 'j', ...fields };
		expect(taught.readJob({ body, status: 200 }, 'j').state).toBe('complete');
	});

	it('a word under another name is still named, and proposed', () => {
		const body = { job_id: 'j', status: 'baked' };
		expect(taught.readJob({ body, status: 200 }, 'j')).toMatchObject({
			unread: ['"status": "baked"'],
			proposedNames: { state: ['status'] },
		});
	});

	it('an element that runs keeps a bare list running', () => {
		const body = [{ of: report }, { of: report, status: 'pending' }];
		expect(taught.readJob({ body, status: 200 }, 'j').state).toBe('running');
	});
});

test('teaching the proposed name of a state makes no pending report final', () => {
	const other = `0x${'b'.repeat(40)}`;
	const results = [
		{ ...report, status: 'done' },
		{ ...report, address: other, status: 'pending' },
	];
	const answer = { body: { job_id: 'j', lifecycle: 'done', results }, status: 200 };
	const { proposedNames } = reader.readJob(answer, 'j');
	expect(proposedNames).toEqual({ state: ['lifecycle'] });
	expect(new Reader(proposedNames).readJob(answer, 'j').results).toMatchObject([
		{ report: results[0] },
		{ address: other, flaw: `'status' is "pending"` },
	]);
});

test.each([
	['leads to the state', { review: { status: 'pending', of: report } }, 'refused'],
	['may be one name with a point', { ...report, 'review.status': 'pending' }, 'refused'],
	['is no other name', { ...report, review_status: 'baked' }, 'accepted'],
])('a taught path %s', (_because, body, fate) => {
	const taught = new Reader({ state: ['review.status'] });
	expect(fateOfReport(body, taught)).toBe(fate);
});

test.each([
	['not ready', undefined, 'it begins with "not"'],
	['scoring', undefined, 'it ends like a word of what runs'],
	['ingested', { complete: ['ingested'] }, 'it does not end so, and may mean anything'],
])('a job that is %j is running, and is taught as %j, because %s', (word, taught, _because) => {
	const { state, proposedNames } = readJob({ status: word, results: [report] });
	expect({ state, proposedNames }).toEqual({ state: 'running', proposedNames: taught });
});

test('no word of a state is in two groups', () => {
	const words = wordGroups.flatMap((group) => group.words).map(normalizeName);
	expect(words.filter((word, index) => words.indexOf(word) !== index)).toEqual([]);
});
