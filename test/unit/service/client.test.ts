import fc from 'fast-check';

import { advised } from '../../../nodes/WalletScreening/n8n/advice';
import type { Answer } from '../../../nodes/WalletScreening/pace/answer';
import { invalidInput, ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { cleanId } from '../../../nodes/WalletScreening/service/input';
import { answer, errorOf, fault, reportBody, wait } from '../support/answers';
import { BASE_URL, createService, serviceOf } from '../support/service';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
/** 16 MB: a job of 1,000 reports of 16 KB. */
const mostBytes = 16_777_216;
const report = reportBody();
const pdf = Buffer.from('%PDF-1.7\n…');
const ofPdf = { accept: 'application/pdf', mostBytes: 67_108_864 };

test.each<[string, object, object, keyof ReturnType<typeof serviceOf>, string[]]>([
	['POST /screen', { body: { address: ETH, chain: 'ETH' } }, report, 'screen', [ETH, 'ETH']],
	// The service determines the chain.
	['POST /screen', { body: { address: ETH } }, report, 'screen', [ETH, '']],
	['GET /reports/rep_1', {}, report, 'getReport', ['rep_1']],
	['GET /reports/rep_1/pdf', ofPdf, pdf, 'getPdf', ['rep_1']],
])(
	'%s with %j is the request of a method (section 4)',
	async (request, more, came, name, given) => {
		const [method, path] = request.split(' ');
		const { seen, ...methods } = serviceOf(answer(200, came));
		const ask = methods[name as 'screen'] as (...given: string[]) => Promise<unknown>;
		expect(await ask(...given)).toEqual(came);
		const url = `${BASE_URL}/v1${path}`;
		expect(seen).toEqual([{ at: 0, method, url, accept: 'application/json', mostBytes, ...more }]);
	},
);

describe('screen', () => {
	test('takes the report of its address in another spelling, and of no other address', async () => {
		const base58 = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
		const screened = async (asked: string, echoed: string) => {
			const { screen } = serviceOf(answer(200, reportBody({ address: echoed })));
			return await screen(asked);
		};
		expect((await screened(ETH, ETH.toLowerCase())).address).toBe(ETH.toLowerCase());
		for (const [asked, echoed] of [
			[ETH, '0x8589427373D6D84E98730D7795D8f6f8731FDA16'],
			[base58, base58.toLowerCase()],
			[ETH, `a\u001b[31m\u202e\n${'x'.repeat(1_000_000)}`],
		] as const) {
			const error = await errorOf(async () => await screened(asked, echoed));
			expect(error).toMatchObject({
				errorClass: 'invalid_response',
				known: { address: asked, report_id: 'rep_1' },
			});
			expect(`${error.message} ${error.description}`).not.toMatch(/[\p{Cc}\p{Cf}]|.{1000}/u);
		}
	});

	test.each([
		['no body', ''],
		['JSON that is no report', 'null'],
		['a report without score', reportBody({ risk: { score: undefined } })],
	])('refuses %s', async (_what, body) => {
		const { screen } = serviceOf(answer(200, body));
		expect(await errorOf(async () => await screen(ETH))).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 200,
			known: { address: ETH },
		});
	});

	describe('whose answer was lost', () => {
		test.each(['ECONNRESET', 'NO_ANSWER'])(
			'by %s is sent again as often as the user says',
			async (code) => {
				for (const resends of [0, 1, 3]) {
					const { screen, seen } = serviceOf(fault(code), { maxRetries: 5, resends });
					expect(await errorOf(async () => await screen(ETH))).toMatchObject({ networkCode: code });
					expect(seen).toHaveLength(1 + resends);
				}
			},
		);

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
});

test.each(['rep_2', 'REP_1'])('getReport refuses the report %j', async (other) => {
	const { getReport } = serviceOf(answer(200, reportBody({ report_id: other })));
	expect(await errorOf(async () => await getReport('rep_1'))).toMatchObject({
		errorClass: 'invalid_response',
		known: { report_id: 'rep_1' },
	});
});

test.each([
	['less than its first bytes', '%PDF'],
	['white space first', ' %PDF-1.7'],
	['JSON', { error: 'no such report' }],
])('getPdf refuses %s', async (_what, body) => {
	const { getPdf } = serviceOf(answer(200, body, { 'content-type': 'application/pdf' }));
	expect(await errorOf(async () => await getPdf('rep_1'))).toMatchObject({
		errorClass: 'invalid_response',
		description: expect.not.stringContaining('not screened') as string,
		known: { report_id: 'rep_1' },
	});
});

describe('submitBulk', () => {
	const mayBeBilled = /may have accepted the job and bill it/;
	const located = { location: '/v1/bulk/job_7' };

	test.each<[number, unknown, Answer['headers']?]>([
		[400, { error: { message: 'Bad' }, job_id: 'job_7' }],
		[422, { error: { id: 'err_1', batchId: 'job_7' } }],
		[429, { message: 'Busy', job_id: 'job_7' }, { 'retry-after': '1' }],
		[503, { job_id: 'job_7' }],
		[302, '<p>', located],
		[409, '<p>', located],
		[503, '<p>', located],
	])('is sent once if a %d names a job, which may be billed', async (status, ...said) => {
		const { submitBulk, seen } = serviceOf(answer(status, ...said), { maxRetries: 3 });
		const error = await errorOf(async () => await submitBulk([ETH]));
		expect(error).toMatchObject({ httpCode: status, known: { job_id: 'job_7' } });
		expect(error.description).toMatch(mayBeBilled);
		expect(seen).toHaveLength(1);
	});

	test('takes the ID of a refusal itself for that of no job', async () => {
		const { submitBulk } = serviceOf(answer(422, { id: 'err_1', message: 'Bad' }));
		const error = await errorOf(async () => await submitBulk([ETH]));
		expect(error.known.job_id).toBeUndefined();
	});

	test.each([
		['a handle without a known ID', { receipt: 'job_9' }],
		['no body', ''],
	])('says of a 2xx with %s that the job may exist and be billed', async (_what, body) => {
		const { submitBulk, seen } = serviceOf(answer(202, body), { maxRetries: 3 });
		const error = await errorOf(async () => await submitBulk([ETH]));
		if (body !== '') expect(error.known.body).toContain('job_9');
		expect(error).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 202,
			message: expect.stringMatching(/while a bulk job was submitted$/),
			description: expect.stringMatching(mayBeBilled),
		});
		expect(error.description).not.toMatch(/run it again/i);
		expect(seen).toHaveLength(1);
	});

	test.each<[number | string, Answer | ScreeningError]>([
		...[301, 302, 303, 500, 502].map((status) => [status, answer(status)] as [number, Answer]),
		...['ECONNRESET', 'TIMEOUT', 'NO_ANSWER'].map(
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
		['ECONNREFUSED', fault('ECONNREFUSED')],
	])('is sent again after %s, which says that it was not carried out', async (_what, reply) => {
		const service = createService((_request, number) =>
			number < 2 ? reply : answer(202, { job_id: 'job_9' }),
		);
		const { submitBulk } = service.client({ maxRetries: 2 });
		expect(await service.clock.run(submitBulk([ETH]))).toMatchObject({ job_id: 'job_9' });
		expect(service.seen).toHaveLength(3);
	});

	test.each<[number | string, Answer | ScreeningError]>([
		...[307, 400, 401, 503].map((status) => [status, answer(status)] as [number, Answer]),
		['429', wait(429, '301')],
		...['ENOTFOUND', 'SSRF', 'CREDENTIAL_GONE'].map(
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

describe('a job whose path is in the header Location', () => {
	const at = (location: string, body: unknown) =>
		serviceOf(answer(202, body, { location })).submitBulk([ETH]);

	test.each<[string, unknown]>([
		['/v1/bulk/job_9', ''],
		[`${BASE_URL}/v1/bulk/job_9?wait=1`, { status: 'queued' }],
		['/v1/bulk/job%5F9', { id: 'req_1', message: 'accepted' }],
		['/v1/bulk/req_1', { job_id: 'job_9' }],
	])('is submitted: %s with %j', async (location, body) => {
		expect(await at(location, body)).toMatchObject({ job_id: 'job_9', state: 'running' });
	});

	test.each(['/v1/bulk/', '/login', 'https://', '/v1/bulk/a/b'])(
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
});

describe('getBulk', () => {
	test.each([202, 204])('takes status %d without a body for a job that runs', async (status) => {
		const { getBulk } = serviceOf(answer(status, ''));
		expect(await getBulk('job_9')).toEqual({
			job_id: 'job_9',
			state: 'running',
			kinds: [],
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

test('a report ID in a path never leads anywhere else, whatever it is', async () => {
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

describe('what the service says about a refusal', () => {
	const said = async (body: unknown) => {
		const { screen } = serviceOf(answer(400, body));
		return advised(await errorOf(async () => await screen(ETH)), 'address.screen');
	};

	test.each([
		['message', { message: 'Chain is unknown' }],
		['error.message', { error: { message: 'Chain is unknown', code: 17 } }],
		['error_description', { error: 'invalid_request', error_description: 'Chain is unknown' }],
		['a list of errors', { errors: [{ status: '400', detail: 'Chain is unknown' }] }],
		['the name of a field', { chain: ['Chain is unknown'] }],
	])('is shown when it stands in %s', async (_place, body) =>
		expect(await said(body)).toContain('Chain is unknown'),
	);

	test.each([
		['HTML', '<html><title>400</title>Chain is unknown</html>'],
		['plain text', 'Chain is unknown'],
		['a JSON text', '"Chain is unknown"'],
		['an object', { message: { text: 'Chain is unknown' } }],
		['white space', { message: ' \n ' }],
		['bytes that are no text', Buffer.from([0xff, 0xfe, 0x00])],
	])('is left out when it is %s', async (_what, body) => {
		const description = await said(body);
		expect(description).not.toMatch(/Chain|says|undefined|null|NaN|object/);
		expect(description).not.toBe('');
	});

	test('is shown on one line, without control characters and characters that turn the text', async () => {
		const description = await said({
			message: 'one\r\ntwo\tthree\u0000four\u001b[31mfive\u202esix\u2066seven\u0085eight\u2028nine',
		});
		expect(description).toContain('one two three four [31mfive six seven eight nine');
		expect(description).not.toMatch(/[\p{Cc}\p{Cf}\u2028\u2029]/u);
	});

	test('is shown up to a length', async () => {
		const short = (await said({ message: 'x' })).length;
		const long = (await said({ message: 'x'.repeat(1_000_000) })).length;
		expect(long - short).toBeLessThanOrEqual(300);
		expect(await said({ message: 'y'.repeat(300) })).toContain('y'.repeat(300));
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
		['86400', 'a day or more'],
	])('tells a pause that the node does not wait for: %s s', async (header, pause) => {
		for (const status of [429, 503]) {
			const { getReport } = serviceOf(wait(status, header), { maxRetries: 0 });
			const { description } = await errorOf(async () => await getReport('rep_1'));
			expect(/a pause of (.+), which/.exec(description)?.[1]).toBe(pause);
		}
	});
});

test('requests are not sent any more once the user stops the execution', async () => {
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
