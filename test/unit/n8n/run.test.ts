import { runInThisContext } from 'vm';

import { type INodeExecutionData, NodeApiError, NodeOperationError } from 'n8n-workflow';

import { eachItem, withoutRequests } from '../../../nodes/WalletScreening/n8n/eachItem';
import { type Run, withRun } from '../../../nodes/WalletScreening/n8n/run';
import { invalidInput, ScreeningError } from '../../../nodes/WalletScreening/service/errors';
import { statusError } from '../../../nodes/WalletScreening/service/faults';
import { reportBody, response } from '../support/answers';
import { badExpression, type ContextOptions, createContext } from '../support/context';
import { stopButton } from '../support/stopButton';
import { unholdTimers } from '../support/timers';
import { settled } from '../support/virtualClock';

beforeEach(unholdTimers);
afterEach(() => jest.restoreAllMocks());

const refused = () => invalidInput('Address', "'Address' is empty", 'Give one.');

/** Runs `handle` for each item; the parameter of an item is its index. */
const each = async (
	options: ContextOptions,
	handle: (index: number, run: Run) => Promise<{ json: object } | ScreeningError>,
	read: (index: number) => number = (index) => index,
): Promise<INodeExecutionData[]> =>
	await eachItem(createContext(options), {
		read: (_read, index) => read(index),
		handle: async (index, run) => (await handle(index, run)) as INodeExecutionData,
	});

/** What n8n saves of the error that `work` ends with. */
async function thrownBy(work: Promise<unknown>): Promise<NodeOperationError | NodeApiError> {
	const error: unknown = await work.then(
		() => new Error('Nothing was thrown'),
		(reason: unknown) => reason,
	);
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	throw error;
}

describe('the outcomes', () => {
	test('are those of the items, in the order of the input, however long each takes', async () => {
		const items = await each({ items: 50 }, async (index) => {
			for (let turn = 0; turn < (index * 7) % 11; turn++) await settled();
			return { json: { index } };
		});
		expect(items).toEqual(
			Array.from({ length: 50 }, (_, index) => ({ json: { index }, pairedItem: { item: index } })),
		);
	});

	test('of 1,000 good and bad items are 1,000, in order, with "Continue"', async () => {
		const items = await each({ items: 1000, continueOnFail: true }, async (index) => {
			if (index % 7 === 0) await settled();
			if (index % 3 === 0) throw refused();
			if (index % 5 === 0) throw statusError(404, undefined);
			return { json: { index } };
		});
		expect(items).toHaveLength(1000);
		items.forEach(({ json, pairedItem }, index) => {
			expect(pairedItem).toEqual({ item: index });
			if (index % 3 === 0) expect(json.details).toMatchObject({ errorClass: 'invalid_input' });
			else if (index % 5 === 0) expect(json.details).toMatchObject({ errorClass: 'not_found' });
			else expect(json).toEqual({ index });
		});
	});

	test('of an item may be several, which all come from it', async () => {
		const items = await eachItem(createContext({ items: 2 }), {
			read: (_read, index) => index,
			handle: async (index) =>
				await Promise.resolve([{ json: { index, part: 1 } }, { json: { index, part: 2 } }]),
		});
		expect(items.map(({ json, pairedItem }) => [json, pairedItem])).toEqual(
			[0, 1].flatMap((index) => [1, 2].map((part) => [{ index, part }, { item: index }])),
		);
	});

	test('have the fields of their input item, also beside an error, if the user wants them', async () => {
		const items = await each(
			{
				items: [{ customer: 'a', risk: 'theirs' }, { customer: 'b' }],
				continueOnFail: true,
				options: { includeInputFields: true },
			},
			async (index) => {
				if (index === 1) throw statusError(404, undefined);
				return await Promise.resolve({ json: { risk: 'ours' } });
			},
		);
		expect(items[0]!.json).toEqual({ customer: 'a', risk: 'ours' });
		expect(items[1]!.json).toMatchObject({
			customer: 'b',
			details: { errorClass: 'not_found', itemIndex: 1 },
		});
	});
});

