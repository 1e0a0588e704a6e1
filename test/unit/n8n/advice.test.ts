import type { INodeProperties } from 'n8n-workflow';
import type { ServiceNames } from '../../../nodes/WalletScreening/service/reader/names';
import { advised, messageOf } from '../../../nodes/WalletScreening/n8n/advice';
import {
	invalidInput,
	invalidResponse,
	ScreeningError,
} from '../../../nodes/WalletScreening/service/errors';
import { networkFault, statusError } from '../../../nodes/WalletScreening/service/faults';
import { jobFailed, jobTimeout, noResults } from '../../../nodes/WalletScreening/service/results';
import { actionProperties, resources } from '../../../nodes/WalletScreening/operations';

/** The operations that ask the service. */
const places = [
	...resources.flatMap(({ value, operations }) =>
		operations.flatMap((one) => (one.sendsNothing ? [] : `${value}.${one.value}`)),
	),
	'trigger',
];
const job = { job_id: 'j1', state: 'running', entries: undefined, body: {} } as const;
const errors: ScreeningError[] = [
	...[302, 400, 401, 403, 404, 429, 500].map((status) => statusError(status, undefined)),
	...['ECONNREFUSED', 'ENOTFOUND', 'SSRF', 'TIMEOUT'].map((code) => networkFault(code, 30)),
	invalidInput('Address', 'mistyped', 'Copy it again.', { checksum: 'invalid' }),
	jobTimeout(job, 'yet'),
	noResults({ job_id: 'j1' }),
	invalidResponse('a body that is not JSON'),
];

/** The labels of the fields that a person sees at this place, options among them. */
function labelsAt(place: string): string[] {
	const [resource, operation] = place.split('.');
	const fields = actionProperties.filter(({ displayOptions }) => {
		const show = displayOptions?.show ?? {};
		return show['resource']?.includes(resource!) && show['operation']?.includes(operation!);
	});
	return fields.flatMap(({ displayName, name, options = [] }) => [
		displayName,
		...(name === 'options' ? (options as INodeProperties[]) : []).map((one) => one.displayName),
	]);
}

const credential = ['Base URL', 'API Key', 'Plan', 'Shared By', 'Service Names'];

test.each(places)('advice at %s names only fields that are there', (place) => {
	// 'On Error' is in the settings of every node.
	const known = [...credential, ...labelsAt(place), 'Bulk Job: Get', 'On Error'];
	for (const error of errors) {
		const text = advised(error, place, { stops: true });
		expect(text.startsWith(error.description)).toBe(true);
		const advice = text.slice(error.description.length);
		// A quotation mark that opens a name follows a space; an apostrophe does not.
		for (const [, name] of advice.matchAll(/(?<=^|\s)'([^']+)'/g)) expect(known).toContain(name);
	}
});

const ofStatus = (status: number) => statusError(status, undefined);
const withJob = (status: number) => ofStatus(status).withDetails({ job_id: 'j1' });
const notSent = new ScreeningError('job_timeout', 'It was not sent', 'Screen it again.');
const posts = ['bulkJob.submit', 'bulkJob.screenAndWait'];

/** Errors, the places where they stop the workflow, what is said of them there, and what is not. */
test.each<[ScreeningError, string[], RegExp | '', RegExp?]>([
	// The user looks at 'Bulk Job: Get' already, and asked it for reports.
	[jobTimeout(job, 'yet'), ['bulkJob.get'], '', /'Bulk Job: Get'/],
	[jobFailed(job), ['bulkJob.get'], /Set 'Output' to Job/, /'Bulk Job: Get'/],
	[noResults({ job_id: 'j1' }), ['bulkJob.get'], /Set 'Output' to Job/, /'Bulk Job: Get'/],
	[jobTimeout(job, 'yet'), ['bulkJob.screenAndWait'], /'Bulk Job: Get'/],
	[jobFailed(job), ['bulkJob.screenAndWait'], /'Bulk Job: Get'/],
	[noResults({ job_id: 'j1' }), ['bulkJob.screenAndWait'], /'Bulk Job: Get'/],
	// An address that is in no job has no job ID to get results by.
	[notSent, ['bulkJob.screenAndWait'], /'Timeout \(Minutes\)'/, /job ID/],
	// Only a rejection of content may be the fault of one address, and only a job that stops needs to be divided.
	[ofStatus(400), posts, /'On Error' set to Continue/],
	[ofStatus(400), ['address.screen'], '', /On Error/],
	[ofStatus(409), posts, '', /On Error/],
	// What may be billed is not said to be repeated, and a job that exists is shown.
	[ofStatus(500), posts, '', /repeats/],
	[ofStatus(500), ['address.screen'], /repeats/],
	[withJob(400), posts, /'Bulk Job: Get' with this job ID/, /On Error/],
	[withJob(500), posts, /'Bulk Job: Get' with this job ID/, /repeats/],
	[ofStatus(404), ['address.screen', ...posts, 'trigger'], /Base URL/],
	[withJob(404), ['trigger'], /'API Key' and 'Base URL' in the credential/],
	// A key that could submit a job has write scope.
	[ofStatus(403), ['bulkJob.screenAndWait'], /write scope/],
	[withJob(403), ['bulkJob.screenAndWait'], '', /write scope/],
	[invalidInput('Base URL', 'm', 'd'), ['address.screen'], /credential/],
	// What the service says comes last, so that nothing of ours seems to be its words.
	[statusError(401, 'No'), places, /'API Key' in the credential\. The service says: No$/],
])('%s at %j is advised on by %s, not by %s', (error, where, said, unsaid = /undefined/) => {
	for (const place of where) {
		const text = advised(error, place, { stops: true });
		expect(text).toMatch(said);
		expect(text).not.toMatch(unsaid);
	}
});

test('a failure that does not stop the workflow needs no other setting of On Error', () =>
	expect(advised(ofStatus(400), 'bulkJob.submit')).not.toMatch(/On Error/));

test.each([
	[ofStatus(404), 'report.get', /report/],
	[ofStatus(404), 'bulkJob.get', /bulk job/],
	[ofStatus(404), 'address.screen', /what was asked for/],
	[withJob(404), 'trigger', /bulk job/],
	[withJob(404).withDetails({ report_id: 'r1' }), 'trigger', /report/],
])('a 404 names what was not found: %s at %s', (error, place, what) =>
	expect(messageOf(error, place)).toMatch(what),
);

test.each<[ServiceNames, RegExp]>([
	[
		{ jobId: ['ticket'] },
		/If "ticket" is the ID of the job, add \{"jobId":\["ticket"\]\} to 'Service/,
	],
	[
		{ complete: ['burnt'] },
		/"burnt" means that all .*\{"complete":\["burnt"\]\}.* it failed, .*\{"failed":\["burnt"\]\}/,
	],
	[{ categories: ['a', 'b'] }, /"a", "b" are all categories .*\{"categories":\["a","b"\]\}/],
])('what to add to the names of the service is said: %j', (add, said) => {
	const error = new ScreeningError('invalid_response', 'm', 'd', { add });
	expect(advised(error, 'bulkJob.submit')).toMatch(said);
});

test('a report that is here already is not looked for again', () => {
	const noPdf = ofStatus(404).withText({ message: 'm', description: 'd' });
	const error = noPdf.withDetails({ reportItem: { level: 'red' } });
	expect([messageOf(error, 'report.get'), advised(error, 'report.get')]).toEqual(['m', 'd']);
});
