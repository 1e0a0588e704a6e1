import { setImmediate } from 'node:timers/promises';
import type { StoredMarks } from '../../../nodes/WalletScreening/webhook/deliveryMarks';
import {
	type DeliveryId,
	DeliveryMemory,
	ProcessMemory,
} from '../../../nodes/WalletScreening/webhook/deliveryMemory';
import type { MarkStore } from '../../../nodes/WalletScreening/webhook/markStore';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 20);
const delivery: DeliveryId = {
	workflow: 'workflow',
	key: 'key',
	failureKey: 'failure',
};
const numbered = (index: number): DeliveryId => ({
	...delivery,
	key: `key${index}`,
	failureKey: `failure${index}`,
});

/**
 * A process of n8n. `stored` is what its last write left, `isTaken` says whether n8n stores
 * executions, and `isReadOnly` whether static data can be written.
 */
function start(time = START, stored: StoredMarks = {}) {
	const clock = { time };
	const n8n = { isTaken: true, isReadOnly: false };
	const turns = { ended: 0 };
	const process = new ProcessMemory();
	const memoryOf = (id = delivery, marks: StoredMarks = stored) => {
		const store: MarkStore = {
			read: () => marks,
			waitForTurn: async () => await Promise.resolve(() => void turns.ended++),
			write(written) {
				if (n8n.isReadOnly) throw new Error('cannot write');
				Object.assign(marks, written);
			},
			isExecutionStored: async () => await Promise.resolve(n8n.isTaken),
		};
		return new DeliveryMemory(id, store, process, () => clock.time);
	};
	/** Ends a delivery, and waits until n8n has stored what it starts, or has failed to. */
	async function finish(
		state: 'accepted' | 'failed',
		{ id = delivery, marks = stored, isStarting = true } = {},
	) {
		await memoryOf(id, marks).finish(state, isStarting);
		await setImmediate();
	}
	return {
		clock,
		n8n,
		stored,
		turns,
		memoryOf,
		finish,
		claim: (id?: DeliveryId) => memoryOf(id).claim(),
		accept: async (id?: DeliveryId) => await finish('accepted', { ...(id && { id }) }),
		fail: async (id?: DeliveryId) => await finish('failed', { ...(id && { id }) }),
		pass: (ms: number) => void (clock.time += ms),
		/** Returns whether the sender is asked to deliver again. */
		async defer(id?: DeliveryId) {
			const mayDefer = memoryOf(id).mayDefer();
			if (mayDefer) await memoryOf(id).defer();
			return mayDefer;
		},
		/**
		 * The marks that this process would store with another delivery, if the store holds `marks`.
		 */
		async marksWith(id: DeliveryId, state: 'accepted' | 'failed', marks: StoredMarks = {}) {
			n8n.isTaken = false;
			await finish(state, { id, marks });
			n8n.isTaken = true;
			return marks;
		},
	};
}

/** The next process, which has only what was stored, as JSON. */
const restarted = ({ clock, stored }: ReturnType<typeof start>) =>
	start(clock.time, JSON.parse(JSON.stringify(stored)) as StoredMarks);

describe('a delivery', () => {
	test('is claimed once, and again if it is released or deferred, or after ten minutes', async () => {
		const process = start();
		const first = process.memoryOf();
		expect([first.claim(), process.claim()]).toEqual(['claimed', 'underway']);
		first.release();
		const second = process.memoryOf();
		expect([second.claim(), process.claim()]).toEqual(['claimed', 'underway']);
		await second.defer();
		expect(process.claim()).toBe('claimed');
		process.pass(10 * MINUTE - 1);
		expect(process.claim()).toBe('underway');
		process.pass(1);
		expect(process.claim()).toBe('claimed');
	});

	test('whose claim has expired does not end the claim of its next copy', () => {
		const process = start();
		const [slow, next] = [process.memoryOf(), process.memoryOf()];
		expect(slow.claim()).toBe('claimed');
		process.pass(10 * MINUTE);
		expect(next.claim()).toBe('claimed');
		slow.release();
		expect(process.claim()).toBe('underway');
		next.release();
		expect(process.claim()).toBe('claimed');
	});

	test('is another one with another key, and for another workflow', async () => {
		const process = start();
		await process.accept();
		const others = [numbered(1), { ...delivery, workflow: 'other' }];
		const claims = others.map((id) => process.memoryOf(id, {}).claim());
		expect(claims).toEqual(['claimed', 'claimed']);
	});

	test('is new again if n8n failed to store the execution, although it is in the static data', async () => {
		const process = start();
		process.n8n.isTaken = false;
		const stored: StoredMarks = {};
		const request = process.memoryOf(delivery, stored);
		expect(request.claim()).toBe('claimed');
		await request.finish('accepted', true);
		await setImmediate();
		expect(stored).toEqual({ accepted: { key: START }, failed: {}, deferred: {} });
		expect(process.claim()).toBe('claimed');
	});

	test('that starts no execution does not wait for n8n to store one', async () => {
		const process = start();
		process.n8n.isTaken = false;
		await process.finish('accepted', { marks: {}, isStarting: false });
		expect(process.claim()).toBe('repeat');
	});

	test('is underway, and its turn to write lasts, until n8n has stored the execution', async () => {
		const process = start();
		const request = process.memoryOf(delivery, {});
		expect(request.claim()).toBe('claimed');
		await request.finish('accepted', true);
		expect([process.claim(), process.turns.ended]).toEqual(['underway', 0]);
		await setImmediate();
		expect([process.claim(), process.turns.ended]).toEqual(['repeat', 1]);
	});

	test('that cannot be written keeps no other from its turn, and is not known', async () => {
		const process = start();
		process.n8n.isReadOnly = true;
		for (const write of [process.accept, process.defer])
			await expect(write()).rejects.toThrow('cannot write');
		await setImmediate();
		expect([process.claim(), process.turns.ended]).toEqual(['claimed', 2]);
	});

	test('that was accepted is a repeat for 24 hours, in this process and after a restart', async () => {
		const before = start();
		await before.accept();
		for (const process of [restarted(before), before]) {
			process.pass(DAY - 1);
			expect(process.claim()).toBe('repeat');
			process.pass(1);
			expect(process.claim()).toBe('claimed');
		}
	});

	test('that started with an error can be claimed until it is accepted, and is known to have failed even once it is deferred', async () => {
		const before = start();
		await before.fail();
		for (const process of [restarted(before), before]) {
			const request = process.memoryOf();
			expect([request.claim(), request.hasFailed()]).toEqual(['claimed', true]);
			await request.defer();
			expect([process.claim(), process.memoryOf().hasFailed()]).toEqual(['claimed', true]);
			process.pass(1);
			await process.accept();
			expect(process.claim()).toBe('repeat');
		}
	});
});

