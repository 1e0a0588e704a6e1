import type { IDataObject } from 'n8n-workflow';
import type { Saved, Workflow } from '../../../tools/host/workflow';
import { until } from '../../../tools/host/until';
import { greenAddress, sanctionedAddress } from '../../support/templates/templateAddresses';
import { publishApproval, requester, paymentWebhookPath } from '../../support/templates/approval';
import { type DataTable, table, where } from '../../support/templates/dataTable';
import { stage, untilQuiet } from '../../support/templates/stage';
import { publishCaseWorkflows } from '../../support/templates/caseWorkflows';
import { pastTime } from '../../support/templates/times';
import { yearlySchedule } from '../../support/templates/schedules';
import { postToWebhook } from '../../support/templates/webhooks';
import { logInOwner } from '../../support/templates/people';
import { type Person } from '../../support/browser/person';

/** A way in which an address comes in: a hit makes a case. */
interface Door {
	/** What the case says of where the address came in. */
	readonly door: string;
	readonly because: string;
	/** Lets an address in, and waits until it is decided. */
	readonly comeIn: (address: string) => Promise<unknown>;
	/** The fields of the case beside the address. */
	readonly expectedFields: () => IDataObject;
}

/** A reason for which a wallet is a sanctions hit. */
interface Kind {
	readonly name: string;
	readonly address: string;
	/** How the case words the reason. */
	readonly why: RegExp;
	/** Puts the rows into the tables that the reason stands on. */
	readonly prepare: () => Promise<void>;
}

/**
 * Each way in: a hit has one case, one message with its date, and no second one when it comes
 * again.
 */
