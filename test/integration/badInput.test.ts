import type { GenericValue, INodeParameters } from 'n8n-workflow';

import { type Service, startService } from './engine/service';
import type { RunResult } from '../../tools/host/engine';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const GOOD_BASE_URLS = {
	'a slash at the end': (baseUrl: string) => `${baseUrl}/`,
	'/v1 at the end': (baseUrl: string) => `${baseUrl}/v1`,
	'/v1/ at the end': (baseUrl: string) => `${baseUrl}/v1/`,
	'the name localhost': (baseUrl: string) => baseUrl.replace('127.0.0.1', 'localhost'),
};

const BAD_BASE_URLS: Record<string, (baseUrl: string) => string> = {
	'nothing at all': () => '',
	'white space': () => '   ',
	'no scheme': (baseUrl) => baseUrl.replace('http://', ''),
	'http to another host': () => 'http://api.example.com',
	'http to a private address': () => 'http://10.1.2.3',
	'a host that begins like loopback': () => 'http://127.0.0.1.example.com',
	'a host that begins like localhost': () => 'http://localhost.example.com',
	'a user name that looks like loopback': () => 'http://127.0.0.1@example.com',
	'another scheme': (baseUrl) => baseUrl.replace('http://', 'ftp://'),
	'no address': () => 'https://',
};

const BAD_TEXTS: Array<[string, GenericValue]> = [
	['empty', ''],
	['missing', undefined],
	['null', null],
	['blank', '   '],
	['blank without width', '\u200b\ufeff'],
	['line breaks alone', '\r\n'],
	['a space inside', '0x12 34'],
	['a line break inside', '0x12\n34'],
	['a tab inside', '0x12\t34'],
	['a non-breaking space inside', '0x12\u00a034'],
	['a null character', '0x12\u000034'],
	['a bell', '0x12\u0007'],
	['a delete character', '0x12\u007f34'],
	['a control character of Latin-1', '0x12\u008534'],
	['over 256 characters', 'a'.repeat(257)],
	['an object', { address: ETH } as never],
	['a list', [ETH, ETH] as never],
];

const BAD_IDS: Array<[string, GenericValue]> = [
	['a slash', 'a/b'],
	['a step up', '..'],
	['a path', '../../v1/bulk'],
	['a step up inside', 'a..b'],
	['an address without a path', 'https://example.com/'],
	['an address that ends with a path', 'https://example.com/reports/a%2Fb'],
	['an address of another kind', 'ftp://example.com/reports/rep_1'],
];

const ADDRESS: INodeParameters = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.value }}',
};
const REPORT: INodeParameters = {
	resource: 'report',
	operation: 'get',
	reportId: '={{ $json.value }}',
};
const PDF: INodeParameters = { ...REPORT, operation: 'downloadPdf' };

const PARAMETERS: Array<[string, INodeParameters, string, Array<[string, GenericValue]>]> = [
	['address: screen', ADDRESS, 'Address', BAD_TEXTS],
	['report: get', REPORT, 'Report', [...BAD_TEXTS, ...BAD_IDS]],
	['report: downloadPdf', PDF, 'Report', [...BAD_TEXTS, ...BAD_IDS]],
];

describe('bad input', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({
			credentials: (baseUrl) =>
				Object.fromEntries(
					Object.entries({ ...GOOD_BASE_URLS, ...BAD_BASE_URLS }).map(([name, change]) => [
						name,
						{ baseUrl: change(baseUrl) },
					]),
				),
		});
	});
	afterAll(async () => await service.close());
	beforeEach(() => service.reset());

	const expectRefusal = ({ error }: RunResult, parameter: string, itemIndex: number) => {
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex });
		expect(`${error?.message} ${error?.description}`).toContain(parameter);
		expect(service.requested()).toEqual([]);
	};

	describe.each(PARAMETERS)('%s', (_operation, parameters, label, values) => {
		it.each(values)('refuses %s before any request', async (_what, value) => {
			expectRefusal(await service.run(parameters, { input: [{ value }] }), label, 0);
		});

		it.each(Object.keys(BAD_BASE_URLS))('refuses a base URL with %s', async (credential) => {
			const result = await service.run(parameters, { input: [{ value: ETH }], credential });
			expectRefusal(result, 'Base URL', 0);
		});

		it('gives each item the error of the base URL, with Continue', async () => {
			const result = await service.run(parameters, {
				input: [{ value: 'a' }, { value: 'b' }],
				credential: 'no scheme',
				onError: 'continueRegularOutput',
			});
			const classes = result.items[0]!.map(({ json }) => json['details']);
			expect(classes).toEqual(
				Array(2).fill(expect.objectContaining({ errorClass: 'invalid_input' })),
			);
			expect(result.items[0]!.map(({ pairedItem }) => pairedItem)).toEqual([
				{ item: 0 },
				{ item: 1 },
			]);
			expect(service.requested()).toEqual([]);
		});
	});

	it('names the item that is bad, and sends nothing for the good ones before it', async () => {
		const input = [{ value: ETH }, { value: ETH }, { value: 'not good' }, { value: ETH }];
		const { error } = await service.run({ ...ADDRESS, options: { concurrency: 1 } }, { input });
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 2 });
		expect(service.requested()).toEqual([]);
	});

	it.each(Object.keys(GOOD_BASE_URLS))('takes a base URL with %s', async (credential) => {
		const { items } = await service.run(ADDRESS, { input: [{ value: ETH }], credential });
		expect(items[0]![0]!.json).toMatchObject({ address: ETH });
		expect(service.requested()).toEqual(['POST /v1/screen']);
	});

	it.each([
		['a text that is no number', { maxRetries: '={{ "many" }}' }],
		['less than nothing', { maxRetries: -1 }],
		['no time at all', { requestTimeout: 0 }],
		['none at once', { concurrency: 0 }],
	])('refuses an option of %s', async (_what, options) => {
		const { error } = await service.run({ ...ADDRESS, options }, { input: [{ value: ETH }] });
		expect(error).toBeDefined();
		expect(service.requested()).toEqual([]);
	});
});
