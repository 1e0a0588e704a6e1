import { loadTests } from './together/load';
import { mcpTests } from './together/mcp';
import { n8n, startN8n } from './together/n8n';
import { outageTests } from './together/outage';

const chapters: Array<[string, () => void]> = [
	['20 workflows at once that share a key', loadTests],
	['behind the MCP Server Trigger', () => mcpTests(() => n8n)],
	['three bulk jobs', outageTests],
];

describe('in a real n8n', () => {
	beforeAll(startN8n);
	afterAll(() => n8n?.stop());

	describe.each(chapters)('%s', (_, tests) => {
		tests();
	});
});
