/**
 * *Reconcile the Day*, *Seal the Day* and *Verify the Log* over many days, each with one planted difference. n8n's own nodes and
 * the nodes of this package run in n8n's engine in this process; the rows of data tables, mails and messages stay in memory. In
 * a real n8n: `theDay.ts`.
 */
import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { decide } from '../../../nodes/WalletScreening/policy/decision';
import { createEvidence } from '../../../nodes/WalletScreening/policy/evidence';
import { readPolicy } from '../../../nodes/WalletScreening/policy/policy';
import { type Report, reportOn } from '../../../sandbox/reports';
import { createEngine, type Engine } from '../../../tools/host/engine';
import { readTemplate } from '../../../tools/trial/templates';
import { addressNumber } from '../../support/addresses';
import { createDataTables, type DataTables, type Row } from '../../support/dataTables';
import { nodesOfN8n } from '../../support/n8nNodes';
import { numbersFrom, seed } from '../../support/random';

/** How many days: `DAYS=1000` for the long run. */
const days = Number(process.env.DAYS ?? 24);

const own = ['set', 'filter', 'splitOut', 'crypto', 'convertToFile', 'dataTable'];
/** What a workflow gave to another one, or to the mail. */
let told: IDataObject[];
let mails: Array<{ subject: string; file: string }>;
let isMailDown: boolean;
let tables: DataTables;
let engine: Engine;

/** The tables of *Set Up*, with their columns. */
const columns = Object.fromEntries(
	readTemplate('set-up')
		.nodes.filter(({ parameters }) => parameters.operation === 'create')
		.map(({ parameters: { tableName, columns: made } }) => [
			tableName as string,
			(made as { column: Array<{ name: string; type: string }> }).column,
		]),
);

/** A node that only takes what comes, and gives it on. */
function standIn(
	name: string,
	take: (items: INodeExecutionData[], context: any) => unknown,
	properties: string[] = [],
	inputs = ['main'],
) {
	return {
		description: {
			displayName: name,
			name,
			description: name,
			version: [1, 1.1, 1.2, 2.1, 2.6],
			group: [],
			defaults: { name },
			inputs,
			outputs: ['main'],
			properties: properties.map((one) => ({
				displayName: one,
				name: one,
				type: 'string',
				default: '',
			})),
		},
		async execute(this: any) {
			const items = this.getInputData() as INodeExecutionData[];
			await take(items, this);
			return [items];
		},
	} as never;
}

beforeAll(async () => {
	jest.useFakeTimers({
		doNotFake: [
			'nextTick',
			'setImmediate',
			'setTimeout',
			'setInterval',
			'queueMicrotask',
			'performance',
			'clearTimeout',
			'clearInterval',
			'clearImmediate',
			'hrtime',
		],
	});
	const start = (name: string) => standIn(name, () => {}, [], []);
	const provider = new Proxy({} as DataTables['provider'], {
		get: (_, name) => tables.provider[name as keyof DataTables['provider']],
	});
	engine = await createEngine({
		dataTables: provider,
		nodeTypes: {
			...(await nodesOfN8n(...own)),
			'n8n-nodes-base.executeWorkflowTrigger': start('When Called'),
			'n8n-nodes-base.scheduleTrigger': start('Schedule'),
			'n8n-nodes-base.formTrigger': start('Form'),
			'n8n-nodes-base.executeWorkflow': standIn('Execute Sub-workflow', (items) => {
				told.push(...items.map(({ json }) => json));
			}),
			'n8n-nodes-base.emailSend': standIn(
				'Send Email',
				async (_, context) => {
					if (isMailDown) throw new Error('The mail server does not answer');
					const bytes = await context.helpers.getBinaryDataBuffer(0, 'data');
					mails.push({ subject: context.getNodeParameter('subject', 0), file: bytes.toString() });
				},
				['subject'],
			),
		},
	});
}, 600_000);
afterAll(async () => {
	jest.useRealTimers();
	await engine?.close();
});
beforeEach(() => {
	tables = createDataTables(columns);
	[told, mails, isMailDown] = [[], [], false];
});

/** Runs a template from one of its starts, with one item. */
async function run(file: string, from: string, json: IDataObject = {}) {
	const { nodes, connections } = readTemplate(file);
	const isStart = (name: string) =>
		!Object.values(connections).some(({ main }) => JSON.stringify(main).includes(`"${name}"`));
	const result = await engine.run(
		{
			nodes: nodes
				.filter(({ type }) => !type.endsWith('.stickyNote'))
				.map((node) => ({ ...node, disabled: isStart(node.name) && node.name !== from })),
			connections,
		},
		{ input: [json] },
	);
	if (result.error) throw result.error;
	return result;
}

