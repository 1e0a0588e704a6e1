import fc from 'fast-check';

import { match } from '../../../../nodes/WalletScreening/service/results';
import {
	jobIdIn,
	parseCompletion,
	parseJob,
} from '../../../../nodes/WalletScreening/service/shapes';
import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { BTC, entriesIn, ETH, reportOf } from './samples';

/** Reads a body in every way there is. Anything that is thrown but a `ScreeningError` fails the test. */
function readAll(text: string): void {
	const body = JSON.parse(text) as unknown;
	jobIdIn(body);
	parseCompletion(Buffer.from(text));
	for (const askedId of [undefined, 'asked']) {
		try {
			const { outcomes } = match([ETH, BTC], parseJob(body, 200, askedId));
			expect([...outcomes.keys()].sort()).toEqual([ETH, BTC].sort());
			for (const [address, outcome] of outcomes) {
				if (!(outcome instanceof ScreeningError))
					expect(outcome.address.toLowerCase()).toBe(address.toLowerCase());
			}
		} catch (error) {
			if (!(error instanceof ScreeningError)) throw error;
			expect(error.errorClass).toBe('invalid_response');
		}
	}
}

const sound = JSON.stringify(reportOf(ETH));

describe('a body from hostile hands', () => {
	it.each([
		'{"__proto__":{"job_id":"j1","status":"done","results":[]}}',
		`{"job_id":"j1","status":"done","results":{"__proto__":${sound}}}`,
		`{"job_id":"j1","status":"done","results":{"constructor":null,"toString":[],"${ETH}":null}}`,
		`{"job_id":"j1","status":"done","results":[{"__proto__":${sound}}]}`,
		'{"job_id":"j1","status":"done","results":[null,null,null]}',
		'{"job_id":"j1","status":"done","results":[[null],[[]],{"address":null}]}',
		`{"job_id":"j1","status":"done","results":[{"address":"${ETH}","report":null,"data":7,"result":[]}]}`,
		`{"job_id":"j1","status":"done","results":[{"address":"","report":${sound}}]}`,
		`{"job_id":"j1","status":"done","results":{"":${sound}}}`,
		`{"job_id":"j1","status":"done","results":7,"reports":"x","data":true,"items":null}`,
		`{"data":[null],"job":[],"result":0,"id":{},"status":{}}`,
		`{"data":{"data":{"data":{"data":${sound}}}}}`,
		'{"id":1e999,"status":"done","results":[]}',
		'{"job_id":"a/../b","status":"done"}',
		'{"hasOwnProperty":1,"job_id":"j1","status":"done","results":{"hasOwnProperty":1}}',
		'[]',
		'[null]',
		'[[[[[[]]]]]]',
	])('%s', readAll);

	it('gives nobody a report through an inherited field', () => {
		const body = JSON.parse(`{"job_id":"j1","results":[{"__proto__":${sound}}]}`) as unknown;
		expect(entriesIn(body)).toMatchObject([{ address: undefined, report: undefined }]);
		expect(({} as Record<string, unknown>)['report_id']).toBeUndefined();
	});

	it('nested too deeply to be shown is refused like any other', () => {
		const deep = `${'['.repeat(20_000)}${']'.repeat(20_000)}`;
		for (const text of [
			deep,
			`{"status":"done","deep":${deep}}`,
			`{"id":"j1","status":"done","results":[{"address":"${ETH}","error":${deep}}]}`,
			`{"id":"j1","status":"done","results":${deep}}`,
		])
			readAll(text);
	});

	it.each([
		['{"data":', '}'],
		['{"x":', '}'],
		['{"results":[', ']}'],
		['{"results":[{"address":"a","reports":[', ']}]}'],
		['[{"results":', '}]'],
		['{"address":"a","reports":[', ']}'],
		['{"error":{"message":', '}}'],
		['{"request":[', ']}'],
		['[{},', ']'],
		['[{"results":[],"data":', '}]'],
	])('nested in %s again and again is refused like any other', (open, close) => {
		const nested = open.repeat(10_000) + sound + close.repeat(10_000);
		readAll(nested);
		readAll(`{"job_id":"j1","status":"done","results":[${nested}]}`);
		readAll(`{"job_id":"j1","status":"done","results":{"${ETH}":${nested}}}`);
	});

	it('with more values than a call takes is read', () => {
		const many = Array.from({ length: 150_000 }, (_, at) => `k${at}`);
		for (const body of [{ warnings: many }, { request: { addresses: many } }]) {
			const job = parseJob({ job_id: 'j1', status: 'done', results: [], ...body }, 200, 'j1');
			expect(job).toMatchObject({ job_id: 'j1', state: 'complete' });
		}
	});

	it('any JSON of the names that mean something here', () => {
		const names = [
			...['job_id', 'id', 'jobId', 'status', 'state', 'results', 'reports', 'data', 'items'],
			...['job', 'result', 'report', 'address', 'risk', '__proto__', 'constructor', ETH, BTC],
			...[ETH.toLowerCase(), BTC.toLowerCase(), 'x', ''],
		];
		const { value } = fc.letrec<{ value: string }>((tie) => ({
			value: fc.oneof(
				{ maxDepth: 4, withCrossShrink: true },
				fc.constantFrom('null', 'true', '0', '-1', '1e999', '""', '"done"', '"failed"', '"j1"'),
				fc.constantFrom(sound, JSON.stringify(reportOf(BTC)), JSON.stringify(ETH)),
				fc.array(tie('value'), { maxLength: 4 }).map((values) => `[${values.join(',')}]`),
				fc
					.array(fc.tuple(fc.constantFrom(...names), tie('value')), { maxLength: 5 })
					.map((fields) => `{${fields.map(([k, v]) => `${JSON.stringify(k)}:${v}`).join(',')}}`),
			),
		}));
		fc.assert(fc.property(value, readAll), { numRuns: 3000 });
	});
});
