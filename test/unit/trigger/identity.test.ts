import { parseCompletion } from '../../../nodes/WalletScreening/service/shapes';
import { keysOf, subjectOf } from '../../../nodes/WalletScreening/trigger/identity';
import { reportBody } from '../support/answers';

const green = reportBody();
const red = reportBody({ report_id: 'rep_2', risk: { level: 'red', score: 0.9 } });
const event = { event: 'bulk.completed', job_id: 'job_1', status: 'completed', results: [green] };

function keys(body: unknown, messageId?: string): string[] {
	const bytes = Buffer.from(JSON.stringify(body));
	return keysOf(parseCompletion(bytes)!, bytes, messageId);
}
const isSame = (one: string[], other: string[]) => one.some((key) => other.includes(key));

/** The same value with the fields of each object in reverse order. */
function reversed(value: unknown): unknown {
	if (typeof value !== 'object' || value === null) return value;
	if (Array.isArray(value)) return value.map(reversed);
	return Object.fromEntries(
		Object.entries(value)
			.reverse()
			.map(([name, inner]) => [name, reversed(inner)]),
	);
}

describe('a delivery without a message ID is the same', () => {
	test.each([
		'attempt',
		'attempts',
		'attempt_count',
		'attempted_at',
		'AttemptID',
		'attempt_number',
		'delivered-at',
		'delivery',
		'deliveryAttempt',
		'delivery_attempts',
		'delivery_count',
		'delivery_id',
		'delivery_number',
		'delivery_time',
		'delivery_timestamp',
		'dispatchedAt',
		'nonce',
		'redelivered',
		'redelivery',
		'request_id',
		'retries',
		'retry',
		'retry-count',
		'retry_number',
		'sent_at',
		'time',
		'timestamp',
		'tries',
	])('with another %s', (name) => {
		const first = keys({ ...event, [name]: '2026-11-20T10:00:00Z' });
		for (const other of ['2026-11-20T10:00:05Z', 2, true, null]) {
			expect(keys({ ...event, [name]: other })).toEqual(first);
			expect(keys({ ...event, meta: { [name]: other } })).toEqual(keys({ ...event, meta: {} }));
		}
	});

	test('with another field of the attempt', () => {
		const delivery = (number: number) => ({ delivery: { id: `dlv_${number}`, count: number } });
		expect(keys({ ...event, ...delivery(2) })).toEqual(keys({ ...event, ...delivery(1) }));
	});

	test('if it holds only the job, or fields without a value', () => {
		for (const body of [
			{ job_id: 'job_1', status: 'completed' },
			{ ...event, note: null },
		]) {
			expect(keys({ ...body, attempt: 2 })).toEqual(keys({ ...body, attempt: 1 }));
			expect(keys({ ...body, attempt: 2 }, 'msg_1')).toEqual(keys(body, 'msg_1'));
		}
	});

	test('with one more counter than before', () => {
		expect(keys({ ...event, attempt: 2 })).toEqual(keys(event));
	});

	test('with its fields in another order, and other white space', () => {
		expect(keys(reversed({ ...event, results: [green, red] }))).toEqual(
			keys({ ...event, results: [green, red] }),
		);
		const bytes = Buffer.from(`\n${JSON.stringify(event, null, 2)} `);
		expect(keysOf(parseCompletion(bytes)!, bytes, undefined)).toEqual(keys(event));
	});
});

describe('a delivery that names no job', () => {
	test('is another one with another request ID, and the same with another attempt', () => {
		const results = [green];
		expect(isSame(keys({ results, request_id: 1 }), keys({ results, request_id: 2 }))).toBe(false);
		expect(keys({ results, attempt: 1 })).toEqual(keys({ results, attempt: 2 }));
	});

	test.each(['request_id', 'delivery_id', 'timestamp', 'attempt'])(
		'and holds no results is another one with another %s',
		(name) => {
			const told = (value: number) => {
				const body = { event: 'bulk.completed', [name]: value };
				const nothing = { job_id: undefined, state: 'running', entries: undefined } as const;
				return keysOf({ ...nothing, body }, Buffer.from(''), undefined);
			};
			expect(isSame(told(1), told(2))).toBe(false);
			expect(told(1)).toEqual(told(1));
		},
	);
});

