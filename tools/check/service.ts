import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import { beginsAsPdf } from '../../nodes/WalletScreening/client/answerBody';
import type { Answer } from '../../nodes/WalletScreening/shared/http';
import { excerptJson } from '../../nodes/WalletScreening/shared/text';
import { Check, type CheckOptions } from './check';
import { describeError } from './errors';
import { findJobId } from './jobId';
import { JobWatch, type WatchEnd } from './jobWatch';

export interface CheckResult {
	/** The names and words to enter in 'Service Names'. */
	readonly names: ServiceNames;
	/** Whether the nodes then understand all answers that came. */
	readonly isUnderstood: boolean;
}

/**
 * Screens one address and submits one bulk job of two: the service may bill three screenings, the
 * first address alone, and both in the job. Neither request is sent again. The client of the nodes
 * reads the answers, and is taught the names that it needs for that.
 *
 * @throws an Error with a message for the user if the report of the one address cannot be read
 * @example
 * A service answers about a job, one after the other:
 *
 *     POST /v1/bulk      { "slip": "J7", "lifecycle": "minted" }
 *     GET /v1/bulk/J7    { "slip": "J7", "lifecycle": "simmering" }
 *     GET /v1/bulk/J7    { "slip": "J7", "lifecycle": "scored", "verdicts": [a report, a report] }
 *
 * The names to teach: { jobId: ['slip'], state: ['lifecycle'], complete: ['scored'] }. With them,
 * the nodes read all of it, so `isUnderstood` is true.
 */
export async function checkService(options: CheckOptions): Promise<CheckResult> {
	const { print } = options;
	const check = new Check(options);
	const isPdfRead = await checkReport(check);
	// The names that were taught before an error are worth the paid requests.
	const isJobRead = await checkJob(check).catch((error: Error) => {
		print(`Bulk job: ${describeError(error)}`);
		return false;
	});
	print('Not seen: a job that failed. Ask the vendor for its words, and add them to "failed".');
	return { names: check.names, isUnderstood: isPdfRead && isJobRead };
}

/**
 * Screens an address, and gets its report and its PDF again.
 *
 * @returns whether the PDF is one
 * @throws an Error if the nodes cannot read the report
 */
async function checkReport(check: Check): Promise<boolean> {
	const { addresses, print } = check.options;
	const [address] = addresses;
	const screened = await check.request('POST', '/screen', { address });
	const { report } = await check.read(screened, (client) => client.screen(address));
	const { report_id, risk } = report;
	print(`Screen: a report with the level "${risk.level}" and the score ${risk.score}.`);
	const path = `/reports/${encodeURIComponent(report_id)}`;
	await check.read(await check.request('GET', path), (client) => client.getReport(report_id));
	const { body, status } = await check.request('GET', `${path}/pdf`);
	const isPdf = beginsAsPdf(body);
	const download = isPdf ? 'a PDF' : `not a PDF (status ${status})`;
	print(`Get Report: the nodes read it. Download PDF: ${download}.`);
	return isPdf;
}

/**
 * Submits a job, and watches it until it ends.
 *
 * @returns whether the nodes read all of it
 */
async function checkJob(check: Check): Promise<boolean> {
	const { addresses, print } = check.options;
	const submitted = await check.request('POST', '/bulk', { addresses });
	const id = await findJobId(check, submitted);
	print('Submit: the nodes read the ID of the job.');
	const end = await new JobWatch(check, id, submitted).run();
	print(`Bulk job: ${describeEnd(end, id, submitted)}`);
	return end.kind === 'whole';
}

function describeEnd(end: WatchEnd, id: string, submitted: Answer): string {
	const excerpt = ({ body }: Answer) => excerptJson(String(body));
	switch (end.kind) {
		case 'whole':
			return 'complete, with a report for each address.';
		case 'notWhole':
			return `${end.state} for the nodes. The last answer: ${excerpt(end.answer)}`;
		case 'notShown':
			return `at the end of the wait, the service did not show job ${id}. The answer to Submit: ${excerpt(submitted)}`;
	}
}
