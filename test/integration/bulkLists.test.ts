import fc from 'fast-check';
import type { INodeExecutionData } from 'n8n-workflow';

import type { JobPlan } from '../../sandbox/bulk';
import { type Report, reportOn } from '../../sandbox/reports';
import { bitcoin } from '../support/data/knownAddresses';
import { numbersFrom } from '../support/data/random';
import { checksummed, formatsWithChecksum } from '../support/data/generatedAddresses';
import { answerFault } from '../support/data/faults';
import { useService } from '../support/engine/sandboxService';
import { CONTINUE, ERROR_OUTPUT, itemsFor, SCREEN_AND_WAIT } from '../support/engine/workflows';

const isHit = (at: number) => at % 3 === 0;
const badAt = 7;
const errorFor = ({ address }: Report) => ({ address, error: { code: 'unsupported_chain' } });
const inSmallLetters = (report: Report) => ({ ...report, address: keyOf(report.address) });

interface Fate extends JobPlan {
	/** Every list that contains the address at the place `at` is refused with this status. */
	refusal?: { status: number; at: number };
	/** Returns the class of the error of the address at this place, or false if it has none. */
	classOf?(at: number): string | false;
}

/** The ways in which a job may end. */
const fates: Record<string, Fate> = {
	well: {},
	'in disorder': {
		results: (reports) => [
			reportOn(bitcoin, undefined, 'https://x.example'),
			null,
			{},
			...reports.reverse().flatMap((report) => [inSmallLetters(report), { ...report }]),
		],
	},
	failed: { fails: true, classOf: () => 'job_failed' },
	'with gaps': {
		results: (reports) => reports.filter((_, at) => !isHit(at)),
		classOf: (at) => isHit(at) && 'missing_result',
	},
	'with errors': {
		results: (reports) => reports.map((report, at) => (isHit(at) ? errorFor(report) : report)),
		classOf: (at) => isHit(at) && 'invalid_response',
	},
	refused: { refusal: { status: 409, at: 0 }, classOf: () => 'bad_request' },
	'with a bad address': {
		refusal: { status: 422, at: badAt },
		classOf: (at) => at === badAt && 'bad_request',
	},
};

/** An entry of a list: the user's value, and the address in it, if there is one. */
type Entry = [value: unknown, address?: string];

const hex = (number: number) => checksummed(`0xabcdef${number.toString(16).padStart(34, '0')}`);
const base58 = (number: number) =>
	formatsWithChecksum['Bitcoin 1']!((length) =>
		Buffer.from(number.toString(16).padStart(2 * length, '7'), 'hex'),
	);
/** Replaces the last character of an address, so that its checksum is wrong. */
const withOtherEnd = (address: string) =>
	address.slice(0, -1) + (address.endsWith('2') ? '3' : '2');
/** Entries by kind, each made from a number; the first four hold an address. */
const kinds: Array<(number: number) => Entry> = [
	(number) => [hex(number), hex(number)],
	(number) => [base58(number), base58(number)],
	(number) => [hex(number).toLowerCase(), hex(number).toLowerCase()],
	(number) => [` \t${hex(number)}\u00a0`, hex(number)],
	(number) => [`${hex(number)} ${base58(number)}`],
	(number) => [withOtherEnd(base58(number))],
	() => [''],
	() => [null],
	(number) => [[hex(number)]],
];
/** Returns the same text for all spellings of one address. */
const keyOf = (address: string) => (/^0x/.test(address) ? address.toLowerCase() : address);

/**
 * A list is described by the values from which it is made, so that a failure prints it in one line.
 */
const cases = fc.record({
	onError: fc.constantFrom(CONTINUE, ERROR_OUTPUT),
	size: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 900, max: 2200 })),
	/** The number of different addresses of each kind. */
	variety: fc.constantFrom(3, 700, 100_000),
	/** The share of entries that may be of any kind. All others contain an address. */
	oddity: fc.constantFrom(0, 0.02, 1),
	seed: fc.integer(),
	fates: fc.array(fc.constantFrom(...Object.keys(fates)), { minLength: 3, maxLength: 3 }),
});
type Case = typeof cases extends fc.Arbitrary<infer Value> ? Value : never;

function entriesOf({ size, variety, oddity, seed }: Case): Entry[] {
	const random = numbersFrom(seed);
	const below = (count: number) => Math.floor(random() * count);
	return Array.from({ length: size }, () =>
		kinds[below(random() < oddity ? kinds.length : 4)]!(below(variety)),
	);
}

