import type {
	AcceptedDeliveries,
	VerifiedDelivery,
} from '../../../nodes/WalletScreening/trigger/repeats';
import {
	claim,
	digestOf,
	emptyMemory,
	forget,
	release,
	settle,
} from '../../../nodes/WalletScreening/trigger/repeats';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 20);
const delivery: VerifiedDelivery = { node: 'workflow1/node1', digest: 'one' };

const numbered = (count: number): AcceptedDeliveries =>
	Object.fromEntries(Array.from({ length: count }, (_, index) => [`d${index}`, NOW + index]));

test('the digest of a body is its SHA-256 in base64', () => {
	// printf abc | openssl dgst -sha256 -binary | base64
	expect(digestOf(Buffer.from('abc'))).toBe('ungWv48Bz+pBQUDeXa4iI7ADYaOWF3qctBD/YfIAFa0=');
});

test('a delivery is new once, then underway, and a repeat when it was accepted', () => {
	const memory = emptyMemory();
	expect(claim(memory, delivery, {}, NOW)).toBe('new');
	expect(claim(memory, delivery, {}, NOW)).toBe('underway');
	settle(memory, delivery, {}, NOW);
	expect(claim(memory, delivery, {}, NOW)).toBe('repeat');
	release(memory, delivery);
	expect(claim(memory, delivery, {}, NOW)).toBe('repeat');
});

test('a delivery that was released without being accepted is new again', () => {
	const memory = emptyMemory();
	claim(memory, delivery, {}, NOW);
	release(memory, delivery);
	expect(claim(memory, delivery, {}, NOW)).toBe('new');
	expect(memory.accepted.size).toBe(0);
});

test('neither another body nor another node is a repeat', () => {
	const memory = emptyMemory();
	claim(memory, delivery, {}, NOW);
	expect(claim(memory, { ...delivery, digest: 'two' }, {}, NOW)).toBe('new');
	expect(claim(memory, { ...delivery, node: 'workflow1/node2' }, {}, NOW)).toBe('new');
	settle(memory, delivery, {}, NOW);
	release(memory, delivery);
	expect(claim(memory, { ...delivery, node: 'workflow2/node1' }, {}, NOW)).toBe('new');
});

test('a repeat is known after a restart by what was stored, and that is plain JSON', () => {
	const before = emptyMemory();
	claim(before, delivery, {}, NOW);
	const stored = settle(before, delivery, {}, NOW);
	const reloaded = JSON.parse(JSON.stringify(stored)) as AcceptedDeliveries;
	expect(reloaded).toEqual({ one: NOW });
	expect(claim(emptyMemory(), delivery, reloaded, NOW + HOUR)).toBe('repeat');
});

test.each([
	['in this process', (accepted: AcceptedDeliveries) => ({ accepted, stored: {} })],
	['in static data', (stored: AcceptedDeliveries) => ({ accepted: {}, stored })],
])('a repeat is known for 24 hours %s', (_where, split) => {
	const { accepted, stored } = split({ one: NOW });
	const claimAt = (now: number) => {
		const memory = emptyMemory();
		memory.accepted.set(delivery.node, new Map(Object.entries(accepted)));
		return claim(memory, delivery, stored, now);
	};
	expect(claimAt(NOW + 24 * HOUR - 1)).toBe('repeat');
	expect(claimAt(NOW + 24 * HOUR)).toBe('new');
	expect(claimAt(NOW - HOUR)).toBe('repeat');
});

test('what is stored holds the latest 1,000 deliveries', () => {
	const stored = settle(emptyMemory(), delivery, numbered(1000), NOW + 1000);
	expect(Object.keys(stored)).toHaveLength(1000);
	expect(stored).toMatchObject({ one: NOW + 1000, d1: NOW + 1, d999: NOW + 999 });
	expect(stored).not.toHaveProperty('d0');
});

test('the delivery just accepted is stored even when the clock was set back', () => {
	const stored = settle(emptyMemory(), delivery, numbered(1000), NOW - HOUR);
	expect(Object.keys(stored)).toHaveLength(1000);
	expect(stored).toHaveProperty('one', NOW - HOUR);
});

test('what is older than 24 hours is no longer stored', () => {
	const stored = { old: NOW - 24 * HOUR, recent: NOW - 24 * HOUR + 1 };
	expect(settle(emptyMemory(), delivery, stored, NOW)).toEqual({
		recent: NOW - 24 * HOUR + 1,
		one: NOW,
	});
});

