import { valueAt } from '../../../nodes/WalletScreening/shared/fieldPath';
import { requireReport } from '../../../nodes/WalletScreening/description/inputReport';
import { errorOf } from '../../support/unit/errors';
import { reportBody } from '../../support/unit/reports';

const report = reportBody();
const refusal = async (item: object, path = 'report') =>
	await errorOf(() => requireReport(item as Record<string, unknown>, path));

describe('a report in hand', () => {
	it.each([
		['in its field', { report }, 'report'],
		['in a nested field', { customer: { last: { report } } }, ' customer.last.report '],
		['in a field with a dot in its name', { 'a.b': report, a: { b: 7 } }, 'a.b'],
		['in a list', { reports: [7, report] }, 'reports.1'],
		['as JSON text', { report: ` ${JSON.stringify(report)}` }, 'report'],
		['in the details of a failure', { error: 'No PDF', details: { report } }, 'details.report'],
		['in a row whose column for errors is empty', { report, error: null }, 'report'],
	])('is read %s', (_, item, path) => {
		expect(requireReport(item, path)).toEqual(report);
	});

	it('keeps a field that the service named as the node does', () => {
		const named = { ...report, outcome: 'x' };
		expect(requireReport({ report: named, outcome: 'allow' }, 'report')).toEqual(named);
	});

	it.each<[object, string]>([
		[{}, 'there is no object'],
		[report, 'there is no object'],
		[{ report: [report] }, 'there is no object'],
		[{ report: { ...report, address: ' ' } }, "'address' is missing"],
		[{ report: { ...report, risk: [] } }, "'risk' is not an object"],
		[{ report: { address: 'a', risk_level: 'green' } }, "'risk' is not an object"],
		[{ report: { ...report, risk: { categories: [] } } }, "'categories' is not an object"],
		// A report beside an error is from an earlier run.
		[{ error: 'Down', details: {}, report }, 'the item contains an error: Down'],
	])('is not read in %j', async (item, why) => {
		const { message, errorClass } = await refusal(item);
		expect(errorClass).toBe('invalid_input');
		expect(message).toBe(`The field 'report' contains no report: ${why}`);
	});

	it('is missed beside the fields that the item has', async () => {
		const { description } = await refusal({ '\ufeffreport': report, chain: 'ETH' });
		expect(description).toContain(
			"The item has these fields: '\\u{FEFF}report', 'chain'. \\u{…} is",
		);
		expect((await refusal({ report: 7 })).description).not.toContain('these fields');
	});

	it('is not read from a field that objects have by themselves', async () => {
		expect((await refusal({ report }, 'report.constructor')).message).toContain('no object');
		for (const path of ['constructor', 'a.constructor', 'a..b'])
			expect(valueAt({ a: { b: 1 } }, path)).toBeUndefined();
	});
});
