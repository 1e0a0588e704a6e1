import { findRepeatedName } from '../../../nodes/WalletScreening/policy/repeatedName';

test.each<[json: string, name: string | undefined, because: string]>([
	['{"a":1,"a":1}', 'a', 'it is twice, even with one value'],
	['{"a":1,"\\u0061":2}', 'a', 'an escape is another spelling'],
	['{"\\"":1,"\\u0022" : 2}', '"', 'an escape is another spelling'],
	['{"a":{"b":[{}]},"c":[1,"}"],"a":2}', 'a', 'objects and lists may stand between'],
	['[{"a":1},{"b":{"c":1,"c":2}}]', 'c', 'the object may be inside others'],
	['{"":1,"":2}', '', 'an empty name is one, too'],
	['{"__proto__":1,"__proto__":2}', '__proto__', 'no name is special'],
	['{"a":"a","b":"a"}', undefined, 'a value is no name'],
	['{"a":[{"a":1},{"a":{"a":2}}]}', undefined, 'each is in an object of its own'],
	['{"a":"{\\"a\\":1,\\"a\\":2}","A":1}', undefined, 'a text holds no names, and case counts'],
	['{"a":"\\\\","b":"{"}', undefined, 'a backslash at the end of a text is escaped'],
	['["a","a"]', undefined, 'a list has no names'],
	['5', undefined, 'a number has no names'],
])('of %s, the repeated name is %j, because %s', (json, name) => {
	expect(() => JSON.parse(json) as unknown).not.toThrow();
	expect(findRepeatedName(json)).toBe(name);
});

test('a repeated name is found in a text of megabytes', () => {
	const long = JSON.stringify({ text: '\\"'.repeat(2_000_000), list: Array(200_000).fill('x') });
	expect(findRepeatedName(long)).toBeUndefined();
	expect(findRepeatedName(`[${long},{"a":1,"a":2}]`)).toBe('a');
});