describe('the requests', () => {
	test.each([
		[1, 1],
		[7, 7],
		[100, 30],
	])('are in progress for %i items at once if the user says so', async (concurrency, expected) => {
		let inProgress = 0;
		let most = 0;
		await each({ items: 30, options: { concurrency } }, async () => {
			most = Math.max(most, ++inProgress);
			await settled();
			inProgress--;
			return { json: {} };
		});
		expect(most).toBe(expected);
	});

	test('begin after the parameters of all items were read', async () => {
		const order: string[] = [];
		await each(
			{ items: 3, options: { concurrency: 1 } },
			async (index) => {
				order.push(`handle ${index}`);
				return await Promise.resolve({ json: {} });
			},
			(index) => {
				order.push(`read ${index}`);
				return index;
			},
		);
		expect(order).toEqual(['read 0', 'read 1', 'read 2', 'handle 0', 'handle 1', 'handle 2']);
	});

	test.each([false, true])(
		'do not go out for an item with an invalid parameter; with Continue: %s',
		async (continueOnFail) => {
			const handled: number[] = [];
			const work = each(
				{ items: 5, continueOnFail },
				async (index) => {
					handled.push(index);
					return await Promise.resolve({ json: { index } });
				},
				(index) => {
					if (index === 3) throw refused();
					return index;
				},
			);
			if (continueOnFail) {
				expect((await work).map(({ json }) => json.index)).toEqual([0, 1, 2, undefined, 4]);
				expect(handled).toEqual([0, 1, 2, 4]);
			} else {
				expect((await thrownBy(work)).context).toMatchObject({
					errorClass: 'invalid_input',
					itemIndex: 3,
				});
				expect(handled).toEqual([]);
			}
		},
	);

	test('end with the first failure, and the others of the run are called off', async () => {
		const begun: number[] = [];
		const sent: number[] = [];
		const work = each({ items: 100, options: { concurrency: 3 } }, async (index, { clock }) => {
			begun.push(index);
			if (index === 1) throw statusError(401, undefined);
			// As the limiter, a retry and the wait for a job do.
			await clock.sleep(60_000);
			sent.push(index);
			return { json: {} };
		});
		expect((await thrownBy(work)).context).toMatchObject({
			errorClass: 'unauthorized',
			itemIndex: 1,
		});
		expect(begun).toEqual([0, 1, 2]);
		expect(sent).toEqual([]);
	});

	test('that are on the wire when another one fails finish, and what they made is named', async () => {
		let answerAll = () => {};
		const answers = new Promise<void>((resolve) => (answerAll = resolve));
		const http = async ({ url, body }: { url: string; body?: unknown }) => {
			expect(url).toMatch(/\/v1\/screen$/);
			const { address } = body as { address: string };
			if (address === 'a1') {
				setImmediate(answerAll);
				return response(401);
			}
			await answers;
			await settled();
			return response(200, reportBody({ address, report_id: `rep_${address}` }));
		};
		const parameters = { resource: 'address', operation: 'screen' };
		const error = await thrownBy(
			eachItem(createContext({ items: 3, parameters, http: http as never }), {
				read: (_read, index) => `a${index}`,
				async handle(address, run) {
					const report = await run.client.screen(address);
					run.account.report_ids.push(report.report_id);
					return { json: {} };
				},
			}),
		);
		expect(error.context).toMatchObject({
			errorClass: 'unauthorized',
			report_ids: ['rep_a0', 'rep_a2'],
		});
	});
});

describe('a parameter that n8n cannot read', () => {
	const options = {
		items: 3,
		parameters: { it: (item: number) => (item === 1 ? badExpression() : item) },
	};
	const run = async (more: ContextOptions) =>
		await eachItem(createContext({ ...options, ...more }), {
			read: (read) => read('it'),
			handle: async (it) => await Promise.resolve({ json: { it } as never }),
		});

	test('is the outcome of only its item, with "Continue"', async () => {
		const items = await run({ continueOnFail: true });
		expect(items.map(({ json }) => json)).toEqual([
			{ it: 0 },
			{
				error: expect.stringContaining('Bad expression') as string,
				details: expect.objectContaining({ errorClass: 'invalid_input', itemIndex: 1 }) as object,
			},
			{ it: 2 },
		]);
	});

	test('ends the node otherwise', async () =>
		expect((await thrownBy(run({}))).context).toMatchObject({
			errorClass: 'invalid_input',
			itemIndex: 1,
		}));
});

