import fc from 'fast-check';
import type { IHttpRequestOptions, INodeExecutionData } from 'n8n-workflow';

import { reportBody, response } from '../support/answers';
import { createContext } from '../support/context';
import { execute } from '../support/execute';
import { stopButton } from '../support/stopButton';
import { unholdTimers } from '../support/timers';

const namesOf = <Name extends string>(...names: Name[]) => names;
/** What the service does with an address, or with the job that an address is the first of. */
const fates = namesOf('well', 'slow', 'refused', 'forbidden', 'down', 'unsure', 'lost', 'nonsense');
type Fate = (typeof fates)[number];
/** What a job comes to that was accepted. */
const jobFates = namesOf('complete', 'late', 'outage', 'failed', 'endless', 'gap', 'odd');
type JobFate = (typeof jobFates)[number];

interface Case {
	operation: 'screen' | 'screenAndWait' | 'submit';
	goesOn: boolean;
	concurrency: number;
	maxRetries: number;
	/** For each item: the number of its address, in which spelling, and its fate. */
	items: Array<{ address: number; isCapital: boolean; fate: Fate; isInvalid: boolean }>;
	jobFate: JobFate;
	/** Milliseconds after which the user stops the execution. */
	stopAfter: number | undefined;
	/** Whether the deadline comes at once, or not at all. */
	isShort: boolean;
}

const cases: fc.Arbitrary<Case> = fc.record({
	operation: fc.constantFrom('screen', 'screenAndWait', 'submit'),
	goesOn: fc.boolean(),
	concurrency: fc.integer({ min: 1, max: 6 }),
	maxRetries: fc.nat(2),
	items: fc.array(
		fc.record({
			address: fc.nat(9),
			isCapital: fc.boolean(),
			fate: fc.oneof(
				{ weight: 4, arbitrary: fc.constant<Fate>('well') },
				{ weight: 2, arbitrary: fc.constantFrom(...fates) },
			),
			isInvalid: fc.integer({ min: 1, max: 20 }).map((one) => one === 20),
		}),
		{ minLength: 1, maxLength: 14 },
	),
	jobFate: fc.constantFrom(...jobFates),
	stopAfter: fc.option(fc.integer({ min: 0, max: 12 }), { nil: undefined, freq: 4 }),
	isShort: fc.boolean(),
});

const spelled = ({ address, isCapital }: Case['items'][number]) => {
	const text = `0x${address.toString(16).padStart(4, '0')}abcdef`;
	return isCapital ? text.replace('abcdef', 'ABCDEF') : text;
};
const sameAs = (address: string) => address.toLowerCase();

interface Exchange {
	path: string;
	began: number;
	/** Whether its answer fails an item, whatever follows. */
	isFatal?: boolean;
	/** Whether it began after the node had handled a fatal answer. */
	isLate: boolean;
}

