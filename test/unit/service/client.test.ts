import fc from 'fast-check';

import { advised } from '../../../nodes/WalletScreening/n8n/advice';
import type { Answer } from '../../../nodes/WalletScreening/pace/answer';
import { createRateLimiter } from '../../../nodes/WalletScreening/pace/rateLimiter';
import { invalidInput, ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { cleanId } from '../../../nodes/WalletScreening/service/input';
import { answer, errorOf, fault, reportBody, wait } from '../support/answers';
import { BASE_URL, createService, serviceOf } from '../support/service';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
/** 16 MB: a job of 1,000 reports of 16 KB. */
const mostBytes = 16_777_216;
const report = reportBody();
const pdf = Buffer.from('%PDF-1.7\n…');

describe('screen', () => {
	test('is POST /v1/screen with the address and the chain (section 4.1)', async () => {
		const { screen, seen } = serviceOf(answer(200, report));
		expect(await screen(ETH, 'ETH')).toEqual(report);
		expect(seen).toEqual([
			{
				at: 0,
				method: 'POST',
				url: `${BASE_URL}/v1/screen`,
				accept: 'application/json',
				mostBytes,
				body: { address: ETH, chain: 'ETH' },
			},
		]);
	});

	test.each([undefined, ''])(
		'leaves a chain of %j out, so that the service determines it',
		async (chain) => {
			const { screen, seen } = serviceOf(answer(200, report));
			await screen(ETH, chain);
			expect(seen[0]!.body).toEqual({ address: ETH });
		},
	);

	test.each([
		['the mixed case of a checksum', ETH, ETH.toLowerCase()],
		['0X', ETH.toLowerCase(), ETH.toUpperCase()],
		[
			'bech32 in capital letters',
			'bc1qxy2kgdygjrsqtzq2n0yrf2493p83kkfjhx0wlh',
			'BC1QXY2KGDYGJRSQTZQ2N0YRF2493P83KKFJHX0WLH',
		],
		[
			'bech32m',
			'bc1p5d7rjq7g6rdk2yhzks9smlaqtedr4dekq08ge8ztwac72sfr9rusxg3297',
			'BC1P5D7RJQ7G6RDK2YHZKS9SMLAQTEDR4DEKQ08GE8ZTWAC72SFR9RUSXG3297',
		],
		[
			'bech32 of Litecoin',
			'ltc1qw508d6qejxtdg4y5r3zarvary0c5xw7kgmn4n9',
			'LTC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KGMN4N9',
		],
	])('takes a report whose address differs in %s', async (_what, asked, echoed) => {
		const { screen } = serviceOf(answer(200, reportBody({ address: echoed })));
		expect((await screen(asked)).address).toBe(echoed);
	});

	test.each([
		['another one', ETH, '0x8589427373D6D84E98730D7795D8f6f8731FDA16'],
		['one digit less', ETH, ETH.slice(0, -1)],
		[
			'base58 in other letters (Bitcoin)',
			'1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
			'1a1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa',
		],
		[
			'base58 in other letters (Tron)',
			'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
			'tR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t',
		],
		[
			'base58 in other letters (XRP)',
			'rEb8TK3gBgk5auZkwc6sHnwrGVJH8DuaLh',
			'rEb8TK3gBgk5auZkwc6sHnwrGVJH8Dualh',
		],
		[
			'base58 in other letters (Solana)',
			'9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
			'9wzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM',
		],
	])('refuses the report of another address: %s', async (_what, asked, echoed) => {
		const { screen } = serviceOf(answer(200, reportBody({ address: echoed })));
		expect(await errorOf(async () => await screen(asked))).toMatchObject({
			errorClass: 'invalid_response',
			known: { address: asked },
		});
	});

	test.each([
		['no body', ''],
		['HTML', '<html><body>200 OK</body></html>'],
		['half a body', JSON.stringify(report).slice(0, 100)],
		['JSON that is no report', 'null'],
		['a list', [report]],
		['a report without score', reportBody({ risk: { score: undefined } })],
	])('refuses %s', async (_what, body) => {
		const { screen } = serviceOf(answer(200, body));
		expect(await errorOf(async () => await screen(ETH))).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 200,
			known: { address: ETH },
		});
	});

	test.each([
		['a text without end', 'x'.repeat(1_000_000), /^.{1000}/s],
		['control characters', 'a\u001b[31m\u202e\nb', /[\p{Cc}\p{Cf}]/u],
	])(
		'brings no %s from the address of another report into the texts',
		async (_what, address, bad) => {
			const { screen } = serviceOf(answer(200, reportBody({ address })));
			const { message, description } = await errorOf(async () => await screen(ETH));
			expect(message).not.toMatch(bad);
			expect(description).not.toMatch(bad);
		},
	);

	describe('whose answer was lost', () => {
		const lost = ['ECONNRESET', 'TIMEOUT', 'EPIPE', 'NO_ANSWER'];

		test.each(lost)('by %s is sent again at most once: the service may bill each', async (code) => {
			const { screen, seen } = serviceOf(fault(code), { maxRetries: 5, resends: 1 });
			expect(await errorOf(async () => await screen(ETH))).toMatchObject({ networkCode: code });
			expect(seen).toHaveLength(2);
		});

		test('is sent again as often as the user says', async () => {
			for (const resends of [0, 3]) {
				const options = { maxRetries: resends, resends };
				const { screen, seen } = serviceOf(fault('TIMEOUT'), options);
				await errorOf(async () => await screen(ETH));
				expect(seen).toHaveLength(1 + resends);
			}
		});

		test('does not count what the service refused or never saw', async () => {
			const replies = [fault('ECONNREFUSED'), answer(503), fault('ECONNRESET'), answer(502)];
			const { client, clock, seen } = createService(
				(_request, number) => replies[number] ?? answer(200, report),
			);
			expect(await clock.run(client().screen(ETH))).toEqual(report);
			expect(seen).toHaveLength(5);
		});

		test('is a matter of POST only: a report is fetched again', async () => {
			const { getReport, seen } = serviceOf(fault('TIMEOUT'), { maxRetries: 5, resends: 1 });
			await errorOf(async () => await getReport('rep_1'));
			expect(seen).toHaveLength(6);
		});
	});

	test('names the address in whatever goes wrong', async () => {
		for (const status of [400, 401, 403, 404, 500]) {
			const { screen } = serviceOf(answer(status));
			const { known } = await errorOf(async () => await screen(ETH));
			expect(known).toMatchObject({ address: ETH });
		}
	});
});

