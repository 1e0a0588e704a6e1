import { createFaults, type FaultEffect } from '../../../sandbox/faults';

const request = { method: 'GET', path: '/v1/bulk/job_1', body: undefined };
const silence: FaultEffect = { kind: 'silence' };
const truncate: FaultEffect = { kind: 'truncate' };

it('hits the requests that it concerns, as often as it may', () => {
	const faults = createFaults();
	faults.add({ when: ({ method }) => method === 'POST', effect: truncate });
	faults.add({ times: 2, effect: silence });
	const effects = [1, 2, 3].map(() => faults.take(request));
	expect(effects).toEqual([silence, silence, undefined]);
	expect(faults.take({ ...request, method: 'POST' })).toBe(truncate);
});

it('takes the first that was added, until it is removed', () => {
	const faults = createFaults();
	const fault = { effect: silence };
	const remove = faults.add(fault);
	faults.add(fault);
	faults.add({ effect: truncate });
	remove();
	expect(faults.take(request)).toBe(silence);
	faults.clear();
	expect(faults.take(request)).toBeUndefined();
});

it.each([
	[0, undefined],
	[1, silence],
])('with a share of %i it hits %j', (share, effect) => {
	const faults = createFaults();
	faults.add({ share, effect: silence });
	expect(faults.take(request)).toEqual(effect);
});
