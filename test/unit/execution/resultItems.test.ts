import type { Report } from '../../../nodes/WalletScreening/answers/report';
import type { Client } from '../../../nodes/WalletScreening/client/client';
import { RunLedger } from '../../../nodes/WalletScreening/execution/ledger';
import { ResultItems } from '../../../nodes/WalletScreening/execution/resultItems';
import type { Run } from '../../../nodes/WalletScreening/execution/run';
import { createContext } from '../../support/unit/context';
import { reportBody } from '../../support/unit/reports';

const run = { context: createContext(), ledger: new RunLedger() } as Run;
const options = { form: {}, onlyNotGreen: false };
const settings = { policy: undefined, addEvidence: false };
const request = { client: {} as Client, settings, address: 'as-asked' };
const reportWith = (fields: Record<string, unknown>) => reportBody(fields) as unknown as Report;

test('two items of one result share no report, which a later node may change', () => {
	const items = new ResultItems(run, options);
	const value = reportWith({});
	const [first, second] = [1, 2].flatMap(() => items.createItems({ value }, request));
	expect(first!.value!.json.report).toBe(value);
	expect(second!.value!.json.report).toEqual(value);
	expect(second!.value!.json.report).not.toBe(value);
});

test('a report that is nested too deeply to be copied is an error of the one item that needs a copy', () => {
	const nested: unknown = JSON.parse('['.repeat(20_000) + ']'.repeat(20_000));
	const items = new ResultItems(run, options);
	const value = reportWith({ nested });
	expect(items.createItems({ value }, request)).toMatchObject([{ value: { json: {} } }]);
	const [{ error } = {}] = items.createItems({ value }, request);
	expect(error).toMatchObject({
		errorClass: 'invalid_response',
		details: { address: 'as-asked', report_id: 'rep_1' },
	});
});