describe('getReport', () => {
	test('is GET /v1/reports/{id} (section 4.2)', async () => {
		const { getReport, seen } = serviceOf(answer(200, report));
		expect(await getReport('rep_1')).toEqual(report);
		expect(seen).toEqual([
			{
				at: 0,
				method: 'GET',
				url: `${BASE_URL}/v1/reports/rep_1`,
				accept: 'application/json',
				mostBytes,
			},
		]);
	});

	test.each(['report', 'data', 'result'])('takes a report that is wrapped in %j', async (key) => {
		const { getReport } = serviceOf(answer(200, { [key]: report }));
		expect(await getReport('rep_1')).toEqual(report);
	});

	test.each(['rep_2', 'REP_1', 'rep_1 ', ''])('refuses the report %j', async (other) => {
		const { getReport } = serviceOf(answer(200, reportBody({ report_id: other })));
		expect(await errorOf(async () => await getReport('rep_1'))).toMatchObject({
			errorClass: 'invalid_response',
			known: { report_id: 'rep_1' },
		});
	});
});

describe('getPdf', () => {
	test('is GET /v1/reports/{id}/pdf (section 4.5)', async () => {
		const { getPdf, seen } = serviceOf(answer(200, pdf));
		expect(await getPdf('rep_1')).toEqual(pdf);
		expect(seen).toMatchObject([
			{
				method: 'GET',
				url: `${BASE_URL}/v1/reports/rep_1/pdf`,
				accept: expect.stringContaining('application/pdf') as string,
			},
		]);
	});

	test.each([
		['nothing', ''],
		['less than its first bytes', '%PDF'],
		['white space first', ' %PDF-1.7'],
		['a byte order mark first', '\ufeff%PDF-1.7'],
		['small letters', '%pdf-1.7'],
		['HTML', '<html>%PDF-1.7</html>'],
		['JSON', { error: 'no such report' }],
	])('refuses %s', async (_what, body) => {
		const { getPdf } = serviceOf(answer(200, body, { 'content-type': 'application/pdf' }));
		expect(await errorOf(async () => await getPdf('rep_1'))).toMatchObject({
			errorClass: 'invalid_response',
			description: expect.not.stringContaining('not screened') as string,
			known: { report_id: 'rep_1' },
		});
	});
});

