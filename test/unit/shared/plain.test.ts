import { plain, plainUrl, unlinked } from '../../../nodes/WalletScreening/shared/plain';

const stays = [
	'sanctions is 0.95 (0.5 or more means block)',
	'-1,234.50 ETH at 12:30, +5 % & more. "Yes": it\'s so!',
	'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
	'(evil.)',
];

test.each([
	...stays.map((line) => [line, line]),
	[
		'@here [a](x) *b* _i_ `c` ||h|| {x} #tag $ETH /start //host \\@x &#64;',
		'@ here (a)(x) ×b× ‗i‗ ‘c‘ ¦¦h¦¦ (x) №tag $ ETH ⁄start ⁄⁄host ⁄@ x & №64;',
	],
	['1.234.567', '1·234·567'],
	['12:30:05', '12: 30: 05'],
	['evil。com ．org', 'evil·com ·org'],
	['x/-', 'x⁄-'],
	['tg:aaaaaaaaaaaaaaaaaaaaaaaa', 'tg: aaaaaaaaaaaaaaaaaaaaaaaa'],
	['1:aaaaaaaaaaaaaaaaaaaaaaaaa:', '1: aaaaaaaaaaaaaaaaaaaaaaaaa:'],
])('of %s nothing is alive in %s', (line, shown) => {
	expect(plain(line!)).toBe(shown);
	expect(plain(shown!)).toBe(shown);
});

test('where no markup is read, only links and mentions die, so that an ID can be copied', () => {
	expect(unlinked('rep_1 [x]*`~|#&$ @x a.b <b> tg:x')).toBe('rep_1 [x]*`~|#&$ @ x a·b ‹b› tg: x');
	for (const line of stays) expect(unlinked(line)).toBe(line);
});

test('a web address keeps its meaning', () => {
	const href = 'https://a.example/r_1(2)*~!@[;]?q=%20_&x=$1,2+3#f_';
	const written = plainUrl(href);
	expect(written).toBe(
		'https://a.example/r%5F1%282%29%2A%7E%21%40%5B%3B%5D?q=%20%5F&x=%241%2C2+3#f%5F',
	);
	expect(decodeURIComponent(written)).toBe(decodeURIComponent(href));
});
