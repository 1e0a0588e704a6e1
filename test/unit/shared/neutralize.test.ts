import {
	neutralizeLinks,
	neutralizeMarkup,
	plainUrl,
} from '../../../nodes/WalletScreening/shared/neutralize';

const stays = [
	'sanctions is 0.95 (0.5 or more means block)',
	'-1,234.50 ETH at 12:30, +5 % & more. "Yes": it\'s so!',
	'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
	`raw TON 0:${'c'.repeat(64)}, “-1:${'E'.repeat(64)}”`,
	'an account of Hedera: 0.0.123456',
	'(evil.)',
];

test.each(stays)('%s stays as it is, because nothing of it is alive', (line) =>
	expect(neutralizeMarkup(line)).toBe(line),
);

test.each<[because: string, line: string, shown: string]>([
	[
		'chats and Markdown read these signs',
		'@here [a](x) *b* _i_ `c` ||h|| {x} #tag $ETH /start //host \\@x &#64;',
		'@ here (a)(x) ×b× ‗i‗ ‘c‘ ¦¦h¦¦ (x) №tag $ ETH ⁄start ⁄⁄host ⁄@ x & №64;',
	],
	['a number has one point only', '1.234.567', '1·234·567'],
	['an account of Hedera has three numbers', '0.0.1.2 0.0.1.evil', '0·0·1·2 0·0·1·evil'],
	['an account of Hedera begins no path', '0.0.1/x', '0·0·1/x'],
	['raw TON has 64 digits', `0:${'c'.repeat(63)}`, `0: ${'c'.repeat(63)}`],
	['no text ends with raw TON', `a0:${'c'.repeat(64)}`, `a0: ${'c'.repeat(64)}`],
	['a number has one colon only', '12:30:05', '12: 30: 05'],
	['browsers take other full stops for points', 'evil。com ｡net ．org', 'evil·com ·net ·org'],
	['a slash stays only between letters or digits', 'x/-', 'x⁄-'],
	['an address has 25 characters or more', `tg:${'a'.repeat(24)}`, `tg: ${'a'.repeat(24)}`],
	['a prefix ends with a letter', `1:${'a'.repeat(25)}:`, `1: ${'a'.repeat(25)}:`],
])('%s: %s is shown as %s, which stays', (_because, line, shown) => {
	expect(neutralizeMarkup(line)).toBe(shown);
	expect(neutralizeMarkup(shown)).toBe(shown);
});

test('where no markup is read, only links and mentions die, so that an ID can be copied', () => {
	expect(neutralizeLinks('rep_1 [x]*`~|#&$ @x a.b <b> tg:x')).toBe(
		'rep_1 [x]*`~|#&$ @ x a·b ‹b› tg: x',
	);
	for (const line of stays) expect(neutralizeLinks(line)).toBe(line);
});

test('a web address keeps its meaning', () => {
	const href = 'https://a.example/r_1(2)*~!@[;]?q=%20_&x=$1,2+3#f_';
	const written = plainUrl(href);
	expect(written).toBe(
		'https://a.example/r%5F1%282%29%2A%7E%21%40%5B%3B%5D?q=%20%5F&x=%241%2C2+3#f%5F',
	);
	expect(decodeURIComponent(written)).toBe(decodeURIComponent(href));
});
