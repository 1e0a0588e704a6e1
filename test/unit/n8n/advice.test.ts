import { advised, messageOf } from '../../../nodes/WalletScreening/n8n/advice';
import {
	networkFault,
	ScreeningError,
	statusError,
} from '../../../nodes/WalletScreening/service/errors';
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
	jobTimeout(job, 'yet'),
	noResults('j1'),
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

const credential = ['Base URL', 'API Key', 'Plan', 'Shared By'];

describe.each(places)('advice at %s', (place) => {
	test('names only fields that are there', () => {
		const known = [...credential, ...labelsAt(place), 'Bulk Job: Get'];
		for (const error of errors) {
			const advice = advised(error, place).slice(error.description.length);
			// A quotation mark that opens a name follows a space; an apostrophe does not.
			for (const [, name] of advice.matchAll(/(?<=^|\s)'([^']+)'/g)) expect(known).toContain(name);
		}
	});

	test('keeps what the error itself says', () => {
		for (const error of errors) expect(advised(error, place)).toContain(error.description);
	});
});

test('a job that is not complete does not send the user to the node that he looks at', () => {
	for (const error of [jobTimeout(job, 'yet'), noResults('j1')]) {
		expect(advised(error, 'bulkJob.get')).not.toMatch(/'Bulk Job: Get'/);
		expect(advised(error, 'bulkJob.screenAndWait')).toMatch(/'Bulk Job: Get'/);
	}
});

test('a job without results that was asked for as reports has another output to look at', () => {
	expect(advised(noResults('j1'), 'bulkJob.get')).toMatch(/Set 'Output' to Job/);
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
