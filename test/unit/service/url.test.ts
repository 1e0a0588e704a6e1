import { parseUrl } from '../../../nodes/WalletScreening/service/url';

test('a URL stays one however often it is asked for', () => {
	const umlaut = 'https://bücher.example/ü';
	for (let time = 0; time < 50_000; time++) {
		if (!parseUrl(umlaut)) throw new Error(`No longer, the ${time}th time`);
	}
	expect(parseUrl(umlaut)?.href).toBe('https://xn--bcher-kva.example/%C3%BC');
});

test.each([
	['/v1', 'https://api.example.com/v2', 'https://api.example.com/v1'],
	['//other.example', 'https://api.example.com', 'https://other.example/'],
	['https://a b', undefined, undefined],
	['/v1', undefined, undefined],
])('%j, relative to %j, is %j', (text, base, expected) => {
	expect(parseUrl(text, base)?.href).toBe(expected);
});
