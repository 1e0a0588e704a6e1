import fc from 'fast-check';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import type { JobPlan } from '../../sandbox/bulk';
import { type Report, reportOn } from '../../sandbox/reports';
import type { RequestRecord } from '../../sandbox/server';
import { numbersFrom } from '../support/random';
import { checksummed, withChecksum } from '../support/wallets';
import { type Service, startService } from './engine/service';

/** What becomes of a job. Positions count from 0 in the order of the request. */
const fates = {
	well: {},
	shuffled: { results: (reports) => [...reports].reverse() },
	doubled: { results: (reports) => reports.flatMap((report) => [report, { ...report }]) },
	'with strangers': { results: (reports) => [stranger, ...reports, null, {}] },
	'in small letters': { results: (reports) => reports.map(inSmallLetters) },
	failed: { fails: true },
	'without results': { results: () => [] },
	'with gaps': { results: (reports) => reports.filter((_, at) => !isHit(at)) },
	'with errors': {
		results: (reports) => reports.map((report, at) => (isHit(at) ? errorFor(report) : report)),
	},
	'with a bad address': {},
} satisfies Record<string, JobPlan>;
type Fate = keyof typeof fates;

const stranger = reportOn('1BoatSLRHtKNngkdXEeobR76b53LETtpyT', undefined, 'https://x.example');
const isHit = (at: number) => at % 3 === 0;
const errorFor = ({ address }: Report) => ({ address, error: { code: 'unsupported_chain' } });
const inSmallLetters = (report: Report) => ({
	...report,
	address: /^0x/.test(report.address) ? report.address.toLowerCase() : report.address,
});

/** The fate of each job, by its first address. */
const fateOf = new Map<unknown, Fate>();
/** The addresses for which the service refuses the whole job. */
const badAddresses = new Set<unknown>();
const holdsBad = (body: unknown) =>
	((body as { addresses?: string[] } | undefined)?.addresses ?? []).some((address) =>
		badAddresses.has(address),
	);
const first = (body: unknown) => (body as { addresses?: string[] } | undefined)?.addresses?.[0];

/** One entry of a list: what the user gives, and the address that it holds, if it holds one. */
interface Given {
	value: unknown;
	address: string | undefined;
}

const good = (address: string, value = address): Given => ({ value, address });
const bad = (value: unknown): Given => ({ value, address: undefined });

const hex = (number: number) => checksummed(`0xabcdef${number.toString(16).padStart(34, '0')}`);
const numbered = (format: string) => (number: number) =>
	withChecksum[format]!((length) =>
		Buffer.from(number.toString(16).padStart(2 * length, '0'), 'hex'),
	);
const base58 = numbered('Bitcoin 1');

/** Entries by kind, each made from a number. What a list of text cannot hold comes last. */
const kinds: Array<(number: number) => Given> = [
	(number) => good(hex(number)),
	(number) => good(hex(number)),
	(number) => good(base58(number)),
	(number) => good(numbered('XRP Ledger')(number)),
	(number) => good(hex(number).toLowerCase()),
	(number) => good(hex(number), ` \t${hex(number)}\u00a0`),
	(number) => good(base58(number), `\ufeff${base58(number)}\u200b`),
	(number) => bad(`${hex(number)} ${base58(number)}`),
	(number) => bad(`${hex(number)}\u200b1`),
	(number) => bad(base58(number).slice(0, -1)),
	(number) => bad('x'.repeat(257 + (number % 3))),
	() => bad(''),
	() => bad('  \t'),
	() => bad(null),
	() => bad(undefined),
	(number) => bad(number),
	(number) => bad([hex(number)]),
	(number) => bad({ wallet: hex(number) }),
	(number) => bad(`${hex(number)}\n${base58(number)}`),
];
const textKinds = kinds.slice(0, 11);

