import { patience } from '../../support/workflows';
import { agentTests } from './agent';
import { agentAttackTests } from './agentAttack';
import { archiveTests } from './archive';
import { completedTests } from './completed';
import { eventTests } from './events';
import { failureTests } from './failures';
import { listTests } from './list';
import { type Stage, startStage } from './stage';
import { transactionTests } from './transaction';

/** Those of which the index of templates says so. */
describe('the templates that n8n 1 can run', () => {
	let stage: Stage;
	const isN8n1 = true;
	beforeAll(async () => {
		stage = await startStage('e2e-templates-1', '1.123.81');
	}, patience);
	afterAll(async () => await stage?.close());
	beforeEach(() => stage.clear());

	describe('an incoming transaction', () => {
		transactionTests(() => stage, { isN8n1 });
	});
	describe('a list in bulk, with events', () => {
		eventTests(() => stage);
	});
	describe('a bulk job that is complete', () => {
		completedTests(() => stage, { isN8n1 });
	});
	describe('a list in bulk', () => {
		listTests(() => stage);
	});
	describe('a run that fails', () => {
		failureTests(() => stage);
	});
	describe('an agent', () => {
		agentTests(() => stage);
		agentAttackTests(() => stage, { isN8n1 });
	});
	describe('an archive of PDF reports', () => {
		archiveTests(() => stage, { isN8n1 });
	});
});
