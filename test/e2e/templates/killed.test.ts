import { createHash } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { IDataObject } from 'n8n-workflow';
import { until } from '../../../tools/host/until';
import type { FaultEffect } from '../../../sandbox/faults';
import { numbersFrom, seed } from '../../support/random';
import {
	blockedAddress,
	greenAddress,
	greenAddresses,
	notGreenAddress,
	sanctionedAddress,
} from './addresses';
import {
	type Payment,
	paymentPath,
	type PaymentRow,
	publishApproval,
	requester,
	secondPage,
} from './approval';
import { passMinute, publishCallbacks, releasedRow, wayToRelease } from './callbacks';
import { table } from './dataTable';
import { startExplorers } from './explorers';
import { callWorkflow, publishCases, setUp } from './foundation';
import { hoursAgo, jobsOf, letGoOn, type Row } from './longList';
import { startPaymentSystem } from './paymentSystem';
import { type FormPage, invitePerson, logInPerson, type Person, postForm } from './person';
import { yearlySchedule, pastTime, postTo, stage, untilQuiet } from './stage';
import { publishWatch } from './watch';

/** How often each test kills n8n; 20 is what the workflows are meant to survive. */
const kills = Number(process.env.KILLS ?? 1);
const limit = 300_000 + kills * 300_000;
jest.setTimeout(3 * limit);
/** Runs overlap: one may last longer than the time to the next. */
const often = { parameters: { rule: { interval: [{ field: 'seconds', secondsInterval: 5 }] } } };
const howOften = `with ${kills} kills (TEST_SEED=${seed})`;

const addressOf = (number: number) =>
	`0x${createHash('sha256').update(`kill ${number}`).digest('hex').slice(0, 40)}`;

let random = numbersFrom(seed);
/** Each test kills at the same moments again, whichever tests run before it. */
beforeEach(() => void (random = numbersFrom(seed)));
const anyOf = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)]!;

beforeAll(async () => await setUp('e2e-templates-killed'));
afterAll(async () => await stage?.close());
beforeEach(() => stage.clear());
afterEach(() => stage.withdrawAll());

test(`each payment is released exactly as often as it was approved, ${howOften}`, async () => {
	const parts = await publishApproval();
	const emails = ['ann@example.com', 'ben@example.com'];
	let people = await Promise.all(emails.map(async (email) => await invitePerson(email)));
	await table('Screening Approvers').insert(...emails.map((email) => ({ email })));
	const payments = table('Screening Payments');
	const rows = async () => await payments.rows<PaymentRow>();
	const tick = async () => {
		await payments.setAll({ due_at: pastTime });
		await stage.runFrom(parts.release, 'Every 15 Minutes');
		await untilQuiet();
	};
	const some = (round: number, what: string): Payment[] =>
		[greenAddress, notGreenAddress, blockedAddress].flatMap((address, index) =>
			[0, 1].map((n) => ({
				payment_id: `R${round}-${what}-${index}${n}`,
				address,
				chain: 'ETH',
				amount: '1 ETH',
				requested_by: requester,
			})),
		);

	/** Who was ever sent as an approver of a payment, answered or not. */
	const sent = new Map<string, Set<string>>();
	const all: Payment[] = [];
	for (let round = 0; round < kills; round++) {
		const [before, during] = [some(round, 'before'), some(round, 'during')];
		all.push(...before, ...during);
		await Promise.all(before.map(async (payment) => await postTo(paymentPath, payment)));
		await untilQuiet();
		// The last of each kind has one answer only.
		const answers = before
			.filter(({ address }) => address !== greenAddress)
			.flatMap(({ payment_id }, index) =>
				people.slice(0, index % 2 === 0 ? 2 : 1).map((person) => ({ person, payment_id })),
			);
		const pages = await Promise.all(
			answers.map(async ({ person, payment_id }) => {
				sent.set(payment_id, (sent.get(payment_id) ?? new Set()).add(person.email));
				return await secondPage(person, payment_id);
			}),
		);

		// n8n dies while a payment is being released: the money is on its way, and n8n does not know.
		const killAt = 1 + Math.floor(random() * 3);
		let releases = 0;
		const killed = new Promise<void>((resolve, reject) => {
			stage.team.onRequest = async () => {
				if (++releases !== killAt) return;
				stage.team.onRequest = () => {};
				await stage.killAndRestart().then(resolve, reject);
			};
		});
		await Promise.allSettled([
			...during.map(async (payment) => await postTo(paymentPath, payment)),
			...pages.map(async ({ url, token }) => {
				await postForm(url, [undefined, 'Release', 'storm'], { 'x-auth-token': token! });
			}),
		]);
		await killed;
		const logins = emails.map((email) => ({ email, password: 'Screening-1' }));
		people = await Promise.all(logins.map(async (one) => await logInPerson(stage.n8n.url, one)));
		await tick();
		await tick();
	}

	const counts: Record<string, number> = {};
	const wrong = (await rows()).filter(({ reference, address, status, ...row }) => {
		const name = String(status);
		counts[name] = (counts[name] ?? 0) + 1;
		const done = stage.team.done('/release').filter(({ key }) => key === reference).length;
		const isKnown = ['needs 1 person', 'needs 2 people', 'released', 'null'].includes(name);
		if (!isKnown || done !== (name === 'released' ? 1 : 0)) return true;
		if (done === 0) return false;
		const approvers = [...(sent.get(reference) ?? [])];
		const [first, last] = [String(row.first_by), String(row.decided_by)];
		if (address === greenAddress) return last !== 'policy';
		if (address === notGreenAddress) return !approvers.includes(last);
		return first === last || !approvers.includes(first) || !approvers.includes(last);
	});
	if (process.env.KILLS) console.log({ kills, payments: all.length, ...counts });
	expect(wrong).toEqual([]);
	const references = (await rows()).map(({ reference }) => reference);
	expect(new Set(references).size).toBe(references.length);
	// What n8n had taken before it died is still there, and what the policy allows is released.
	const before = all.filter(({ payment_id }) => payment_id.includes('before'));
	expect(references).toEqual(expect.arrayContaining(before.map((one) => one.payment_id)));
	const done = stage.team.done('/release').map(({ key }) => key);
	const allowed = before.filter(({ address }) => address === greenAddress);
	expect(done).toEqual(expect.arrayContaining(allowed.map((one) => one.payment_id)));
});

