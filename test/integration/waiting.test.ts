import { once } from 'node:events';

import type { INodeParameters } from 'n8n-workflow';

import type { FaultEffect } from '../../sandbox/faults';
import { unholdTimers } from '../unit/support/timers';
import { until } from '../../tools/host/until';
import { type Service, startService } from './engine/service';
import { addressNumber } from '../support/addresses';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const input = [{ address: ETH }];

const screen = (options: INodeParameters): INodeParameters => ({
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
	options,
});

const answer = (status: number, headers: Record<string, string> = {}): FaultEffect => ({
	kind: 'answer',
	status,
	headers,
});

describe('waiting', () => {
	let service: Service;

	// A rate limiter remembers what it met, so each test has a service of its own.
	beforeEach(async () => {
		unholdTimers();
		service = await startService();
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await service.close();
	});

	/** Makes the random pauses between tries as short as they can be. */
	const withoutPauses = () => jest.spyOn(Math, 'random').mockReturnValue(0);
	/** Milliseconds between the arrivals of requests that follow each other. */
	const gaps = () =>
		service.sandbox.requests
			.slice(1)
			.map(({ at }, index) => at - service.sandbox.requests[index]!.at);

	describe('after a server fault or a broken connection', () => {
		it.each<[string, FaultEffect]>([
			['a 503', answer(503)],
			['a reset', { kind: 'reset', at: 'beforeAnswer' }],
			['a body that ends too soon', { kind: 'truncate' }],
		])('tries again after %s, until there is a report', async (_what, effect) => {
			withoutPauses();
			service.sandbox.addFault({ times: 2, effect });
			const { items } = await service.run(screen({ maxRetries: 2 }), { input });
			expect(items[0]![0]!.json).toMatchObject({ address: ETH });
			expect(service.requested()).toHaveLength(3);
		});

		it.each<[string, FaultEffect, string]>([
			['a 500', answer(500), 'server'],
			['a reset', { kind: 'reset', at: 'beforeRead' }, 'network'],
		])('gives up after %s once too often', async (_what, effect, errorClass) => {
			withoutPauses();
			service.sandbox.addFault({ effect });
			const { error } = await service.run(screen({ maxRetries: 3 }), { input });
			expect(error?.context).toMatchObject({ errorClass, itemIndex: 0 });
			expect(service.requested()).toHaveLength(4);
		});

		it('tries again five times if the user says nothing', async () => {
			withoutPauses();
			service.sandbox.addFault({ effect: answer(502) });
			await service.run(screen({}), { input });
			expect(service.requested()).toHaveLength(6);
		});

		it('pauses, ever longer', async () => {
			jest.spyOn(Math, 'random').mockReturnValue(0.5);
			service.sandbox.addFault({ effect: answer(500) });
			await service.run(screen({ maxRetries: 2 }), { input });
			const [first, second] = gaps() as [number, number];
			expect(first).toBeGreaterThanOrEqual(240);
			expect(second).toBeGreaterThanOrEqual(490);
		});

		it('waits as long as the service asks', async () => {
			withoutPauses();
			service.sandbox.addFault({ times: 1, effect: answer(503, { 'retry-after': '1' }) });
			const { status } = await service.run(screen({}), { input });
			expect(status).toBe('success');
			expect(gaps()[0]).toBeGreaterThanOrEqual(990);
		});
	});

	describe('after a 429', () => {
		it('waits as long as the service asks, and then succeeds, whatever the retries', async () => {
			service.sandbox.addFault({ times: 2, effect: answer(429, { 'retry-after': '1' }) });
			const { items } = await service.run(screen({ maxRetries: 0 }), { input });
			expect(items[0]![0]!.json).toMatchObject({ address: ETH });
			expect(gaps()).toEqual([expect.any(Number), expect.any(Number)]);
			for (const gap of gaps()) expect(gap).toBeGreaterThanOrEqual(990);
		});

		it('holds back the other items too', async () => {
			service.sandbox.addFault({ times: 1, effect: answer(429, { 'retry-after': '1' }) });
			const { items } = await service.run(screen({ concurrency: 1 }), {
				input: [{ address: ETH }, { address: addressNumber(1) }],
			});
			expect(items[0]!.map(({ json }) => json['address'])).toEqual([ETH, addressNumber(1)]);
			expect(service.requested()).toHaveLength(3);
		});

		it.each([
			['nothing', {}],
			['nonsense', { 'retry-after': 'soon' }],
			['a time that has passed', { 'retry-after': new Date(0).toUTCString() }],
		])('with %s about the time, tries again soon', async (_what, headers) => {
			withoutPauses();
			service.sandbox.addFault({ times: 2, effect: answer(429, headers) });
			const { status } = await service.run(screen({ maxRetries: 0 }), { input });
			expect(status).toBe('success');
			expect(service.requested()).toHaveLength(3);
		});

		it.each([
			['asks for no wait', '0'],
			['names a time that has passed', new Date(0).toUTCString()],
		])('does not storm a service that %s', async (_what, retryAfter) => {
			service.sandbox.addFault({ effect: answer(429, { 'retry-after': retryAfter }) });
			const { status } = await service.run(screen({}), {
				input,
				signal: AbortSignal.timeout(1000),
			});
			expect(status).toBe('canceled');
			expect(service.requested().length).toBeLessThan(10);
		});

		it('of more than five minutes, gives up at once', async () => {
			service.sandbox.addFault({ effect: answer(429, { 'retry-after': '301' }) });
			const { error } = await service.run(screen({}), { input });
			expect(error).toMatchObject({ httpCode: '429', context: { errorClass: 'rate_limited' } });
			expect(service.requested()).toHaveLength(1);
		});
	});

	describe('the stop button', () => {
		const stopped = async (effect: FaultEffect, options: INodeParameters = {}) => {
			const stop = new AbortController();
			const arrived = new EventTarget();
			service.sandbox.addFault({
				when: () => arrived.dispatchEvent(new Event('request')),
				effect,
			});
			const firstRequest = once(arrived, 'request');
			const running = service.run(screen(options), { input, signal: stop.signal });
			await firstRequest;
			// The answer is on its way: let it arrive, so that the wait has begun.
			const early = await Promise.race([
				running,
				new Promise((resolve) => setTimeout(resolve, 100)),
			]);
			expect(early).toBeUndefined();
			const stoppedAt = Date.now();
			stop.abort();
			const result = await running;
			expect(Date.now() - stoppedAt).toBeLessThan(2000);
			return result;
		};

		it.each<[string, FaultEffect]>([
			['a 429', answer(429, { 'retry-after': '60' })],
			['a 503 that asks for time', answer(503, { 'retry-after': '60' })],
			['a request without answer', { kind: 'silence' }],
			['an answer that trickles', { kind: 'dribble', ms: 20_000 }],
		])('ends the wait for %s', async (_what, effect) => {
			const { status } = await stopped(effect);
			expect(status).toBe('canceled');
			expect(service.requested()).toHaveLength(1);
		});

		it('ends the pause before another try', async () => {
			jest.spyOn(Math, 'random').mockReturnValue(0.999);
			const { status } = await stopped(answer(500));
			expect(status).toBe('canceled');
			expect(service.requested()).toHaveLength(1);
		});

		it('ends a run of many items that wait for their turn', async () => {
			await service.close();
			service = await startService({
				credentials: () => ({ Slow: { plan: 'custom', requestsPerSecond: 0.1, burst: 1 } }),
			});
			const stop = new AbortController();
			const running = service.run(screen({}), {
				input: Array.from({ length: 20 }, (_, index) => ({ address: addressNumber(index) })),
				credential: 'Slow',
				signal: stop.signal,
			});
			await until('the first request', async () => service.requested()[0], { pause: 10 });
			stop.abort();
			const { status } = await running;
			expect(status).toBe('canceled');
			expect(service.requested()).toHaveLength(1);
		});

		it('does not hold back a run that comes after', async () => {
			await stopped({ kind: 'silence' });
			service.reset();
			const { status } = await service.run(screen({}), { input });
			expect(status).toBe('success');
		});
	});

	it('keeps to the rate of the plan', async () => {
		await service.close();
		const rate = { requestsPerSecond: 20, burst: 5 };
		service = await startService({
			credentials: () => ({ Limited: { plan: 'custom', ...rate } }),
		});
		const start = performance.now();
		const { items } = await service.run(screen({}), {
			input: Array.from({ length: 25 }, (_, index) => ({ address: addressNumber(index) })),
			credential: 'Limited',
		});
		expect(items[0]).toHaveLength(25);
		// All after the burst wait for their turn. A busy machine takes longer and never less; timers may be early by a little.
		expect(performance.now() - start).toBeGreaterThanOrEqual(0.95 * 1000 * ((25 - 5) / 20));
	});
});
