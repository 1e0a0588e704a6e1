import { statusError } from '../../../nodes/WalletScreening/service/errors';
import { mayHaveArrived } from '../../../nodes/WalletScreening/pace/retry';
import { answer, errorOf, fault, reportBody } from '../support/answers';
import { serviceOf } from '../support/service';

test.each([0, 100, 101, 199])(
	'the status %d is no success, whatever comes with it',
	async (status) => {
		const { seen, screen } = serviceOf(answer(status, reportBody()), { maxRetries: 5 });
		const { errorClass, httpCode } = await errorOf(
			async () => await screen(reportBody().address, undefined),
		);
		expect({ errorClass, httpCode }).toEqual({ errorClass: 'invalid_response', httpCode: status });
		expect(seen).toHaveLength(1);
	},
);

test('only a request whose answer was lost may have been carried out unseen', () => {
	expect(mayHaveArrived(fault('ECONNRESET'))).toBe(true);
	expect(mayHaveArrived(fault('ECONNREFUSED'))).toBe(false);
	for (const status of [400, 429, 500]) {
		expect(mayHaveArrived(statusError(status, undefined))).toBe(false);
	}
});
