import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { numberedAddress } from '../../support/data/addresses';
import { numbersFrom, seed } from '../../support/data/random';
import type { DailyWorkflows } from '../../support/templates/dailyWorkflows';
import {
	failedRecord,
	recordedGreenAddresses,
	recordOf,
	redAddresses,
} from '../../support/templates/dailyRecords';

/** Zones whose clocks change at different nights, by an hour or by half of it, or never. */
const zones = ['Europe/Zurich', 'America/New_York', 'Asia/Tokyo', 'UTC', 'Australia/Lord_Howe'];

/** A payment in the ledger, and the row of the ledger that a difference may change. */
interface Paid {
	readonly reference: string;
	readonly address: string;
	readonly amount: string;
	readonly at: Date;
	readonly row: IDataObject;
}

/** A difference between the ledger and the log, as the workflow names it. */
interface Difference {
	readonly kind: string;
	readonly reference: string;
}

/** A day of payments: what is in the ledger, and what is in the tables of n8n. */
class DayOfPayments {
	readonly zone: string;
	readonly begins: DateTime;
	readonly ends: DateTime;
	readonly ledger: IDataObject[] = [];
	/** Rows of *Screening Results*. */
	readonly log: IDataObject[] = [];
	/** Rows of *Screening Payments*. */
	readonly payments: IDataObject[] = [];
	/** Payments that were allowed, and are in the ledger as they were screened. */
	readonly allowed: readonly Paid[];
	private readonly random: () => number;
	private count = 0;

	/** @param index of the day, which decides all random values together with the seed */
	constructor(readonly index: number) {
		this.random = numbersFrom(seed + index);
		this.zone = zones[index % zones.length]!;
		this.begins = DateTime.fromISO('2025-01-01', { zone: this.zone }).plus({ days: index });
		this.ends = this.begins.plus({ days: 1 });
		this.allowed = Array.from({ length: 4 + this.below(8) }, () => {
			const paid = this.pay();
			const record = recordOf(paid.reference, paid.address, paid.at);
			this.log.push({ ...record, amount: paid.amount });
			return paid;
		});
	}

	private below(limit: number): number {
		return Math.floor(this.random() * limit);
	}

	pick<T>(list: readonly T[]): T {
		return list[this.below(list.length)]!;
	}

	/** A time of the day. */
	within(): Date {
		return new Date(+this.begins + this.below(+this.ends - +this.begins));
	}

	/** The beginning of the day, and so many milliseconds. */
	afterBegin(ms: number): Date {
		return new Date(+this.begins + ms);
	}

	/** The end of the day, and so many milliseconds. */
	afterEnd(ms: number): Date {
		return new Date(+this.ends + ms);
	}

	/** Writes a payment to a green address into the ledger. */
	pay(changed: IDataObject = {}): Paid {
		const reference = `P-${this.index}-${++this.count}`;
		const amount = `${this.below(5000)}.${this.below(90) + 10}`;
		const address = this.pick(recordedGreenAddresses);
		const row = { reference, address, chain: 'ETH', amount, ...changed };
		this.ledger.push(row);
		return { reference, address, amount, at: this.within(), row };
	}

	/** Adds all that looks like a difference, and is none. */
	addHarmless(): void {
		const [first] = this.allowed as [Paid];
		first.row.address = first.address.toUpperCase().replace('0X', '0x');
		first.row.amount = `${first.amount}0`;

		// Of several records of a day, the last one counts.
		const again = this.pay({ amount: '7 ETH' });
		this.log.push(
			recordOf(again.reference, this.pick(redAddresses), this.afterBegin(1)),
			recordOf(again.reference, again.address, this.afterBegin(2)),
			recordOf(again.reference, this.pick(redAddresses), this.afterEnd(1)),
		);
		const earlier = this.pay();
		const threeDays = 3 * 86_400_000;
		this.log.push(recordOf(earlier.reference, earlier.address, this.afterBegin(-threeDays)));

		const released = this.pay();
		const blocked = recordOf(released.reference, this.pick(redAddresses), released.at);
		released.row.address = blocked.address;
		this.log.push(blocked);
		this.payments.push({
			reference: released.reference,
			address: blocked.address,
			amount: released.amount,
			status: 'released',
			released_at: released.at as never,
		});

		const held = `P-${this.index}-held`;
		this.log.push(recordOf(held, this.pick(redAddresses), this.within()));
		this.payments.push({ reference: held, status: 'needs 2 people', amount: '1' });

		// What is no payment, and what is of another day.
		const nightly = recordOf(
			`P-${this.index}-nightly`,
			this.pick(recordedGreenAddresses),
			this.within(),
		);
		this.log.push(
			{ ...nightly, door: 'customer' },
			recordOf('C-17', this.pick(recordedGreenAddresses), this.within()),
			recordOf('', this.pick(recordedGreenAddresses), this.within()),
			recordOf(`P-${this.index}-edge-0`, this.pick(recordedGreenAddresses), this.afterBegin(-1)),
			recordOf(`P-${this.index}-edge-1`, this.pick(recordedGreenAddresses), this.afterEnd(0)),
		);
		this.ledger.push({
			reference: `P-${this.index}-later`,
			address: 'x',
			paid_at: this.ends.toISO(),
		});
	}

