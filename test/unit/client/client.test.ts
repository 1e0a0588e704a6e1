import fc from 'fast-check';

import { answerError } from '../../../nodes/WalletScreening/client/statusErrors';
import { RateLimiter } from '../../../nodes/WalletScreening/client/rate/rateLimiter';
import { describeWithAdvice } from '../../../nodes/WalletScreening/execution/advice';
import { DeadlineError } from '../../../nodes/WalletScreening/shared/abort';
import { invalidInput, ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { ethereum, sanctionedMixer } from '../../support/data/knownAddresses';
import { BASE_URL, createService, serviceOf } from '../../support/unit/virtualService';
import { type Answer } from '../../../nodes/WalletScreening/shared/http';
import { answer, waitAnswer } from '../../support/unit/httpAnswers';
import { errorOf, networkFaultOf } from '../../support/unit/errors';
import { reportBody } from '../../support/unit/reports';
import { cleanId } from '../../../nodes/WalletScreening/address/input';

const BASE58 = '1A1zP1eP5QGefi2DMPTfTL5SLmv7DivfNa';
/** 1 MB: many are in memory at once. */
const maxBytes = 1_048_576;
const report = reportBody();
const pdf = Buffer.from('%PDF-1.7\n…\n%%EOF\r\n');
const ofPdf = { accept: 'application/pdf', maxBytes: 67_108_864 };

type Service = ReturnType<typeof serviceOf>;
const screened = { report, sent: 1 };

test.each<[string, object, object, (service: Service) => Promise<unknown>, object]>([
	[
		'POST /screen',
		{ body: { address: ethereum, chain: 'ETH' } },
		report,
		async ({ screen }) => await screen(ethereum, 'ETH'),
		screened,
	],
	[
		// The service determines the chain.
		'POST /screen',
		{ body: { address: ethereum } },
		report,
		async ({ screen }) => await screen(ethereum, ''),
		screened,
	],
	['GET /reports/rep_1', {}, report, async ({ getReport }) => await getReport('rep_1'), report],
	['GET /reports/rep_1/pdf', ofPdf, pdf, async ({ getPdf }) => await getPdf('rep_1'), pdf],
])('%s with %j is sent (section 4)', async (request, more, came, ask, result) => {
	const [method, path] = request.split(' ');
	// Neither which success it is nor the type of the content counts.
	const service = serviceOf(answer(201, came, { 'content-type': 'text/html' }));
	const { requests } = service;
	expect(await ask(service)).toEqual(result);
	const url = `${BASE_URL}/v1${path}`;
	expect(requests).toEqual([{ at: 0, method, url, accept: 'application/json', maxBytes, ...more }]);
});

describe('screen', () => {
	test.each<[string, string, unknown, boolean]>([
		[
			'its address in another spelling',
			ethereum,
			reportBody({ address: ethereum.toLowerCase() }),
			true,
		],
		['another address', ethereum, reportBody({ address: sanctionedMixer }), false],
		['another one in Base58', BASE58, reportBody({ address: BASE58.toLowerCase() }), false],
		['an empty body', ethereum, '', false],
		['no risk', ethereum, { ...report, risk: {} }, false],
	])('takes the report of its address only: %s', async (_of, address, body, isTaken) => {
		const { screen } = serviceOf(answer(200, body));
		const error = { errorClass: 'invalid_response', httpCode: 200, details: { address } };
		if (isTaken) expect(await screen(address)).toEqual({ report: body, sent: 1 });
		else {
			expect(await errorOf(async () => await screen(address))).toMatchObject(error);
			const { details } = await errorOf(async () => await screen(address, 'BSC'));
			expect(details).toMatchObject({ address, chain: 'BSC' });
		}
	});

	test.each([
		['network', networkFaultOf('ECONNRESET')],
		['server', answer(504)],
	])(
		'whose answer was lost is sent again as often as the user says, unlike a report: %s',
		async (errorClass, lost) => {
			for (const resends of [0, 3]) {
				const options = { maxRetries: 5, resends };
				const { screen, getReport, requests } = serviceOf(lost, options);
				expect(await errorOf(async () => await screen(ethereum))).toMatchObject({ errorClass });
				expect(requests).toHaveLength(1 + resends);
				await errorOf(async () => await getReport('rep_1'));
				expect(requests).toHaveLength(1 + resends + 6);
			}
		},
	);

	test('says how many requests may be billed, also if it fails', async () => {
		const replies = [
			networkFaultOf('ECONNREFUSED'),
			waitAnswer(503, '1'),
			networkFaultOf('ECONNRESET'),
			answer(502),
		];
		const screened = async (end: Answer) => {
			const { client, clock } = createService((_request, number) => replies[number] ?? end);
			return await clock.run(client().screen(ethereum));
		};
		expect(await screened(answer(200, report))).toEqual({ report, sent: 4 });
		const other = reportBody({ address: 'another' });
		for (const [end, sent] of [
			[answer(400), 3],
			[answer(200, other), 4],
		] as const) {
			const { details } = await errorOf(async () => await screened(end));
			expect(details).toMatchObject({ address: ethereum, sent });
		}
	});
});

test.each(['rep_2', 'REP_1'])('getReport refuses the report %j', async (other) => {
	const { getReport } = serviceOf(answer(200, reportBody({ report_id: other })));
	const { errorClass, details } = await errorOf(async () => await getReport('rep_1'));
	expect([errorClass, details.report_id]).toEqual(['invalid_response', 'rep_1']);
});

describe('getPdf', () => {
	const getPdf = async (body: string | Buffer) =>
		await serviceOf(answer(200, body, { 'content-type': 'application/pdf' })).getPdf('rep_1');
	/** A PDF with so many bytes before its first and behind its last mark. */
	const padded = (before: number, behind: number) =>
		`${'\n'.repeat(before)}%PDF-1.7\n${'x'.repeat(3000)}%%EOF${'\n'.repeat(behind)}`;

	test.each([
		['a byte order mark before it', '\ufeff%PDF-1.7\n%%EOF'],
		['a line break before it', '\r\n%PDF-1.7\n%%EOF'],
		['blanks before it', '\0\t %PDF-1.7\n%%EOF'],
		['zeros behind its end', '%PDF-1.7\n%%EOF\0\0'],
		['a part that was added later', '%PDF-1.7\n%%EOF\nmore\n%%EOF\n'],
		['many line ends around it', padded(5000, 5000)],
	])('takes a PDF with only blanks around it: %s', async (_what, body) => {
		expect(await getPdf(body)).toEqual(Buffer.from(body));
	});

	test.each([
		['nothing', ''],
		['no mark', '{"error":"not ready"}'],
		['the marks in a text', '{"error":"%PDF-1.4 is not ready %%EOF"}'],
		['letters before its beginning', 'PDF: %PDF-1.7\n%%EOF'],
		['letters behind its end', '%PDF-1.7\n%%EOF\n</html>'],
		['no end', '%PDF-'],
		['a part of the end', '%PDF-1.7\n%%EO'],
	])('refuses what is no PDF or a part of one: %s', async (_what, body) => {
		const known = { errorClass: 'invalid_response', details: { report_id: 'rep_1' } };
		expect(await errorOf(async () => await getPdf(body))).toMatchObject(known);
	});
});

describe('submitBulk', () => {
	const mayBeBilled = expect.stringMatching(
		/may have accepted the job and may charge for it/,
	) as string;
	/** The error that this reply ends in, and how often the request was sent. */
	async function refusal(reply: Answer | ScreeningError) {
		const { submitBulk, requests } = serviceOf(reply, { maxRetries: 3, resends: 3 });
		const error = await errorOf(async () => await submitBulk([ethereum]));
		return { ...error, message: error.message, requests: requests.length };
	}

	test.each<Answer | ScreeningError>([
		answer(202, { receipt: 'job_9', of: 'list-7' }),
		answer(202),
		answer(303),
		answer(409),
		answer(500),
		answer(503),
		waitAnswer(503, '1'),
		waitAnswer(503, '301'),
		answer(504),
		networkFaultOf('ECONNRESET'),
		networkFaultOf('STOPPED'),
	])('is sent once if it is open whether it was carried out: %j', async (reply) => {
		const error = await refusal(reply);
		const known = { sent: 1 };
		expect(error).toMatchObject({ requests: 1, details: known, description: mayBeBilled });
		expect(error.description).not.toMatch(/run it again/i);
		if (error.httpCode === 202) expect(error.message).toMatch(/while a bulk job was submitted$/);
	});

	test.each<Answer | ScreeningError>([waitAnswer(429, '1'), networkFaultOf('ECONNREFUSED')])(
		'is sent again after %j',
		async (reply) => {
			const service = createService((_request, number) =>
				number < 2 ? reply : answer(202, { job_id: 'job_9' }),
			);
			const client = service.client({ maxRetries: 2 });
			expect(await service.clock.run(client.submitBulk([ethereum]))).toMatchObject({
				job_id: 'job_9',
			});
			expect(service.requests).toHaveLength(3);
		},
	);

	test.each<Answer | ScreeningError>([
		answer(400),
		waitAnswer(429, '301'),
		networkFaultOf('ENOTFOUND'),
		invalidInput('Base URL', 'No', 'Use https.'),
	])('is not said to be billed after %j', async (reply) => {
		expect((await refusal(reply)).description).not.toMatch(/bill/);
	});

	test('that the time was up for is not sent, and not said to be billed', async () => {
		const ended = AbortSignal.abort(new DeadlineError());
		const { submitBulk, requests } = serviceOf(answer(202), { signal: ended });
		await expect(submitBulk([ethereum])).rejects.toBe(ended.reason);
		expect(requests).toEqual([]);
	});
});

describe('a job whose path is in the header Location', () => {
	const at = (location: string, body: unknown) =>
		serviceOf(answer(202, body, { location })).submitBulk([ethereum]);

	test.each<[string, unknown]>([
		['/v1/bulk/job_9', ''],
		[`${BASE_URL}/v1/bulk/job_9?wait=1`, { status: 'queued' }],
		['/v1/bulk/job%5F9', { id: 'req_1', message: 'accepted' }],
		['/v1/bulk/req_1', { job_id: 'job_9' }],
	])('is submitted: %s with %j', async (location, body) => {
		expect(await at(location, body)).toMatchObject({ job_id: 'job_9', state: 'running' });
	});

	test.each(['/v1/bulk/', '/login', 'https://', '/v1/bulk/a/b'])(
		'is not at %j',
		async (location) => {
			const { details } = await errorOf(async () => await at(location, {}));
			expect(details).not.toHaveProperty('job_id');
		},
	);
});

describe('getBulk', () => {
	test('limits an answer by the number of addresses in the job, not by those that are wanted', async () => {
		const { getBulk, requests } = serviceOf(answer(202, ''));
		await getBulk('job_9', ['0x1']);
		await getBulk('job_9', ['0x1'], 1);
		const megabytes = requests.map(({ maxBytes = 0 }) => maxBytes / 2 ** 20);
		// 64 KB for each of 1,000 addresses, and 16 MB at least.
		expect(megabytes[0]).toBeGreaterThan(62);
		expect(megabytes[1]).toBe(16);
	});

	test.each([202, 204])('takes status %d without a body for a job that runs', async (status) => {
		const { getBulk } = serviceOf(answer(status, ''));
		expect(await getBulk('job_9')).toMatchObject({ job_id: 'job_9', state: 'running', body: {} });
	});

	test.each([
		[200, ''],
		[202, ' '],
	])('refuses status %d with the body %j', async (httpCode, body) => {
		const { getBulk } = serviceOf(answer(httpCode, body));
		expect(await errorOf(async () => await getBulk('job_9'))).toMatchObject({
			errorClass: 'invalid_response',
			httpCode,
			details: { job_id: 'job_9' },
		});
	});
});

test('a report ID in a path never leads anywhere else, whatever it is', async () => {
	const parts = fc.constantFrom('.', '..', '/', '\\', '%2e', '%2f', '?', '#', '@', ':', 'a', '\t');
	const anything = fc.oneof(
		fc.string({ unit: 'binary' }),
		fc.array(parts).map((some) => some.join('')),
	);
	await fc.assert(
		fc.asyncProperty(anything, async (id) => {
			const { getPdf, requests } = serviceOf(answer(200, pdf));
			let clean: string;
			try {
				clean = cleanId(id, 'Report ID');
			} catch (error) {
				expect(error).toMatchObject({ errorClass: 'invalid_input' });
				return;
			}
			await getPdf(clean);
			const { origin, pathname, search, hash } = new URL(requests[0]!.url);
			expect([origin, search, hash]).toEqual([BASE_URL, '', '']);
			const [root, version, reports, segment, last, ...more] = pathname.split('/');
			expect([root, version, reports, last, more]).toEqual(['', 'v1', 'reports', 'pdf', []]);
			expect(id).toContain(decodeURIComponent(segment!));
		}),
		{ numRuns: 100 },
	);
});

describe('what the service says about a refusal', () => {
	const describeRefusal = async (body: unknown) => {
		const { screen } = serviceOf(answer(400, body));
		return describeWithAdvice(await errorOf(async () => await screen(ethereum)), 'address.screen');
	};

	test.each([
		[{ error: { message: 'Chain is unknown', code: 17 } }, true],
		[{ errors: [{ status: '400', detail: 'Chain is unknown' }] }, true],
		[{ chain: ['Chain is unknown'] }, true],
		['<html><title>400</title>Chain is unknown</html>', false],
		[{ message: { text: 'Chain is unknown' } }, false],
		[{ message: ' \n ' }, false],
	])('is shown of %j: %s', async (body, isShown) => {
		const description = await describeRefusal(body);
		expect(description.includes('Chain is unknown')).toBe(isShown);
		expect(/service's message|undefined|\[object/.test(description)).toBe(isShown);
	});

	test('is shown on one line, without control characters and characters that turn the text', async () => {
		const message = 'one\r\ntwo\u0000three\u001b[31mfour\u202efive\u2028six';
		expect(await describeRefusal({ message })).toContain('one two three [31mfour five six');
	});

	test('is shown up to a length', async () => {
		const long = await describeRefusal({ message: 'y'.repeat(1_000_000) });
		expect(/y{2,}…/.exec(long)![0]).toHaveLength(300);
	});
});

describe('a request that fails', () => {
	test.each(['SSRF', 'STOPPED'] as const)(
		'is not sent again if n8n forbids it: %s',
		async (faultCode) => {
			const { getReport, requests } = serviceOf(networkFaultOf(faultCode), { maxRetries: 5 });
			expect(await errorOf(async () => await getReport('rep_1'))).toMatchObject({ faultCode });
			expect(requests).toHaveLength(1);
		},
	);

	test('is told to the log without its address, with the wait until it goes out again', async () => {
		const told: Array<[string, number]> = [];
		const service = createService((_request, number) =>
			number === 0 ? waitAnswer(429, '12') : answer(200, reportBody({ address: ethereum })),
		);
		const onRepetition = (line: string, ms: number) => told.push([line, ms]);
		const client = service.client({ onRepetition });
		await service.clock.run(client.screen(ethereum));
		expect(told).toEqual([
			['POST /v1/screen: attempt 1 ended with status 429; the next one in 12 s', 12_000],
		]);
	});

	test('is told to the log without the ID that the user entered, which may be a secret', async () => {
		const told: string[] = [];
		const service = createService(() => waitAnswer(503, '1'));
		const client = service.client({ maxRetries: 1, onRepetition: (line) => told.push(line) });
		for (const method of ['getReport', 'getPdf', 'getBulk'] as const) {
			await errorOf(async () => await service.clock.run<unknown>(client[method]('5Kb8-secret')));
		}
		const ending = 'attempt 1 ended with status 503; the next one in 1 s';
		expect(told).toEqual([
			`GET /v1/reports/{id}: ${ending}`,
			`GET /v1/reports/{id}/pdf: ${ending}`,
			`GET /v1/bulk/{id}: ${ending}`,
		]);
	});

	test('is told to the log with the pause that its key keeps after a 429 without Retry-After', async () => {
		const waits: number[] = [];
		const service = createService((_request, number) =>
			number === 0 ? answer(429) : answer(200, reportBody({ address: ethereum })),
		);
		const { clock, requests } = service;
		const client = service.client({
			queue: new RateLimiter(null, clock, () => 0.9),
			onRepetition: (_line, ms) => waits.push(ms),
		});
		await clock.run(client.screen(ethereum));
		const [first, second] = requests.map(({ at }) => at);
		expect(waits).toEqual([450]);
		expect(second! - first!).toBeCloseTo(450, -1);
	});

	test('tells what the service said last', async () => {
		const service = createService((_request, number) =>
			answer(number === 0 ? 500 : 503, { message: `said ${number}` }),
		);
		const client = service.client({ maxRetries: 1 });
		const error = await errorOf(async () => await service.clock.run(client.getReport('rep_1')));
		expect(error).toMatchObject({ errorClass: 'server', httpCode: 503, serviceMessage: 'said 1' });
	});

	test.each([
		['300', undefined],
		['301', '6 minutes'],
		['86400', 'a day or more'],
	])('tells a pause that the node does not wait for: %s s', async (header, pause) => {
		for (const status of [429, 503]) {
			const { getReport } = serviceOf(waitAnswer(status, header), { maxRetries: 0 });
			const { description } = await errorOf(async () => await getReport('rep_1'));
			expect(/a pause of (.+), which/.exec(description)?.[1]).toBe(pause);
		}
	});

	test('tells the pause of the key, if that is longer than what the answer asks for', () => {
		const { description } = answerError(waitAnswer(429, '1'), 301_000);
		expect(description).toContain('a pause of 6 minutes, which');
	});
});