describe('a fault of the node itself', () => {
	test.each([
		[new TypeError("Cannot read properties of undefined (reading 'x')"), /Cannot read properties/],
		['a text', /a text/],
		[null, /null/],
		[undefined, /undefined/],
	])('keeps its message, %p, and befalls only its item', async (thrown, message) => {
		const items = await each({ items: 3, continueOnFail: true }, async (index) => {
			if (index === 1) throw thrown;
			return await Promise.resolve({ json: { index } });
		});
		expect([items[0]!.json, items[2]!.json]).toEqual([{ index: 0 }, { index: 2 }]);
		const { error, details } = items[1]!.json as unknown as { error: string; details: object };
		expect(error).toMatch(message);
		expect(error).not.toMatch(/parameter could not be read|read a parameter/);
		expect(details).toMatchObject({ errorClass: 'invalid_response', itemIndex: 1 });
	});

	test('names the reports and jobs of the run', async () => {
		const work = withRun(createContext(), async ({ account }) => {
			account.job_ids.push('j1', 'j2');
			account.report_ids.push('r1');
			throw await Promise.resolve(new RangeError('Out of range'));
		});
		const { message, context } = await thrownBy(work);
		expect(message).toMatch(/Out of range/);
		expect(context).toMatchObject({ job_ids: ['j1', 'j2'], report_ids: ['r1'] });
	});
});

describe('what was made', () => {
	const known = { job_ids: ['j1', 'j2'] };
	const run = async (outcome: ScreeningError, continueOnFail: boolean) =>
		await withRun(createContext({ continueOnFail }), async ({ account }) => {
			account.job_ids.push('j1', 'j2');
			account.report_ids.push('r1');
			return await Promise.resolve([{ outcome, from: 0 }]);
		});

	test.each([undefined, 'j2'])(
		'is named by the error that ends the node, of job %s',
		async (job_id) => {
			const error = statusError(500, undefined).with(job_id === undefined ? {} : { job_id });
			expect((await thrownBy(run(error, false))).context).toMatchObject({
				...known,
				report_ids: ['r1'],
			});
		},
	);

	test('is named too if the node ends because the credential became invalid meanwhile', async () => {
		const error = invalidInput('Base URL', "'Base URL' is empty", 'Enter it.');
		expect((await thrownBy(run(error, false))).context).toMatchObject({
			...known,
			report_ids: ['r1'],
		});
	});

	test('is not named by an item that was invalid, for which nothing was sent', async () => {
		const [item] = await run(refused(), true);
		expect(item!.json.details).not.toHaveProperty('job_ids');
		expect(item!.json.details).not.toHaveProperty('report_ids');
	});

	test('has no names if nothing was made', async () => {
		const outcome = statusError(500, undefined);
		const work = withRun(
			createContext(),
			async () => await Promise.resolve([{ outcome, from: 0 }]),
		);
		const { context } = await thrownBy(work);
		expect(context).not.toHaveProperty('job_ids');
		expect(context).not.toHaveProperty('report_ids');
	});

	test.each([
		['its own job', statusError(500, undefined).with({ job_id: 'j2' }), ['j2']],
		['all jobs, where it is in none', statusError(500, undefined), ['j1', 'j2']],
	])('is named by an error item: %s', async (_what, error, job_ids) => {
		const [item] = await run(error, true);
		expect(item!.json.details).toMatchObject({ job_ids });
		// Each report is an item of its own.
		expect(item!.json.details).not.toHaveProperty('report_ids');
	});
});

describe('a run that cannot start', () => {
	const credential = { apiKey: 'sk_test', baseUrl: 'https://api.example.com' };
	test.each<[string, ContextOptions]>([
		['an option', { options: { maxRetries: -1 } }],
		['the base URL', { credential: { apiKey: 'sk_test', baseUrl: 'http://example.com' } }],
		[
			'the rate',
			{ credential: { ...credential, plan: 'custom', requestsPerSecond: 0, burst: 50 } },
		],
		[
			'the burst',
			{ credential: { ...credential, plan: 'custom', requestsPerSecond: 10, burst: Infinity } },
		],
	])('because of %s says so for every item', async (_what, options) => {
		const handle = jest.fn();
		const items = await each({ items: 3, continueOnFail: true, ...options }, handle as never);
		expect(handle).not.toHaveBeenCalled();
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
			{ item: 0 },
			{ item: 1 },
			{ item: 2 },
		]);
		for (const { json } of items)
			expect(json.details).toMatchObject({ errorClass: 'invalid_input', httpCode: null });
	});
});

