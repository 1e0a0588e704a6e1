import { isSameValue, tryStringify } from '../../../nodes/WalletScreening/shared/json';
import { excerptJson } from '../../../nodes/WalletScreening/shared/text';

test('a body that is nested too deeply to be shown or compared does no harm', () => {
	const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
	expect(excerptJson(deep)).toMatch(/deeply/);
	expect(tryStringify(deep)).toBeUndefined();
});

const text = '\ud800';
const now = new Date(0);

test.each<[one: unknown, other: unknown, isSame: boolean, because: string]>([
	[
		{ a: [1, { b: text }], c: null },
		{ c: null, a: [1, { b: text }] },
		true,
		'fields have no order',
	],
	[[1, 2], [2, 1], false, 'a list has an order'],
	[[1, 2], [1], false, 'a list has a length'],
	[{ 0: 'a' }, ['a'], false, 'an object is no list'],
	[{ a: undefined }, {}, false, 'a field may be undefined'],
	[{ a: undefined }, { b: undefined }, false, 'a field has a name'],
	[{ toString: undefined }, { valueOf: undefined }, false, 'no name is inherited'],
	[Array(1), [undefined], false, 'a list may have a hole'],
	[{ a: NaN }, { a: NaN }, false, 'what is no number is unknown'],
	[{ a: '1' }, { a: 1 }, false, 'a text is no number'],
	[null, {}, false, 'null has no fields'],
	[now, now, true, 'it is one object'],
	[new Date(0), new Date(1), false, 'a time has no fields to compare'],
])('%j and %j are the same value, or not: %s, because %s', (one, other, isSame) => {
	expect(isSameValue(one, other)).toBe(isSame);
	expect(isSameValue(other, one)).toBe(isSame);
});
