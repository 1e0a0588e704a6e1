import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';
import { NodeApiError, NodeOperationError } from 'n8n-workflow';

import type { FaultEffect } from '../../sandbox/faults';
import { addressesOf } from '../support/addresses';
import { serve } from '../support/server';
import { answer, READ_ONLY, UNREACHABLE, useService, WRONG_KEY } from './engine/service';
import {
	BTC,
	CONTINUE,
	GET_JOB,
	GET_REPORT,
	GREEN,
	itemsFor,
	SCREEN as OFTEN,
	SCREENING,
	WAIT,
} from './engine/workflows';

const SCREEN: INodeParameters = { ...OFTEN, options: { maxRetries: 0 } };
const noTls = 'http to another host';
const service = useService({
	credentials: () => ({ [noTls]: { baseUrl: 'http://127.0.0.1.example.com' } }),
});

it.each([
	['a key that is not valid', WRONG_KEY, 'unauthorized', '401'],
	['a key that may only read', READ_ONLY, 'forbidden', '403'],
	['an address where nobody listens', UNREACHABLE, 'network', null],
])('%s ends the node', async (_what, credential, errorClass, httpCode) => {
	const given = { input: itemsFor([GREEN]), credential };
	const { error, thrown, status } = await service.run(SCREEN, given);
	expect(status).toBe('error');
	expect(error?.context).toMatchObject({ errorClass, itemIndex: 0 });
	expect(error?.httpCode ?? null).toBe(httpCode);
	expect(thrown).toEqual([expect.any(NodeApiError)]);
});

it.each<[label: string, INodeParameters, credential?: string]>([
	['Address', SCREEN],
	['Report', { ...GET_REPORT, reportId: '={{ $itemIndex ? "../../v1/bulk" : "rep_1" }}' }],
	['Put Output File in Field', { ...SCREEN, includePdf: true, binaryPropertyName: '={{ "" }}' }],
	['Address Field', { ...WAIT, addressField: 'x' }],
	['Output', { ...GET_JOB, jobId: 'job_1', output: 'all' }],
	['Base URL', SCREEN, noTls],
])('a bad %s sends nothing, for the good items before it either', async (...given) => {
	const [label, parameters, credential] = given;
	const input = itemsFor([GREEN, '0x12\n34']);
	const { error, thrown, itemsOf } = await service.run(parameters, { input, credential });
	const itemIndex = ['Address', 'Report'].includes(label) ? 1 : 0;
	expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex });
	expect(`${error?.message} ${error?.description}`).toContain(label);
	expect(thrown).toEqual([expect.any(NodeOperationError)]);
	expect(itemsOf(SCREENING)).toEqual([]);
	expect(service.requested()).toEqual([]);
});

it.each<[what: string, parameters: INodeParameters]>([
	['an operation that nobody knows', { ...SCREEN, operation: 'screnn' }],
	['an option n8n cannot read', { ...SCREEN, options: { markExecution: '={{ $("No").item }}' } }],
])('%s gives failures, and never the input, which may look screened', async (_, parameters) => {
	const input = [{ json: { address: GREEN, level: 'green' } }];
	const { json, status } = await service.run(parameters, { input, onError: CONTINUE });
	expect(status).toBe('success');
	expect(json).toEqual([{ error: expect.any(String), details: expect.anything() }]);
	expect(service.requested()).toEqual([]);
});

it.each<[label: string, parameters: INodeParameters]>([
	['chain', { ...SCREEN, chain: '={{ $json.chian }}' }],
	['addresses', { ...GET_JOB, output: 'reports', addresses: '={{ $json.adresses }}' }],
	['knownAddresses', { ...SCREEN, operation: 'check', knownAddresses: '={{ $json.knwon }}' }],
	['Address Source', { ...WAIT, addressSource: '={{ "List" }}', addresses: BTC }],
])('a %s that comes to nothing does not count as left empty', async (...given) => {
	const [label, parameters] = given;
	const input = [{ json: { address: GREEN, job_id: 'job_1' } }];
	const { json } = await service.run(parameters, { input, onError: CONTINUE });
	expect(json).toMatchObject([{ details: { errorClass: 'invalid_input', parameter: label } }]);
	expect(service.requested()).toEqual([]);
});

