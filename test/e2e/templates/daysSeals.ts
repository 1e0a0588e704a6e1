import { createHash } from 'node:crypto';
import { DateTime } from 'luxon';
import type { IDataObject } from 'n8n-workflow';
import { readTemplate } from '../../../tools/trial/templates';
import type { Row } from '../../support/engine/dataTables';
import type { DailyWorkflows } from '../../support/templates/dailyWorkflows';
import {
	failedRecord,
	recordedGreenAddresses,
	recordOf,
	redAddresses,
} from '../../support/templates/dailyRecords';

/** n8n's own zone where nothing else is set. */
const zone = 'America/New_York';

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex');

/** A day that is sealed, with the rows that it left in the tables. */
interface SealedDay {
	readonly day: string;
	readonly results: readonly Row[];
	/** The answer of a person, in the journal. */
	readonly answer: Row;
	/** A time of the day. */
	readonly at: Date;
}

/** Lets a day pass, counted from 0, with its records and an answer, and seals it. */
async function sealDay(workflows: DailyWorkflows, index: number): Promise<SealedDay> {
	const begins = DateTime.fromISO('2025-01-01', { zone }).plus({ days: index });
	const ends = begins.plus({ days: 1 });
	const at = (share: number) => new Date(+begins + Math.floor(share * (+ends - +begins - 1)));
	const count = 2 + (index % 5);
	const records = Array.from({ length: count }, (_, n) => {
		const addresses = n % 3 ? recordedGreenAddresses : redAddresses;
		return recordOf(`P-${index}-${n}`, addresses[(index + n) % addresses.length]!, at(n / count));
	});
	records.push(failedRecord(`P-${index}-${count}`, at(1)));
	const results = workflows.tables.insert('Screening Results', ...records);
	const [answer] = workflows.tables.insert('Screening Journal', {
		subject: `Payment P-${index}-0`,
		person: 'bob@example.com',
		answer: 'Reject it',
		reason: 'unknown to us',
		result: 'It counts.',
		execution: '1',
		createdAt: at(0.5) as never,
	});
	jest.setSystemTime(+ends + 20 * 60_000);
	await workflows.run('seal-the-day', 'Every Hour');
	return { day: begins.toISODate()!, results, answer: answer!, at: at(0.7) };
}

/** What *Verify the Log* says. */
interface Verification {
	readonly title: string;
	readonly text: string;
	/** The rows that differ from the seals. */
	readonly changed: ReadonlyArray<Record<'kind' | 'what' | 'says', string>>;
	/** The seals that are wrong. */
	readonly seals: ReadonlyArray<Record<'what' | 'says', string>>;
	/** How many rows it read. */
	readonly rows: number;
}

/**
 * Verifies days, asked in the form: from this one to `more.to`, under the digest of the day in the
 * last mail.
 */
async function verify(
	workflows: DailyWorkflows,
	from: string,
	more: IDataObject = {},
): Promise<Verification> {
	const digest = /^\w{64}$/m.exec(workflows.mails.at(-1)!.text)![0];
	const asked = { from, digest, ...more };
	const result = await workflows.run('verify-the-log', 'When a Person Asks', asked);
	const [[message], [found]] = ['Write the Message', 'Result'].map(
		(node) => result.itemsOf(node)[0]!,
	) as [[{ json: IDataObject }], [{ json: IDataObject }]];
	return { ...message.json, ...found.json } as unknown as Verification;
}

/** A row that a person changed, removed or added in n8n, and what ends that. */
interface Edit {
	readonly row: Row;
	undo(): void;
}

function edit(row: Row, values: IDataObject): Edit {
	const before = { ...row };
	Object.assign(row, values);
	return { row, undo: () => void Object.assign(row, before) };
}

function remove({ tables }: DailyWorkflows, table: string, row: Row): Edit {
	const rows = tables.rows(table);
	const place = rows.indexOf(row);
	rows.splice(place, 1);
	return { row, undo: () => void rows.splice(place, 0, row) };
}

function add({ tables }: DailyWorkflows, table: string, values: IDataObject): Edit {
	const [row] = tables.insert(table, values) as [Row];
	const rows = tables.rows(table);
	return { row, undo: () => void rows.splice(rows.indexOf(row), 1) };
}

