import { getEventListeners } from 'events';
import { runInThisContext } from 'vm';

import {
	type IExecuteFunctions,
	type INodeExecutionData,
	NodeApiError,
	type NodeExecutionHint,
	NodeOperationError,
} from 'n8n-workflow';

import type { OutputItem, Run, SettledItem } from '../../../nodes/WalletScreening/execution/run';
import type { Operation } from '../../../nodes/WalletScreening/execution/operation';
import { runOperation } from '../../../nodes/WalletScreening/execution/runOperation';
import { invalidInput, ScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import { statusError } from '../../../nodes/WalletScreening/client/statusErrors';
import { type ContextOptions, createContext } from '../../support/unit/context';
import { createStopButton } from '../../support/unit/stopButton';
import { unrefTimers } from '../../support/unit/timers';
import { settlePromises } from '../../support/unit/virtualClock';

beforeEach(unrefTimers);
afterEach(() => jest.restoreAllMocks());

const refused = () => invalidInput('Address', "'Address' is empty", 'Give one.');

/** Runs `handle` for each item; the parameter of an item is its index. */
const each = async (
	options: ContextOptions,
	handle: (index: number, run: Run) => Promise<{ json: object }>,
	read: (index: number) => number = (index) => index,
): Promise<INodeExecutionData[]> =>
	await execute(createContext(options), async (run) => {
		const requests = await run.readItems((_read, index) => read(index));
		return await run.mapRequests(
			requests,
			async (_run, _client, index: number) => (await handle(index, run)) as OutputItem,
		);
	});

/** Runs an operation. */
const execute = async (
	context: IExecuteFunctions,
	run: (run: Run) => Promise<SettledItem[]>,
	kind: { isTimed?: true } = {},
) => {
	const operation = { execute: run, ...kind } as Operation;
	return await runOperation(context, { resource: 'address', value: 'screen', operation });
};

/** Returns the error with which `work` ends, in the form in which n8n saves it. */
async function thrownBy(work: Promise<unknown>): Promise<NodeOperationError | NodeApiError> {
	const error: unknown = await work.then(
		() => new Error('Nothing was thrown'),
		(reason: unknown) => reason,
	);
	if (error instanceof NodeOperationError || error instanceof NodeApiError) return error;
	throw error;
}

test('the outcomes of 1,000 good and bad items are 1,000, in order, however long each takes', async () => {
	const items = await each({ items: 1000, continueOnFail: true }, async (index) => {
		for (let turn = 0; turn < (index * 7) % 11; turn++) await settlePromises();
		if (index % 3 === 0) throw refused();
		if (index % 5 === 0) throw statusError(404, undefined);
		return { json: { index } };
	});
	expect(items).toHaveLength(1000);
	const failed = (errorClass: string) => ({ details: { errorClass } });
	items.forEach((item, index) => {
		const json = index % 5 === 0 ? failed('not_found') : { index };
		expect(item).toMatchObject({
			json: index % 3 === 0 ? failed('invalid_input') : json,
			pairedItem: { item: index },
		});
	});
});

test('an item that cannot be read ends the run before the first request, unless failures leave as items', async () => {
	const performed: number[] = [];
	const perform = async (index: number) => {
		performed.push(index);
		return await Promise.resolve({ json: { index } });
	};
	const read = (index: number) => {
		if (index === 2) throw refused();
		return index;
	};
	const { context } = await thrownBy(each({ items: 3 }, perform, read));
	expect(context).toMatchObject({ errorClass: 'invalid_input', itemIndex: 2 });
	expect(performed).toEqual([]);

	await each({ items: 3, continueOnFail: true }, perform, read);
	expect(performed).toEqual([0, 1]);
});

test('the first failure ends the run, and what was not sent yet is called off', async () => {
	const begun: number[] = [];
	const sent: number[] = [];
	const work = each({ items: 100, options: { concurrency: 3 } }, async (index, { clock }) => {
		begun.push(index);
		if (index === 1) throw statusError(401, undefined);
		// The rate limiter, a retry and the wait for a job sleep in the same way.
		await clock.sleep(60_000);
		sent.push(index);
		return { json: {} };
	});
	const { context } = await thrownBy(work);
	expect(context).toMatchObject({ errorClass: 'unauthorized', itemIndex: 1 });
	expect({ begun, sent }).toEqual({ begun: [0, 1, 2], sent: [] });
});

test.each([new TypeError('odd'), undefined])(
	'a fault of the node, %p, keeps its message and its place in the code, and befalls only its item',
	async (thrown) => {
		const work = async (index: number) => {
			if (index === 0) throw thrown;
			return await Promise.resolve({ json: { index } });
		};
		const error = expect.stringContaining(thrown?.message ?? 'undefined') as string;
		const details = { errorClass: 'invalid_response', itemIndex: 0 };
		expect(await each({ items: 2, continueOnFail: true }, work)).toMatchObject([
			{ json: { error, details } },
			{ json: { index: 1 } },
		]);
		const { stack } = await thrownBy(each({}, work));
		if (thrown) expect(stack).toBe(thrown.stack);
	},
);

describe('a fault of the node in a list', () => {
	/** Does the work of a list for two items, in which the value 1 meets the fault. */
	const runList = async (continueOnFail: boolean) => {
		const begun: number[] = [];
		const work = execute(createContext({ items: 2, continueOnFail }), async (run) =>
			run.inParallel(
				[...Array(100).keys()],
				3,
				async (value): Promise<SettledItem[]> => {
					begun.push(value);
					await settlePromises();
					if (value === 1) throw new TypeError('odd');
					return value === 0 ? [{ value: { json: { value } }, inputIndex: 0 }] : [];
				},
				(error, value) => [{ error, inputIndex: value }],
			),
		);
		return { work, begun };
	};

	test('ends what was not begun', async () => {
		const { work, begun } = await runList(false);
		const { message, context } = await thrownBy(work);
		expect(message).toContain('odd');
		expect(context).toMatchObject({ itemIndex: 1 });
		expect(begun.length).toBeLessThan(7);
	});

	test('costs no other value, which may be billed, if the user chose to continue', async () => {
		const { work, begun } = await runList(true);
		const error = expect.stringContaining('odd') as string;
		expect(await work).toMatchObject([{ json: { value: 0 } }, { json: { error } }]);
		expect(begun).toHaveLength(100);
	});
});

describe('what was made', () => {
	const run = async (outcome: Error, continueOnFail = false) =>
		await execute(createContext({ continueOnFail }), async ({ ledger: { created } }) => {
			created.job_ids.push('j1', 'j2');
			created.report_ids.push('r1');
			if (!(outcome instanceof ScreeningError)) throw outcome;
			return await Promise.resolve([{ error: outcome, inputIndex: 0 }]);
		});

	const known = { job_ids: ['j1', 'j2'], report_ids: ['r1'] };

	test('is named by a fault of the node while it makes the items that leave', async () => {
		const context = createContext({ items: [{ id: 7 }] });
		const work = execute(context, async ({ ledger: { created } }) => {
			created.job_ids.push('j1', 'j2');
			created.report_ids.push('r1');
			const value = {} as OutputItem;
			Object.defineProperty(value, 'json', {
				get: () => {
					throw new TypeError('odd');
				},
			});
			return await Promise.resolve([{ value, inputIndex: 0 }]);
		});
		const { message, context: details } = await thrownBy(work);
		expect(message).toContain('odd');
		expect(details).toMatchObject(known);
	});

	test('costs only the item that a fault of the node befalls while it is made', async () => {
		const context = createContext({ items: 2, continueOnFail: true });
		const items = await execute(context, async () => {
			const faulty = Object.defineProperty({} as OutputItem, 'json', {
				get: () => {
					throw new TypeError('odd');
				},
			});
			return await Promise.resolve([
				{ value: faulty, inputIndex: 0 },
				{ value: { json: { id: 7 } }, inputIndex: 1 },
			]);
		});
		const error = expect.stringContaining('odd') as string;
		expect(items).toMatchObject([{ json: { error } }, { json: { id: 7 } }]);
	});

	test('is named by the error that ends the node, also by a fault of it', async () => {
		const { description, context } = await thrownBy(run(new RangeError('odd')));
		expect(context).toMatchObject(known);
		expect(description).toContain("j1, j2. 'Bulk Job: Get' returns their reports");
	});

	// Each report is an item of its own.
	test.each([
		['if it is in no job', statusError(500, undefined), true],
		['not if it names its job', statusError(500, undefined).withDetails({ job_id: 'j2' }), false],
		['not if nothing was sent', refused(), false],
	])('is named by an error, and the jobs by an error item: %s', async (_what, error, isNamed) => {
		expect(await thrownBy(run(error))).toMatchObject({ context: known });
		const [item] = await run(error, true);
		const { job_ids, report_ids } = item!.json['details'] as Partial<typeof known>;
		expect([job_ids, report_ids]).toEqual([isNamed ? known.job_ids : undefined, undefined]);
	});
});

describe('the stop button', () => {
	test.each<[jobs: string[], reports: string[], texts: string[]]>([
		[['j1', 'j2'], ['r1'], ['reports exist: r1. ', 'process them: j1, j2. ']],
		[[], [], []],
		[[], ['r1\n\u001b[2Jr2'], ['reports exist: r1??[2Jr2. ']],
	])('ends the node, and names %j and %j, in the log too', async (job_ids, report_ids, texts) => {
		const stop = createStopButton();
		const log: string[] = [];
		const options = { signal: stop.signal, log };
		const work = execute(createContext(options), async ({ ledger: { created } }) => {
			created.job_ids.push(...job_ids);
			created.report_ids.push(...report_ids);
			stop.abort();
			return await Promise.resolve([]);
		});
		const { message, description, context: known } = await thrownBy(work);
		expect(message).toBe('The execution was canceled');
		expect(known).toMatchObject({ job_ids, report_ids });
		expect(log).toEqual(texts.map((text) => expect.stringContaining(text) as string));
		for (const text of texts) expect(description).toContain(text);
	});

	test('is the outcome of each item if failures leave as items: n8n would pass the input on', async () => {
		const stop = createStopButton();
		const options = { signal: stop.signal, items: [{ risk_level: 'green' }], continueOnFail: true };
		const items = await execute(createContext(options), async ({ ledger: { created } }) => {
			created.job_ids.push('j1');
			created.report_ids.push('r1');
			stop.abort();
			return await Promise.resolve([]);
		});
		const details = { errorClass: 'network', job_ids: ['j1'], report_ids: ['r1'] };
		expect(items.map(({ json }) => json)).toEqual([
			{ error: 'The execution was canceled', details: expect.objectContaining(details) },
		]);
	});

	test('ends it while parameters are read', async () => {
		const stop = createStopButton();
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
	const run = async (timeout: number, work: (run: Run) => Promise<SettledItem[]>) =>
		await execute(createContext({ options: { timeout } }), work, { isTimed: true });

	test('may be any number of minutes, also one that is no whole number of milliseconds', async () => {
		const tenths = Array.from({ length: 600 }, (_, index) => (index + 1) / 10);
		const refused: number[] = [];
		for (const minutes of [...tenths, 1e-9, 2.05, 64.1, 7 * 24 * 60])
			await run(minutes, async () => await Promise.resolve([])).catch(() => refused.push(minutes));
		expect(refused).toEqual([]);
	});

	test('leaves two seconds for the last look, and ends nothing after the run', async () => {
		const signals: AbortSignal[] = [];
		await run(0, async ({ signal }) => {
			signals.push(signal);
			return await Promise.resolve([]);
		});
		let passed = 0;
		const work = run(0, async ({ clock, deadline }) => {
			await clock.sleep(3_600_000).finally(() => (passed = clock.now() - deadline));
			throw new Error('Nothing ended the wait');
		});
		const { message, context } = await thrownBy(work);
		expect(message).toContain('within 0 minutes');
		expect(context).toMatchObject({ errorClass: 'job_timeout' });
		expect(passed).toBeGreaterThan(1900);
		expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
	});
});

test('n8n gets a moment for its other work between two items whose reading takes long', async () => {
	let now = 0;
	jest.spyOn(performance, 'now').mockImplementation(() => (now += 60));
	let moments = 0;
	const seen: number[] = [];
	const reading = (index: number) => {
		seen.push(moments);
		setTimeout(() => moments++, 0);
		return index;
	};
	await each({ items: 3 }, async () => await Promise.resolve({ json: {} }), reading);
	expect(seen).toEqual([0, 1, 2]);
});

test('many items wait at once without a warning of a leak, and leave no listener behind', async () => {
	// The process of jest itself: a test file sees a copy.
	const host = runInThisContext('process') as NodeJS.Process;
	const warnings: Error[] = [];
	const note = (warning: Error) => warnings.push(warning);
	host.on('warning', note);
	const { signal } = createStopButton();
	for (const options of [{}, { signal }, { signal }])
		await each({ items: 100, ...options }, async (_, { clock }) => {
			await clock.sleep(1);
			return { json: {} };
		});
	await settlePromises();
	host.off('warning', note);
	expect(warnings).toEqual([]);
	// `AbortSignal.any` holds what it made weakly.
	expect(getEventListeners(signal, 'abort').length).toBeLessThanOrEqual(1);
});

test.each([
	[10_000, 'green'],
	[12_400, 'green. The node waited up to 12 seconds before it sent a request again'],
])('after a wait of %i ms between two requests the hint is: %s', async (wait, message) => {
	const hints: NodeExecutionHint[] = [];
	await execute(createContext({ hints }), async (run) => {
		run.ledger.noteWait(wait);
		return await Promise.resolve([{ value: { json: { level: 'green' } }, inputIndex: 0 }]);
	});
	expect(hints.map((hint) => hint.message)).toEqual([message]);
});
