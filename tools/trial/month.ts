import type { IDataObject } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server';
import type { N8n } from '../host/instance';
import { failureOf, outputOf, type Saved, type Workflow } from '../host/workflow';
import type { Rest } from '../host/rest';
import type { Letter } from './mail';
import { type Answer, answersOn, daysPlayed, paymentsOn, screenedOn } from './monthPlan';
import type { PaymentSystem } from './paymentSystem';
import { timeZone } from './site';
import { readRows } from './tables';
import { openTimes, type TableTimes } from './times';

const dayMs = 24 * 60 * 60 * 1000;

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

const readCases = async ({ rest }: MonthParts) =>
	await readRows<IDataObject>(rest, 'Screening Cases');

function workflowNamed(name: string, workflows: MonthParts['workflows']): Saved<Workflow> {
	const found = workflows.find((workflow) => workflow.name === name);
	if (!found)
		throw new Error(`No template has the name "${name}", which the month is played with.`);
	return found;
}

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
	const row = (await readCases(parts)).find((one) => one.address === address);
	if (!row) throw new Error(`No case is open for ${address}, whose answer is to be recorded.`);
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