/** Whole numbers that follow from their seed. */
function wholeNumbersFrom(seed: number): (below: number) => number {
	const random = numbersFrom(seed);
	return (below) => Math.floor(random() * below);
}

type Source = 'items' | 'nested items' | 'text' | 'array';

/** A list, told by what it is made from, so that a failure shows it in one line. */
interface Case {
	source: Source;
	size: number;
	/** How many different addresses of each kind there are. */
	variety: number;
	/** How often an entry is one of any kind; the others hold an address. */
	oddity: number;
	seed: number;
	fates: Fate[];
	onError: 'continueRegularOutput' | 'continueErrorOutput';
}

const cases: fc.Arbitrary<Case> = fc.record({
	source: fc.constantFrom<Source>('items', 'nested items', 'text', 'array'),
	size: fc.oneof(
		{ weight: 3, arbitrary: fc.integer({ min: 0, max: 12 }) },
		{ weight: 2, arbitrary: fc.integer({ min: 900, max: 2200 }) },
		{ weight: 1, arbitrary: fc.integer({ min: 2200, max: 5000 }) },
	),
	variety: fc.constantFrom(3, 700, 100_000),
	oddity: fc.constantFrom(0, 0.02, 1),
	seed: fc.integer(),
	fates: fc.array(fc.constantFrom(...(Object.keys(fates) as Fate[])), {
		minLength: 5,
		maxLength: 5,
	}),
	onError: fc.constantFrom('continueRegularOutput', 'continueErrorOutput'),
});

function entriesOf({ source, size, variety, oddity, seed }: Case): Given[] {
	const below = wholeNumbersFrom(seed);
	const allowed = source === 'text' ? textKinds : kinds;
	return Array.from({ length: size }, () => {
		const kind = below(1000) < oddity * 1000 ? below(allowed.length) : below(5);
		return allowed[kind]!(below(variety));
	});
}

function parametersOf({ source }: Case): IDataObject {
	switch (source) {
		case 'items':
			return { addressSource: 'inputItems', addressField: 'wallet' };
		case 'nested items':
			return { addressSource: 'inputItems', addressField: 'customer.wallets.0' };
		case 'text':
		case 'array':
			return { addressSource: 'list', addresses: '={{ $json.list }}' };
	}
}

const separators = [',', '\n', '\r\n', ',\n', ' , ', '\n\n \n', ',,'];

/** Which input item gives each entry: one each, or two lists where there are enough. */
function itemsOf({ source, seed }: Case, entries: Given[]): number[] {
	const isList = source === 'text' || source === 'array';
	const cut = 1 + wholeNumbersFrom(seed)(Math.max(1, entries.length - 1));
	return entries.map((_, index) => (isList ? Number(index >= cut) : index));
}

function inputOf(one: Case, entries: Given[]): IDataObject[] {
	const { source, seed } = one;
	const values = entries.map(({ value }) => value) as string[];
	if (source === 'items') return values.map((wallet, row) => ({ wallet, row }));
	if (source === 'nested items')
		return values.map((wallet, row) => ({ customer: { wallets: [wallet] }, row }));
	const from = itemsOf(one, entries);
	const below = wholeNumbersFrom(seed);
	return Array.from({ length: 1 + (from.at(-1) ?? 0) }, (_, item) => {
		const list = values.filter((__, index) => from[index] === item);
		const text = list.map((value) => value + separators[below(7)]!).join('');
		return { list: source === 'text' ? text : list };
	});
}

/** What must be said of an entry: the address of its report, or the class of its error. */
interface Expected {
	address: string | undefined;
	errorClass: string | undefined;
	entry?: object;
}

interface Job {
	addresses: string[];
	fate: Fate;
}

/** The same for all spellings of one address. */
const sameAs = (address: string) => (/^0x/.test(address) ? address.toLowerCase() : address);

