import { once } from 'node:events';
import { setTimeout } from 'node:timers/promises';

import type { INodeParameters } from 'n8n-workflow';

import { bitcoin, ethereum } from '../support/data/knownAddresses';
import { serve } from '../support/servers/server';
import { useService } from '../support/engine/sandboxService';
import { screeningNodeName } from '../support/n8n/workflows';
import {
	CONTINUE,
	GET_JOB,
	GET_REPORT,
	itemsFor,
	SCREEN as OFTEN,
	SCREEN_AND_WAIT,
} from '../support/engine/workflows';

const SCREEN: INodeParameters = { ...OFTEN, options: { maxRetries: 0 } };
const noTls = 'http to another host';
const service = useService({
	credentials: () => ({ [noTls]: { baseUrl: 'http://127.0.0.1.example.com' } }),
});

const reportId = '={{ $itemIndex ? "../../v1/bulk" : "rep_1" }}';
const withoutFile: INodeParameters = {
	...SCREEN,
	includePdf: true,
	binaryPropertyName: '={{ "" }}',
};
it.each<[label: string, because: string, INodeParameters, credential?: string]>([
	['Address', 'has a line break', SCREEN],
	['Report', 'is a path to another endpoint', { ...GET_REPORT, reportId }],
	['Put Output File in Field', 'is empty', withoutFile],
	['Address Field', 'is in no item', { ...SCREEN_AND_WAIT, addressField: 'x' }],
	['Output', 'is no choice of the node', { ...GET_JOB, jobId: 'job_1', output: 'all' }],
	['Base URL', 'sends the key without encryption', SCREEN, noTls],
])('if %s %s, nothing is sent, for the good items before it either', async (...given) => {
	const [label, _because, parameters, credential] = given;
	const input = itemsFor([ethereum, '0x12\n34']);
	const { error, itemsOf } = await service.run(parameters, { input, credential });
	const itemIndex = ['Address', 'Report'].includes(label) ? 1 : 0;
	expect(error?.context).toMatchObject({ errorClass: 'invalid_input', itemIndex });
	expect(`${error?.message} ${error?.description}`).toContain(label);
	expect(itemsOf(screeningNodeName)).toEqual([]);
	expect(service.requestLines()).toEqual([]);
});

it.each<[what: string, parameters: INodeParameters]>([
	['an unknown operation', { ...SCREEN, operation: 'screnn' }],
	['an option n8n cannot read', { ...SCREEN, options: { alertText: '={{ $("No").item }}' } }],
])('%s gives failures, and never the input, which may look screened', async (_, parameters) => {
	const input = [{ json: { address: ethereum, level: 'green' } }];
	const { json, status } = await service.run(parameters, { input, onError: CONTINUE });
	expect(status).toBe('success');
	expect(json).toEqual([{ error: expect.any(String), details: expect.anything() }]);
	expect(service.requestLines()).toEqual([]);
});

it.each<[label: string, parameters: INodeParameters]>([
	['chain', { ...SCREEN, chain: '={{ $json.chian }}' }],
	['addresses', { ...GET_JOB, output: 'reports', addresses: '={{ $json.adresses }}' }],
	['knownAddresses', { ...SCREEN, operation: 'check', knownAddresses: '={{ $json.knwon }}' }],
	['Address Source', { ...SCREEN_AND_WAIT, addressSource: '={{ "List" }}', addresses: bitcoin }],
])('a %s that comes to nothing does not count as left empty', async (...given) => {
	const [label, parameters] = given;
	const input = [{ json: { address: ethereum, job_id: 'job_1' } }];
	const { json } = await service.run(parameters, { input, onError: CONTINUE });
	expect(json).toMatchObject([{ details: { errorClass: 'invalid_input', parameter: label } }]);
	expect(service.requestLines()).toEqual([]);
});

it.each([
	['Screen', { ...SCREEN, chain: '={{ $json.chain }}' }],
	['Screen and Wait', { ...SCREEN_AND_WAIT, chainField: 'chain' }],
])('an invalid chain in %s names its address', async (_what, parameters) => {
	const input = [{ address: ethereum, chain: 'BNB Smart Chain' }];
	const { json } = await service.run(parameters, { input, onError: CONTINUE });
	expect(json).toMatchObject([{ details: { errorClass: 'invalid_input', address: ethereum } }]);
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
	const stillOpen = setTimeout(60_000, 'still open', { ref: false });
	expect(await Promise.race([closed, stillOpen])).toBe('closed');
	await close();
});