it('each item has an outcome if the source of the addresses differs', async () => {
	const source = "={{ $itemIndex ? 'list' : 'inputItems' }}";
	const parameters = { ...WAIT, addressSource: source, addresses: BTC };
	const { json } = await service.run(parameters, { input: itemsFor([GREEN, GREEN, GREEN]) });
	expect(json.map(({ address }) => address)).toEqual([GREEN, BTC]);
});

it.each([
	['Screen', { ...SCREEN, chain: '={{ $json.chain }}' }],
	['Screen and Wait', { ...WAIT, chainField: 'chain' }],
])('an invalid chain in %s names its address', async (_what, parameters) => {
	const input = [{ address: GREEN, chain: 'BNB Smart Chain' }];
	const { json } = await service.run(parameters, { input, onError: CONTINUE });
	expect(json).toMatchObject([{ details: { errorClass: 'invalid_input', address: GREEN } }]);
});

it('an answer that never ends has its connection closed', async () => {
	const { server, url, close } = await serve((_request, response) => {
		const timer = setInterval(() => response.write(' '), 20);
		response.on('close', () => server.emit('gone', clearInterval(timer)));
	});
	const closed = once(server, 'gone').then(() => 'closed');
	const headers = { location: url };
	service.sandbox.addFault({ effect: { kind: 'answer', status: 302, headers } });
	const options = { maxRetries: 0, requestTimeout: 2 };
	const input = [{ report: { report_id: 'rep_1' } }];
	const { error } = await service.run({ ...GET_REPORT, options }, { input });
	expect(error?.context).toMatchObject({ errorClass: 'network' });
	const patience = setTimeout(60_000, 'still open', { ref: false });
	expect(await Promise.race([closed, patience])).toBe('closed');
	await close();
});

describe('good and failed items', () => {
	const [REFUSED, BROKEN, NONSENSE, FINE] = addressesOf(4) as [string, string, string, string];
	const faults: Record<string, FaultEffect> = {
		[REFUSED]: answer(400, '{"message":"Unknown format"}'),
		[BROKEN]: { kind: 'reset', at: 'beforeAnswer' },
		[NONSENSE]: answer(200, '<html>'),
	};
	/** With what an earlier node said of the address, which would contradict a failure. */
	const input = [GREEN, 'not good', REFUSED, BROKEN, NONSENSE, FINE].map((address, row) => ({
		...{ address, row, outcome: 'allow', level: 'green', alert: {}, evidence: {} },
	}));
	const failed = (item: number, errorClass: string, httpCode: string | null) => ({
		json: {
			error: expect.any(String) as string,
			...{ address: input[item]!.address, reference: `Row ${item}` },
			details: expect.objectContaining({
				...{ errorClass, httpCode, address: input[item]!.address },
				description: expect.any(String) as string,
			}) as object,
		},
		pairedItem: { item },
	});
	const report = (item: number) => ({
		json: { ...service.itemOf(input[item]!.address), reference: `Row ${item}` },
		pairedItem: { item },
	});

	it('have their outcomes in place, with no error property beside their JSON', async () => {
		for (const [address, effect] of Object.entries(faults)) {
			service.sandbox.addFault({
				when: ({ body }) => (body as { address?: string } | undefined)?.address === address,
				effect,
			});
		}
		const { status, itemsOf } = await service.run(
			{ ...SCREEN, reference: '=Row {{ $json.row }}' },
			{ input, onError: CONTINUE },
		);
		expect(status).toBe('success');
		const items = itemsOf(SCREENING);
		expect(items).toEqual([
			[
				...[report(0), failed(1, 'invalid_input', null), failed(2, 'bad_request', '400')],
				...[failed(3, 'network', null), failed(4, 'invalid_response', '200'), report(5)],
			],
		]);
		for (const item of items[0]!) expect(item).not.toHaveProperty('error');
	});
});
