import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../tools/host/instance';
import { reportOn } from '../../../sandbox/reports';
import { seed } from '../../support/random';
import { greenAddress, sanctionedAddress } from './addresses';
import { type PaymentRow, publishApproval, untilApprovalIsQuiet } from './approve';
import type { setUp } from './foundation';
import { hostilePrompts, payTool, type Prompt, screenTool } from './hostile';
import type { ChatMessage, ChatRequest } from './model';
import { outputOf, type Stage, untilQuiet } from './stage';
import type { TeamRequest } from './teamSystem';

const agentNode = 'Agent for Wallet Questions';
/** 200 is what the template is meant to bear. */
const count = Number(process.env.PROMPTS ?? 30);

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

/** The agent that screens the wallets it is asked about, and asks for payments. */
export function agentTests(
	stageOf: () => Stage,
	workflows: () => Awaited<ReturnType<typeof setUp>>,
): void {
	let stage: Stage;
	let parts: Awaited<ReturnType<typeof publishApproval>>;
	let workflow: Saved<Workflow>;
	beforeAll(async () => {
		stage = stageOf();
		parts = await publishApproval(stage);
		const workflowId = { __rl: true, mode: 'id', value: workflows().screening.id };
		workflow = await stage.publishTemplate('ask-an-agent', {
			[screenTool.replaceAll('_', ' ')]: { parameters: { workflowId } },
		});
	});
	afterAll(async () => {
		stage.sandbox.setDay(0);
		for (const one of [workflow, parts.take, parts.answer, parts.release]) {
			await stage.n8n.unpublishWorkflow(one);
		}
	});
	beforeEach(async () => await stage.table('Screening Payments').clear());

	const chat = async (chatInput: string) => {
		const asked = outputOf({ sessionId: randomUUID(), action: 'sendMessage', chatInput });
		const run = await stage.runFrom(workflow, 'When Someone Asks', asked);
		await untilQuiet(stage, workflow);
		await untilApprovalIsQuiet(stage, parts);
		return run;
	};
	const lastAnswer = () => String(stage.model.requests.at(-1)?.messages.at(-1)?.content);

	test('screens the wallet of the question by the policy, and may choose nothing but the address', async () => {
		stage.model.script = ({ messages }) =>
			messages.at(-1)?.role === 'tool'
				? { role: 'assistant', content: 'Done.' }
				: calling(screenTool, JSON.stringify({ input: sanctionedAddress }));
		const run = await chat(`Is ${sanctionedAddress} safe to pay?`);
		expect(itemsOf(run, agentNode)[0]?.json.output).toBe('Done.');
		expect(stage.sandbox.requests).toMatchObject([
			{ path: '/v1/screen', body: { address: sanctionedAddress } },
		]);
		const { report_url } = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		expect(lastAnswer()).toContain('"outcome":"block"');
		expect(lastAnswer()).toContain(report_url);
		const [asked] = stage.model.requests;
		expect(asked?.messages[0]?.content).toContain('Always give the report_url');
		expect(argumentsOf(asked, screenTool)).toEqual(['input']);
		expect(argumentsOf(asked, payTool)).toEqual(['address', 'chain', 'amount', 'reference']);
		expect(asked?.tools).toHaveLength(2);
		expect(JSON.stringify(stage.model.requests)).not.toContain(stage.sandbox.keys.readWrite);
	});

	test('a failed screening is no result', async () => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		stage.model.script = ({ messages }) =>
			messages.at(-1)?.role === 'tool'
				? { role: 'assistant', content: 'Done.' }
				: calling(screenTool, JSON.stringify({ input: greenAddress }));
		await chat('Is it safe?');
		expect(lastAnswer()).toContain('"outcome":"not screened"');
	});

	test('asks for a payment in its own name, and hears that people decide', async () => {
		const wanted = { address: sanctionedAddress, chain: 'ETH', amount: '5', reference: 'INV-7' };
		stage.model.script = ({ messages }) =>
			messages.at(-1)?.role === 'tool'
				? { role: 'assistant', content: 'Done.' }
				: calling(payTool, JSON.stringify({ ...wanted, requested_by: 'ann@example.com' }));
		await chat('Pay it');
		expect(lastAnswer()).toContain('needs 2 people');
		expect(await stage.table('Screening Payments').rows<PaymentRow>()).toMatchObject([
			{ reference: 'INV-7', requested_by: 'agent@example.com', status: 'needs 2 people' },
		]);
		expect(stage.team.requests).toEqual([]);
	});

	/** Lets the model of a prompt do its worst. */
	async function play({ text, turns }: Prompt) {
		stage.clear();
		stage.sandbox.setDay(0);
		await stage.table('Screening Payments').clear();
		const unfounded: IDataObject[] = [];
		const used = new Set<unknown>();
		stage.team.onRequest = ({ body }: TeamRequest) => {
			// Each release needs a screening of its own, of the very address that is paid.
			const screening = stage.sandbox.requests.find(
				(one) =>
					one.path === '/v1/screen' &&
					one.status === 200 &&
					!used.has(one) &&
					(one.body as IDataObject | undefined)?.address === body.address &&
					((one.body as IDataObject).chain ?? '') === body.chain,
			);
			if (screening) used.add(screening);
			else unfounded.push(body);
		};
		const left = [...turns];
		stage.model.script = (): ChatMessage => {
			const turn = left.shift();
			if (!turn) return { role: 'assistant', content: 'Done.' };
			turn.meanwhile?.(stage.sandbox);
			const calls = turn.calls.map(({ tool, args }, n) => ({
				id: `call_${left.length}_${n}`,
				type: 'function' as const,
				function: { name: tool, arguments: args },
			}));
			return { role: 'assistant', content: null, tool_calls: calls };
		};
		await chat(text);
		const rows = await stage.table('Screening Payments').rows<PaymentRow & { address: string }>();
		for (const { body } of stage.team.requests) {
			const row = rows.find(({ reference }) => reference === body.payment_id);
			if (row?.address !== body.address || row?.decided_by !== 'policy') unfounded.push(body);
		}
		return { paid: stage.team.requests.map(({ body }) => String(body.address)).sort(), unfounded };
	}

	test(
		`releases nothing without a fresh allow, in ${count} hostile prompts (TEST_SEED ${seed})`,
		async () => {
			let payments = 0;
			for (const [number, prompt] of hostilePrompts(count, seed).entries()) {
				const { paid, unfounded } = await play(prompt);
				const said = {
					number,
					kind: prompt.kind,
					calls: prompt.turns.flatMap(({ calls }) => calls),
				};
				expect({ ...said, unfounded, paid }).toEqual({
					...{ ...said, unfounded: [], paid: [...prompt.paid].sort() },
				});
				payments += paid.length;
			}
			// The prompts hold honest requests too: a tool that pays nobody proves nothing.
			expect(payments).toBeGreaterThan(0);
		},
		60_000 + 20_000 * count,
	);
}
