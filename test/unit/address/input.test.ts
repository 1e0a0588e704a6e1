import {
	cleanAddress,
	cleanAddressRequest,
	cleanChain,
	cleanId,
	cleanReportId,
	splitList,
} from '../../../nodes/WalletScreening/address/input';
import { ethereum, privateKey } from '../../support/data/knownAddresses';
import { errorOf } from '../../support/unit/errors';

/**
 * What copy and paste leave around a text: white space, marks without width, characters beyond 16
 * bits.
 */
const around = [
	' \t\v\f',
	'\r\n',
	'\u00a0\u3000',
	'\u200b\ufeff',
	'\u202a\u2069',
	'\u{e0041}',
	'\u2800',
];

const expectRefusal = async (parameter: string, work: () => unknown) =>
	expect(await errorOf(work)).toMatchObject({
		errorClass: 'invalid_input',
		message: expect.stringContaining(`'${parameter}'`),
		details: { parameter },
	});
const classOf = async (work: () => unknown) => (await errorOf(work)).errorClass;

describe.each([
	['an address', (value: unknown) => cleanAddress(value, 'Address')],
	['an ID', (value: unknown) => cleanId(value, 'Report ID')],
	['a chain', (value: unknown) => cleanChain(value, 'Chain')],
])('%s', (_name, clean) => {
	test.each(around)('loses %j around it, and is refused with it inside', async (c) => {
		expect(clean(`${c.repeat(50)}x1Y${c}`)).toBe('x1Y');
		expect(await classOf(() => clean(`x1${c}Y`))).toBe('invalid_input');
	});

	test('is refused with a control character or half of a character anywhere', async () => {
		for (const c of ['\u0000', '\u001b', '\u007f', '\u0091', '\ud83d', '\udd11'])
			for (const text of [`${c}x1Y`, `x1${c}Y`, `x1Y${c}`])
				expect(await classOf(() => clean(text))).toBe('invalid_input');
	});

	test('has at most 256 characters, not counting what is around it', async () => {
		const longest = `${'a'.repeat(252)}.eth`;
		expect(clean(` ${longest}\u200b`)).toBe(longest);
		for (const long of ['a'.repeat(257), `a${' '.repeat(200_000)}b`])
			expect(await classOf(() => clean(long))).toBe('invalid_input');
	});
});

describe('an address', () => {
	test('to send may come with a chain, and is spelled as it was given', () => {
		expect(
			cleanAddressRequest(
				{ value: ` ${ethereum}\n`, label: 'Address' },
				{ value: 'ETH', label: 'Chain' },
			),
		).toEqual({
			address: ethereum,
			chain: 'ETH',
		});
	});

	test('is named by the error about its chain', async () => {
		const error = await errorOf(() =>
			cleanAddressRequest({ value: ethereum, label: 'Address' }, { value: 56, label: 'Chain' }),
		);
		expect(error.details).toMatchObject({ parameter: 'Chain', address: ethereum });
	});

	test.each<[value: unknown, because: string]>([
		[' \u200b\ufeff', 'nothing is left of it'],
		[null, 'there is none'],
		[0, 'it is a number'],
		[[ethereum], 'it is a list'],
	])('is not %j, because %s', (value) =>
		expectRefusal('Address', () => cleanAddress(value, 'Address')),
	);

	test.each([
		['0xA 0xB', 'contains a space, line break or invisible character', undefined],
		['25.50', 'is a number or an amount, not an address', undefined],
		[ethereum.slice(2), 'is missing the 0x prefix', 'none'],
		[`${ethereum}:1`, 'contains an address and something else', 'none'],
		[ethereum.replace('d8dA', 'd8da'), 'is not a valid address', 'invalid'],
	])('is not %s, and the error shows twelve characters of it', async (value, what, checksum) => {
		const shown = value.length > 12 ? `${value.slice(0, 12)}\u2026` : value;
		const error = await errorOf(() => cleanAddressRequest({ value, label: 'Addresses, entry 21' }));
		expect(error).toMatchObject({
			errorClass: 'invalid_input',
			message: `'Addresses, entry 21' ${what}: ${shown}`,
			details: {
				parameter: 'Addresses, entry 21',
				[value === shown ? 'address' : 'addressExcerpt']: shown,
			},
		});
		expect(error.details.checksum).toBe(checksum);
		const isSent = checksum !== undefined;
		const outcome = cleanOrClass(value, { checkAddresses: false });
		expect(await outcome).toBe(isSent ? value : 'invalid_input');
	});
});

