import {
	createItemReader,
	createSharedReader,
} from '../../../nodes/WalletScreening/description/parameters';
import { createContext } from '../../support/unit/context';

test.each<[expression: string, times: number, because: string]>([
	['plain text', 1, 'it is no expression'],
	["={{ $('Policy').first().json.policy }}", 1, 'it is a field of one item of another node'],
	["={{ $('Our Policy').first().json.row.text }}", 1, 'a nested field is one, too'],
	['={{ $json.policy }}', 3, 'each item has its own field'],
	[
		"={{ $('Policy').item.json.policy }}",
		3,
		'it is a field of the item that this one was made from',
	],
	["={{ $('Policy').first().json[$json.name] }}", 3, 'the name of the field is of the item'],
	["={{ $('Policy').first().json.policy ?? $json.policy }}", 3, 'it falls back to the item'],
	[
		"={{ $('Policy').first().json.policy }}{{ $itemIndex }}",
		3,
		'it ends with the number of the item',
	],
	["={{ $('Policy'+$json.name).first().json.policy }}", 3, 'the name of the node is of the item'],
])('of three items, %j is read %i times: %s', (expression, times) => {
	const context = createContext({ parameters: { rulesJson: expression }, items: [{}, {}, {}] });
	const read = jest.fn((readValue: (name: 'rulesJson') => unknown) => readValue('rulesJson'));
	const readValue = createSharedReader(context, ['rulesJson'], read);
	for (const index of [0, 1, 2]) readValue(createItemReader(context, index));
	expect(read).toHaveBeenCalledTimes(times);
});
