import { settle } from '../../nodes/WalletScreening/service/bulk';
import { parseJson } from '../../nodes/WalletScreening/service/json';
import { createReader } from '../../nodes/WalletScreening/service/reader/reader';
import { reportOn } from '../../sandbox/reports';
import { itemsOf, type N8n, startFreshInstance } from '../../tools/host/instance';
import { addressesOf } from '../support/addresses';
import { answering, serve } from '../support/server';
import { screeningNode, screeningWorkflow, serviceCredential } from '../support/workflows';
import { median, type Row } from './bench';

/** Rows about what it takes to read answers, usual ones and odd ones. */
export async function readingRows(): Promise<Row[]> {
	return [thousandReports(), await oddAnswers()];
}

const reportsOf = (addresses: string[]) =>
	addresses.map((address) => reportOn(address, undefined, 'https://app.example.com'));
const jobOf = (results: unknown, more: object = {}) => ({
	job_id: 'job_1',
	status: 'completed',
	results,
	...more,
});

function medianMs(work: () => unknown): number {
	const times = Array.from({ length: 41 }, () => {
		const start = performance.now();
		work();
		return performance.now() - start;
	});
	return median(times);
}

function thousandReports(): Row {
	const addresses = addressesOf(1000);
	const body = Buffer.from(JSON.stringify(jobOf(reportsOf(addresses))));
	const reader = createReader();
	const read = medianMs(() => {
		const job = reader.job(parseJson(body, 200), 200, 'job_1', {}, addresses);
		return settle(addresses, job);
	});
	const parsed = medianMs(() => JSON.parse(body.toString()) as unknown);
	return {
		name: 'A job of 1,000 reports (370 KB), read and given to its addresses',
		measured: `${read.toFixed(1)} ms (median of 41)`,
		against: `JSON.parse of the same text: ${parsed.toFixed(1)} ms`,
		ratio: read / parsed,
		meaning: 'What the node adds to the time that the service takes for a job.',
	};
}

const many = <T>(count: number, make: (index: number) => T) =>
	Array.from({ length: count }, (_, index) => make(index));
const long = (start: string) => start.padEnd(250_000, 'a1');

/** Answers that take a reader long that is not linear. */
function odd(): Record<string, object> {
	const [report] = reportsOf(addressesOf(1));
	const names = Object.fromEntries(
		many(20_000, (index) => [`odd_${index}_State`, index % 2 ? index : `text ${index}`]),
	);
	const texts = many(10, (index) => [long(`0x${index}`), long(`text ${index} `)]);
	return {
		'20,000 odd names': jobOf([report], names),
		'40,000 objects': jobOf([report], { odd: many(40_000, (index) => ({ id: index, of: {} })) }),
		'4,000 results of one address': jobOf(
			many(4000, (index) => ({ ...report, report_id: `rep_${index}` })),
		),
		'texts of 250,000 characters': jobOf([report, ...texts.flat()], Object.fromEntries(texts)),
	};
}

async function oddAnswers(): Promise<Row> {
	const answers = Object.entries(odd());
	const { url, close } = await serve(
		answering(({ url: path }, answer) => {
			const id = path!.split('/').pop()!;
			answer(200, { ...answers[Number(id)]![1], job_id: id });
		}),
	);
	const n8n = await startFreshInstance('bench-reading');
	try {
		const credential = await n8n.saveCredential(serviceCredential('key', url));
		const get = { resource: 'bulkJob', operation: 'get', output: 'reports' };
		const parameters = { ...get, jobId: '={{ $json.id }}' };
		const waits: string[] = [];
		let longest = 0;
		for (const [id, [name]] of answers.entries()) {
			const workflow = await n8n.saveWorkflow(
				screeningWorkflow([{ id: String(id) }], parameters, credential, 'continueRegularOutput'),
			);
			const wait = await longestHealthCheck(n8n, async () => {
				const items = itemsOf(await n8n.runWorkflow(workflow), screeningNode);
				const json = JSON.stringify(items[0]?.json);
				if (!json?.includes('"clean_exchange"')) throw new Error(`${name} was not read: ${json}`);
			});
			waits.push(`${name} ${wait.toFixed(0)} ms`);
			longest = Math.max(longest, wait);
		}
		const idle = await longestHealthCheck(
			n8n,
			async () => await new Promise((resolve) => setTimeout(resolve, 2000)),
		);
		return {
			name: "The longest that n8n's `/healthz` waits while the node reads an odd answer",
			measured: waits.join(', '),
			against: `nothing to read: ${idle.toFixed(0)} ms`,
			ratio: longest / idle,
			meaning: 'No answer of the service stops n8n.',
		};
	} finally {
		await n8n.stop();
		await close();
	}
}

/** Milliseconds of the longest of the health checks, one after the other, while something runs. */
async function longestHealthCheck(n8n: N8n, run: () => Promise<unknown>): Promise<number> {
	const times: number[] = [];
	let isOver = false;
	const running = run().finally(() => (isOver = true));
	while (!isOver) {
		const start = performance.now();
		await (await fetch(`${n8n.url}/healthz`)).text();
		times.push(performance.now() - start);
	}
	await running;
	return Math.max(...times);
}
