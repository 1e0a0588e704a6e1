import { NodeOperationError } from 'n8n-workflow';

import { perItem } from '../../../nodes/WalletScreening/n8n/perItem';
import { invalidInput, statusError } from '../../../nodes/WalletScreening/service/errors';
import { createContext } from '../support/context';
import { stopButton } from '../support/stopButton';
import { settled } from '../support/virtualClock';

const refused = () => invalidInput('Address', "'Address' is empty", 'Give one.');

test('each item has its outcome, in the order of the input, however long it takes', async () => {
	const items = await perItem(createContext({ items: 50 }), async (index) => {
		for (let turn = 0; turn < (index * 7) % 11; turn++) await settled();
		return { json: { index } };
	});
	expect(items).toEqual(
		Array.from({ length: 50 }, (_, index) => ({ json: { index }, pairedItem: { item: index } })),
	);
});

test('no more are under way than the user allows, and no fewer', async () => {
	for (const [concurrency, expected] of [
		[1, 1],
		[7, 7],
		[100, 30],
	] as const) {
		let underWay = 0;
		let most = 0;
		await perItem(createContext({ items: 30, options: { concurrency } }), async () => {
			most = Math.max(most, ++underWay);
			await settled();
			underWay--;
			return { json: {} };
		});
		expect(most).toBe(expected);
	}
});

test('with "Continue" 1,000 good and bad items have 1,000 outcomes, in order', async () => {
	const items = await perItem(
		createContext({ items: 1000, continueOnFail: true }),
		async (index) => {
			if (index % 7 === 0) await settled();
			if (index % 3 === 0) throw refused();
			if (index % 5 === 0) throw statusError(404, undefined);
			return { json: { index } };
		},
	);
	expect(items).toHaveLength(1000);
	items.forEach(({ json, pairedItem }, index) => {
		expect(pairedItem).toEqual({ item: index });
		if (index % 3 === 0) expect(json.details).toMatchObject({ errorClass: 'invalid_input' });
		else if (index % 5 === 0) expect(json.details).toMatchObject({ errorClass: 'not_found' });
		else expect(json).toEqual({ index });
	});
});

test('otherwise the failed item with the lowest index ends the node, and no further one is begun', async () => {
	const begun: number[] = [];
	const work = perItem(
		createContext({ items: 100, options: { concurrency: 3 } }),
		async (index) => {
			begun.push(index);
			if (index === 1) {
				await settled();
				await settled();
				throw refused();
			}
			if (index === 2) throw statusError(404, undefined);
			await settled();
			return { json: {} };
		},
	);
	await expect(work).rejects.toMatchObject({
		context: { errorClass: 'invalid_input', itemIndex: 1 },
	});
	expect(begun).toEqual([0, 1, 2]);
});

test('what n8n throws while a parameter is read is the outcome of that item alone', async () => {
	const items = await perItem(createContext({ items: 3, continueOnFail: true }), async (index) => {
		if (index === 1) throw new NodeOperationError(createContext().getNode(), 'Bad expression');
		return await Promise.resolve({ json: { index } });
	});
	expect(items.map(({ json }) => json)).toEqual([
		{ index: 0 },
		{
			error: expect.stringContaining('Bad expression') as string,
			details: expect.objectContaining({ errorClass: 'invalid_input' }) as object,
		},
		{ index: 2 },
	]);
});

test.each([
	['an option', { options: { maxRetries: -1 } }],
	['the base URL', { credential: { apiKey: 'sk_test', baseUrl: 'http://example.com' } }],
	[
		'the rate',
		{
			credential: {
				apiKey: 'sk_test',
				baseUrl: 'https://api.example.com',
				plan: 'custom',
				requestsPerSecond: 0,
				burst: 50,
			},
		},
	],
	[
		'the burst',
		{
			credential: {
				apiKey: 'sk_test',
				baseUrl: 'https://api.example.com',
				plan: 'custom',
				requestsPerSecond: 10,
				burst: Infinity,
			},
		},
	],
])('where %s cannot be right, every item says so', async (_what, options) => {
	const handle = jest.fn();
	const items = await perItem(
		createContext({ items: 3, continueOnFail: true, ...options }),
		handle as () => Promise<never>,
	);
	expect(handle).not.toHaveBeenCalled();
	expect(items.map(({ pairedItem }) => pairedItem)).toEqual([
		{ item: 0 },
		{ item: 1 },
		{ item: 2 },
	]);
	for (const { json } of items)
		expect(json.details).toMatchObject({ errorClass: 'invalid_input', httpCode: null });
});

test('the stop button ends the node, with "Continue" too', async () => {
	const stop = stopButton();
	const work = perItem(
		createContext({ items: 10, continueOnFail: true, signal: stop.signal }),
		async (index) => {
			await settled();
			if (index === 3) stop.abort();
			stop.signal.throwIfAborted();
			return { json: {} };
		},
	);
	await expect(work).rejects.toBeInstanceOf(NodeOperationError);
});

test.each([[null], [undefined], ['text']])('what is thrown may be %j', async (thrown) => {
	const [item] = await perItem(createContext({ items: 1, continueOnFail: true }), () => {
		throw thrown;
	});
	expect(item!.json.details).toMatchObject({ errorClass: 'invalid_input' });
});
