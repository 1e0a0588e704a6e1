import fc from 'fast-check';
import type { IDataObject } from 'n8n-workflow';

import type { JobPlan } from '../../sandbox/bulk';
import { type Report, reportOn } from '../../sandbox/reports';
import { numbersFrom } from '../support/random';
import { checksummed, withChecksum } from '../support/wallets';
import { type Service, startService } from './engine/service';

const stranger = reportOn('1BoatSLRHtKNngkdXEeobR76b53LETtpyT', undefined, 'https://x.example');
const isHit = (at: number) => at % 3 === 0;
const errorFor = ({ address }: Report) => ({ address, error: { code: 'unsupported_chain' } });
const inSmallLetters = (report: Report) => ({
	...report,
	address: /^0x/.test(report.address) ? report.address.toLowerCase() : report.address,
});

/** What becomes of a job, and the class of the error of each address that has one, by its place. */
const fates: Record<string, { plan: JobPlan; classOf?: (at: number) => string | undefined }> = {
	well: { plan: {} },
	'in disorder': {
		plan: {
			results: (reports) => [
				...[stranger, null, {}],
				...reports.reverse().flatMap((report) => [inSmallLetters(report), { ...report }]),
			],
		},
	},
	failed: { plan: { fails: true }, classOf: () => 'job_failed' },
	'with gaps': {
		plan: { results: (reports) => reports.filter((_, at) => !isHit(at)) },
		classOf: (at) => (isHit(at) ? 'missing_result' : undefined),
	},
	'with errors': {
		plan: {
			results: (reports) => reports.map((report, at) => (isHit(at) ? errorFor(report) : report)),
		},
		classOf: (at) => (isHit(at) ? 'invalid_response' : undefined),
	},
	/** The service rejects each list that holds its eighth address. */
	'with a bad address': {
		plan: {},
		classOf: (at) => (at === badAt ? 'bad_request' : undefined),
	},
};
const badAt = 7;

/** One entry of a list: what the user gives, and the address that it holds, if it holds one. */
interface Given {
	value: unknown;
	address: string | undefined;
}

const good = (address: string, value = address): Given => ({ value, address });
const bad = (value: unknown): Given => ({ value, address: undefined });
const hex = (number: number) => checksummed(`0xabcdef${number.toString(16).padStart(34, '0')}`);
const base58 = (number: number) =>
	withChecksum['Bitcoin 1']!((length) =>
		Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex'),
	);

/** Entries by kind, each made from a number. */
const kinds: Array<(number: number) => Given> = [
	(number) => good(hex(number)),
	(number) => good(base58(number)),
	(number) => good(hex(number).toLowerCase()),
	(number) => good(hex(number), ` \t${hex(number)}\u00a0`),
	(number) => bad(`${hex(number)} ${base58(number)}`),
	(number) => bad(base58(number).slice(0, -1)),
	() => bad(''),
	() => bad(null),
	(number) => bad([hex(number)]),
];

/** A list, told by what it is made from, so that a failure shows it in one line. */
interface Case {
	source: 'items' | 'array';
	size: number;
	/** On the error output n8n copies the whole input item into each error, so that lists have no such output here. */
	onError: 'continueRegularOutput' | 'continueErrorOutput';
	/** How many different addresses of each kind there are. */
	variety: number;
	/** How often an entry is one of any kind; the others hold an address. */
	oddity: number;
	seed: number;
	fates: string[];
}

const ways: Array<Pick<Case, 'source' | 'onError'>> = [
	{ source: 'items', onError: 'continueErrorOutput' },
	{ source: 'items', onError: 'continueRegularOutput' },
	{ source: 'array', onError: 'continueRegularOutput' },
];
const lists = fc.record({
	size: fc.oneof(fc.integer({ min: 1, max: 20 }), fc.integer({ min: 900, max: 2200 })),
	variety: fc.constantFrom(3, 700, 100_000),
	oddity: fc.constantFrom(0, 0.02, 1),
	seed: fc.integer(),
	fates: fc.array(fc.constantFrom(...Object.keys(fates)), { minLength: 3, maxLength: 3 }),
});
const cases: fc.Arbitrary<Case> = fc
	.tuple(fc.constantFrom(...ways), lists)
	.map(([way, list]) => ({ ...way, ...list }));

function entriesOf({ size, variety, oddity, seed }: Case): Given[] {
	const random = numbersFrom(seed);
	const below = (count: number) => Math.floor(random() * count);
	return Array.from({ length: size }, () => {
		const kind = kinds[below(random() < oddity ? kinds.length : 4)]!;
		return kind(below(variety));
	});
}

/** The same for all spellings of one address. */
const sameAs = (address: string) => (/^0x/.test(address) ? address.toLowerCase() : address);

/** The distinct addresses, as they are first spelled, a thousand to a job. */
function jobsOf(entries: Given[]): string[][] {
	const distinct = new Map<string, string>();
	for (const { address } of entries) {
		if (address !== undefined && !distinct.has(sameAs(address)))
			distinct.set(sameAs(address), address);
	}
	const all = [...distinct.values()];
	return [0, 1000, 2000].map((at) => all.slice(at, at + 1000)).filter(({ length }) => length > 0);
}