/** What a person does to the rows of a sealed day, by the kind and the name of it. */
const edits: Record<string, ((day: SealedDay, workflows: DailyWorkflows) => Edit) | undefined> = {
	none: undefined,
	'Edited: outcome': ({ results }) => edit(results[0]!, { outcome: 'allow' }),
	'Edited: level': ({ results }) => edit(results[1]!, { level: 'amber' }),
	'Edited: report': ({ results }) =>
		edit(results[1]!, { report: String(results[1]!.report).replace('ETH', 'BTC') }),
	'Edited: evidence': ({ results }) =>
		edit(results[1]!, { evidence: String(results[1]!.evidence).replace('"allow"', '"block"') }),
	'Edited: a record replaced whole': ({ results }) => {
		const { reference, createdAt } = results[0]!;
		const { createdAt: _, ...other } = recordOf(
			String(reference),
			recordedGreenAddresses[7]!,
			createdAt,
		);
		return edit(results[0]!, other);
	},
	'Edited: error': ({ results }) => edit(results.at(-1)!, { error: 'The service was down' }),
	'Removed: result': ({ results }, workflows) =>
		remove(workflows, 'Screening Results', results[0]!),
	'Added: result': ({ at }, workflows) =>
		add(workflows, 'Screening Results', recordOf('P-new', recordedGreenAddresses[3]!, at)),
	'Edited: answer': ({ answer }) => edit(answer, { answer: 'Release it' }),
	'Removed: answer': ({ answer }, workflows) => remove(workflows, 'Screening Journal', answer),
	'Added: answer': ({ answer, at }, workflows) =>
		add(workflows, 'Screening Journal', {
			subject: answer.subject,
			person: 'eve',
			createdAt: at as never,
		}),
};

/** Expects that the newest seal was mailed, and follows on the one before it. */
function expectSeal({ tables, mails }: DailyWorkflows, { day }: SealedDay, index: number): void {
	const seals = tables.rows('Screening Seals');
	expect(seals).toHaveLength(index + 1);
	expect(mails).toHaveLength(index + 1);
	const { subject, text, file } = mails.at(-1)!;
	const date = DateTime.fromISO(day).toFormat('d MMM yyyy');
	const { results } = JSON.parse(file.split('\n')[0]!) as { results: number };
	expect(subject).toBe(`Seal of ${date}: ${results} results (${sha256(file).slice(0, 12)})`);
	expect(text.split('\n')).toContain(sha256(file));
	const previous = index ? seals.at(-2)!.digest : 'none';
	expect(JSON.parse(file.split('\n')[0]!)).toMatchObject({ seal_of: day, previous });
	expect(seals.at(-1)).toMatchObject({ day, digest: sha256(file), file });
}

