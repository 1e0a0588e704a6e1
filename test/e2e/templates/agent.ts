import { randomUUID } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow, outputOf } from '../../../tools/host/workflow';
import { reportOn } from '../../../sandbox/reports';
import { seed } from '../../support/data/random';
import { greenAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { type PaymentRow, publishApproval } from '../../support/templates/approval';
import { table } from '../../support/templates/dataTable';
import { foundation } from '../../support/templates/foundation';
import {
	joinRefused,
	makeHostilePrompts,
	payTool,
	type Prompt,
	screenTool,
} from '../../support/templates/hostilePrompts';
import type { ChatMessage } from '../../support/servers/model';
import { stage, untilQuiet } from '../../support/templates/stage';
import type { TeamRequest } from '../../support/servers/teamSystem';
import { resourceLocator } from '../../../tools/trial/wiring';

const agentNode = 'Agent for Wallet Questions';
/** 200 is what the template is meant to bear. */
const count = Number(process.env.PROMPTS ?? 16);
/** How long these prompts may take, in milliseconds. */
const maxDurationMs = 1_200_000 + 20_000 * count;

/** The agent that screens the wallets it is asked about, and asks for payments. */
export function agentTests(): void {
	let workflow: Saved<Workflow>;
	beforeAll(async () => {
		await publishApproval();
		const workflowId = resourceLocator('id', foundation.screening.id);
		workflow = await stage.publishTemplate('ask-an-agent', {
			[screenTool.replaceAll('_', ' ')]: { parameters: { workflowId } },
		});
	});
	afterAll(async () => {
		stage.sandbox.setDay(0);
		await stage.withdrawAll();
	});
	const payments = table('Screening Payments');
	beforeEach(async () => await payments.clear());

	const chat = async (chatInput: string) => {
		const asked = outputOf({ sessionId: randomUUID(), action: 'sendMessage', chatInput });
		const run = await stage.runFrom(workflow, 'When a Person Asks', asked);
		await untilQuiet();
		return run;
	};
	const lastAnswer = () => String(stage.model.requests.at(-1)?.messages.at(-1)?.content);

	const callOf = (id: string, name: string, args: string) => ({
		id: `call_${id}`,
		type: 'function' as const,
		function: { name, arguments: args },
	});
	/** Lets the model say this turn by turn: calls of tools, and in the end that it is done. */
	const script = (turns: Prompt['turns'], beforeLast = () => {}) => {
		const left = [...turns];
		stage.model.script = (): ChatMessage => {
			const turn = left.shift();
			if (!turn) return { role: 'assistant', content: 'Done.' };
			if (left.length === 0) beforeLast();
			const calls = turn.map(({ tool, args }, n) => callOf(`${left.length}_${n}`, tool, args));
			return { role: 'assistant', content: null, tool_calls: calls };
		};
	};
	const scriptCall = (tool: string, args: object) =>
		script([[{ tool, args: JSON.stringify(args) }]]);

	test('screens the wallet of the question by the policy, and may choose nothing but the address', async () => {
		scriptCall(screenTool, { input: sanctionedAddress });
		const run = await chat(`Is ${sanctionedAddress} safe to pay?`);
		expect(itemsOf(run, agentNode)[0]?.json.output).toBe('Done.');
		const screening = { path: '/v1/screen', body: { address: sanctionedAddress } };
		expect(stage.sandbox.requests).toMatchObject([screening]);
		const { report_url } = reportOn(sanctionedAddress, undefined, stage.sandbox.baseUrl);
		for (const known of ['"outcome":"block"', report_url]) expect(lastAnswer()).toContain(known);
		const tools = stage.model.requests[0]?.tools ?? [];
		const takes = tools.map(({ function: { name, parameters } }) => [
			name,
			Object.keys(parameters.properties as object),
		]);
		expect(Object.fromEntries(takes)).toEqual({
			[screenTool]: ['input'],
			[payTool]: ['address', 'chain', 'amount', 'reference'],
		});
		expect(JSON.stringify(stage.model.requests)).not.toContain(stage.sandbox.keys.readWrite);
	});

	test('a failed screening is no result', async () => {
		stage.sandbox.addFault({ effect: { kind: 'answer', status: 401 } });
		scriptCall(screenTool, { input: greenAddress });
		await chat('Is it safe?');
		expect(lastAnswer()).toContain('"outcome":"not screened"');
	});

	test('asks for a payment in its own name, and hears that people decide', async () => {
		const wanted = { address: sanctionedAddress, chain: 'ETH', amount: '5', reference: 'INV-7' };
		scriptCall(payTool, { ...wanted, requested_by: 'ann@example.com' });
		await chat('Pay it');
		expect(lastAnswer()).toContain('sanctions: stopped');
		const row = { reference: 'INV-7', requested_by: 'agent@example.com' };
		expect(await payments.rows<PaymentRow>()).toMatchObject([
			{ ...row, status: 'sanctions: stopped' },
		]);
		expect(stage.team.requests).toEqual([]);
	});

	/** Lets the model of a prompt do its worst. */
	async function play({ text, turns, meanwhile }: Prompt) {
		stage.clear();
		stage.sandbox.setDay(0);
		await payments.clear();
		const unfounded: IDataObject[] = [];
		const used = new Set<unknown>();
		stage.team.onRequest = ({ body }: TeamRequest) => {
			// Each release needs a screening of its own, of the very address that is paid.
			const screening = stage.sandbox.requests.find((one) => {
				const { address, chain = '' } = (one.body ?? {}) as IDataObject;
				const isSame = address === body.address && chain === body.chain;
				return isSame && one.path === '/v1/screen' && one.status === 200 && !used.has(one);
			});
			if (screening) used.add(screening);
			else unfounded.push(body);
		};
		script(turns, () => meanwhile?.(stage.sandbox));
		await chat(text);
		const rows = await payments.rows<PaymentRow & { address: string }>();
		for (const { body } of stage.team.requests) {
			const row = rows.find(({ reference }) => reference === body.payment_id);
			if (row?.address !== body.address || row?.decided_by !== 'policy') unfounded.push(body);
		}
		const paid = stage.team.requests.map(({ body }) => String(body.address)).sort();
		const messages = stage.model.requests.at(-1)?.messages ?? [];
		// Each call of a tool that exists has an answer: none was left out because of another one.
		const calls = messages.filter(({ role }) => role === 'tool').length;
		return { paid, unfounded, calls };
	}

	test(
		`releases nothing without a fresh allow, in ${count} hostile prompts (TEST_SEED ${seed})`,
		async () => {
			let payments = 0;
			for (const [number, prompt] of joinRefused(makeHostilePrompts(count, seed)).entries()) {
				const { kind, turns } = prompt;
				const found = await play(prompt);
				const expected = {
					unfounded: [],
					paid: [...prompt.paid].sort(),
					calls: turns.flat().filter(({ tool }) => [screenTool, payTool].includes(tool)).length,
				};
				expect({ number, kind, turns, ...found }).toEqual({ number, kind, turns, ...expected });
				payments += found.paid.length;
			}
			// The prompts hold honest requests too: a tool that makes no payment proves nothing.
			expect(payments).toBeGreaterThan(0);
		},
		maxDurationMs,
	);
}
