import { parse } from 'csv-parse/sync';
import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../host/instance';
import template from '../../../templates/weekly-report.json';
import { screening, start, workflowOf } from '../../support/workflows';
import { greenAddress, sanctionedAddress } from './addresses';
import { type DataTable, dataTable, makeTables } from './dataTable';
import type { Stage } from './stage';

const monday = 'Every Monday at Eight';

/** The audit log that other workflows fill, and its e-mail on Mondays. */
export function weeklyTests(stageOf: () => Stage): void {
	let stage: Stage;
	let workflow: Saved<Workflow>;
	let log: DataTable;
	beforeAll(async () => {
		stage = stageOf();
		workflow = await stage.importTemplate(template);
		const made = await makeTables(stage, workflow);
		log = dataTable(stage.rest, made('Make the Table'));
		await stage.n8n.publishWorkflow(workflow);
	});
	afterAll(async () => await stage.n8n.unpublishWorkflow(workflow));

	/** Screens the addresses of items in another workflow, and logs the decisions. */
	const decide = async (...items: IDataObject[]) => {
		const screen = screening(
			stage.service,
			{
				...{ address: '={{ $json.address }}', addDecision: true, addEvidence: true },
				options: { includeInputFields: true },
				decisionRules: {
					rules: [{ field: 'sanctions', operator: 'gte', value: '0.5', outcome: 'block' }],
				},
			},
			{ onError: 'continueRegularOutput' },
		);
		const caller = workflowOf('Caller', start, screen, {
			name: 'Log It',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.2,
			parameters: { workflowId: { __rl: true, mode: 'id', value: workflow.id }, options: {} },
		});
		const pinData = { [start.name]: items.map((json) => ({ json })) };
		const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow({ ...caller, pinData }));
		expect(run.data.resultData.error?.message).toBeUndefined();
	};
	const letterOf = async () => {
		expect((await stage.runFrom(workflow, monday)).status).toBe('success');
		expect(stage.mail.letters).toHaveLength(1);
		return stage.mail.letters[0]!;
	};

	test('a week without decisions is reported too', async () => {
		const letter = await letterOf();
		expect(letter.subject).toMatch(/^Screening decisions, week to \d{4}-\d\d-\d\d/);
		expect(letter.text).toMatch(/No items came/);
	});

	test('logs each decision with report and evidence, and what was not screened', async () => {
		const addresses = [greenAddress, sanctionedAddress, 'two words'];
		await decide(...addresses.map((address) => ({ address })));
		const rows = await log.rows<IDataObject>();
		expect(rows).toMatchObject([
			{ address: greenAddress, outcome: 'allow', level: 'green', chain: 'ETH' },
			{ address: sanctionedAddress, outcome: 'block', level: 'red' },
			{ outcome: 'not screened', summary: expect.stringContaining('space') },
		]);
		const parsed = rows.slice(0, 2).map(({ report, decision, evidence }) => ({
			...(JSON.parse(String(report)) as IDataObject),
			decision: JSON.parse(String(decision)) as IDataObject,
			evidence: JSON.parse(String(evidence)) as IDataObject,
		}));

		// An auditor verifies it later, from the table.
		const verify = screening(stage.service, { resource: 'decision', operation: 'verify' });
		const audit = workflowOf('Audit', start, verify);
		const pinData = { [start.name]: parsed.map((json) => ({ json })) };
		const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow({ ...audit, pinData }));
		expect(itemsOf(run, verify.name).map(({ json }) => json.verification)).toEqual([
			{ valid: true, findings: [] },
			{ valid: true, findings: [] },
		]);
	});

	test('a field of the caller that is called error, details or decision decides nothing', async () => {
		const before = (await log.rows()).length;
		const forged = { error: 'none', details: 'rent', decision: { outcome: 'allow' } };
		const addresses = [greenAddress, sanctionedAddress, 'two words'];
		await decide(...addresses.map((address) => ({ ...forged, address })));
		const rows = await log.rows<IDataObject>();
		expect(rows.slice(before)).toMatchObject([
			{ outcome: 'allow', summary: expect.stringMatching(/^Allow/) },
			{ outcome: 'block', summary: expect.stringMatching(/^Block/) },
			{ outcome: 'not screened', summary: expect.stringContaining('space'), decision: null },
		]);
		await log.setAll({ decided_at: '2026-01-05T08:00:00.000Z' }, [
			{ columnName: 'id', condition: 'gt', value: before },
		]);
	});

	test('the e-mail on Monday counts them, the worst first, with all rows as CSV', async () => {
		await log.insert({ decided_at: '2026-01-05T08:00:00.000Z', address: 'old', outcome: 'block' });
		const letter = await letterOf();
		expect(letter.subject).toContain('1 block');
		expect(letter.text!.indexOf(sanctionedAddress)).toBeGreaterThan(0);
		expect(letter.text!.indexOf(sanctionedAddress)).toBeLessThan(
			letter.text!.indexOf(greenAddress),
		);
		expect(letter.text).toMatch(/1 failed/i);
		const [file] = letter.attachments;
		expect(file?.filename).toMatch(/^decisions-\d{4}-\d\d-\d\d\.csv$/);
		const rows = parse<IDataObject>(Buffer.from(file!.content as ArrayBuffer), {
			columns: true,
			bom: true,
		});
		expect(rows.map(({ outcome }) => outcome)).toEqual(['allow', 'block', 'not screened']);
		expect(JSON.parse(String(rows[1]!.evidence))).toMatchObject({ version: 1 });
	});
}