/** The distinct addresses, as they are first spelled, in jobs, each with its fate. */
function jobsOf(entries: Given[], given: Fate[]): Job[] {
	const distinct = new Map<string, string>();
	for (const { address } of entries) {
		if (address !== undefined && !distinct.has(sameAs(address)))
			distinct.set(sameAs(address), address);
	}
	const jobs: Job[] = [];
	for (const address of distinct.values()) {
		const last = jobs.at(-1);
		if (last && last.addresses.length < 1000) last.addresses.push(address);
		else jobs.push({ addresses: [address], fate: given[jobs.length]! });
	}
	return jobs;
}

/** The place of the bad address in a job of so many. */
const badAt = (length: number) => Math.floor(length * 0.7);

/** What is expected of each address of a job. */
function expectedOf({ addresses, fate }: Job): Array<[string, Expected]> {
	const answered = new Set(addresses.filter((_, at) => !isHit(at)).map(sameAs));
	return addresses.map((address, at) => {
		const error = { code: 'unsupported_chain' };
		const result = (errorClass?: string, entry?: object): [string, Expected] => [
			address,
			{ address, errorClass, ...(entry && { entry }) },
		];
		if (fate === 'failed') return result('job_failed');
		if (fate === 'with a bad address' && at === badAt(addresses.length))
			return result('bad_request');
		if (fate === 'without results') return result('missing_result');
		if (fate === 'with gaps' && !answered.has(sameAs(address))) return result('missing_result');
		if (fate === 'with errors' && isHit(at)) return result('invalid_response', { address, error });
		return result();
	});
}

/** The IDs that the report on an address may have: two spellings of one address may share either's. */
function reportIds(address: string): unknown[] {
	const spellings = /^0x/.test(address) ? [address.toLowerCase(), checksummed(address)] : [address];
	return spellings.map((spelling) => reportOn(spelling, undefined, '').report_id);
}

interface Details {
	errorClass?: string;
	itemIndex?: number;
	address?: string;
	job_id?: string;
	job_ids?: string[];
	entry?: unknown;
	description?: string;
}

/** Whether an item is what is expected: a list of what is not. Items are too many for one `expect` each. */
function differences(
	{ json, pairedItem }: INodeExecutionData,
	{ address, errorClass, entry }: Expected,
	from: number,
	jobId: string | undefined,
): string[] {
	const { error, details = {} } = json as { error?: string; details?: Details };
	const wrong: Array<[string, boolean]> = [
		['pairedItem', JSON.stringify(pairedItem) !== JSON.stringify({ item: from })],
	];
	if (errorClass === undefined) {
		wrong.push(
			['error', error !== undefined],
			['address', String(json['address']).toLowerCase() !== address!.toLowerCase()],
			['report_id', !reportIds(address!).includes(json['report_id'])],
			['risk', (json['risk'] as { score?: unknown }).score === undefined],
		);
	} else {
		wrong.push(
			['error', !/\w{3}/.test(error ?? '')],
			['itemIndex', details.itemIndex !== from],
			['errorClass', details.errorClass !== errorClass],
			['description', !/\w{3}/.test(details.description ?? '')],
			['report', 'report_id' in json],
		);
		if (errorClass !== 'invalid_input') {
			wrong.push(
				['details.address', details.address !== address],
				['job_id', details.job_id !== (errorClass === 'bad_request' ? undefined : jobId)],
				['job_ids', jobId !== undefined && !details.job_ids?.includes(jobId)],
				['entry', JSON.stringify(details.entry) !== JSON.stringify(entry)],
			);
		}
	}
	return wrong.filter(([, isWrong]) => isWrong).map(([what]) => what);
}

