import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

import type { IDataObject, INodeParameters } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { FaultEffect } from '../../sandbox/faults';
import { reportOn } from '../../sandbox/reports';
import { addressesOf } from '../support/addresses';
import { CONTINUE, itemsFor } from './engine/items';
import { READ_ONLY, type Service, startService, UNREACHABLE, WRONG_KEY } from './engine/service';
import { SCREENING } from './engine/workflows';
import { answer } from './faults/faults';

const ETH = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';

const SCREEN: INodeParameters = {
	resource: 'address',
	operation: 'screen',
	address: '={{ $json.address }}',
	options: { maxRetries: 0 },
};
const REPORT = { resource: 'report', operation: 'get', reportId: '={{ $json.address }}' };
const PDF = { ...REPORT, operation: 'downloadPdf' };
const BULK = { resource: 'bulkJob' };

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
	let endless: Awaited<ReturnType<typeof startEndless>>;

	beforeAll(async () => {
		endless = await startEndless();
		service = await startService({
			credentials: (baseUrl) => ({
				Endless: { baseUrl: endless.baseUrl },
				'no scheme': { baseUrl: baseUrl.replace('http://', '') },
				'http to another host': { baseUrl: 'http://127.0.0.1.example.com' },
			}),
		});
	});
	afterAll(async () => {
		endless.stop();
		await service.close();
	});
	beforeEach(() => service.reset());

	const reportOf = (address: string) =>
		reportOn(address, undefined, service.sandbox.baseUrl) as object;

	it.each([
		['a key that is not valid', WRONG_KEY, 'unauthorized', '401'],
		['a key that may only read', READ_ONLY, 'forbidden', '403'],
		['an address where nobody listens', UNREACHABLE, 'network', null],
	])('%s ends the node', async (_what, credential, errorClass, httpCode) => {
		const { error, thrown, status } = await service.run(SCREEN, {
			input: itemsFor([ETH]),
			credential,
		});
		expect(status).toBe('error');
		expect(error?.context).toMatchObject({ errorClass, itemIndex: 0 });
		expect(error?.httpCode ?? null).toBe(httpCode);
		expect(thrown).toEqual([expect.any(NodeApiError)]);
	});

	describe('bad input sends nothing', () => {
		it.each<[string, INodeParameters, unknown, string | undefined]>([
			['Address', SCREEN, '0x12\n34', undefined],
			['Report', REPORT, '../../v1/bulk', undefined],
			['Report', PDF, null, undefined],
			[
				'Put Output File in Field',
				{ ...SCREEN, includePdf: true, binaryPropertyName: '={{ "" }}' },
				...([ETH, undefined] as const),
			],
			['Address Field', { ...BULK, operation: 'screenAndWait', addressField: 'x' }, ETH, undefined],
			['Output', { ...BULK, operation: 'get', jobId: 'job_1', output: 'all' }, ETH, undefined],
			...([SCREEN, REPORT, PDF].map((operation) => [
				...['Base URL', operation, ETH, 'http to another host'],
			]) as Array<[string, INodeParameters, string, string]>),
		])('as %s: %j of %j', async (label, parameters, value, credential) => {
			const { error } = await service.run(parameters, {
				input: itemsFor([value]),
				...(credential && { credential }),
			});
			expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 0 });
			expect(`${error?.message} ${error?.description}`).toContain(label);
			expect(service.requested()).toEqual([]);
		});

		it('for the good items before it either', async () => {
			const { error, thrown, itemsOf } = await service.run(
				{ ...SCREEN, options: { concurrency: 1 } },
				{ input: itemsFor([ETH, ETH, 'not good', ETH]) },
			);
			expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 2 });
			expect(thrown).toEqual([expect.any(NodeOperationError)]);
			expect(itemsOf(SCREENING)).toEqual([]);
			expect(service.requested()).toEqual([]);
		});

		it('with Continue, and each item has the error of the base URL', async () => {
			const { items } = await service.run(SCREEN, {
				...{ input: itemsFor([ETH, ETH]), credential: 'no scheme', onError: CONTINUE },
			});
			const details = { errorClass: 'invalid_input' };
			const expected = [0, 1].map((item) => ({ json: { details }, pairedItem: { item } }));
			expect(items).toMatchObject([expected]);
			expect(service.requested()).toEqual([]);
		});
	});

	it('closes the connection of an answer that never ends', async () => {
		const { error } = await service.run(
			{ ...SCREEN, options: { maxRetries: 0, requestTimeout: 0.3 } },
			{ input: itemsFor([ETH]), credential: 'Endless' },
		);
		expect(error?.context).toMatchObject({ errorClass: 'network' });
		const patience = setTimeout(60_000, 'still open', { ref: false });
		expect(await Promise.race([endless.closed, patience])).toBe('closed');
	});

	describe('with Continue', () => {
		const [REFUSED, BROKEN, NONSENSE, FINE] = addressesOf(4) as [string, string, string, string];
		const mixed = [ETH, 'not good', REFUSED, BROKEN, NONSENSE, FINE].map((address, row) => ({
			...{ address, row },
		}));
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

		const reportItem = (item: number) => ({
			json: reportOf(mixed[item]!.address),
			pairedItem: { item },
		});
		const errorItem = (
			[item, errorClass, httpCode]: [number, string, string | null],
			fields = {},
		) => {
			const { address } = mixed[item]!;
			const description = expect.any(String) as string;
			const details = { errorClass, httpCode, description, address };
			return {
				json: { ...fields, error: expect.any(String), details: expect.objectContaining(details) },
				pairedItem: expect.objectContaining({ item }),
			};
		};

		it('gives error items in place, with no error property beside their JSON', async () => {
			const { items, status } = await service.run(SCREEN, { input: mixed, onError: CONTINUE });
			expect(status).toBe('success');
			const errors = failed.map((failure) => errorItem(failure));
			expect(items).toEqual([[reportItem(0), ...errors, reportItem(5)]]);
			for (const item of items[0]!) expect(item).not.toHaveProperty('error');
		});

		it('gives error items on the error output, where n8n adds the fields of the input', async () => {
			const { itemsOf, status } = await service.run(SCREEN, {
				input: mixed,
				onError: 'continueErrorOutput',
			});
			expect(status).toBe('success');
			expect(itemsOf(SCREENING)).toEqual([
				[reportItem(0), reportItem(5)],
				failed.map((failure) => errorItem(failure, mixed[failure[0]])),
			]);
		});

		it('gives what failed nothing on the error output that contradicts it', async () => {
			const older = { decision: { outcome: 'allow' }, alert: {}, evidence: {} };
			const { itemsOf } = await service.run(SCREEN, {
				input: [{ address: 'not good', row: 1, ...older }],
				onError: 'continueErrorOutput',
			});
			const [item] = JSON.parse(JSON.stringify(itemsOf(SCREENING)[1])) as [{ json: IDataObject }];
			expect(Object.keys(item.json).sort()).toEqual(['address', 'details', 'error', 'row']);
		});
	});
});
