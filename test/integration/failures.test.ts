import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import type { GenericValue, INodeParameters } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { FaultEffect } from '../../sandbox/faults';
import { reportOn } from '../../sandbox/reports';
import { READ_ONLY, type Service, startService, UNREACHABLE, WRONG_KEY } from './engine/service';
import { SCREENING } from './engine/workflows';
import { answer } from './faults/faults';
import { addressesOf } from '../support/addresses';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const SCREEN: INodeParameters = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
	options: { maxRetries: 0 },
};
const REPORT: INodeParameters = {
	...SCREEN,
	resource: 'report',
	operation: 'get',
	reportId: '={{ $json.id }}',
};
const PDF: INodeParameters = { ...REPORT, operation: 'downloadPdf' };

const withRisk = (risk: GenericValue | object): FaultEffect => ({
	kind: 'rewrite',
	rewrite: (report) => ({ ...report, risk }),
});

/** A service whose answers never end; `closed` tells that its first connection is gone. */
async function startEndless() {
	const server = createServer((_request, response) => {
		response.writeHead(200, { 'content-type': 'application/json' });
		const timer = setInterval(() => response.write(Buffer.alloc(1024, ' ')), 20);
		response.on('close', () => {
			clearInterval(timer);
			server.emit('gone');
		});
	}).listen(0, '127.0.0.1');
	await once(server, 'listening');
	return {
		baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		closed: once(server, 'gone').then(() => 'closed'),
		stop() {
			server.closeAllConnections();
			server.close();
		},
	};
}

