import fc from 'fast-check';

import {
	contentOf,
	excerpt,
	strictJson,
	parseJson,
} from '../../../nodes/WalletScreening/service/json';

const bytes = (text: string) => Buffer.from(text);

test('a byte order mark before a body is no part of it', () => {
	expect(parseJson(bytes('\uFEFF{"job_id":"jé1"}'), 200)).toEqual({ job_id: 'jé1' });
});

test.each(['', '\uFEFF', '\uFEFF\uFEFF{}'])('no JSON is invalid_response: %j', (text) => {
	expect(() => parseJson(bytes(text), 200)).toThrow(
		expect.objectContaining({ errorClass: 'invalid_response' }) as Error,
	);
});

test('a body that is nested too deeply to be shown or compared harms nobody', () => {
	const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
	expect(excerpt(deep)).toMatch(/deeply/);
	expect(contentOf(deep)).toBe(deep);
});

describe('a name that stands twice in one object', () => {
	it.each<[string, string]>([
		['{"risk":1,"risk":2}', '"risk"'],
		['{"a":[{"b":{"c":1 , "d":{},"c" : 2}}]}', '"c"'],
		['{"level":1,"\\u006cevel":2}', '"level"'],
		['{"a\\"}":1,"a\\"}":2}', '"a\\"}"'],
		[`{"${'x'.repeat(100)}":1,"${'x'.repeat(100)}":2}`, `"${'x'.repeat(60)}"`],
	])('is refused, and named: %s', (text, name) => {
		expect(() => parseJson(bytes(text), 200)).toThrow(
			expect.objectContaining({
				errorClass: 'invalid_response',
				message: `The service answered with an object in which the name ${name} stands twice`,
			}) as Error,
		);
	});

	it.each([
		'{"a":{"a":{"a":["a","a",{"a":1},{"a":2}]}},"b":"a\\":\\"a"}',
		'["a","a"]',
		'{"a":"\\\\","b":"{\\"a\\":1"}',
		'{"__proto__":1,"constructor":2}',
	])('is not found where none is: %s', (text) => {
		expect(parseJson(bytes(text), 200)).toEqual(JSON.parse(text));
	});

	it('is never found in what JSON.stringify has written', () => {
		fc.assert(
			fc.property(fc.jsonValue(), (value) => {
				const text = JSON.stringify(value, null, 1);
				expect(JSON.stringify(strictJson(bytes(text)), null, 1)).toBe(text);
			}),
		);
	});
});
