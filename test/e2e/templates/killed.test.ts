import { fullTableTests, smallTables } from './fullTables';
import { killedCallbackTests } from './killedCallbacks';
import { killedCaseTests } from './killedCases';
import { killedListTests } from './killedList';
import { killedPaymentTests } from './killedPayments';
import { killedWatchTests } from './killedWatch';
import { timeoutMs } from '../../support/templates/kills';
import { setUp } from '../../support/templates/foundation';
import { stage } from '../../support/templates/stage';

jest.setTimeout(3 * timeoutMs);

describe('an n8n', () => {
	beforeAll(async () => await setUp('e2e-templates-killed', smallTables));
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());
	afterEach(() => stage.withdrawAll());

	describe('that has no room', () => {
		fullTableTests();
	});

	/** n8n is killed in the middle of its work, as by a crash or a restart of its machine. */
	describe('that is killed', () => {
		killedPaymentTests();
		killedListTests();
		killedWatchTests();
		killedCaseTests();
		killedCallbackTests();
	});
});
