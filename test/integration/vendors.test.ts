/**
 * Twenty vendors that know nothing of the nodes: what is understood as it comes, and what after a
 * paste.
 */
import { isDeepStrictEqual } from 'node:util';
import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { runCheck } from '../../tools/check/run';
import { createEngine, type Engine } from '../../tools/host/engine/engine';
import {
	reportsIn,
	screenedAddress,
	submittedAddresses,
	type Vendor,
	vendors,
} from '../support/data/vendors';
import {
	type Course,
	startVendorService,
	type VendorService,
} from '../support/servers/vendorService';
import {
	CONTINUE,
	GET_JOB,
	SCREEN,
	engineWorkflow,
	SCREEN_AND_WAIT,
} from '../support/engine/workflows';

const apiKey = 'key-of-the-vendors';
const ids = vendors.map(({ id }) => id);

/** The content of 'Service Names' for each vendor, by its ID. */
type Taught = Record<string, IDataObject>;

interface Details {
	errorClass?: string;
	entry?: unknown;
	/** The names that the error proposes to add. */
	add?: IDataObject;
}
const detailsOf = ({ details = {} }: IDataObject) => details as Details;
const reportOf = ({ details, report }: IDataObject) =>
	(details ? undefined : report) as IDataObject | undefined;

/** Merges two settings, list by list. */
function merged(first: IDataObject = {}, second: IDataObject = {}): IDataObject {
	const names = [...new Set([...Object.keys(first), ...Object.keys(second)])];
	const listOf = (setting: IDataObject, name: string) => (setting[name] ?? []) as string[];
	return Object.fromEntries(
		names.map((name) => [name, [...new Set([...listOf(first, name), ...listOf(second, name)])]]),
	);
}

let service: VendorService;
let engine: Engine;
beforeAll(async () => {
	service = await startVendorService(apiKey);
	// Each item sets the base address of its vendor, and the names that this vendor uses.
	const own = { baseUrl: '={{ $json.baseUrl }}', serviceNames: '={{ $json.serviceNames }}' };
	const data = { apiKey, plan: 'enterprise', ...own };
	engine = await createEngine({
		credentials: [{ name: 'each', type: 'walletScreeningApi', data }],
	});
});
afterAll(async () => {
	await engine.close();
	await service.close();
});

/** The items of one vendor in one course. */
type ItemsOf = (vendor: Vendor, course: Course) => IDataObject[];

/**
 * Runs an operation for each vendor and address in each course, and adds the names that errors
 * propose to `proposed`.
 */
async function runForAll(
	parameters: INodeParameters,
	addresses: readonly string[],
	courses: Course[],
	{ taught, proposed }: { taught: Taught; proposed: Taught },
): Promise<ItemsOf> {
	const input = vendors.flatMap((vendor) =>
		courses.flatMap((course) =>
			addresses.map((address) => ({
				vendor: vendor.id,
				course,
				address,
				job_id: vendor.jobId,
				baseUrl: service.baseUrl(vendor, course),
				serviceNames: JSON.stringify(taught[vendor.id] ?? {}),
			})),
		),
	);
	const given = { credential: 'each', onError: CONTINUE } as const;
	const { items } = await engine.run(engineWorkflow(parameters, given), { input });
	const outcomes = items[0]!.map(({ json, pairedItem }) => {
		const [{ item }] = [pairedItem].flat() as [{ item: number }];
		const { vendor, course } = input[item]!;
		const { complete, ...rest } = detailsOf(json).add ?? {};
		// The text says that a word may be one of failure.
		const words = complete && { [course === 'failed at once' ? 'failed' : 'complete']: complete };
		proposed[vendor] = merged(proposed[vendor], { ...rest, ...words });
		return { vendor, course, json };
	});
	return ({ id }, course) =>
		outcomes.filter((one) => one.vendor === id && one.course === course).map(({ json }) => json);
}

