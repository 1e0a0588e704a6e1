import { rateLeft } from '../../../nodes/WalletScreening/pace/quota';

// Names and units of draft-ietf-httpapi-ratelimit-headers, versions 00 to 06.
test.each<[Record<string, string | string[]>, number]>([
	[{ 'ratelimit-remaining': '50', 'ratelimit-reset': '20' }, 2.5],
	[{ 'ratelimit-remaining': '8', 'ratelimit-reset': '0' }, 8],
	[{ 'ratelimit-remaining': [' 8 ', '1'], 'ratelimit-reset': ' 2' }, 4],
	[{ 'ratelimit-remaining': '6', 'x-ratelimit-remaining': '9', 'x-ratelimit-reset': '2' }, 3],
])('%j leaves %d requests per second', (headers, rate) => expect(rateLeft(headers)).toBe(rate));

test.each<Record<string, string>>([
	{ 'ratelimit-remaining': '5' },
	{ 'ratelimit-reset': '5' },
	{ 'ratelimit-remaining': '5x', 'ratelimit-reset': '5' },
	{ 'ratelimit-remaining': '9'.repeat(400), 'ratelimit-reset': '5' },
	{ 'ratelimit-remaining': '5', 'ratelimit-reset': '61' },
])('%j says nothing of the next seconds', (headers) => expect(rateLeft(headers)).toBeUndefined());