test('a write to static data that was lost is made good by the next', () => {
	const memory = emptyMemory();
	settle(memory, delivery, {}, NOW);
	const second = { ...delivery, digest: 'two' };
	expect(settle(memory, second, {}, NOW + 1)).toEqual({ one: NOW, two: NOW + 1 });
});

test('what was stored is left as it is', () => {
	const stored = Object.freeze({ old: NOW - 24 * HOUR });
	const memory = emptyMemory();
	claim(memory, delivery, stored, NOW);
	settle(memory, delivery, stored, NOW);
	expect(stored).toEqual({ old: NOW - 24 * HOUR });
});

test('the memory of the process holds the latest 10,000 deliveries of a node, ten times what is stored', () => {
	const memory = emptyMemory();
	memory.accepted.set(delivery.node, new Map(Object.entries(numbered(9_900))));
	let stored: AcceptedDeliveries = {};
	for (let index = 9_900; index < 10_100; index++) {
		const current = { ...delivery, digest: `d${index}` };
		expect(claim(memory, current, {}, NOW + index)).toBe('new');
		stored = settle(memory, current, stored, NOW + index);
		release(memory, current);
	}
	const claimOf = (digest: string) => claim(memory, { ...delivery, digest }, {}, NOW + 10_100);
	expect(memory.accepted.get(delivery.node)?.size).toBe(10_000);
	expect(claimOf('d99')).toBe('new');
	expect(claimOf('d100')).toBe('repeat');
	expect(claimOf('d10099')).toBe('repeat');
	expect(Object.keys(stored)).toHaveLength(1000);
	expect(stored).toMatchObject({ d9100: NOW + 9100, d10099: NOW + 10_099 });
});

test('what is older than 24 hours leaves the memory of the process', () => {
	const memory = emptyMemory();
	settle(memory, delivery, {}, NOW);
	settle(memory, { ...delivery, digest: 'two' }, {}, NOW + 24 * HOUR);
	expect([...(memory.accepted.get(delivery.node) ?? [])]).toEqual([['two', NOW + 24 * HOUR]]);
});

test('what other processes accepted counts by its time, among what this one did', () => {
	const memory = emptyMemory();
	for (let index = 0; index < 1000; index++) {
		settle(memory, { ...delivery, digest: `own${index}` }, {}, NOW + 2 * index);
	}
	const stored = settle(memory, delivery, numbered(1000), NOW + 2000);
	expect(Object.keys(stored)).toHaveLength(1000);
	expect(stored).toMatchObject({ own500: NOW + 1000, d999: NOW + 999, one: NOW + 2000 });
	expect(stored).not.toHaveProperty('d0');
	expect(stored).not.toHaveProperty('own0');
	expect(claim(memory, { ...delivery, digest: 'd0' }, {}, NOW + 2000)).toBe('repeat');
});

test('the memory of the process holds 100 nodes and forgets the longest unused', () => {
	const memory = emptyMemory();
	settle(memory, delivery, {}, NOW);
	for (let index = 1; index < 100; index++) {
		settle(memory, { ...delivery, node: `other${index}` }, {}, NOW);
	}
	settle(memory, { ...delivery, digest: 'two' }, {}, NOW);
	settle(memory, { ...delivery, node: 'other100' }, {}, NOW);
	expect(memory.accepted.size).toBe(100);
	expect(memory.accepted.has(delivery.node)).toBe(true);
	expect(memory.accepted.has('other1')).toBe(false);
	expect(memory.accepted.has('other100')).toBe(true);
});

test('a delivery that is taken back is new again, and the others of its node are not', () => {
	const memory = emptyMemory();
	const other = { ...delivery, digest: 'two' };
	settle(memory, delivery, {}, NOW);
	settle(memory, other, {}, NOW);
	forget(memory, delivery);
	expect(claim(memory, delivery, {}, NOW)).toBe('new');
	expect(claim(memory, other, {}, NOW)).toBe('repeat');
});

test('nothing is left of a delivery that is taken back', () => {
	const memory = emptyMemory();
	settle(memory, delivery, {}, NOW);
	forget(memory, delivery);
	forget(memory, { ...delivery, node: 'workflow1/node2' });
	const other = { ...delivery, digest: 'two' };
	expect(settle(memory, other, {}, NOW)).toEqual({ two: NOW });
	expect(settle(memory, { ...other, node: 'workflow1/node2' }, {}, NOW)).toEqual({ two: NOW });
});
