import { readOptions, readRunOptions } from '../../../nodes/WalletScreening/description/options';
import { createItemReader } from '../../../nodes/WalletScreening/description/parameters';
import { createContext } from '../../support/unit/context';
import { errorOf } from '../../support/unit/errors';

/** Returns the options of a run, and some that only some operations have. */
const read = (options: unknown) => {
	const reader = createItemReader(createContext({ options }), 0);
	return {
		...readRunOptions(reader),
		...readOptions(reader, ['simplify', 'pollInterval', 'timeout']),
	};
};

test.each([undefined, null, ''])('an option that is %j means its default', (value) =>
	expect(
		read({ maxRetries: value, requestTimeout: value, concurrency: value, timeout: value }),
	).toMatchObject({
		simplify: false,
		maxRetries: 5,
		resends: 1,
		requestTimeout: 30,
		concurrency: undefined,
		pollInterval: 2,
		timeout: 30,
	}),
);

test('what the user gives counts, also as text from an expression', () => {
	const given = { simplify: true, maxRetries: 0, pollInterval: 0.5, timeout: 0.25 };
	const found = read({ ...given, requestTimeout: '2.5', concurrency: '7' });
	// A lost screening is sent again once, unless the user says how often.
	expect(found).toMatchObject({ ...given, requestTimeout: 2.5, concurrency: 7, resends: 0 });
});

test.each([
	['maxRetries', 'Max Retries'],
	['requestTimeout', 'Request Timeout (Seconds)'],
	['concurrency', 'Max Requests at Once'],
	['pollInterval', 'Poll Interval (Seconds)'],
	['timeout', 'Timeout (Minutes)'],
])('%s has to be a number that can be meant', async (name, label) => {
	for (const value of [
		-1,
		NaN,
		Infinity,
		1e9,
		'many',
		'1,5',
		'0x1',
		'0b1',
		'0o1',
		' ',
		true,
		{},
		[3],
	]) {
		const error = await errorOf(() => read({ [name]: value }));
		expect(error.errorClass).toBe('invalid_input');
		expect(error.message).toContain(label);
	}
});

test('a switch is on, off or refused', async () => {
	const given = (values: unknown[]) => values.map((simplify) => read({ simplify }).simplify);
	expect(given([true, ' True '])).toEqual([true, true]);
	expect(given([false, 'FALSE', undefined, null, ''])).toEqual(Array(5).fill(false));
	for (const simplify of [2, NaN, 'maybe', ' ', {}])
		expect((await errorOf(() => read({ simplify }))).errorClass).toBe('invalid_input');
});

test.each([
	['addressesPerJob', "'Addresses per Job' is not a whole number from 1 to 1000"],
	['concurrency', "'Max Requests at Once' is not a whole number from 1 to 1000"],
	['maxRetries', "'Max Retries' is not a whole number from 0 to 100"],
	['mostListed', "'Max Listed Items' is not a whole number from 1 to 1000"],
] as const)('%s counts something, so it has no fraction', async (name, message) => {
	const readWith = (value: unknown) =>
		readOptions(createItemReader(createContext({ options: { [name]: value } }), 0), [name]);
	for (const value of [1.5, '1.5']) {
		expect((await errorOf(() => readWith(value))).message).toBe(message);
	}
	for (const value of [2, '2.0']) expect(readWith(value)).toEqual({ [name]: 2 });
});
