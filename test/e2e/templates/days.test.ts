/**
 * The workflows of a day, over many days, in n8n's engine in this process. In a real n8n:
 * `theDay.ts`.
 */
import { DailyWorkflows } from '../../support/templates/dailyWorkflows';
import { ledgerTests } from './daysLedger';
import { sealTests } from './daysSeals';

/** How many days: `DAYS=1000` for the long run. */
const days = Number(process.env.DAYS ?? 24);

let workflows: DailyWorkflows;
beforeAll(async () => void (workflows = await DailyWorkflows.start()), 600_000);
afterAll(async () => await workflows?.close());
beforeEach(() => workflows.reset());

describe('Reconcile the Day', () => {
	ledgerTests(() => workflows, days);
});
describe('Seal the Day and Verify the Log', () => {
	sealTests(() => workflows, days);
});
