import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeExecutionData, INodeParameters } from 'n8n-workflow';
import { run } from '../../tools/check/run';
import {
	type Course,
	reportsIn,
	screened,
	type serveVendors,
	submitted,
	unscreened,
	type Vendor,
	vendors,
	webhookWithError,
} from './vendors';

/** What runs the nodes under a credential whose fields are expressions: see `trialCredential`. */
export interface Nodes {
	run(parameters: INodeParameters, input: IDataObject[]): Promise<INodeExecutionData[]>;
	/** The items with which the trigger starts for this body; none if it does not start. */
	deliver(body: string, serviceNames: string): Promise<IDataObject[]>;
}

/** The fields of a credential by which each item has its vendor, and the names that this vendor uses. */
export const trialCredential = {
	baseUrl: '={{ $json.baseUrl }}',
	serviceNames: '={{ $json.serviceNames }}',
	plan: 'enterprise',
};

/** JSON for the credential, by the ID of the vendor. */
export type Taught = Record<string, IDataObject>;

/** Of each question the IDs of the vendors for which the answer is yes. */
export interface Figures {
	/** Screen gives both reports, and Get gives the one that was made before. */
	single: string[];
	/** So does Submit with the right ID, and Screen and Wait with each report, and with an error for the address without one. */
	whole: string[];
	/** A failed job ends before the time-out, with an error for each address. */
	failedEnds: string[];
	/** The error says that the job failed, or what the service says of the address. */
	failedKnown: string[];
	/** The trigger gives each report of a delivery, and names the address without one. */
	delivered: string[];
	/** What must never be: a report that there is not, or the ID of another job. */
	harm: string[];
	/** What the errors propose to add. */
	proposed: Taught;
}

const ends = ['complete', 'completeWithError', 'failed'] as const;
const screen = { resource: 'address', operation: 'screen', address: '={{ $json.address }}' };
const getReport = { resource: 'report', operation: 'get', reportId: '={{ $json.report_id }}' };
const submit = { resource: 'bulkJob', operation: 'submit' };
const wait = {
	...{ resource: 'bulkJob', operation: 'screenAndWait' },
	options: { pollInterval: 0.01 },
};
const getJob = {
	...{ resource: 'bulkJob', operation: 'get', jobId: '={{ $json.job_id }}', output: 'reports' },
};

