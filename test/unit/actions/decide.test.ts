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