const cleanOrClass = async (value: string, options: { checkAddresses: boolean }) => {
	try {
		return cleanAddressRequest({ value, label: 'Address' }, undefined, options).address;
	} catch (error) {
		return (error as { errorClass: string }).errorClass;
	}
};

test('a private key is refused whatever the options say, and never shown', async () => {
	const check = async (clean: () => unknown, label: string) => {
		const error = await errorOf(clean);
		expect(error.message).toBe(`'${label}' contains a private key`);
		expect(JSON.stringify([error.description, error.details])).not.toContain(
			privateKey.slice(0, 6),
		);
	};
	for (const text of [` ${privateKey}\n`, `key: ${privateKey}`]) {
		for (const checkAddresses of [true, false])
			await check(() => cleanAddress(text, 'Address', { checkAddresses }), 'Address');
		await check(() => cleanChain(text, 'Chain'), 'Chain');
		await check(() => cleanId(text, 'Job ID'), 'Job ID');
		await check(() => cleanReportId(text, 'Report'), 'Report');
	}
	const link = `https://app.example.com/reports/${privateKey}`;
	await check(() => cleanReportId(link, 'Report'), 'Report');
});

const words =
	'abandon ability able about above absent absorb abstract absurd abuse access accident'.split(' ');

test.each<[form: string, read: () => unknown]>([
	['one word per line', () => splitList(words.join('\r\n'), 'Addresses')],
	['words with commas and blanks', () => splitList(words.join(', '), 'Addresses')],
	[
		'a few words per line',
		() => splitList(words.join(' ').replace('absorb ', '$&\n'), 'Addresses'),
	],
	['an array', () => splitList(words, 'Addresses')],
	['JSON', () => splitList(JSON.stringify([...words, ...words]), 'Addresses')],
	['a text', () => cleanAddress(` ${words.join(' ')}\n`, 'Addresses')],
	['a sentence', () => cleanAddress(`A${words.join(' ').slice(1)}.`, 'Addresses')],
	['a text in place of a chain', () => cleanChain(words.join(' '), 'Addresses')],
	['a text in place of an ID', () => cleanId(words.join(' '), 'Addresses')],
])('a recovery phrase is refused and never shown, given as %s', async (_form, read) => {
	const error = await errorOf(read);
	expect(error.message).toBe("'Addresses' is a recovery phrase");
	expect(error.details).toEqual({ parameter: 'Addresses', withheld: expect.any(String) as string });
	expect(error.description).not.toMatch(/aband|abil|absen/);
});

test.each<[entries: unknown[], because: string]>([
	[words.slice(1), 'eleven words are none'],
	[['alice.eth', ...words.slice(1)], 'one of them is a name with a dot'],
	[['alice.eth', 'bob.eth', 'carol.eth', 'dave.eth', 'erin.eth', 'frank.eth'], 'these are names'],
	[['ab', ...words.slice(1)], 'one of them is too short'],
	[[{ toString: 1 }, ...words.slice(1)], 'one of them is no text'],
])('%j is no recovery phrase, because %s', (entries) =>
	expect(splitList(entries, 'Addresses')).toEqual(entries),
);

