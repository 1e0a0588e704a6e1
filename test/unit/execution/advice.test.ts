import type { INodeProperties } from 'n8n-workflow';
import { describeWithAdvice } from '../../../nodes/WalletScreening/execution/advice';
import { type ErrorSite, errorSites } from '../../../nodes/WalletScreening/execution/errorSites';
import { actionProperties, resources } from '../../../nodes/WalletScreening/actions';
import { answerTooLargeError } from '../../../nodes/WalletScreening/client/answerBody';
import {
	invalidInput,
	invalidResponse,
	ScreeningError,
} from '../../../nodes/WalletScreening/shared/errors';
import { statusError } from '../../../nodes/WalletScreening/client/statusErrors';
import { networkFault } from '../../../nodes/WalletScreening/client/networkFaults';
import type { Job } from '../../../nodes/WalletScreening/answers/jobAnswer';
import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import type { ServiceNames } from '../../../nodes/WalletScreening/answers/standardNames';
import { createTimeoutError } from '../../../nodes/WalletScreening/answers/jobErrors';
import { resultsByAddress } from '../../support/unit/jobResults';

const job = new Reader().readSubmittedJob({
	body: { job_id: 'j1', status: 'queued' },
	status: 202,
});
const missingResult = (ended: Job) => resultsByAddress(['0x1'], ended).get('0x1') as ScreeningError;
const ofStatus = (status: number) => statusError(status, undefined);
const withJob = (status: number) => ofStatus(status).withDetails({ job_id: 'j1' });

test('a site is each operation that asks the service, and the trigger', () => {
	const asking = resources.flatMap(({ value, operations }) =>
		operations.flatMap((one) => (one.sendsNothing ? [] : `${value}.${one.value}`)),
	);
	expect([...errorSites].sort()).toEqual([...asking, 'trigger'].sort());
});

/** The labels of the fields that a person sees at this site, options among them. */
function labelsAt(site: ErrorSite): string[] {
	const [resource, operation] = site.split('.');
	const fields = actionProperties.filter(({ displayOptions }) => {
		const show = displayOptions?.show ?? {};
		return show['resource']?.includes(resource!) && show['operation']?.includes(operation!);
	});
	return fields.flatMap(({ displayName, name, options = [] }) => [
		displayName,
		...(name === 'options' ? (options as INodeProperties[]) : []).map((one) => one.displayName),
	]);
}

const credential = ['Base URL', 'API Key', 'Plan', 'Shared By', 'Service Names', 'jobId'];

test.each(errorSites)('advice at %s names only fields that are there', (site) => {
	const known = [...credential, ...labelsAt(site), 'Bulk Job: Get'];
	const errors = [
		...[302, 400, 401, 403, 404, 429, 500].map(ofStatus),
		...(['ECONNREFUSED', 'ENOTFOUND', 'SSRF', 'TIMEOUT'] as const).map((code) =>
			networkFault(code, 30),
		),
		invalidInput('Address', 'mistyped', 'Copy it again.', { checksum: 'invalid' }),
		createTimeoutError(job, 'yet'),
		missingResult({ ...job, state: 'complete' }),
		invalidResponse('a body that is not JSON'),
		answerTooLargeError(200, 2 ** 24).withDetails({ job_id: 'j1' }),
		statusError(404, undefined).withDetails({ job_id: 'j1' }),
	];
	for (const error of errors) {
		const text = describeWithAdvice(error, site);
		expect(text.startsWith(error.description)).toBe(true);
		const advice = text.slice(error.description.length);
		// A quotation mark that opens a name follows a space; an apostrophe does not.
		for (const [, name] of advice.matchAll(/(?<=^|\s)'([^']+)'/g)) expect(known).toContain(name);
	}
});

const notSent = new ScreeningError('job_timeout', 'It was not sent', 'Screen it again.');
const submits: ErrorSite[] = ['bulkJob.submit', 'bulkJob.screenAndWait'];
const getJob: ErrorSite[] = ['bulkJob.get'];
const wait: ErrorSite[] = ['bulkJob.screenAndWait'];
const screen: ErrorSite[] = ['address.screen'];

interface AdviceCase {
	readonly what: string;
	readonly sites: readonly ErrorSite[];
	readonly error: ScreeningError;
	readonly because: string;
	/** What the text says; anything if absent. */
	readonly expected?: RegExp;
	/** What it does not say. */
	readonly unexpected?: RegExp;
}

