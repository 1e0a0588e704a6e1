import { createLedger, type Times } from '../../../nodes/WalletScreening/trigger/ledger';

const HOUR = 60 * 60 * 1000;
const NOW = Date.UTC(2026, 10, 20);
const NODE = 'workflow1 node1';
const create = (most = 20, mostStored = 10) => createLedger({ keptFor: HOUR, most, mostStored });
const numbered = (count: number): Times =>
	Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${index}`, NOW + index]));

test('a key is known once it is noted, for its node only, until it is forgotten', () => {
	const ledger = create();
	expect(ledger.timeOf(NODE, ['one'], {}, NOW)).toBeUndefined();
	ledger.note(NODE, ['one', 'other'], NOW);
	expect(ledger.timeOf(NODE, ['two', 'other'], {}, NOW + 1)).toBe(NOW);
	expect(ledger.timeOf('workflow1 node2', ['one'], {}, NOW)).toBeUndefined();
	ledger.forget(NODE, ['one']);
	ledger.forget('workflow1 node2', ['other']);
	expect(ledger.timeOf(NODE, ['one'], {}, NOW)).toBeUndefined();
	expect(ledger.timeOf(NODE, ['other'], {}, NOW)).toBe(NOW);
});

test.each([
	['in this process', true],
	['in what was stored', false],
])('a key is known for an hour %s, and with a clock that was set back', (_where, isHere) => {
	const ledger = create();
	if (isHere) ledger.note(NODE, ['one'], NOW);
	const stored: Times = isHere ? {} : { one: NOW };
	expect(ledger.timeOf(NODE, ['one'], stored, NOW + HOUR - 1)).toBe(NOW);
	expect(ledger.timeOf(NODE, ['one'], stored, NOW + HOUR)).toBeUndefined();
	expect(ledger.timeOf(NODE, ['one'], stored, NOW - HOUR)).toBe(NOW);
});

test('what is to be stored is plain JSON, and is not noted yet', () => {
	const ledger = create();
	const stored = ledger.toStore(NODE, ['one', 'two'], {}, NOW);
	expect(JSON.parse(JSON.stringify(stored))).toEqual({ one: NOW, two: NOW });
	expect(ledger.timeOf(NODE, ['one'], {}, NOW)).toBeUndefined();
	expect(ledger.toStore(NODE, ['three'], {}, NOW)).toEqual({ three: NOW });
});

test('what is to be stored makes good a write that was lost, and leaves what was stored as it is', () => {
	const ledger = create();
	ledger.note(NODE, ['one'], NOW);
	const before = Object.freeze({ old: NOW - HOUR, other: NOW - 1 });
	expect(ledger.toStore(NODE, ['two'], before, NOW + 1)).toEqual({
		one: NOW,
		other: NOW - 1,
		two: NOW + 1,
	});
	expect(before).toEqual({ old: NOW - HOUR, other: NOW - 1 });
});

test('what is to be stored holds the latest keys, those of other processes among them', () => {
	const ledger = create();
	for (let index = 0; index < 10; index++) ledger.note(NODE, [`own${index}`], NOW + 2 * index);
	const stored = ledger.toStore(NODE, ['one'], numbered(10), NOW + 30);
	expect(Object.keys(stored).sort()).toEqual(
		['k7', 'k8', 'k9', 'one', 'own4', 'own5', 'own6', 'own7', 'own8', 'own9'].sort(),
	);
	expect(ledger.timeOf(NODE, ['k0'], {}, NOW + 30)).toBe(NOW);
});

test('the memory of the process is bounded for each node, and drops the oldest and what is outdated', () => {
	const ledger = create();
	for (let index = 0; index < 25; index++) ledger.note(NODE, [`k${index}`], NOW + index);
	ledger.note(NODE, ['k5'], NOW + 25);
	ledger.note(NODE, ['last'], NOW + 26);
	const known = (key: string) => ledger.timeOf(NODE, [key], {}, NOW + 26) !== undefined;
	expect(['k4', 'k5', 'k6', 'k7', 'last'].map(known)).toEqual([false, true, false, true, true]);
	ledger.note(NODE, ['new'], NOW + 2 * HOUR);
	expect(ledger.timeOf(NODE, ['last'], {}, NOW + 26)).toBeUndefined();
});

test('the memory of the process holds 100 nodes and forgets the longest unused', () => {
	const ledger = create();
	for (let index = 0; index < 100; index++) ledger.note(`node${index}`, ['one'], NOW);
	ledger.note('node0', ['two'], NOW);
	ledger.note('node100', ['one'], NOW);
	const known = (node: string) => ledger.timeOf(node, ['one'], {}, NOW) !== undefined;
	expect(['node0', 'node1', 'node2', 'node100'].map(known)).toEqual([true, false, true, true]);
});
