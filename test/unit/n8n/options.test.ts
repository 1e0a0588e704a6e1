import { readOptions } from '../../../nodes/WalletScreening/n8n/options';
import { itemReader } from '../../../nodes/WalletScreening/n8n/parameters';
import { errorOf } from '../support/answers';
import { createContext } from '../support/context';

const read = (options: unknown) => readOptions(itemReader(createContext({ options }), 0));

test('the defaults are those of the public names', () =>
	expect(read({})).toMatchObject({
		simplify: false,
		maxRetries: 5,
		requestTimeout: 30,
		concurrency: undefined,
		pollInterval: 2,
		timeout: 30,
	}));

test.each([undefined, null, ''])('an option that is %j means its default', (value) =>
	expect(
		read({ maxRetries: value, requestTimeout: value, concurrency: value, timeout: value }),
	).toEqual(read({})),
);

test('what the user gives counts, also as text from an expression', () => {
	const given = {
		simplify: true,
		maxRetries: 0,
		requestTimeout: '2.5',
		concurrency: '7',
		pollInterval: 0.5,
		timeout: 0.25,
	};
	expect(read(given)).toMatchObject({
		simplify: true,
		maxRetries: 0,
		requestTimeout: 2.5,
		concurrency: 7,
		pollInterval: 0.5,
		timeout: 0.25,
	});
});

test.each([
	['maxRetries', 'Max Retries'],
	['requestTimeout', 'Request Timeout (Seconds)'],
	['concurrency', 'Concurrency'],
	['pollInterval', 'Poll Interval (Seconds)'],
	['timeout', 'Timeout (Minutes)'],
])('%s has to be a number that can be meant', async (name, label) => {
	for (const value of [
		-1,
		NaN,
		Infinity,
		-Infinity,
		1e9,
		'many',
		'1,5',
		' ',
		true,
		false,
		{},
		[],
		[3],
	]) {
		const error = await errorOf(() => read({ [name]: value }));
		expect(error.errorClass).toBe('invalid_input');
		expect(error.message).toContain(label);
	}
});

const switches = [
	'simplify',
	'alertText',
	'includeInputFields',
	'onlyNotGreen',
	'onlyChanges',
] as const;

describe.each(switches)('the switch %s', (name) => {
	test.each([true, 1, 'true', 'TRUE', ' True ', '1', 'yes', 'on'])('is on for %j', (value) =>
		expect(read({ [name]: value })[name]).toBe(true),
	);

	test.each([false, 0, 'false', 'FALSE', '0', 'no', 'off', undefined, null, ''])(
		'is off for %j',
		(value) => expect(read({ [name]: value })[name]).toBe(false),
	);

	test.each([2, NaN, 'maybe', ' ', {}, [], [true]])('is refused for %j', async (value) =>
		expect((await errorOf(() => read({ [name]: value }))).errorClass).toBe('invalid_input'),
	);
});

test('a lost screening is sent again once, unless the user says how often', () => {
	expect(read({}).resends).toBe(1);
	expect(read({ maxRetries: '' }).resends).toBe(1);
	for (const maxRetries of [0, 1, 7]) expect(read({ maxRetries }).resends).toBe(maxRetries);
});
