import { Reader } from '../../../nodes/WalletScreening/answers/reader';
import { lacksResults } from '../../../nodes/WalletScreening/webhook/readDelivery';
import {
	createDeliveryKey,
	createFailureKey,
} from '../../../nodes/WalletScreening/webhook/deliveryKey';
import { greenReport, redReport } from '../../support/unit/deliveries';

const event = { job_id: 'job_1', status: 'completed', results: [greenReport, redReport] };

function key(body: unknown, messageId?: string, fetches = true): string {
	const bytes = Buffer.from(JSON.stringify(body));
	const job = new Reader().readDeliveredJob(JSON.parse(bytes.toString()));
	return createDeliveryKey({
		node: 'node',
		messageId,
		job,
		needsFetch: fetches && lacksResults(job),
		bytes,
	});
}

test.each<[string, unknown]>([
	['counts its attempts', { ...event, attempt: 2, x_try: { number: 2 }, sent_at: '2026-11-20' }],
	['has its results in another order', { ...event, results: [redReport, greenReport] }],
])('a delivery with results is the same if it %s', (_what, again) => {
	expect(key(again)).toBe(key(event));
});

test.each<[string, unknown]>([
	['another job', { ...event, job_id: 'job_2' }],
	['the state of a job that has just started', { ...event, status: 'running' }],
	['one more result', { ...event, results: [greenReport, redReport, redReport] }],
	[
		'another score',
		{ ...event, results: [greenReport, { ...redReport, risk: { level: 'red', score: 1 } }] },
	],
	['its results to fetch', { ...event, results: [] }],
	['what it had said was missing', { ...event, partial: true }],
	['more results to come', { ...event, total: 5 }],
	['no results of a failed job', { job_id: 'job_1', status: 'failed' }],
])('a delivery with %s is another one', (_what, other) => {
	expect(key(other)).not.toBe(key(event));
});

test('a result belongs to the address that it is delivered for', () => {
	const [a, b] = [{ error: 'a' }, { error: 'b' }];
	const keys = [
		{ [greenReport.address]: a, [redReport.address]: b },
		{ [greenReport.address]: b, [redReport.address]: a },
	].map((results) => key({ ...event, results }));
	expect(keys[0]).not.toBe(keys[1]);
});

test('a job whose results are fetched is known by its ID and by what is said of it', () => {
	const partly = { job_id: 'job_1', event: 'bulk.partially_completed' };
	expect(key({ ...partly, attempt: 2 })).toBe(key(partly));
	const others = [{ job_id: 'job_2' }, { job_id: 'job_1' }, { job_id: 'job_1', status: 'running' }];
	expect(new Set([partly, ...others].map((one) => key(one))).size).toBe(4);
});

test.each<[string, object, boolean]>([
	['without a job', { results: [greenReport] }, true],
	['with nothing to fetch', { job_id: 'a' }, false],
])('a delivery %s is known by its bytes', (_what, body, fetches) => {
	const keyOfBody = (one: object) => key(one, undefined, fetches);
	expect(keyOfBody(body)).toBe(keyOfBody(body));
	expect(keyOfBody({ ...body, attempt: 2 })).not.toBe(keyOfBody(body));
});

test.each<[what: string, isSame: boolean, because: string, changes: object, messageId?: string]>([
	['another attempt', true, 'a sender may count them', { attempt: 2 }],
	['another time', true, 'each attempt has its own', { sent_at: '2026-11-20' }],
	['another message ID', false, 'it is another message', {}, 'msg_2'],
	['another job', false, 'some sign the ID of the customer', { job_id: 'job_2' }],
	['another state', false, 'some sign the ID of the job', { status: 'failed' }],
	[
		'other results',
		false,
		'a red one may not be lost',
		{ results: [greenReport, redReport, redReport] },
	],
])(
	'a delivery that comes again with %s is the same: %s, because %s',
	(_what, isSame, _because, changes, messageId = 'msg_1') => {
		expect(key({ ...event, ...changes }, messageId) === key(event, 'msg_1')).toBe(isSame);
	},
);