const addressesIn = (body: unknown) => (body as { addresses?: string[] } | undefined)?.addresses;

describe('any list of addresses', () => {
	let service: Service;
	/** The fate of each job, by its first address. */
	const fateOf = new Map<string, string>();
	const badAddresses = new Set<string>();

	beforeAll(async () => {
		const jobs = ({ addresses }: { addresses: string[] }) =>
			fates[fateOf.get(addresses[0]!) ?? 'well']!.plan;
		service = await startService({ sandbox: { jobDurationMs: 0, jobs } });
	});
	afterAll(async () => await service.close());

	/** What must be said of each address: that its report is here, or the class of its error. */
	function prepare(one: Case, jobs: string[][]): Map<string, string | undefined> {
		service.reset();
		fateOf.clear();
		badAddresses.clear();
		service.sandbox.addFault({
			when: ({ body }) => !!addressesIn(body)?.some((address) => badAddresses.has(address)),
			effect: { kind: 'answer', status: 422, body: '{"error":"no"}' },
		});
		const expected = new Map<string, string | undefined>();
		for (const [number, addresses] of jobs.entries()) {
			const fate = one.fates[number]!;
			fateOf.set(addresses[0]!, fate);
			if (fate === 'with a bad address' && addresses[badAt]) badAddresses.add(addresses[badAt]);
			for (const [at, address] of addresses.entries())
				expected.set(sameAs(address), fates[fate]!.classOf?.(at));
		}
		return expected;
	}

	async function check(one: Case): Promise<void> {
		const entries = entriesOf(one);
		const jobs = jobsOf(entries);
		const expected = prepare(one, jobs);
		const isList = one.source === 'array';
		const cut = Math.ceil(entries.length / 2);
		const values = entries.map(({ value }) => value);
		const lists = [values.slice(0, cut), values.slice(cut)].filter(({ length }) => length > 0);
		const input = isList ? lists.map((list) => ({ list })) : values.map((wallet) => ({ wallet }));
		const { status, items, hints } = await service.run(
			{
				...{ resource: 'bulkJob', operation: 'screenAndWait' },
				...(isList
					? { addressSource: 'list', addresses: '={{ $json.list }}' }
					: { addressField: 'wallet' }),
				options: { pollInterval: 0.01, maxRetries: 0, timeout: 0.2 },
			},
			{ input: input as IDataObject[], onError: one.onError },
		);
		expect(status).toBe('success');

		// Each address is paid once, in one job, but for the bad ones, which are in none; and no list is sent twice.
		const posts = service.sandbox.requests.filter(({ method }) => method === 'POST');
		const accepted = posts.filter(({ job_id }) => job_id !== undefined);
		expect(accepted.flatMap(({ body }) => addressesIn(body)!).sort()).toEqual(
			jobs
				.flat()
				.filter((address) => !badAddresses.has(address))
				.sort(),
		);
		expect(new Set(posts.map(({ body }) => JSON.stringify(body))).size).toBe(posts.length);

		const jobIdOf = new Map(
			accepted.flatMap(({ body, job_id }) =>
				addressesIn(body)!.map((address) => [sameAs(address), job_id] as const),
			),
		);
		const outcomes = entries.map(({ address }, index) => {
			const item = isList ? Number(index >= cut) : index;
			if (address === undefined)
				return { pairedItem: { item }, errorClass: 'invalid_input', itemIndex: item };
			const errorClass = expected.get(sameAs(address));
			if (errorClass === undefined) return { pairedItem: { item }, address: sameAs(address) };
			const job_id = jobIdOf.get(sameAs(address));
			return { pairedItem: { item }, errorClass, itemIndex: item, address, job_id };
		});
		const isReport = ({ errorClass }: { errorClass?: string }) => errorClass === undefined;
		const failed = outcomes.filter((outcome) => !isReport(outcome));
		const seen = items.map((output) =>
			output.map(({ json, pairedItem }) => {
				const details = json['details'] as Record<string, unknown> | undefined;
				if (!details) {
					// The report is that on this address, in one spelling of it or the other.
					const address = String(json['address']);
					const ids = [sameAs(address), checksummedIfHex(address)].map(
						(spelling) => reportOn(spelling, undefined, '').report_id,
					);
					return {
						pairedItem,
						address: ids.includes(json['report_id'] as string) && sameAs(address),
					};
				}
				expect(json).not.toHaveProperty('report_id');
				const { errorClass, itemIndex, address, job_id } = details;
				if (errorClass === 'invalid_input') return { pairedItem, errorClass, itemIndex };
				return { pairedItem, errorClass, itemIndex, address, job_id };
			}),
		);
		expect(seen).toEqual(
			one.onError === 'continueErrorOutput' ? [outcomes.filter(isReport), failed] : [outcomes],
		);
		if (failed.length > 0)
			expect(hints[0]!.message).toMatch(new RegExp(`\\b${failed.length} address(es)? without`));
	}

	it('ends with one report or error for each entry, in order, each address sent once', async () => {
		await fc.assert(fc.asyncProperty(cases, check), { numRuns: 12 });
	});
});

const checksummedIfHex = (address: string) =>
	/^0x/.test(address) ? checksummed(address) : address;
