import { createHash } from 'node:crypto';
import type { IDataObject } from 'n8n-workflow';
import { sanctionedAddresses } from '../../sandbox/sanctions';
import { scenarioAddress } from '../../sandbox/scenarios';
import type { Sandbox } from '../../sandbox/server';
import { failureOf, type N8n, outputOf, type Saved, type Workflow } from '../host/instance';
import { dataOf, type Rest } from '../host/rest';
import type { Letter } from './mail';
import { type PaymentSystem, sanctionedWallet } from './paymentSystem';
import { timeZone } from './site';
import { pathOfTable } from './tables';
import { openTimes, type TableTimes } from './times';

/** Days of the sandbox's timeline that lie behind a new trial. */
export const daysPlayed = 30;

const dayMs = 24 * 60 * 60 * 1000;

/** Wallets that are on no list, the same in every trial. About 85 % of them are green. */
const unlisted = (number: number) =>
	`0x${createHash('sha256').update(`wallet ${number}`).digest('hex').slice(0, 40)}`;

/** A wallet of the US list, whose case two people close as a true match. */
const reported = sanctionedAddresses[3]!.address;
/**
 * An invented wallet, whose case they close as a false positive: a real one of the list would be a
 * bad example.
 */
const mistaken = scenarioAddress('sanctioned');

/** The unusual wallets that are screened that many days before today. */
const unusual: Record<number, string[]> = {
	26: [reported],
	21: [scenarioAddress('darknet')],
	17: ['0x12 34, typed by hand'],
	12: [mistaken],
	8: [scenarioAddress('unknownLevel')],
	3: [scenarioAddress('withoutSanctions')],
};
/** Customers, some of whom get worse during the month. */
const customers = (
	['sanctionedFromDay1', 'drifting', 'amberSanctionedFromDay1', 'harmless'] as const
).map(scenarioAddress);

/**
 * The items that are screened that many days before today: few on weekends, and the customers once a
 * week.
 */
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

/** The payments of some days, by the number of days before today. */
const paymentsOn: Record<number, Array<[address: string, amount: string]>> = {
	9: [[scenarioAddress('harmless'), '4.00 ETH']],
	6: [[unlisted(1), '250.00 ETH']],
	5: [[scenarioAddress('drifting'), '1.75 ETH']],
	2: [[sanctionedWallet, '30.00 ETH']],
};

/** The answer of a person in a sanctions case. */
interface Answer {
	/** The wallet of the case. */
	readonly address: string;
	readonly person: 'first' | 'second';
	/** The fields of the form that the person sends. */
	readonly form: (dayOfAnswer: string) => IDataObject;
}
/** The answers of some days, by the number of days before today. */
const answersOn: Record<number, Answer> = {
	25: {
		address: reported,
		person: 'first',
		form: (dayOfAnswer) => ({
			answer: 'True match',
			reported_on: dayOfAnswer,
			reported_to: 'OFAC',
			report_number: 'B-2026-0417',
			reason: 'The list names this very wallet.',
		}),
	},
	24: {
		address: reported,
		person: 'second',
		form: () => ({ answer: 'Confirm it', reason: 'I read the report that we sent.' }),
	},
	11: {
		address: mistaken,
		person: 'second',
		form: () => ({
			answer: 'False positive',
			proof: 'ticket T-9',
			reason: 'The service mixed up two wallets, and took it back in writing.',
		}),
	},
	10: {
		address: mistaken,
		person: 'first',
		form: () => ({ answer: 'Confirm it', reason: 'I called the vendor, and read its letter.' }),
	},
};

/** What a month is played with. */
export interface MonthParts {
	readonly n8n: N8n;
	readonly sandbox: Sandbox;
	readonly letters: Letter[];
	readonly payments: PaymentSystem;
	readonly workflows: ReadonlyArray<Saved<Workflow>>;
	readonly rest: Rest;
	/** The e-mail addresses of the two approvers. */
	readonly people: readonly [first: string, second: string];
}

/**
 * Plays a month in n8n: on each day of the sandbox's timeline, the workflows screen wallets, hold
 * payments and open cases. The rows that they write get the time of that day. What was set up
 * before gets the time of the day before the month. The times inside evidence stay as they are.
 * At the end, n8n reminds the team of what is due.
 */
export async function playMonth(parts: MonthParts): Promise<void> {
	const { n8n, sandbox } = parts;
	const times = await openTimes(n8n);
	const lastDay = sandbox.day();
	// The policy is in force before the first decision.
	await times.shiftAllSince(0, -(daysPlayed + 1) * dayMs);
	for (let daysAgo = daysPlayed; daysAgo > 0; daysAgo--) {
		sandbox.setDay(lastDay - daysAgo);
		await playDay(parts, daysAgo, times);
	}
	sandbox.setDay(lastDay);
	await times.close();
	await n8n.runFrom(workflowNamed('Sanctions Hit: Deadlines', parts.workflows), 'Every Morning');
	await n8n.untilQuiet();
}

