/** The pages of the payment system: their texts and their HTML. */
import { markup, type Markup } from '../../sandbox/markup';
import { scenarioAddress } from '../../sandbox/scenarios';
import {
	type ListedPayment,
	type PaymentRow,
	sanctionedWallet,
	type SystemRequest,
} from './paymentSystem';

/** Wallets to try. `effect` is what happens to a payment to them under the first policy of Set Up. */
const recipients = [
	{
		address: sanctionedWallet,
		effect: 'A wallet on the US sanctions list: stopped, no one can release it, and a case is open',
	},
	{
		address: scenarioAddress('darknet'),
		effect:
			'A darknet wallet, for which the policy decides block: two approvers have to release it',
	},
	{
		address: scenarioAddress('drifting'),
		effect: 'A wallet whose level is amber: one approver has to release it',
	},
	{ address: scenarioAddress('harmless'), effect: 'A harmless wallet: released at once' },
	{
		address: scenarioAddress('rejected'),
		effect: 'A wallet that the service rejects: not screened, not released',
	},
];

const colors: Record<string, string> = {
	released: 'green',
	rejected: 'red',
	'sanctions: stopped': 'red',
};

/** What the workflows request of other systems, by the action. */
const actionWords: Record<string, string> = { freeze: 'Freeze', open: 'Open a ticket' };

/** The page that lists the payments, and what else workflows requested. */
export function paymentsPage(
	payments: readonly ListedPayment[],
	requests: readonly SystemRequest[],
): Markup {
	const lines = requests.map(
		({ action, subject }) => markup`<p>${actionWords[action] ?? action}: ${subject}</p>`,
	);
	return markup`<p>A stand-in for your payment system. It tells n8n of each payment, and holds the payment until n8n releases it. It never pays what people rejected.</p>
<p><a href="/payments/new">Send a test payment</a></p>
<div class="card table"><table><tr><th>Payment<th>Status<th>Amount<th>In n8n, and the recipient${payments.map(rowOf)}</table></div>
${lines.length ? markup`<div class="card"><h2>What else the workflows requested</h2>${lines}</div>` : ''}`;
}

function rowOf({ payment, row, statuses }: ListedPayment): Markup {
	const { payment_id, amount, address, refusal } = payment;
	const isOver = row?.status === 'rejected' || row?.status === 'sanctions: stopped';
	const status = isOver ? row.status! : payment.status;
	return markup`
<tr><td>${payment_id}<td><span class="badge ${colors[status] ?? 'yellow'}">${status}</span><td>${amount}
<td>${wordsOf(row, refusal)}<br><span class="code faint">${address}</span>
<br><span class="faint">Statuses received: ${statuses.join(', then ') || 'none yet'}</span>`;
}

/** The state of a payment in n8n, in words. */
function wordsOf(row: PaymentRow | undefined, refusal: string): string {
	if (!row) return refusal || 'no answer yet';
	const { status, summary, first_by, decided_by } = row;
	const people = [first_by, decided_by].filter((person) => person && person !== 'policy');
	const answered = people.length > 0 ? ` (answered: ${people.join(', ')})` : '';
	return `${status ?? 'not screened'}${answered}: ${summary ?? 'n8n has not decided yet'}`;
}

/** The form of a new payment. It offers the wallets to try, and takes any other. */
export function newPaymentForm(): Markup {
	const choices = recipients.map(
		({ address, effect }, at) => markup`
<label><input type="radio" name="address" value="${address}" ${at ? '' : 'checked'}> ${effect}<br><span class="code faint">${address}</span></label>`,
	);
	return markup`<form class="card" method="post" action="/payments">${choices}
<label>Another wallet <input type="text" name="other" placeholder="leave empty to use a wallet above"></label>
<label>Amount <input type="text" name="amount" value="12.50 ETH" required></label>
<button>Send</button></form>`;
}
