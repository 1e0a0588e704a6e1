import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';
import { deliver, type Delivery } from '../../../sandbox/webhook';

jest.mock('node:timers/promises', () => ({ setTimeout: jest.fn(async () => {}) }));
jest.mock('undici', () => ({ request: jest.fn() }));

const target = { url: 'http://localhost:5678/hook', secret: 's', scheme: 'body' } as const;

async function deliveredTo(...statuses: Array<number | Error>): Promise<Delivery[]> {
	const attempts: Delivery[] = [];
	jest.mocked(request).mockImplementation(async () => {
		const status = statuses.shift() ?? 500;
		if (status instanceof Error) throw status;
		return { statusCode: status, body: { dump: async () => {} } } as never;
	});
	await deliver(
		target,
		{ job_id: 'job_1', body: { job_id: 'job_1' } },
		(delivery) => attempts.push(delivery),
		new AbortController().signal,
	);
	return attempts;
}

const pauses = () => jest.mocked(pause).mock.calls.map(([ms]) => ms);

beforeEach(() => jest.clearAllMocks());

describe('delivery of a webhook', () => {
	it('is over after one attempt that is accepted', async () => {
		expect(await deliveredTo(204)).toEqual([{ job_id: 'job_1', attempt: 1, status: 204 }]);
		expect(pauses()).toEqual([]);
	});

	it('is tried again after anything else', async () => {
		const attempts = await deliveredTo(302, 404, 503, new Error('refused'), 200);
		expect(attempts.map(({ status }) => status)).toEqual([302, 404, 503, null, 200]);
	});

	it('is given up after six attempts with doubled pauses', async () => {
		expect(await deliveredTo()).toHaveLength(6);
		expect(pauses()).toEqual([200, 400, 800, 1600, 3200]);
	});

	it('ends, unrecorded, when the sandbox is closed', async () => {
		const closing = new AbortController();
		const onAttempt = jest.fn();
		jest.mocked(request).mockImplementation(async () => {
			closing.abort();
			throw new Error('aborted');
		});
		await deliver(target, { job_id: 'job_1', body: {} }, onAttempt, closing.signal);
		expect(request).toHaveBeenCalledTimes(1);
		expect(onAttempt).not.toHaveBeenCalled();
	});
});
