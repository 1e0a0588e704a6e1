import {
	type DeliveryId,
	DeliveryLog,
	type StoredMarks,
} from '../../../nodes/WalletScreening/webhook/deliveryLog';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 20);
const delivery: DeliveryId = { workflow: 'workflow', key: 'key' };
const numbered = (index: number): DeliveryId => ({ ...delivery, key: `key${index}` });

/** A process of n8n; static data is what the last write left. */
function start(time = START, stored: StoredMarks = {}) {
	const clock = { time };
	const log = new DeliveryLog(() => clock.time);
	/** n8n writes static data before it answers. */
	const end = (state: 'accepted' | 'failed') => (id: DeliveryId) => {
		Object.assign(stored, log.toStore(id, state, stored));
		log.commit(id, state);
		log.release(id);
	};
	return {
		log,
		clock,
		stored,
		accept: end('accepted'),
		fail: end('failed'),
		pass: (ms: number) => void (clock.time += ms),
		claim: (id = delivery) => log.tryClaim(id, stored),
		/** Returns whether the sender is asked to deliver again. */
		defer(id = delivery) {
			const changes = log.defer(id, stored);
			Object.assign(stored, changes);
			return changes !== undefined;
		},
	};
}

/** The next process, which has only what was stored, as JSON. */
const restarted = ({ clock, stored }: ReturnType<typeof start>) =>
	start(clock.time, JSON.parse(JSON.stringify(stored)) as StoredMarks);

describe('a delivery', () => {
	test('is claimed once, and again if its claim is released or lasts ten minutes', () => {
		const n8n = start();
		expect([n8n.claim(), n8n.claim()]).toEqual(['claimed', 'underway']);
		n8n.log.release(delivery);
		expect(n8n.claim()).toBe('claimed');
		n8n.pass(10 * MINUTE - 1);
		expect(n8n.claim()).toBe('underway');
		n8n.pass(1);
		expect(n8n.claim()).toBe('claimed');
	});

	test('is another one with another key, and for another workflow', () => {
		const n8n = start();
		n8n.accept(delivery);
		const others = [numbered(1), { ...delivery, workflow: 'other' }];
		expect(others.map((id) => n8n.log.tryClaim(id, {}))).toEqual(['claimed', 'claimed']);
	});

	test('is not committed by what is about to be stored, because n8n may fail to store it', () => {
		const n8n = start();
		const stored = n8n.log.toStore(delivery, 'accepted', {});
		expect(stored).toEqual({ accepted: { key: START }, failed: {}, deferred: {} });
		expect(n8n.claim()).toBe('claimed');
	});

	test('that was accepted is a repeat for 24 hours, in this process and after a restart', () => {
		const before = start();
		before.accept(delivery);
		for (const n8n of [restarted(before), before]) {
			n8n.pass(DAY - 1);
			expect(n8n.claim()).toBe('repeat');
			n8n.pass(1);
			expect(n8n.claim()).toBe('claimed');
		}
	});

	test('that started with an error can be claimed, and is known to have failed until it is accepted', () => {
		const before = start();
		before.fail(delivery);
		for (const n8n of [restarted(before), before]) {
			expect([n8n.claim(), n8n.log.hasFailed(delivery, n8n.stored)]).toEqual(['claimed', true]);
			n8n.pass(1);
			n8n.accept(delivery);
			expect([n8n.claim(), n8n.log.hasFailed(delivery, n8n.stored)]).toEqual(['repeat', false]);
		}
	});
});

test('a delivery is deferred for an hour, also over a restart, and anew once it was accepted', () => {
	const before = start();
	expect(before.defer()).toBe(true);
	before.pass(HOUR - 1);
	for (const n8n of [restarted(before), before]) {
		expect([n8n.claim(), n8n.defer()]).toEqual(['claimed', true]);
		n8n.pass(1);
		expect([n8n.defer(), n8n.defer(numbered(1))]).toEqual([false, true]);
		expect(n8n.log.defer({ ...delivery, workflow: 'other' }, {})).toBeDefined();
		n8n.pass(22 * HOUR);
		expect(n8n.defer()).toBe(false);
		n8n.accept(delivery);
		n8n.pass(1);
		expect(n8n.defer()).toBe(true);
		n8n.pass(HOUR);
		expect(n8n.defer()).toBe(false);
	}
});

describe('static data', () => {
	test('holds all that is known, so that a write that was lost is made good', () => {
		const n8n = start();
		n8n.accept(numbered(1));
		n8n.log.defer(numbered(3), {});
		n8n.pass(DAY - 1);
		const next = () => n8n.log.toStore(numbered(2), 'accepted', {});
		const accepted = { key1: START, key2: n8n.clock.time };
		expect(next()).toMatchObject({ accepted, deferred: { key3: START } });
		n8n.pass(1);
		expect(next()).toEqual({ accepted: { key2: n8n.clock.time }, deferred: {}, failed: {} });
	});

	test('of other processes counts, and of two marks the later one', () => {
		const [one, other] = [start(), start()];
		one.defer();
		other.pass(1);
		other.accept(delivery);
		one.pass(1);
		expect(one.log.tryClaim(delivery, other.stored)).toBe('repeat');
		expect(one.log.toStore(numbered(1), 'failed', other.stored)).toEqual({
			accepted: { key: START + 1 },
			failed: { key1: START + 1 },
			deferred: {},
		});
		// The latest entry in storage may be older than what this process remembers.
		other.log.defer(numbered(2), {});
		other.pass(1);
		other.accept(numbered(2));
		expect(other.log.tryClaim(numbered(2), { deferred: { key2: START + 1 } })).toBe('repeat');
	});
});

describe('the memory', () => {
	test('holds 100 workflows and forgets the longest unused', () => {
		const { log } = start();
		const of = (index: number): DeliveryId => ({ workflow: `workflow${index}`, key: 'key' });
		for (const index of [...Array(100).keys(), 0, 100]) log.commit(of(index), 'accepted');
		const claims = [0, 2, 100, 1].map((index) => log.tryClaim(of(index), {}));
		expect(claims).toEqual(['repeat', 'repeat', 'repeat', 'claimed']);
	});

	test('holds the latest 2,000 deliveries of a workflow, and stores as many', () => {
		const n8n = start();
		for (let index = 0; index < 2001; index++) {
			n8n.log.commit(numbered(index), 'accepted');
			n8n.pass(1);
		}
		const claims = [0, 1, 2000].map((index) => n8n.claim(numbered(index)));
		expect(claims).toEqual(['claimed', 'repeat', 'repeat']);
		// It also keeps the latest of the deliveries that another process has stored.
		const stored = { accepted: { old: START - 1, new: START + 2 } };
		const { accepted } = n8n.log.toStore(numbered(3000), 'accepted', stored);
		expect(Object.keys(accepted!)).toHaveLength(2000);
		for (const key of ['key1', 'key2', 'old']) expect(accepted).not.toHaveProperty(key);
		expect(accepted).toMatchObject({ new: START + 2, key3: START + 3, key3000: START + 2001 });
	});
});