/** A service in this process, told by a case, with what it made. */
function serviceOf({ operation, items, jobFate, maxRetries }: Case) {
	const fateOf = new Map<string, Fate>();
	for (const item of items) {
		const key = sameAs(spelled(item));
		if (!fateOf.has(key)) fateOf.set(key, item.fate);
	}
	const exchanges: Exchange[] = [];
	let isHandled = false;
	const tries = new Map<string, number>();
	const jobs = new Map<string, { addresses: string[]; looks: number }>();
	const reports = new Set<string>();
	const accepted: string[] = [];

	const pause = async (ms: number) => await new Promise((resolve) => setTimeout(resolve, ms));
	const reportFor = (address: string) =>
		reportBody({ address, report_id: `rep_${sameAs(address)}` });

	/** Whether no other try can follow this one. Items with one address are screened once each, and share its tries. */
	const isLast = (name: string, retries: number) => {
		const count = (tries.get(name) ?? 0) + 1;
		tries.set(name, count);
		const sharers = items.filter((item) => sameAs(spelled(item)) === sameAs(name)).length;
		return count > retries * Math.max(1, operation === 'screen' ? sharers : 1);
	};

	async function post(fate: Fate, name: string, good: () => unknown, exchange: Exchange) {
		const isOnlyTry = exchange.path.endsWith('/bulk') && fate !== 'down';
		const isFinal = ['refused', 'forbidden', 'nonsense'].includes(fate);
		const isRetried = ['down', 'unsure', 'lost'].includes(fate);
		exchange.isFatal = isFinal || (isRetried && (isOnlyTry || isLast(name, maxRetries)));
		if (fate === 'slow') await pause(3);
		if (fate === 'lost') throw Object.assign(new Error('broken'), { code: 'ECONNRESET' });
		const status = { refused: 422, forbidden: 403, down: 503, unsure: 502 }[fate as 'down'] ?? 200;
		return response(status, fate === 'nonsense' ? '<html>' : status === 200 ? good() : '');
	}

	function look(id: string, exchange: Exchange) {
		const job = jobs.get(id)!;
		const isEarly = ++job.looks < 4;
		const results = job.addresses.map((address) => reportFor(address));
		if (jobFate === 'outage' && isEarly)
			return [response(503), response(404), response(200, '<html>')][job.looks - 1];
		exchange.isFatal = ['failed', 'gap', 'odd'].includes(jobFate);
		const done = { status: 'done', results };
		const running = { status: 'processing' };
		const bodies: Record<JobFate, object> = {
			complete: done,
			outage: done,
			late: isEarly ? running : done,
			failed: { status: 'failed' },
			endless: running,
			gap: { ...done, results: results.slice(1) },
			odd: { ...done, results: [{ ...results[0], risk: 7 }, ...results.slice(1)] },
		};
		return response(200, bodies[jobFate]);
	}

	async function http({ method = 'GET', url, body }: IHttpRequestOptions) {
		const path = new URL(url).pathname;
		const exchange: Exchange = { path, began: performance.now(), isLate: isHandled };
		exchanges.push(exchange);
		try {
			await pause(0);
			if (path.endsWith('/screen')) {
				const { address } = body as { address: string };
				const made = () => {
					reports.add(`rep_${sameAs(address)}`);
					return reportFor(address);
				};
				return await post(fateOf.get(sameAs(address))!, address, made, exchange);
			}
			if (method === 'POST') {
				const { addresses } = body as { addresses: string[] };
				const worst = addresses.map((address) => fateOf.get(sameAs(address))!);
				// A list is rejected for any address in it; what else befalls it, its first address tells.
				const fate = worst.includes('refused') ? 'refused' : worst[0]!;
				const made = () => {
					const job_id = `job_${jobs.size}`;
					jobs.set(job_id, { addresses, looks: 0 });
					accepted.push(...addresses.map(sameAs));
					return { job_id, status: 'queued' };
				};
				return await post(fate, addresses.join(), made, exchange);
			}
			return look(path.split('/').at(-1)!, exchange);
		} finally {
			// The node handles an answer in microtasks.
			if (exchange.isFatal) setImmediate(() => setImmediate(() => (isHandled = true)));
		}
	}
	return { http, exchanges, jobs, reports, accepted };
}

