import type { IDataObject } from 'n8n-workflow';
import { itemsOf } from '../../../host/instance';
import { reportOn } from '../../../sandbox/reports';
import template from '../../../templates/ask-an-agent.json';
import { sanctionedAddress } from './addresses';
import type { ChatMessage, ChatRequest } from './model';
import type { Stage } from './stage';

const agent = 'Agent for Wallet Questions';
const tool = 'Screen_a_Wallet';

/** Calls the tool with the address of the question, and then repeats what the tool said of it. */
function obedient({ messages }: ChatRequest): ChatMessage {
	const last = messages.at(-1);
	if (last?.role !== 'tool') {
		const [address] = /0x\w{40}/.exec(last?.content ?? '') ?? [];
		const call = { name: tool, arguments: JSON.stringify({ address }) };
		return {
			role: 'assistant',
			content: null,
			tool_calls: [{ id: 'call_1', type: 'function', function: call }],
		};
	}
	const [result] = JSON.parse(String(last.content)) as [IDataObject];
	const { report_url, decision, error } = result;
	const outcome = (decision as IDataObject | undefined)?.outcome;
	const content = report_url
		? `The policy says ${String(outcome)}. Report: ${String(report_url)}`
		: `It could not be screened (${String(error)}) and must not be paid.`;
	return { role: 'assistant', content };
}

/** The agent that screens the wallets it is asked about. */
export function agentTests(stageOf: () => Stage): void {
	let stage: Stage;
	beforeAll(() => {
		stage = stageOf();
	});

	let chats = 0;
	/** Does what a question in the chat of the editor does. */
	const ask = async (chatInput: string) => {
		stage.model.script = obedient;
		const workflow = await stage.importTemplate(template);
		const json = { sessionId: `chat-${++chats}`, action: 'sendMessage', chatInput };
		const run = await stage.runFrom(workflow, 'When Someone Asks', {
			...{ startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [] },
			...{ executionStatus: 'success', data: { main: [[{ json }]] } },
		});
		return { status: run.status, answer: itemsOf(run, agent)[0]?.json.output };
	};

	test('screens the wallet of the question, and its answer cites the report', async () => {
		const { status, answer } = await ask(`Is ${sanctionedAddress} safe to pay?`);
		expect(stage.sandbox.requests).toMatchObject([
			{ method: 'POST', path: '/v1/screen', body: { address: sanctionedAddress }, status: 200 },
		]);
		const { report_url } = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		expect(status).toBe('success');
		expect(answer).toBe(`The policy says block. Report: ${report_url}`);

		const [asked, again, ...more] = stage.model.requests;
		expect(more).toEqual([]);
		expect(asked?.messages[0]?.content).toContain('Always give the report_url');
		// The model may choose the address, and nothing else of what the node does.
		expect(asked?.tools).toEqual([
			{
				type: 'function',
				function: expect.objectContaining({
					name: tool,
					description: expect.stringContaining('Screens one crypto wallet'),
					parameters: expect.objectContaining({
						properties: { address: expect.objectContaining({ type: 'string' }) },
						required: ['address'],
					}),
				}),
			},
		]);
		const [result] = JSON.parse(String(again?.messages.at(-1)?.content)) as [IDataObject];
		const report = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		expect(result).toMatchObject({ ...report, decision: { outcome: 'block' } });
		expect(JSON.stringify(stage.model.requests)).not.toContain(stage.sandbox.keys.readWrite);
	});

	test.each([401, 404, 500])(
		'is told that there is no report when the service answers %i',
		async (status) => {
			stage.sandbox.addFault({ effect: { kind: 'answer', status } });
			const { answer } = await ask(`Is ${sanctionedAddress} safe to pay?`);
			expect(answer).toMatch(/^It could not be screened \(.*\w.*\) and must not be paid\.$/);
			const result = String(stage.model.requests.at(-1)?.messages.at(-1)?.content);
			expect(result).not.toMatch(/report_url|allow|green/);
		},
	);
}
