/** Every operation of the service meets every kind of fault, in each of its requests. */
import type { FaultEffect, ReceivedRequest } from '../../sandbox/faults';
import { until } from '../../tools/host/until';
import { ethereum } from '../support/data/knownAddresses';
import { type FaultyRun, operations, submitRequest } from '../support/engine/operations';
import { answerFault } from '../support/data/faults';
import { UNREACHABLE, useService } from '../support/engine/sandboxService';
import { CONTINUE, itemsFor, SCREEN, SUBMIT } from '../support/engine/workflows';

/** Faults while an operation waits for a job are tested in unit/client/bulk. */
const runs = Object.entries(operations).flatMap(([name, { faults = [] }]) =>
	faults.map((run): [string, FaultyRun] => [run.what ? `${name}, ${run.what}` : name, run]),
);

const elsewhere = useService();

describe.each(runs)('%s', (_name, { parameters, request, namedField: key }) => {
	const service = useService({
		credentials: (baseUrl) => ({ 'No TLS': { baseUrl: baseUrl.replace('http:', 'https:') } }),
	});
	let existing: Record<typeof key, string>;
	beforeAll(async () => {
		const input = itemsFor([ethereum]);
		const [{ report }] = (await service.run(SCREEN, { input })).json;
		const [{ job_id }] = (await service.run(SUBMIT, { input })).json;
		existing = { address: ethereum, report_id: report.report_id, job_id };
	});
	// The random pauses between tries become as short as they can be.
	beforeEach(() => void jest.spyOn(Math, 'random').mockReturnValue(0));
	afterEach(() => jest.restoreAllMocks());

	const isThisRequest = ({ method, path }: ReceivedRequest) =>
		method === request.method && request.path.test(path);

	/**
	 * Runs the operation with one item and 'On Error' set to Continue. Returns the item that it
	 * outputs.
	 */
	async function run(options = {}, credential?: string) {
		const all = { pollInterval: 0.05, maxRetries: 1, ...options };
		const { address, job_id, report_id } = existing;
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
			...(key === 'address' && { address: existing.address }),
			details: expect.objectContaining({
				errorClass,
				[key]: existing[key],
				description: expect.stringMatching(/\w{3}/),
			}),
		},
		pairedItem: { item: 0 },
	});

	it.each(['No TLS', UNREACHABLE])('credential "%s"', async (credential) => {
		const { json } = await run({}, credential);
		expect(json.details).toMatchObject({ errorClass: 'network', httpCode: null });
		expect(service.requestLines()).toEqual([]);
	});

	it('redirect to another host', async () => {
		const headers = { location: `${elsewhere.sandbox.baseUrl}/v1/x` };
		service.sandbox.addFault({
			when: isThisRequest,
			effect: { kind: 'answer', status: 307, headers },
		});
		expect(await run()).toEqual(failed(expect.any(String)));
		const reached = elsewhere.sandbox.requests.map(({ key, method }) => `${method}, key ${key}`);
		const expected = request.method === 'GET' ? ['GET, key null'] : [];
		expect([...new Set(reached)]).toEqual(expected);
	});

	it.each<[string, FaultEffect, string, number?]>([
		['reset after the request was read', { kind: 'reset', at: 'beforeAnswer' }, 'network'],
		['body cut off', { kind: 'truncate' }, 'network'],
		['black hole', { kind: 'silence' }, 'network'],
		['status 401', answerFault(401), 'unauthorized', 1],
		// Gateways give 5xx also for requests that were carried out.
		['status 503', answerFault(503), 'server'],
		['503 with Retry-After', answerFault(503, '', { 'retry-after': '0' }), 'server'],
		// It stops the limiter, so nothing comes after it.
		['429 with ten minutes', answerFault(429, '', { 'retry-after': '600' }), 'rate_limited', 1],
	])('%s', async (_what, effect, errorClass, count = request === submitRequest ? 1 : 2) => {
		service.sandbox.addFault({ when: isThisRequest, effect });
		const requestTimeout = effect.kind === 'silence' ? 0.3 : 30;
		expect(await run({ requestTimeout })).toEqual(failed(errorClass));
		const seen = () => service.sandbox.requests.filter(isThisRequest);
		// A request that the node gave up may reach a busy service only now.
		await until(`${count} requests`, async () => seen()[count - 1]);
		expect(seen()).toHaveLength(count);
	});
});