/** Whether the items of a job have the report in this body of each submitted address. */
function hasReports(items: IDataObject[], body: unknown): boolean {
	const all = reportsIn(body);
	const expected = submittedAddresses.map((address) =>
		all.find((one) => one['address'] === address),
	);
	return isDeepStrictEqual(items.map(reportOf), expected);
}

const idsOf = (is: (vendor: Vendor) => boolean) => vendors.filter(is).map(({ id }) => id);
const idsOutside = (list: string[]) => ids.filter((id) => !list.includes(id));

/**
 * Screens with all vendors. Returns the IDs of those that are understood, and the names that errors
 * propose to add.
 */
async function measure(taught: Taught = {}) {
	const proposed: Taught = {};
	const names = { taught, proposed };
	const reports = { ...GET_JOB, output: 'reports' };
	const ends: Course[] = ['complete', 'completeWithError', 'failed'];
	const single = await runForAll(SCREEN, [screenedAddress], ['green', 'red'], names);
	const waited = await runForAll(SCREEN_AND_WAIT, submittedAddresses, ends, names);
	const ended: Course[] = ['complete at once', 'completeWithError at once', 'failed at once'];
	await runForAll(reports, [screenedAddress], ended, names);
	return {
		proposed,
		/** The node outputs each report, and an error for the address without one. */
		whole: idsOf((vendor) => {
			const { screen, screenRed, complete, completeWithError } = vendor;
			const both = [...single(vendor, 'green'), ...single(vendor, 'red')];
			return (
				isDeepStrictEqual(both.map(reportOf), [screen, screenRed].flatMap(reportsIn)) &&
				hasReports(waited(vendor, 'complete'), complete) &&
				hasReports(waited(vendor, 'completeWithError'), completeWithError)
			);
		}),
		/** The error says that the job failed, or what the service says of the address. */
		failedKnown: idsOf((vendor) =>
			waited(vendor, 'failed').every((json) => {
				const { errorClass, entry } = detailsOf(json);
				return errorClass === 'job_failed' || (errorClass !== undefined && entry !== undefined);
			}),
		),
		/** The node outputs a report that does not exist, which must never happen. */
		harm: idsOf((vendor) =>
			[...waited(vendor, 'failed'), waited(vendor, 'completeWithError')[2]!].some(reportOf),
		),
	};
}

/** The setting that check-service writes for a vendor. */
async function taughtByCheckService(vendor: Vendor): Promise<[string, IDataObject]> {
	const addresses = submittedAddresses.slice(0, 2).flatMap((address) => ['--address', address]);
	const environment = {
		WALLET_SCREENING_API_KEY: apiKey,
		WALLET_SCREENING_BASE_URL: service.baseUrl(vendor, 'complete'),
	};
	let setting = '{}';
	const print = (text: string) => void (text.startsWith('{') && (setting = text));
	await runCheck(['--yes', '--wait', '10', '--confirm', '0.2', ...addresses], environment, {
		print,
		ask: async () => false,
	});
	return [vendor.id, JSON.parse(setting) as IDataObject];
}

let untaught: Awaited<ReturnType<typeof measure>>;
beforeAll(async () => (untaught = await measure()));

test('all but one are understood whole as they come', () => {
	expect(untaught.harm).toEqual([]);
	expect(idsOutside(untaught.whole)).toEqual(['v19-mailgun']);
});

test('all are after one paste of check-service', async () => {
	const taught = Object.fromEntries(await Promise.all(vendors.map(taughtByCheckService)));
	expect(await measure(taught)).toMatchObject({ harm: [], whole: ids });
});

test('all are after two pastes of what the errors propose, their failures too', async () => {
	const { proposed } = untaught;
	const second = await measure(proposed);
	const both = ids.map((id) => [id, merged(proposed[id], second.proposed[id])] as const);
	const figures = await measure(Object.fromEntries(both));
	expect(figures).toMatchObject({ harm: [], whole: ids });
	expect(idsOutside(figures.failedKnown)).toEqual([]);
});
