import { readOptions } from '../../../nodes/WalletScreening/n8n/options';
import { errorOf } from '../support/answers';
import { createContext } from '../support/context';

const read = (options: unknown) => readOptions(createContext({ options }));

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
	['requestTimeout', 'Request Timeout'],
	['concurrency', 'Concurrency'],
	['pollInterval', 'Poll Interval'],
	['timeout', 'Timeout'],
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

test('simplify is on only where it is true', () => {
	for (const value of ['true', 1, 'false', null, {}])
		expect(read({ simplify: value }).simplify).toBe(false);
});
