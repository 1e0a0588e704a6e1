import { createSeen, type Id, type Stored } from '../../../nodes/WalletScreening/trigger/seen';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 20);
const delivery: Id = { node: 'workflow node', key: 'key' };
const numbered = (index: number): Id => ({ ...delivery, key: `key${index}` });

/** A process of n8n with a clock of its own; static data is what the last write left. */
function start(day = START, stored: Stored = {}) {
	const time = { day, process: 0 };
	const seen = createSeen(() => ({ ...time }));
	return {
		seen,
		time,
		stored,
		pass(ms: number) {
			time.day += ms;
			time.process += ms;
		},
		claim: (id = delivery) => seen.claim(id, stored),
		/** n8n stores static data before the answer. */
		accept(id = delivery) {
			Object.assign(stored, seen.accepting(id, stored));
			seen.accept(id);
			seen.release(id);
		},
		/** Whether the sender is asked to deliver again. */
		wait(id = delivery) {
			const changes = seen.wait(id, stored);
			Object.assign(stored, changes);
			return changes !== undefined;
		},
	};
}

/** The next process, which has only what was stored, as JSON. */
const restarted = (before: ReturnType<typeof start>, day = before.time.day) =>
	start(day, JSON.parse(JSON.stringify(before.stored)) as Stored);

describe('a delivery', () => {
	test('is new once, then underway, and new again if its claim is released or lasts ten minutes', () => {
		const n8n = start();
		expect([n8n.claim(), n8n.claim()]).toEqual(['new', 'underway']);
		n8n.seen.release(delivery);
		expect(n8n.claim()).toBe('new');
		n8n.pass(10 * MINUTE - 1);
		expect(n8n.claim()).toBe('underway');
		n8n.pass(1);
		expect(n8n.claim()).toBe('new');
	});

	test('is another one with another key, and for another node', () => {
		const n8n = start();
		n8n.claim();
		const others = [numbered(1), { ...delivery, node: 'workflow other' }];
		expect(others.map(n8n.claim)).toEqual(['new', 'new']);
	});

	test('is not noted by what is about to be stored, because n8n may fail to store it', () => {
		const n8n = start();
		n8n.claim();
		expect(n8n.seen.accepting(delivery, {})).toEqual({ accepted: { key: START }, waiting: {} });
		n8n.seen.release(delivery);
		expect(n8n.claim()).toBe('new');
		expect(n8n.seen.accepting(numbered(1), {}).accepted).toEqual({ key1: START });
	});

	test('is known for 24 hours, in this process and after a restart', () => {
		const before = start();
		before.accept();
		for (const n8n of [restarted(before), before]) {
			n8n.pass(DAY - 1);
			expect(n8n.claim()).toBe('repeat');
			n8n.pass(1);
			expect(n8n.claim()).toBe('new');
		}
	});
});

describe('a delivery that cannot be completed', () => {
	test('is asked for again for an hour, also after a restart, and over as soon as it is accepted', () => {
		const before = start();
		expect(before.wait()).toBe(true);
		before.pass(HOUR - 1);
		expect(before.wait()).toBe(true);
		for (const n8n of [restarted(before), before]) {
			expect([n8n.claim(), n8n.wait()]).toEqual(['new', true]);
			n8n.pass(1);
			expect(n8n.wait()).toBe(false);
			n8n.pass(71 * HOUR - 1);
			expect(n8n.wait()).toBe(false);
			n8n.accept();
			expect(n8n.stored).toEqual({ accepted: { key: n8n.time.day }, waiting: {} });
			expect(n8n.wait()).toBe(true);
		}
	});

	test('has an hour of its own, for its node, and is asked for anew after three days', () => {
		const n8n = start();
		n8n.wait();
		n8n.pass(HOUR);
		expect(n8n.wait(numbered(1))).toBe(true);
		expect(n8n.seen.wait({ ...delivery, node: 'other' }, {})).toBeDefined();
		expect(n8n.wait()).toBe(false);
		n8n.pass(71 * HOUR);
		expect(n8n.wait()).toBe(true);
	});
});

