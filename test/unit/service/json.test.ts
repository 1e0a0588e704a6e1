import fc from 'fast-check';

import { maskedJson, parseJson } from '../../../nodes/WalletScreening/service/json';

const key = 'wk_live_4f8a1c';
const secret = 'whsec_0123456789';
const bytes = (text: string) => Buffer.from(text);
const escaped = (text: string) =>
	[...text].map((one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`).join('');

describe('a body with a byte order mark', () => {
	const text = '{"job_id":"jé1"}';
	it.each<[string, Buffer]>([
		['UTF-8', Buffer.concat([Buffer.from([0xef, 0xbb, 0xbf]), bytes(text)])],
		['UTF-16, the low byte first', Buffer.from(`\uFEFF${text}`, 'utf16le')],
		['UTF-16, the high byte first', Buffer.from(`\uFEFF${text}`, 'utf16le').swap16()],
	])('is read as what it is: %s', (_what, body) => {
		const before = Buffer.from(body);
		expect(parseJson(body, 200, [key])).toEqual({ job_id: 'jé1' });
		expect(body.equals(before)).toBe(true);
	});

	it.each([
		[Buffer.from([0xef, 0xbb, 0xbf])],
		[Buffer.from([0xff, 0xfe])],
		[Buffer.from([0xfe, 0xff, 0x00])],
		[Buffer.from(`\uFEFF\uFEFF${text}`, 'utf8')],
	])('and no JSON after it is invalid_response', (body) => {
		expect(() => parseJson(body, 200)).toThrow(
			expect.objectContaining({ errorClass: 'invalid_response' }) as Error,
		);
	});
});

describe('a secret', () => {
	const read = (text: string) => maskedJson(bytes(text), [key, secret]);

	it('is masked in texts, in names of fields and in numbers', () => {
		expect(read(`["${key}",{"a":"x ${secret} y"}]`)).toEqual(['***', { a: 'x *** y' }]);
		expect(read(`{"a":{"${key}":1,"Bearer ${key}":2}}`)).toEqual({
			a: { '***': 1, 'Bearer ***': 2 },
		});
		expect(maskedJson(bytes('{"a":12345678,"b":123456789}'), ['12345678'])).toEqual({
			a: '***',
			b: 123456789,
		});
	});

	it('is masked if JSON spells it with escapes', () => {
		expect(read(`{"${escaped(key)}":"${escaped(secret)}"}`)).toEqual({ '***': '***' });
	});

	it('that holds another one is masked as a whole', () => {
		expect(maskedJson(bytes('["longer-secret-1"]'), ['secret-1', 'longer-secret-1'])).toEqual([
			'***',
		]);
	});

	it('that is too short is not masked', () => {
		expect(maskedJson(bytes('["status"]'), ['status', ''])).toEqual(['status']);
	});

	it('leaves names of the language itself as they are', () => {
		const body = read(`{"__proto__":{"${key}":1},"constructor":"${key}"}`) as object;
		expect(Object.getPrototypeOf(body)).toBe(Object.prototype);
		expect(JSON.stringify(body)).toBe('{"__proto__":{"***":1},"constructor":"***"}');
	});

	// A run that fails prints its seed.
	it('is nowhere in what is read, and all else is as it came', () => {
		const piece = fc.oneof(fc.constantFrom(key, secret, `a${key}`), fc.string());
		const json = fc.letrec<{ value: unknown }>((tie) => ({
			value: fc.oneof(
				{ maxDepth: 4 },
				piece,
				fc.integer(),
				fc.array(tie('value'), { maxLength: 3 }),
				fc.dictionary(piece, tie('value'), { maxKeys: 3 }),
			),
		})).value;
		fc.assert(
			fc.property(json, (value) => {
				const text = JSON.stringify(value);
				const found = JSON.stringify(read(text));
				expect(found).not.toContain(key);
				expect(found).not.toContain(secret);
				if (!text.includes(key) && !text.includes(secret)) expect(found).toBe(text);
			}),
		);
	});
});

describe('an ID that is a number of more digits than JavaScript keeps', () => {
	it.each([
		['{"job_id":12345678901234567890}', { job_id: '12345678901234567890' }],
		['{"data":{"ID" : 9007199254740993 },"n":1}', { data: { ID: '9007199254740993' }, n: 1 }],
		['[{"reportId":\n9007199254740993\n,"a":2}]', [{ reportId: '9007199254740993', a: 2 }]],
	])('is a text of the same digits: %s', (text, value) => {
		expect(maskedJson(bytes(text), [])).toEqual(value);
		expect(maskedJson(bytes(text), [key])).toEqual(value);
	});

	it.each([
		'{"job_id":9007199254740991}',
		'{"score_id":1.2345678901234567,"id":1234567890123456e2,"id2":-12345678901234567}',
		'{"note":"\\"id\\":12345678901234567890,"}',
		'{"amount":12345678901234567890,"id":"12345678901234567890"}',
		'["id",12345678901234567890]',
	])('is nothing else: %s', (text) => {
		expect(maskedJson(bytes(text), [])).toEqual(JSON.parse(text));
	});

	it('is masked if it is a secret', () => {
		expect(maskedJson(bytes('{"id":12345678901234567890}'), ['12345678901234567890'])).toEqual({
			id: '***',
		});
	});
});