/** Plays a day now, and moves its rows and letters to the morning of that day. */
async function playDay(parts: MonthParts, daysAgo: number, times: TableTimes): Promise<void> {
	const { n8n, letters, payments } = parts;
	const start = Date.now();
	const morning = new Date(start - daysAgo * dayMs).setUTCHours(8, 0, 0, 0);
	await handTo('Our Screening', screenedOn(daysAgo, new Date(morning)), parts);
	for (const [address, amount] of paymentsOn[daysAgo] ?? []) await payments.send(address, amount);
	// Cases are opened in executions of their own.
	await n8n.untilQuiet();
	const answer = answersOn[daysAgo];
	if (answer) {
		await recordAnswer(answer, new Date(morning).toISOString().slice(0, 10), parts);
		await n8n.untilQuiet();
	}
	await times.shiftAllSince(start, morning - start);
	const arrived = letters.filter(({ receivedAt }) => +receivedAt >= start);
	for (const { receivedAt } of arrived) receivedAt.setTime(+receivedAt + morning - start);
	if (arrived.length > 0) await correctDeadlines(parts, arrived, times);
}

/**
 * Lets n8n compute each deadline from the day of its case, and writes it into the letters about
 * the case. The cases were opened today, so n8n counted their deadlines from today.
 */
async function correctDeadlines(
	parts: MonthParts,
	arrived: readonly Letter[],
	times: TableTimes,
): Promise<void> {
	const { n8n, workflows } = parts;
	const deadlinesInLetters = new Map(
		(await readCases(parts)).map(({ id, report_until }) => [id, report_until]),
	);
	await times.forgetDeadlines();
	await n8n.runFrom(workflowNamed('Sanctions Hit', workflows), 'Every 15 Minutes');
	await n8n.untilQuiet();
	for (const { id, address, report_until } of await readCases(parts)) {
		for (const letter of arrived.filter(({ text }) => text?.includes(String(address))))
			replaceDay(letter, String(deadlinesInLetters.get(id)), String(report_until));
	}
}

/**
 * Replaces one day by another one in all that a reader of the letter sees. Both are times as n8n
 * writes them.
 */
function replaceDay(letter: Letter, before: string, after: string): void {
	const replacements = textsOfDay(after);
	for (const [at, text] of textsOfDay(before).entries()) {
		const replacement = replacements[at]!;
		letter.subject = letter.subject?.replaceAll(text, replacement);
		letter.text = letter.text?.replaceAll(text, replacement);
		letter.html = letter.html?.replaceAll(text, replacement);
	}
}

/** The day of a time as n8n's letters write it: Fri 11 Sep 2026, and Friday 11 September 2026. */
export const textsOfDay = (time: string): string[] =>
	(['short', 'long'] as const).map((length) => {
		// n8n writes in American English, which has Sep, while British English has Sept.
		const part = (options: Intl.DateTimeFormatOptions) =>
			new Date(time).toLocaleDateString('en-US', { ...options, timeZone });
		return [
			part({ weekday: length }),
			part({ day: 'numeric' }),
			part({ month: length }),
			part({ year: 'numeric' }),
		].join(' ');
	});

async function readCases({ rest }: MonthParts): Promise<IDataObject[]> {
	const path = await pathOfTable(rest, 'Screening Cases');
	return (await dataOf<{ data: IDataObject[] }>(rest('GET', `${path}/rows?take=250`))).data;
}

const workflowNamed = (name: string, workflows: MonthParts['workflows']) =>
	workflows.find((workflow) => workflow.name === name)!;

/** Hands items to the workflow of this name, as another workflow does. @throws if that fails */
async function handTo(
	name: string,
	items: readonly IDataObject[],
	{ n8n, workflows }: MonthParts,
): Promise<void> {
	const called = workflowNamed(name, workflows);
	const trigger = called.nodes.find(({ type }) => type.endsWith('.executeWorkflowTrigger'))!;
	const run = await n8n.runFrom(called, trigger.name, outputOf(...items));
	if (run.data.resultData.error) throw new Error(failureOf(run));
}

/**
 * Records an answer, as *Answer a Case* does when a person has sent its form. `dayOfAnswer`
 * is written as in 2026-11-21.
 */
async function recordAnswer(
	{ address, person, form }: Answer,
	dayOfAnswer: string,
	parts: MonthParts,
): Promise<void> {
	const row = (await readCases(parts)).find((one) => one.address === address)!;
	const user = { email: parts.people[person === 'first' ? 0 : 1] };
	const recorded = {
		id: row.id,
		subject: row.reference,
		report_id: row.report_id,
		answer_at: row.answer_at,
		shown_answer: row.answer,
		requester: '',
		shown: row,
		file: '',
		page: { ...form(dayOfAnswer), user },
	};
	await handTo('Answer a Case: Record', [recorded], parts);
}
