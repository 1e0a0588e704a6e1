import type { IDataObject } from 'n8n-workflow';
import { readEvidenceSettings } from '../../../nodes/WalletScreening/description/evidenceSettings';
import { createItemReader } from '../../../nodes/WalletScreening/description/parameters';
import { createContext } from '../../support/unit/context';

const given = { addEvidence: true, reference: 'Payment 17' };
const none = { addEvidence: false, reference: undefined };

test.each<[because: string, decisionOptions: IDataObject, options: IDataObject, read: object]>([
	['the user added neither', {}, {}, none],
	['a decision is made', given, {}, given],
	['none is made', {}, given, given],
	[
		'an empty reference is left out',
		{ ...given, reference: ' ' },
		{},
		{ ...none, addEvidence: true },
	],
])('evidence is read where n8n shows it: %s', (_because, decisionOptions, options, expected) => {
	const context = createContext({ parameters: { decisionOptions }, options });
	expect(readEvidenceSettings(createItemReader(context, 0))).toEqual(expected);
});
