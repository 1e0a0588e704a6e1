import type { IDataObject, IHttpRequestOptions } from 'n8n-workflow';

import { resources } from '../../../nodes/WalletScreening/operations';
import { ofReport, simplify } from '../../../nodes/WalletScreening/risk/report';
import { reportBody, response } from '../support/answers';
import { createContext } from '../support/context';
import { execute } from '../support/execute';
import { unholdTimers } from '../support/timers';

beforeEach(unholdTimers);
afterEach(() => jest.restoreAllMocks());

const current = reportBody({ risk: { level: 'red', score: 0.9 } });
const pdf = Buffer.from('%PDF-1.7 of the report');
const job = { job_id: 'job_1', status: 'done', results: [current] };

const rule = { field: 'level', operator: 'notEquals', value: 'green', outcome: 'block' };
const rules = { rules: [rule] };

/** Each operation with everything that adds a field, and the fields of its items that do not belong to a report. */
const trials: Record<string, { parameters: IDataObject; others?: string[] }> = {
	'address.check': { parameters: { address: current.address }, others: ['check'] },
	'address.screen': { parameters: { address: current.address, chain: 'BTC', includePdf: true } },
	'alert.createDigest': { parameters: {}, others: ['counts', 'total'] },
	'bulkJob.get': { parameters: { jobId: 'job_1', output: 'reports' } },
	'bulkJob.screenAndWait': { parameters: { addressSource: 'list', addresses: current.address } },
	'bulkJob.submit': {
		parameters: { addressSource: 'list', addresses: current.address },
		others: [...Object.keys(job), 'completed', 'failed', 'address_count', 'addresses'],
	},
	'decision.decide': { parameters: {} },
	'decision.verify': { parameters: {} },
	'report.compare': { parameters: { earlierField: '' } },
	'report.downloadPdf': { parameters: { reportId: 'rep_1' } },
	'report.get': { parameters: { reportId: 'rep_1', includePdf: true } },
};

async function http({ url }: IHttpRequestOptions) {
	const { pathname } = new URL(url);
	const json = pathname.includes('/bulk') ? job : current;
	return await Promise.resolve(response(200, pathname.endsWith('/pdf') ? pdf : json));
}

async function run(place: string, item: IDataObject, options: IDataObject, isDown = false) {
	const [resource, operation] = place.split('.');
	const adds = { addDecision: true, addEvidence: true, decisionRules: rules };
	const context = createContext({
		...{ items: [item], continueOnFail: true, options },
		parameters: { resource, operation, ...adds, ...trials[place]!.parameters },
		http: isDown ? async () => await Promise.resolve(response(404)) : http,
	});
	return (await execute(context)).items[0]!.json;
}

/** The operations, or those with this option. */
const placesWith = (wanted?: string) =>
	resources.flatMap((resource) =>
		resource.operations.flatMap(({ fields, value }) => {
			const names = fields.flatMap(({ options = [] }) => options.map(({ name }) => name));
			return !wanted || names.includes(wanted) ? [`${resource.value}.${value}`] : [];
		}),
	);
const places = placesWith();

test('every operation is tried', () => expect(Object.keys(trials).sort()).toEqual(places.sort()));

test.each(places)('%s adds no field but those of a report', async (place) => {
	// A chain or a balance may be the user's, and so may an address.
	const theirs = [...Object.keys({ ...current, ...simplify(current) }), ...ofReport];
	const known = [...theirs, ...(trials[place]!.others ?? [])];
	for (const isSimple of [false, true]) {
		const json = await run(place, { ...current }, { alertText: true, simplify: isSimple });
		expect(json.error).toBeUndefined();
		expect(Object.keys(json).filter((name) => !known.includes(name))).toEqual([]);
	}
});

const old = { is: 'old' };
/** Section 2.1, whole and simplified, without what may be the user's: address, chain, balance and number of transactions. */
const names = ['report_id', 'report_url', 'risk', 'risk_level', 'risk_score', 'risk_categories'];
const input = {
	...Object.fromEntries([...names, ...ofReport].map((name) => [name, old])),
	customer: 'C-1',
};

test.each(placesWith('alertText'))('%s gives a failure an alert only if asked', async (place) => {
	// Nothing is in this item, so that the operations on reports fail too.
	const failed = async (alertText: boolean) => await run(place, {}, { alertText }, true);
	const title = expect.stringMatching(/^Not screened: /) as string;
	expect(await failed(true)).toMatchObject({
		error: expect.any(String) as string,
		alert: { title },
	});
	expect(await failed(false)).not.toHaveProperty('alert');
});

describe.each(placesWith('includeInputFields'))('%s with Include Input Fields', (place) => {
	const options = { includeInputFields: true };

	test.each([false, true])('keeps nothing of an older report; failed: %s', async (isDown) => {
		const json = await run(place, input, options, isDown);
		expect(json).toMatchObject({ customer: 'C-1' });
		expect('error' in json).toBe(isDown);
		expect(Object.entries(json).filter(([, value]) => value === old)).toEqual([]);
	});

	test.each([
		[{ error: 'The service is unavailable', details: { errorClass: 'server' } }, []],
		[{ error: 'Row 7 is odd', details: { row: 7 } }, ['error', 'details']],
	])('takes no failure from before: %j', async (of, kept) => {
		const json = await run(place, { ...current, ...of }, options);
		expect(['error', 'details'].filter((name) => name in json)).toEqual(kept);
	});
});

test.each([
	['rep_1', false, ['alert', 'decision', 'risk']],
	['rep_2', false, []],
	['rep_1', true, []],
])('the PDF of rep_1 beside %s, failed %s: %j', async (id, isDown, kept) => {
	const said = { decision: { outcome: 'block' }, alert: { text: 'x' } };
	const item = { ...current, report_id: id, ...said };
	const json = await run('report.downloadPdf', item, { includeInputFields: true }, isDown);
	expect(['alert', 'decision', 'risk'].filter((name) => name in json)).toEqual(kept);
});
