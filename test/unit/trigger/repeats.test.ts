import { createRepeats, type Delivery } from '../../../nodes/WalletScreening/trigger/repeats';

const MINUTE = 60 * 1000;
const HOUR = 60 * MINUTE;
const NOW = Date.UTC(2026, 10, 20);
const delivery: Delivery = { node: 'workflow1 node1', keys: ['content', 'message'] };

test('a delivery is new once, then underway, and a repeat when it was accepted', () => {
	const repeats = createRepeats();
	expect(repeats.claim(delivery, {}, NOW)).toBe('new');
	expect(repeats.claim(delivery, {}, NOW)).toBe('underway');
	repeats.accept(delivery, NOW);
	expect(repeats.claim(delivery, {}, NOW)).toBe('repeat');
});

test.each(['content', 'message'])('one key in common is enough: %s', (key) => {
	const repeats = createRepeats();
	const other = { ...delivery, keys: [key, 'another'] };
	repeats.claim(delivery, {}, NOW);
	expect(repeats.claim(other, {}, NOW)).toBe('underway');
	repeats.accept(delivery, NOW);
	expect(repeats.claim(other, {}, NOW)).toBe('repeat');
	expect(repeats.claim({ ...delivery, keys: ['another'] }, {}, NOW)).toBe('new');
});

test('a delivery to another node is another one', () => {
	const repeats = createRepeats();
	const other = { ...delivery, node: 'workflow1 node2' };
	repeats.claim(delivery, {}, NOW);
	expect(repeats.claim(other, {}, NOW)).toBe('new');
	repeats.accept(delivery, NOW);
	repeats.release(other);
	expect(repeats.claim(other, {}, NOW)).toBe('new');
});

test('a delivery that was released without being accepted is new again', () => {
	const repeats = createRepeats();
	repeats.claim(delivery, {}, NOW);
	const stored = repeats.toStore(delivery, {}, NOW);
	repeats.release(delivery);
	expect(repeats.claim(delivery, {}, NOW)).toBe('new');
	expect(createRepeats().claim(delivery, stored, NOW)).toBe('repeat');
});

test('a repeat is known for 24 hours, after a restart by what was stored', () => {
	const stored = createRepeats().toStore(delivery, {}, NOW);
	expect(stored).toEqual({ content: NOW, message: NOW });
	expect(createRepeats().claim(delivery, stored, NOW + 24 * HOUR - 1)).toBe('repeat');
	expect(createRepeats().claim(delivery, stored, NOW + 24 * HOUR)).toBe('new');
});

test('a claim that nobody ended counts no longer after ten minutes', () => {
	const repeats = createRepeats();
	repeats.claim(delivery, {}, NOW);
	expect(repeats.claim(delivery, {}, NOW + 10 * MINUTE - 1)).toBe('underway');
	expect(repeats.claim(delivery, {}, NOW + 10 * MINUTE)).toBe('new');
});

test('10,000 deliveries with two keys each are known in this process, and 1,000 of them stored', () => {
	const repeats = createRepeats();
	const numbered = (index: number) => ({ ...delivery, keys: [`c${index}`, `m${index}`] });
	let stored = {};
	for (let index = 0; index < 10_100; index++) {
		if (index > 9_900) stored = repeats.toStore(numbered(index), stored, NOW + index);
		repeats.accept(numbered(index), NOW + index);
	}
	const claimOf = (index: number) => repeats.claim(numbered(index), {}, NOW + 10_100);
	expect([99, 100, 10_099].map(claimOf)).toEqual(['new', 'repeat', 'repeat']);
	expect(Object.keys(stored)).toHaveLength(2_000);
	expect(stored).toMatchObject({ c9100: NOW + 9_100, m10099: NOW + 10_099 });
});
