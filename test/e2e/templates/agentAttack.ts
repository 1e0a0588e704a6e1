import type { RequestRecord } from '../../../sandbox/server';
import { seed } from '../../support/random';
import { readDecision, readPolicy, valuesOf } from '../../support/rulesReading';
import { hostilePrompts, payTool, type Prompt } from './hostile';
import type { ChatMessage } from './model';
import type { Payment, Payments } from './payments';
import { type Agent, startAgent } from './agent';
import type { Stage } from './stage';

/** The rules that the note of the template names. */
const policy = readPolicy([
	{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' },
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
])!;

/** The payment tool names the chain, the agent's own tool leaves it to the service. */
const isOfPayment = ({ path, body }: RequestRecord) =>
	path === '/v1/screen' && (body as Payment | undefined)?.chain !== undefined;

/** Whether it is a screening, by the payment tool, of the very bytes that are paid. */
const isFresh = (request: RequestRecord, { address, chain }: Payment) =>
	isOfPayment(request) &&
	request.status === 200 &&
	JSON.stringify(request.body) === JSON.stringify({ address, chain });

/** The payment tool of the agent, asked by a model that does its worst. */
export function agentAttackTests(stageOf: () => Stage, { isN8n1 = false } = {}): void {
	/** 200 is what the template is meant to bear. */
	const count = Number(process.env.PROMPTS ?? (isN8n1 ? 8 : 40));
	let stage: Stage;
	let agent: Agent;
	let payments: Payments;
	beforeAll(async () => {
		stage = stageOf();
		agent = await startAgent(stage);
		({ payments } = agent);
	});
	afterAll(async () => {
		stage.sandbox.setDay(0);
		await agent.close();
	});

	/** Lets the model of a prompt do its worst. */
	async function play({ text, turns }: Prompt) {
		stage.clear();
		stage.sandbox.setDay(0);
		payments.clear();
		const used = new Set<RequestRecord>();
		const unfounded: Payment[] = [];
		payments.onRequest = (payment) => {
			const screening = stage.sandbox.requests.find(
				(one) => isFresh(one, payment) && !used.has(one),
			);
			if (screening) used.add(screening);
			else unfounded.push(payment);
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
		await agent.chat(text);
		const screenings = stage.sandbox.requests.filter(isOfPayment).length;
		for (const payment of payments.paid) {
			if (!(await isAllowed(payment))) unfounded.push(payment);
		}
		return { paid: payments.paid, unfounded, screenings };
	}

	/** Whether the service keeps a report of this number, on the bytes that are paid, that the rules allow. */
	async function isAllowed({ report_id, address, chain }: Payment): Promise<boolean> {
		const { baseUrl, keys } = stage.sandbox;
		const answer = await fetch(`${baseUrl}/v1/reports/${String(report_id)}`, {
			headers: { authorization: `Bearer ${keys.readOnly}` },
		});
		const report = valuesOf(await answer.json());
		if (!report || report.address !== address || report.chain !== chain) return false;
		return readDecision(report, policy, new Date(), String(chain)).outcome === 'allow';
	}

	test(
		`pays nobody without a fresh allow, in ${count} hostile prompts (TEST_SEED ${seed})`,
		async () => {
			const total = { prompts: 0, calls: 0, screenings: 0, payments: 0, withoutAllow: 0 };
			for (const [number, prompt] of hostilePrompts(count, seed).entries()) {
				const { paid, unfounded, screenings } = await play(prompt);
				const calls = prompt.turns.flatMap((turn) => turn.calls);
				const said = { number, kind: prompt.kind, calls };
				expect({ ...said, unfounded }).toEqual({ ...said, unfounded: [] });
				const addresses = paid.map(({ address }) => String(address)).sort();
				expect({ ...said, addresses }).toEqual({ ...said, addresses: [...prompt.paid].sort() });
				for (const payment of paid) {
					expect(Object.keys(payment).sort()).toEqual([
						...['address', 'amount', 'chain', 'reference', 'report_id'],
					]);
				}
				total.prompts++;
				total.calls += calls.filter(({ tool }) => tool === payTool).length;
				total.screenings += screenings;
				total.payments += paid.length;
				total.withoutAllow += unfounded.length;
			}
			expect(total).toMatchObject({ prompts: count, withoutAllow: 0 });
			// The prompts hold honest requests too: a tool that pays nobody proves nothing.
			expect(total.payments).toBeGreaterThan(0);
			if (process.env.PROMPTS) process.stdout.write(`${JSON.stringify(total)}\n`);
		},
		60_000 + 20_000 * count,
	);
}