const policy = readPolicy({
	name: 'Payments',
	version: 1,
	rules: [{ field: 'level', operator: 'equals', value: 'red', outcome: 'block' }],
});

/** A record as *Our Screening* writes it. */
function recordOf(
	reference: string,
	address: string,
	at: Date,
	more: IDataObject = {},
): IDataObject {
	const report: Report = { ...reportOn(address, 'ETH', 'https://example.com'), ...more };
	const decision = decide(report as never, policy, { at, chain: '', input: {} });
	const evidence = createEvidence({
		report,
		reference,
		screenedAt: at,
		decisionRecord: { decision, policy, at },
		package: 'test@1.0.0',
		workflowId: '1',
		executionId: '1',
	});
	return {
		reference,
		address,
		chain: report.chain,
		outcome: decision.outcome,
		sanctions: false,
		summary: decision.summary,
		level: report.risk.level,
		score: report.risk.score,
		report_id: report.report_id,
		report_url: report.report_url,
		policy: 'Payments',
		policy_version: '1',
		report: JSON.stringify(report),
		reasons: JSON.stringify(decision.reasons),
		evidence: JSON.stringify(evidence),
		createdAt: at as never,
	};
}

const failedRecord = (reference: string, at: Date): IDataObject => ({
	reference,
	address: 'two words',
	outcome: 'not screened',
	error_class: 'invalid_input',
	summary: 'The address has a space',
	error: 'The address has a space',
	createdAt: at as never,
});

/** Addresses whose report is green, or is not. */
const [green, red] = ['green', 'red'].map((level) => {
	const found: string[] = [];
	for (let n = 1; found.length < 60; n++) {
		const address = addressNumber(n * 7919 + 2 ** 40);
		if (reportOn(address, 'ETH', '').risk.level === level) found.push(address);
	}
	return found;
}) as [string[], string[]];

/** Days of zones in which clocks change, with what is in the ledger, what is in the log, and what a person has to be told. */
interface Day {
	day: string;
	zone: string;
	rows: IDataObject[];
	planted: { kind: string; reference: string } | undefined;
}

const zones = ['Europe/Zurich', 'America/New_York', 'Asia/Tokyo', 'UTC', 'Australia/Lord_Howe'];

