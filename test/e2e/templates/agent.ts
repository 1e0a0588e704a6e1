import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { type Execution, itemsOf } from '../../../host/instance';
import { reportOn } from '../../../sandbox/reports';
import { scenarios } from '../../../sandbox/scenarios';
import template from '../../../templates/ask-an-agent.json';
import { greenAddress, sanctionedAddress } from './addresses';
import { payTool, screenTool } from './hostile';
import type { ChatMessage, ChatRequest } from './model';
import { type Payments, startPayments } from './payments';
import type { Stage } from './stage';

const agentNode = 'Agent for Wallet Questions';
const refusedAddress = scenarios.find(({ isRefused }) => isRefused)!.address;

const calling = (name: string, args: string): ChatMessage => ({
	role: 'assistant',
	content: null,
	tool_calls: [{ id: 'call_1', type: 'function', function: { name, arguments: args } }],
});

/** The names of what a tool takes from the model. */
function argumentsOf(request: ChatRequest | undefined, name: string): string[] {
	const tool = request?.tools?.find((one) => one.function.name === name);
	return Object.keys(tool?.function.parameters.properties ?? {});
}

/** Calls the tool with the address of the question, and then repeats what the tool said of it. */
function obedient({ messages }: ChatRequest): ChatMessage {
	const last = messages.at(-1);
	if (last?.role !== 'tool') {
		const [address] = /0x\w{40}/.exec(last?.content ?? '') ?? [];
		return calling(screenTool, JSON.stringify({ address }));
	}
	const [result] = JSON.parse(String(last.content)) as [IDataObject];
	const { report_url, decision, error } = result;
	const outcome = (decision as IDataObject | undefined)?.outcome;
	const content = report_url
		? `The policy says ${String(outcome)}. Report: ${String(report_url)}`
		: `It could not be screened (${String(error)}) and must not be paid.`;
	return { role: 'assistant', content };
}

/** The template, with a payment system. */
export interface Agent {
	payments: Payments;
	/** Does what a question in the chat of the editor does, in a chat of its own. */
	chat(chatInput: string): Promise<Execution>;
	close(): Promise<void>;
}

/** Imports and publishes the template, and connects it to a payment system. */
export async function startAgent(stage: Stage): Promise<Agent> {
	const payments = await startPayments(stage.callerHeader);
	const workflow = await stage.importTemplate(template, {
		'Send the Payment': { parameters: { url: payments.url } },
	});
	await stage.n8n.publishWorkflow(workflow);
	return {
		payments,
		async chat(chatInput) {
			const json = { sessionId: randomUUID(), action: 'sendMessage', chatInput };
			return await stage.runFrom(workflow, 'When Someone Asks', {
				...{ startTime: Date.now(), executionTime: 0, executionIndex: 0, source: [] },
				...{ executionStatus: 'success', data: { main: [[{ json }]] } },
			});
		},
		async close() {
			await stage.n8n.unpublishWorkflow(workflow);
			await payments.close();
		},
	};
}

