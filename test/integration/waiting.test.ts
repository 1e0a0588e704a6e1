import { once } from 'node:events';

import type { INodeParameters } from 'n8n-workflow';

import type { FaultEffect, ReceivedRequest } from '../../sandbox/faults';
import { numberedAddresses } from '../support/data/addresses';
import { unrefTimers } from '../support/unit/timers';
import { answerFault } from '../support/data/faults';
import { type Service, startService } from '../support/engine/sandboxService';
import { itemsFor, SCREEN, SCREEN_AND_WAIT } from '../support/engine/workflows';

let service: Service;

// A rate limiter remembers what it met, so each test has a service of its own.
beforeEach(async () => {
	unrefTimers();
	service = await startService({
		sandbox: { jobDurationMs: 60_000 },
		credentials: () => ({ Slow: { plan: 'custom', requestsPerSecond: 0.1, burst: 1 } }),
	});
});
afterEach(async () => {
	jest.restoreAllMocks();
	await service.close();
});

interface Stopped {
	/** A fault in the first request, or in the first look at a job. */
	effect?: FaultEffect;
	addresses?: number;
	credential?: string;
	parameters?: INodeParameters;
}

it.each<[string, Stopped]>([
	['after a 429', { effect: answerFault(429, '', { 'retry-after': '60' }) }],
	['after a 503 that asks for time', { effect: answerFault(503, '', { 'retry-after': '60' }) }],
	['before another try', { effect: answerFault(500) }],
	['for an answer', { effect: { kind: 'silence' } }],
	['for an answer that trickles', { effect: { kind: 'dribble', ms: 200_000 } }],
	['for its turn at the rate of the plan', { addresses: 20, credential: 'Slow' }],
	[
		'before another look at a job',
		{ parameters: { ...SCREEN_AND_WAIT, options: { pollInterval: 60 } } },
	],
])(
	'the stop button ends a run that waits %s, before anything else is sent',
	async (_what, given) => {
		const { effect, addresses = 1, credential, parameters = SCREEN } = given;
		// The random pause between tries becomes as long as it can be.
		jest.spyOn(Math, 'random').mockReturnValue(0.999);
		const stop = new AbortController();
		const arrived = new EventTarget();
		const first = once(arrived, 'request');
		const isFirst = ({ method }: ReceivedRequest) =>
			(parameters === SCREEN || method === 'GET') && arrived.dispatchEvent(new Event('request'));
		service.sandbox.addFault({
			when: (request) => isFirst(request) && effect !== undefined,
			effect: effect ?? answerFault(500),
		});
		const input = itemsFor(numberedAddresses(addresses));
		const running = service.run(parameters, { input, signal: stop.signal, credential });
		await first;
		// An answer to that request has arrived then.
		const pause = new Promise((resolve) => setTimeout(resolve, 100));
		expect(await Promise.race([running, pause])).toBeUndefined();
		stop.abort();
		const { status } = await running;
		expect(status).toBe('canceled');
		expect(service.requestLines()).toHaveLength(parameters === SCREEN ? 1 : 2);

		// The run after one without an answer is not held back.
		service.reset();
		if (effect?.kind === 'silence')
			expect((await service.run(SCREEN, { input })).status).toBe('success');
	},
);
