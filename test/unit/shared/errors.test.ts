import {
	type ErrorClass,
	rethrowUnlessScreeningError,
	ScreeningError,
} from '../../../nodes/WalletScreening/shared/errors';
import { statusError } from '../../../nodes/WalletScreening/client/statusErrors';
import { networkFault } from '../../../nodes/WalletScreening/client/networkFaults';
import { ethereum } from '../../support/data/knownAddresses';
import { serviceOf } from '../../support/unit/virtualService';
import { answer } from '../../support/unit/httpAnswers';
import { errorOf } from '../../support/unit/errors';

const statuses = Array.from({ length: 300 }, (_, index) => 300 + index);

/**
 * The public names of the error classes, for the statuses of section 7; those beside them go by
 * their hundred.
 */
const named: Record<number, ErrorClass> = {
	401: 'unauthorized',
	403: 'forbidden',
	404: 'not_found',
	429: 'rate_limited',
};
const byHundred: ErrorClass[] = ['invalid_response', 'bad_request', 'server'];

test('every status from 300 to 599 has its class, in every operation, and what was asked for', async () => {
	for (const status of statuses) {
		const { screen, getReport, getPdf, getBulk } = serviceOf(answer(status, 'text'));
		const errorClass = named[status] ?? byHundred[Math.floor(status / 100) - 3];
		for (const [work, known] of [
			[async () => await screen(ethereum), { address: ethereum }],
			[async () => await getReport('rep_1'), { report_id: 'rep_1' }],
			[async () => await getPdf('rep_1'), { report_id: 'rep_1' }],
			[async () => await getBulk('job_1'), { job_id: 'job_1' }],
		] as const) {
			expect(await errorOf(work)).toMatchObject({ errorClass, httpCode: status, details: known });
		}
	}
});

test('a fault of the network has the class network and no status', () => {
	const expected = { message: 'The service did not answer within 30 seconds', httpCode: undefined };
	expect(networkFault('TIMEOUT', 30)).toMatchObject({ errorClass: 'network', ...expected });
});

test('a value in the request is blamed only for the statuses that speak of it', () => {
	const blamed = statuses.filter((status) =>
		statusError(status, undefined).description.includes('Correct the value'),
	);
	expect(blamed).toEqual([400, 422]);
});

test('an error gets more known about it and loses nothing', () => {
	const extra = {
		serviceMessage: 's',
		httpCode: 502,
		faultCode: 'ECONNRESET' as const,
		proposedNames: { state: ['lifecycle'] },
	};
	const one = new ScreeningError('network', 'm', 'd', { ...extra, details: { address: 'a' } });
	expect(one.withDetails({ report_id: 'r' }).withText({ message: 'other' })).toMatchObject({
		errorClass: 'network',
		message: 'other',
		description: 'd',
		...extra,
		details: { address: 'a', report_id: 'r' },
	});
	expect(one.details).toEqual({ address: 'a' });
});

test('what is no error of this package is thrown again as it is', () => {
	expect(() => rethrowUnlessScreeningError(new TypeError('other'))).toThrow(TypeError);
});
