import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { chainOf } from '../../sandbox/chains';
import { markup } from '../../sandbox/markup';
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
	/** The value of the header `Idempotency-Key`. */
	readonly key: string;
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
		says: 'A wallet of the darknet: blocked, two people have to release it',
	},
	{
		address: scenarioAddress('drifting'),
		says: 'A wallet whose level is amber: one person has to release it',
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

/**
 * Adds a payment system in memory, and the other systems that workflows call. Each carries out a request once for each
 * Idempotency-Key.
 */
export function addPayments(
	app: FastifyInstance,
	{ token, signingText, sendPayment, readRows }: PaymentOptions,
): PaymentSystem {
	const payments: Payment[] = [];
	const requests = new Map<string, SystemRequest>();
	/** The statuses that n8n sent of each payment, in order, by the ID of the request. */
	const received = new Map<string, Map<string, string>>();

	/** Takes a payment, and sends it to n8n as a real system would. */
	const send = async (address: string, amount: string): Promise<Payment> => {
		const payment: Payment = {
			payment_id: `P-${1001 + payments.length}`,
			address,
			chain: chainOf(address),
			amount,
			requested_by: 'treasury@example.com',
			status: 'held',
			refusal: '',
		};
		payments.push(payment);
		const { status: _, refusal: __, ...told } = payment;
		const response = await sendPayment(told);
		const answer = await response.text();
		if (!response.ok) payment.refusal = `refused (${response.status}): ${answer}`;
		return payment;
	};

	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
	);

	// The signature is of the body as it came.
	app.register(async (scope) => {
		scope.addContentTypeParser(
			'application/json',
			{ parseAs: 'string' },
			async (_: unknown, body: string) => body,
		);
		scope.post<{ Body: string }>('/do/status', ({ headers, body }, reply) => {
			if (!isSigned(headers, body, signingText)) return reply.code(401).send({});
			const { payment_id, status } = (JSON.parse(body) as { data: Record<string, string> }).data;
			const ofPayment = received.get(payment_id!) ?? new Map<string, string>();
			received.set(payment_id!, ofPayment.set(String(headers['webhook-id']), status!));
			return reply.code(204).send();
		});
	});

	app.post<{ Params: { action: string }; Body: Record<string, string> }>(
		'/do/:action',
		(request, reply) => {
			if (request.headers.authorization !== `Bearer ${token}`) return reply.code(401).send({});
			const { action } = request.params;
			const key = String(request.headers['idempotency-key']);
			const { payment_id, title, freeze, reference } = request.body;
			const subject = freeze ?? title ?? reference ?? payment_id ?? '';
			const name = `${action} ${key}`;
			if (!requests.has(name)) requests.set(name, { action, key, subject });
			const payment = payments.find((known) => known.payment_id === payment_id);
			if (payment && action === 'release') payment.status = 'released';
			const id = `T-${[...requests.keys()].indexOf(name) + 1}`;
			const status = action === 'freeze' ? 'frozen' : (payment?.status ?? 'done');
			return reply.send({ id, payment_id, status });
		},
	);

	app.get('/payments', async (_request, reply) => {
		const inN8n = new Map((await readRows()).map((row) => [row.reference, row]));
		const rows = payments.map(({ payment_id, amount, address, refusal, status: ownStatus }) => {
			const row = inN8n.get(payment_id);
			const isOver = row?.status === 'rejected' || row?.status === 'sanctions: stopped';
			const status = isOver ? row.status! : ownStatus;
			return markup`
<tr><td>${payment_id}<td><span class="badge ${colors[status] ?? 'yellow'}">${status}</span><td>${amount}
<td>${wordsOf(row, refusal)}<br><span class="code faint">${address}</span>
<br><span class="faint">Statuses received: ${[...(received.get(payment_id)?.values() ?? ['none yet'])].join(', then ')}</span>`;
		});
		const others = [...requests.values()].filter(({ action }) => action !== 'release');
		return sendPage(
			reply,
			'Payment system',
			markup`<p>A stand-in for your payment system. It tells n8n of each payment, and holds the payment until n8n releases it. It never pays what people rejected.</p>
<p><a href="/payments/new">Send a test payment</a></p>
<div class="card table"><table><tr><th>Payment<th>Status<th>Amount<th>In n8n, and the recipient${rows.reverse()}</table></div>
${others.length ? markup`<div class="card"><h2>What else the workflows requested</h2>${others.map(({ action, subject }) => markup`<p>${action}: ${subject}</p>`)}</div>` : ''}`,
			refreshing,
		);
	});
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
			await send(other.trim() || address, amount);
			return reply.redirect('/payments', 303);
		},
	);
	return { send };
}

export interface PaymentSystem {
	/** Takes a payment, and sends it to n8n as a real system would. */
	send(address: string, amount: string): Promise<Payment>;
}
