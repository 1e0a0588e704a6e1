import {
	createReportJson,
	createServiceReportJson,
} from '../../../nodes/WalletScreening/execution/reportItem';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import { ScreeningError, catchScreeningError } from '../../../nodes/WalletScreening/shared/errors';
import type { Report } from '../../../nodes/WalletScreening/answers/report';
import { createContext } from '../../support/unit/context';
import { reportBody } from '../../support/unit/reports';
import { verifyItem } from '../../support/unit/verification';

const report = (changes: object = {}) => reportBody({ ...changes }) as unknown as Report;
const policy = readPolicy([{ field: 'sanctions', operator: 'gte', value: 0, outcome: 'block' }]);
const greenPolicy = readPolicy([
	{ field: 'level', operator: 'notEquals', value: 'green', outcome: 'review' },
]);
const context = createContext();
const nothing = { policy: undefined, addEvidence: false };
const jsonOf = (one: Report, form = {}, chain?: string) =>
	createReportJson(context, { report: one, chain }, nothing, form).json;

test('a report of another chain than the one that was asked for has an alert that is no all-clear', () => {
	const { alert } = jsonOf(report(), { alertText: true }, 'BTC');
	expect(alert).toMatchObject({
		title: expect.stringMatching(/^Attention: /) as string,
		text: expect.stringContaining('Chain asked for: BTC') as string,
	});
});

const evm = '0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045';
const cashAddr = 'bitcoincash:qpm2qsznhks23z7629mms6s4cwef74vcwvy22gdx6a';
const legacy = '1BpEi6DfDAUFd7GtittLSdBeYJvcoaVggu';

type Asked = { address?: string; chain?: string };
test.each<[asked: Asked, chain: string, asked_chain: string | undefined, because: string]>([
	[{ address: cashAddr }, 'BTC', 'bitcoincash', 'the spelling names Bitcoin Cash'],
	[{ address: cashAddr }, 'BCH', undefined, 'both names mean Bitcoin Cash'],
	[{ address: cashAddr }, 'Bitcoin Cash', undefined, 'a name may have blanks'],
	[{ address: cashAddr }, 'bch-main', undefined, 'the name of the service is not known'],
	[{ address: legacy }, 'BCH', undefined, 'the spelling names no chain'],
	[{ address: `bnb:${evm}` }, 'ETH', 'bnb', 'the spelling names BNB Smart Chain'],
	[{ address: `bnb:${evm}` }, 'BSC', undefined, 'it has two symbols'],
	[{ address: `eip155:137:${evm}` }, 'ETH', 'eip155:137', 'the number is that of Polygon'],
	[{ address: `mine:${evm}` }, 'ETH', undefined, 'the spelling has an unknown name'],
	[{ address: `bnb:${evm}`, chain: 'ETH' }, 'ETH', undefined, 'the parameter counts first'],
	[{}, 'ETH', undefined, 'no address was asked for'],
])('a report for %j of the chain %s has the asked chain %s: %s', (asked, chain, asked_chain) => {
	const address = asked.address?.includes('0x') === false ? legacy : evm;
	const received = { report: report({ chain, address }), ...asked };
	const settings = { policy: greenPolicy, addEvidence: true };
	const { json, isAllClear } = createReportJson(context, received, settings, {});
	expect(json.asked_chain).toBe(asked_chain);
	expect(json.outcome).toBe(asked_chain === undefined ? 'allow' : 'review');
	expect(isAllClear).toBe(asked_chain === undefined);
	expect(verifyItem(json).findings).toEqual([]);
});