const others: Array<[string, unknown]> = [
	['another state', { ...event, status: 'running' }],
	['another event', { ...event, event: 'bulk.progress' }],
	['another job', { ...event, job_id: 'job_2' }],
	['another result', { ...event, results: [red] }],
	['one more result', { ...event, results: [green, red] }],
	['no results', { ...event, results: [] }],
	['another score', { ...event, results: [{ ...green, risk: { level: 'green', score: 0.5 } }] }],
	['a result of another time', { ...event, results: [{ ...green, timestamp: 2 }] }],
	['a result of another attempt', { ...event, results: [{ ...green, attempt: 2 }] }],
];

test.each([
	['a list of other things', { list: [1] }, { list: { 0: 1 } }],
	['an object under the name of a counter', { retry: { of: 'a' } }, { retry: { of: 'b' } }],
	['a counter of something deeper inside', { a: { b: { retry: 1 } } }, { a: { b: { retry: 2 } } }],
])('a delivery with %s is another one', (_what, one, other) => {
	expect(isSame(keys({ ...event, ...one }), keys({ ...event, ...other }))).toBe(false);
});

test.each(others)('a delivery with %s is another one', (_what, other) => {
	expect(isSame(keys(event), keys(other))).toBe(false);
});

describe('a delivery with a message ID', () => {
	test('is the same with fields that nobody knows', () => {
		const again = { ...event, x_try: 2, note: 'sent again' };
		expect(isSame(keys(event), keys(again))).toBe(false);
		expect(isSame(keys(event, 'msg_1'), keys(again, 'msg_1'))).toBe(true);
		expect(isSame(keys(event, 'msg_1'), keys(again, 'msg_2'))).toBe(false);
		for (const part of [{ job_id: 'job_1', status: 'completed' }, { results: [green] }]) {
			expect(isSame(keys(part, 'msg_1'), keys({ ...part, note: 'again' }, 'msg_1'))).toBe(true);
		}
	});

	test('and neither a job nor results is known by all that it says', () => {
		const told = (note: string) => {
			const nothing = { job_id: undefined, state: 'running', entries: undefined } as const;
			return keysOf({ ...nothing, body: { event: 'ping', note } }, Buffer.from(''), 'msg_1');
		};
		expect(told('one')).toEqual(told('one'));
		expect(isSame(told('one'), told('two'))).toBe(false);
	});

	test('is the same as one of the same content with another ID', () => {
		expect(isSame(keys(event, 'msg_1'), keys({ ...event, attempt: 2 }, 'msg_2'))).toBe(true);
	});

	test.each(others)('is another one with %s, also if the ID is used again', (_what, other) => {
		expect(isSame(keys(event, 'msg_1'), keys(other, 'msg_1'))).toBe(false);
	});
});

test('what is not of the fields of a body differs by it', () => {
	expect(isSame(keys([green]), keys([red]))).toBe(false);
	expect(isSame(keys([['job_id', 'job_1']]), keys({ job_id: 'job_1' }))).toBe(false);
	const proto = (score: number) => {
		const bytes = Buffer.from(`{"job_id":"job_1","__proto__":{"score":${score}}}`);
		return keysOf(parseCompletion(bytes)!, bytes, undefined);
	};
	expect(isSame(proto(1), proto(2))).toBe(false);
});

test('a body that is nested too deeply is known by its bytes', () => {
	const deep = (inner: string) => {
		const bytes = Buffer.from(
			`{"job_id":"job_1","a":${'['.repeat(50_000)}${inner}${']'.repeat(50_000)}}`,
		);
		const body = JSON.parse(bytes.toString()) as unknown;
		return keysOf({ job_id: 'job_1', state: 'running', entries: undefined, body }, bytes, 'msg_1');
	};
	expect(deep('1')).toEqual([expect.any(String)]);
	expect(deep('1')).toEqual(deep('1'));
	expect(isSame(deep('1'), deep('2'))).toBe(false);
});

test('the subject is the job, else the content', () => {
	const subject = (body: unknown) => {
		const bytes = Buffer.from(JSON.stringify(body));
		const told = parseCompletion(bytes)!;
		return subjectOf(told, keysOf(told, bytes, undefined));
	};
	expect(subject(event)).toBe(subject({ job_id: 'job_1', status: 'running' }));
	expect(subject(event)).not.toBe(subject({ ...event, job_id: 'job_2' }));
	expect(subject([green])).not.toBe(subject([red]));
});
