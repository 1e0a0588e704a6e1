import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { sanctionedAddresses } from '../../sandbox/sanctions';
import type { Sandbox } from '../../sandbox/server';
import { type N8n, outputOf, type Saved, type Workflow } from '../host/instance';
import { dataOf, type Rest } from '../host/rest';
import type { Letter } from './mail';
import { ending, type PaymentSystem, sanctioned } from './payments';
import { pathOfTable } from './tables';
import { openTimes } from './times';

/** Days of the sandbox's timeline that lie behind a new trial. */
export const days = 30;

const dayMs = 24 * 60 * 60 * 1000;

/** Wallets that nobody has listed, the same in every trial. About 85 % of them are green. */
const unlisted = (number: number) =>
	`0x${createHash('sha256').update(`wallet ${number}`).digest('hex').slice(0, 40)}`;

/** Two wallets of the US list, whose cases two people close: a true match, and what they call a false positive. */
const [reported, mistaken] = [sanctionedAddresses[3]!.address, sanctionedAddresses[40]!.address];

/** What stands out on some days before today. */
const unusual: Record<number, string[]> = {
	...{ 26: [reported], 21: [ending('02')], 17: ['0x12 34, typed by hand'] },
	...{ 12: [mistaken], 8: [ending('10')], 3: [ending('11')] },
};
/** Customers of which some get worse. */
const customers = ['20', '21', '22', '06'].map(ending);

/** What is screened so many days before today: few at the weekend, customers once a week. */
function screenedOn(daysAgo: number, date: Date): IDataObject[] {
	const isWeekend = [0, 6].includes(date.getUTCDay());
	const count = isWeekend ? 2 : 5 + (daysAgo % 4);
	const wallets = Array.from({ length: count }, (_, at) => unlisted(10 * daysAgo + at));
	const weekly = daysAgo % 7 === 2 ? customers : [];
	const all = [...wallets, ...(unusual[daysAgo] ?? []), ...weekly];
	return all.map((address, at) => {
		const number = customers.indexOf(address);
		const reference = number < 0 ? `T-${10 * daysAgo + at}` : `customer ${number + 1}`;
		return { address, reference };
	});
}

/** Payments of some days: one that is allowed, and two of which people have not decided yet. */
const paymentsOn: Record<number, Array<[address: string, amount: string]>> = {
	9: [[ending('06'), '4.00 ETH']],
	6: [[unlisted(1), '250.00 ETH']],
	5: [[ending('21'), '1.75 ETH']],
	2: [[sanctioned, '30.00 ETH']],
};

/** What one of the two people said of a sanctions case on some days. */
interface Answer {
	readonly of: string;
	readonly by: 'first' | 'second';
	readonly page: (today: string) => IDataObject;
}
const answersOn: Record<number, Answer> = {
	25: {
		...{ of: reported, by: 'first' },
		page: (today) => ({
			...{ answer: 'True match', reported_on: today, reported_to: 'OFAC' },
			...{ report_number: 'B-2026-0417', reason: 'The list names this very wallet.' },
		}),
	},
	24: {
		...{ of: reported, by: 'second' },
		page: () => ({ answer: 'Confirm it', reason: 'I read the report that we sent.' }),
	},
	11: {
		...{ of: mistaken, by: 'second' },
		page: () => ({
			...{ answer: 'False positive', proof: 'ticket T-9' },
			reason: 'The service mixed up two wallets, and took it back in writing.',
		}),
	},
	10: {
		...{ of: mistaken, by: 'first' },
		page: () => ({ answer: 'Confirm it', reason: 'I called the vendor, and read its letter.' }),
	},
};

export interface Stage {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly letters: Letter[];
	readonly payments: PaymentSystem;
	readonly workflows: ReadonlyArray<Saved<Workflow>>;
	readonly rest: Rest;
	/** Who approves, by their e-mail addresses. */
	readonly people: readonly [first: string, second: string];
}

/**
 * Lets n8n live through a month: the workflows screen what comes, hold payments, and open cases, on each day of the
 * sandbox's timeline. What they write into tables gets the time of that day; what evidence says of its time stays.
 */
export async function playMonth(stage: Stage): Promise<void> {
	const { n8n, sandbox, letters, payments, workflows, rest, people } = stage;
	/** Does what a workflow does that hands items to the one of this name. */
	const handTo = async (name: string, items: IDataObject[]): Promise<void> => {
		const called = workflows.find((one) => one.name === name)!;
		const trigger = called.nodes.find(({ type }) => type.endsWith('.executeWorkflowTrigger'))!;
		const run = await n8n.runFrom(called, trigger.name, outputOf(...items));
		const { error } = run.data.resultData;
		if (error) throw new Error(`${name}: ${error.message}`);
	};
	/** Does what *Answer a Case* does when a person has sent its form. */
	const answer = async ({ of, by, page }: Answer, today: string): Promise<void> => {
		const path = await pathOfTable(rest, 'Screening Cases');
		const { data } = await dataOf<{ data: IDataObject[] }>(rest('GET', `${path}/rows?take=250`));
		const {
			id,
			reference: subject,
			report_id,
			answer_at,
			answer: shown_answer,
		} = data.find(({ address }) => address === of)!;
		const user = { email: people[by === 'first' ? 0 : 1] };
		await handTo('Answer a Case: Record', [
			{
				...{ id, subject, report_id, answer_at, shown_answer, requester: '', file: '' },
				page: { ...page(today), user },
			},
		]);
	};
	const times = await openTimes(n8n);
	const today = sandbox.day();
	for (let daysAgo = days; daysAgo > 0; daysAgo--) {
		sandbox.setDay(today - daysAgo);
		const from = Date.now();
		const morning = new Date(from - daysAgo * dayMs).setUTCHours(8, 0, 0, 0);
		await handTo('Our Screening', screenedOn(daysAgo, new Date(morning)));
		for (const [address, amount] of paymentsOn[daysAgo] ?? []) await payments.send(address, amount);
		// Cases are opened beside what comes back.
		await n8n.untilQuiet();
		const said = answersOn[daysAgo];
		if (said) await answer(said, new Date(morning).toISOString().slice(0, 10));
		if (said) await n8n.untilQuiet();
		await times.move(from, morning - from);
		for (const { receivedAt } of letters.filter((one) => +one.receivedAt >= from))
			receivedAt.setTime(+receivedAt + morning - from);
	}
	sandbox.setDay(today);
	// A deadline counts from the day of the case, without weekends: n8n works it out anew.
	await times.forget('report_until');
	await n8n.runFrom(
		workflows.find(({ name }) => name === 'Sanctions Hit')!,
		'Every 15 Minutes',
	);
	await n8n.untilQuiet();
	await times.close();
}
