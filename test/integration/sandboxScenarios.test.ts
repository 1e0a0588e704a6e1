import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { until } from '../../tools/host/until';
import { type Sandbox, startSandbox } from '../../sandbox/server';
import { scenarios } from '../../sandbox/scenarios';

const test57 = (number: string) => `0x7e57${number.padStart(36, '0')}`;

describe('the test addresses of the sandbox', () => {
	let sandbox: Sandbox;
	beforeEach(async () => {
		sandbox = await startSandbox({ limit: null, jobDurationMs: 0, day: 0 });
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
	const ended = async (...numbers: string[]) => {
		const { body } = await call('POST', '/v1/bulk', { addresses: numbers.map(test57) });
		return await until('the job to end', async () => {
			const job = await call('GET', `/v1/bulk/${body.job_id}`);
			return job.body.results as any[] | undefined;
		});
	};

	test('are all in the documentation, with what they show', () => {
		const page = readFileSync(join(__dirname, '../../docs/sandbox.md'), 'utf8');
		for (const { address, shows } of scenarios) {
			expect(page.split('\n').find((line) => line.includes(`\`${address}\``))).toContain(shows);
		}
	});

	test('have the levels and categories that they show', async () => {
		for (const [at, category] of ['sanctions', 'darknet', 'mixer', 'scam', 'stolen'].entries()) {
			const { level, categories } = await riskOf(`0${at + 1}`);
			expect([level, categories[category]]).toEqual(['red', 0.95]);
		}
		expect((await riskOf('06')).level).toBe('green');
		expect(await riskOf('11')).not.toHaveProperty('categories.sanctions');
		expect((await screen(test57('15'), 'ETH')).body.chain).toBe('BSC');
		expect((await screen(test57('13'))).status).toBe(400);
		expect((await ended('06', '14')).map(({ address }) => address)).toEqual([test57('06')]);
		const levels = [await riskOf('24'), await riskOf('24'), await riskOf('24')];
		expect(levels.map(({ level }) => level)).toEqual(['green', 'green', 'red']);
	});

	test('change by the day, and leave earlier reports as they were', async () => {
		const before = (await screen(test57('20'))).body;
		const seen = async () => {
			const results = await ended('20', '21', '22', '23');
			return results.map(({ risk }) => [risk.level, risk.score, risk.categories.sanctions]);
		};
		expect(await seen()).toEqual([
			['green', 0.1, 0.01],
			['amber', 0.4, 0.01],
			['amber', 0.4, 0],
			['red', 0.92, 0.01],
		]);
		expect(await call('PUT', '/sandbox/day', 3)).toEqual({ status: 200, body: { day: 3 } });
		expect(await seen()).toEqual([
			['red', 0.92, 0.95],
			['amber', 0.46, 0.01],
			['amber', 0.4, 0.9],
			['green', 0.1, 0.01],
		]);
		expect((await call('GET', `/v1/reports/${before.report_id}`)).body).toEqual(before);
	});
});
