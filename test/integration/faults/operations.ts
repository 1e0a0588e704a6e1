import type { IDataObject, INodeParameters } from 'n8n-workflow';

import type { FaultTarget } from '../../../sandbox/faults';
import type { Report } from '../../../sandbox/reports';
import type { Service } from '../engine/service';

const ADDRESS = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** What the service knows before the faults begin. */
export interface Ground {
	report: Report;
	/** A complete job over `ADDRESS`. */
	jobId: string;
}

export async function prepare({ run }: Service): Promise<Ground> {
	const screened = await run({ resource: 'address', operation: 'screen', address: ADDRESS });
	const submitted = await run({
		resource: 'bulkJob',
		operation: 'submit',
		addressSource: 'list',
		addresses: ADDRESS,
	});
	return {
		report: screened.items[0]![0]!.json as unknown as Report,
		jobId: submitted.items[0]![0]!.json['job_id'] as string,
	};
}

/** An operation, and the one of its requests that meets the faults. */
export interface Operation {
	name: string;
	parameters: INodeParameters;
	/** The input item. */
	input(ground: Ground): IDataObject;
	request: { method: 'GET' | 'POST'; path: RegExp };
	/** False for the one request that is billed twice when it is sent twice. */
	repeatable: boolean;
	/** Whether a job is waited for: what one look meets, another one may not. */
	waits?: boolean;
	/** What a good answer to that request holds. */
	holds: 'report' | 'pdf' | 'job';
	/** Whether an answer without a sound report in it fails the item. */
	needsReport: boolean;
	/** The body of a good answer. */
	body(ground: Ground): string | Buffer;
	/** What is known of a failed item. */
	known(ground: Ground): object;
	/** What there is of a good item. */
	good(ground: Ground): object;
}

const SCREEN = { method: 'POST', path: /^\/v1\/screen$/ } as const;
const REPORT = { method: 'GET', path: /^\/v1\/reports\/[^/]+$/ } as const;
const PDF = { method: 'GET', path: /^\/v1\/reports\/[^/]+\/pdf/ } as const;
const SUBMIT = { method: 'POST', path: /^\/v1\/bulk$/ } as const;
const JOB = { method: 'GET', path: /^\/v1\/bulk\/[^/]+$/ } as const;

const address = () => ({ address: ADDRESS });
const reportId = ({ report }: Pick<Ground, 'report'>) => ({ report_id: report.report_id });
const jobId = (ground: Ground) => ({ job_id: ground.jobId });
const reportItem = ({ report }: Ground) => ({ json: report });
const pdfItem = (ground: Pick<Ground, 'report'>) => ({
	json: reportId(ground),
	binary: { data: { mimeType: 'application/pdf' } },
});
const pdf = () => Buffer.from('%PDF-1.7\n%%EOF');
const reportBody = ({ report }: Ground) => JSON.stringify(report);
const handleBody = (ground: Ground) => JSON.stringify({ ...jobId(ground), status: 'queued' });
const jobBody = ({ report }: Ground) => JSON.stringify({ status: 'completed', results: [report] });

const screen = { resource: 'address', operation: 'screen', address: '={{ $json.address }}' };
const getReport = { resource: 'report', operation: 'get', reportId: '={{ $json.report_id }}' };
const getJob = { resource: 'bulkJob', operation: 'get', jobId: '={{ $json.job_id }}' };
const screenAndWait = { resource: 'bulkJob', operation: 'screenAndWait' };

export const operations: Operation[] = [
	{
		...{ name: 'address: screen', parameters: screen, input: address, request: SCREEN },
		...{ repeatable: true, holds: 'report', needsReport: true, body: reportBody },
		...{ known: address, good: reportItem },
	},
	{
		...{ name: 'address: screen, its PDF', input: address, request: PDF },
		parameters: { ...screen, includePdf: true },
		...{ repeatable: true, holds: 'pdf', needsReport: false, body: pdf },
		...{
			known: (ground) => ({ ...address(), ...reportId(ground) }),
			good: ({ report }) => ({ ...pdfItem({ report }), json: report }),
		},
	},
	{
		...{ name: 'report: get', parameters: getReport, input: reportId, request: REPORT },
		...{ repeatable: true, holds: 'report', needsReport: true, body: reportBody },
		...{ known: reportId, good: reportItem },
	},
	{
		...{ name: 'report: downloadPdf', input: reportId, request: PDF },
		parameters: { ...getReport, operation: 'downloadPdf' },
		...{ repeatable: true, holds: 'pdf', needsReport: false, body: pdf },
		...{ known: reportId, good: pdfItem },
	},
	{
		...{ name: 'bulkJob: submit', input: address, request: SUBMIT },
		parameters: { resource: 'bulkJob', operation: 'submit' },
		...{ repeatable: false, holds: 'job', needsReport: false, body: handleBody },
		...{ known: address, good: () => ({ json: { job_id: expect.any(String), completed: false } }) },
	},
	{
		...{ name: 'bulkJob: get', parameters: getJob, input: jobId, request: JOB },
		...{ repeatable: true, holds: 'job', needsReport: false, body: jobBody },
		...{ known: jobId, good: (ground) => ({ json: { ...jobId(ground), completed: true } }) },
	},
	{
		...{ name: 'bulkJob: get, reports', input: jobId, request: JOB },
		parameters: { ...getJob, output: 'reports' },
		...{ repeatable: true, holds: 'job', needsReport: true, body: jobBody },
		...{ known: jobId, good: reportItem },
	},
	{
		...{ name: 'bulkJob: screenAndWait, the POST', parameters: screenAndWait, input: address },
		...{ request: SUBMIT, repeatable: false, holds: 'job', needsReport: false, body: handleBody },
		...{ known: address, good: reportItem },
	},
	{
		...{ name: 'bulkJob: screenAndWait, the GET', parameters: screenAndWait, input: address },
		...{ request: JOB, repeatable: true, waits: true, holds: 'job', needsReport: true },
		body: jobBody,
		...{ known: () => ({ ...address(), job_id: expect.any(String) }), good: reportItem },
	},
];

export function isFor(
	{ request }: Operation,
	{ method, path }: Pick<FaultTarget, 'method' | 'path'>,
): boolean {
	return method === request.method && request.path.test(path);
}
