import { createHmac } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { newPaymentForm, paymentsPage } from './paymentPages';
import { type N8nLink, PaymentSystem } from './paymentSystem';
import { refreshing, sendPage } from './site';

export interface PaymentOptions extends N8nLink {
	/** The Bearer token that workflows have to send. */
	readonly token: string;
	/** The text with which n8n signs the status of a payment. */
	readonly signingText: string;
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

/** Whether n8n signed a request, by the rule of Standard Webhooks. */
function isSigned(headers: IncomingHttpHeaders, body: string, signingText: string): boolean {
	const content = `${headers['webhook-id']}.${headers['webhook-timestamp']}.${body}`;
	const signature = createHmac('sha256', signingText).update(content).digest('base64');
	return headers['webhook-signature'] === `v1,${signature}`;
}

const text = { type: 'string' };
/** A workflow sends `null` for what it does not know. */
const textOrNull = { type: ['string', 'null'] };

/** The body of an action, as far as the payment system reads it. */
const actionBody = {
	type: 'object',
	properties: {
		payment_id: textOrNull,
		title: textOrNull,
		freeze: textOrNull,
		reference: textOrNull,
	},
};

const paymentBody = {
	type: 'object',
	required: ['address', 'other', 'amount'],
	properties: { address: text, other: text, amount: text },
};

/** Adds the calls by which workflows release payments, freeze accounts and open tickets. */
function addActions(app: FastifyInstance, system: PaymentSystem, token: string): void {
	app.post<{ Params: { action: string }; Body: Record<string, string> }>(
		'/do/:action',
		{ schema: { body: actionBody } },
		({ headers, params, body }, reply) => {
			if (headers.authorization !== `Bearer ${token}`) return reply.code(401).send({});
			const key = headers['idempotency-key'];
			if (typeof key !== 'string') return reply.code(400).send({ error: 'No Idempotency-Key' });
			return reply.send(system.carryOut(params.action, key, body));
		},
	);
}

/** Adds the page of all payments, and the form for a new one. */
function addPaymentPages(app: FastifyInstance, system: PaymentSystem): void {
	app.addContentTypeParser(
		'application/x-www-form-urlencoded',
		{ parseAs: 'string' },
		async (_request: unknown, body: string) => Object.fromEntries(new URLSearchParams(body)),
	);
	app.get('/payments', async (_request, reply) => {
		const page = paymentsPage(await system.list(), system.otherRequests());
		return sendPage(reply, 'Payment system', page, refreshing);
	});
	app.get('/payments/new', (_request, reply) =>
		sendPage(reply, 'Send a test payment', newPaymentForm()),
	);
	app.post<{ Body: { address: string; other: string; amount: string } }>(
		'/payments',
		{ schema: { body: paymentBody } },
		async ({ body: { address, other, amount } }, reply) => {
			await system.send(other.trim() || address, amount);
			return reply.redirect('/payments', 303);
		},
	);
}