describe('submitBulk', () => {
	test.each([400, 422])('says of a %d that names a job that it may be billed', async (status) => {
		const { submitBulk, seen } = serviceOf(
			answer(status, { error: { message: 'Bad' }, job_id: 'job_7' }),
		);
		const error = await errorOf(async () => await submitBulk([ETH]));
		expect(error).toMatchObject({ httpCode: status, known: { job_id: 'job_7' } });
		expect(error.description).toContain('bill');
		expect(seen).toHaveLength(1);
	});

	test.each([
		['bulk_id', { bulk_id: 'job_7', message: 'Bad' }],
		['batchId', { batchId: 'job_7' }],
		['batch_id in its error', { error: { id: 'err_1', batch_id: 'job_7' } }],
	])('says so of a refusal that names the job as %s', async (_what, body) => {
		const { submitBulk } = serviceOf(answer(422, body));
		const error = await errorOf(async () => await submitBulk([ETH]));
		expect(error.known.job_id).toBe('job_7');
		expect(error.description).toMatch(/may have accepted the job and bill it/);
	});

	test.each([429, 503])('is sent once if a %d names a job', async (status) => {
		const { headers } = wait(status, '1');
		const { submitBulk, seen } = serviceOf(
			answer(status, { message: 'Busy', job_id: 'job_7' }, headers as Record<string, string>),
			{ maxRetries: 3 },
		);
		const error = await errorOf(async () => await submitBulk([ETH]));
		expect(error).toMatchObject({ httpCode: status, known: { job_id: 'job_7' } });
		expect(error.description).toMatch(/may have accepted the job and bill it/);
		expect(seen).toHaveLength(1);
	});

	test('takes the ID of a refusal itself for that of no job', async () => {
		const { submitBulk } = serviceOf(answer(422, { id: 'err_1', message: 'Bad' }));
		const error = await errorOf(async () => await submitBulk([ETH]));
		expect(error.known.job_id).toBeUndefined();
	});

	test.each([
		['a handle without a known ID', { receipt: 'job_9' }],
		['a list', ['job_9']],
		['no JSON', 'accepted'],
		['no body', ''],
	])('says of a 2xx with %s that the job may exist and be billed', async (_what, body) => {
		const { submitBulk, seen } = serviceOf(answer(202, body), { maxRetries: 3 });
		const error = await errorOf(async () => await submitBulk([ETH]));
		expect(error).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 202,
			message: expect.stringMatching(/while a bulk job was submitted$/),
			description: expect.stringMatching(/may have accepted the job and bill it/),
		});
		expect(error.description).not.toMatch(/run it again/i);
		expect(seen).toHaveLength(1);
	});

	test('shows the handle that it cannot read', async () => {
		const { submitBulk } = serviceOf(answer(200, { receipt: 'job_9' }));
		const { known } = await errorOf(async () => await submitBulk([ETH]));
		expect(known.body).toContain('job_9');
	});

	const mayBeBilled = /may have accepted the job and bill it/;

	test.each<[number | string, Answer | ScreeningError]>([
		...[500, 501, 502, 504, 520].map((status) => [status, answer(status)] as [number, Answer]),
		...['ECONNRESET', 'EPIPE', 'TIMEOUT', 'EPROTO', 'NO_ANSWER'].map(
			(code) => [code, fault(code)] as [string, ScreeningError],
		),
	])('is sent once if %s leaves open whether it was carried out', async (_what, reply) => {
		const { submitBulk, seen } = serviceOf(reply, { maxRetries: 3, resends: 3 });
		const { description } = await errorOf(async () => await submitBulk([ETH]));
		expect(description).toMatch(mayBeBilled);
		expect(seen).toHaveLength(1);
	});

	test.each<[number | string, Answer | ScreeningError]>([
		[429, wait(429, '1')],
		[503, answer(503)],
		...['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'CERT_HAS_EXPIRED'].map(
			(code) => [code, fault(code)] as [string, ScreeningError],
		),
	])('is sent again after %s, which says that it was not carried out', async (_what, reply) => {
		const service = createService((_request, number) =>
			number < 2 ? reply : answer(202, { job_id: 'job_9' }),
		);
		const { submitBulk } = service.client({ maxRetries: 2 });
		expect(await service.clock.run(submitBulk([ETH]))).toMatchObject({ job_id: 'job_9' });
		expect(service.seen).toHaveLength(3);
	});

	test.each<[number | string, Answer | ScreeningError]>([
		...[307, 308, 400, 401, 403, 503].map((status) => [status, answer(status)] as [number, Answer]),
		['429', wait(429, '301')],
		...['ECONNREFUSED', 'ENOTFOUND', 'ENETUNREACH', 'SSRF', 'CREDENTIAL', 'CREDENTIAL_GONE'].map(
			(code) => [code, fault(code)] as [string, ScreeningError],
		),
		['an address that the credential refuses', invalidInput('Base URL', 'No', 'Use https.')],
	])('is not said to be billed after %s', async (_what, reply) => {
		const { submitBulk } = serviceOf(reply);
		const { description } = await errorOf(async () => await submitBulk([ETH]));
		expect(description).not.toMatch(/bill/);
	});

	test('is not said to be billed if the time was up before it was sent', async () => {
		const ended = new AbortController();
		const timeIsUp = new ScreeningError('job_timeout', 'It was not sent', 'Screen it again.');
		ended.abort(timeIsUp);
		const { submitBulk, seen } = serviceOf(answer(202), { signal: ended.signal });
		expect(await errorOf(async () => await submitBulk([ETH]))).toEqual(timeIsUp);
		expect(seen).toEqual([]);
	});
});

