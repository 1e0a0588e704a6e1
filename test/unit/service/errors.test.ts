import { normalizeBaseUrl } from '../../../nodes/WalletScreening/service/baseUrl';
import {
	about,
	type ErrorClass,
	invalidInput,
	invalidResponse,
	ScreeningError,
} from '../../../nodes/WalletScreening/service/errors';
import { networkFault, statusError } from '../../../nodes/WalletScreening/service/faults';
import { cleanAddress, cleanChain, cleanId } from '../../../nodes/WalletScreening/service/input';
import { parseJson } from '../../../nodes/WalletScreening/service/json';
import { createReader } from '../../../nodes/WalletScreening/service/dialect/reader';
import { answer, errorOf, fault } from '../support/answers';
import { serviceOf } from '../support/service';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

/** The public names of the error classes, for the statuses of section 7 and those beside them. */
function expectedClass(status: number): ErrorClass {
	if (status < 400) return 'invalid_response';
	if (status >= 500) return 'server';
	switch (status) {
		case 401:
			return 'unauthorized';
		case 403:
			return 'forbidden';
		case 404:
			return 'not_found';
		case 429:
			return 'rate_limited';
		default:
			return 'bad_request';
	}
}

const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);

test('every status from 300 to 599 has its class, in every operation', async () => {
	for (const status of statuses) {
		const { screen, getReport, getPdf, getBulk } = serviceOf(answer(status, 'text'));
		for (const work of [
			async () => await screen(ETH),
			async () => await getReport('rep_1'),
			async () => await getPdf('rep_1'),
			async () => await getBulk('job_1'),
		]) {
			expect(await errorOf(work)).toMatchObject({
				errorClass: expectedClass(status),
				httpCode: status,
			});
		}
	}
});

test('a fault of the network has the class network and no status', async () => {
	for (const code of ['ECONNREFUSED', 'ENOTFOUND', 'ECONNRESET', 'TIMEOUT', 'CERT_HAS_EXPIRED']) {
		const { screen } = serviceOf(fault(code));
		expect(await errorOf(async () => await screen(ETH))).toMatchObject({
			errorClass: 'network',
			httpCode: undefined,
			networkCode: code,
			known: { address: ETH },
		});
	}
});

describe('the texts', () => {
	const codes =
		'ECONNREFUSED ENOTFOUND EAI_AGAIN ECONNRESET EPIPE TIMEOUT CERT_HAS_EXPIRED SSRF NO_ANSWER';
	const refusals: Array<() => unknown> = [
		() => cleanAddress('', 'Address'),
		() => cleanAddress(undefined, 'Address'),
		() => cleanAddress(5, 'Address'),
		() => cleanAddress('a b', 'Address'),
		() => cleanAddress('a'.repeat(257), 'Address'),
		() => cleanId('', 'Report ID'),
		() => cleanId('a/b', 'Report ID'),
		() => cleanId('a b', 'Report ID'),
		() => cleanId('a'.repeat(257), 'Report ID'),
		() => cleanChain('E TH', 'Chain'),
		() => cleanChain('a'.repeat(257), 'Chain'),
		() => normalizeBaseUrl('', 'Base URL'),
		() => normalizeBaseUrl('nonsense', 'Base URL'),
		() => normalizeBaseUrl('http://example.com', 'Base URL'),
		() => normalizeBaseUrl('https://user:password@example.com', 'Base URL'),
		() => parseJson(Buffer.alloc(0), 200),
		() => parseJson(Buffer.from('<html>'), 200),
		() => createReader().report({}, 200),
	];

	async function all(): Promise<ScreeningError[]> {
		return [
			...statuses.map((status) => statusError(status, undefined)),
			...codes.split(' ').map((code) => networkFault(code, 30)),
			...(await Promise.all(refusals.map(errorOf))),
		];
	}

	test('say what happened and how to get unstuck', async () => {
		for (const { message, description } of await all()) {
			expect(message.length).toBeGreaterThan(10);
			expect(description.length).toBeGreaterThan(10);
			expect(description).toMatch(/[.!?]$/);
			expect(`${message} ${description}`).not.toMatch(/undefined|NaN|\[object|null\b/);
		}
	});

	test("do without the words that n8n's guidelines ask to avoid", async () => {
		for (const { message, description } of await all()) {
			expect(`${message} ${description}`).not.toMatch(/\b(error|problem|failure|mistake)s?\b/i);
		}
	});

	test('of a refused input name the parameter as the user sees it', async () => {
		expect((await errorOf(() => cleanAddress('', 'Wallet'))).message).toContain('Wallet');
		expect((await errorOf(() => cleanId('a/b', 'Job ID'))).message).toContain('Job ID');
		expect((await errorOf(() => cleanChain('E TH', 'Chain'))).message).toContain('Chain');
		expect((await errorOf(() => normalizeBaseUrl('x', 'Address of the service'))).known).toEqual({
			parameter: 'Address of the service',
		});
	});

	test('of a time-out say how long it was', () =>
		expect(networkFault('TIMEOUT', 30).message).toContain('30 seconds'));

	test('blame a value in the request only for the statuses that speak of it', () => {
		const blamed = statuses.filter((status) =>
			statusError(status, undefined).description.includes('Correct the value'),
		);
		expect(blamed).toEqual([400, 422]);
	});

	test.each([
		[402, /credit/],
		[409, /Run it again later/],
		[410, /no longer keeps/],
		[413, /fewer addresses/],
		[425, /Run it again later/],
		[451, /proxy or a gateway/],
	])('say what a %d means', (status, meaning) =>
		expect(statusError(status, undefined).description).toMatch(meaning),
	);

	test('repeat what the service says', () =>
		expect(statusError(400, 'Chain is unknown').said).toBe('Chain is unknown'));
});

describe('an error', () => {
	test('is an Error, with everything that is known of its request', () => {
		const error = invalidInput('Address', 'message', 'description', { address: 'a' });
		expect(error).toBeInstanceOf(Error);
		expect(error).toBeInstanceOf(ScreeningError);
		expect(error).toMatchObject({
			errorClass: 'invalid_input',
			message: 'message',
			description: 'description',
			known: { parameter: 'Address', address: 'a' },
		});
		expect(invalidResponse('nonsense', 200, { address: 'a' })).toMatchObject({
			errorClass: 'invalid_response',
			httpCode: 200,
			known: { address: 'a' },
		});
	});

	test('gets more known about it and loses nothing', () => {
		const one = new ScreeningError('network', 'message', 'description', {
			httpCode: 502,
			networkCode: 'EPIPE',
			known: { address: 'a' },
		});
		expect(one.with({ report_id: 'r' })).toMatchObject({
			errorClass: 'network',
			message: 'message',
			description: 'description',
			httpCode: 502,
			networkCode: 'EPIPE',
			known: { address: 'a', report_id: 'r' },
		});
		expect(one.known).toEqual({ address: 'a' });
	});

	test('of another kind is passed on as it is', async () => {
		const other = new TypeError('other');
		await expect(about({ address: 'a' }, async () => await Promise.reject(other))).rejects.toBe(
			other,
		);
		await expect(about({ address: 'a' }, async () => 'value')).resolves.toBe('value');
	});
});
