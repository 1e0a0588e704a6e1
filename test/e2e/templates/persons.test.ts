import { patience } from '../../support/workflows';
import { approveTests } from './approve';
import { sanctionsTests } from './sanctions';
import { type Stage, startStage } from './stage';

describe('the templates in which persons decide', () => {
	let stage: Stage;
	beforeAll(async () => {
		stage = await startStage('e2e-templates-persons');
	}, patience);
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	describe('a payment that waits for persons', () => {
		approveTests(() => stage);
	});
	describe('a sanctions hit', () => {
		sanctionsTests(() => stage);
	});
});