describe('a clock that jumps', () => {
	test.each([30 * DAY, -61 * MINUTE])('by %d ms leaves an hour an hour and a day a day', (jump) => {
		const n8n = start();
		n8n.wait();
		n8n.accept(numbered(1));
		n8n.time.day += jump;
		n8n.pass(HOUR - 1);
		expect([n8n.wait(), n8n.claim(numbered(1))]).toEqual([true, 'repeat']);
		n8n.pass(1);
		expect([n8n.wait(), n8n.claim(numbered(1))]).toEqual([false, 'repeat']);
		n8n.pass(DAY - HOUR);
		expect(n8n.claim(numbered(1))).toBe('new');
	});

	test('and is corrected before a restart makes a wait of one hour from then', () => {
		const ahead = start(START + 30 * DAY);
		ahead.wait();
		ahead.accept(numbered(1));
		const n8n = restarted(ahead, START);
		expect([n8n.wait(), n8n.claim(numbered(1))]).toEqual([true, 'repeat']);
		n8n.pass(HOUR - 1);
		expect(n8n.wait()).toBe(true);
		n8n.pass(1);
		expect(n8n.wait()).toBe(false);
		// What was stored meanwhile is of the corrected clock, so that no further restart begins the hour again.
		expect(restarted(n8n).wait()).toBe(false);
		n8n.pass(DAY - HOUR);
		expect(n8n.claim(numbered(1))).toBe('new');
	});
});

describe('static data', () => {
	test('makes good a write that was lost, and leaves out what is no longer known', () => {
		const n8n = start();
		n8n.accept(numbered(1));
		n8n.pass(DAY - 1);
		const { day } = n8n.time;
		const { accepted } = n8n.seen.accepting(numbered(2), {});
		expect(accepted).toEqual({ key1: START, key2: day });
		n8n.pass(1);
		expect(n8n.seen.accepting(numbered(2), {}).accepted).toEqual({ key2: day + 1 });
	});

	test('of other processes counts: what they accepted is a repeat, also if it waits here', () => {
		const [one, other] = [start(), start()];
		one.wait();
		expect(one.seen.claim(delivery, other.stored)).toBe('new');
		one.seen.release(delivery);
		other.accept();
		expect(one.seen.claim(delivery, other.stored)).toBe('repeat');
		// And is not forgotten if the next process loses it.
		expect(one.seen.claim(delivery, {})).toBe('repeat');
		other.seen.wait(numbered(1), other.stored);
		expect(one.seen.accepting(numbered(2), other.stored)).toMatchObject({
			accepted: { key: START },
		});
	});
});

describe('the memory', () => {
	test('holds 100 nodes and forgets the longest unused', () => {
		const { seen } = start();
		const claim = (index: number) => seen.claim({ node: `node${index}`, key: 'key' }, {});
		for (let index = 0; index < 100; index++) seen.accept({ node: `node${index}`, key: 'key' });
		claim(0);
		seen.accept({ node: 'node100', key: 'key' });
		expect([0, 2, 100, 1].map(claim)).toEqual(['repeat', 'repeat', 'repeat', 'new']);
	});

	test('holds the latest 2,000 deliveries of a node, and stores as many', () => {
		const n8n = start();
		for (let index = 0; index < 2001; index++) {
			n8n.seen.accept(numbered(index));
			n8n.pass(1);
		}
		const claims = [0, 1, 2000].map((index) => n8n.claim(numbered(index)));
		expect(claims).toEqual(['new', 'repeat', 'repeat']);
		// Of what another process stored, too, it keeps the latest.
		const { accepted } = n8n.seen.accepting(numbered(3000), {
			accepted: { old: START - 1, new: START + 2 },
		});
		expect(Object.keys(accepted!)).toHaveLength(2000);
		for (const key of ['key1', 'old']) expect(accepted).not.toHaveProperty(key);
		expect(accepted).toMatchObject({ new: START + 2, key3: START + 3, key3000: START + 2001 });
		expect(n8n.claim({ ...delivery, key: 'old' })).toBe('new');
	});
});