test(`a long list is submitted once, and nothing of it is lost, ${howOften}`, async () => {
	await stage.publishTemplate('long-list-results', {
		'Every Minute': often,
		'Hand Over': { disabled: true },
	});
	const submit = await stage.publishTemplate('screen-a-long-list', {
		'Every Minute': often,
		'Rows to Submit': { parameters: { limit: 10 } },
		'When a Person Answers': { webhookId: 'rows-in-doubt' },
	});
	const effect: FaultEffect = { kind: 'delay', ms: 100 };
	stage.sandbox.addFault({ when: ({ method }) => method === 'POST', effect });
	const list = table('Screening List');
	const rows = async () => await list.rows<Row>();
	const isDone = ({ state }: Row) => state === 'done';
	const countOf = async (wanted: string) =>
		(await rows()).filter(({ state }) => state === wanted).length;
	const { requests } = stage.sandbox;
	const count = (method: string) => requests.filter((one) => one.method === method).length;
	/** Waits for more, or until nothing is left to do: what lasts a moment may go unseen. */
	const grows = async (what: string, look: () => number | Promise<number>) => {
		const before = await look();
		const seen = async () => (await look()) > before || (await rows()).every(isDone) || undefined;
		await until(what, seen, { pause: 1, patience: 300_000 });
	};
	/** When to kill: what happens in a run, in its order, and any time. */
	const moments: Array<() => Promise<unknown>> = [
		() => grows('a claim', () => countOf('submitting')),
		() => grows('a submit', () => count('POST')),
		() => grows('a job', () => jobsOf(stage.sandbox).length),
		() => grows('a noted job', () => countOf('submitted')),
		() => grows('a look', () => count('GET')),
		() => grows('a message', () => stage.slack.messages.length),
		() => grows('a result', () => countOf('done')),
		async () => await sleep(random() * 5000),
	];
	const submitted = () => jobsOf(stage.sandbox).flatMap(({ addresses }) => addresses);

	const inDoubt: string[] = [];
	/** Three hours pass for what the killed n8n left, and a person answers for what is then in doubt. */
	const settle = async (killedAt: string) => {
		await list.setAll({ claimed_at: hoursAgo(4) }, [
			{ columnName: 'state', condition: 'eq', value: 'submitting' },
			{ columnName: 'claimed_at', condition: 'lte', value: killedAt },
		]);
		const left = (row: Row) => row.state === 'submitting' && row.claimed_at! <= killedAt;
		await until('what is in doubt', async () => !(await rows()).some(left) || undefined, {
			patience: 300_000,
		});
		const doubtful = (await rows()).filter(({ state }) => state === 'in doubt');
		if (doubtful.length === 0) return;
		inDoubt.push(...doubtful.map(({ address }) => address));
		const person: Person = await logInPerson(stage.n8n.url, stage.n8n.login);
		for (const batch of new Set(doubtful.map((row) => row.batch!))) {
			const of = doubtful.filter((row) => row.batch === batch).map(({ address }) => address);
			const job = jobsOf(stage.sandbox).find(({ addresses }) => addresses.includes(of[0]!));
			expect(await letGoOn(person, batch, job?.job_id ?? '')).toBe(of.length);
		}
	};

	for (let kill = 0; kill < kills; kill++) {
		const wallets = Array.from({ length: 20 }, (_, n) => addressOf(kill * 20 + n));
		await list.insert(...wallets.map((address) => ({ address })));
		// The first kill is at the spot that matters, whatever the seed.
		await (kill === 0 ? moments[1]! : anyOf(moments))();
		await sleep(random() * 40);
		const killedAt = new Date().toISOString();
		await stage.killAndRestart();
		await settle(killedAt);
	}
	await until('all rows to be done', async () => (await rows()).every(isDone) || undefined, {
		patience: limit,
		pause: 500,
	});
	const executions = await stage.n8n.executionsOf(submit);
	// A person may click "Retry" of what was running when n8n died.
	const crashed = executions.filter(({ status }) => status === 'crashed');
	for (const { id } of crashed)
		await stage.n8n.finishedExecution(await stage.n8n.retryExecution(id));
	const figures = { kills, jobs: jobsOf(stage.sandbox).length, inDoubt: inDoubt.length };
	if (process.env.KILLS) console.log({ ...figures, crashed: crashed.length });
	const all = await rows();
	expect(all).toHaveLength(20 * kills);
	expect(all.filter(({ report_id }) => !report_id)).toEqual([]);
	expect(submitted().sort()).toEqual(all.map(({ address }) => address).sort());
	const said = JSON.stringify(stage.slack.messages);
	for (const address of inDoubt) expect(said).toContain(address);
});