describe('the item of a report', () => {
	const inOrder =
		'outcome summary level score address chain asked_chain reference report reasons alert evidence'.split(
			' ',
		);
	const deciding = { policy, addEvidence: true, reference: 'Payment 17' };
	const made = (one: Report, form: object = {}, more: object = {}) =>
		createReportJson(context, { report: one, chain: 'BTC', ...more }, deciding, {
			alertText: true,
			...form,
		}).json;

	it('has what the node says, flat and first, and what the service sent, untouched', () => {
		const sent = report({ outcome: 'allow', level: 'x', evidence: 7, asked_chain: 'ETH' });
		const before = structuredClone(sent);
		const json = made(sent, {}, { address: 'as-asked' });
		expect(Object.keys(json)).toEqual(inOrder);
		expect(json).toMatchObject({
			outcome: 'block',
			level: 'green',
			score: 0.02,
			address: 'as-asked',
			chain: 'ETH',
			asked_chain: 'BTC',
			reference: 'Payment 17',
			report: before,
		});
		expect(json.report).toBe(sent);
		expect(sent).toEqual(before);
	});

	it('is flat and short if it is simplified, with what else was asked for', () => {
		const json = made(report(), { simplify: true });
		const extract = ['highest_category', 'highest_score', 'report_id', 'report_url'];
		expect(Object.keys(json)).toEqual([...inOrder.slice(0, 8), ...extract, 'alert', 'evidence']);
		expect(json).toMatchObject({ level: 'green', report_id: 'rep_1', evidence: { version: 1 } });
		expect(json.evidence).toMatchObject({ report: report() });
	});

	it.each<[because: string, categories: object, category: unknown, score: unknown]>([
		['the highest counts', { scam: 0.2, mixer: 0.5, stolen: 0 }, 'mixer', 0.5],
		['clean_exchange speaks for an address', { scam: 0.2, clean_exchange: 1.4 }, 'scam', 0.2],
		['a green report must not seem to be about sanctions', { sanctions: 0, scam: 0 }, null, 0],
		['there may be no category', {}, null, null],
	])('names the highest category: %s', (_, categories, highest_category, highest_score) => {
		const level = { level: 'green', score: 0.1 };
		const json = made(report({ risk: { ...level, categories } }), { simplify: true });
		expect(json).toMatchObject({ highest_category, highest_score });
	});

	it('has only the selected fields for an agent, and what speaks against an address', () => {
		const json = made(report(), { outputFields: ['score', 'level', 'highest_category'] });
		const names = ['outcome', 'level', 'score', 'asked_chain', 'highest_category', 'report_id'];
		expect(Object.keys(json)).toEqual(names);
	});

	it.each([
		[['evidence'], { report: report() }],
		[['evidence', 'report'], expect.not.objectContaining({ report: {} })],
	])('with %j, either the item or its evidence holds the report', (outputFields, evidence) => {
		const json = made(report(), { outputFields });
		expect(json.evidence).toMatchObject(evidence as object);
		expect('report' in json).toBe(outputFields.includes('report'));
	});

	it('is marked after its outcome if it is a sanctions hit, and else has no mark', () => {
		const hit = made(report({ risk: { categories: { sanctions: 0.9 } } }));
		expect(Object.keys(hit).slice(0, 3)).toEqual(['outcome', 'sanctions', 'summary']);
		expect(hit.sanctions).toBe(true);
		expect(made(report())).not.toHaveProperty('sanctions');
	});

	it('has neither outcome nor reasons without a decision', () => {
		expect(Object.keys(jsonOf(report()))).toEqual(['level', 'score', 'address', 'chain', 'report']);
	});
});

test('a fault in making an item of a report is an error that names the report', () => {
	const odd = report();
	Object.defineProperty(odd, 'chain', {
		get: () => {
			throw new TypeError('odd');
		},
	});
	const form = { alertText: true, simplify: true };
	const decision = { policy, addEvidence: false };
	const { error } = catchScreeningError(() =>
		createServiceReportJson(context, { report: odd }, decision, form),
	);
	expect(error).toBeInstanceOf(ScreeningError);
	expect(error).toMatchObject({
		errorClass: 'invalid_response',
		message: expect.stringContaining('odd') as string,
		details: { report_id: 'rep_1', address: report().address },
	});
});
