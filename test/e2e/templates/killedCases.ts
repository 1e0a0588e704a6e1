import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { until } from '../../../tools/host/until';
import { numbersFrom, seed } from '../../support/data/random';
import { sanctionedAddress } from '../../support/templates/templateAddresses';
import { requester } from '../../support/templates/approval';
import {
	chooseAnswer,
	confirmation,
	openCase,
	publishCaseForm,
	answerDetails,
} from '../../support/templates/caseForms';
import { table } from '../../support/templates/dataTable';
import { timeoutMs, printFigures, killCount, killsInName } from '../../support/templates/kills';
import {
	decisionOnDraft,
	keepDraft,
	openDraft,
	openPolicyForm,
	previewPolicy,
	publishPolicyForms,
} from '../../support/templates/policyForms';
import { stage, untilQuiet } from '../../support/templates/stage';
import { callWorkflow } from '../../support/templates/workflowCalls';
import { publishCaseWorkflows } from '../../support/templates/caseWorkflows';
import { pastTime } from '../../support/templates/times';
import { yearlySchedule } from '../../support/templates/schedules';
import { type FormPage, type Person } from '../../support/browser/person';
import { invitePerson } from '../../support/templates/people';

const emails = ['kill-ann@example.com', 'kill-ben@example.com'];
/** Ann answers cases and writes policies; Ben confirms and publishes. */
type People = readonly [ann: Person, ben: Person];
const logInPeople = async () =>
	(await Promise.all(emails.map(invitePerson))) as [ann: Person, ben: Person];

const cases = table('Screening Cases');
const results = table('Screening Results');
const payments = table('Screening Payments');
const policies = table('Screening Policies');
const journal = table('Screening Journal');

const caseOf = async (reference: string) =>
	(await cases.rows<IDataObject>()).find((row) => row.reference === reference)!;
const statusOf = async (reference: string) =>
	(await payments.rows<IDataObject>()).find((row) => row.reference === reference)!.status;
const policyInForce = async () =>
	(await policies.rows<IDataObject>()).filter(({ policy }) => policy).at(-1)!;

/** Writes a case that waits for its first answer, of a payment that is stopped. */
async function writeCase(reference: string): Promise<void> {
	const payment = {
		reference,
		address: sanctionedAddress,
		amount: '1 ETH',
		requested_by: requester,
	};
	await payments.insert({ ...payment, status: 'sanctions: stopped' });
	await cases.insert({
		...payment,
		case_key: `${reference}|${sanctionedAddress.toLowerCase()}`,
		status: 'open',
		report_id: 'rep_1',
		summary: 'Block: sanctions is 0.9',
		door: 'payment',
		hit: '{}',
		opened_at: pastTime,
		report_until: pastTime,
		filed_at: pastTime,
		frozen_at: pastTime,
		ticket: 'T-0',
	});
}

/** The page on which a person enters the details of a false positive. */
const openDetails = async (person: Person, reference: string) =>
	await chooseAnswer(await openCase(person, (await caseOf(reference)).id), 'False positive');
const openConfirmation = async (person: Person, reference: string) =>
	await openCase(person, (await caseOf(reference)).id);

/** Writes a draft of the next version. @returns its row */
async function writeDraft(person: Person): Promise<IDataObject> {
	const { version } = await policyInForce();
	const rules = `sanctions is not 0: block\nscore is ${2 + Number(version)}: block`;
	const form = await openPolicyForm(person);
	await keepDraft(await previewPolicy(form, { rules, reason: `After ${String(version)}` }));
	return (await policies.rows<IDataObject>()).at(-1)!;
}

/** What people have open when n8n dies. */
interface OpenPages {
	readonly answer: FormPage;
	readonly confirmation: FormPage;
	readonly publication: FormPage;
}

/**
 * Sends all pages and screens hits, and kills n8n meanwhile: half of the times soon, half as soon
 * as a case is opened.
 *
 * @param round makes the references of the hits
 */
async function killMeanwhile(
	pages: OpenPages,
	screening: Saved<Workflow>,
	round: number,
	random: () => number,
): Promise<void> {
	const before = (await cases.rows()).length;
	const hits = [0, 1, 2].map((number) => ({
		reference: `H-${round}-${number}`,
		address: sanctionedAddress,
		door: 'check',
	}));
	const sent = Promise.allSettled([
		pages.answer.post(answerDetails['False positive']),
		pages.confirmation.post(confirmation()),
		pages.publication.post(decisionOnDraft('Publish it')),
		callWorkflow(screening, hits),
	]);
	if (random() < 0.5) await sleep(random() * 1500);
	else {
		const isOpened = async () => (await cases.rows()).length > before || undefined;
		await until('a case', isOpened, { pauseMs: 1, timeoutMs });
	}
	await sleep(random() * 300);
	await stage.killAndRestart();
	await sent;
}

/** Lets Ann answer the case again if her answer did not count. @returns whether it had counted */
async function finishAnswer([ann]: People, reference: string): Promise<boolean> {
	const isAnswered = (await caseOf(reference)).status === 'answered';
	if (!isAnswered) await (await openDetails(ann, reference)).send(answerDetails['False positive']);
	expect(await caseOf(reference)).toMatchObject({ status: 'answered', answer_by: ann.email });
	expect(await statusOf(reference)).toBe('sanctions: stopped');
	return isAnswered;
}

/**
 * Lets Ben confirm the answer again if that did not count, and 15 minutes pass.
 *
 * @returns whether it had counted
 */
