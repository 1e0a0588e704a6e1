import { plain, plainUrl, unlinked } from '../../../nodes/WalletScreening/risk/message/plain';

test('mentions, links, formatting, tags, commands and escapes are dead, and stay so', () => {
	const line = '@here [a](x) *b* _i_ `c` ||h|| {x} #tag $ETH /start //host \\@x &#64;';
	const dead = '@ here (a)(x) ×b× ‗i‗ ‘c‘ ¦¦h¦¦ (x) №tag $ ETH ⁄start ⁄⁄host ⁄@ x & №64;';
	expect(plain(line)).toBe(dead);
	expect(plain(dead)).toBe(dead);
});

test.each([
	'sanctions is 0.95 (0.5 or more means block)',
	'-1,234.50 ETH at 12:30, +5 % & more. "Yes": it\'s so!',
	'0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
	'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a',
])('%s stays', (line) => {
	expect(plain(line)).toBe(line);
	expect(unlinked(line)).toBe(line);
});

test.each([
	['1.234.567', '1·234·567'],
	['12:30:05', '12: 30: 05'],
	['(evil.)', '(evil.)'],
	['evil。com ．org', 'evil·com ·org'],
	['x/-', 'x⁄-'],
	['tg:aaaaaaaaaaaaaaaaaaaaaaaa', 'tg: aaaaaaaaaaaaaaaaaaaaaaaa'],
	['1:aaaaaaaaaaaaaaaaaaaaaaaaa:', '1: aaaaaaaaaaaaaaaaaaaaaaaaa:'],
])('%s is %s: a point, a colon and a slash stay only where nothing is linked', (line, shown) => {
	expect(plain(line)).toBe(shown);
});

test('where no markup is read, only links and mentions die, so that an ID can be copied', () => {
	expect(unlinked('rep_1 [x]*`~|#&$ @x a.b <b> tg:x')).toBe('rep_1 [x]*`~|#&$ @ x a·b ‹b› tg: x');
});

test('a web address keeps its meaning', () => {
	const href = 'https://a.example/r_1(2)*~!@[;]?q=%20_&x=$1,2+3#f_';
	const written = plainUrl(href);
	expect(written).toBe(
		'https://a.example/r%5F1%282%29%2A%7E%21%40%5B%3B%5D?q=%20%5F&x=%241%2C2+3#f%5F',
	);
	expect(decodeURIComponent(written)).toBe(decodeURIComponent(href));
});
