import fc from 'fast-check';

import { ScreeningError } from '../../../../nodes/WalletScreening/service/errors';
import { outcomesOf } from '../../../../nodes/WalletScreening/service/results';
import { parseJob } from '../../../../nodes/WalletScreening/service/shapes';
import { BTC, ETH, reportOf, SEGWIT } from './samples';

const red = reportOf(SEGWIT, { chain: 'BTC', risk: { level: 'red', score: 9.5 } });
const [eth, btc] = [reportOf(ETH), reportOf(BTC)];

/** Names that services of any kind give to a part of an answer, whatever it holds. */
const names = [
	...['account', 'added', 'alerts', 'analysis', 'archive', 'batch', 'billing', 'body', 'by_chain'],
	...['cache', 'callback', 'cases', 'chunks', 'config', 'content', 'current', 'data', 'debug'],
	...['details', 'duplicates', 'edges', 'entities', 'event', 'extra', 'failed', 'findings'],
	...['flagged', 'green', 'groups', 'hints', 'history', 'hits', 'info', 'input', 'items', 'key'],
	...[
		'latest',
		'limits',
		'list',
		'logs',
		'matches',
		'message',
		'messages',
		'meta',
		'node',
		'notes',
	],
	...[
		'object',
		'options',
		'other',
		'output',
		'page',
		'parts',
		'payload',
		'pending',
		'plan',
		'preview',
	],
	...['previous', 'query', 'quota', 'raw', 'red', 'report', 'reports', 'request', 'response'],
	...[
		'risk_report',
		'screenings',
		'settings',
		'skipped',
		'snapshot',
		'source',
		'stats',
		'subjects',
	],
	...['summary', 'tags', 'target', 'timings', 'unsafe', 'value', 'wallets', 'warnings', 'webhook'],
];

const forms: Array<(value: unknown) => unknown> = [
	(value) => value,
	(value) => [value],
	(value) => [{ name: 'x', index: 1 }, value],
	(value) => ({ [SEGWIT]: value }),
	(value) => ({ count: 1, first: value }),
];

const steps = fc.array(fc.tuple(fc.constantFrom(...names), fc.constantFrom(...forms)), {
	minLength: 1,
	maxLength: 3,
});

/** The errors and the level of the report that lies there, of what a complete job says. */
function told(body: object) {
	const { entries } = parseJob({ job_id: 'j1', status: 'completed', ...body }, 200, 'j1');
	const outcomes = outcomesOf(entries ?? [], 'j1').map(({ outcome }) => outcome);
	const reports = outcomes.flatMap((one) => (one instanceof ScreeningError ? [] : one));
	return {
		errors: outcomes.length - reports.length,
		level: reports.find(({ address }) => address === SEGWIT)?.risk.level,
	};
}

// A run that fails prints its seed.
it('a report that lies anywhere beside the results is not lost in silence', () => {
	fc.assert(
		fc.property(steps, (path) => {
			const placed = path.reduceRight<unknown>(
				(value, [name, form]) => ({ [name]: form(value) }),
				red,
			);
			const { errors, level } = told({ results: [eth, btc], ...(placed as object) });
			if (errors === 0) expect(level).toBe('red');
			else expect([undefined, 'red']).toContain(level);
		}),
		{ numRuns: 5000 },
	);
});

it.each<[string, object]>([
	[
		'a failure beside results by chain',
		{ by_chain: { ETH: eth, BTC: btc, LTC: { error: 'late' } } },
	],
	['a text beside results by address', { chunk: { [ETH]: eth, [BTC]: btc, [SEGWIT]: 'late' } }],
	[
		'a group without an address',
		{ results: { ETH: [eth], BTC: [btc], LTC: [{ risk: red.risk }] } },
	],
	['a report in a group of a group', { results: [eth, btc], top: [{ name: 'x', usage: [red] }] }],
	['a report among what is described', { results: [eth, btc], history: { '2026': [red] } }],
	['a report under a name of its own', { results: [eth, btc], worst: red }],
])('%s is an error or the report', (_what, body) => {
	const { errors, level } = told(body);
	expect(errors > 0 || level === 'red').toBe(true);
});

it('a report that is there twice is no cause for alarm, nor is an older one', () => {
	const old = reportOf(ETH, { risk: { level: 'amber', score: 3 } });
	const beside = { history: [old], previous: { results: [old] }, worst: btc };
	expect(told({ results: [eth, btc], ...beside })).toEqual({ errors: 0, level: undefined });
	const results = { items: [eth, btc], events: [{ status: 'queued' }] };
	expect(told({ results })).toEqual({ errors: 0, level: undefined });
});
