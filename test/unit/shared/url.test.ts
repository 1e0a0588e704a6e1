import { parseUrl } from '../../../nodes/WalletScreening/shared/http';

test('a URL stays one however often it is asked for', () => {
	const umlaut = 'https://bücher.example/ü';
	for (let time = 0; time < 50_000; time++) {
		if (!parseUrl(umlaut)) throw new Error(`No longer, the ${time}th time`);
	}
	expect(parseUrl(umlaut)?.href).toBe('https://xn--bcher-kva.example/%C3%BC');
});
