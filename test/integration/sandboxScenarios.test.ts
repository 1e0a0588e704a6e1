import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../host/until';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { scenarios } from '../../sandbox/scenarios';

const test57 = (number: string) => `0x7e57${number.padStart(36, '0')}`;

describe('the test addresses of the sandbox', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 0 });
	});
	afterEach(async () => await sandbox.close());

	const call = async (method: string, path: string, body?: unknown) => {
		const answer = await fetch(`${sandbox.baseUrl}${path}`, {
			method,
			headers: {
				authorization: `Bearer ${sandbox.keys.readWrite}`,
				'content-type': 'application/json',
			},
			...(body !== undefined && { body: JSON.stringify(body) }),
		});
		return { status: answer.status, body: (await answer.json()) as any };
	};
	const screen = async (address: string, chain?: string) =>
		await call('POST', '/v1/screen', { address, ...(chain && { chain }) });
	const riskOf = async (number: string) => (await screen(test57(number))).body.risk;
	const bulk = async (...addresses: string[]) => {
		const { status, body } = await call('POST', '/v1/bulk', { addresses });
		if (status !== 202) return { status, results: [] };
		const results = await until(`job ${body.job_id} to end`, async () => {
			const job = (await call('GET', `/v1/bulk/${body.job_id}`)).body;
			return job.results as any[] | undefined;
		});
		return { status, job_id: body.job_id, results };
	};
	const goTo = async (day: unknown) => await call('PUT', '/sandbox/day', day);

	test('are all in the documentation, with what they show', () => {
		const page = readFileSync(join(__dirname, '../../docs/sandbox.md'), 'utf8');
		for (const { address, shows } of scenarios) {
			const row = page.split('\n').find((line) => line.includes(`\`${address}\``));
			expect(row).toContain(shows);
			expect(address).toMatch(/^0x[0-9a-f]{40}$/);
		}
	});

	test.each([
		['01', 'sanctions'],
		['02', 'darknet'],
		['03', 'mixer'],
		['04', 'scam'],
		['05', 'stolen'],
	])('%s is red by %s', async (number, category) => {
		const { level, categories } = await riskOf(number);
		expect(level).toBe('red');
		expect(categories[category]).toBe(0.95);
		const others = Object.values({ ...categories, [category]: 0 }) as number[];
		expect(Math.max(...others)).toBeLessThan(0.1);
	});

	test('a high clean_exchange is green, one level is unknown, and one category is missing', async () => {
		expect(await riskOf('06')).toMatchObject({
			level: 'green',
			categories: { clean_exchange: 1.4 },
		});
		expect((await riskOf('10')).level).toBe('violet');
		expect(Object.keys((await riskOf('11')).categories)).toEqual([
			...['darknet', 'mixer', 'scam', 'stolen', 'clean_exchange'],
		]);
	});

	test('capitals are the same address, as its format has no case', async () => {
		const { body } = await screen(`0x${test57('01').slice(2).toUpperCase()}`);
		expect(body.risk.level).toBe('red');
	});

	test('the slow one takes five seconds, by itself and in bulk', async () => {
		const start = Date.now();
		await Promise.all([screen(test57('12')), bulk(test57('12'))]);
		expect(Date.now() - start).toBeGreaterThan(4_900);
	});

	test('the refused one is answered 400, and so is a job with it', async () => {
		expect((await screen(test57('13'))).status).toBe(400);
		expect((await bulk(test57('01'), test57('13'))).status).toBe(400);
	});

	test('a job has no result for the missing one, which is green by itself', async () => {
		expect((await riskOf('14')).level).toBe('green');
		const { results } = await bulk(test57('06'), test57('14'));
		expect(results.map(({ address }) => address)).toEqual([test57('06')]);
	});

	test('the report of one is on another chain than asked for', async () => {
		expect((await screen(test57('15'), 'ETH')).body.chain).toBe('BSC');
	});

	test('the timeline changes risks by the day, and leaves earlier reports as they were', async () => {
		const before = (await screen(test57('20'))).body;
		const seen = async () => {
			const { results } = await bulk(...['20', '21', '22', '23'].map(test57));
			return results.map(({ risk }) => [risk.level, risk.score, risk.categories.sanctions]);
		};
		expect(await seen()).toEqual([
			['green', 0.1, 0.01],
			['amber', 0.4, 0.01],
			['amber', 0.4, 0],
			['red', 0.92, 0.01],
		]);
		expect(await goTo(3)).toEqual({ status: 200, body: { day: 3 } });
		expect(await seen()).toEqual([
			['red', 0.92, 0.95],
			['amber', 0.46, 0.01],
			['amber', 0.4, 0.9],
			['green', 0.1, 0.01],
		]);
		expect((await call('GET', `/v1/reports/${before.report_id}`)).body).toEqual(before);
		await goTo(9999);
		expect((await riskOf('21')).score).toBe(0.9);
	});

	test('one is red at its third screening, however often a job is looked at', async () => {
		expect((await riskOf('24')).level).toBe('green');
		const second = await bulk(test57('24'));
		const again = (await call('GET', `/v1/bulk/${second.job_id}`)).body.results;
		expect([...second.results, ...again].map(({ risk }) => risk.level)).toEqual(['green', 'green']);
		expect((await riskOf('24')).level).toBe('red');
	});

	test.each([-1, 1.5, 'tomorrow', null, { day: 1 }])('%j is no day', async (day) => {
		expect((await goTo(day)).status).toBe(400);
		expect((await call('GET', '/sandbox/day')).body).toEqual({ day: 0 });
	});
});

test('a sandbox begins on the given day, and listens at the given address', async () => {
	const sandbox = await startSandbox({ day: 1, host: '0.0.0.0' });
	try {
		const { port } = new URL(sandbox.baseUrl);
		const answer = await fetch(`http://127.0.0.2:${port}/sandbox/day`);
		expect(await answer.json()).toEqual({ day: 1 });
		sandbox.setDay(2);
		expect(await (await fetch(`${sandbox.baseUrl}/sandbox/day`)).json()).toEqual({ day: 2 });
	} finally {
		await sandbox.close();
	}
});
