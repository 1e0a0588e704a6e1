import { setImmediate } from 'node:timers/promises';
import { waitForTurn } from '../../../nodes/WalletScreening/webhook/burst';
import { useFakeTime, useRealTime } from '../../support/unit/timers';
import { createTrigger, ended } from '../../support/unit/trigger';
import { bodyOf, greenReport } from '../../support/unit/deliveries';

const bodies = Array.from({ length: 15 }, (_, index) =>
	bodyOf({ ...greenReport, report_id: `rep_${index}` }),
);

describe('deliveries that come at once', () => {
	test('to two triggers of a workflow are all known to the next n8n', async () => {
		const onExecutionSave = async () => await setImmediate();
		const one = createTrigger({ onExecutionSave });
		const other = createTrigger({ onExecutionSave, beside: one });
		const sent = bodies.flatMap((body) => [one.deliver({ body }), other.deliver({ body })]);
		for (const { status, items } of await Promise.all(sent)) {
			expect([status, items?.length]).toEqual([200, 1]);
		}
		expect(Object.keys(one.marks().accepted!)).toHaveLength(30);
	});

	test('are known without that which n8n could not store, which starts the workflow when it comes again', async () => {
		let stored = 0;
		const onExecutionSave = async () => {
			await setImmediate();
			if (++stored === 4) throw new Error('disk full');
		};
		const { deliver, marks } = createTrigger({ onExecutionSave });
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
	beforeEach(useFakeTime);
	afterEach(useRealTime);

	/** A delivery to a workflow. `leave` ends its turn, also one that has not come yet. */
	function join(workflow: string) {
		const write = jest.fn();
		const turn = waitForTurn(workflow);
		const leave = () => void turn.then((endTurn) => endTurn());
		return { write, leave, written: turn.then(() => void write()) };
	}

	test('waits for the others, until a later one waits instead', async () => {
		const [first, second] = [join('waits'), join('waits')];
		await setImmediate();
		expect([first, second].map(({ write }) => write.mock.calls.length)).toEqual([1, 0]);
		const third = join('waits');
		await second.written;
		second.leave();
		await setImmediate();
		expect([second, third].map(({ write }) => write.mock.calls.length)).toEqual([1, 0]);
		first.leave();
		await third.written;
		expect(third.write).toHaveBeenCalledTimes(1);
		third.leave();
		await setImmediate();
		await join('waits').written;
	});

	test('waits 8 seconds at most, and no delivery waits again for what was not stored in that time', async () => {
		const slow = join('slow');
		const last = join('slow');
		await join('other').written;
		await jest.advanceTimersByTimeAsync(7_999);
		expect(last.write).not.toHaveBeenCalled();
		await jest.advanceTimersByTimeAsync(1);
		await last.written;
		last.leave();
		await setImmediate();
		(await waitForTurn('slow'))();
		slow.leave();
		await setImmediate();
		(await waitForTurn('slow'))();
	});

	test('waits for one that is stored now, although an earlier one leaves that was given up', async () => {
		const slow = join('given up');
		const second = join('given up');
		await jest.advanceTimersByTimeAsync(8_000);
		await second.written;
		slow.leave();
		await setImmediate();
		const third = join('given up');
		await setImmediate();
		expect(third.write).not.toHaveBeenCalled();
		second.leave();
		await third.written;
		third.leave();
	});
});
