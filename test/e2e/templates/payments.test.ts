import { paymentIntakeTests } from './approveIntake';
import { approvalByPeopleTests } from './approvePeople';
import { releaseTests } from './approveRelease';
import { callbackTests } from './callbacks';
import { caseAnswerTests } from './caseAnswers';
import { caseDateTests } from './caseDates';
import { setUp } from '../../support/templates/foundation';
import { hitsByDoorTests } from './hitsByDoor';
import { policyTests } from './policy';
import { releaseWayTests } from './releaseWays';
import { sanctionsTests } from './sanctions';
import { stage } from '../../support/templates/stage';
import { stoppedPaymentTests } from './stoppedPayment';
import { treasuryTests } from './treasury';

const chapters: Array<[string, () => void]> = [
	['a payment that comes in', paymentIntakeTests],
	['a payment that waits for people', approvalByPeopleTests],
	['a payment that was approved', releaseTests],
	['a payment system that is told', callbackTests],
	['a payment with a sanctions hit', stoppedPaymentTests],
	['ways to release a sanctions hit', releaseWayTests],
	['a sanctions hit', sanctionsTests],
	['a sanctions hit, whichever way it came in', hitsByDoorTests],
	['a sanctions case', caseAnswerTests],
	['the date of a sanctions case', caseDateTests],
	["the Treasury's list", treasuryTests],
	['a policy', policyTests],
];

/** The workflows of payments, cases and policies share one n8n: a start takes half a minute. */
describe('payments and cases, in an n8n that reaches nothing beyond this machine', () => {
	beforeAll(async () => await setUp('e2e-payments'));
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	describe.each(chapters)('%s', (_, tests) => {
		tests();
	});
});