export async function measure(
	nodes: Nodes,
	{ baseUrl }: Pick<Awaited<ReturnType<typeof serveVendors>>, 'baseUrl'>,
	taught: Taught = {},
): Promise<Figures> {
	const harm = new Set<string>();
	const proposed: Taught = {};

	/** Runs an operation for some items of each vendor, and gives the JSON that comes out for each. */
	async function forEach(
		parameters: INodeParameters,
		itemsOf: (vendor: Vendor) => Array<IDataObject & { course: Parameters<typeof baseUrl>[1] }>,
	) {
		const input = vendors.flatMap((vendor) =>
			itemsOf(vendor).map((item) => ({
				...{ ...item, vendor: vendor.id, baseUrl: baseUrl(vendor, item.course) },
				serviceNames: JSON.stringify(taught[vendor.id] ?? {}),
			})),
		);
		const items = await nodes.run(parameters, input);
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
	const screenings = await forEach(screen, () => [
		{ course: 'green', address: screened },
		{ course: 'red', address: screened },
	]);
	const earlier = await forEach(getReport, ({ screen }) => [
		{ course: 'green', report_id: reportsIn(screen)[0]!['report_id'] as string },
	]);
	const handles = await forEach(submit, () => inJob('complete'));
	const waited = await forEach(wait, () => ends.flatMap(inJob));
	const looked = await forEach(getJob, ({ running, jobId: job_id }) =>
		[...ends, ...running.map((_, at) => `running${at}` as const)].map((stage) => {
			return { course: `at ${stage}` as const, job_id };
		}),
	);

	const figures: Record<Exclude<keyof Figures, 'harm' | 'proposed'>, string[]> = {
		...{ single: [], whole: [], failedEnds: [], failedKnown: [], delivered: [] },
	};
	for (const vendor of vendors) {
		const { id, jobId } = vendor;
		const count = (figure: keyof typeof figures, is: boolean) => is && figures[figure].push(id);
		const expected = (body: unknown) =>
			submitted.map((address) => reportsIn(body).find((one) => one['address'] === address));
		const isAll = (items: IDataObject[], body: unknown) =>
			isDeepStrictEqual(items.map(reportOf), expected(body));

		const [green, red] = screenings(vendor);
		const isSingle = isDeepStrictEqual([green, red, earlier(vendor)[0]].map(reportOf), [
			...[vendor.screen, vendor.screenRed, vendor.screen].map((body) => reportsIn(body)[0]),
		]);
		const [handle] = handles(vendor);
		const partly = waited(vendor, 'completeWithError');
		count('single', isSingle);
		count(
			'whole',
			isSingle &&
				handle?.['job_id'] === jobId &&
				isAll(waited(vendor, 'complete'), vendor.complete) &&
				isAll(partly, vendor.completeWithError) &&
				detailsOf(partly[2]!).errorClass !== undefined,
		);

		const failed = waited(vendor, 'failed');
		const isOver = (json: IDataObject) =>
			detailsOf(json).job_id === jobId && detailsOf(json).errorClass !== 'unauthorized';
		count('failedEnds', failed.every(isOver));
		count('failedKnown', failed.every(saysThatItFailed));

		const starts = async (body: unknown) =>
			await nodes.deliver(JSON.stringify(body), JSON.stringify(taught[id] ?? {}));
		const all = await starts(vendor.webhook);
		const some = await starts(webhookWithError(vendor));
		const reports = (items: IDataObject[]) => items.map(reportOf).filter((one) => one);
		count(
			'delivered',
			isDeepStrictEqual(reports(all), reportsIn(vendor.webhook)) &&
				all.length === 3 &&
				isDeepStrictEqual(reports(some), reportsIn(vendor.completeWithError)) &&
				some.some((item) => !reportOf(item) && JSON.stringify(item).includes(unscreened)),
		);

		const isHarmed =
			[...vendor.running.flatMap((_, at) => looked(vendor, `at running${at}`)), ...failed].some(
				reportOf,
			) ||
			[partly[2], ...some].some((item) => reportOf(item)?.['address'] === unscreened) ||
			handles(vendor).some(({ job_id }) => job_id !== undefined && job_id !== jobId);
		if (isHarmed) harm.add(id);
	}
	return { ...figures, harm: [...harm], proposed };
}

const reportOf = (json: IDataObject | undefined): IDataObject | undefined =>
	json?.['details']
		? undefined
		: ((json?.['report'] ?? (json?.['risk'] && json)) as IDataObject | undefined);

interface Details {
	errorClass?: string;
	job_id?: string;
	entry?: unknown;
	add?: IDataObject;
}

const detailsOf = ({ details = {} }: IDataObject) => details as Details;

function saysThatItFailed(json: IDataObject): boolean {
	const { errorClass, entry } = detailsOf(json);
	return errorClass === 'job_failed' || (errorClass !== undefined && entry !== undefined);
}

/** The figures in a line each, with whom they lack. */
export const told = ({ harm, proposed: _, ...figures }: Figures): string =>
	Object.entries(figures)
		.map(([name, ids]) => {
			const others = vendors.filter(({ id }) => !ids.includes(id)).map(({ id }) => id);
			return `${name}: ${ids.length} of ${vendors.length}; not ${others.join(', ') || 'any'}`;
		})
		.concat(`harm: ${harm.join(', ') || 'none'}`)
		.join('\n');

/** A setting with that of another one in it, list by list. */
function merged(one: IDataObject = {}, other: IDataObject): IDataObject {
	const all = { ...one };
	for (const [key, list] of Object.entries(other) as Array<[string, string[]]>)
		all[key] = [...new Set([...((one[key] ?? []) as string[]), ...list])];
	return all;
}

/** What is taught twice. */
export const together = (one: Taught, other: Taught): Taught =>
	Object.fromEntries(vendors.map(({ id }) => [id, merged(one[id], other[id] ?? {})]));

/** The setting that check-service writes for each vendor. */
export async function taughtByCheckService(
	apiKey: string,
	{ baseUrl }: Pick<Awaited<ReturnType<typeof serveVendors>>, 'baseUrl'>,
): Promise<Taught> {
	const given = submitted.slice(0, 2).flatMap((address) => ['--address', address]);
	const settings = vendors.map(async (vendor) => {
		const environment = {
			WALLET_SCREENING_API_KEY: apiKey,
			WALLET_SCREENING_BASE_URL: baseUrl(vendor, 'complete'),
		};
		let setting = '{}';
		const print = (text: string) => {
			if (text.startsWith('{')) setting = text;
		};
		await run(['--yes', '--wait', '10', ...given], environment, { print, ask: async () => false });
		return [vendor.id, JSON.parse(setting) as IDataObject];
	});
	return Object.fromEntries(await Promise.all(settings)) as Taught;
}
