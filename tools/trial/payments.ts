import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { chainOf } from '../../sandbox/chains';
import { markup, type Markup } from '../../sandbox/markup';
import { sanctionedAddresses } from '../../sandbox/sanctions';
import { scenarioAddress } from '../../sandbox/scenarios';
import { refreshing, sendPage } from './site';

/** A payment, as the payment system keeps it. */
export interface Payment {
	readonly payment_id: string;
	readonly address: string;
	readonly chain: string;
	readonly amount: string;
	readonly requested_by: string;
	status: 'held' | 'released';
	/** The reason for which n8n refused it; empty if it did not. */
	refusal: string;
}

/** A row of n8n's table of payments. */
export type PaymentRow = Record<
	'reference' | 'status' | 'summary' | 'first_by' | 'decided_by',
	string | null
>;

/** A request of a workflow to a system of the team, e.g. `POST /do/release`. */
interface SystemRequest {
	readonly action: string;
	/** What it concerns: a payment, a wallet or a case. */
	readonly subject: string;
}

export interface PaymentOptions {
	/** The Bearer token that workflows have to send. */
	readonly token: string;
	/** The text with which n8n signs the status of a payment. */
	readonly signingText: string;
	/** Sends a payment to n8n. */
	readonly sendPayment: (payment: object) => Promise<Response>;
	/** Reads n8n's table of payments. */
	readonly readRows: () => Promise<readonly PaymentRow[]>;
}

/** The sanctioned wallet of the theft from the Ronin bridge in 2022. */
export const sanctionedWallet = sanctionedAddresses.find(({ address }) =>
	address.startsWith('0x098B'),
)!.address;

/** Wallets to try. `says` is what happens to a payment to them under the first policy of Set Up. */
const recipients = [
	{
		address: sanctionedWallet,
		says: 'A wallet on the US sanctions list: stopped, no one can release it, and a case is open',
	},
	{
		address: scenarioAddress('darknet'),
		says: 'A darknet wallet, for which the policy decides block: two approvers have to release it',
	},
	{
		address: scenarioAddress('drifting'),
		says: 'A wallet whose level is amber: one approver has to release it',
	},
	{ address: scenarioAddress('harmless'), says: 'A harmless wallet: released at once' },
	{
		address: scenarioAddress('refused'),
		says: 'A wallet that the service refuses: not screened, not released',
	},
];

const colors: Record<string, string> = {
	released: 'green',
	rejected: 'red',
	'sanctions: stopped': 'red',
};

/** What the workflows request of other systems, by the action. */
const actionWords: Record<string, string> = { freeze: 'Freeze', open: 'Open a ticket' };

/** Whether n8n signed a request, by the rule of Standard Webhooks. */
function isSigned(headers: IncomingHttpHeaders, body: string, signingText: string): boolean {
	const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
	const signature = createHmac('sha256', signingText).update(content).digest('base64');
	return headers['webhook-signature'] === `v1,${signature}`;
}

/** The state of a payment in n8n, in words. */
function wordsOf(row: PaymentRow | undefined, refusal: string): string {
	if (!row) return refusal || 'no answer yet';
	const { status, summary, first_by, decided_by } = row;
	const people = [first_by, decided_by].filter((person) => person && person !== 'policy');
	const answered = people.length > 0 ? ` (answered: ${people.join(', ')})` : '';
	return `${status ?? 'not screened'}${answered}: ${summary ?? 'n8n has not decided yet'}`;
}

/** A payment system in memory, and the other systems that workflows call. */
export class PaymentSystem {
	private readonly payments: Payment[] = [];
	/** What workflows asked for, by the action and the Idempotency-Key. */
	private readonly requests = new Map<string, SystemRequest>();
	/** The statuses that n8n sent of each payment, in order, by the ID of the request. */
	private readonly statuses = new Map<string, Map<string, string>>();

	constructor(private readonly options: PaymentOptions) {}

	/** Takes a payment, and sends it to n8n as a real system would. */
	async send(address: string, amount: string): Promise<Payment> {
		const payment: Payment = {
			payment_id: `P-${1001 + this.payments.length}`,
			address,
			chain: chainOf(address),
			amount,
			requested_by: 'treasury@example.com',
			status: 'held',
			refusal: '',
		};
		this.payments.push(payment);
		const { status: _, refusal: __, ...sent } = payment;
		const response = await this.options.sendPayment(sent);
		const answer = await response.text();
		if (!response.ok) payment.refusal = `refused (${response.status}): ${answer}`;
		return payment;
	}

	/** Takes the status of a payment. `requestId` is the same if n8n sends it again. */
	takeStatus(requestId: string, payment_id: string, status: string): void {
		const known = this.statuses.get(payment_id) ?? new Map<string, string>();
		this.statuses.set(payment_id, known.set(requestId, status));
	}

