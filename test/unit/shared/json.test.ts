import { tryStringify, requireJson } from '../../../nodes/WalletScreening/shared/json';
import { excerptJson } from '../../../nodes/WalletScreening/shared/text';

const bytes = (text: string) => Buffer.from(text);

test('a byte order mark before a body is no part of it', () => {
	expect(requireJson(bytes('\uFEFF{"job_id":"jé1"}'), 200)).toEqual({ job_id: 'jé1' });
});

test.each(['', '\uFEFF', '\uFEFF\uFEFF{}'])('no JSON is invalid_response: %j', (text) => {
	expect(() => requireJson(bytes(text), 200)).toThrow(
		expect.objectContaining({ errorClass: 'invalid_response' }) as Error,
	);
});

test('a body that is nested too deeply to be shown or compared does no harm', () => {
	const deep = JSON.parse(`${'['.repeat(20_000)}${']'.repeat(20_000)}`) as unknown;
	expect(excerptJson(deep)).toMatch(/deeply/);
	expect(tryStringify(deep)).toBeUndefined();
});

test('of two equal names in one object the last one counts', () => {
	expect(requireJson(bytes('{"level":1,"\\u006cevel":2}'), 200)).toEqual({ level: 2 });
});