/** Fills the tables with a day, its neighbours, and what is no difference; then plants one, or none. */
function plantLedger(index: number): Day {
	const next = numbersFrom(seed + index);
	const pick = <T>(list: readonly T[]): T => list[Math.floor(next() * list.length)]!;
	const zone = zones[index % zones.length]!;
	const begins = DateTime.fromISO('2025-01-01', { zone }).plus({ days: index });
	const ends = begins.plus({ days: 1 });
	const within = () => new Date(+begins + Math.floor(next() * (+ends - +begins)));
	const rows: IDataObject[] = [];
	const log: IDataObject[] = [];
	const payments: IDataObject[] = [];
	let number = 0;
	const pay = (paid: IDataObject = {}) => {
		const reference = `P-${index}-${++number}`;
		const amount = `${Math.floor(next() * 5000)}.${Math.floor(next() * 90 + 10)}`;
		const address = pick(green);
		const at = within();
		rows.push({ reference, address, chain: 'ETH', amount, ...paid });
		return { reference, address, at, amount, row: rows.at(-1)! };
	};
	const usual = Array.from({ length: 4 + Math.floor(next() * 8) }, () => {
		const one = pay();
		log.push({ ...recordOf(one.reference, one.address, one.at), amount: one.amount });
		return one;
	});

	// What is no difference.
	usual[0]!.row.address = usual[0]!.address.toUpperCase().replace('0X', '0x');
	usual[0]!.row.amount = `${usual[0]!.amount}0`;
	const again = pay({ amount: '7 ETH' });
	log.push(recordOf(again.reference, pick(red), new Date(+begins + 1)));
	log.push(recordOf(again.reference, again.address, new Date(+begins + 2)));
	log.push(recordOf(again.reference, pick(red), new Date(+ends + 1)));
	const earlier = pay();
	log.push(recordOf(earlier.reference, earlier.address, new Date(+begins - 3 * 86_400_000)));
	const released = pay();
	log.push(recordOf(released.reference, pick(red), released.at));
	released.row.address = log.at(-1)!.address;
	payments.push({
		reference: released.reference,
		address: released.row.address,
		amount: released.amount,
		status: 'released',
		released_at: released.at as never,
	});
	log.push(recordOf(`P-${index}-held`, pick(red), within()));
	payments.push({ reference: `P-${index}-held`, status: 'needs 2 people', amount: '1' });
	log.push({ ...recordOf(`P-${index}-nightly`, pick(green), within()), door: 'customer' });
	log.push(recordOf('C-17', pick(green), within()), recordOf('', pick(green), within()));
	const edges = [new Date(+begins - 1), new Date(+ends)];
	log.push(...edges.map((at, n) => recordOf(`P-${index}-edge-${n}`, pick(green), at)));
	rows.push({ reference: `P-${index}-later`, address: 'x', paid_at: ends.toISO() });

	const plants: Record<string, () => string> = {
		none: () => '',
		'Not in the ledger': () => {
			const [{ reference }] = rows.splice(pick([1, 2]), 1) as [{ reference: string }];
			return reference;
		},
		'Paid, not screened': () => pay().reference,
		'Paid, not screened: failed': () => {
			const { reference } = pay();
			log.push(failedRecord(reference, new Date(+begins)));
			return reference;
		},
		'Paid, not allowed': () => {
			const { reference, row } = pay();
			row.address = pick(red);
			log.push(recordOf(reference, row.address as string, new Date(+ends - 1)));
			return reference;
		},
		'Another amount': () => {
			usual[1]!.row.amount = `1${usual[1]!.amount}`;
			return usual[1]!.reference;
		},
		'Another address': () => {
			usual[2]!.row.address = addressNumber(index + 1);
			return usual[2]!.reference;
		},
		'Another chain': () => {
			usual[3]!.row.chain = 'TRON';
			return usual[3]!.reference;
		},
		'More than once in the ledger': () => {
			rows.push({ ...usual[1]!.row });
			return usual[1]!.reference;
		},
		'Another address: the last record counts': () => {
			// A later record of the day replaces the one that fits.
			log.push({
				...recordOf(
					usual[2]!.reference,
					green.find((one) => one !== usual[2]!.address)!,
					new Date(+ends - 1),
				),
				amount: usual[2]!.amount,
			});
			return usual[2]!.reference;
		},
	};
	const names = Object.keys(plants);
	const name = names[index % names.length]!;
	const reference = plants[name]!();
	tables.insert('Screening Results', ...log);
	const written = tables.insert('Screening Payments', ...payments);
	written.forEach((row) => (row.updatedAt = new Date(+begins + 5)));
	const kind = name.split(':')[0]!;
	const planted = name === 'none' ? undefined : { kind, reference };
	return { day: begins.toISODate()!, zone, rows, planted };
}

test(`of ${days} days, each planted difference of the ledger is named, and nothing else (TEST_SEED=${seed})`, async () => {
	for (let index = 0; index < days; index++) {
		tables = createDataTables(columns);
		told = [];
		const { day, zone, rows, planted } = plantLedger(index);
		const input = { day, zone, rows, begins_with: 'P-', by: 'ann@example.com' };
		const result = await run('reconcile-the-day-hold', 'When Called', input as never);
		const { title, differences } = result.itemsOf('Write the Message')[0]![0]!.json as unknown as {
			title: string;
			differences: Array<{ kind: string; reference: string }>;
		};
		const expected = planted ? [planted] : [];
		expect({
			index,
			found: differences.map(({ kind, reference }) => ({ kind, reference })),
		}).toEqual({
			index,
			found: expected,
		});
		expect(title).toBe(
			planted ? `The day does not add up: 1 difference on ${day}` : `The day adds up: ${day}`,
		);
		expect(told).toHaveLength(1);
		expect(told[0]!.text).toContain(planted?.reference ?? 'Payments in the ledger');
		expect(tables.rows('Screening Journal')).toMatchObject([{ subject: `Ledger of ${day}` }]);
	}
}, 3_000_000);

/** n8n's own zone where nothing else is set. */
const zone = 'America/New_York';

/** Lets the next day pass, with its records and answers, and seals it. */
async function sealNextDay(index: number) {
	const ends = DateTime.fromISO('2025-01-02', { zone }).plus({ days: index });
	const begins = ends.minus({ days: 1 });
	const at = (share: number) => new Date(+begins + Math.floor(share * (+ends - +begins - 1)));
	const count = 2 + (index % 5);
	const records = Array.from({ length: count }, (_, n) =>
		recordOf(
			`P-${index}-${n}`,
			n % 3 ? green[(index + n) % 60]! : red[(index + n) % 60]!,
			at(n / count),
		),
	);
	records.push(failedRecord(`P-${index}-${count}`, at(1)));
	const results = tables.insert('Screening Results', ...records);
	const [answer] = tables.insert('Screening Journal', {
		subject: `Payment P-${index}-0`,
		person: 'bob@example.com',
		answer: 'Reject it',
		reason: 'unknown to us',
		result: 'It counts.',
		execution: '1',
		createdAt: at(0.5) as never,
	});
	jest.setSystemTime(+ends + 20 * 60_000);
	await run('seal-the-day', 'Every Hour');
	return { day: begins.toISODate()!, results, answer: answer!, at: at(0.7) };
}

