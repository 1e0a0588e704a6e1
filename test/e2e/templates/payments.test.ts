import { paymentIntakeTests } from './approveIntake';
import { approvalByPeopleTests } from './approvePeople';
import { releaseTests } from './approveRelease';
import { callbackTests } from './callbacks';
import { setUp } from '../../support/templates/foundation';
import { releaseWayTests } from './releaseWays';
import { stage } from '../../support/templates/stage';
import { stoppedPaymentTests } from './stoppedPayment';

const chapters: Array<[string, () => void]> = [
	['a payment that comes in', paymentIntakeTests],
	['a payment that waits for people', approvalByPeopleTests],
	['a payment that was approved', releaseTests],
	['a payment system that is told', callbackTests],
	['a payment with a sanctions hit', stoppedPaymentTests],
	['ways to release a sanctions hit', releaseWayTests],
];

/** The workflows of payments share one n8n: a start takes half a minute. */
describe('payments, in an n8n that reaches nothing beyond this machine', () => {
	beforeAll(async () => await setUp('e2e-payments'));
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	describe.each(chapters)('%s', (_, tests) => {
		tests();
	});
});
