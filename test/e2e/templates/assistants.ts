import { reportOn } from '../../../sandbox/reports';
import { connectMcp, type McpClient } from '../../support/n8n/mcpClient';
import { greenAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { stage } from '../../support/templates/stage';
import { outgoingToken } from '../../support/templates/standIns';

/** AI assistants that screen over MCP. */
export function assistantTests(): void {
	let client: McpClient;
	beforeAll(async () => {
		await stage.publishTemplate('screening-for-ai-assistants', {
			'When an Assistant Asks': { webhookId: 'wallet-screening' },
		});
		client = await connect(outgoingToken);
	});
	afterAll(async () => {
		await client.close();
		await stage.withdrawAll();
	});

	const connect = async (token: string) =>
		await connectMcp(`${stage.n8n.url}/mcp/wallet-screening`, { authorization: `Bearer ${token}` });
	const call = async (address: string) => {
		const { tools } = await client.listTools();
		return await client.callTool({ name: tools[0]!.name, arguments: { address, chain: '' } });
	};

	test('get the decision of the policy and the link, and neither key nor evidence', async () => {
		const { isError, content } = await call(sanctionedAddress);
		const { report_url } = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		expect(isError).toBeFalsy();
		const answerText = JSON.stringify(content);
		for (const known of ['block', report_url]) expect(answerText).toContain(known);
		expect(answerText).not.toContain('sha256');
		expect(answerText).not.toContain(stage.sandbox.keys.readWrite);
		const row = expect.objectContaining({ address: sanctionedAddress, outcome: 'block' });
		expect(await table('Screening Results').rows()).toContainEqual(row);
		expect(JSON.stringify(await call(greenAddress))).toContain('allow');
	});

	test.each([greenAddress, 'two words'])(
		'get an error and no outcome if %s is not screened',
		async (address) => {
			stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
			const { isError, content } = await call(address);
			expect(isError).toBe(true);
			expect(JSON.stringify(content)).not.toMatch(/outcome/);
		},
	);

	test('are turned away without the token', async () => {
		await expect(connect('another token')).rejects.toThrow();
	});
}
