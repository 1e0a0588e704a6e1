import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FaultEffect } from '../../../sandbox/faults';
import { until } from '../../../tools/host/until';
import { numbersFrom, seed } from '../../support/data/random';
import { table } from '../../support/templates/dataTable';
import {
	type WaitForMoment,
	timeoutMs,
	printFigures,
	untilItGrows,
	waitForAny,
	killCount,
	killsInName,
} from '../../support/templates/kills';
import { answerForBatch, jobsOf, type ListRow } from '../../support/templates/longList';
import { stage } from '../../support/templates/stage';
import { hoursAgo } from '../../support/templates/times';
import { everyFiveSeconds } from '../../support/templates/schedules';
import { logInOwner } from '../../support/templates/people';

/** How many rows are added before each kill. */
const rowsPerKill = 20;

const list = table('Screening List');
const rows = async () => await list.rows<ListRow>();
const isDone = async () => (await rows()).every(({ state }) => state === 'done');
const countOf = async (wanted: string) =>
	(await rows()).filter(({ state }) => state === wanted).length;

/** Distinct addresses, which no other test has. */
const addressOf = (number: number) =>
	`0x${createHash('sha256').update(`kill ${number}`).digest('hex').slice(0, 40)}`;

/** What happens in a run, in its order, and any time. */
function momentsToKill(random: () => number): WaitForMoment[] {
	const count = (method: string) =>
		stage.sandbox.requests.filter((request) => request.method === method).length;
	return [
		() => untilItGrows('a claim', () => countOf('submitting'), isDone),
		() => untilItGrows('a submit', () => count('POST'), isDone),
		() => untilItGrows('a job', () => jobsOf(stage.sandbox).length, isDone),
		() => untilItGrows('a noted job', () => countOf('submitted'), isDone),
		() => untilItGrows('a look', () => count('GET'), isDone),
		() => untilItGrows('a message', () => stage.slack.messages.length, isDone),
		() => untilItGrows('a result', () => countOf('done'), isDone),
		async () => await sleep(random() * 5000),
	];
}

/** Lets three hours pass for what the killed n8n left. @returns the rows that are then in doubt */
async function letClaimsEnd(killedAt: string): Promise<ListRow[]> {
	await list.setAll({ claimed_at: hoursAgo(4) }, [
		{ columnName: 'state', condition: 'eq', value: 'submitting' },
		{ columnName: 'claimed_at', condition: 'lte', value: killedAt },
	]);
	const isLeft = (row: ListRow) => row.state === 'submitting' && row.claimed_at! <= killedAt;
	await until('what is in doubt', async () => !(await rows()).some(isLeft) || undefined, {
		timeoutMs,
	});
	return (await rows()).filter(({ state }) => state === 'in doubt');
}

/**
 * Lets a person answer for each batch in doubt, with the job that the service has of it, or with
 * none.
 */
async function answerFor(inDoubt: readonly ListRow[]): Promise<void> {
	if (inDoubt.length === 0) return;
	const person = await logInOwner();
	for (const batch of new Set(inDoubt.map((row) => row.batch!))) {
		const addresses = inDoubt.filter((row) => row.batch === batch).map(({ address }) => address);
		const job = jobsOf(stage.sandbox).find((one) => one.addresses.includes(addresses[0]!));
		expect(await answerForBatch(person, batch, job?.job_id ?? '')).toBe(addresses.length);
	}
}

export function killedListTests(): void {
	test(`a long list is submitted once, and nothing of it is lost, ${killsInName}`, async () => {
		const random = numbersFrom(seed);
		await stage.publishTemplate('long-list-results', {
			'Every Minute': everyFiveSeconds,
			'Hand Over': { disabled: true },
		});
		const submit = await stage.publishTemplate('screen-a-long-list', {
			'Every Minute': everyFiveSeconds,
			'Rows to Submit': { parameters: { limit: 10 } },
			'When a Person Answers': { webhookId: 'rows-in-doubt' },
		});
		const effect: FaultEffect = { kind: 'delay', ms: 100 };
		stage.sandbox.addFault({ when: ({ method }) => method === 'POST', effect });

		const doubted: string[] = [];
		const moments = momentsToKill(random);
		for (let kill = 0; kill < killCount; kill++) {
			const numbers = Array.from({ length: rowsPerKill }, (_, n) => kill * rowsPerKill + n);
			await list.insert(...numbers.map((number) => ({ address: addressOf(number) })));
			// The first kill is at the spot that matters, whatever the seed.
			await waitForAny(kill === 0 ? [moments[1]!] : moments, random);
			const killedAt = new Date().toISOString();
			await stage.killAndRestart();
			const inDoubt = await letClaimsEnd(killedAt);
			doubted.push(...inDoubt.map(({ address }) => address));
			await answerFor(inDoubt);
		}
		await until('all rows to be done', async () => (await isDone()) || undefined, {
			timeoutMs,
			pauseMs: 500,
		});

		// A person may click "Retry" of what was running when n8n died.
		const executions = await stage.n8n.executionsOf(submit);
		const crashed = executions.filter(({ status }) => status === 'crashed');
		for (const { id } of crashed)
			await stage.n8n.finishedExecution(await stage.n8n.retryExecution(id));
		const jobs = jobsOf(stage.sandbox);
		printFigures({ jobs: jobs.length, inDoubt: doubted.length, crashed: crashed.length });
		const all = await rows();
		expect(all).toHaveLength(rowsPerKill * killCount);
		expect(all.filter(({ report_id }) => !report_id)).toEqual([]);
		const submitted = jobs.flatMap(({ addresses }) => addresses);
		expect(submitted.sort()).toEqual(all.map(({ address }) => address).sort());
		const messages = JSON.stringify(stage.slack.messages);
		for (const address of doubted) expect(messages).toContain(address);
	});
}