/** What *Verify the Log* finds on days, asked in its form. */
async function verify(from: string, more: IDataObject = {}) {
	const digest = /\w{64}/.exec(mails.at(-1)!.subject)![0];
	const result = await run('verify-the-log', 'When a Person Asks', { from, digest, ...more });
	const { title, text } = result.itemsOf('Write the Message')[0]![0]!.json as Record<
		string,
		string
	>;
	const { changed, seals, rows } = result.itemsOf('Result')[0]![0]!.json as unknown as {
		changed: Array<Record<'kind' | 'what' | 'says', string>>;
		seals: Array<Record<'what' | 'says', string>>;
		rows: number;
	};
	return { title: title!, text: text!, changed, seals, rows };
}

/** A change of the tables by a person, and what ends it. */
type Change = (day: Awaited<ReturnType<typeof sealNextDay>>) => { row: Row; undo: () => void };
const setting = (row: Row, values: IDataObject) => {
	const before = { ...row };
	Object.assign(row, values);
	return { row, undo: () => Object.assign(row, before) };
};
const remove = (name: string, row: Row) => {
	const rows = tables.rows(name);
	const at = rows.indexOf(row);
	rows.splice(at, 1);
	return { row, undo: () => rows.splice(at, 0, row) };
};
const add = (name: string, values: IDataObject) => {
	const [row] = tables.insert(name, values);
	return { row: row!, undo: () => tables.rows(name).splice(tables.rows(name).indexOf(row!), 1) };
};
const changes: Record<string, Change | undefined> = {
	none: undefined,
	'Edited: outcome': ({ results }) => setting(results[0]!, { outcome: 'allow' }),
	'Edited: level': ({ results }) => setting(results[1]!, { level: 'amber' }),
	'Edited: report': ({ results }) =>
		setting(results[1]!, { report: String(results[1]!.report).replace('ETH', 'BTC') }),
	'Edited: evidence': ({ results }) =>
		setting(results[1]!, { evidence: String(results[1]!.evidence).replace('"allow"', '"block"') }),
	'Edited: a record replaced whole': ({ results }) => {
		const { reference, createdAt } = results[0]!;
		const { createdAt: _, ...other } = recordOf(String(reference), green[7]!, createdAt);
		return setting(results[0]!, other);
	},
	'Edited: error': ({ results }) => setting(results.at(-1)!, { error: 'The service was down' }),
	'Removed: result': ({ results }) => remove('Screening Results', results[0]!),
	'Added: result': ({ at }) => add('Screening Results', recordOf('P-new', green[3]!, at)),
	'Edited: answer': ({ answer }) => setting(answer, { answer: 'Release it' }),
	'Removed: answer': ({ answer }) => remove('Screening Journal', answer),
	'Added: answer': ({ answer, at }) =>
		add('Screening Journal', { subject: answer.subject, person: 'eve', createdAt: at as never }),
};

test(`of ${days} sealed days, each change of a row is named, and nothing else`, async () => {
	for (let index = 0; index < days; index++) {
		const day = await sealNextDay(index);
		const seals = tables.rows('Screening Seals');
		expect(seals).toHaveLength(index + 1);
		expect(mails).toHaveLength(index + 1);
		const { subject, file } = mails.at(-1)!;
		const digest = createHash('sha256').update(file).digest('hex');
		expect(subject).toBe(`Seal of ${day.day}: ${digest}`);
		const before = index ? (seals.at(-2)!.digest as string) : 'none';
		expect(JSON.parse(file.split('\n')[0]!)).toMatchObject({ seal_of: day.day, previous: before });
		expect(seals.at(-1)).toMatchObject({ day: day.day, digest, file });

		const names = Object.keys(changes);
		const name = names[index % names.length]!;
		const change = changes[name]?.(day);
		const journal = tables.rows('Screening Journal').length;
		const found = await verify(day.day);
		const table = change?.row.subject ? 'Screening Journal' : 'Screening Results';
		const where = new RegExp(`^${table} row ${change?.row.id}\\b`);
		const named = [{ kind: name.split(':')[0], what: expect.stringMatching(where) as string }];
		expect({ index, ...found }).toMatchObject({ index, seals: [], changed: change ? named : [] });
		expect(found.title).toMatch(
			change ? /^The log was changed: 1 finding,/ : /^The log is as it was/,
		);
		expect(tables.rows('Screening Journal')).toHaveLength(journal + 1);
		change?.undo();
	}
	const first = DateTime.fromISO('2025-01-01', { zone });
	const last = first.plus({ days: days - 1 }).toISODate()!;
	expect(await verify('2025-01-01', { to: last })).toMatchObject({ changed: [], seals: [] });
	const sample = await verify('2025-01-01', { to: last, count: '2' });
	expect(sample).toMatchObject({ changed: [], seals: [], rows: 2 * days });
}, 3_000_000);

