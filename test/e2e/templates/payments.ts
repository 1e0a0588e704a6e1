import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { answering } from './answering';

/** The body of a request to pay, as it came. */
export type Payment = Readonly<Record<string, unknown>>;

/** A payment system that pays each `Idempotency-Key` once. */
export interface Payments {
	url: string;
	/** What was paid, in order. */
	paid: Payment[];
	/** Answers 503 to every request, and pays nothing. */
	isDown: boolean;
	/** Called with each request to pay at the moment it comes, also if it was paid before. */
	onRequest: (payment: Payment) => void;
	clear(): void;
	close(): Promise<void>;
}

/** Starts a payment system that lets callers in who send `header`. */
export async function startPayments(header: Record<string, string>): Promise<Payments> {
	const byKey = new Map<string, string>();
	const listener = answering((request, response, text) => {
		const answer = (status: number, body: unknown) => {
			response.writeHead(status, { 'content-type': 'application/json' });
			response.end(JSON.stringify(body));
		};
		const isLetIn = Object.entries(header).every(
			([name, value]) => request.headers[name.toLowerCase()] === value,
		);
		if (!isLetIn) return answer(401, { error: 'Who are you?' });
		const payment = JSON.parse(text) as Payment;
		payments.onRequest(payment);
		if (payments.isDown) return answer(503, { error: 'Come back later.' });
		const key = request.headers['idempotency-key'];
		if (typeof key !== 'string') return answer(400, { error: 'Idempotency-Key is missing.' });
		const earlier = byKey.get(key);
		// A second screening of the same payment has a report of its own.
		const { report_id: _, ...payable } = payment;
		const wanted = JSON.stringify(payable);
		if (earlier !== undefined && earlier !== wanted) {
			return answer(409, { error: 'Another payment has this Idempotency-Key.' });
		}
		if (earlier === undefined) {
			byKey.set(key, wanted);
			payments.paid.push(payment);
		}
		answer(201, { accepted: true });
	});
	const server = createServer(listener).listen(0, '127.0.0.1');
	await once(server, 'listening');

	const quiet = { isDown: false, onRequest: () => {} };
	const payments: Payments = {
		...quiet,
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/payments`,
		paid: [],
		clear() {
			byKey.clear();
			Object.assign(payments, quiet, { paid: [] });
		},
		async close() {
			server.closeAllConnections();
			server.close();
			await once(server, 'close');
		},
	};
	return payments;
}