async function check(one: Case): Promise<void> {
	const { operation, goesOn, items, concurrency, maxRetries, stopAfter, isShort, jobFate } = one;
	const service = serviceOf(one);
	const stop = stopButton();
	let [stoppedAt, handledAt] = [Infinity, Infinity];
	if (stopAfter !== undefined) {
		setTimeout(() => {
			stoppedAt = performance.now();
			stop.abort(new Error('stopped'));
			// The node handles it in microtasks.
			setImmediate(() => (handledAt = performance.now()));
		}, stopAfter);
	}
	const isEndless = operation === 'screenAndWait' && jobFate === 'endless';
	const input = items.map((item) => ({ address: item.isInvalid ? 'not one' : spelled(item) }));
	const context = createContext({
		items: input,
		continueOnFail: goesOn,
		signal: stop.signal,
		parameters: {
			resource: operation === 'screen' ? 'address' : 'bulkJob',
			operation,
			address: (index: number) => input[index]!.address,
		},
		options: {
			concurrency,
			maxRetries,
			pollInterval: 0.01,
			timeout: isEndless || isShort ? 0.0005 : 1,
		},
		http: service.http,
	});

	const { items: output, error: thrown } = await execute(context);
	const endedAt = performance.now();
	// Whatever would still be sent has the time to be.
	await new Promise((resolve) => setTimeout(resolve, 15));
	const { exchanges, jobs, reports, accepted } = service;
	expect(exchanges.filter(({ began }) => began > endedAt)).toEqual([]);

	// Nothing is paid twice.
	expect(new Set(accepted).size).toBe(accepted.length);

	const wasStopped = stoppedAt < endedAt && thrown?.message === 'The execution was canceled';
	if (wasStopped) {
		expect(exchanges.filter(({ began }) => began > handledAt)).toEqual([]);
		return;
	}

	if (!goesOn) {
		if (items.some(({ isInvalid }) => isInvalid)) {
			expect(thrown?.context).toMatchObject({ errorClass: 'invalid_input' });
			expect(exchanges).toEqual([]);
			return;
		}
		expect(exchanges.filter(({ isLate }) => isLate)).toEqual([]);
		if (exchanges.some(({ isFatal }) => isFatal)) expect(thrown).toBeDefined();
	}

	const madeJobs = [...jobs.keys()];
	if (thrown) {
		expect(goesOn).toBe(false);
		const { errorClass, itemIndex, job_ids = [], report_ids = [] } = thrown.context ?? {};
		expect(errorClass).toEqual(expect.any(String));
		expect(itemIndex).toBeGreaterThanOrEqual(0);
		expect(itemIndex).toBeLessThan(items.length);
		expect([...(job_ids as string[])].sort()).toEqual(madeJobs.sort());
		// Equal addresses of several items are screened once each, and have one ID.
		expect([...new Set(report_ids as string[])].sort()).toEqual([...reports].sort());
		return;
	}

	const names = ({ json }: INodeExecutionData, id: string) =>
		JSON.stringify(json).includes(`"${id}"`);
	const unnamed = (ids: Iterable<string>) =>
		[...ids].filter((id) => !output.some((item) => names(item, id)));
	if (operation === 'submit') {
		// Each input item is in one job, or has one error.
		const from = output.flatMap(({ pairedItem }) =>
			[pairedItem as { item: number } | Array<{ item: number }>].flat().map(({ item }) => item),
		);
		expect(from.sort((a, b) => a - b)).toEqual(items.map((_, index) => index));
		expect(unnamed(madeJobs)).toEqual([]);
		return;
	}

	expect(output.map(({ pairedItem }) => pairedItem)).toEqual(items.map((_, item) => ({ item })));
	output.forEach((item, index) => {
		const { error, address, risk, details } = item.json as Record<string, unknown>;
		if (error === undefined) {
			expect(sameAs(address as string)).toBe(sameAs(input[index]!.address));
			expect(risk).toEqual(reportBody().risk);
		} else {
			expect(risk).toBeUndefined();
			expect(details).toMatchObject({ errorClass: expect.any(String) as string, itemIndex: index });
		}
		expect(error !== undefined || !items[index]!.isInvalid).toBe(true);
	});
	if (operation === 'screen') {
		expect(unnamed(reports)).toEqual([]);
		return;
	}
	// A job is named by its reports, or by the errors of its addresses.
	for (const [id, { addresses }] of jobs) {
		const ours = output.filter((_, index) =>
			addresses.map(sameAs).includes(sameAs(input[index]!.address)),
		);
		for (const item of ours) {
			if (item.json['error'] !== undefined) expect(names(item, id)).toBe(true);
		}
	}
}

beforeEach(() => {
	unholdTimers();
	// The random pauses between tries become as short as they can be.
	jest.spyOn(Math, 'random').mockReturnValue(0);
});
afterEach(() => jest.restoreAllMocks());

test('any run: one outcome for each item or one error, nothing sent after it, and all that was made is named', async () => {
	await fc.assert(fc.asyncProperty(cases, check), {
		numRuns: 80,
		interruptAfterTimeLimit: 40_000,
	});
});