describe('the stop button', () => {
	test.each([false, true])('ends the node; with Continue: %s', async (continueOnFail) => {
		const stop = stopButton();
		const handled: number[] = [];
		const work = each(
			{ items: 10, continueOnFail, signal: stop.signal, options: { concurrency: 1 } },
			async (index, { clock }) => {
				handled.push(index);
				if (index === 3) stop.abort();
				await clock.sleep(1);
				return { json: {} };
			},
		);
		await expect(work).rejects.toMatchObject({ message: 'The execution was canceled' });
		expect(handled).toEqual([0, 1, 2, 3]);
	});

	test.each<[made: { job_ids: string[]; report_ids: string[] }, said: string[]]>([
		[{ job_ids: ['j1', 'j2'], report_ids: [] }, ['process them: j1, j2. ']],
		[{ job_ids: [], report_ids: ['r1', 'r2'] }, ['reports exist: r1, r2. ']],
		[{ job_ids: ['j1'], report_ids: ['r1'] }, ['reports exist: r1. ', 'process them: j1. ']],
		[{ job_ids: [], report_ids: [] }, []],
		[{ job_ids: [], report_ids: ['r1\n\u001b[2Jr2'] }, ['reports exist: r1??[2Jr2. ']],
		[
			{ job_ids: [], report_ids: Array.from({ length: 101 }, (_, index) => `r${index}`) },
			['reports exist: r0, r1, ', 'reports exist: r100. '],
		],
	])('names what was made, in the log of n8n too: %j', async (made, said) => {
		const stop = stopButton();
		const log: string[] = [];
		const context = createContext({ signal: stop.signal, log });
		const work = withRun(context, async ({ account, clock }) => {
			account.job_ids.push(...made.job_ids);
			account.report_ids.push(...made.report_ids);
			stop.abort();
			await clock.sleep(60_000);
			return [];
		});
		const { message, description, context: known } = await thrownBy(work);
		expect(message).toBe('The execution was canceled');
		expect(known).toMatchObject(made);
		expect(log).toHaveLength(said.length);
		for (const [line, text] of said.entries()) {
			expect(description).toContain(text);
			expect(log[line]).toContain(text);
		}
	});

	test('ends it after the last item too', async () => {
		const stop = stopButton();
		const work = each({ signal: stop.signal }, async () => {
			stop.abort();
			return await Promise.resolve({ json: {} });
		});
		await expect(work).rejects.toMatchObject({ message: 'The execution was canceled' });
	});

	test('ends it while parameters are read', async () => {
		const stop = stopButton();
		let read = 0;
		const work = each({ items: 10_000, signal: stop.signal }, jest.fn() as never, (index) => {
			if (++read === 500) stop.abort();
			return index;
		});
		await expect(work).rejects.toBeInstanceOf(NodeOperationError);
		expect(read).toBeLessThan(1000);
	});
});

describe('the deadline', () => {
	const timed = async (
		timeout: number,
		work: (run: Run) => Promise<never>,
		more: ContextOptions = {},
	) => await withRun(createContext({ ...more, options: { timeout } }), work, { isTimed: true });

	test('is the time-out from the start of the run, on a clock that does not jump', async () => {
		let seen = 0;
		await timed(2, async ({ clock, deadline }) => {
			seen = deadline - clock.now();
			return await Promise.resolve([] as never);
		});
		expect(seen).toBeLessThanOrEqual(120_000);
		expect(seen).toBeGreaterThan(100_000);
	});

	test('leaves two seconds for the last look, and ends nothing after the run', async () => {
		const time = new AbortController();
		const timer = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(time.signal);
		const work = timed(2, async ({ clock }) => {
			time.abort();
			await clock.sleep(3_600_000);
			throw new Error('Nothing ended the wait');
		});
		const { message, context } = await thrownBy(work);
		expect(message).toContain('within 2 minutes');
		expect(context).toMatchObject({ errorClass: 'job_timeout' });
		expect(timer.mock.calls).toEqual([[122_000]]);

		const later = new AbortController();
		timer.mockReturnValue(later.signal);
		let signal: AbortSignal | undefined;
		await timed(2, async (run) => {
			signal = run.signal;
			return await Promise.resolve([] as never);
		});
		later.abort();
		expect(signal!.aborted).toBe(false);
	});

	test('is infinite if the operation has no time-out', async () => {
		await withRun(createContext(), async ({ deadline }) => {
			expect(deadline).toBe(Infinity);
			return await Promise.resolve([]);
		});
	});

	test('ends each wait within two seconds of it, as job_timeout', async () => {
		const began = performance.now();
		const error = await thrownBy(
			timed(0.001, async ({ clock }) => {
				await clock.sleep(3_600_000);
				throw new Error('Nothing ended the wait');
			}),
		);
		expect(error.context).toMatchObject({ errorClass: 'job_timeout' });
		expect(performance.now() - began).toBeGreaterThanOrEqual(60);
		expect(performance.now() - began).toBeLessThan(20_000);
	});
});

