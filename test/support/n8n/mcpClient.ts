import { createRequire } from 'node:module';
import { join } from 'node:path';
import { installN8n } from '../../../tools/host/install';
import { defaultN8nVersion } from '../../../tools/host/versions';

interface ToolResult {
	isError?: boolean;
	content: Array<{ text: string }>;
}

/** The client of the Model Context Protocol's own SDK, which is installed with n8n. */
export interface McpClient {
	connect(transport: unknown): Promise<void>;
	listTools(): Promise<{ tools: Array<{ name: string }> }>;
	callTool(call: { name: string; arguments: object }): Promise<ToolResult>;
	close(): Promise<void>;
}

/** Connects to a server that offers tools. `headers` are sent with each request. */
export async function connectMcp(
	url: string,
	headers: Record<string, string> = {},
): Promise<McpClient> {
	const { folder } = await installN8n(defaultN8nVersion);
	const sdk = createRequire(join(folder, 'package.json'));
	const { Client } = sdk('@modelcontextprotocol/sdk/client/index.js');
	const { StreamableHTTPClientTransport: Transport } = sdk(
		'@modelcontextprotocol/sdk/client/streamableHttp.js',
	);
	const client = new Client({ name: 'test', version: '1' }) as McpClient;
	await client.connect(new Transport(new URL(url), { requestInit: { headers } }));
	return client;
}
