import { quotaOf } from '../../../nodes/WalletScreening/pace/quota';

const SECOND = 1000;
const NOW = Date.UTC(2026, 10, 20, 8, 0, 0);
const DATE = 'Fri, 20 Nov 2026 08:00:00 GMT';

test.each<[string, Record<string, string | string[]>, number, number]>([
	// draft-ietf-httpapi-ratelimit-headers, versions 00 to 06: three fields.
	[
		'three fields',
		{ 'ratelimit-limit': '100', 'ratelimit-remaining': '50', 'ratelimit-reset': '50' },
		50,
		50,
	],
	[
		'a limit with its window',
		{ 'ratelimit-limit': '100, 100;w=10', 'ratelimit-remaining': '0', 'ratelimit-reset': '7' },
		0,
		7,
	],
	// Version 07: one field, in the words of the three.
	['one field', { ratelimit: 'limit=100, remaining=50, reset=50' }, 50, 50],
	// Versions 08 to 10: a list of policies with parameters, the second with the key it is for.
	['one policy', { ratelimit: '"default";r=50;t=30' }, 50, 30],
	['a policy for a key', { ratelimit: '"peruser";r=1;t=60;pk=:cHsdsRa894==:' }, 1, 60],
	[
		'policies, of which the scarcest counts',
		{ ratelimit: '"day";r=900;t=9, "permin";r=5;t=60' },
		5,
		60,
	],
	// GitHub: a point in time in seconds since 1970.
	[
		'GitHub',
		{
			'x-ratelimit-limit': '60',
			'x-ratelimit-remaining': '56',
			'x-ratelimit-reset': String(NOW / SECOND + 12),
			date: DATE,
		},
		56,
		12,
	],
	// Twitter's spelling.
	['X-Rate-Limit', { 'x-rate-limit-remaining': '14', 'x-rate-limit-reset': '3' }, 14, 3],
	[
		'milliseconds since 1970',
		{ 'x-ratelimit-remaining': '4', 'x-ratelimit-reset': String(NOW + 5 * SECOND) },
		4,
		5,
	],
	// Discord: parts of a second.
	['parts of a second', { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': '1.25' }, 1, 1.25],
	[
		'an HTTP date',
		{ 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': 'Fri, 20 Nov 2026 08:00:09 GMT' },
		2,
		9,
	],
	[
		'an ISO date',
		{ 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': '2026-11-20T08:00:09Z' },
		2,
		9,
	],
	[
		'a time that has passed',
		{ 'x-ratelimit-remaining': '2', 'x-ratelimit-reset': String(NOW / SECOND - 60) },
		2,
		0,
	],
	[
		'white space, and several values',
		{ 'ratelimit-remaining': [' 8 ', '1'], 'ratelimit-reset': ' 2' },
		8,
		2,
	],
])('reads %s', (_name, headers, remaining, seconds) => {
	expect(quotaOf(headers, NOW)).toEqual({ remaining, resetMs: seconds * SECOND });
});

test('takes the time of the answer, not of this machine', () => {
	const reset = String(NOW / SECOND + 12);
	const headers = { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset': reset, date: DATE };
	expect(quotaOf(headers, NOW + 3_600_000)?.resetMs).toBe(12 * SECOND);
});

test('takes the scarcer of two spellings', () => {
	const headers = {
		'ratelimit-remaining': '100',
		'ratelimit-reset': '10',
		'x-ratelimit-remaining': '3',
		'x-ratelimit-reset': '10',
	};
	expect(quotaOf(headers, NOW)?.remaining).toBe(3);
});

test.each<[string, Record<string, string>]>([
	['no headers', {}],
	['what is left, but not until when', { 'ratelimit-remaining': '5' }],
	['until when, but not what is left', { 'ratelimit-reset': '5' }],
	['the halves of two spellings', { 'ratelimit-remaining': '5', 'x-ratelimit-reset': '5' }],
	['a policy without what is left', { ratelimit: '"default";t=30' }],
	['words', { 'ratelimit-remaining': 'many', 'ratelimit-reset': 'soon' }],
	['fewer than nothing', { 'ratelimit-remaining': '-1', 'ratelimit-reset': '5' }],
	['a number that overflows', { 'ratelimit-remaining': '9'.repeat(400), 'ratelimit-reset': '5' }],
	[
		'a time without a zone',
		{ 'ratelimit-remaining': '5', 'ratelimit-reset': '2026-11-20T08:00:09' },
	],
])('says nothing of %s', (_name, headers) => {
	expect(quotaOf(headers, NOW)).toBeUndefined();
});
