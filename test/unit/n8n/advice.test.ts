import { advised, messageOf } from '../../../nodes/WalletScreening/n8n/advice';
import {
	invalidInput,
	invalidResponse,
	ScreeningError,
} from '../../../nodes/WalletScreening/service/errors';
import { networkFault, statusError } from '../../../nodes/WalletScreening/service/faults';
import { jobTimeout, noResults } from '../../../nodes/WalletScreening/service/results';
import { properties } from '../../../nodes/WalletScreening/operations';

const places = [
	'address.screen',
	'bulkJob.get',
	'bulkJob.screenAndWait',
	'bulkJob.submit',
	'report.downloadPdf',
	'report.get',
	'trigger',
];
const job = { job_id: 'j1', state: 'running', entries: undefined, body: {} } as const;
const errors: ScreeningError[] = [
	...[302, 400, 401, 403, 404, 429, 500].map((status) => statusError(status, undefined)),
	...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'SSRF', 'TIMEOUT', 'ECONNRESET'].map((code) =>
		networkFault(code, 30),
	),
	invalidInput('Address', 'mistyped', 'Copy it again.', { checksum: 'invalid' }),
	jobTimeout(job, 'yet'),
	noResults({ job_id: 'j1' }),
	invalidResponse('a body that is not JSON'),
];

/** The labels of the fields that a person sees at this place, options among them. */
function labelsAt(place: string): string[] {
	const [resource, operation] = place.split('.');
	const fields = properties.filter(({ displayOptions }) => {
		const show = displayOptions?.show ?? {};
		return show['resource']?.includes(resource!) && show['operation']?.includes(operation!);
	});
	return fields.flatMap(({ displayName, name, options }) => [
		displayName,
		...(name === 'options'
			? (options ?? []).map((option) => (option as { displayName: string }).displayName)
			: []),
	]);
}

const credential = ['Base URL', 'API Key', 'Plan', 'Shared By', 'Service Names'];

describe.each(places)('advice at %s', (place) => {
	test('names only fields that are there', () => {
		// 'On Error' is in the settings of every node.
		const known = [...credential, ...labelsAt(place), 'Bulk Job: Get', 'On Error'];
		for (const error of errors) {
			const advice = advised(error, place, { stops: true }).slice(error.description.length);
			// A quotation mark that opens a name follows a space; an apostrophe does not.
			for (const [, name] of advice.matchAll(/(?<=^|\s)'([^']+)'/g)) expect(known).toContain(name);
		}
	});

	test('keeps what the error itself says', () => {
		for (const error of errors) expect(advised(error, place)).toContain(error.description);
	});
});

test('a job that is not complete does not send the user to the node that he looks at', () => {
	for (const error of [jobTimeout(job, 'yet'), noResults({ job_id: 'j1' })]) {
		expect(advised(error, 'bulkJob.get')).not.toMatch(/'Bulk Job: Get'/);
		expect(advised(error, 'bulkJob.screenAndWait')).toMatch(/'Bulk Job: Get'/);
	}
});

test('a job without results that was asked for as reports has another output to look at', () => {
	expect(advised(noResults({ job_id: 'j1' }), 'bulkJob.get')).toMatch(/Set 'Output' to Job/);
});

test('a 404 names what was not found', () => {
	const error = statusError(404, undefined);
	expect(messageOf(error, 'report.get')).toMatch(/report/);
	expect(messageOf(error, 'bulkJob.get')).toMatch(/bulk job/);
	for (const place of ['address.screen', 'bulkJob.submit', 'bulkJob.screenAndWait', 'trigger']) {
		expect(messageOf(error, place)).toBe(error.message);
		expect(advised(error, place)).toMatch(/Base URL/);
	}
});

test('an address that is in no job has no job ID to get results by', () => {
	const notSent = new ScreeningError('job_timeout', 'The address was not sent', 'Screen it again.');
	const advice = advised(notSent, 'bulkJob.screenAndWait');
	expect(advice).not.toMatch(/job ID/);
	expect(advice).toMatch(/'Timeout \(Minutes\)'/);
});

test('a rejected job that stops the workflow says how to find the address', () => {
	const rejected = statusError(400, undefined);
	for (const place of ['bulkJob.submit', 'bulkJob.screenAndWait']) {
		expect(advised(rejected, place, { stops: true })).toMatch(/'On Error' set to Continue/);
		expect(advised(rejected, place)).not.toMatch(/On Error/);
	}
	expect(advised(rejected, 'address.screen', { stops: true })).not.toMatch(/On Error/);
});

test.each(['bulkJob.submit', 'bulkJob.screenAndWait'])(
	'a submit by %s that may be billed is not said to be repeated',
	(place) => {
		for (const status of [500, 502, 504]) {
			expect(advised(statusError(status, undefined), place)).not.toMatch(/repeats/);
		}
		expect(advised(statusError(500, undefined), 'address.screen')).toMatch(/repeats/);
	},
);

test.each(['bulkJob.submit', 'bulkJob.screenAndWait'])(
	'a rejection at %s that has nothing to do with one address does not send the user to find it',
	(place) => {
		for (const status of [402, 409, 413]) {
			expect(advised(statusError(status, undefined), place, { stops: true })).not.toMatch(
				/On Error/,
			);
		}
	},
);

test('a 405, which the page of a website gives, leads to the base URL', () => {
	for (const place of places) {
		expect(advised(statusError(405, undefined), place)).toMatch(/'Base URL' in the credential/);
	}
});

test.each([400, 409, 500])('a submit that ended with %d and named a job leads to it', (status) => {
	const error = statusError(status, undefined).with({ job_id: 'j1' });
	for (const stops of [true, false]) {
		const advice = advised(error, 'bulkJob.submit', { stops });
		expect(advice).toMatch(/'Bulk Job: Get' with this job ID/);
		expect(advice).not.toMatch(/On Error|repeats/);
	}
});

test('a field of the credential is said to be there', () =>
	expect(advised(invalidInput('Base URL', 'm', 'd'), 'address.screen')).toMatch(/credential/));

test('what the service says comes last, so that nothing of ours seems to be its words', () => {
	for (const place of places) {
		expect(advised(statusError(401, 'No such key'), place)).toMatch(
			/'API Key' in the credential\. The service says: No such key$/,
		);
	}
});

test('a report that is here already is not looked for again', () => {
	const noPdf = statusError(404, undefined).saying({ message: 'm', description: 'd' });
	const error = noPdf.with({ report: { report_id: 'r1' } });
	for (const place of ['address.screen', 'report.get']) {
		expect([messageOf(error, place), advised(error, place)]).toEqual(['m', 'd']);
	}
});

test('a 404 of the trigger names what the delivery referred to', () => {
	const error = statusError(404, undefined);
	const ofJob = error.with({ job_id: 'j1' });
	expect(messageOf(ofJob, 'trigger')).toMatch(/bulk job/);
	expect(messageOf(error.with({ job_id: 'j1', report_id: 'r1' }), 'trigger')).toMatch(/report/);
	expect(advised(ofJob, 'trigger')).toMatch(/'API Key' and 'Base URL' in the credential/);
});

test('a key that could submit a job is not said to lack write scope', () => {
	const refused = statusError(403, undefined);
	expect(advised(refused, 'bulkJob.screenAndWait')).toContain('write scope');
	const look = refused.with({ job_id: 'j1' });
	expect(advised(look, 'bulkJob.screenAndWait')).not.toContain('write scope');
});