test('a seal that is changed, made anew, missing or not that of the second mailbox is named', async () => {
	const all = [];
	for (let index = 0; index < 5; index++) all.push(await sealNextDay(index));
	const seals = tables.rows('Screening Seals');
	const whole = { to: '2025-01-05' };
	const [, second, third, , fifth] = seals as [Row, Row, Row, Row, Row];
	expect(await verify('2025-01-01', whole)).toMatchObject({ changed: [], seals: [] });

	const edited = setting(third, { file: String(third.file).replace('"block"', '"allow"') });
	expect((await verify('2025-01-01', whole)).seals).toMatchObject([{ what: '2025-01-03' }]);
	// A person who can compute digests, too: the next seal holds another one.
	const anew = createHash('sha256').update(String(third.file)).digest('hex');
	const forged = setting(third, { digest: anew });
	expect((await verify('2025-01-01', whole)).seals).toMatchObject([{ what: '2025-01-04' }]);
	forged.undo();
	edited.undo();
	const another = setting(fifth, { ...fifth, ends: fifth.ends, results: 99 });
	expect((await verify('2025-01-01', whole)).seals).toMatchObject([{ what: '2025-01-05' }]);
	another.undo();
	const gone = remove('Screening Seals', second);
	expect((await verify('2025-01-01', whole)).seals[0]).toMatchObject({ what: '2025-01-03' });
	gone.undo();
	const digest = '0'.repeat(64);
	const { seals: found, title } = await verify('2025-01-01', { ...whole, digest });
	expect(found).toMatchObject([
		{ what: '2025-01-05', says: expect.stringContaining('second mailbox') },
	]);
	expect(title).toMatch(/^The log was changed/);
	expect((await verify('2024-12-30', whole)).seals).toMatchObject([{ what: '2024-12-30' }]);
	expect((await verify('2025-01-01', { to: '2025-01-07' })).seals).toMatchObject([
		{ what: '2025-01-07' },
	]);
	expect((await verify('2030-01-01')).seals[0]?.says).toBe('No day is sealed.');
});

test('what was not mailed is not sealed, and days on which n8n did not run are sealed later, each once', async () => {
	isMailDown = true;
	const message = expect.stringContaining('does not answer');
	await expect(sealNextDay(0)).rejects.toMatchObject({ message });
	expect(tables.rows('Screening Seals')).toEqual([]);
	isMailDown = false;
	await run('seal-the-day', 'Every Hour');
	jest.setSystemTime(DateTime.fromISO('2025-01-05T03:20', { zone }).toMillis());
	for (let hour = 0; hour < 5; hour++) await run('seal-the-day', 'Every Hour');
	const sealed = tables.rows('Screening Seals').map(({ day }) => day);
	expect(sealed).toEqual(['2025-01-01', '2025-01-02', '2025-01-03', '2025-01-04']);
	expect(mails).toHaveLength(4);
});

test('the quarterly run verifies a sample of the quarter before', async () => {
	for (let index = 0; index < 3; index++) await sealNextDay(index);
	jest.setSystemTime(DateTime.fromISO('2025-04-05T07:00', { zone }).toMillis());
	await run('verify-the-log', 'Every Quarter');
	expect(told[0]!.title).toMatch(/finding.*2025-01-01 to 2025-03-31$/);
	// The seals end on the third day.
	expect(told[0]!.text).toMatch(/^Seal: 2025-03-31: The last seal is of 2025-01-03\./);
	expect(told[0]!.text).toMatch(/Rows verified: 1[0-5], a sample of 5 of each day/);
});

test('Seal the Day and Verify the Log write a line in the same way', () => {
	const lineOf = (file: string) =>
		/row => JSON\.stringify\(row\.subject .*? undefined\)/.exec(
			JSON.stringify(readTemplate(file).nodes).replaceAll('\\"', '"'),
		)?.[0];
	expect(lineOf('seal-the-day')).toHaveLength(String(lineOf('verify-the-log')).length);
	expect(lineOf('seal-the-day')).toBe(lineOf('verify-the-log'));
});
