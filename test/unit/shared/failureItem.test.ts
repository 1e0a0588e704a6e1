import { isErrorItem, isFailureItem } from '../../../nodes/WalletScreening/shared/failureItem';

test.each<[item: object, isFailure: boolean, isOfThisPackage: boolean, name: string]>([
	[{ error: 'Down', details: { errorClass: 'server' } }, true, true, 'an error item'],
	[{ error: 'Down', details: '{"errorClass":"server"}' }, true, true, 'its row in a table'],
	[{ error: 'channel_not_found', report: {} }, true, false, "an error output of n8n's Slack node"],
	[{ error: { message: 'No' }, details: '' }, true, false, 'an error that is an object'],
	[{ error: '', details: '', report: {} }, false, false, 'a row of a table with empty cells'],
	[{ error: null, details: { errorClass: 'server' } }, false, false, 'details without an error'],
	[{ report: {} }, false, false, 'a report'],
])('%j: failure %j, of this package %j: %s', (item, isFailure, isOfThisPackage) => {
	expect(isFailureItem(item)).toBe(isFailure);
	expect(isErrorItem(item)).toBe(isOfThisPackage);
});
