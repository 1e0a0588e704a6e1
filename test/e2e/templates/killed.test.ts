import type { IDataObject } from 'n8n-workflow';
import { dataOf } from '../../../host/rest';
import { numbersFrom, seed } from '../../support/random';
import { patience } from '../../support/workflows';
import { formPath, importApproval, type Payment, paymentPath, requester } from './approve';
import { greenAddress, notGreenAddress, sanctionedAddress } from './addresses';
import { dataTable, type TableName } from './dataTable';
import { invitePerson, logInPerson, type Person, postForm } from './person';
import { postTo, type Stage, startStage } from './stage';
import { startTeamSystem, type TeamSystem } from './teamSystem';

/** How often n8n is killed; 20 in a long run. */
const kills = Number(process.env.APPROVE_KILLS ?? 1);

const password = 'Screening-1';
const past = '2026-01-01T00:00:00.000Z';
const addresses = [greenAddress, notGreenAddress, sanctionedAddress];

describe('payments that wait for persons, with n8n killed in the middle', () => {
	let stage: Stage;
	let team: TeamSystem;
	let imported: Awaited<ReturnType<typeof importApproval>>;
	let people: Person[];
	beforeAll(async () => {
		stage = await startStage('e2e-templates-killed');
		team = await startTeamSystem(stage.callerHeader);
		imported = await importApproval(stage, team);
		const emails = ['ann@example.com', 'ben@example.com'];
		people = await Promise.all(emails.map(async (email) => await invitePerson(stage, email)));
		const rows = [...emails, requester].map((email) => ({ email }));
		await dataTable(stage.rest, imported.approvers).insert(...rows);
		await stage.n8n.publishWorkflow(imported.workflow);
	}, patience);
	afterAll(async () => {
		await team?.close();
		await stage?.close();
	});

	const table = (name: TableName) => dataTable(stage.rest, name);
	const post = async (payment: Payment) => await postTo(stage, paymentPath, payment);
	const tick = async () => {
		await table(imported.payments).setAll({ remind_at: past });
		await stage.runFrom(imported.workflow, 'Every 15 Minutes');
	};

	test(
		`each payment is released exactly as often as it was approved, with ${kills} kills (TEST_SEED=${seed})`,
		async () => {
			const random = numbersFrom(seed);
			/** Who was ever sent as an approver of a payment, answered or not. */
			const sent = new Map<string, Set<string>>();
			const all: Payment[] = [];
			const some = (round: number, what: string): Payment[] =>
				addresses.flatMap((address, index) =>
					[0, 1].map((n) => ({
						...{ payment_id: `R${round}-${what}-${index}${n}`, address, chain: 'ETH' },
						...{ amount: '1 ETH', requested_by: requester },
					})),
				);

			for (let round = 0; round < kills; round++) {
				const before = some(round, 'before');
				await Promise.all(before.map(post));
				await tick();
				const tokens = await Promise.all(people.map(async ({ openForm }) => openForm(formPath)));
				const url = `${stage.n8n.url}/form/${formPath}`;

				// The machine dies while a payment is being released: the money is on its way, and n8n does not know.
				const killAt = 1 + Math.floor(random() * 4);
				let releases = 0;
				const killed = new Promise<void>((resolve, reject) => {
					team.onRequest = async () => {
						if (++releases !== killAt) return;
						team.onRequest = () => {};
						await stage.killAndRestart().then(resolve, reject);
					};
				});
				const during = some(round, 'during');
				all.push(...before, ...during);
				const storm = [
					...during.map(async (payment) => await post(payment)),
					// The last of each kind has no second answer.
					...before.flatMap(({ payment_id }, index) =>
						people.slice(0, index % 2 === 0 ? 2 : 1).map(async ({ email }, who) => {
							sent.set(payment_id, (sent.get(payment_id) ?? new Set()).add(email));
							await postForm(url, [payment_id, 'Release', 'storm'], {
								'x-auth-token': tokens[who]!,
							});
						}),
					),
				];
				await Promise.allSettled(storm);
				await killed;
				people = await Promise.all(
					people.map(async ({ email }) => await logInPerson(stage.n8n.url, { email, password })),
				);
				await tick();
				await tick();
			}

			const rows = (
				await dataOf<{ data: IDataObject[] }>(
					stage.rest(
						'GET',
						`/projects/${imported.payments.projectId}/data-tables/${imported.payments.id}/rows?take=1000`,
					),
				)
			).data.filter(({ status }) => status !== 'repeated');
			const counts: Record<string, number> = {};
			const wrong = all.filter(({ payment_id, address }) => {
				const [row, ...others] = rows.filter((one) => one.payment_id === payment_id);
				const status = String(row?.status);
				counts[status] = (counts[status] ?? 0) + 1;
				const done = team.done('/release').filter(({ key }) => key === payment_id).length;
				// A payment whose webhook n8n did not answer may not be there.
				const isKnown = ['held', 'released', 'not screened', 'undefined'].includes(status);
				if (others.length > 0 || !isKnown || done !== (status === 'released' ? 1 : 0)) return true;
				if (done === 0) return false;
				const approvers = [...(sent.get(payment_id) ?? [])];
				const [first, last] = [String(row?.first_by), String(row?.decided_by)];
				if (address === greenAddress) return last !== 'policy';
				if (address === notGreenAddress) return !approvers.includes(last);
				return first === last || !approvers.includes(first) || !approvers.includes(last);
			});
			expect(wrong).toEqual([]);
			const done = team.done('/release').map(({ key }) => key);
			const greenBefore = all.filter((one) => /-before-0/.test(one.payment_id));
			expect(done).toEqual(expect.arrayContaining(greenBefore.map((one) => one.payment_id)));
			expect(done).toHaveLength(counts.released ?? 0);
		},
		kills * 300_000,
	);
});