async function finishConfirmation(
	[ann, ben]: People,
	reference: string,
	giveBack: Saved<Workflow>,
): Promise<boolean> {
	const isClosed = (await caseOf(reference)).status === 'false positive';
	if (!isClosed) await (await openConfirmation(ben, reference)).send(confirmation());
	await stage.runFrom(giveBack, 'Every 15 Minutes');
	expect(await caseOf(reference)).toMatchObject({
		status: 'false positive',
		answer_by: ann.email,
		confirmed_by: ben.email,
	});
	expect(await statusOf(reference)).toBe('needs 2 people');
	return isClosed;
}

/** Lets Ben publish the draft again if that did not count. @returns whether it had counted */
async function finishPublication([, ben]: People, draft: IDataObject): Promise<boolean> {
	const isPublished = (await policyInForce()).id === draft.id;
	if (!isPublished) await (await openDraft(ben, draft)).send(decisionOnDraft('Publish it'));
	expect(await policyInForce()).toMatchObject({ id: draft.id, version: draft.version });
	return isPublished;
}

/** Lets the hour pass after which hits without a case are handed over again. */
async function handOverAgain(handOver: Saved<Workflow>): Promise<void> {
	await results.setAll({ case_due_at: pastTime }, [
		{ columnName: 'case_due_at', condition: 'gt', value: pastTime },
	]);
	await stage.runFrom(handOver, 'Every 15 Minutes').catch(() => undefined);
	await untilQuiet(timeoutMs);
}

/**
 * Expects that each hit has one case, with which the systems of the team did one thing each, and
 * that the people had a mail on it. A kill may repeat the mail.
 */
async function expectOneCaseEach(): Promise<void> {
	const hits = (await results.rows<IDataObject>()).filter(({ sanctions }) => sanctions);
	const opened = (await cases.rows<IDataObject>()).filter(({ reference }) =>
		`${reference}`.startsWith('H-'),
	);
	expect(opened.map(({ reference }) => reference).sort()).toEqual(
		hits.map(({ reference }) => reference).sort(),
	);
	for (const row of hits) expect(row).toMatchObject({ case_due_at: null, has_case: true });
	for (const row of opened)
		expect(row).toMatchObject({
			status: 'open',
			report_until: expect.any(String),
			filed_at: expect.any(String),
			frozen_at: expect.any(String),
			ticket: expect.stringMatching(/^T-/),
		});
	for (const [path, what] of [
		['/freeze', 'freeze'],
		['/tickets', 'ticket'],
	] as const) {
		const keys = stage.team.carriedOut(path).map(({ key }) => key);
		const expected = opened.map(({ case_key }) => `${what} ${String(case_key)}`);
		expect(keys.sort()).toEqual(expected.sort());
	}
	const subjects = stage.mail.letters.map(({ subject }) => String(subject));
	for (const { reference } of opened)
		expect(subjects).toContainEqual(expect.stringContaining(`${String(reference)}, sanctions`));
}

/** Expects that each version came into force once, on top of the one before it. */
async function expectOneVersionEach(): Promise<void> {
	const published = (await policies.rows<IDataObject>()).filter(({ policy }) => policy);
	expect(published.map(({ version }) => Number(version))).toEqual(published.map((_, n) => n + 1));
	expect(published.slice(0, -1).map(({ replaced_by }) => replaced_by)).toEqual(
		published.slice(1).map(({ id }) => id),
	);
}

/** Expects that the journal has each answer that counts. */
async function expectAnswersInJournal(): Promise<void> {
	const rows = await journal.rows<IDataObject>();
	const count = (answer: string) => rows.filter((row) => row.answer === answer).length;
	expect(count('False positive')).toBeGreaterThanOrEqual(killCount + 1);
	expect(count('Confirm it')).toBeGreaterThanOrEqual(killCount);
}

/** n8n dies while hits get their cases, two people work on cases, and a policy is published. */
export function killedCaseTests(): void {
	test(`each hit has one case, each case one end, each policy one version, ${killsInName}`, async () => {
		const random = numbersFrom(seed);
		const workflows = await publishCaseWorkflows();
		const giveBack = await stage.publishTemplate('approve-give-back', {
			'Every 15 Minutes': yearlySchedule,
		});
		await publishCaseForm();
		await publishPolicyForms();
		let people = await logInPeople();
		await table('Screening Approvers').insert(...emails.map((email) => ({ email })));
		for (const rows of [cases, results, payments, journal]) await rows.clear();

		const counted = { answers: 0, confirmations: 0, publications: 0 };
		await writeCase('C-0');
		await (await openDetails(people[0], 'C-0')).send(answerDetails['False positive']);
		for (let round = 0; round < killCount; round++) {
			// In each round one case is answered, and the one of the round before is confirmed.
			const [answered, unanswered] = [`C-${round}`, `C-${round + 1}`];
			await writeCase(unanswered);
			const draft = await writeDraft(people[0]);
			const pages = {
				answer: await openDetails(people[0], unanswered),
				confirmation: await openConfirmation(people[1], answered),
				publication: await openDraft(people[1], draft),
			};
			await killMeanwhile(pages, workflows['our-screening'], round, random);
			people = await logInPeople();
			if (await finishAnswer(people, unanswered)) counted.answers++;
			if (await finishConfirmation(people, answered, giveBack)) counted.confirmations++;
			if (await finishPublication(people, draft)) counted.publications++;
			await handOverAgain(workflows['sanctions-hand-over']);
		}
		for (const _ of [1, 2]) {
			await cases.setAll({
				freeze_due_at: pastTime,
				ticket_due_at: pastTime,
				file_after: pastTime,
			});
			await stage.runFrom(workflows['sanctions-hit'], 'Every 15 Minutes');
			await untilQuiet(timeoutMs);
		}

		printFigures(counted);
		await expectOneCaseEach();
		await expectOneVersionEach();
		await expectAnswersInJournal();
	});
}