export function hitsByDoorTests(): void {
	let person: Person;
	let [submit, results, customersNightly, watchScreen]: Array<Saved<Workflow>> = [];
	const [cases, lists, log] = [
		table('Screening Cases'),
		table('Screening Sanctions'),
		table('Screening Results'),
	];
	const [customers, listed, received, payments] = [
		table('Screening Customers'),
		table('Screening List'),
		table('Screening Received'),
		table('Screening Payments'),
	];
	const all = [cases, lists, log, customers, listed, received, payments];

	beforeAll(async () => {
		await publishCaseWorkflows();
		await publishApproval();
		for (const [file, trigger, path] of [
			['screen-a-payout-run', 'When a Person Uploads a File', 'payout-run'],
			['check-a-wallet-form', 'When a Person Enters a Wallet', 'check-a-wallet'],
		] as const)
			await stage.publishTemplate(file, { [trigger]: { webhookId: path } });
		results = await stage.importTemplate('long-list-results');
		submit = await stage.importTemplate('screen-a-long-list');
		await stage.publishTemplate('rescreen-customers-compare');
		customersNightly = await stage.importTemplate('rescreen-customers-nightly');
		watchScreen = await stage.publishTemplate('watch-screen', {
			'Every Ten Minutes': yearlySchedule,
		});
		person = await logInOwner();
	});
	afterAll(async () => {
		await stage.withdrawAll();
		for (const one of all) await one.clear();
	});
	beforeEach(async () => {
		for (const one of all) await one.clear();
		stage.clear();
	});

	/** Puts a row into a table, or makes it due again if it is there. */
	const row = async (one: DataTable, data: IDataObject, again: IDataObject) => {
		if ((await one.rows()).length === 0) await one.insert(data);
		else await one.setAll(again);
	};
	const doors: Door[] = [
		{
			door: 'payment',
			because: 'the payment system asks before it pays',
			comeIn: async (address) => {
				const payment = { payment_id: 'D-1', address, chain: 'ETH', amount: '5 ETH' };
				await postToWebhook(paymentWebhookPath, { ...payment, requested_by: requester });
				// Whatever was known of it is forgotten, so that the same payment is screened again.
				await untilQuiet();
				await payments.setAll({ status: null }, where('reference', 'D-1'));
			},
			expectedFields: () => ({ reference: 'D-1', amount: '5 ETH', requested_by: requester }),
		},
		{
			door: 'payout',
			because: 'a person uploads the file of a payout run',
			comeIn: async (address) => {
				const csv = `reference;address;amount\nD-1;${address};5 ETH\n`;
				const file = new File([csv], 'run.csv', { type: 'text/csv' });
				expect(
					(await (await person.open('payout-run')).send({ 'CSV file': file })).words,
				).toContain('Pay 0 of 1 rows');
			},
			expectedFields: () => ({ reference: 'D-1', amount: '5 ETH', requested_by: person.email }),
		},
		{
			door: 'check',
			because: 'a colleague checks a wallet in the form',
			comeIn: async (address) => {
				const page = await (
					await person.open('check-a-wallet')
				).send({ Address: address, 'Customer or payment': 'D-1' });
				expect(page.html).toContain('STOPPED: sanctions hit');
			},
			expectedFields: () => ({ reference: 'D-1' }),
		},
		{
			door: 'customer',
			because: 'a customer is screened every night',
			comeIn: async (address) => {
				// A customer who is not allowed is due every night.
				await row(customers, { reference: 'D-1', address }, { address });
				await stage.runFrom(customersNightly!, 'Every Night at Two');
			},
			expectedFields: () => ({ reference: 'D-1' }),
		},
		{
			door: 'list',
			because: 'a long list is screened as a bulk job',
			comeIn: async (address) => {
				await row(listed, { reference: 'D-1', address }, { state: null });
				await stage.runFrom(submit!, 'Every Minute');
				await until('the results of the list', async () => {
					await stage.runFrom(results!, 'Every Minute');
					return (await listed.rows<IDataObject>())[0]!.state === 'done' || undefined;
				});
			},
			expectedFields: () => ({ reference: 'D-1' }),
		},
		{
			door: 'watch',
			because: 'a watched address was paid',
			comeIn: async (address) => {
				const payment = { reference: 'D-1', address, amount: '5', asset: 'ETH', wallet: 'ours' };
				await row(received, { ...payment, network: 'ethereum' }, { outcome: null });
				await stage.runFrom(watchScreen!, 'Every Ten Minutes');
			},
			expectedFields: () => ({ reference: 'D-1', amount: '5 ETH to ours' }),
		},
	];
	const byScore: Kind = {
		name: 'a score of the service',
		address: sanctionedAddress,
		why: /^Block: sanctions is 0\.\d+ /,
		async prepare() {},
	};
	const byList: Kind = {
		name: "the Treasury's list alone",
		address: greenAddress,
		why: /^Block: the address is on the sanctions list 'OFAC SDN of 2026-11-25'/,
		async prepare() {
			await lists.insert({
				name: 'SDN',
				published: '2026-11-25',
				read_at: new Date().toISOString(),
				count: 1,
				addresses: JSON.stringify([greenAddress]),
				entries: '[]',
			});
		},
	};
	const byTrueMatch: Kind = {
		name: 'a true match that two people confirmed for another payment, though its score is 0 now',
		address: greenAddress,
		why: /^Block: the address is on the sanctions list 'Confirmed true matches'/,
		async prepare() {
			await cases.insert({
				case_key: `E-1|${greenAddress.toLowerCase()}`,
				reference: 'E-1',
				address: greenAddress,
				// One person has opened it again.
				status: 'open',
				true_match_since: pastTime,
				report_until: pastTime,
				reported_at: pastTime,
			});
		},
	};
	const everyKind = [byScore, byList, byTrueMatch];
	/**
	 * *Our Screening* decides for each door. The long list decides by itself, and the form decides
	 * once more for its page.
	 */
	const kindsAt: Readonly<Record<string, Kind[]>> = {
		payment: everyKind,
		payout: [byScore],
		check: [byScore, byList],
		customer: [byScore],
		list: everyKind,
		watch: [byScore, byList],
	};
	const ways = doors.flatMap((door) => kindsAt[door.door]!.map((kind) => ({ ...door, ...kind })));

	test.each(ways)(
		'$door: a hit by $name opens one case, because $because',
		async ({ door, comeIn, expectedFields, address, why, prepare }) => {
			await prepare();
			await comeIn(address);
			await untilQuiet();
			const opened = async () =>
				(await cases.rows<IDataObject>()).filter(({ reference }) => reference === 'D-1');
			const [one, ...others] = await opened();
			expect(others).toEqual([]);
			expect(one).toMatchObject({
				...expectedFields(),
				door,
				address,
				status: 'open',
				summary: expect.stringMatching(why),
				report_until: expect.any(String),
			});
			const letters = () =>
				stage.mail.letters
					.filter(({ to }) => to?.[0]?.address === 'team@example.com')
					// Customers and long lists have a message about the whole run, too.
					.filter(({ subject }) => !/Customers screened|Long list/.test(subject ?? ''));
			expect(letters().map(({ subject }) => subject)).toEqual([
				expect.stringMatching(/^STOPPED: /),
			]);
			expect(letters()[0]!.text).toContain(`form/answer-a-case?case=${Number(one!.id)}`);
			// The same hit again is in its case already.
			await comeIn(address);
			await untilQuiet();
			expect(await opened()).toHaveLength(1);
			expect(letters()).toHaveLength(1);
		},
	);
}
