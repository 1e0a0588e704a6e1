import { createFaults, type FaultEffect } from '../../../sandbox/faults';

const request = { method: 'POST', path: '/v1/screen', body: { address: 'a' } };
const unavailable: FaultEffect = { kind: 'answer', status: 503 };
const slow: FaultEffect = { kind: 'delay', ms: 1 };

it('faults come in the order in which they were added, each so many times', () => {
	const faults = createFaults();
	faults.add({ times: 1, effect: slow });
	faults.add({ effect: unavailable });
	const effects = [1, 2, 3].map(() => faults.take('read', request));
	expect(effects).toEqual([slow, unavailable, unavailable]);
});

it('faults hit only the requests concerned, and count only those', () => {
	const faults = createFaults();
	faults.add({ when: ({ path }) => path === '/v1/bulk', times: 1, effect: unavailable });
	expect(faults.take('read', request)).toBeUndefined();
	expect(faults.take('read', { ...request, path: '/v1/bulk' })).toBe(unavailable);
});

it('only a reset comes before the body is read', () => {
	const faults = createFaults();
	const early: FaultEffect = { kind: 'reset', at: 'beforeRead' };
	faults.add({ effect: unavailable });
	faults.add({ effect: early });
	expect(faults.take('beforeRead', request)).toBe(early);
	expect(faults.take('read', request)).toBe(unavailable);
});
