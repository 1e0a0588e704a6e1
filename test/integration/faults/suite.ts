import type { RunResult } from '../../../tools/host/engine';
import { until } from '../../../tools/host/until';
import { type Service, startService, UNREACHABLE } from '../engine/service';
import { type FaultCase, faults, MAX_RETRIES } from './faults';
import { type Ground, isFor, type Operation, operations, prepare } from './operations';

/** Puts every operation of a resource through every fault. */
export function describeFaults(resource: string): void {
	describe.each(operations.filter(({ parameters }) => parameters['resource'] === resource))(
		'$name',
		(operation) => {
			describeOperation(operation);
		},
	);
}

function describeOperation(operation: Operation): void {
	let service: Service;
	let elsewhere: Service;
	let ground: Ground;

	beforeAll(async () => {
		service = await startService({
			sandbox: { jobDurationMs: 1 },
			credentials: (baseUrl) => ({
				// A limiter is for one base URL.
				'Own Limiter': { baseUrl: baseUrl.replace('127.0.0.1', 'localhost') },
				'No TLS': { baseUrl: baseUrl.replace('http:', 'https:') },
			}),
		});
		elsewhere = await startService();
		ground = await prepare(service);
	});
	afterAll(async () => {
		await elsewhere.close();
		await service.close();
	});
	beforeEach(() => {
		service.reset();
		// The random pauses between tries become as short as they can be.
		jest.spyOn(Math, 'random').mockReturnValue(0);
	});
	afterEach(() => jest.restoreAllMocks());

	/** Runs the operation with one item, told to continue; the run itself sees to it that no key shows. */
	const run = async (options: object = {}, credential?: string): Promise<RunResult> =>
		await service.run(
			{
				...operation.parameters,
				options: { maxRetries: MAX_RETRIES, ...optionsOf(operation), ...options },
			},
			{
				input: [operation.input(ground) as { json: never }],
				onError: 'continueRegularOutput',
				...(credential && { credential }),
			},
		);
	const requests = () => service.sandbox.requests.filter((request) => isFor(operation, request));

	const expectError = ({ status, items }: RunResult, errorClass: unknown) => {
		expect(status).toBe('success');
		expect(items).toEqual([
			[
				{
					json: {
						error: expect.stringMatching(/\w{3}/),
						details: expect.objectContaining({
							errorClass,
							description: expect.stringMatching(/\w{3}/),
							...operation.known(ground),
						}),
					},
					pairedItem: { item: 0 },
				},
			],
		]);
	};

	const met = faults.filter(({ befalls }) => befalls?.(operation) ?? true);

	it.each(met)('$name', async (fault: FaultCase) => {
		service.sandbox.addFault({
			when: (request) => isFor(operation, request),
			effect: fault.effect(operation.body(ground)),
			...(fault.times !== undefined && { times: fault.times }),
		});
		const looksAgain = operation.waits && fault.errorClass !== undefined && !fault.isFinal;
		const result = await run(
			{ ...fault.options, ...(looksAgain && (fault.options ? soonUp : atOnceUp)) },
			fault.stopsLimiter ? 'Own Limiter' : undefined,
		);

		if (fault.errorClass === undefined)
			expect(result.items).toMatchObject([[operation.good(ground)]]);
		else expectError(result, looksAgain ? 'job_timeout' : fault.errorClass);
		const expected = fault.requests(operation);
		// A request that the node gave up may reach a busy service only now.
		await until(`${expected} requests`, async () => requests()[expected - 1]);
		if (!looksAgain) expect(requests()).toHaveLength(expected);
		if (fault.wait !== undefined) {
			const [first, second] = requests().map(({ at }) => at) as [number, number];
			expect(second - first).toBeGreaterThanOrEqual(fault.wait);
		}
	});

	it.each([UNREACHABLE, 'No TLS'])('credential "%s"', async (credential) => {
		const result = await run({}, credential);
		const { error, details } = result.items[0]![0]!.json as { error: string; details: object };
		expect(error).toMatch(/\w{3}/);
		expect(details).toMatchObject({ errorClass: 'network', httpCode: null });
		expect(service.requested()).toEqual([]);
	});

	it('redirect to the same host', async () => {
		service.sandbox.addFault({
			when: (request) => isFor(operation, request),
			times: 1,
			effect: { kind: 'answer', status: 302, headers: { location: '?moved' } },
		});
		const result = await run();
		if (operation.request.method === 'POST') {
			expectError(result, 'invalid_response');
			expect(requests()).toHaveLength(1);
		} else {
			expect(result.items).toMatchObject([[operation.good(ground)]]);
			expect(service.requested().at(-1)).toMatch(/\?moved$/);
		}
	});

	it.each([302, 307])('redirect with %i to another host', async (status) => {
		service.sandbox.addFault({
			when: (request) => isFor(operation, request),
			effect: {
				kind: 'answer',
				status,
				headers: { location: `${elsewhere.sandbox.baseUrl}/v1/x` },
			},
		});
		elsewhere.reset();
		expectError(await run(operation.waits ? atOnceUp : {}), expect.any(String));
		const reached = elsewhere.sandbox.requests.map(({ key, method }) => `${method}, key ${key}`);
		const expected = operation.request.method === 'GET' ? ['GET, key null'] : [];
		expect([...new Set(reached)]).toEqual(expected);
	});
}

/** The time that a wait has which nothing ends but its deadline: for looks that take their time, and for others. */
const soonUp = { timeout: 0.02 };
const atOnceUp = { timeout: 0.005 };

function optionsOf({ parameters }: Operation): object {
	return parameters['operation'] === 'screenAndWait' ? { pollInterval: 0.05 } : {};
}