test(`each payment to a watched address is stored once, screened and told, ${howOften}`, async () => {
	const net = await startExplorers();
	await publishWatch('bitcoin', { explorer: net.esplora }, often);
	await stage.publishTemplate('watch-screen', { 'Every Ten Minutes': often });
	const wallet = '17SkEw2md5avVNyYgj6RiXuQKNwkXaxFyQ';
	await table('Screening Watch').insert({ wallet, network: 'bitcoin' });
	const received = table('Screening Received');
	const rows = async () => await received.rows<{ reference: string; outcome: string | null }>();
	for (let kill = 0; kill < kills; kill++) {
		for (let n = 0; n < 10; n++) {
			const address = n % 2 ? greenAddresses[n]! : sanctionedAddress;
			net.explorers.bitcoin.push({
				txid: createHash('sha256').update(`${kill} ${n}`).digest('hex'),
				inputs: [{ address, value: 2 }],
				outputs: [{ address: wallet, value: 1 }],
			});
		}
		const asked = net.explorers.requests.length;
		await until('a look', async () => net.explorers.requests.length > asked || undefined);
		await sleep(random() * 3000);
		await stage.killAndRestart();
	}
	const isTold = () => {
		const said = JSON.stringify(stage.slack.messages);
		return net.explorers.bitcoin.every(
			({ txid, inputs }) => inputs[0]!.address !== sanctionedAddress || said.includes(txid),
		);
	};
	await until(
		'all to be told',
		async () => {
			// What a killed run was about to say comes again after 15 minutes.
			const isNow = { columnName: 'tell_at', condition: 'gt', value: pastTime } as const;
			await received.setAll({ tell_at: pastTime }, [isNow]);
			const all = await rows();
			const isAll = all.length >= 10 * kills && all.every(({ outcome }) => outcome);
			return (isAll && isTold()) || undefined;
		},
		{ patience: limit, pause: 2000 },
	);
	const stored = (await rows()).map(({ reference }) => reference);
	expect(stored.sort()).toEqual(net.explorers.bitcoin.map(({ txid }) => txid).sort());
	await net.close();
});