/** *Seal the Day* and *Verify the Log*. */
export function sealTests(workflowsOf: () => DailyWorkflows, days: number): void {
	let workflows: DailyWorkflows;
	beforeEach(() => void (workflows = workflowsOf()));

	test(`of ${days} sealed days, each change of a row is named, and nothing else`, async () => {
		const names = Object.keys(edits);
		for (let index = 0; index < days; index++) {
			const day = await sealDay(workflows, index);
			expectSeal(workflows, day, index);
			const name = names[index % names.length]!;
			const edited = edits[name]?.(day, workflows);
			const journal = workflows.tables.rows('Screening Journal').length;
			const found = await verify(workflows, day.day);
			const table = edited?.row.subject ? 'Screening Journal' : 'Screening Results';
			const what = new RegExp(`^${table} row ${edited?.row.id}\\b`);
			const named = [{ kind: name.split(':')[0], what: expect.stringMatching(what) as string }];
			expect({ index, name, ...found }).toMatchObject({
				index,
				name,
				seals: [],
				changed: edited ? named : [],
			});
			expect(found.title).toMatch(
				edited ? /^The log was changed: 1 finding,/ : /^The log is as it was/,
			);
			expect(workflows.tables.rows('Screening Journal')).toHaveLength(journal + 1);
			edited?.undo();
		}
		const to = DateTime.fromISO('2025-01-01', { zone })
			.plus({ days: days - 1 })
			.toISODate()!;
		const all = await verify(workflows, '2025-01-01', { to });
		expect(all).toMatchObject({ changed: [], seals: [] });
		const sample = await verify(workflows, '2025-01-01', { to, count: '2' });
		expect(sample).toMatchObject({ changed: [], seals: [], rows: 2 * days });
	}, 3_000_000);

	describe('of five days', () => {
		let seals: Row[];
		beforeEach(async () => {
			for (let index = 0; index < 5; index++) await sealDay(workflows, index);
			seals = workflows.tables.rows('Screening Seals');
		});
		const wrongSeals = async (more: IDataObject = {}, from = '2025-01-01') =>
			(await verify(workflows, from, { to: '2025-01-05', ...more })).seals;

		test('no seal is wrong', async () => {
			expect(await verify(workflows, '2025-01-01', { to: '2025-01-05' })).toMatchObject({
				changed: [],
				seals: [],
			});
		});

		test('a seal whose file was edited is named', async () => {
			edit(seals[2]!, { file: String(seals[2]!.file).replace('"block"', '"allow"') });
			expect(await wrongSeals()).toMatchObject([{ what: '2025-01-03' }]);
		});

		test('the seal behind one that was made anew is named: it holds another digest', async () => {
			const file = String(seals[2]!.file).replace('"block"', '"allow"');
			edit(seals[2]!, { file, digest: sha256(file) });
			expect(await wrongSeals()).toMatchObject([{ what: '2025-01-04' }]);
		});

		test('a seal with another number of results is named', async () => {
			edit(seals[4]!, { results: 99 });
			expect(await wrongSeals()).toMatchObject([{ what: '2025-01-05' }]);
		});

		test('the seal behind one that is missing is named', async () => {
			remove(workflows, 'Screening Seals', seals[1]!);
			expect((await wrongSeals())[0]).toMatchObject({ what: '2025-01-03' });
		});

		test('the last seal is named if it is not that of the second mailbox', async () => {
			const digest = '0'.repeat(64);
			const found = await verify(workflows, '2025-01-01', { to: '2025-01-05', digest });
			expect(found.seals).toMatchObject([
				{ what: '2025-01-05', says: expect.stringContaining('second mailbox') },
			]);
			expect(found.title).toMatch(/^The log was changed/);
		});

		test('days before the first seal, and after the last one, are named', async () => {
			expect(await wrongSeals({}, '2024-12-30')).toMatchObject([{ what: '2024-12-30' }]);
			expect(await wrongSeals({ to: '2025-01-07' })).toMatchObject([{ what: '2025-01-07' }]);
			const { seals: none } = await verify(workflows, '2030-01-01');
			expect(none[0]?.says).toBe('No day is sealed.');
		});
	});

	test('what was not mailed is not sealed, and days on which n8n did not run are sealed later, each once', async () => {
		workflows.isMailDown = true;
		const message = expect.stringContaining('does not answer');
		await expect(sealDay(workflows, 0)).rejects.toMatchObject({ message });
		expect(workflows.tables.rows('Screening Seals')).toEqual([]);
		workflows.isMailDown = false;
		await workflows.run('seal-the-day', 'Every Hour');
		jest.setSystemTime(DateTime.fromISO('2025-01-05T03:20', { zone }).toMillis());
		for (let hour = 0; hour < 5; hour++) await workflows.run('seal-the-day', 'Every Hour');
		const sealed = workflows.tables.rows('Screening Seals').map(({ day }) => day);
		expect(sealed).toEqual(['2025-01-01', '2025-01-02', '2025-01-03', '2025-01-04']);
		expect(workflows.mails).toHaveLength(4);
	});

	test('the quarterly run verifies a sample of the quarter before', async () => {
		for (let index = 0; index < 3; index++) await sealDay(workflows, index);
		jest.setSystemTime(DateTime.fromISO('2025-04-05T07:00', { zone }).toMillis());
		await workflows.run('verify-the-log', 'Every Quarter');
		const [{ title, text }] = workflows.messages as [IDataObject];
		expect(title).toMatch(/finding.*2025-01-01 to 2025-03-31$/);
		// The seals end on the third day.
		expect(text).toMatch(
			/^To do: .*\n\nFound: .*\nNot sealed: 2025-03-31: The last seal is of 2025-01-03\./,
		);
		expect(text).toMatch(/Rows verified: 1[0-5], a sample of 5 of each day/);
	});

	test('Seal the Day and Verify the Log write a line in the same way', () => {
		// Each is formatted at its own depth, so blanks and the comma behind a last argument do not
		// count.
		const lineOf = (template: string) =>
			/\(row\)=>JSON\.stringify\(row\.subject.*?\(value\?\?undefined\)\)/.exec(
				JSON.stringify(readTemplate(template).nodes)
					.replaceAll('\\"', '"')
					.replace(/\\n|\s|,(?=[)}])/g, ''),
			)?.[0];
		expect(lineOf('seal-the-day')).toHaveLength(String(lineOf('verify-the-log')).length);
		expect(lineOf('seal-the-day')).toBe(lineOf('verify-the-log'));
	});
}
