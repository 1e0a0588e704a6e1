import { caseAnswerTests } from './caseAnswers';
import { caseDateTests } from './caseDates';
import { setUp } from '../../support/templates/foundation';
import { hitsByDoorTests } from './hitsByDoor';
import { policyTests } from './policy';
import { sanctionsTests } from './sanctions';
import { stage } from '../../support/templates/stage';
import { treasuryTests } from './treasury';

const chapters: Array<[string, () => void]> = [
	['a sanctions hit', sanctionsTests],
	['a sanctions hit, whichever way it came in', hitsByDoorTests],
	['a sanctions case', caseAnswerTests],
	['the date of a sanctions case', caseDateTests],
	["the Treasury's list", treasuryTests],
	['a policy', policyTests],
];

/** The workflows of cases and policies share one n8n: a start takes half a minute. */
describe('cases and policies, in an n8n that reaches nothing beyond this machine', () => {
	beforeAll(async () => await setUp('e2e-cases'));
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	describe.each(chapters)('%s', (_, tests) => {
		tests();
	});
});