describe('failures', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({
			credentials: () => ({ 'Pasted Key': { apiKey: 'sandbox-read-write-key\n' } }),
		});
	});
	afterAll(async () => {
		await service.close();
	});
	beforeEach(() => service.reset());

	const input = [{ address: ETH, id: 'rep_unknown', row: 7 }];
	const reportOf = (address: string) =>
		reportOn(address, undefined, service.sandbox.baseUrl) as object;

	describe('the key and the address of the service', () => {
		it.each([
			['a key that is not valid', WRONG_KEY, 'unauthorized', '401'],
			['a key that may only read', READ_ONLY, 'forbidden', '403'],
			['an address where nobody listens', UNREACHABLE, 'network', null],
		])('%s', async (_what, credential, errorClass, httpCode) => {
			const { error, thrown, status } = await service.run(SCREEN, { input, credential });
			expect(status).toBe('error');
			expect(error?.context).toMatchObject({ errorClass, itemIndex: 0 });
			expect(error?.httpCode ?? null).toBe(httpCode);
			expect(error?.message).toEqual(expect.stringMatching(/\w{3}/));
			expect(error?.description).toEqual(expect.stringMatching(/\w{3}/));
			expect(thrown).toEqual([expect.any(NodeApiError)]);
		});

		it('a read-only key still gets reports and PDFs', async () => {
			const screened = await service.run(SCREEN, { input });
			const known = [{ id: screened.items[0]![0]!.json['report_id'] }];
			for (const operation of [REPORT, PDF]) {
				const { status } = await service.run(operation, { input: known, credential: READ_ONLY });
				expect(status).toBe('success');
			}
		});
	});

	describe('a refusal', () => {
		it('an error body of any kind does no harm', async () => {
			for (const body of [
				'',
				'null',
				'[]',
				'"no"',
				'{"error":null}',
				'<html>',
				'{"message":{}}',
				'{',
			]) {
				service.reset();
				service.sandbox.addFault({ effect: answer(400, body) });
				const { error } = await service.run(SCREEN, { input });
				expect(error?.context).toMatchObject({ errorClass: 'bad_request' });
			}
		});

		it.each([undefined, 'Pasted Key'])(
			'an error body that echoes the key does not show it; credential: %s',
			async (credential) => {
				const { readWrite } = service.sandbox.keys;
				service.sandbox.addFault({
					effect: answer(401, JSON.stringify({ message: `No key ${readWrite}!` })),
				});
				// The run itself sees to it that no key shows.
				const { error } = await service.run(SCREEN, { input, ...(credential && { credential }) });
				expect(error?.context).toMatchObject({ errorClass: 'unauthorized' });
			},
		);

		it('an unknown report is not found', async () => {
			for (const operation of [REPORT, PDF]) {
				const { error } = await service.run(operation, { input });
				expect(error).toMatchObject({ httpCode: '404', context: { errorClass: 'not_found' } });
			}
		});
	});

	describe('answers that are not what the specification says', () => {
		// More of them befall every operation in faults/.
		const noReport: Array<[string, FaultEffect]> = [
			['a list', answer(200, '[]')],
			['a text', answer(200, '"green"')],
			['a report without risk', withRisk(undefined)],
			['a risk of null', withRisk(null)],
			['a risk of text', withRisk('green')],
			[
				'the report of another address',
				{ kind: 'rewrite', rewrite: (report) => ({ ...report, address: `${ETH}0` }) },
			],
		];

		it.each(noReport)('%s in place of a report', async (_what, effect) => {
			service.sandbox.addFault({ effect });
			const { error, items } = await service.run({ ...SCREEN, options: {} }, { input });
			expect(error?.context).toMatchObject({ errorClass: 'invalid_response', itemIndex: 0 });
			expect(items).toEqual([]);
			expect(service.requested()).toHaveLength(1);
		});

		it.each([
			['a web page', answer(200, '<!doctype html>', { 'content-type': 'application/pdf' })],
			['an empty body', answer(200, '', { 'content-type': 'application/pdf' })],
			['the beginning of the beginning', answer(200, '%PD', { 'content-type': 'application/pdf' })],
			[
				'a PDF behind something else',
				answer(200, ' %PDF-1.7', { 'content-type': 'application/pdf' }),
			],
		])('%s in place of a PDF', async (_what, effect) => {
			service.sandbox.addFault({ effect });
			const { error } = await service.run({ ...PDF, options: {} }, { input });
			expect(error?.context).toMatchObject({
				errorClass: 'invalid_response',
				report_id: 'rep_unknown',
			});
			expect(service.requested()).toHaveLength(1);
		});
	});

	it('closes the connection of an answer that never ends', async () => {
		const endless = await startEndless();
		const others = await startService({
			credentials: () => ({ Endless: { baseUrl: endless.baseUrl } }),
		});
		const { error } = await others.run(
			{ ...SCREEN, options: { maxRetries: 0, requestTimeout: 0.3 } },
			{ input, credential: 'Endless' },
		);
		await others.close();
		const patience = setTimeout(60_000, 'still open', { ref: false });
		const end = await Promise.race([endless.closed, patience]);
		endless.stop();
		expect(error?.context).toMatchObject({ errorClass: 'network' });
		expect(end).toBe('closed');
	});

	describe('with Continue', () => {
		const [REFUSED, BROKEN, NONSENSE, FINE] = addressesOf(4) as [string, string, string, string];
		const mixed = [
			{ address: ETH, row: 0 },
			{ address: 'not good', row: 1 },
			...[REFUSED, BROKEN, NONSENSE, FINE].map((address, at) => ({ address, row: 2 + at })),
		];
		const faults: Record<string, FaultEffect> = {
			[REFUSED]: answer(400, '{"message":"Unknown format"}'),
			[BROKEN]: { kind: 'reset', at: 'beforeAnswer' },
			[NONSENSE]: answer(200, '<html>'),
		};
		const failed: Array<[number, string, string | null]> = [
			[1, 'invalid_input', null],
			[2, 'bad_request', '400'],
			[3, 'network', null],
			[4, 'invalid_response', '200'],
		];

		beforeEach(() => {
			for (const [address, effect] of Object.entries(faults)) {
				service.sandbox.addFault({
					when: ({ body }) => (body as { address?: string } | undefined)?.address === address,
					effect,
				});
			}
		});

		const errorItem = (
			[item, errorClass, httpCode]: [number, string, string | null],
			fields = {},
		) => ({
			json: {
				...fields,
				error: expect.any(String),
				details: expect.objectContaining({
					errorClass,
					httpCode,
					description: expect.any(String),
					address: mixed[item]!.address,
				}),
			},
			pairedItem: expect.objectContaining({ item }),
		});

		it('gives error items in place, with no error property beside their JSON', async () => {
			const { items, status } = await service.run(SCREEN, {
				input: mixed,
				onError: 'continueRegularOutput',
			});
			expect(status).toBe('success');
			expect(items).toEqual([
				[
					{ json: reportOf(ETH), pairedItem: { item: 0 } },
					...failed.map((failure) => errorItem(failure)),
					{ json: reportOf(FINE), pairedItem: { item: 5 } },
				],
			]);
			for (const item of items[0]!) expect(item).not.toHaveProperty('error');
		});

		it('gives error items on the error output, where n8n adds the fields of the input', async () => {
			const { itemsOf, status } = await service.run(SCREEN, {
				input: mixed,
				onError: 'continueErrorOutput',
			});
			expect(status).toBe('success');
			expect(itemsOf(SCREENING)).toEqual([
				[
					{ json: reportOf(ETH), pairedItem: { item: 0 } },
					{ json: reportOf(FINE), pairedItem: { item: 5 } },
				],
				failed.map((failure) => errorItem(failure, mixed[failure[0]])),
			]);
		});

		it.each<[string, INodeParameters, string[]]>([
			['the screening of a report', SCREEN, []],
			// What the item holds, and what proves that, stay with it.
			[
				'a decision',
				{ resource: 'decision', operation: 'decide', reportField: 'none' },
				['evidence'],
			],
		])(
			'gives %s that failed nothing on the error output that contradicts it',
			async (_what, parameters, kept) => {
				const older = { decision: { outcome: 'allow' }, alert: {}, evidence: {} };
				const { itemsOf } = await service.run(parameters, {
					input: [{ address: 'not good', row: 1, ...older }],
					onError: 'continueErrorOutput',
				});
				const [item] = JSON.parse(JSON.stringify(itemsOf(SCREENING)[1])) as [{ json: object }];
				expect(Object.keys(item.json).sort()).toEqual(
					['address', 'details', 'error', 'row', ...kept].sort(),
				);
			},
		);
	});

	it('without Continue, throws the error of the failed item and gives nothing', async () => {
		const { error, thrown, itemsOf } = await service.run(
			{ ...SCREEN, options: { maxRetries: 0, concurrency: 1 } },
			{ input: [{ address: 'not good' }, { address: ETH }, { address: 'after it' }] },
		);
		expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 0 });
		expect(thrown).toEqual([expect.any(NodeOperationError)]);
		expect(itemsOf(SCREENING)).toEqual([]);
		expect(service.requested()).toEqual([]);
	});

	it('says what happened in a message and how to get unstuck in a description', async () => {
		const texts = new Set<string>();
		for (const status of [400, 401, 403, 404, 500]) {
			service.reset();
			service.sandbox.addFault({ effect: answer(status) });
			const { error } = await service.run(SCREEN, { input });
			texts.add(error!.message).add(error!.description!);
		}
		expect(texts.size).toBe(10);
	});
});