	/** Carries out a request once for each Idempotency-Key. @returns the answer */
	carryOut(action: string, key: string, body: Readonly<Record<string, string>>): object {
		const { payment_id, title, freeze, reference } = body;
		const subject = freeze ?? title ?? reference ?? payment_id ?? '';
		const name = `${action} ${key}`;
		if (!this.requests.has(name)) this.requests.set(name, { action, subject });
		const payment = this.payments.find((known) => known.payment_id === payment_id);
		if (payment && action === 'release') payment.status = 'released';
		const id = `T-${[...this.requests.keys()].indexOf(name) + 1}`;
		const status = action === 'freeze' ? 'frozen' : (payment?.status ?? 'done');
		return { id, payment_id, status };
	}

	/** The content of the page that lists the payments, the newest first. */
	async page(): Promise<Markup> {
		const inN8n = new Map((await this.options.readRows()).map((row) => [row.reference, row]));
		const rows = this.payments.map((payment) => this.rowOf(payment, inN8n.get(payment.payment_id)));
		const others = [...this.requests.values()].filter(({ action }) => action !== 'release');
		const otherLines = others.map(
			({ action, subject }) => markup`<p>${actionWords[action] ?? action}: ${subject}</p>`,
		);
		return markup`<p>A stand-in for your payment system. It tells n8n of each payment, and holds the payment until n8n releases it. It never pays what people rejected.</p>
<p><a href="/payments/new">Send a test payment</a></p>
<div class="card table"><table><tr><th>Payment<th>Status<th>Amount<th>In n8n, and the recipient${rows.reverse()}</table></div>
${others.length ? markup`<div class="card"><h2>What else the workflows requested</h2>${otherLines}</div>` : ''}`;
	}

	private rowOf(payment: Payment, row: PaymentRow | undefined): Markup {
		const { payment_id, amount, address, refusal } = payment;
		const isOver = row?.status === 'rejected' || row?.status === 'sanctions: stopped';
		const status = isOver ? row.status! : payment.status;
		const statuses = [...(this.statuses.get(payment_id)?.values() ?? ['none yet'])];
		return markup`
<tr><td>${payment_id}<td><span class="badge ${colors[status] ?? 'yellow'}">${status}</span><td>${amount}
<td>${wordsOf(row, refusal)}<br><span class="code faint">${address}</span>
<br><span class="faint">Statuses received: ${statuses.join(', then ')}</span>`;
	}
}

/** Adds a payment system, the other systems that workflows call, and their pages. */
export function addPayments(app: FastifyInstance, options: PaymentOptions): PaymentSystem {
	const system = new PaymentSystem(options);
	addStatuses(app, system, options.signingText);
	addActions(app, system, options.token);
	addPaymentPages(app, system);
	return system;
}

/** Adds the call by which n8n sends the status of a payment. */
function addStatuses(app: FastifyInstance, system: PaymentSystem, signingText: string): void {
	app.register(async (scope) => {
		// The signature is of the body as it came.
		scope.addContentTypeParser(
			'application/json',
			{ parseAs: 'string' },
			async (_: unknown, body: string) => body,
		);
		scope.post<{ Body: string }>('/do/status', ({ headers, body }, reply) => {
			if (!isSigned(headers, body, signingText)) return reply.code(401).send({});
			const { payment_id, status } = (JSON.parse(body) as { data: Record<string, string> }).data;
			system.takeStatus(String(headers['webhook-id']), payment_id!, status!);
			return reply.code(204).send();
		});
	});
}

/** Adds the calls by which workflows release payments, freeze accounts and open tickets. */
function addActions(app: FastifyInstance, system: PaymentSystem, token: string): void {
	app.post<{ Params: { action: string }; Body: Record<string, string> }>(
		'/do/:action',
		({ headers, params, body }, reply) => {
			if (headers.authorization !== `Bearer ${token}`) return reply.code(401).send({});
			return reply.send(system.carryOut(params.action, String(headers['idempotency-key']), body));
		},
	);
}

function addPaymentPages(app: FastifyInstance, system: PaymentSystem): void {
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
	);
	app.get('/payments', async (_request, reply) =>
		sendPage(reply, 'Payment system', await system.page(), refreshing),
	);
	app.get('/payments/new', (_request, reply) => {
		const choices = recipients.map(
			({ address, says }, at) => markup`
<label><input type="radio" name="address" value="${address}" ${at ? '' : 'checked'}> ${says}<br><span class="code faint">${address}</span></label>`,
		);
		return sendPage(
			reply,
			'Send a test payment',
			markup`<form class="card" method="post" action="/payments">${choices}
<label>Another wallet <input type="text" name="other" placeholder="leave empty to use a wallet above"></label>
<label>Amount <input type="text" name="amount" value="12.50 ETH" required></label>
<button>Send</button></form>`,
		);
	});
	app.post<{ Body: { address: string; other: string; amount: string } }>(
		'/payments',
		async ({ body: { address, other, amount } }, reply) => {
			await system.send(other.trim() || address, amount);
			return reply.redirect('/payments', 303);
		},
	);
}