test.each([301, 302, 303])(
	'a bulk job that is answered with %d may exist and be billed',
	async (status) => {
		const service = createService(() => answer(status));
		const { description } = await errorOf(
			async () => await service.clock.run(service.client().submitBulk([ETH])),
		);
		expect(description).toContain('may have accepted the job');
		expect(service.seen).toHaveLength(1);
	},
);

describe('a job whose path is in the header Location', () => {
	const at = (location: string, body: unknown = '', status = 202) =>
		serviceOf(answer(status, body, { location })).submitBulk([ETH]);

	test.each<[string, unknown]>([
		['/v1/bulk/job_9', ''],
		['/v1/bulk/job_9/', {}],
		[`${BASE_URL}/v1/bulk/job_9?wait=1`, { status: 'queued' }],
		['bulk/job_9', 'Created'],
		['/v1/bulk/job%5F9', { id: 'req_1', message: 'accepted' }],
		['/v1/bulk/req_1', { job_id: 'job_9' }],
		['/v1/bulk/req_1', { job: { jobId: 'job_9' } }],
		['/v1/bulk/job_9', ['queued']],
	])('is submitted: %s with %j', async (location, body) => {
		expect(await at(location, body)).toMatchObject({ job_id: 'job_9', state: 'running' });
	});

	test.each(['/v1/bulk', '/v1/bulk/', '/login', 'https://', '/v1/bulk/a/b', ''])(
		'is not known by %j',
		async (location) => {
			const error = await errorOf(async () => await at(location, {}));
			expect(error).toMatchObject({ errorClass: 'invalid_response', known: {} });
			expect(error.known).not.toHaveProperty('job_id');
			expect(error.description).toContain('may have accepted the job');
		},
	);

	test('is submitted if a 303 leads to it', async () => {
		const { submitBulk, seen } = serviceOf(answer(303, '<p>', { location: '/v1/bulk/job_9' }));
		expect(await submitBulk([ETH])).toMatchObject({ job_id: 'job_9', state: 'running' });
		expect(seen).toHaveLength(1);
	});

	test.each([302, 409, 429, 503])(
		'is named where a %d refuses it, and sent once',
		async (status) => {
			const service = createService(() => answer(status, '<p>', { location: '/v1/bulk/job_9' }));
			const error = await errorOf(
				async () => await service.clock.run(service.client().submitBulk([ETH])),
			);
			expect(error).toMatchObject({ httpCode: status, known: { job_id: 'job_9' } });
			expect(error.description).toContain('may have accepted the job');
			expect(service.seen).toHaveLength(1);
		},
	);
});

