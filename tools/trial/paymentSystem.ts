import { chainOf } from '../../sandbox/chains';
import { sanctionedAddresses } from '../../sandbox/sanctions';

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
export interface SystemRequest {
	readonly action: string;
	/** What it concerns: a payment, a wallet or a case. */
	readonly subject: string;
}

/** A payment, and how far n8n is with it. */
export interface ListedPayment {
	readonly payment: Payment;
	/** Its row in n8n's table, once there is one. */
	readonly row: PaymentRow | undefined;
	/** The statuses that n8n sent, in order. */
	readonly statuses: readonly string[];
}

/** How the payment system reaches n8n. */
export interface N8nLink {
	/** Sends a payment to n8n. */
	readonly sendPayment: (payment: object) => Promise<Response>;
	/** Reads n8n's table of payments. */
	readonly readRows: () => Promise<readonly PaymentRow[]>;
}

/** The sanctioned wallet of the theft from the Ronin bridge in 2022. */
export const sanctionedWallet = sanctionedAddresses.find(({ address }) =>
	address.startsWith('0x098B'),
)!.address;

/** A payment system in memory, and the other systems that workflows call. */
export class PaymentSystem {
	private readonly payments: Payment[] = [];
	/** What workflows asked for, by the action and the Idempotency-Key. */
	private readonly requests = new Map<string, SystemRequest>();
	/** The statuses that n8n sent of each payment, in order, by the ID of the request. */
	private readonly statuses = new Map<string, Map<string, string>>();

	constructor(private readonly n8n: N8nLink) {}

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
		const response = await this.n8n.sendPayment(sent);
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

	/** The payments, the newest first. */
	async list(): Promise<ListedPayment[]> {
		const rows = new Map((await this.n8n.readRows()).map((row) => [row.reference, row]));
		const listed = this.payments.map((payment): ListedPayment => {
			const { payment_id } = payment;
			const statuses = [...(this.statuses.get(payment_id)?.values() ?? [])];
			return { payment, row: rows.get(payment_id), statuses };
		});
		return listed.reverse();
	}

	/** What workflows requested besides the release of payments, in order. */
	otherRequests(): SystemRequest[] {
		return [...this.requests.values()].filter(({ action }) => action !== 'release');
	}
}