/** The fate of each job, by its first address. */
const fateOf = new Map<string, Fate>();
const service = useService({ sandbox: { planJob: (job) => fateOf.get(job.addresses[0]!) ?? {} } });
const addressesIn = (body: unknown) => (body as { addresses?: string[] } | undefined)?.addresses;

/** An address of a list: its first spelling, which is sent, and the class of its error. */
interface Expected {
	sent: string;
	errorClass?: string | false;
}

/** The addresses of a list, each once, in order. */
function distinctIn(entries: readonly Entry[]): Map<string, Expected> {
	const known = new Map<string, Expected>();
	for (const [, sent] of entries)
		if (sent && !known.has(keyOf(sent))) known.set(keyOf(sent), { sent });
	return known;
}

/**
 * Lets the service treat each job as its fate says, and notes the class of error of each address.
 */
function prepareFates(distinct: readonly Expected[], names: readonly string[]): void {
	fateOf.clear();
	for (const [number, name] of names.entries()) {
		const fate = fates[name]!;
		const job = distinct.slice(1000 * number, 1000 * (number + 1));
		for (const [at, address] of job.entries()) address.errorClass = fate.classOf?.(at) ?? false;
		if (job[0]) fateOf.set(job[0].sent, fate);
		const culprit = job[fate.refusal?.at ?? NaN]?.sent;
		service.sandbox.addFault({
			when: ({ body }) => culprit !== undefined && !!addressesIn(body)?.includes(culprit),
			effect: answerFault(fate.refusal?.status ?? 500),
		});
	}
}

/**
 * Expects that the node sent each address once, in one job, no list twice, and no address that it
 * refuses.
 *
 * @returns the ID of the job of each address
 */
function expectSentOnce(distinct: readonly Expected[]): Map<string, string> {
	const posts = service.postRequests();
	const accepted = posts.flatMap(({ body, job_id }) =>
		job_id ? addressesIn(body)!.map((address) => [address, job_id] as const) : [],
	);
	const paid = distinct.filter(({ errorClass }) => errorClass !== 'bad_request');
	expect(accepted.map(([address]) => address).sort()).toEqual(paid.map(({ sent }) => sent).sort());
	expect(new Set(posts.map(({ body }) => JSON.stringify(body))).size).toBe(posts.length);
	return new Map(accepted);
}

/** What the test compares of an item: its place in the input, and its report or its error. */
function summaryOf({ json, pairedItem }: INodeExecutionData): object {
	const { details, report, address } = json as any;
	const { item } = pairedItem as { item: number };
	if (!details) return { item, report_id: report.report_id, address };
	expect([report, details.itemIndex]).toEqual([undefined, item]);
	const { errorClass, job_id } = details;
	if (errorClass === 'invalid_input') return { item, errorClass };
	return { item, errorClass, address: details.address, job_id };
}

async function check(one: Case): Promise<void> {
	service.reset();
	const entries = entriesOf(one);
	const known = distinctIn(entries);
	const distinct = [...known.values()];
	prepareFates(distinct, one.fates);

	const options = { pollInterval: 0.01, maxRetries: 0, timeout: 0.2 };
	const { status, items, hints } = await service.run(
		{ ...SCREEN_AND_WAIT, options },
		{ input: itemsFor(entries.map(([value]) => value)), onError: one.onError },
	);
	expect(status).toBe('success');

	const jobIdOf = expectSentOnce(distinct);
	const expected = entries.map(([, address], item) => {
		if (address === undefined) return { item, errorClass: 'invalid_input' };
		const { sent, errorClass } = known.get(keyOf(address))!;
		if (errorClass) return { item, errorClass, address, job_id: jobIdOf.get(sent) };
		return { item, report_id: service.reportOf(sent).report_id, address };
	});
	const failed = expected.filter((outcome) => 'errorClass' in outcome);
	const reports = expected.filter((outcome) => 'report_id' in outcome);
	const seen = items.map((output) => output.map(summaryOf));
	expect(seen).toEqual(one.onError === ERROR_OUTPUT ? [reports, failed] : [expected]);
	if (failed.length > 0)
		expect(hints[0]!.message).toMatch(new RegExp(`(^|, )${failed.length} failed\\b|^Failed`));
}

test('any list of addresses ends with one report or error for each entry, in order, each address sent once', async () => {
	await fc.assert(fc.asyncProperty(cases, check), { numRuns: 12 });
});
