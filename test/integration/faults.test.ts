/** Every operation of the service meets every kind of fault, in each of its requests. */
import type { INodeParameters } from 'n8n-workflow';

import { resources } from '../../nodes/WalletScreening/actions';
import type { FaultEffect, FaultTarget } from '../../sandbox/faults';
import { until } from '../../tools/host/until';
import { answer, UNREACHABLE, useService } from './engine/service';
import {
	CONTINUE,
	GET_JOB,
	GET_REPORT,
	GREEN,
	itemsFor,
	SCREEN,
	SUBMIT,
	WAIT,
} from './engine/workflows';

interface Request {
	method: 'GET' | 'POST';
	path: RegExp;
}

const screens: Request = { method: 'POST', path: /^\/v1\/screen$/ };
const getsReport: Request = { method: 'GET', path: /^\/v1\/reports\/[^/]+$/ };
const getsPdf: Request = { method: 'GET', path: /^\/v1\/reports\/[^/]+\/pdf/ };
/** The one request that is billed twice if it is sent twice. */
const submits: Request = { method: 'POST', path: /^\/v1\/bulk$/ };
const looks: Request = { method: 'GET', path: /^\/v1\/bulk\/[^/]+$/ };

/**
 * An operation, the one of its requests that meets the faults, and what its errors name. How the wait for a job goes on:
 * unit/client/bulk.
 */
const operations: Array<[string, INodeParameters, Request, 'address' | 'report_id' | 'job_id']> = [
	['address: screen', SCREEN, screens, 'address'],
	['address: screen, its PDF', { ...SCREEN, includePdf: true }, getsPdf, 'address'],
	['report: get', GET_REPORT, getsReport, 'report_id'],
	['report: downloadPdf', { ...GET_REPORT, operation: 'downloadPdf' }, getsPdf, 'report_id'],
	['bulkJob: submit', SUBMIT, submits, 'address'],
	['bulkJob: get', GET_JOB, looks, 'job_id'],
	['bulkJob: get, reports', { ...GET_JOB, output: 'reports' }, looks, 'job_id'],
	['bulkJob: screenAndWait', WAIT, submits, 'address'],
];

test('every operation that asks the service meets the faults', () => {
	const asking = resources.flatMap(({ value, operations: own }) =>
		own.flatMap((one) => (one.sendsNothing ? [] : `${value}: ${one.value}`)),
	);
	const met = operations.map(([name]) => name.split(',')[0]);
	expect([...new Set(met)].sort()).toEqual(asking.sort());
});

const elsewhere = useService();

describe.each(operations)('%s', (_name, parameters, request, key) => {
	const service = useService({
		credentials: (baseUrl) => ({ 'No TLS': { baseUrl: baseUrl.replace('http:', 'https:') } }),
	});
	let ground: Record<typeof key, string>;
	beforeAll(async () => {
		const input = itemsFor([GREEN]);
		const [{ report }] = (await service.run(SCREEN, { input })).json;
		const [{ job_id }] = (await service.run(SUBMIT, { input })).json;
		ground = { address: GREEN, report_id: report.report_id, job_id };
	});
	// The random pauses between tries become as short as they can be.
	beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
	afterEach(() => jest.restoreAllMocks());

	const isIt = ({ method, path }: FaultTarget) =>
		method === request.method && request.path.test(path);

	/** What becomes of one item, told to continue. */
	async function run(options = {}, credential?: string) {
		const all = { pollInterval: 0.05, maxRetries: 1, ...options };
		const { address, job_id, report_id } = ground;
		const { status, items } = await service.run(
			{ ...parameters, options: all },
			{ input: [{ address, job_id, report: { report_id } }], onError: CONTINUE, credential },
		);
		expect([status, items.length, items[0]!.length]).toEqual(['success', 1, 1]);
		return items[0]![0]!;
	}
	const failed = (errorClass: unknown) => ({
		json: {
			error: expect.stringMatching(/\w{3}/),
			...(key === 'address' && { address: ground.address }),
			details: expect.objectContaining({
				errorClass,
				[key]: ground[key],
				description: expect.stringMatching(/\w{3}/),
			}),
		},
		pairedItem: { item: 0 },
	});

	it.each(['No TLS', UNREACHABLE])('credential "%s"', async (credential) => {
		const { json } = await run({}, credential);
		expect(json.details).toMatchObject({ errorClass: 'network', httpCode: null });
		expect(service.requested()).toEqual([]);
	});

	it('redirect to another host', async () => {
		const headers = { location: `${elsewhere.sandbox.baseUrl}/v1/x` };
		service.sandbox.addFault({ when: isIt, effect: { kind: 'answer', status: 307, headers } });
		expect(await run()).toEqual(failed(expect.any(String)));
		const reached = elsewhere.sandbox.requests.map(({ key, method }) => `${method}, key ${key}`);
		const expected = request.method === 'GET' ? ['GET, key null'] : [];
		expect([...new Set(reached)]).toEqual(expected);
	});

	it.each<[string, FaultEffect, string, number?]>([
		['reset after the request was read', { kind: 'reset', at: 'beforeAnswer' }, 'network'],
		['body cut off', { kind: 'truncate' }, 'network'],
		['black hole', { kind: 'silence' }, 'network'],
		['status 401', answer(401), 'unauthorized', 1],
		// Gateways give 5xx also for requests that were carried out. With Retry-After, 503 says that it was not.
		['status 503', answer(503), 'server'],
		['503 with Retry-After', answer(503, '', { 'retry-after': '0' }), 'server', 2],
		// It stops the limiter, so nothing comes after it.
		['429 with ten minutes', answer(429, '', { 'retry-after': '600' }), 'rate_limited', 1],
	])('%s', async (_what, effect, errorClass, count = request === submits ? 1 : 2) => {
		service.sandbox.addFault({ when: isIt, effect });
		const requestTimeout = effect.kind === 'silence' ? 0.3 : 30;
		expect(await run({ requestTimeout })).toEqual(failed(errorClass));
		const seen = () => service.sandbox.requests.filter(isIt);
		// A request that the node gave up may reach a busy service only now.
		await until(`${count} requests`, async () => seen()[count - 1]);
		expect(seen()).toHaveLength(count);
	});
});
