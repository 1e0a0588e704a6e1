import { answer, errorOf, reportBody } from '../support/answers';
import { serviceOf } from '../support/service';

test.each([0, 100, 101, 199])(
	'the status %d is no success, whatever comes with it',
	async (status) => {
		const { seen, screen } = serviceOf(answer(status, reportBody()), { maxRetries: 5 });
		const { errorClass, httpCode } = await errorOf(async () => await screen(reportBody().address));
		expect({ errorClass, httpCode }).toEqual({ errorClass: 'invalid_response', httpCode: status });
		expect(seen).toHaveLength(1);
	},
);