test('a message ID that was not signed is no message ID', () => {
	expect(key(event)).not.toBe(key(event, 'msg_1'));
});

test('a delivery without a job is known by its message ID and its bytes', () => {
	const keys = [{ results: [greenReport] }, { results: [greenReport], attempt: 2 }].flatMap(
		(body) => ['msg_1', 'msg_2'].map((id) => key(body, id)),
	);
	expect(new Set(keys).size).toBe(4);
	expect(key({ results: [greenReport] }, 'msg_1')).toBe(keys[0]);
});

test('no two kinds of keys are the same for the same text, nor those of two nodes', () => {
	const bytes = Buffer.from('job_1');
	const job = { job_id: 'job_1', state: 'running' as const, statedBy: [], results: [] };
	const keys = [
		createDeliveryKey({ node: 'node', messageId: 'job_1', job, needsFetch: true, bytes }),
		createDeliveryKey({ node: 'node', messageId: undefined, job, needsFetch: true, bytes }),
		createDeliveryKey({ node: 'node', messageId: undefined, job, needsFetch: false, bytes }),
	];
	expect(new Set(keys).size).toBe(3);
	const ofOtherNode = createDeliveryKey({
		node: 'other',
		messageId: 'job_1',
		job,
		needsFetch: true,
		bytes,
	});
	expect(keys).not.toContain(ofOtherNode);
	for (const one of keys) expect(one).toMatch(/^[\w-]{22}$/);
});

test('a failed delivery is known by its bytes and, if it has one, its message ID', () => {
	const keyOf = (text: string, messageId?: string) =>
		createFailureKey({ node: 'node', messageId, bytes: Buffer.from(text) });
	expect(keyOf('{"id":"a","batch":1}')).not.toBe(keyOf('{"id":"a","batch":2}'));
	expect(keyOf('{"id":"a"}')).toBe(keyOf('{"id":"a"}'));
	expect(keyOf('{"id":"a"}', 'msg_1')).toBe(keyOf('{"id":"a"}', 'msg_1'));
	expect(keyOf('{"id":"b"}', 'msg_1')).not.toBe(keyOf('{"id":"a"}', 'msg_1'));
	expect(keyOf('{"id":"a"}', 'msg_2')).not.toBe(keyOf('{"id":"a"}', 'msg_1'));
});

test('the key of a failure is never that of the delivery, because a deferral would replace the failure', () => {
	const bytes = Buffer.from('{"results":[]}');
	const job = new Reader().readDeliveredJob(JSON.parse(bytes.toString()));
	for (const messageId of [undefined, 'msg_1']) {
		const delivery = { node: 'node', messageId, bytes };
		const key = createDeliveryKey({ ...delivery, job, needsFetch: false });
		expect(createFailureKey(delivery)).not.toBe(key);
	}
});

const nested = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;

test.each<[because: string, bodyWith: (text: string) => string]>([
	['in a result', (text) => `{"job_id":"job_1","results":[{"address":"a","note":${text}}]}`],
	[
		'in what stands for a gap',
		(text) =>
			`{"job_id":"job_1","status":"done","results":[${JSON.stringify(greenReport)}],"errors":[${text}]}`,
	],
])('a delivery that is nested too deeply %s is known by its bytes', (_because, bodyWith) => {
	const keyOfText = (text: string) => {
		const bytes = Buffer.from(bodyWith(text));
		const job = new Reader().readDeliveredJob(JSON.parse(bytes.toString()));
		return createDeliveryKey({ node: 'node', messageId: undefined, job, needsFetch: false, bytes });
	};
	expect(keyOfText(nested)).toBe(keyOfText(nested));
	expect(keyOfText(nested)).not.toBe(keyOfText(`${nested} `));
});