	/** Writes the tables of n8n. */
	write({ tables }: DailyWorkflows): void {
		tables.insert('Screening Results', ...this.log);
		for (const row of tables.insert('Screening Payments', ...this.payments))
			row.updatedAt = this.afterBegin(5);
	}
}

/**
 * The differences that are planted, one in a day: each changes the day, and gives the reference
 * that has to be named.
 */
const plants: ReadonlyArray<{
	readonly kind: string;
	readonly because: string;
	readonly plant: (day: DayOfPayments) => string;
}> = [
	{
		kind: 'Not in the ledger',
		because: 'a payment was allowed, and is not in the ledger',
		plant: (day) => {
			const [row] = day.ledger.splice(day.pick([1, 2]), 1) as [{ reference: string }];
			return row.reference;
		},
	},
	{
		kind: 'Paid, not screened',
		because: 'the log does not have the payment',
		plant: (day) => day.pay().reference,
	},
	{
		kind: 'Paid, not screened',
		because: 'its screening failed',
		plant: (day) => {
			const { reference } = day.pay();
			day.log.push(failedRecord(reference, day.afterBegin(0)));
			return reference;
		},
	},
	{
		kind: 'Paid, not allowed',
		because: 'its address was blocked in the last millisecond of the day',
		plant: (day) => {
			const address = day.pick(redAddresses);
			const { reference } = day.pay({ address });
			day.log.push(recordOf(reference, address, day.afterEnd(-1)));
			return reference;
		},
	},
	{
		kind: 'Another amount',
		because: 'the ledger has one more digit',
		plant: ({ allowed }) => {
			allowed[1]!.row.amount = `1${allowed[1]!.amount}`;
			return allowed[1]!.reference;
		},
	},
	{
		kind: 'Another address',
		because: 'the ledger has one that was not screened',
		plant: ({ allowed, index }) => {
			allowed[2]!.row.address = numberedAddress(index + 1);
			return allowed[2]!.reference;
		},
	},
	{
		kind: 'Another chain',
		because: 'the ledger has TRON, and ETH was screened',
		plant: ({ allowed }) => {
			allowed[3]!.row.chain = 'TRON';
			return allowed[3]!.reference;
		},
	},
	{
		kind: 'More than once in the ledger',
		because: 'the ledger has the same row twice',
		plant: ({ allowed, ledger }) => {
			ledger.push({ ...allowed[1]!.row });
			return allowed[1]!.reference;
		},
	},
	{
		kind: 'Another address',
		because: 'a later record of the day replaces the one that fits',
		plant: (day) => {
			const { reference, address, amount } = day.allowed[2]!;
			const another = recordedGreenAddresses.find((candidate) => candidate !== address)!;
			day.log.push({ ...recordOf(reference, another, day.afterEnd(-1)), amount });
			return reference;
		},
	},
];

/** Plants a difference of its turn in a day, or none. */
function plant(day: DayOfPayments): Difference[] {
	const turn = day.index % (plants.length + 1);
	if (turn === 0) return [];
	const { kind, plant: change } = plants[turn - 1]!;
	return [{ kind, reference: change(day) }];
}

/** *Reconcile the Day* over many days, each with one planted difference or none. */
export function ledgerTests(workflowsOf: () => DailyWorkflows, days: number): void {
	test(`of ${days} days, each planted difference of the ledger is named, and nothing else (TEST_SEED=${seed})`, async () => {
		const workflows = workflowsOf();
		for (let index = 0; index < days; index++) {
			workflows.reset();
			const day = new DayOfPayments(index);
			day.addHarmless();
			const planted = plant(day);
			day.write(workflows);
			const date = day.begins.toISODate()!;
			const result = await workflows.run('reconcile-the-day-hold', 'When Called', {
				day: date,
				zone: day.zone,
				rows: day.ledger as never,
				begins_with: 'P-',
				by: 'ann@example.com',
			});

			const message = result.itemsOf('Write the Message')[0]![0]!.json;
			const { title, differences } = message as unknown as {
				title: string;
				differences: Difference[];
			};
			const found = differences.map(({ kind, reference }) => ({ kind, reference }));
			expect({ index, found }).toEqual({ index, found: planted });
			expect(title).toBe(
				planted.length > 0
					? `The day does not add up: 1 difference on ${date}`
					: `The day adds up: ${date}`,
			);
			expect(workflows.messages).toMatchObject([
				{ text: expect.stringContaining(planted[0]?.reference ?? 'Payments in the ledger') },
			]);
			const journal = workflows.tables.rows('Screening Journal');
			expect(journal).toMatchObject([{ subject: `Ledger of ${date}` }]);
		}
	}, 3_000_000);
}
