import type { IDataObject } from 'n8n-workflow';

import { valueAt } from '../../../nodes/WalletScreening/shared/fieldPath';
import { itemOf } from '../../support/data/items';
import { sanctioned, sanctionedBitcoin } from '../../support/data/knownAddresses';
import { createContext } from '../../support/unit/context';
import { execute } from '../../support/unit/execute';
import { verifyItem } from '../../support/unit/verification';
import { reportBody } from '../../support/unit/reports';

const report = reportBody();

/** Returns the JSON of the item that leaves Decide for this one. */
async function decide(item: IDataObject, reportField = 'report', addEvidence = true) {
	const parameters = {
		resource: 'decision',
		operation: 'decide',
		reportField,
		rulesSource: 'json',
		rulesJson: [{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' }],
		decisionOptions: { addEvidence },
	};
	const { items, error } = await execute(createContext({ items: [item], parameters }));
	expect(error).toBeUndefined();
	return items[0]!.json;
}

describe('an address of the item that the report is not about', () => {
	const decideOn = async (address: string) => {
		const parameters = {
			resource: 'decision',
			operation: 'decide',
			reportField: 'report',
			rulesSource: 'json',
			rulesJson: [{ field: 'sanctions', operator: 'gte', value: 0.5, outcome: 'block' }],
		};
		const items = [{ address, report, id: 7 } as unknown as IDataObject];
		const executed = await execute(createContext({ items, parameters, continueOnFail: true }));
		return executed.items[0]!.json;
	};

	it.each([sanctionedBitcoin, ` ${sanctionedBitcoin} `, sanctioned])(
		'is refused, and stays with the error: %j',
		async (address) => {
			const description = expect.stringMatching(`${report.address}.*${address.trim()}`) as string;
			expect(await decideOn(address)).toEqual({
				error: 'The report is about another address than the item',
				address,
				id: 7,
				report,
				details: {
					errorClass: 'invalid_input',
					httpCode: null,
					parameter: 'Report Field',
					itemIndex: 0,
					description,
					address,
				},
			});
		},
	);

	it.each([report.address.toLowerCase(), 'Main Street 5', ''])(
		'is none, in another spelling or if it is that of no wallet: %j',
		async (address) => {
			expect(await decideOn(address)).toMatchObject({ outcome: 'allow', id: 7 });
		},
	);
});

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

it.each<[because: string, report_id: unknown, ofReport: unknown, isKept: boolean]>([
	['they are of that report', report.report_id, report.report_id, true],
	['they are of an earlier one', 'rep_0', report.report_id, false],
	['an ID may be a number', 5, 5, true],
	['a table may hold a number as a text', '5', 5, true],
	['a table may hold a text as a number', 5, '5', true],
	['another number is another report', 6, 5, false],
	['the report has no ID', 'rep_1', undefined, false],
])(
	'keeps the flat fields that a simplified item has beside its report, or not: %s',
	async (_because, report_id, ofReport, isKept) => {
		const report_url = 'https://app.example.com/reports/1';
		const flat = { highest_category: 'scam', highest_score: 0.9, report_id, report_url };
		const current = { ...report, report_id: ofReport };
		const item = await decide({ ...flat, current } as IDataObject, 'current', false);
		expect(Object.keys(flat).filter((name) => name in item)).toEqual(
			isKept ? Object.keys(flat) : [],
		);
	},
);

describe('a report never leaves the item with the field that held it', () => {
	const { report: _, ...flat } = itemOf(report);
	const details = { errorClass: 'server', ...itemOf(report) };
	const evidence = { version: 1, report };
	it.each<[path: string, because: string, item: IDataObject]>([
		['report', 'the item is whole', itemOf(report)],
		['current.report', 'the user has a place for it', { current: { report } }],
		['current', 'there are two', { ...itemOf({ ...report, report_id: 'rep_0' }), current: report }],
		['details.report', 'only its PDF failed', { error: 'The PDF did not arrive', details }],
		[' evidence.report ', 'a simplified item has it there', { ...flat, evidence }],
		['evidence.report', 'a table holds text', { ...flat, evidence: JSON.stringify(evidence) }],
		['verification.report', 'a decision removes that, too', { ...flat, verification: { report } }],
	])('%s: %s', async (path, _because, item) => {
		for (const addEvidence of [true, false]) {
			const decided = await decide(item, path, addEvidence);
			const reportField = 'report' in decided ? 'report' : path;
			expect(valueAt(decided, reportField)).toEqual(report);
			if (addEvidence) expect(verifyItem(decided, { reportField }).findings).toEqual([]);
		}
	});
});