describe('getBulk', () => {
	test.each([202, 204])('takes status %d without a body for a job that runs', async (status) => {
		const { getBulk } = serviceOf(answer(status, ''));
		expect(await getBulk('job_9')).toEqual({
			job_id: 'job_9',
			state: 'running',
			entries: undefined,
			addressCount: undefined,
			unread: [],
			add: undefined,
			body: {},
		});
	});

	test.each([
		[200, ''],
		[202, 'wait'],
		[202, ' '],
	])('refuses status %d with the body %j', async (status, body) => {
		const { getBulk } = serviceOf(answer(status, body));
		expect(await errorOf(async () => await getBulk('job_9'))).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: status,
			known: { job_id: 'job_9' },
		});
	});
});

describe('a report ID in a path', () => {
	test.each([
		['a?b', 'a%3Fb'],
		['a#b', 'a%23b'],
		['a&b=c', 'a%26b%3Dc'],
		['a%2fb', 'a%252fb'],
		['%2e%2e', '%252e%252e'],
		['%00', '%2500'],
		['a;b,c', 'a%3Bb%2Cc'],
		['user@host:80', 'user%40host%3A80'],
		['é', '%C3%A9'],
		['🔑', '%F0%9F%94%91'],
		['+', '%2B'],
	])('%j is one encoded segment', async (id, segment) => {
		const { getPdf, seen } = serviceOf(answer(200, pdf));
		await getPdf(id);
		expect(seen.map(({ url }) => url)).toEqual([`${BASE_URL}/v1/reports/${segment}/pdf`]);
	});

	test('never leads anywhere else, whatever it is', async () => {
		const anything = fc.oneof(
			fc.string({ unit: 'grapheme' }),
			fc.string({ unit: 'binary' }),
			fc
				.array(fc.constantFrom('.', '..', '/', '\\', '%2e', '%2f', '?', '#', '@', ':', 'a', '\t'))
				.map((parts) => parts.join('')),
		);
		await fc.assert(
			fc.asyncProperty(anything, async (id) => {
				const { getPdf, seen } = serviceOf(answer(200, pdf));
				let clean: string;
				try {
					clean = cleanId(id, 'Report ID');
				} catch (error) {
					expect(error).toMatchObject({ errorClass: 'invalid_input' });
					return;
				}
				await getPdf(clean);
				const { origin, pathname, search, hash } = new URL(seen[0]!.url);
				expect([origin, search, hash]).toEqual([BASE_URL, '', '']);
				const [root, version, reports, segment, last, ...more] = pathname.split('/');
				expect([root, version, reports, last, more]).toEqual(['', 'v1', 'reports', 'pdf', []]);
				expect(id).toContain(decodeURIComponent(segment!));
			}),
			{ numRuns: 100 },
		);
	});
});

