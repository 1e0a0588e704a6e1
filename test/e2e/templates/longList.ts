import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { until } from '../../../tools/host/until';
import type { FaultEffect } from '../../../sandbox/faults';
import { reportOn } from '../../../sandbox/reports';
import { signatureHeadersOf } from '../../support/n8n/triggers';
import { scenarioAddress } from '../../../sandbox/scenarios';
import {
	greenAddress as green,
	otherGreen as other,
	sanctionedAddress,
	thirdGreen as third,
} from '../../support/templates/templateAddresses';
import { table } from '../../support/templates/dataTable';
import { tellWhatStops } from '../../support/templates/foundation';
import { postForm } from '../../support/browser/form';
import { stage, untilQuiet } from '../../support/templates/stage';
import { hoursAgo } from '../../support/templates/times';
import {
	answerForBatch,
	doubtFormPath,
	jobsOf,
	type ListRow,
} from '../../support/templates/longList';
import { withBrokenPolicy } from '../../support/templates/brokenPolicy';
import { postToWebhook } from '../../support/templates/webhooks';
import { yearlySchedule } from '../../support/templates/schedules';
import { logInOwner } from '../../support/templates/people';
import { type Person } from '../../support/browser/person';

const queued: FaultEffect = {
	kind: 'rewrite',
	rewrite: ({ job_id }) => ({ job_id, status: 'queued' }),
};