/** What is killed at once: hits that get their cases, two people at a case, and a policy that is published. */
test(`each hit has one case, each case one end, each policy one version, ${howOften}`, async () => {
	const { 'sanctions-hit': hit, 'sanctions-hand-over': handOver, ...others } = await publishCases();
	const giveBack = await stage.publishTemplate('approve-give-back', {
		'Every 15 Minutes': yearlySchedule,
	});
	await stage.publishTemplate('answer-a-case-record');
	for (const [file, path] of [
		['answer-a-case', 'answer-a-case'],
		['change-the-policy', 'screening-policy'],
		['publish-a-policy', 'publish-a-policy'],
	] as const)
		await stage.publishTemplate(file, { 'When a Person Opens the Page': { webhookId: path } });
	const emails = ['kill-ann@example.com', 'kill-ben@example.com'];
	let people = await Promise.all(emails.map(async (email) => await invitePerson(email)));
	await table('Screening Approvers').insert(...emails.map((email) => ({ email })));
	const [cases, results, payments] = [
		table('Screening Cases'),
		table('Screening Results'),
		table('Screening Payments'),
	];
	const [policies, journal] = [table('Screening Policies'), table('Screening Journal')];
	await Promise.all([cases, results, payments, journal].map(async (one) => await one.clear()));
	const rowsOf = async (one: typeof cases) => await one.rows<IDataObject>();
	const caseOf = async (reference: string) =>
		(await rowsOf(cases)).find((row) => row.reference === reference)!;
	const statusOf = async (reference: string) =>
		(await rowsOf(payments)).find((row) => row.reference === reference)!.status;
	const inForce = async () => (await rowsOf(policies)).filter(({ policy }) => policy).at(-1)!;

	/** A case that waits for its first answer, of a payment that is stopped. */
	const openCase = async (reference: string) => {
		const one = { reference, address: sanctionedAddress, amount: '1 ETH', requested_by: requester };
		await payments.insert({ ...one, status: 'sanctions: stopped' });
		await cases.insert({
			...one,
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
	};
	const show = async (person: Person, reference: string) => {
		const id = String((await caseOf(reference)).id);
		return await (await person.open('answer-a-case', `case=${id}`)).send(id);
	};
	const toAnswer = async (reference: string) =>
		await (await show(people[0]!, reference)).send(undefined, 'False positive');
	const draft = async () => {
		const { version } = await inForce();
		const form = await (await people[0]!.open('screening-policy')).send(undefined);
		const rules = `sanctions is not 0: block\nscore is ${2 + Number(version)}: block`;
		const otherwise = 'Allow it if its level is green, else review it';
		const look = await form.send(undefined, rules, otherwise, '', '', '', `After ${version}`);
		await look.send(undefined, undefined, 'Send it to a second person');
		return (await rowsOf(policies)).at(-1)!;
	};
	const toPublish = async ({ id }: IDataObject) =>
		await (await people[1]!.open('publish-a-policy', `draft=${Number(id)}`)).send(String(id));

	const finished = { answered: 0, confirmed: 0, published: 0 };
	await openCase('C-0');
	await (await toAnswer('C-0')).send(undefined, 'Another wallet', 'ticket T-1');
	for (let round = 0; round < kills; round++) {
		const [old, fresh] = [`C-${round}`, `C-${round + 1}`];
		await openCase(fresh);
		const one = await draft();
		const answering = await toAnswer(fresh);
		const confirming = await show(people[1]!, old);
		const publishing = await toPublish(one);
		const send = async ({ url, token }: FormPage, ...fields: Array<string | undefined>) =>
			await postForm(url, fields, { 'x-auth-token': token! });
		const before = (await rowsOf(cases)).length;
		const asked = [0, 1, 2].map((n) => ({
			reference: `H-${round}-${n}`,
			address: sanctionedAddress,
			door: 'check',
		}));
		const isHit = async () => (await rowsOf(cases)).length > before || undefined;
		const sent = Promise.allSettled([
			send(answering, undefined, 'Another wallet', 'ticket T-1'),
			send(confirming, undefined, 'Confirm it', 'I compared both'),
			send(publishing, undefined, 'Publish it', 'I read each change'),
			callWorkflow(others['our-screening'], asked),
		]);
		// Half of the kills come soon, half of them as soon as a case is opened.
		if (random() < 0.5) await sleep(random() * 1500);
		else await until('a case', isHit, { pause: 1, patience: 60_000 });
		await sleep(random() * 300);
		await stage.killAndRestart();
		await sent;
		const logins = emails.map((email) => ({ email, password: 'Screening-1' }));
		people = await Promise.all(
			logins.map(async (login) => await logInPerson(stage.n8n.url, login)),
		);

		// A person does again what did not count, and 15 minutes pass.
		if ((await caseOf(fresh)).status === 'answered') finished.answered++;
		else await (await toAnswer(fresh)).send(undefined, 'Another wallet', 'ticket T-1');
		expect(await caseOf(fresh)).toMatchObject({ status: 'answered', answer_by: emails[0] });
		expect(await statusOf(fresh)).toBe('sanctions: stopped');
		if ((await caseOf(old)).status === 'false positive') finished.confirmed++;
		else await (await show(people[1]!, old)).send(undefined, 'Confirm it', 'I compared both');
		await stage.runFrom(giveBack, 'Every 15 Minutes');
		expect(await caseOf(old)).toMatchObject({
			status: 'false positive',
			answer_by: emails[0],
			confirmed_by: emails[1],
		});
		expect(await statusOf(old)).toBe('needs 2 people');
		if ((await inForce()).id === one.id) finished.published++;
		else await (await toPublish(one)).send(undefined, 'Publish it', 'I read each change');
		expect(await inForce()).toMatchObject({ id: one.id, version: one.version });
		await results.setAll({ case_due_at: pastTime }, [
			{ columnName: 'case_due_at', condition: 'gt', value: pastTime },
		]);
		await stage.runFrom(handOver, 'Every 15 Minutes').catch(() => undefined);
		await untilQuiet();
	}
	for (const _ of [1, 2]) {
		await cases.setAll({ freeze_due_at: pastTime, ticket_due_at: pastTime, file_after: pastTime });
		await stage.runFrom(hit, 'Every 15 Minutes');
		await untilQuiet();
	}

	const hits = (await rowsOf(results)).filter(({ sanctions }) => sanctions);
	if (process.env.KILLS) console.log({ kills, hits: hits.length, ...finished });
	const opened = (await rowsOf(cases)).filter(({ reference }) => `${reference}`.startsWith('H-'));
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
	] as const)
		expect(
			stage.team
				.done(path)
				.map(({ key }) => key)
				.sort(),
		).toEqual(opened.map(({ case_key }) => `${what} ${String(case_key)}`).sort());
	const subjects = stage.mail.letters.map(({ subject }) => String(subject));
	for (const { reference } of opened)
		expect(subjects.some((one) => one.includes(`${String(reference)}, sanctions`))).toBe(true);
	// Each version came into force once, on top of the one before it.
	const published = (await rowsOf(policies)).filter(({ policy }) => policy);
	expect(published.map(({ version }) => Number(version))).toEqual(published.map((_, n) => n + 1));
	expect(published.slice(0, -1).map(({ replaced_by }) => replaced_by)).toEqual(
		published.slice(1).map(({ id }) => id),
	);
	// The journal has each answer that counts.
	const written = await rowsOf(journal);
	const answers = (answer: string) => written.filter((row) => row.answer === answer).length;
	expect(answers('False positive')).toBeGreaterThanOrEqual(kills + 1);
	expect(answers('Confirm it')).toBeGreaterThanOrEqual(kills);
});