describe('what the service says about a refusal', () => {
	const said = async (body: unknown, status = 400) => {
		const { screen } = serviceOf(answer(status, body));
		const error = await errorOf(async () => await screen(ETH));
		return { message: error.message, description: advised(error, 'address.screen') };
	};

	test.each([
		['message', { message: 'Chain is unknown' }],
		['detail', { detail: 'Chain is unknown' }],
		['error', { error: 'Chain is unknown' }],
		['title', { title: 'Chain is unknown' }],
		['error.message', { error: { message: 'Chain is unknown', code: 17 } }],
		['error_description', { error: 'invalid_request', error_description: 'Chain is unknown' }],
		['a list of errors', { errors: [{ status: '400', detail: 'Chain is unknown' }] }],
		['a list of details', { detail: [{ loc: ['body', 'chain'], msg: 'Chain is unknown' }] }],
		['the name of a field', { chain: ['Chain is unknown'] }],
		['the name of a field in errors', { title: '', errors: { Chain: ['Chain is unknown'] } }],
	])('is shown when it stands in %s', async (_place, body) =>
		expect((await said(body)).description).toContain('Chain is unknown'),
	);

	test.each([
		['HTML', '<html><title>400</title>Chain is unknown</html>'],
		['plain text', 'Chain is unknown'],
		['a JSON text', '"Chain is unknown"'],
		['a list', ['Chain is unknown']],
		['a number', { message: 17 }],
		['an object', { message: { text: 'Chain is unknown' } }],
		['white space', { message: ' \n ' }],
		['null', 'null'],
		['nothing', ''],
		['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
	])('is left out when it is %s', async (_what, body) => {
		const { description } = await said(body);
		expect(description).not.toMatch(/Chain|says|undefined|null|NaN|object/);
		expect(description).not.toBe('');
	});

	test('is shown on one line, without control characters and characters that turn the text', async () => {
		const { description } = await said({
			message: 'one\r\ntwo\tthree\u0000four\u001b[31mfive\u202esix\u2066seven\u0085eight\u2028nine',
		});
		expect(description).toContain('one two three four [31mfive six seven eight nine');
		expect(description).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
	});

	test('is shown up to a length', async () => {
		const short = (await said({ message: 'x' })).description.length;
		const long = (await said({ message: 'x'.repeat(1_000_000) })).description.length;
		expect(long - short).toBeLessThanOrEqual(300);
		expect((await said({ message: 'y'.repeat(300) })).description).toContain('y'.repeat(300));
	});
});

describe('a request that fails', () => {
	test.each(['SSRF', 'SSRF_REDIRECT', 'CREDENTIAL_GONE'])(
		'is not sent again if n8n forbids it (%s)',
		async (networkCode) => {
			const { getReport, seen } = serviceOf(fault(networkCode), { maxRetries: 5 });
			expect(await errorOf(async () => await getReport('rep_1'))).toMatchObject({ networkCode });
			expect(seen).toHaveLength(1);
		},
	);

	test('tells what the service said last', async () => {
		const { client, clock } = createService((_request, number) =>
			answer(number === 0 ? 500 : 503, { message: `said ${number}` }),
		);
		const { getReport } = client({ maxRetries: 1 });
		const error = await errorOf(async () => await clock.run(getReport('rep_1')));
		expect(error).toMatchObject({ errorClass: 'server', httpCode: 503, said: 'said 1' });
	});

	test.each([
		['300', undefined],
		['301', '6 minutes'],
		['3600', '60 minutes'],
		['86400', 'a day or more'],
		// The time of day, which some services write.
		['1795162800', 'a day or more'],
	])('tells a pause that the node does not wait for: %s s', async (header, pause) => {
		for (const status of [429, 503]) {
			const { getReport } = serviceOf(wait(status, header), { maxRetries: 0 });
			const { description } = await errorOf(async () => await getReport('rep_1'));
			expect(/a pause of (.+), which/.exec(description)?.[1]).toBe(pause);
		}
	});
});

describe('the requests of a key', () => {
	test('all wait when one of them is answered 429', async () => {
		const { client, clock, seen } = createService(
			(_request, number) => (number === 0 ? wait(429, '7') : answer(200, report)),
			{ limit: { requestsPerSecond: 10, burst: 50 } },
		);
		const [one, other] = [client(), client()];
		await clock.run(
			Promise.all([one.getReport('rep_1'), clock.sleep(1).then(() => other.getReport('rep_1'))]),
		);
		expect(seen).toHaveLength(3);
		expect(seen[1]!.at).toBeGreaterThanOrEqual(7000);
		expect(seen[2]!.at).toBeGreaterThanOrEqual(7000);
	});

	test('go on when one of them is answered 5xx', async () => {
		const { client, clock, seen } = createService((_request, number) =>
			number === 0 ? wait(503, '7') : answer(200, report),
		);
		const [one, other] = [client(), client()];
		await clock.run(
			Promise.all([one.getReport('rep_1'), clock.sleep(1).then(() => other.getReport('rep_1'))]),
		);
		expect(seen.map(({ at }) => at)).toEqual([0, 1, 7000]);
	});

	test('are not sent any more once the user stops the execution', async () => {
		const { client, clock, seen } = createService(() => answer(500));
		const stop = new AbortController();
		const reason = new Error('stopped');
		const work = client({ signal: stop.signal }).screen(ETH);
		const outcome = expect(work).rejects.toBe(reason);
		await clock.runUntil(clock.now() + 100);
		stop.abort(reason);
		await outcome;
		await clock.runUntilIdle();
		expect(seen).toHaveLength(1);
	});

	test('that wait for their turn end with the reason of the stop', async () => {
		const { clock } = createService(() => answer(200, report));
		const limiter = createRateLimiter({ requestsPerSecond: 0.01, burst: 1 }, clock);
		const { client, seen } = createService(() => answer(200, report), { clock });
		const stop = new AbortController();
		const reason = new Error('stopped');
		const { getReport } = client({ signal: stop.signal, limiter });
		await clock.run(getReport('rep_1'));
		const outcome = expect(getReport('rep_1')).rejects.toBe(reason);
		await clock.runUntil(clock.now() + 10);
		stop.abort(reason);
		await outcome;
		expect(seen).toHaveLength(1);
	});
});
