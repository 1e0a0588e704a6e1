import type { IDataObject } from 'n8n-workflow';

import { itemOf } from '../../support/data/items';
import { reportBody } from '../../support/unit/answers';
import { createContext } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';

const report = reportBody();

/** Returns the JSON of the item that leaves Decide for this one. */
async function decide(item: IDataObject, reportField = 'report') {
	const parameters = {
		resource: 'decision',
		operation: 'decide',
		reportField,
		rulesSource: 'json',
		rulesJson: [{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' }],
		decisionOptions: { addEvidence: true },
	};
	const { items, error } = await execute(createContext({ items: [item], parameters }));
	expect(error).toBeUndefined();
	return items[0]!.json;
}

it.each(['P-17', '4711', 4711])('keeps the reference %j of the item', async (reference) => {
	const { evidence, ...item } = await decide({ ...itemOf(report), reference });
	expect(item).toMatchObject({ reference: String(reference) });
	expect(evidence).toMatchObject({ reference: String(reference) });
});

it('makes of a failure whose details hold a report an item that has a decision', async () => {
	const details = { errorClass: 'server', report_id: report.report_id, ...itemOf(report) };
	const failure = { error: 'The report arrived, but its PDF did not', details, customer: 'C-1' };
	const item = await decide(failure, 'details.report');
	expect(item).toMatchObject({ outcome: 'allow', report, customer: 'C-1' });
	expect(item).not.toHaveProperty('error');
	expect(item).not.toHaveProperty('details');
});

it('keeps an error that is a field of the user', async () => {
	const fields = { error: '', details: 'late delivery' };
	expect(await decide({ ...itemOf(report), ...fields })).toMatchObject(fields);
});

it.each<[because: string, report_id: string, isKept: boolean]>([
	['they are of that report', report.report_id, true],
	['they are of an earlier one', 'rep_0', false],
])(
	'keeps the flat fields that a simplified item has beside its report, or not: %s',
	async (_because, report_id, isKept) => {
		const report_url = 'https://app.example.com/reports/1';
		const flat = { highest_category: 'scam', highest_score: 0.9, report_id, report_url };
		const item = await decide({ ...flat, current: report }, 'current');
		expect(Object.keys(flat).filter((name) => name in item)).toEqual(
			isKept ? Object.keys(flat) : [],
		);
	},
);