const adviceCases: readonly AdviceCase[] = [
	{
		what: 'a job that runs',
		sites: getJob,
		error: createTimeoutError(job, 'yet'),
		because: "the user looks at 'Bulk Job: Get' already",
		expected: /again later/,
		unexpected: /'Bulk Job: Get'/,
	},
	{
		what: 'a job that failed',
		sites: getJob,
		error: missingResult({ ...job, state: 'failed' }),
		because: "the user asked 'Bulk Job: Get' for reports",
		expected: /Set 'Output' to Job/,
		unexpected: /'Bulk Job: Get'/,
	},
	{
		what: 'a job without results',
		sites: getJob,
		error: missingResult({ ...job, state: 'complete' }),
		because: "the user asked 'Bulk Job: Get' for reports",
		expected: /Set 'Output' to Job/,
		unexpected: /'Bulk Job: Get'/,
	},
	{
		what: 'a job that runs',
		sites: wait,
		error: createTimeoutError(job, 'yet'),
		because: 'its results can be had later',
		expected: /'Bulk Job: Get'/,
	},
	{
		what: 'a job that failed',
		sites: wait,
		error: missingResult({ ...job, state: 'failed' }),
		because: 'the job says why',
		expected: /'Bulk Job: Get'/,
	},
	{
		what: 'a job without results',
		sites: wait,
		error: missingResult({ ...job, state: 'complete' }),
		because: 'the job says why',
		expected: /'Bulk Job: Get'/,
	},
	{
		what: 'a time that is up',
		sites: wait,
		error: notSent,
		because: 'an address that is in no job has no job ID to get results by',
		expected: /'Timeout \(Minutes\)'/,
		unexpected: /job ID/,
	},
	{
		what: '500',
		sites: submits,
		error: ofStatus(500),
		because: 'a request that may be billed is not repeated',
		unexpected: /repeats/,
	},
	{
		what: '500',
		sites: screen,
		error: ofStatus(500),
		because: 'a screening is repeated',
		expected: /repeats a failed request up to 'Max Retries' times/,
		unexpected: /lost/,
	},
	{
		what: '504',
		sites: screen,
		error: ofStatus(504),
		because: 'its answer was lost behind a gateway',
		expected: /repeats a screening with a lost response once/,
		unexpected: /failed request/,
	},
	{
		what: '404',
		sites: [...screen, ...submits, 'trigger'],
		error: ofStatus(404),
		because: 'the address of the service may be wrong',
		expected: /Base URL/,
	},
	{
		what: '403',
		sites: wait,
		error: ofStatus(403),
		because: 'the key may lack a scope',
		expected: /write scope/,
	},
	{
		what: '403 and a job',
		sites: wait,
		error: withJob(403),
		because: 'a key that could submit a job has write scope',
		unexpected: /write scope/,
	},
	{
		what: 'a bad Base URL',
		sites: screen,
		error: invalidInput('Base URL', 'm', 'd'),
		because: 'it is a field of the credential',
		expected: /credential/,
	},
	{
		what: '401',
		sites: errorSites,
		error: statusError(401, 'No'),
		because: "the words of the service come last, apart from the node's own",
		expected: /'API Key' in the credential\. The service's message: No$/,
	},
];

test.each(adviceCases)(
	'the advice on $what at $sites, because $because',
	({ sites, error, expected = /./, unexpected = /undefined/ }) => {
		for (const site of sites) {
			const text = describeWithAdvice(error, site);
			expect(text).toMatch(expected);
			expect(text).not.toMatch(unexpected);
		}
	},
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
	[
		{ categories: ['a', 'b'] },
		/a report has the categories "a", "b" and no others.*\{"categories":\["a","b"\]\}/,
	],
])('what to add to the names of the service is told: %j', (proposedNames, expected) => {
	const error = new ScreeningError('invalid_response', 'm', 'd', { proposedNames });
	expect(describeWithAdvice(error, 'bulkJob.submit')).toMatch(expected);
});

test('a report that is here already is not looked for again', () => {
	const noPdf = ofStatus(404).withText({ message: 'm', description: 'd' });
	expect(
		describeWithAdvice(noPdf.withDetails({ reportItem: { level: 'red' } }), 'report.get'),
	).toBe('d');
});
