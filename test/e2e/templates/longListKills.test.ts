import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Saved, Workflow } from '../../../host/instance';
import { until } from '../../../host/until';
import template from '../../../templates/screen-a-long-list.json';
import { numbersFrom, seed } from '../../support/random';
import { patience } from '../../support/workflows';
import { type DataTable, dataTable, type TableName } from './dataTable';
import { jobsOf, letGoOn, makeTable, type Row, whoDecides } from './longList';
import { type Stage, startStage } from './stage';

/** How often n8n is killed; 20 is what the list is meant to survive. */
const kills = Number(process.env.KILLS ?? 3);
/** Rows that are added before each kill, and the most that are submitted in one batch. */
const added = 20;
const batchSize = 10;

const addressOf = (number: number) =>
	`0x${createHash('sha256').update(`kill ${number}`).digest('hex').slice(0, 40)}`;

describe('a long list, with n8n killed again and again', () => {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let table: DataTable;
	let named: TableName;

	beforeAll(async () => {
		stage = await startStage('e2e-long-list');
		// Runs overlap: one may last longer than the time to the next.
		const often = { rule: { interval: [{ field: 'seconds', secondsInterval: 5 }] } };
		workflow = await stage.importTemplate(template, {
			'Every Minute': { parameters: often },
			'Rows to Submit': { parameters: { limit: batchSize } },
		});
		named = await makeTable(stage, workflow);
		table = dataTable(stage.rest, named);
		await table.clear();
		await stage.n8n.publishWorkflow(workflow);
		stage.sandbox.addFault({
			when: ({ method }) => method === 'POST',
			effect: { kind: 'delay', ms: 100 },
		});
	}, patience);
	afterAll(async () => await stage?.close());

	const rows = async () => await table.rows<Row>();
	const posts = () => stage.sandbox.requests.filter(({ method }) => method === 'POST');
	const gets = () => stage.sandbox.requests.filter(({ method }) => method === 'GET');
	/** Waits for more, or until nothing is left to do: what lasts a moment may go unseen. */
	const grows = async (what: string, count: () => number | Promise<number>) => {
		const before = await count();
		const hasGrown = async () =>
			(await count()) > before ||
			(await rows()).every(({ state }) => state === 'done') ||
			undefined;
		await until(what, hasGrown, { pause: 1, patience: 600_000 });
	};

	/** When to kill: what happens in a run, in its order, and any time. */
	const moments: Array<[string, (random: () => number) => Promise<unknown>]> = [
		['rows are claimed', () => grows('a claim', () => stateCount('submitting'))],
		['a submit arrives', () => grows('a submit', () => posts().length)],
		[
			'a submit is answered',
			() => grows('a job', () => posts().filter((one) => one.status).length),
		],
		['a job is stored', () => grows('a job', () => stateCount('submitted'))],
		['a look at a job arrives', () => grows('a look', () => gets().length)],
		['results are written', () => grows('a report', () => reportCount())],
		['a batch is done', () => grows('a batch', () => stateCount('done'))],
		['Slack has a message', () => grows('a message', () => stage.slack.messages.length)],
		['any time', async (random) => await sleep(random() * 5000)],
	];
	const stateCount = async (wanted: string) =>
		(await rows()).filter(({ state }) => state === wanted).length;
	const reportCount = async () => (await rows()).filter(({ report_id }) => report_id).length;

	const submitted = () => jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);
	const paidTwice = () => submitted().filter((address, n, all) => all.indexOf(address) < n);

	/** An hour passes for what the killed n8n left, and a person looks at what is then in doubt. */
	async function settle(killedAt: string, inDoubt: Set<string>): Promise<void> {
		const ofTheKilled = [
			{ columnName: 'state', condition: 'eq', value: 'submitting' },
			{ columnName: 'claimed_at', condition: 'lte', value: killedAt },
		] as const;
		const claimed_at = new Date(Date.parse(killedAt) - 2 * 3_600_000).toISOString();
		await table.setAll({ claimed_at }, [...ofTheKilled]);
		const looked = { columnName: 'looked_at', condition: 'lte', value: killedAt } as const;
		await table.setAll({ looked_at: claimed_at }, [looked]);
		const doubtful = await until(
			'everything in doubt to be notified of',
			async () => {
				const all = await rows();
				const isLeft = all.some((row) => row.state === 'submitting' && row.claimed_at! <= killedAt);
				const found = all.filter(({ state }) => state === 'in doubt');
				return isLeft || found.some((row) => !row.notified_at) ? undefined : found;
			},
			{ patience: 600_000, pause: 500 },
		);
		if (doubtful.length === 0) return;
		const person = await whoDecides(stage);
		for (const batch of new Set(doubtful.map((row) => row.batch!))) {
			const addresses = doubtful.filter((row) => row.batch === batch).map((row) => row.address);
			for (const address of addresses) inDoubt.add(address);
			const job = jobsOf(stage.sandbox).find((one) => one.addresses.includes(addresses[0]!));
			const count = await letGoOn(person, batch, job?.job_id ?? '');
			expect(count).toBe(addresses.length);
		}
	}

	test(
		`${kills} kills: no address is submitted twice, and none is lost (TEST_SEED=${seed})`,
		async () => {
			const random = numbersFrom(seed);
			const inDoubt = new Set<string>();
			const happened: string[] = [];
			for (let kill = 0; kill < kills; kill++) {
				const wallets = Array.from({ length: added }, (_, n) => addressOf(kill * added + n));
				await table.insert(...wallets.map((address) => ({ address })));
				// The first kills are at the spot that matters, whatever the seed.
				const index = kill < 2 ? kill + 1 : Math.floor(random() * moments.length);
				const [name, moment] = moments[index]!;
				await moment(random);
				await sleep(random() * 40);
				const killedAt = new Date().toISOString();
				happened.push(name);
				await stage.killAndRestart();
				table = dataTable(stage.rest, named);
				await settle(killedAt, inDoubt);
				expect(paidTwice()).toEqual([]);
				if (process.env.KILLS)
					console.log(kill + 1, name, jobsOf(stage.sandbox).length, inDoubt.size);
			}
			const open = async () => (await rows()).filter(({ state }) => state !== 'done').length;
			await until('all rows to be done', async () => ((await open()) === 0 ? true : undefined), {
				patience: 60_000 * (2 + kills),
				pause: 500,
				seen: async () => `${await open()} are not`,
			});

			// A person may click "Retry" of what was running when n8n died.
			const executions = await stage.n8n.executionsOf(workflow);
			for (const { id } of executions.filter(({ status }) => status === 'crashed')) {
				await stage.n8n.finishedExecution(await stage.n8n.retryExecution(id));
			}

			const all = await rows();
			const paid = submitted();
			const figures = {
				...{ kills, addresses: all.length, posts: posts().length },
				accepted: jobsOf(stage.sandbox).length,
				inDoubt: inDoubt.size,
				lost: all.filter(({ report_id }) => !report_id).length,
				twice: paidTwice().length,
				crashed: executions.filter(({ status }) => status === 'crashed').length,
			};
			if (process.env.KILLS) console.log(figures, happened.join(' · '));
			expect({ happened, ...figures }).toMatchObject({
				addresses: kills * added,
				lost: 0,
				twice: 0,
			});
			expect(paid.sort()).toEqual(all.map(({ address }) => address).sort());
			const said = JSON.stringify(stage.slack.messages);
			for (const address of [...inDoubt]) expect(said).toContain(address);
		},
		// A start of n8n takes a minute on a busy machine.
		300_000 + kills * 600_000,
	);
});
