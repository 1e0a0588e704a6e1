import type { IDataObject, IExecuteFunctions, NodeExecutionHint } from 'n8n-workflow';
import { hintAtOutcome, markExecution } from '../../../nodes/WalletScreening/n8n/summary';

const report = (level: string, outcome?: string): IDataObject => ({
	risk: { level, score: 0.9, categories: { sanctions: 0.893, mixer: 0.1, clean_exchange: 1.4 } },
	...(outcome && { decision: { outcome } }),
});
const failure: IDataObject = {
	error: 'Not screened',
	details: { errorClass: 'server' },
	// Of an earlier node.
	decision: { outcome: 'allow' },
};
const itemsOf = (list: IDataObject[]) => list.map((json) => ({ json }));
const repeated = (count: number, json: IDataObject) => Array.from({ length: count }, () => json);

function hintFor(...list: IDataObject[]) {
	const hints: NodeExecutionHint[] = [];
	const addExecutionHints = (...more: NodeExecutionHint[]) => hints.push(...more);
	hintAtOutcome({ addExecutionHints } as unknown as IExecuteFunctions, itemsOf(list));
	return hints.map(({ message, type }) => [message, type]);
}

it('a hint says level, decision and highest category of one report', () => {
	expect(hintFor(report('red', 'block'))).toEqual([['red · block · sanctions 0.893', 'warning']]);
	expect(hintFor(report('green'))).toEqual([['green · sanctions 0.893', 'info']]);
	const { categories, level } = report('red').risk as IDataObject;
	expect(hintFor({ risk_level: level, risk_categories: categories } as IDataObject)).toEqual([
		['red · sanctions 0.893', 'warning'],
	]);
	expect(hintFor({ ...report('green'), asked_chain: 'BSC' })).toEqual([
		['green · of another chain · sanctions 0.893', 'warning'],
	]);
});

it('a hint counts the outcomes of many, the worst first', () => {
	const many = [
		...repeated(96, report('green', 'allow')),
		...repeated(3, report('red', 'block')),
		...repeated(2, failure),
		report('violet', 'review'),
	];
	expect(hintFor(...many)).toEqual([['3 block, 1 review, 2 not screened, 96 allow', 'warning']]);
	const allowed = repeated(2, report('green', 'allow'));
	expect(hintFor(...allowed)).toEqual([['2 allow', 'info']]);
	expect(hintFor(report('red'), report('green'))).toEqual([['1 not green, 1 green', 'warning']]);
});

it('a hint is silent without a report, and bears any value as a level', () => {
	for (const items of [[failure], [{ job_id: 'job_1' }], []]) expect(hintFor(...items)).toEqual([]);
	expect(hintFor(report('x'.repeat(1e6)))[0]![0]!.length).toBeLessThan(200);
	expect(hintFor({ risk_level: { toString: 1 } })[0]![0]).toBe('{"toString":1}');
	// n8n shows hints as HTML.
	expect(hintFor(report('<a href=x>green</a>'))[0]![0]).not.toMatch(/[<>]/);
});

function marksOf(...runs: Array<IDataObject[] | 'stopped'>) {
	const stored: Record<string, string> = {};
	const customData = {
		get: (key: string) => stored[key],
		setAll: (all: Record<string, string>) => Object.assign(stored, all),
	};
	for (const run of runs) {
		const items = run === 'stopped' ? run : itemsOf(run);
		markExecution({ customData } as unknown as IExecuteFunctions, items);
	}
	return stored;
}

it('a mark holds the worst outcome and the counts, of all runs together', () => {
	const names = ['outcome', 'reports', 'block', 'review', 'failed'];
	const marks = (...values: unknown[]) =>
		Object.fromEntries(names.map((name, at) => [`screening_${name}`, values[at]?.toString()]));
	const [allowed, blocked] = [report('green', 'allow'), report('red', 'block')];
	expect(marksOf([allowed, failure])).toEqual(marks('failed', 1, 0, 0, 1));
	expect(marksOf([blocked], [allowed], 'stopped')).toEqual(marks('block', 2, 1, 0, 1));
	expect(marksOf([report('green', 'review')], 'stopped')).toEqual(marks('review', 1, 0, 1, 1));
	// Nobody decided.
	expect(marksOf([report('green')])).toEqual(marks(undefined, 1, 0, 0, 0));
});
