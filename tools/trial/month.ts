import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { sanctionedAddresses } from '../../sandbox/sanctions';
import type { Sandbox } from '../../sandbox/server';
import { type N8n, outputOf, type Saved, type Workflow } from '../host/instance';
import type { Letter } from './mail';
import { ending, type PaymentSystem, sanctioned } from './payments';
import { openTimes } from './times';

/** Days of the sandbox's timeline that lie behind a new trial. */
export const days = 30;

const dayMs = 24 * 60 * 60 * 1000;

/** Wallets that nobody has listed, the same in every trial. About 85 % of them are green. */
const unlisted = (number: number) =>
	`0x${createHash('sha256').update(`wallet ${number}`).digest('hex').slice(0, 40)}`;

/** What stands out on some days before today. */
const unusual: Record<number, string[]> = {
	...{ 26: [sanctionedAddresses[3]!.address], 21: [ending('02')], 17: ['0x12 34, typed by hand'] },
	...{ 12: [sanctionedAddresses[40]!.address], 8: [ending('10')], 3: [ending('11')] },
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

export interface Stage {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly letters: Letter[];
	readonly payments: PaymentSystem;
	readonly workflows: ReadonlyArray<Saved<Workflow>>;
}

/**
 * Lets n8n live through a month: the workflows screen what comes, hold payments, and open cases, on each day of the
 * sandbox's timeline. What they write into tables gets the time of that day; what evidence says of its time stays.
 */
export async function playMonth(stage: Stage): Promise<void> {
	const { n8n, sandbox, letters, payments, workflows } = stage;
	/** Does what a workflow does that hands items to the one of this name. */
	const handTo = async (name: string, items: IDataObject[]): Promise<void> => {
		const called = workflows.find((one) => one.name === name)!;
		const trigger = called.nodes.find(({ type }) => type.endsWith('.executeWorkflowTrigger'))!;
		const run = await n8n.runFrom(called, trigger.name, outputOf(...items));
		const { error } = run.data.resultData;
		if (error) throw new Error(`${name}: ${error.message}`);
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