/** The list that survives that n8n is stopped. What a kill does to it: killed.test.ts. */
export function longListTests(): void {
	let submit: Saved<Workflow>;
	let results: Saved<Workflow>;
	let person: Person;
	beforeAll(async () => {
		results = await stage.publishTemplate('long-list-results', {
			'Every Minute': yearlySchedule,
			'Hand Over': { disabled: true },
			'Get the Reports': { parameters: { options: { maxRetries: 0 } } },
		});
		submit = await stage.publishTemplate('screen-a-long-list', {
			'Every Minute': yearlySchedule,
			'Submit the Rows': { parameters: { options: { maxRetries: 0 } } },
			'When a Person Answers': { webhookId: doubtFormPath },
		});
		await stage.publishTemplate('bulk-by-events', {
			'When a Bulk Job Is Complete': { webhookId: 'events' },
		});
		person = await logInOwner();
	});
	afterAll(() => stage.withdrawAll());
	const listed = table('Screening List');
	const rows = async () => await listed.rows<ListRow>();
	const rowOf = async (address: string) => (await rows()).find((row) => row.address === address)!;
	const list = async (...entries: Array<string | IDataObject>) => {
		const all = entries.map((one) => (typeof one === 'string' ? { address: one } : one));
		await listed.clear();
		await listed.insert(...all);
	};
	const run = async () => await stage.runFrom(submit, 'Every Minute');
	const fetchResults = async () => await stage.runFrom(results, 'Every Minute');
	const runToTheEnd = async () =>
		await until(
			'the list to be done',
			async () => {
				await run();
				await fetchResults();
				const states = (await rows()).map(({ state }) => state ?? '');
				return states.every((state) => /^(done|not screened)$/.test(state)) || undefined;
			},
			{ seen: async () => JSON.stringify(await rows()) },
		);
	const said = () => JSON.stringify([stage.slack.messages, stage.mail.letters]);
	const on = (wanted: string, effect: FaultEffect) =>
		stage.sandbox.addFault({ when: ({ method }) => method === wanted, effect });

	test('submits the list once, then tells and writes each result', async () => {
		await list(
			green,
			sanctionedAddress,
			'two words',
			scenarioAddress('unknownLevel'),
			scenarioAddress('missingInBulk'),
		);
		await run();
		const [job] = jobsOf(stage.sandbox);
		expect(await rowOf(green)).toMatchObject({ state: 'submitted', job_id: job!.job_id });
		expect(await rowOf('two words')).toMatchObject({ state: 'not screened' });
		for (let again = 0; again < 2; again++) await run();
		await runToTheEnd();
		const { report_id, risk } = reportOn(green, undefined, stage.sandbox.baseUrl);
		expect(await rows()).toMatchObject([
			{ state: 'done', outcome: 'allow', report_id, level: risk.level, score: risk.score },
			{ state: 'done', outcome: 'block' },
			{ state: 'not screened', summary: expect.stringMatching(/space/) },
			{ state: 'done', outcome: 'review' },
			// The job gave no result for it.
			{ state: 'not screened' },
		]);
		expect(jobsOf(stage.sandbox)).toHaveLength(1);
		expect(stage.slack.refused).toEqual([]);
		expect(said()).toContain('1 block, 1 not screened, 1 review, 1 allow: Long list, 4 addresses');
		expect(said()).toContain(scenarioAddress('missingInBulk'));
	});

	test('spellings of one address are sent once, and none of their rows waits', async () => {
		const hex = other.slice(2);
		await list(other, `0x${hex.toUpperCase()}`, hex.toLowerCase(), ` ${green} `);
		await run();
		expect((await rows()).map(({ state }) => state)).toEqual(Array(4).fill('submitted'));
		await runToTheEnd();
		expect((await rows()).map(({ state }) => state)).toEqual(Array(4).fill('done'));
		expect(jobsOf(stage.sandbox).map(({ addresses }) => addresses)).toEqual([[other, green]]);
	});

	test('a report of another chain than that of the row is no all-clear, nor that of the row behind it', async () => {
		const address = green.toUpperCase().replace('0X', '0x');
		const refused = { address: green, chain: 'BNB Smart Chain' };
		await list(refused, green, { address, chain: 'BSC' }, { address: other, chain: 'ETH' });
		await runToTheEnd();
		expect(await rows()).toMatchObject([
			{ state: 'not screened', summary: expect.stringMatching(/space/) },
			{ outcome: 'allow' },
			{ outcome: 'review' },
			{ outcome: 'allow' },
		]);
		expect(jobsOf(stage.sandbox)[0]!.addresses).toEqual([green, other]);
	});

	test('an address that the service refuses takes no other one down', async () => {
		await list(green, other, scenarioAddress('rejected'), third);
		await runToTheEnd();
		const states = ['done', 'done', 'not screened', 'done'];
		expect((await rows()).map(({ state }) => state)).toEqual(states);
		const screened = jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);
		expect(screened.sort()).toEqual([green, other, third].sort());
	});

	test('a job that has not ended after three hours is in doubt, and named', async () => {
		await list(green);
		await run();
		on('GET', queued);
		await listed.setAll({ claimed_at: hoursAgo(3.1) });
		await run();
		const [{ job_id, batch } = { job_id: '', batch: '' }] = await rows();
		expect(await rows()).toMatchObject([{ state: 'in doubt' }]);
		for (const known of [green, job_id, batch]) expect(said()).toContain(String(known));
	});

	const refusals: Array<[number, string]> = [
		[401, 'the API key is wrong'],
		[403, 'may not screen'],
		[404, 'at its address'],
		[402, 'no credit'],
		[413, 'list of this length'],
		[405, 'the service refuses it'],
	];
	test(`if the service answers ${refusals.map(([status]) => status).join(', ')}, rows stay in the list, and it is said once`, async () => {
		const toldToday = table('Screening Told');
		await list(green, other);
		await table('Screening Results').clear();
		const tryOnce = async () => {
			await run();
			await tellWhatStops();
			return stage.slack.messages.splice(0).map(({ text }) => text);
		};
		for (const [status, words] of refusals) {
			stage.sandbox.clearFaults();
			on('POST', { kind: 'answer', status });
			await toldToday.clear();
			expect([status, await tryOnce()]).toEqual([status, [expect.stringContaining(words)]]);
			for (const row of await rows()) expect(row.state || row.outcome || null).toBeNull();
		}
		expect(await tryOnce()).toEqual([]);
		stage.sandbox.clearFaults();
		await runToTheEnd();
		expect(jobsOf(stage.sandbox)).toHaveLength(1);
	});

	const doubts: Array<[string, FaultEffect, number]> = [
		['answers 500', { kind: 'answer', status: 500 }, 0],
		['makes the job, and sends half of its answer', { kind: 'truncate' }, 1],
	];
	test.each(doubts)(
		'if the service %s, nothing is submitted until a person answers',
		async (_, effect, jobs) => {
			await list(green, other);
			on('POST', effect);
			await run();
			stage.sandbox.clearFaults();
			await listed.insert({ address: third });
			for (let again = 0; again < 2; again++) await run();
			expect((await rows()).map(({ state }) => state)).toEqual(['submitting', 'submitting', null]);
			expect(jobsOf(stage.sandbox)).toHaveLength(jobs);
			await fetchResults();
			expect(stage.slack.messages).toEqual([]);
			await listed.setAll({ claimed_at: hoursAgo(3.1) });
			await run();
			const [{ batch } = { batch: '' }] = await rows();
			for (const known of [green, other, '2 rows in doubt', `/${doubtFormPath}?batch=${batch}`])
				expect(said()).toContain(known);
			const { words: form } = await person.open(doubtFormPath);
			expect(form).toMatch(
				/What is a row in doubt\?.* enter its ID.* not.* charged twice.* empty.* again/,
			);
			expect(
				await answerForBatch(person, ` ${batch} `, jobsOf(stage.sandbox)[0]?.job_id ?? ''),
			).toBe(2);
			await runToTheEnd();
			const screened = jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);
			expect(screened.sort()).toEqual([green, other, third].sort());
		},
	);

	test('the form changes no row that is not in doubt, and nothing without a login', async () => {
		await list({ address: green, state: 'submitting', batch: 'B', claimed_at: hoursAgo(0) });
		expect(await answerForBatch(person, 'B', '')).toBe(0);
		await listed.setAll({ state: 'in doubt' });
		const { token = '' } = await person.open(doubtFormPath);
		const forged: Array<Record<string, string>> = [{}, { 'x-auth-token': token.slice(0, -2) }];
		for (const headers of forged) {
			const answer = await postForm(
				`${stage.n8n.url}/form/${doubtFormPath}`,
				{ 'field-0': 'B' },
				headers,
			);
			expect(answer.status).toBe(401);
		}
		expect(await rows()).toMatchObject([{ state: 'in doubt', batch: 'B' }]);
		expect(await answerForBatch(person, 'B', '')).toBe(1);
	});

	test('a job that still runs, is not found, or has an answer that is not JSON is looked at again, without a word', async () => {
		await list(green);
		await run();
		const pending: FaultEffect[] = [
			queued,
			{ kind: 'answer', status: 404 },
			{ kind: 'answer', status: 200, body: '<html>' },
		];
		for (const effect of pending) {
			const end = on('GET', effect);
			for (let again = 0; again < 2; again++) await fetchResults();
			expect([effect, await rows()]).toMatchObject([effect, [{ state: 'submitted' }]]);
			end();
		}
		expect(stage.slack.messages).toEqual([]);
		await runToTheEnd();
		expect(await rows()).toMatchObject([{ state: 'done' }]);
	});

	test('results are not written before the team was notified of them, and are fetched again', async () => {
		await list(sanctionedAddress);
		await run();
		stage.setDown('slack', 'mail');
		const failed = await until('the message to fail', async () => {
			const one = await stage.n8n.runFrom(results, 'Every Minute');
			return one.status === 'error' ? one : undefined;
		});
		expect(await rows()).toMatchObject([{ state: 'submitted', outcome: null }]);
		stage.clear();
		await runToTheEnd();
		expect(said()).toContain(sanctionedAddress);
		expect(await rows()).toMatchObject([{ outcome: 'block' }]);
		// Somebody has the row screened again, and the failed run goes on with what it knew.
		await listed.setAll({ state: null, outcome: null });
		await run();
		const retried = await stage.n8n.retryExecution(failed.id);
		expect((await stage.n8n.finishedExecution(retried)).status).toBe('success');
		expect(await rows()).toMatchObject([{ state: 'submitted', outcome: null }]);
	});

	test('results that an invalid policy did not decide are fetched again, not screened again', async () => {
		await list(green);
		await run();
		await withBrokenPolicy(async () => {
			await runToTheEnd();
			expect(await rows()).toMatchObject([{ state: 'not screened' }]);
		});
		await listed.setAll({ state: 'submitted' });
		await runToTheEnd();
		expect(await rows()).toMatchObject([{ state: 'done', outcome: 'allow' }]);
		expect(jobsOf(stage.sandbox)).toHaveLength(1);
	});

	test('the webhook of the service rings, and the reports come from the service', async () => {
		await list(green, sanctionedAddress);
		await run();
		const [job] = jobsOf(stage.sandbox);
		const forged = reportOn(green, undefined, stage.sandbox.baseUrl);
		const body = JSON.stringify({
			job_id: job!.job_id,
			status: 'completed',
			results: [{ ...forged, address: sanctionedAddress }],
		});
		const answer = await postToWebhook('events/webhook', body, signatureHeadersOf('body', body));
		expect(answer.status).toBe(200);
		await untilQuiet();
		await runToTheEnd();
		expect(await rows()).toMatchObject([{ outcome: 'allow' }, { outcome: 'block' }]);
		expect(said()).toMatch(/Long list, 2 addresses/);
	});
}
