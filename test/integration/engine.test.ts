import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

import {
	type ICredentialType,
	type IExecuteFunctions,
	type INodeType,
	NodeApiError,
	sleep,
} from 'n8n-workflow';

import { createEngine, type Engine, type WorkflowJson } from '../../host/engine';
import { findSecrets } from '../../host/engine/secrets';

const KEY = 'a secret key';

/** Sends one authenticated request for each item and gives the answer. */
const fetching: INodeType = {
	description: {
		displayName: 'Fetch',
		name: 'fetch',
		group: ['transform'],
		version: 1,
		description: 'Fetch',
		defaults: { name: 'Fetch' },
		inputs: ['main'],
		outputs: ['main'],
		credentials: [{ name: 'testApi', required: true }],
		properties: [{ displayName: 'Path', name: 'path', type: 'string', default: '' }],
	},
	async execute(this: IExecuteFunctions) {
		const { baseUrl } = await this.getCredentials<{ baseUrl: string }>('testApi');
		const items = await Promise.all(
			this.getInputData().map(async (_, item) => {
				const url = `${baseUrl}${this.getNodeParameter('path', item) as string}`;
				const body = await this.helpers.httpRequestWithAuthentication.call(this, 'testApi', {
					url,
				});
				return { json: { body }, pairedItem: { item } };
			}),
		);
		return [items];
	},
};

/** Stores one file; throws where `fail` is set; ends only when stopped where `hang` is set. */
const doing: INodeType = {
	description: { ...fetching.description, name: 'do', credentials: [], properties: [] },
	async execute(this: IExecuteFunctions) {
		const { fail, hang } = this.getInputData()[0]!.json;
		if (fail) {
			const error = new NodeApiError(this.getNode(), {}, { message: 'It failed', itemIndex: 0 });
			error.context['errorClass'] = 'why';
			throw error;
		}
		if (hang)
			await new Promise((resolve) => this.onExecutionCancellation(() => resolve(undefined)));
		await sleep(0);
		const data = await this.helpers.prepareBinaryData(
			Buffer.from('%PDF-'),
			'a.pdf',
			'application/pdf',
		);
		return [[{ json: {}, binary: { data }, pairedItem: { item: 0 } }]];
	},
};

const testApi: ICredentialType = {
	name: 'testApi',
	displayName: 'Test',
	properties: [
		{
			displayName: 'Key',
			name: 'apiKey',
			type: 'string',
			typeOptions: { password: true },
			default: '',
		},
		{ displayName: 'URL', name: 'baseUrl', type: 'string', default: 'http://unset.invalid' },
	],
	authenticate: async ({ apiKey }, request) => ({
		...request,
		headers: { ...request.headers, Authorization: `Bearer ${apiKey as string}` },
	}),
};

function workflowOf(type: string, more: object = {}): WorkflowJson {
	const place = { typeVersion: 1, position: [0, 0] as [number, number], parameters: {} };
	return {
		nodes: [
			{ ...place, id: '1', name: 'Start', type: 'n8n-nodes-base.manualTrigger' },
			{ ...place, id: '2', name: 'Node', type, ...more },
			{
				...place,
				id: '3',
				name: 'End',
				type: 'test.expression',
				parameters: { value: '={{ $("Start").item.json.id }}' },
			},
		],
		connections: {
			Start: { main: [[{ node: 'Node', type: 'main', index: 0 }]] },
			Node: { main: [[{ node: 'End', type: 'main', index: 0 }]] },
		},
	};
}

describe('the engine of the integration tests', () => {
	let server: Server;
	let requests: IncomingMessage[];
	let engine: Engine;

	beforeAll(async () => {
		requests = [];
		server = createServer((request, response) => {
			requests.push(request);
			response.end(`${request.url} for ${request.headers.authorization === `Bearer ${KEY}`}`);
		}).listen(0, '127.0.0.1');
		await once(server, 'listening');
		const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
		engine = await createEngine({
			credentials: { Test: { type: 'testApi', data: { apiKey: KEY, baseUrl } } },
			nodeTypes: { 'test.fetch': fetching, 'test.do': doing },
			credentialTypes: { testApi },
		});
	});

	afterAll(async () => {
		await engine.close();
		server.close();
	});

	const fetchWorkflow = (path: string) =>
		workflowOf('test.fetch', {
			parameters: { path },
			credentials: { testApi: { id: '1', name: 'Test' } },
		});

	it('sends authenticated requests over the network and traces items back to the start', async () => {
		const result = await engine.run(fetchWorkflow('={{ "/" + $json.id }}'), {
			input: [{ id: 'a' }, { id: 'b' }],
		});
		expect(result.itemsOf('Node')).toEqual([
			[
				{ json: { body: '/a for true' }, pairedItem: { item: 0 } },
				{ json: { body: '/b for true' }, pairedItem: { item: 1 } },
			],
		]);
		expect(result.items[0]?.map(({ json }) => json)).toEqual([{ value: 'a' }, { value: 'b' }]);
		expect(result.status).toBe('success');
		expect(requests).toHaveLength(2);
		expect(engine.leaks(result)).toEqual([]);
	});

	it('gives the error as it was thrown and as n8n saves it', async () => {
		const result = await engine.run(workflowOf('test.do'), { input: [{ fail: true }] });
		expect(result.status).toBe('error');
		expect(result.error).toMatchObject({
			message: 'It failed',
			context: { errorClass: 'why', itemIndex: 0 },
		});
		expect(result.thrown).toEqual([expect.any(NodeApiError)]);
	});

	it('stops a run like the stop button', async () => {
		const stop = new AbortController();
		const running = engine.run(workflowOf('test.do'), {
			input: [{ hang: true }],
			signal: stop.signal,
		});
		setImmediate(() => stop.abort());
		expect((await running).status).toBe('canceled');
	});

	it.each(['default', 'filesystem'] as const)(
		'keeps binary data in mode %s',
		async (binaryMode) => {
			const other = await createEngine({ binaryMode, nodeTypes: { 'test.do': doing } });
			const result = await other.run(workflowOf('test.do'));
			const data = result.itemsOf('Node')[0]![0]!.binary!['data']!;
			expect(data.id === undefined).toBe(binaryMode === 'default');
			expect((await other.bytes(data)).toString()).toBe('%PDF-');
			await other.close();
		},
	);

	it('sees a secret wherever it hides', () => {
		const error = new Error('no secret', {
			cause: { headers: new Map([['Authorization', `Bearer ${KEY}`]]) },
		});
		const encoded = { basic: Buffer.from(KEY).toString('base64'), bytes: Buffer.from(`x${KEY}`) };
		expect(findSecrets({ error, encoded, [KEY]: 1 }, [KEY])).toEqual([
			'$.error.cause.headers.0.1',
			'$.encoded.basic',
			'$.encoded.bytes',
			'$ (key)',
		]);
	});
});
