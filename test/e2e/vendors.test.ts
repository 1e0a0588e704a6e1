/** Twenty vendors that know nothing of the nodes: what is understood as it comes, and what after a paste. */
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { run } from '../../tools/check/run';
import {
	type Credential,
	itemsOf,
	type N8n,
	type Saved,
	startFreshInstance,
} from '../../tools/host/instance';
import { deliver, hookCredential, secrets, startTrigger, type Trigger } from '../support/triggers';
import {
	type Course,
	reportsIn,
	screened,
	serveVendors,
	submitted,
	unscreened,
	type Vendor,
	vendors,
	webhookWithError,
} from '../support/vendors';
import { screenEach, screeningNode, screeningWorkflow, triggerNode } from '../support/workflows';

const apiKey = 'key-of-the-vendors';
const ids = vendors.map(({ id }) => id);

/** What each vendor's 'Service Names' hold, by its ID. */
type Taught = Record<string, IDataObject>;

/** Of each question the IDs of the vendors for which the answer is yes. */
const noFigures = () => ({
	/** Screen gives both reports, and Get gives the one that was made before. */
	single: [] as string[],
	/** So does Submit with the right ID, and Screen and Wait with each report, and with an error for the address without one. */
	whole: [] as string[],
	/** A failed job ends before the time-out, with an error for each address. */
	failedEnds: [] as string[],
	/** The error says that the job failed, or what the service says of the address. */
	failedKnown: [] as string[],
	/** The trigger gives each report of a delivery, and names the address without one. */
	delivered: [] as string[],
	/** What must never be: a report that there is not, or the ID of another job. */
	harm: [] as string[],
});

interface Details {
	errorClass?: string;
	job_id?: string;
	entry?: unknown;
	/** What the error proposes to add. */
	add?: IDataObject;
}
const detailsOf = ({ details = {} }: IDataObject) => details as Details;
const reportOf = ({ details, report, ...json }: IDataObject = {}) =>
	(details ? undefined : (report ?? (json['risk'] && json))) as IDataObject | undefined;

/** A setting with that of another one in it, list by list. */
function merged(one: IDataObject = {}, other: IDataObject = {}): IDataObject {
	const names = new Set([...Object.keys(one), ...Object.keys(other)]);
	const listOf = (setting: IDataObject, name: string) => (setting[name] ?? []) as string[];
	return Object.fromEntries(
		[...names].map((name) => [name, [...new Set([...listOf(one, name), ...listOf(other, name)])]]),
	);
}

const getReport = { resource: 'report', operation: 'get', reportId: '={{ $json.report_id }}' };
const submit = { resource: 'bulkJob', operation: 'submit' };
const wait = { resource: 'bulkJob', operation: 'screenAndWait', options: { pollInterval: 0.01 } };
const getJob = {
	resource: 'bulkJob',
	operation: 'get',
	jobId: '={{ $json.job_id }}',
	output: 'reports',
};

let service: Awaited<ReturnType<typeof serveVendors>>;
let n8n: N8n;
let credential: Saved<Credential>;
let hook: Saved<Credential>;
let trigger: Trigger;

beforeAll(async () => {
	service = await serveVendors(apiKey);
	n8n = await startFreshInstance('e2e-vendors');
	// Each item has its vendor, and the names that this vendor uses.
	const data = {
		apiKey,
		baseUrl: '={{ $json.baseUrl }}',
		serviceNames: '={{ $json.serviceNames }}',
		plan: 'enterprise',
	};
	credential = await n8n.saveCredential({ name: 'Vendors', type: 'walletScreeningApi', data });
	hook = await n8n.saveCredential(hookCredential(secrets.body));
	const options = { ignoreRepeats: false };
	trigger = await startTrigger(n8n, hook, { signedContent: 'body', options });
});
afterAll(async () => {
	await n8n?.stop();
	await service?.close();
});

let executions = 0;
/** The items with which the trigger starts for this body; none if it does not start. */
async function startedBy(body: unknown): Promise<IDataObject[]> {
	await deliver(trigger, JSON.stringify(body));
	const [newest, ...others] = await n8n.executionsOf(trigger.workflow);
	if (!newest || others.length < executions) return [];
	executions++;
	return itemsOf(await n8n.finishedExecution(newest.id), triggerNode).map(({ json }) => json);
}