describe('an operation that sends nothing', () => {
	const run = async (options: ContextOptions) =>
		await withoutRequests(
			createContext({ items: 4, ...options }),
			async (_read, _item, { simplify }, index) => {
				if (index === 1) throw refused();
				return await Promise.resolve(index === 2 ? undefined : { index, simplify });
			},
		);

	test('gives each item what becomes of it, or nothing', async () => {
		const items = await run({ continueOnFail: true, options: { simplify: true } });
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual([0, 1, 3].map((item) => ({ item })));
		expect([items[0]!.json, items[2]!.json]).toEqual([
			{ index: 0, simplify: true },
			{ index: 3, simplify: true },
		]);
		expect(items[1]!.json.details).toMatchObject({ errorClass: 'invalid_input', itemIndex: 1 });
	});

	test('keeps what a failed item said, without the field of an earlier run', async () => {
		const said = { address: 'a', change: 'earlier' };
		const items = await run({ continueOnFail: true, items: [said, said] });
		expect(items[1]!.json).toMatchObject({ address: 'a', error: expect.any(String) as string });
		expect(items[1]!.json).not.toHaveProperty('change');
	});

	test('fails with the first item that fails, unless the user chose to continue', async () =>
		expect((await thrownBy(run({}))).context).toMatchObject({ itemIndex: 1 }));

	test('fails for every item if an option is invalid', async () => {
		const items = await run({ continueOnFail: true, options: { simplify: 'perhaps' } });
		expect(items.map(({ json }) => json.details)).toEqual(
			[0, 1, 2, 3].map((itemIndex) =>
				expect.objectContaining({ errorClass: 'invalid_input', itemIndex }),
			),
		);
	});
});

test.each<[string, (context: ContextOptions, work: () => void) => Promise<unknown>]>([
	[
		'reads',
		async (options, work) =>
			await each(options, jest.fn(async () => ({ json: {} })) as never, (index) => {
				work();
				return index;
			}),
	],
	[
		'works',
		async (options, work) =>
			await withoutRequests(createContext(options), async () => {
				work();
				return await Promise.resolve(undefined);
			}),
	],
])('n8n gets a moment for its other work while the node %s', async (_what, run) => {
	let moments = 0;
	const seen: number[] = [];
	await run({ items: 3 }, () => {
		seen.push(moments);
		setTimeout(() => moments++, 0);
		const began = performance.now();
		while (performance.now() - began < 60);
	});
	expect(seen.slice(0, 3)).toEqual([0, 1, 2]);
});

test.each([undefined, stopButton().signal])(
	'many items may wait at once without a warning of a leak',
	async (signal) => {
		// The process of jest itself: a test file sees a copy.
		const host = runInThisContext('process') as NodeJS.Process;
		const warnings: Error[] = [];
		const note = (warning: Error) => warnings.push(warning);
		host.on('warning', note);
		await each({ items: 100, ...(signal && { signal }) }, async (index, { clock }) => {
			await clock.sleep(1);
			return { json: { index } };
		});
		await settled();
		host.off('warning', note);
		expect(warnings).toEqual([]);
	},
);

test('a run leaves no listener at the stop button behind that keeps it', async () => {
	const stop = stopButton();
	for (let run = 0; run < 20; run++) {
		await each({ items: 5, signal: stop.signal }, async (index, { clock }) => {
			await clock.sleep(0);
			return { json: { index } };
		});
	}
	// `AbortSignal.any` holds what it made weakly.
	expect(getListeners(stop.signal)).toBeLessThanOrEqual(1);
});

function getListeners(signal: AbortSignal): number {
	const { getEventListeners } = jest.requireActual<typeof import('events')>('events');
	return getEventListeners(signal, 'abort').length;
}

test('an operation without requests keeps the files of each item', async () => {
	const context = createContext();
	const binary = { data: { data: 'JVBERi0=', mimeType: 'application/pdf' } };
	context.getInputData = () => [{ json: { at: 1 }, binary }, { json: { at: 2 } }];
	const made = await withoutRequests(context, async (_read, { json }) => {
		return await Promise.resolve({ ...json, decision: {} });
	});
	expect(made).toMatchObject([{ json: { at: 1, decision: {} }, binary }, { json: { at: 2 } }]);
	expect(made[1]).not.toHaveProperty('binary');
});
