import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../host/instance';
import { pdfOf } from '../../../sandbox/pdf';
import { reportOn } from '../../../sandbox/reports';
import { sanctionedAddresses } from '../../../sandbox/sanctions';
import template from '../../../templates/sanctions-hit.json';
import { screening, start, workflowOf } from '../../support/workflows';
import { greenAddress } from './addresses';
import { type DataTable, dataTable, makeTables } from './dataTable';
import { invitePerson, type Person, postForm } from './person';
import { never, postTo, type Stage, untilQuiet } from './stage';
import { startTeamSystem, type TeamSystem } from './teamSystem';

const hitPath = 'sanctions-hit';
const formPath = 'answer-sanctions-case';
const past = '2026-01-01T00:00:00.000Z';
const sanctioned = sanctionedAddresses
	.filter(({ asset }) => asset === 'ETH')
	.map(({ address }) => address);

/** Imports the workflow, makes its tables, and connects it to the team's systems. */
async function importCases(stage: Stage, team: TeamSystem) {
	const { parameters } = template.nodes.find(({ name }) => name === 'Name the Files')!;
	const assignments = parameters.assignments!.assignments.map((one) =>
		one.name === 'folder' ? { ...one, value: stage.filesFolder } : one,
	);
	const workflow = await stage.importTemplate(template, {
		'When a System Reports a Hit': { webhookId: hitPath },
		'When Somebody Answers': { webhookId: formPath },
		'Freeze the Account': { parameters: { url: `${team.url}/freeze` } },
		'Open a Ticket': { parameters: { url: `${team.url}/tickets` } },
		'Name the Files': { parameters: { assignments: { assignments } } },
		'Every 15 Minutes': { parameters: never },
	});
	const made = await makeTables(stage, workflow);
	return {
		workflow,
		cases: made('Make the Table of Cases'),
		approvers: made('Make the Table of Approvers'),
		log: made('Make the Log'),
	};
}