/** The agent that screens the wallets it is asked about, and asks for payments. */
export function agentTests(stageOf: () => Stage): void {
	let stage: Stage;
	let agent: Agent;
	let payments: Payments;
	beforeAll(async () => {
		stage = stageOf();
		agent = await startAgent(stage);
		({ payments } = agent);
	});
	afterAll(async () => {
		await agent.close();
	});
	beforeEach(() => payments.clear());

	const ask = async (chatInput: string) => {
		stage.model.script = obedient;
		const run = await agent.chat(chatInput);
		return { status: run.status, answer: itemsOf(run, agentNode)[0]?.json.output };
	};
	const answerOfTool = () =>
		JSON.parse(String(stage.model.requests.at(-1)?.messages.at(-1)?.content)) as IDataObject[];

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
		// The model may choose what these name, and nothing else of what the tools do.
		expect(argumentsOf(asked, screenTool)).toEqual(['address']);
		expect(argumentsOf(asked, payTool)).toEqual(['address', 'chain', 'amount', 'reference']);
		expect(asked?.tools).toHaveLength(2);
		expect(again?.messages.at(-1)?.role).toBe('tool');
		const [result] = answerOfTool();
		const report = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		expect(result).toMatchObject({ ...report, decision: { outcome: 'block' } });
		expect(JSON.stringify(stage.model.requests)).not.toContain(stage.sandbox.keys.readWrite);
	});

	test.each([400, 401, 404, 500])(
		'learns that the wallet was not screened when the service answers %i',
		async (status) => {
			stage.sandbox.addFault({ effect: { kind: 'answer', status } });
			const { status: end, answer } = await ask(`Is ${greenAddress} safe to pay?`);
			expect(end).toBe('success');
			expect(answer).toMatch(
				/^It could not be screened \(Not screened: .*\w.*\) and must not be paid\.$/,
			);
			expect(answerOfTool()).toEqual([
				{
					error: expect.stringMatching(/^Not screened: \S/),
					details: expect.objectContaining({ address: greenAddress }),
				},
			]);
			expect(JSON.stringify(answerOfTool())).not.toMatch(/report_url|allow|green|decision/);
		},
	);

	test('learns that the test address that the service refuses was not screened', async () => {
		await ask(`Is ${refusedAddress} safe to pay?`);
		expect(answerOfTool()).toMatchObject([
			{
				error: 'Not screened: The service rejected the request (status 400)',
				details: { errorClass: 'bad_request', address: refusedAddress },
			},
		]);
	});

	describe('asks for a payment', () => {
		const request = { address: greenAddress, chain: 'ETH', amount: '120.50', reference: 'INV-7' };
		/** What the tool answers to these arguments. */
		const pay = async (changes: Partial<typeof request> = {}) => {
			const call = { name: payTool, arguments: JSON.stringify({ ...request, ...changes }) };
			stage.model.script = ({ messages }) =>
				messages.at(-1)?.role === 'tool'
					? { role: 'assistant', content: 'Done.' }
					: calling(call.name, call.arguments);
			await agent.chat('Pay the invoice.');
			return answerOfTool();
		};
		const reportOf = (address: string) => reportOn(address, 'ETH', stage.sandbox.baseUrl);

		test('which is screened, decided and made, and the payment names its report', async () => {
			const { report_id, report_url } = reportOf(greenAddress);
			expect(await pay()).toEqual([{ status: 'paid', ...request, report_url }]);
			expect(stage.sandbox.requests.map(({ body }) => body)).toEqual([
				{ address: greenAddress, chain: 'ETH' },
			]);
			expect(payments.paid).toEqual([{ ...request, report_id }]);
		});

		test('which the rules do not allow: it is held, and the reason is named', async () => {
			const { report_url } = reportOf(sanctionedAddress);
			expect(await pay({ address: sanctionedAddress })).toEqual([
				{ status: 'held', why: expect.stringMatching(/^Block: sanctions is/), report_url },
			]);
			expect(payments.paid).toEqual([]);
		});

		test('which cannot be screened: it is held, and that is said', async () => {
			expect(await pay({ address: refusedAddress })).toEqual([
				{
					status: 'held',
					why: expect.stringMatching(/^Not paid: the wallet was not screened\. \S/),
				},
			]);
			expect(payments.paid).toEqual([]);
		});

		test('which is too large: it is held, and nothing is screened', async () => {
			expect(await pay({ amount: '1000.01' })).toEqual([
				{ status: 'held', why: expect.stringMatching(/^Not paid and not screened: /) },
			]);
			expect(payments.paid).toEqual([]);
			expect(stage.sandbox.requests).toEqual([]);
		});

		test('which the payment system does not confirm: a person has to look', async () => {
			payments.isDown = true;
			expect(await pay()).toMatchObject([
				{ status: 'unclear', why: expect.stringContaining('A person has to look') },
			]);
		});
	});
}