/** Tries all operations with all vendors. Gives the figures, and what the errors propose to add. */
async function measure(taught: Taught = {}) {
	const proposed: Taught = {};

	/** Runs an operation for some items of each vendor, and gives the JSON that comes out for each. */
	async function forEach(
		parameters: INodeParameters,
		inputOf: (vendor: Vendor) => Array<IDataObject & { course: Course }>,
	) {
		const input = vendors.flatMap((vendor) =>
			inputOf(vendor).map((item) => ({
				...item,
				vendor: vendor.id,
				baseUrl: service.baseUrl(vendor, item.course),
				serviceNames: JSON.stringify(taught[vendor.id] ?? {}),
			})),
		);
		const given = [input, parameters, credential, 'continueRegularOutput'] as const;
		const workflow = await n8n.saveWorkflow(screeningWorkflow(...given));
		const items = itemsOf(await n8n.runWorkflow(workflow), screeningNode);
		const outcomes = items.map(({ json, pairedItem }) => {
			const [item] = [pairedItem].flat() as Array<{ item: number }>;
			const { vendor, course } = input[item!.item]!;
			const { complete, ...rest } = detailsOf(json).add ?? {};
			// The text says that a word may be one of failure. Who looks at a job that runs, adds no word to those of its end.
			const words = complete && { [course === 'at failed' ? 'failed' : 'complete']: complete };
			if (!course.startsWith('at running'))
				proposed[vendor] = merged(proposed[vendor], { ...rest, ...words });
			return { vendor, course, json };
		});
		return (vendor: Vendor, course?: string) =>
			outcomes
				.filter((one) => one.vendor === vendor.id && (!course || one.course === course))
				.map(({ json }) => json);
	}

	const inJob = (course: Course) => submitted.map((address) => ({ course, address }));
	const screenings = await forEach(screenEach, () => [
		{ course: 'green', address: screened },
		{ course: 'red', address: screened },
	]);
	const earlier = await forEach(getReport, (vendor) => [
		{ course: 'green', report_id: reportsIn(vendor.screen)[0]!['report_id'] },
	]);
	const handles = await forEach(submit, () => inJob('complete'));
	const ends = ['complete', 'completeWithError', 'failed'] as const;
	const waited = await forEach(wait, () => ends.flatMap(inJob));
	const looked = await forEach(getJob, ({ running, jobId: job_id }) =>
		[...ends, ...running.map((_, at) => `running${at}` as const)].map((stage) => {
			return { course: `at ${stage}` as const, job_id };
		}),
	);

	const figures = noFigures();
	for (const vendor of vendors) {
		const { id, jobId } = vendor;
		const count = (figure: keyof typeof figures, is: boolean) => is && figures[figure].push(id);
		const isAll = (items: IDataObject[], body: unknown) => {
			const all = reportsIn(body);
			const expected = submitted.map((address) => all.find((one) => one['address'] === address));
			return isDeepStrictEqual(items.map(reportOf), expected);
		};

		const [green, red] = screenings(vendor);
		const sent = [vendor.screen, vendor.screenRed, vendor.screen];
		const isSingle = isDeepStrictEqual(
			[green, red, earlier(vendor)[0]].map(reportOf),
			sent.map((body) => reportsIn(body)[0]),
		);
		const submissions = handles(vendor);
		const partly = waited(vendor, 'completeWithError');
		count('single', isSingle);
		count(
			'whole',
			isSingle &&
				submissions[0]?.['job_id'] === jobId &&
				isAll(waited(vendor, 'complete'), vendor.complete) &&
				isAll(partly, vendor.completeWithError) &&
				detailsOf(partly[2]!).errorClass !== undefined,
		);

		const failed = waited(vendor, 'failed').map(detailsOf);
		const isOver = ({ job_id, errorClass }: Details) =>
			job_id === jobId && errorClass !== 'unauthorized';
		const isKnown = ({ errorClass, entry }: Details) =>
			errorClass === 'job_failed' || (errorClass !== undefined && entry !== undefined);
		count('failedEnds', failed.every(isOver));
		count('failedKnown', failed.every(isKnown));

		const serviceNames = JSON.stringify(taught[id] ?? {});
		await n8n.changeCredential(hook, hookCredential(secrets.body, { serviceNames }).data);
		const all = await startedBy(vendor.webhook);
		const some = await startedBy(webhookWithError(vendor));
		const areReports = (items: IDataObject[], body: unknown) =>
			isDeepStrictEqual(items.map(reportOf).filter(Boolean), reportsIn(body));
		count(
			'delivered',
			areReports(all, vendor.webhook) &&
				all.length === 3 &&
				areReports(some, vendor.completeWithError) &&
				some.some((item) => !reportOf(item) && JSON.stringify(item).includes(unscreened)),
		);

		const running = vendor.running.flatMap((_, at) => looked(vendor, `at running${at}`));
		count(
			'harm',
			[...running, ...waited(vendor, 'failed')].some(reportOf) ||
				[partly[2], ...some].some((item) => reportOf(item)?.['address'] === unscreened) ||
				submissions.some(({ job_id }) => job_id !== undefined && job_id !== jobId),
		);
	}
	return { ...figures, proposed };
}

/** The setting that check-service writes for each vendor. */
async function taughtByCheckService(): Promise<Taught> {
	const addresses = submitted.slice(0, 2).flatMap((address) => ['--address', address]);
	const settings = vendors.map(async (vendor) => {
		const environment = {
			WALLET_SCREENING_API_KEY: apiKey,
			WALLET_SCREENING_BASE_URL: service.baseUrl(vendor, 'complete'),
		};
		let setting = '{}';
		const print = (text: string) => {
			if (text.startsWith('{')) setting = text;
		};
		const ask = async () => false;
		await run(['--yes', '--wait', '10', ...addresses], environment, { print, ask });
		return [vendor.id, JSON.parse(setting) as IDataObject];
	});
	return Object.fromEntries(await Promise.all(settings)) as Taught;
}

const expected = { harm: [], single: ids, delivered: ids };
let proposed: Taught;

test('are understood as they come, most of them whole', async () => {
	const figures = await measure();
	({ proposed } = figures);
	expect(figures).toMatchObject(expected);
	expect(figures.whole.length).toBeGreaterThanOrEqual(17);
	expect(figures.failedEnds.length).toBeGreaterThanOrEqual(18);
});

test('are understood after one paste of check-service', async () => {
	expect(await measure(await taughtByCheckService())).toMatchObject({ ...expected, whole: ids });
});

test('are understood after at most two pastes of what the errors propose, their failures too', async () => {
	let figures = await measure(proposed);
	if (figures.whole.length < ids.length || figures.failedKnown.length < 18) {
		const both = ids.map((id) => [id, merged(proposed[id], figures.proposed[id])]);
		figures = await measure(Object.fromEntries(both) as Taught);
	}
	expect(figures).toMatchObject({ ...expected, whole: ids });
	expect(figures.failedKnown.length).toBeGreaterThanOrEqual(18);
});