describe('any list of addresses', () => {
	let service: Service;

	beforeAll(async () => {
		service = await startService({
			sandbox: {
				jobDurationMs: 0,
				jobs: ({ addresses }) => fates[fateOf.get(addresses[0]) ?? 'well'],
			},
		});
	});
	afterAll(async () => await service.close());

	async function check(one: Case): Promise<void> {
		service.reset();
		const entries = entriesOf(one);
		const jobs = jobsOf(entries, one.fates);
		fateOf.clear();
		badAddresses.clear();
		for (const { addresses, fate } of jobs) {
			fateOf.set(addresses[0], fate);
			if (fate === 'with a bad address') badAddresses.add(addresses[badAt(addresses.length)]);
		}
		service.sandbox.addFault({
			when: ({ method, body }) => method === 'POST' && holdsBad(body),
			effect: { kind: 'answer', status: 422, body: '{"error":"no"}' },
		});

		const { status, items, hints } = await service.run(
			{
				...{ resource: 'bulkJob', operation: 'screenAndWait' },
				...(parametersOf(one) as object),
				options: { pollInterval: 0.01, maxRetries: 0, timeout: 0.2 },
			},
			{ input: inputOf(one, entries), onError: one.onError },
		);
		const isList = one.source === 'text' || one.source === 'array';
		const posts = service.sandbox.requests.filter(({ method }) => method === 'POST');
		const submissions = posts.filter(({ job_id }) => job_id !== undefined);

		// Each address is paid once, in one job, but for the bad ones, which are in none.
		expect(addressesIn(submissions)).toEqual(
			jobs
				.flatMap(({ addresses }) => addresses)
				.filter((address) => !badAddresses.has(address))
				.sort(),
		);
		const lists = posts.map(({ body }) => JSON.stringify(body));
		expect(new Set(lists).size).toBe(lists.length);
		expect(posts.length).toBeLessThanOrEqual(
			jobs.length + badAddresses.size * (2 * Math.log2(1000) + 2),
		);

		if (entries.length === 0) {
			// n8n does not run a node that gets no item.
			if (isList) expect(errorClassesOf(items)).toEqual(['invalid_input']);
			return;
		}
		expect(status).toBe('success');
		const expectations = new Map(
			jobs.flatMap((job) =>
				expectedOf(job).map(
					([address, expected]) =>
						[sameAs(address), { expected, first: job.addresses[0] }] as const,
				),
			),
		);
		const jobIds = new Map(submissions.map(({ body, job_id }) => [first(body), job_id]));
		const from = itemsOf(one, entries);
		const outcomes = entries.map(({ address }, index) => {
			const found = address === undefined ? undefined : expectations.get(sameAs(address));
			return {
				expected: found ? { ...found.expected, address } : { address, errorClass: 'invalid_input' },
				from: from[index]!,
				jobId: jobIds.get(found?.first),
			};
		});
		const failed = outcomes.filter(({ expected }) => expected.errorClass !== undefined);
		const parts =
			one.onError === 'continueErrorOutput'
				? [outcomes.filter(({ expected }) => expected.errorClass === undefined), failed]
				: [outcomes];

		expect(items.map(({ length }) => length)).toEqual(parts.map(({ length }) => length));
		parts.forEach((part, output) =>
			part.forEach(({ expected, from, jobId }, at) => {
				const item = items[output]![at]!;
				const wrong = differences(item, expected, from, jobId);
				if (wrong.length > 0) expect({ wrong, at, item, expected }).toMatchObject({ wrong: [] });
			}),
		);
		expect(hints).not.toHaveLength(0);
		if (failed.length > 0) {
			expect(hints[0]!.message).toMatch(new RegExp(`\\b${failed.length} address(es)? without`));
		}
	}

	it('ends with one report or error for each entry, in order, each address sent once', async () => {
		await fc.assert(fc.asyncProperty(cases, check), {
			numRuns: 15,
		});
	});
});

function addressesIn(requests: RequestRecord[]): string[] {
	return requests.flatMap(({ body }) => (body as { addresses: string[] }).addresses).sort();
}

function errorClassesOf(items: INodeExecutionData[][]): unknown[] {
	return items.flat().map(({ json }) => (json['details'] as Details).errorClass);
}
