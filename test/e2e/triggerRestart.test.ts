import { setTimeout as sleep } from 'node:timers/promises';
import type { INodeExecutionData } from 'n8n-workflow';
import { type Execution, type N8n, startFreshInstance, startInstance } from '../../host/instance';
import {
	completion,
	deliver,
	hookCredential,
	productionUrl,
	report,
	secrets,
	startTrigger,
	type Trigger,
	triggerNode,
} from './triggers';
import { patience } from './workflow';

const deliveries = 200;
const atOnce = 8;

interface Job {
	readonly report_id: string;
	readonly body: string;
	/** Whether n8n was killed while it had not answered an attempt to deliver it. */
	cut: boolean;
	acceptedBeforeKill: boolean;
}

function newJob(): Job {
	const result = report();
	return {
		report_id: String(result.report_id),
		body: completion(result),
		cut: false,
		acceptedBeforeKill: false,
	};
}

/** The report that an execution was started with, even if it never came to run. */
function reportIdOf({ data }: Execution): unknown {
	const ran = data.resultData.runData[triggerNode]?.[0]?.data?.main?.[0];
	const stored = data.executionData?.nodeExecutionStack[0]?.data.main?.[0];
	const [item] = (ran ?? stored ?? []) as INodeExecutionData[];
	return item?.json.report_id;
}

describe('with n8n killed in the middle and started again', () => {
	let n8n: N8n;
	let trigger: Trigger;
	const id = 'the-same-after-the-restart';
	const url = () => productionUrl(n8n, id);

	beforeAll(async () => {
		n8n = await startFreshInstance('e2e-trigger-restart');
		const credential = await n8n.saveCredential(hookCredential(secrets.body));
		trigger = await startTrigger(n8n, credential, {}, id);
	}, patience);

	afterAll(() => n8n?.stop());

	/** Delivers as a service does that tries until the answer is 200. */
	async function deliverUntilAccepted(job: Job, isKilled: () => boolean): Promise<void> {
		for (;;) {
			const beforeKill = !isKilled();
			const status = await deliver({ url: url() }, job.body).then(
				(answer) => answer.status,
				() => undefined,
			);
			job.acceptedBeforeKill = beforeKill && status === 200;
			job.cut ||= beforeKill && status === undefined;
			if (status === 200) return;
			await sleep(100);
		}
	}

	test(`${deliveries} deliveries are processed, each once unless the kill cut it off`, async () => {
		const jobs = Array.from({ length: deliveries }, newJob);
		const waiting = [...jobs];
		let killed = false;
		const deliverer = async () => {
			for (let job = waiting.shift(); job; job = waiting.shift()) {
				await deliverUntilAccepted(job, () => killed);
			}
		};
		const delivered = Promise.all(Array.from({ length: atOnce }, deliverer));

		while (waiting.length > deliveries / 2) await sleep(5);
		const pid = await n8n.processId();
		killed = true;
		process.kill(pid, 'SIGKILL');
		await n8n.stop();
		n8n = await startInstance({ userFolder: n8n.userFolder });
		await delivered;

		const executions = async () => {
			const listed = await n8n.executionsOf(trigger.workflow);
			return Promise.all(listed.map(({ id: execution }) => n8n.finishedExecution(execution)));
		};
		const afterRestart = await executions();
		const of = (job: Job) => afterRestart.filter((run) => reportIdOf(run) === job.report_id);
		const twice = jobs.filter((job) => of(job).length > 1);

		// Whatever was accepted has an execution with its reports, and nothing else has one.
		expect(jobs.filter((job) => of(job).length === 0)).toEqual([]);
		expect(jobs.flatMap(of)).toHaveLength(afterRestart.length);
		// What is there twice was stored, but n8n had no time to answer.
		expect(twice.filter((job) => !job.cut)).toEqual([]);
		expect(twice.length).toBeLessThanOrEqual(atOnce);

		// n8n answers before the workflow has run. What it was running when it was killed, it shows as crashed, and
		// the user can start that again.
		const crashed = afterRestart.filter(({ status }) => status === 'crashed');
		expect(new Set(afterRestart.map(({ status }) => status))).toEqual(
			new Set(crashed.length > 0 ? ['success', 'crashed'] : ['success']),
		);
		for (const run of crashed) {
			const again = await n8n.finishedExecution(await n8n.retryExecution(run.id));
			expect(again.status).toBe('success');
			expect(reportIdOf(again)).toBe(reportIdOf(run));
		}

		// A repeat is known over the restart, but for the last ones, which n8n may have been saving.
		const forgotten: Job[] = [];
		for (const job of jobs) {
			const { text } = await deliver({ url: url() }, job.body);
			if (text !== 'repeat') forgotten.push(job);
		}
		const recent = jobs.filter(({ acceptedBeforeKill }) => acceptedBeforeKill).slice(-2 * atOnce);
		expect(forgotten.filter((job) => !recent.includes(job))).toEqual([]);
		expect(forgotten.length).toBeLessThan(atOnce);
	}, 300_000);
});
