import fc from 'fast-check';

import {
	cleanAddress,
	cleanChain,
	cleanId,
	cleanReportId,
	entriesOf,
	mayBeAddress,
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
	'Hangul filler': '\u3164',
	'combining grapheme joiner': '\u034f',
	'blank of Braille': '\u2800',
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
		const longest = `${'a'.repeat(252)}.eth`;
		expect(clean(longest)).toBe(longest);
		expect(clean(` ${longest}\u200b`)).toBe(longest);
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
			{ numRuns: 200 },
		);
	});
});

describe('an address', () => {
	test.each([
		ETH,
		'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
		'vitalik.eth',
		'0.0.12345',
		'0:d2bf59964a05dee84a0dd1ddc0ad83ba44d49719cf843d689dc8b726d0fb59d8',
		// TON, in both kinds of Base64
		'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff-W72r5gqPrHF',
		'EQDKbjIcfM6ezt8KjKJJLshZJJSqX7XOA4ff+W72r5gqPr/F',
		'null',
	])('%s is left to the service to judge', (address) => {
		expect(cleanAddress(address, 'Address')).toBe(address);
		expect(mayBeAddress(address)).toBe(true);
	});

	test.each([
		...['', '   ', '\u200b\ufeff', undefined, null].map((value) => [value, /empty/] as const),
		...[0, NaN, true, 10n, {}, [ETH], new Date(0), Symbol('x')].map(
			(value) => [value, /text/] as const,
		),
	])('is not: %p', async (value, message) => {
		const error = await errorOf(() => cleanAddress(value, 'Address'));
		expect(error).toMatchObject({ errorClass: 'invalid_input', known: { parameter: 'Address' } });
		expect(error.message).toMatch(message);
	});

	test.each([
		...['0xA;0xB', '0xA|0xB', '0xA,0xB', '"0xA"', "'0xA'", '`0xA`'].map(
			(value) => [value, 'contains a separator or a quotation mark'] as [string, string],
		),
		['0xd8dA...6045', 'is shortened: dots stand for a part of it'],
		['0xd8dA\u20266045', 'is shortened: dots stand for a part of it'],
		[`https://etherscan.io/address/${ETH}`, 'contains a slash'],
		['a\\b', 'contains a slash'],
		// The letter of the Cyrillic alphabet that looks like an A
		[ETH.replace('A', '\u0410'), 'contains a character that no address has'],
		[ETH.slice(0, -1), 'is not a valid address'],
		[ETH.replace('d8dA', 'd8da'), 'is not a valid address'],
	])('is not %s, and the error shows it', async (value, what) => {
		expect(await errorOf(() => cleanAddress(value, 'Addresses[3]'))).toMatchObject({
			errorClass: 'invalid_input',
			message: `'Addresses[3]' ${what}`,
			known: { parameter: 'Addresses[3]', address: value },
		});
		expect(mayBeAddress(value)).toBe(what.includes('valid'));
	});

	test('is taken with a wrong checksum, if the user wants it so', async () => {
		const wrong = ETH.slice(0, -1);
		expect(cleanAddress(wrong, 'Address', { checks: false })).toBe(wrong);
		const error = await errorOf(() => cleanAddress(wrong, 'Address'));
		expect(error.description).toContain('40 hexadecimal digits');
		expect(error.known.checksum).toBe('invalid');
	});

	test('that is refused is not shown in full length', async () => {
		const long = await errorOf(() => cleanAddress('a'.repeat(1_000_000), 'Address'));
		expect(long.known.address).toHaveLength(256);
		expect(long.message.length).toBeLessThan(300);
	});
});

describe('a private key', () => {
	const wif = 'KwdMAjGmerYanjeui5SHS7JkmpZvVipYvB2LJGU1ZxJwYvP98617';
	const phrase = `${'abandon '.repeat(11)}about`;

	test.each([
		[wif, wif],
		[` ${wif}\n`, wif],
		[phrase, 'abandon'],
		[`${wif},${ETH}`, wif],
		[`${'x'.repeat(300)} ${wif}`, wif],
	])('is refused whatever the options say, and never shown: %j', async (given, secret) => {
		for (const refuse of [
			() => cleanAddress(given, 'Address', { checks: false }),
			() => cleanChain(given, 'Chain'),
		]) {
			const error = await errorOf(refuse);
			expect(error.errorClass).toBe('invalid_input');
			expect(JSON.stringify([error.message, error.description, error.known])).not.toContain(secret);
		}
		expect(mayBeAddress(given.trim())).toBe(false);
	});

	test('of Ethereum cannot be told from an address of NEAR: sanctions lists hold such ones', () => {
		const digits = '5be5543ff73456ab9f2d207887e2af87322c651ea1a873c5b25b7ffae456c320';
		expect(cleanAddress(digits, 'Address')).toBe(digits);
	});

	test.each([
		['words', phrase.split(' ')],
		['lines', `${ETH}\n${phrase.replaceAll(' ', '\n')}`],
		['bytes', `${'207,'.repeat(63)}1`],
	])('in pieces is no list of addresses: %s', async (_, list) => {
		expect((await errorOf(() => entriesOf(list, 'Addresses'))).message).toContain('private key');
	});
});

describe('a list', () => {
	test.each([
		['one per line', `${ETH}\nB`],
		['one per line, as Windows writes it, with blank lines', `\r\n${ETH}\r\n\r\nB\r\n`],
		['separated by commas', ` ${ETH},B,`],
		['separated by semicolons', `${ETH};B;`],
		['an array', [ETH, 'B']],
		['a JSON array', `\n${JSON.stringify([ETH, 'B'], null, '\t')}\n`],
	])('may be given as %s', (_how, list) => {
		expect(entriesOf(list, 'Addresses').map((entry) => String(entry).trim())).toEqual([ETH, 'B']);
	});

	test.each(['', ' ,;\n', '[]', [], null, undefined])('%j has no entries', (list) =>
		expect(entriesOf(list, 'Addresses')).toEqual([]),
	);

	test.each([`["${ETH}"`, `[${ETH}]`, '[', {}, 7, true])('%j is none', async (list) =>
		expect(await errorOf(() => entriesOf(list, 'Addresses'))).toMatchObject({
			errorClass: 'invalid_input',
			message: expect.stringContaining("'Addresses'"),
			known: { parameter: 'Addresses' },
		}),
	);
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