test('a failure is known by a key of its own, because another body with the same job ID may be about another job', async () => {
	const process = start();
	const [first, second] = ['first', 'second'].map((failureKey) => ({ ...delivery, failureKey }));
	await process.fail(first);
	expect([first, second].map((id) => process.memoryOf(id).hasFailed())).toEqual([true, false]);
	expect(process.claim(second)).toBe('claimed');
});

test('a delivery is deferred for an hour, also over a restart, and anew once it was accepted', async () => {
	const before = start();
	expect(await before.defer()).toBe(true);
	before.pass(HOUR - 1);
	for (const process of [restarted(before), before]) {
		expect([process.claim(), await process.defer()]).toEqual(['claimed', true]);
		process.pass(1);
		expect([await process.defer(), await process.defer(numbered(1))]).toEqual([false, true]);
		expect(process.memoryOf({ ...delivery, workflow: 'other' }, {}).mayDefer()).toBe(true);
		process.pass(22 * HOUR);
		expect(await process.defer()).toBe(false);
		await process.accept();
		process.pass(1);
		expect(await process.defer()).toBe(true);
		process.pass(HOUR);
		expect(await process.defer()).toBe(false);
	}
});

describe('static data', () => {
	test('holds all that is known, so that a write that was lost is made good', async () => {
		const process = start();
		await process.accept(numbered(1));
		await process.memoryOf(numbered(3), {}).defer();
		process.pass(DAY - 1);
		const next = async () => await process.marksWith(numbered(2), 'accepted');
		const accepted = { key1: START, key2: process.clock.time };
		expect(await next()).toMatchObject({ accepted, deferred: { key3: START } });
		process.pass(1);
		expect(await next()).toEqual({
			accepted: { key2: process.clock.time },
			deferred: {},
			failed: {},
		});
	});

	test('of other processes counts, and of two marks the later one', async () => {
		const [one, other] = [start(), start()];
		await one.defer();
		other.pass(1);
		await other.accept();
		one.pass(1);
		expect(one.memoryOf(delivery, other.stored).claim()).toBe('repeat');
		expect(await one.marksWith(numbered(1), 'failed', { ...other.stored })).toEqual({
			accepted: { key: START + 1 },
			failed: { key1: START + 1, failure1: START + 1 },
			deferred: {},
		});
		// The latest entry in storage may be older than what this process remembers.
		await other.memoryOf(numbered(2), {}).defer();
		other.pass(1);
		await other.accept(numbered(2));
		const old = { deferred: { key2: START + 1 } };
		expect(other.memoryOf(numbered(2), old).claim()).toBe('repeat');
	});
});

describe('the memory', () => {
	test('holds 100 workflows and forgets the longest unused', async () => {
		const process = start();
		const idOf = (index: number) => ({ ...delivery, workflow: `workflow${index}` });
		for (const index of [...Array(100).keys(), 0, 100])
			await process.finish('accepted', { id: idOf(index), marks: {} });
		const claims = [0, 2, 100, 1].map((index) => process.memoryOf(idOf(index), {}).claim());
		expect(claims).toEqual(['repeat', 'repeat', 'repeat', 'claimed']);
	});

	test('holds the latest 2,000 deliveries of a workflow, and stores as many', async () => {
		const process = start();
		for (let index = 0; index < 2001; index++) {
			await process.finish('accepted', { id: numbered(index), marks: {} });
			process.pass(1);
		}
		const claims = [0, 1, 2000].map((index) => process.claim(numbered(index)));
		expect(claims).toEqual(['claimed', 'repeat', 'repeat']);
		// It also keeps the latest of the deliveries that another process has stored.
		const stored = { accepted: { old: START - 1, new: START + 2 } };
		const { accepted } = await process.marksWith(numbered(3000), 'accepted', stored);
		expect(Object.keys(accepted!)).toHaveLength(2000);
		for (const key of ['key1', 'key2', 'old']) expect(accepted).not.toHaveProperty(key);
		expect(accepted).toMatchObject({ new: START + 2, key3: START + 3, key3000: START + 2001 });
	});
});