/** The workflow that makes a case of a sanctions hit. */
export function sanctionsTests(stageOf: () => Stage): void {
	let stage: Stage;
	let team: TeamSystem;
	let workflow: Saved<Workflow>;
	let cases: DataTable;
	let log: DataTable;
	let ann: Person;
	let ben: Person;
	let zoe: Person;

	beforeAll(async () => {
		stage = stageOf();
		team = await startTeamSystem(stage.callerHeader);
		const imported = await importCases(stage, team);
		workflow = imported.workflow;
		cases = dataTable(stage.rest, imported.cases);
		log = dataTable(stage.rest, imported.log);
		const invite = async (name: string) => await invitePerson(stage, `${name}@cases.example.com`);
		[ann, ben, zoe] = [await invite('ann'), await invite('ben'), await invite('zoe')];
		const approvers = dataTable(stage.rest, imported.approvers);
		await approvers.insert(...[ann, ben].map(({ email }) => ({ email })));
		await stage.n8n.publishWorkflow(workflow);
	});
	afterAll(async () => {
		await stage.n8n.unpublishWorkflow(workflow);
		await team.close();
	});
	beforeEach(async () => {
		await cases.clear();
		await log.clear();
		team.requests.length = 0;
		team.down.clear();
		const files = await readdir(stage.filesFolder);
		await Promise.all(files.map(async (file) => await rm(join(stage.filesFolder, file))));
	});

	/** A hit as a workflow that screens and decides hands it over. */
	const decide = async (address: string) => {
		const screen = screening(stage.service, {
			...{ address, chain: 'ETH', addDecision: true, addEvidence: true },
			decisionRules: {
				rules: [{ field: 'sanctions', operator: 'gte', value: '0.5', outcome: 'block' }],
			},
		});
		const run = await stage.n8n.runWorkflow(
			await stage.n8n.saveWorkflow(workflowOf('Decide', start, screen)),
		);
		return itemsOf(run, screen.name)[0]!.json;
	};
	const quiet = async () => await untilQuiet(stage, workflow);
	const post = async (hit: unknown, headers?: Record<string, string>) =>
		await postTo(stage, hitPath, hit, headers);
	const rows = async () =>
		(await cases.rows<IDataObject>()).filter(({ status }) => status !== 'repeated');
	/** Reports the hit of another address, and gives its case once n8n is done. */
	let used = 0;
	const open = async () => {
		const hit = await decide(sanctioned[used++ % sanctioned.length]!);
		const answer = await post({ ...hit, payment_id: 'P-7' });
		await quiet();
		return { hit, status: answer.status, row: (await rows())[0]!, id: String(hit.report_id) };
	};
	const tick = async () => await stage.runFrom(workflow, 'Every 15 Minutes');
	const answer = async (person: Person, id: string, what = 'Confirmed', reason = 'Same name') =>
		(await person.sendForm(formPath, [id, what, reason])).page;
	const asked = (path: string) => team.requests.filter((one) => one.path === path).length;
	const said = () => JSON.stringify(stage.slack.messages);

	test('a hit is frozen, has a ticket, is filed with its evidence, and two persons are asked', async () => {
		const { hit, status, row, id } = await open();
		expect(status).toBe(202);
		expect(team.requests).toMatchObject([
			{ path: '/freeze', key: id, body: { case_id: id, address: hit.address, reference: 'P-7' } },
			{ path: '/tickets', key: id, body: { address: hit.address, report_url: hit.report_url } },
		]);
		expect(row).toMatchObject({
			...{ case_id: id, status: 'open', reference: 'P-7', reminders: 1 },
			...{ frozen_at: expect.any(String), filed_at: expect.any(String) },
			ticket: expect.stringMatching(/^T-\d/),
		});
		const pdf = await readFile(join(stage.filesFolder, `sanctions_${id}.pdf`));
		const report = reportOn(String(hit.address), 'ETH', stage.sandbox.baseUrl);
		expect(pdf.equals(await pdfOf({ ...report, report_id: id }))).toBe(true);
		const evidence = JSON.parse(
			await readFile(join(stage.filesFolder, `sanctions_${id}.json`), 'utf8'),
		) as IDataObject;
		const { payment_id: _, ...filed } = evidence;
		expect(filed).toEqual(hit);
		expect(stage.slack.refused).toEqual([]);
		expect(stage.slack.messages).toHaveLength(1);
		for (const known of [id, String(hit.address), 'frozen', 'T-']) expect(said()).toContain(known);
		expect(stage.mail.letters[0]?.subject).toBe('Sanctions hit: frozen');
	});

	test('one person twice closes no case; a second one does, and all of it is recorded', async () => {
		const { id } = await open();
		const attempts: Array<[attempt: () => Promise<string>, why: string]> = [
			[() => answer(zoe, id), 'You are not on the list of approvers.'],
			[() => answer(ann, id, 'Confirmed', ' '), 'Enter a reason.'],
			[() => answer(ann, id, 'Perhaps'), 'Choose an answer.'],
			[() => answer(ann, 'another'), 'No case has this ID.'],
		];
		for (const [attempt, why] of attempts) {
			expect(await attempt()).toContain(`Nothing changed. ${why}`);
		}
		expect(await answer(ann, id)).toContain('A second person must confirm');
		for (let again = 0; again < 2; again++) {
			for (const what of ['Confirmed', 'False positive']) {
				const why = 'You assessed it. Another person must.';
				expect(await answer(ann, id, what)).toContain(`Nothing changed. ${why}`);
			}
		}
		expect(await rows()).toMatchObject([{ status: 'assessed', assessed_by: ann.email }]);
		expect(await answer(ben, id)).toContain('Closed as confirmed by');
		expect(await rows()).toMatchObject([
			{ status: 'confirmed', assessed_by: ann.email, confirmed_by: ben.email },
		]);
		expect(await answer(ann, id, 'False positive')).toContain(
			'Nothing changed. The case is closed as confirmed.',
		);
		expect(await log.rows()).toHaveLength(11);
		expect(asked('/freeze')).toBe(1);
	});

	test('the head of the team hears of two persons who go on disagreeing', async () => {
		const { id } = await open();
		await answer(ann, id, 'Confirmed');
		await tick();
		await cases.setAll({ opened_at: past });
		const answers: Array<[Person, string]> = [
			[ben, 'False positive'],
			[ann, 'Confirmed'],
			[ben, 'False positive'],
		];
		for (const [person, what] of answers) {
			expect(await answer(person, id, what)).toContain('A second person must confirm');
			stage.clear();
			await tick();
			const [letter] = stage.mail.letters;
			expect(letter?.to?.map(({ address }) => address)).toEqual([
				...['head-of-compliance@example.com', 'compliance@example.com'],
			]);
			expect(letter?.subject).toBe('Sanctions hit, past its deadline: frozen');
			expect(letter?.text).toContain(`Assessed by: ${person.email}: ${what}`);
		}
	});

	test('who disagrees while a message is on its way is asked about like everybody else', async () => {
		const { id } = await open();
		await answer(ann, id, 'Confirmed');
		stage.clear();
		stage.slack.meanwhile = async () => await answer(ben, id, 'False positive');
		await tick();
		expect(said()).toContain(`Assessed by: ${ann.email}: Confirmed`);
		expect(await rows()).toMatchObject([{ status: 'assessed', assessed_by: ben.email }]);
		stage.clear();
		await tick();
		expect(said()).toContain(`Assessed by: ${ben.email}: False positive`);
	});

	test('a person who disagrees is the new first person, and somebody else must confirm', async () => {
		const { id } = await open();
		await answer(ann, id, 'Confirmed');
		expect(await answer(ben, id, 'False positive')).toContain('A second person must confirm');
		expect(await answer(ben, id, 'False positive')).toContain('Nothing changed');
		expect(await answer(ann, id, 'False positive')).toContain('Closed as false positive');
	});

	test('answers at the same moment close a case by two persons or by none', async () => {
		const url = `${stage.n8n.url}/form/${formPath}`;
		const [first, second] = [await ann.openForm(formPath), await ben.openForm(formPath)];
		const { id } = await open();
		const send = async (token: string) =>
			await postForm(url, [id, 'Confirmed', 'now'], { 'x-auth-token': token });
		await Promise.all(Array.from({ length: 10 }, async () => await send(first)));
		await quiet();
		expect(await rows()).toMatchObject([{ status: 'assessed', assessed_by: ann.email }]);
		await Promise.all(Array.from({ length: 10 }, async () => await send(second)));
		await quiet();
		expect(await rows()).toMatchObject([{ status: 'confirmed', confirmed_by: ben.email }]);
		expect((await postForm(url, [id, 'Confirmed', 'forged'])).status).toBe(401);
	});

	test('Slack and e-mail name a freeze that fails, n8n tries it until it succeeds, and the rest goes on', async () => {
		team.down.add('/freeze');
		const { id, row } = await open();
		expect(row).toMatchObject({ frozen_at: null, ticket: expect.stringMatching(/^T-/) });
		expect(row.filed_at).toEqual(expect.any(String));
		expect(said()).toContain(`NOT FROZEN: case ${id}`);
		expect(said()).toContain('Sanctions hit: NOT FROZEN');
		expect(stage.mail.letters.map(({ subject }) => subject)).toEqual([
			`Sanctions case ${id}: NOT FROZEN`,
			'Sanctions hit: NOT FROZEN',
		]);
		for (let again = 0; again < 2; again++) {
			stage.clear();
			await tick();
			expect(said()).toContain(`NOT FROZEN: case ${id}`);
		}
		// Two persons who confirm it do not end the tries.
		await answer(ann, id);
		expect(await answer(ben, id)).toContain('Frozen: NO');
		team.down.clear();
		await Promise.all([tick(), tick()]);
		await tick();
		expect((await rows())[0]?.frozen_at).toEqual(expect.any(String));
		expect(team.done('/freeze').filter(({ key }) => key === id)).toHaveLength(1);
		expect(team.done('/tickets').filter(({ key }) => key === id)).toHaveLength(1);
		expect(await log.rows()).toMatchObject([
			...Array(3).fill({ step: 'NOT FROZEN' }),
			...[{ person: ann.email }, { person: ben.email }],
		]);
	});

	test('a hit that two persons call false is not frozen any more', async () => {
		team.down.add('/freeze');
		const { id } = await open();
		await answer(ann, id, 'False positive');
		await answer(ben, id, 'False positive');
		team.down.clear();
		await tick();
		expect(team.done('/freeze').filter(({ key }) => key === id)).toEqual([]);
	});

	test('Slack names a ticket and a PDF that fail, and n8n does them later', async () => {
		team.down.add('/tickets');
		const noPdf = { effect: { kind: 'answer', status: 503 } as const };
		stage.sandbox.addFault({ ...noPdf, when: ({ path }) => path.endsWith('/pdf') });
		const { id, row } = await open();
		expect(row).toMatchObject({ ticket: null, filed_at: null, frozen_at: expect.any(String) });
		expect(said()).toContain(`No ticket: case ${id}`);
		expect(said()).toContain(`PDF and evidence not filed: case ${id}`);
		expect(await readdir(stage.filesFolder)).toEqual([]);
		team.down.clear();
		stage.sandbox.clearFaults();
		await tick();
		expect(await readdir(stage.filesFolder)).toHaveLength(2);
		expect((await rows())[0]).toMatchObject({
			...{ ticket: expect.stringMatching(/^T-/), filed_at: expect.any(String) },
		});
		expect(asked('/freeze')).toBe(1);
	});

	test('a case that nobody answers goes to the head of the team, every four hours', async () => {
		const { id } = await open();
		for (const reminders of [2, 3]) {
			stage.clear();
			await tick();
			expect(stage.slack.messages).toEqual([]);
			await cases.setAll({ deadline: past, opened_at: past });
			await tick();
			expect(said()).toContain('past its deadline');
			expect(stage.mail.letters[0]?.to?.[0]?.address).toBe('head-of-compliance@example.com');
			expect(await rows()).toMatchObject([{ case_id: id, reminders, status: 'open' }]);
		}
		// After one answer, n8n asks the team for the second one, then the head again.
		await answer(ann, id);
		const title = 'Sanctions hit, past its deadline: frozen';
		for (const asked of ['compliance@example.com', 'head-of-compliance@example.com']) {
			stage.clear();
			await tick();
			const [letter] = stage.mail.letters;
			expect([letter?.to?.[0]?.address, letter?.subject]).toEqual([asked, title]);
			expect(letter?.text).toContain(`Assessed by: ${ann.email}: Confirmed`);
			expect(stage.slack.messages).toMatchObject([{ text: title }]);
			await cases.setAll({ deadline: past });
		}
		await answer(ben, id);
		await cases.setAll({ deadline: past });
		stage.clear();
		await tick();
		expect(stage.slack.messages).toEqual([]);
	});

	test('without Slack and e-mail the account is frozen, and they are asked later', async () => {
		stage.slack.isDown = true;
		stage.mail.isDown = true;
		const { row } = await open();
		expect(row).toMatchObject({ frozen_at: expect.any(String), reminders: 0 });
		stage.clear();
		await tick();
		expect(stage.slack.messages).toHaveLength(1);
		expect(await rows()).toMatchObject([{ reminders: 1 }]);
	});

	test('a hit that is reported 20 times is one case', async () => {
		const hit = await decide(sanctioned[used++ % sanctioned.length]!);
		const sent = await Promise.all(Array.from({ length: 20 }, () => post(hit)));
		await quiet();
		expect(sent.filter(({ status }) => status === 202)).toHaveLength(1);
		expect(sent.filter(({ status }) => status === 200)).toHaveLength(19);
		expect(await rows()).toHaveLength(1);
		expect(team.requests.map(({ path }) => path)).toEqual(['/freeze', '/tickets']);
	});

	test('a repeat that somebody answered before it was marked is no second case', async () => {
		const { hit, id } = await open();
		await cases.insert({ case_id: id, status: 'assessed', assessed_by: ben.email });
		expect((await post(hit)).status).toBe(200);
		await quiet();
		expect(await rows()).toMatchObject([{ case_id: id, status: 'open', assessed_by: null }]);
	});

	test('an item that is no sanctions hit freezes nobody, and Slack names it', async () => {
		const green = await decide(greenAddress);
		const hit = await decide(sanctioned[0]!);
		for (const no of [green, {}, [hit], { ...hit, report_id: 'a b' }, { ...hit, decision: 1 }]) {
			expect((await post(no)).status).toBe(400);
		}
		expect((await post(hit, {})).status).toBe(403);
		await quiet();
		expect(stage.slack.messages).toHaveLength(5);
		expect([team.requests, await rows()]).toEqual([[], []]);
	});

	test('only a reason that blocks because of sanctions, and is not waived, makes a hit', async () => {
		const hit = await decide(sanctioned[0]!);
		const decision = hit.decision as IDataObject;
		const [sanctions] = decision.reasons as IDataObject[];
		expect(sanctions).toMatchObject({ field: 'sanctions', outcome: 'block' });
		const mixer = { ...sanctions, field: 'mixer' };
		const waived_by = { until: '2099-12-31', reason: 'Same name', approved_by: 'ann' };
		const because = (reasons: unknown) => ({ ...hit, decision: { ...decision, reasons } });
		for (const no of [
			[mixer],
			[mixer, { ...sanctions, waived_by }],
			[mixer, { ...sanctions, outcome: 'review' }],
			[{ ...sanctions, field: 'sanctions_exposure' }],
			['sanctions'],
			[null],
			[],
			'sanctions',
			null,
		]) {
			expect([no, (await post(because(no))).status]).toEqual([no, 400]);
		}
		await quiet();
		expect([team.requests, await rows()]).toEqual([[], []]);
		expect((await post(because([mixer, sanctions]))).status).toBe(202);
		await quiet();
		expect(asked('/freeze')).toBe(1);
	});

	test('another workflow hands its hits over', async () => {
		const screen = screening(stage.service, {
			...{ address: '={{ $json.address }}', addDecision: true, addEvidence: true },
			decisionRules: {
				rules: [{ field: 'sanctions', operator: 'gte', value: '0.5', outcome: 'block' }],
			},
		});
		const caller = workflowOf('Caller', start, screen, {
			...{ name: 'Open Cases', type: 'n8n-nodes-base.executeWorkflow', typeVersion: 1.2 },
			parameters: { workflowId: { __rl: true, mode: 'id', value: workflow.id }, options: {} },
		});
		const addresses = [sanctioned[1]!, sanctioned[2]!];
		const pinData = { [start.name]: addresses.map((address) => ({ json: { address } })) };
		const run = await stage.n8n.runWorkflow(await stage.n8n.saveWorkflow({ ...caller, pinData }));
		expect(run.data.resultData.error?.message).toBeUndefined();
		expect(await rows()).toHaveLength(2);
		expect([asked('/freeze'), asked('/tickets')]).toEqual([2, 2]);
		expect(await readdir(stage.filesFolder)).toHaveLength(4);
	});
}
