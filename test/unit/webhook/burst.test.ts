import { setImmediate } from 'node:timers/promises';
import { joinBurst } from '../../../nodes/WalletScreening/webhook/attempt';
import { bodyOf, createTrigger, ended, fakeTime, green, realTime } from './context';

const bodies = Array.from({ length: 15 }, (_, index) =>
	bodyOf({ ...green, report_id: `rep_${index}` }),
);

describe('deliveries that come at once', () => {
	test('to two triggers of a workflow are all known to the next n8n', async () => {
		const storing = async () => await setImmediate();
		const one = createTrigger({ storing });
		const other = createTrigger({ storing, beside: one });
		const sent = bodies.flatMap((body) => [one.deliver({ body }), other.deliver({ body })]);
		for (const { status, items } of await Promise.all(sent)) {
			expect([status, items?.length]).toEqual([200, 1]);
		}
		expect(Object.keys(one.marks().accepted!)).toHaveLength(30);
	});

	test('are known without that which n8n could not store, which starts the workflow when it comes again', async () => {
		let stored = 0;
		const storing = async () => {
			await setImmediate();
			if (++stored === 4) throw new Error('disk full');
		};
		const { deliver, marks } = createTrigger({ storing });
		const outcomes = await Promise.all(bodies.map(async (body) => await deliver({ body })));
		const failed = bodies.filter((_, index) => outcomes[index]!.status === 500);
		expect(failed).toHaveLength(1);
		expect(Object.keys(marks().accepted!)).toHaveLength(14);
		expect((await deliver({ body: failed[0]! })).items).toHaveLength(1);
		expect(await deliver({ body: bodies[0]! })).toEqual(ended(200, 'repeat'));
		expect(Object.keys(marks().accepted!)).toHaveLength(15);
	});
});

describe('the last of a burst', () => {
	beforeEach(fakeTime);
	afterEach(realTime);

	test('waits for the others, until a later one waits instead', async () => {
		const order: string[] = [];
		const join = async (name: string) => {
			const leave = await joinBurst('waits');
			order.push(name);
			return leave;
		};
		const leaveFirst = await join('first');
		const second = join('second');
		await setImmediate();
		expect(order).toEqual(['first']);
		const third = join('third');
		const leaveSecond = await second;
		await setImmediate();
		expect(order).toEqual(['first', 'second']);
		leaveSecond();
		await setImmediate();
		expect(order).toEqual(['first', 'second']);
		leaveFirst();
		const leaveThird = await third;
		expect(order).toEqual(['first', 'second', 'third']);
		leaveThird();
		(await join('alone'))();
		expect(order).toContain('alone');
	});

	test('waits 8 seconds at most, and no delivery waits again for what was not stored in that time', async () => {
		const leave = await joinBurst('slow');
		let isJoined = false;
		const last = joinBurst('slow').then((leaveLast) => {
			isJoined = true;
			leaveLast();
		});
		(await joinBurst('other'))();
		await jest.advanceTimersByTimeAsync(7_999);
		expect(isJoined).toBe(false);
		await jest.advanceTimersByTimeAsync(1);
		await last;
		expect(isJoined).toBe(true);
		(await joinBurst('slow'))();
		leave();
		(await joinBurst('slow'))();
	});
});
