import fc from 'fast-check';

import {
	cleanAddress,
	cleanChain,
	cleanId,
	cleanReportId,
} from '../../../nodes/WalletScreening/service/input';
import { errorOf } from '../support/answers';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** What copy and paste leave around a text. */
const around = {
	space: ' ',
	tab: '\t',
	'line break': '\r\n',
	'vertical tab and form feed': '\v\f',
	'no-break space': '\u00a0',
	'soft hyphen': '\u00ad',
	'em space': '\u2003',
	'ideographic space': '\u3000',
	'zero-width space': '\u200b',
	'zero-width joiner and non-joiner': '\u200d\u200c',
	'word joiner': '\u2060',
	'byte order mark': '\ufeff',
	'left-to-right mark': '\u200e',
	'right-to-left mark': '\u200f',
	'bidi embedding': '\u202a\u202c',
	'bidi override': '\u202e',
	'bidi isolate': '\u2066\u2069',
	'line and paragraph separator': '\u2028\u2029',
	'tag character': '\u{e0041}',
};

const control = {
	null: '\u0000',
	bell: '\u0007',
	escape: '\u001b',
	delete: '\u007f',
	C1: '\u0091',
};

describe.each([
	['an address', (value: unknown) => cleanAddress(value, 'Address')],
	['an ID', (value: unknown) => cleanId(value, 'Report ID')],
	['a chain', (value: unknown) => cleanChain(value, 'Chain')],
])('%s', (_name, clean) => {
	test.each(Object.entries(around))('loses %s around it', (_what, character) => {
		for (const text of [
			`${character}x1Y`,
			`x1Y${character}`,
			`${character.repeat(50)}x1Y${character}`,
		])
			expect(clean(text)).toBe('x1Y');
	});

	test.each(Object.entries({ ...around, ...control }))(
		'is refused with %s inside',
		async (_what, c) => {
			expect((await errorOf(() => clean(`x1${c}Y`))).errorClass).toBe('invalid_input');
		},
	);

	test.each(Object.entries(control))('is refused with %s before or after it', async (_what, c) => {
		for (const text of [`${c}x1Y`, `x1Y${c}`])
			expect((await errorOf(() => clean(text))).errorClass).toBe('invalid_input');
	});

	test('has at most 256 characters, not counting what is around it', async () => {
		expect(clean('a'.repeat(256))).toBe('a'.repeat(256));
		expect(clean(` ${'a'.repeat(256)}\u200b`)).toBe('a'.repeat(256));
		expect((await errorOf(() => clean('a'.repeat(257)))).errorClass).toBe('invalid_input');
	});

	test('is refused within a moment, however much white space an outsider puts into it', async () => {
		for (const text of [`a${' '.repeat(200_000)}b`, `${' '.repeat(200_000)}a b`]) {
			const began = process.cpuUsage();
			expect((await errorOf(() => clean(text))).errorClass).toBe('invalid_input');
			expect(process.cpuUsage(began).user / 1e6).toBeLessThan(5);
		}
	});

	test('is refused with half a character in it', async () => {
		for (const text of ['a\ud83d', '\udd11a', 'a\ud83db'])
			expect((await errorOf(() => clean(text))).errorClass).toBe('invalid_input');
	});

	test('comes out such that it stays as it is, or is refused', () => {
		const text = fc.oneof(
			fc.string({ unit: 'binary' }),
			fc
				.array(fc.constantFrom('a', '0', ...Object.values(around), '\u0000'))
				.map((a) => a.join('')),
		);
		fc.assert(
			fc.property(text, (given) => {
				let result: string | undefined;
				try {
					result = clean(given);
				} catch (error) {
					expect(error).toMatchObject({ errorClass: 'invalid_input' });
					return;
				}
				if (result === undefined) return;
				expect(result).not.toMatch(/[\s\p{Cc}\p{Cf}]/u);
				expect(given).toContain(result);
				expect(clean(result)).toBe(result);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('an address', () => {
	test.each([
		ETH,
		'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
		'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
		'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
		'vitalik.eth',
		'bitcoincash:qpm2qsznhks23z7629mms6s9cwef74vcwvy22gdx6a',
		'0',
		'a/b',
		'null',
	])('%s is left to the service to judge', (address) =>
		expect(cleanAddress(address, 'Address')).toBe(address),
	);

	test.each([
		['', /empty/],
		['   ', /empty/],
		['\u200b\ufeff', /empty/],
		[undefined, /empty/],
		[null, /empty/],
		[0, /text/],
		[12345, /text/],
		[NaN, /text/],
		[true, /text/],
		[10n, /text/],
		[{}, /text/],
		[{ address: ETH }, /text/],
		[[], /text/],
		[[ETH], /text/],
		[new Date(0), /text/],
		[Symbol('x'), /text/],
	])('is not: %p', async (value, message) => {
		const error = await errorOf(() => cleanAddress(value, 'Address'));
		expect(error).toMatchObject({ errorClass: 'invalid_input', known: { parameter: 'Address' } });
		expect(error.message).toMatch(message);
	});

	test.each(['0xA;0xB', '0xA|0xB', '0xA,0xB', '"0xA"', "'0xA'", '`0xA`', '"0xA', '0xA;'])(
		'is not %s, which is more than one address',
		async (value) => {
			const error = await errorOf(() => cleanAddress(value, 'Addresses[3]'));
			expect(error).toMatchObject({
				errorClass: 'invalid_input',
				message: "'Addresses[3]' contains a separator or a quotation mark",
				known: { parameter: 'Addresses[3]', address: value },
			});
		},
	);

	test('that is refused is shown, but not in full length', async () => {
		expect((await errorOf(() => cleanAddress(`${ETH} x`, 'Address'))).known.address).toBe(
			`${ETH} x`,
		);
		const long = await errorOf(() => cleanAddress('a'.repeat(1_000_000), 'Address'));
		expect(long.known.address!.length).toBeLessThanOrEqual(256);
		expect(long.message.length).toBeLessThan(300);
	});
});

describe('an ID', () => {
	test.each([
		['rep_8f3a', 'rep_8f3a'],
		['a.b', 'a.b'],
		['%2e%2e', '%2e%2e'],
		['a?b', 'a?b'],
		['a#b', 'a#b'],
		['{id}', '{id}'],
		[42, '42'],
		[0, '0'],
	])('%j is %j', (value, id) => expect(cleanId(value, 'Report ID')).toBe(id));

	test.each([
		'..',
		'.',
		'../secrets',
		'a/b',
		'/a',
		'a/',
		'a\\b',
		'..\\..',
		'a/../b',
		'https://app.example.com/reports/rep_1',
		'',
		' ',
		undefined,
		null,
		{},
		[],
		['rep_1'],
		true,
	])('is not: %j', async (value) =>
		expect(await errorOf(() => cleanId(value, 'Job ID'))).toMatchObject({
			errorClass: 'invalid_input',
			known: { parameter: 'Job ID' },
		}),
	);
});

describe('the ID of a report', () => {
	test.each([
		['https://app.example.com/reports/rep_1', 'rep_1'],
		['  https://app.example.com/reports/rep_1\n', 'rep_1'],
		['https://app.example.com/reports/rep_1/', 'rep_1'],
		['\u200bhttps://app.example.com/reports/rep_1\u2060', 'rep_1'],
		['\ufeff\u00a0rep_1\u200b', 'rep_1'],
		['<https://app.example.com/reports/rep_1>', 'rep_1'],
		['HTTPS://app.example.com/a/b/rep_1?tab=risk#score', 'rep_1'],
		['http://localhost:8080/reports/rep_1', 'rep_1'],
		['https://app.example.com/reports/r%C3%A9p', 'rép'],
		['rep_1', 'rep_1'],
		[42, '42'],
	])('is taken from %j, as the service gives it', (given, id) =>
		expect(cleanReportId(given, 'Report ID')).toBe(id),
	);

	test.each([
		'https://app.example.com',
		'https://app.example.com/',
		'https://app.example.com/reports/..%2Fadmin',
		'https://app.example.com/reports/a%20b',
		'ftp://app.example.com/reports/rep_1',
		'app.example.com/reports/rep_1',
		'https://',
		'',
	])('is not in %j', async (given) =>
		expect(await errorOf(() => cleanReportId(given, 'Report ID'))).toMatchObject({
			errorClass: 'invalid_input',
			known: { parameter: 'Report ID' },
		}),
	);

	test('that is refused is shown, but not in full length', async () => {
		const refused = async (given: unknown) =>
			(await errorOf(() => cleanReportId(given, 'Report ID'))).known.report_id;
		expect(await refused(' rep_1 of A ')).toBe('rep_1 of A');
		expect(await refused('r'.repeat(1_000_000))).toHaveLength(256);
		expect(await refused({})).toBeUndefined();
		expect(await refused(' ')).toBeUndefined();
	});

	test('is for a bulk job no URL', async () =>
		expect((await errorOf(() => cleanId('https://app.example.com/j1', 'Job ID'))).errorClass).toBe(
			'invalid_input',
		));
});

describe('a chain', () => {
	test.each(['ETH', 'eth', 'BNB-Smart-Chain', 'x'])('%s is sent as it is', (chain) =>
		expect(cleanChain(chain, 'Chain')).toBe(chain),
	);

	test.each([undefined, null, '', '  ', '\u200b\u00a0'])(
		'%j is for the service to determine',
		(value) => expect(cleanChain(value, 'Chain')).toBeUndefined(),
	);

	test.each([1, 56, 0, NaN, true, false, ['ETH'], [], { name: 'ETH' }])(
		'that is given as %j is refused, not left out',
		async (value) =>
			expect(await errorOf(() => cleanChain(value, 'Chain'))).toMatchObject({
				errorClass: 'invalid_input',
				known: { parameter: 'Chain' },
			}),
	);
});
