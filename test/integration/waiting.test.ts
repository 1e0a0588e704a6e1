import { once } from 'node:events';

import type { INodeParameters } from 'n8n-workflow';

import type { FaultEffect } from '../../sandbox/faults';
import { addressesOf } from '../support/addresses';
import { unholdTimers } from '../unit/support/timers';
import { itemsFor } from './engine/items';
import { type Service, startService } from './engine/service';
import { answer } from './faults/faults';

const SCREEN: INodeParameters = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
};

describe('waiting', () => {
	let service: Service;

	// A rate limiter remembers what it met, so each test has a service of its own.
	beforeEach(async () => {
		unholdTimers();
		const custom = { plan: 'custom', burst: 5 };
		service = await startService({
			credentials: () => ({
				Limited: { ...custom, requestsPerSecond: 20 },
				Slow: { ...custom, requestsPerSecond: 0.1, burst: 1 },
			}),
		});
	});
	afterEach(async () => {
		jest.restoreAllMocks();
		await service.close();
	});

	describe('ends within two seconds of the stop button', () => {
		/** Stops a run when its first request waits; 100 ms, so that an answer to it has arrived. */
		async function expectStopped(effect?: FaultEffect, addresses = 1, credential?: string) {
			const stop = new AbortController();
			const arrived = new EventTarget();
			const firstRequest = once(arrived, 'request');
			service.sandbox.addFault({
				when: () => arrived.dispatchEvent(new Event('request')) && effect !== undefined,
				effect: effect ?? answer(500),
			});
			const running = service.run(SCREEN, {
				input: itemsFor(addressesOf(addresses)),
				signal: stop.signal,
				...(credential && { credential }),
			});
			await firstRequest;
			const pause = new Promise((resolve) => setTimeout(resolve, 100));
			expect(await Promise.race([running, pause])).toBeUndefined();
			const stoppedAt = Date.now();
			stop.abort();
			const { status } = await running;
			expect(Date.now() - stoppedAt).toBeLessThan(2000);
			expect(status).toBe('canceled');
			expect(service.requested()).toHaveLength(1);
		}

		it.each<[string, FaultEffect]>([
			['after a 429', answer(429, '', { 'retry-after': '60' })],
			['after a 503 that asks for time', answer(503, '', { 'retry-after': '60' })],
			['before another try', answer(500)],
			['for an answer that trickles', { kind: 'dribble', ms: 20_000 }],
		])('%s', async (_what, effect) => {
			// The random pause between tries becomes as long as it can be.
			jest.spyOn(Math, 'random').mockReturnValue(0.999);
			await expectStopped(effect);
		});

		it('for a turn, with many items', async () => {
			await expectStopped(undefined, 20, 'Slow');
		});

		it('for an answer, and holds back no run that comes after', async () => {
			await expectStopped({ kind: 'silence' });
			service.reset();
			const { status } = await service.run(SCREEN, { input: itemsFor(addressesOf(1)) });
			expect(status).toBe('success');
		});
	});

	it('keeps to the rate of the plan', async () => {
		const start = performance.now();
		const { items } = await service.run(SCREEN, {
			input: itemsFor(addressesOf(25)),
			credential: 'Limited',
		});
		expect(items[0]).toHaveLength(25);
		// All after the burst wait for their turn. A busy machine takes longer and never less; timers may be early by a little.
		expect(performance.now() - start).toBeGreaterThanOrEqual(0.95 * 1000 * ((25 - 5) / 20));
	});
});