test(`a payment system takes each status of a payment, in order, ${howOften}`, async () => {
	const system = await startPaymentSystem();
	const { tell } = await publishCallbacks(system, often);
	const [payments, callbacks] = [table('Screening Payments'), table('Screening Callbacks')];
	await payments.clear();
	const unsent = async () => (await callbacks.rows()).filter(({ sent_at }) => !sent_at);
	const count = async () => (await callbacks.rows()).length;
	/** When to kill: after some rows of the table, after some requests, or any time. */
	const moments: Array<(before: number) => Promise<unknown>> = [
		async (before) => {
			await until('a status', async () => (await count()) > before || undefined, { pause: 1 });
		},
		async () => {
			const from = system.requests + Math.floor(random() * 10);
			await until('a request', async () => system.requests > from || undefined, { pause: 1 });
		},
		async () => await sleep(random() * 8000),
	];
	for (let kill = 0; kill < kills; kill++) {
		const before = await count();
		const rows = Array.from({ length: 5 }, (_, n) => releasedRow(`K-${kill}-${n}`));
		await payments.insert(...rows);
		await (kill === 0 ? moments[1]! : anyOf(moments))(before);
		await sleep(random() * 40);
		await stage.killAndRestart();
	}
	const isDone = async () =>
		(await count()) === kills * 5 * wayToRelease.length && (await unsent()).length === 0;
	for (let minute = 0; minute < 10 && !(await isDone()); minute++) await passMinute(tell);
	const references = (await payments.rows()).map(({ reference }) => String(reference));
	expect(references).toHaveLength(kills * 5);
	for (const one of references) expect(system.statusesOf(one)).toEqual(wayToRelease);
	expect(system.came.filter(({ problem }) => problem)).toEqual([]);
	const bodies = new Map(system.came.map(({ id, body }) => [id, body]));
	for (const { id, body } of system.came) expect(body).toBe(bodies.get(id));
	if (process.env.KILLS) console.log({ kills, statuses: bodies.size, requests: system.requests });
	await system.close();
});