describe('a list', () => {
	test.each<[form: string, list: unknown]>([
		['lines, some of them empty', `\r\n${ethereum}\r\n\r\nB\r\n`],
		['a text with commas', ` ${ethereum},B,`],
		['a text with semicolons', `${ethereum};B;`],
		['a list', [ethereum, 'B']],
		['JSON on several lines', `\n${JSON.stringify([ethereum, 'B'], null, '\t')}\n`],
		['JSON behind the mark of a file', `\ufeff${JSON.stringify([ethereum, 'B'])}`],
		['JSON between blanks of any kind', `\u00a0\n\ufeff${JSON.stringify([ethereum, 'B'])}\u3000`],
	])('may be given as %s', (_form, list) => {
		expect(splitList(list, 'Addresses').map((entry) => String(entry).trim())).toEqual([
			ethereum,
			'B',
		]);
	});

	test('without entries is empty', () => {
		for (const list of ['', ' ,;\n', '[]', [], null, undefined])
			expect(splitList(list, 'Addresses')).toEqual([]);
	});

	test.each<[list: unknown, because: string]>([
		[`["${ethereum}"`, 'the JSON has no end'],
		[`[${ethereum}]`, 'the JSON lacks its quotation marks'],
		[{}, 'it is an object'],
		[7, 'it is a number'],
	])('is not %j, because %s', (list) =>
		expectRefusal('Addresses', () => splitList(list, 'Addresses')),
	);
});

test.each<[value: string | number, because: string]>([
	['a.b', 'a dot inside leads nowhere'],
	['%2e%2e', 'it is encoded once more in the path'],
	['a?b#c', 'it is encoded in the path'],
	[42, 'a service may count its reports'],
])('%j is an ID, because %s', (value) => expect(cleanId(value, 'Report ID')).toBe(String(value)));

test.each<[value: unknown, because: string]>([
	['..', 'it leads to another path'],
	['.', 'it leads to another path'],
	['/a', 'it leads to another path'],
	['a\\b', 'some servers take it for a path'],
	[' ', 'nothing is left of it'],
	[undefined, 'there is none'],
	[12345678901234567890, 'JavaScript has rounded it'],
	[{}, 'it is an object'],
	[['rep_1'], 'it is a list'],
	[true, 'it is no text'],
])('%j is no ID, because %s', (value) => expectRefusal('Job ID', () => cleanId(value, 'Job ID')));

describe('the ID of a report', () => {
	test.each<[from: string, given: unknown, id: string]>([
		['a link', '\u200b<https://app.example.com/reports/rep_1/>\u2060', 'rep_1'],
		['a link to a tab', 'HTTP://localhost:8080/a/b/rep_1?tab=risk#score', 'rep_1'],
		['the link of its PDF', 'https://app.example.com/v1/reports/rep_1/pdf', 'rep_1'],
		['a link to a report with that ID', 'https://app.example.com/reports/pdf', 'pdf'],
		['a link with a fragment', 'https://app.example.com/reports/rep_1#/summary', 'rep_1'],
		['a link of a single-page application', 'https://h/app/#/reports/rep_1?tab=risk', 'rep_1'],
		['a link that is encoded', 'https://app.example.com/reports/r%C3%A9p', 'rép'],
		['a text', 'rep_1', 'rep_1'],
		['a number', 42, '42'],
	])('is taken from %s, as the service gives it: %j', (_from, given, id) =>
		expect(cleanReportId(given, 'Report ID')).toBe(id),
	);

	test.each([
		['https://app.example.com/', 'its path is empty'],
		['https://app.example.com/reports/..%2Fadmin', 'it leads to another path'],
		['https://app.example.com/reports/a%20b', 'no ID has a blank inside'],
		['ftp://app.example.com/reports/rep_1', 'it is no page'],
		['', 'there is none'],
		['r'.repeat(257), 'it is longer than 256 characters'],
	])('is not in %j, because %s', (given) =>
		expectRefusal('Report ID', () => cleanReportId(given, 'Report ID')),
	);
});

describe('a chain', () => {
	test('is sent as it is, or is for the service to determine', () => {
		expect(cleanChain('BNB-Smart-Chain', 'Chain')).toBe('BNB-Smart-Chain');
		for (const value of [null, '', ' \u200b\u00a0'])
			expect(cleanChain(value, 'Chain')).toBeUndefined();
	});

	test.each<[value: unknown, because: string]>([
		[56, 'no chain is a number'],
		[false, 'it is no text'],
		[['ETH'], 'it is a list'],
		[undefined, 'an expression came to nothing'],
	])('that is given as %j is refused, not left out, because %s', (value) =>
		expectRefusal('Chain', () => cleanChain(value, 'Chain')),
	);
});
