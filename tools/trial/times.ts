import { createRequire } from 'node:module';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { installN8n } from '../host/install';
import type { N8n } from '../host/instance';
import { defaultN8nVersion } from '../host/versions';

/** The part of n8n's library `sqlite3` that is used here. */
interface Database {
	all(sql: string, values: object, done: (error: Error | null, rows: never) => void): void;
	configure(option: 'busyTimeout', ms: number): void;
	close(done: (error: Error | null) => void): void;
}

const dayMs = 24 * 60 * 60 * 1000;
/** The beginning of 1970 as a Julian day, which SQLite counts in. */
const julian1970 = 2_440_587.5;
const deadlineColumn = 'report_until';

/** The times in n8n's data tables, which no one can change in n8n itself. */
export interface TableTimes {
	/** Empties the deadlines, which n8n then computes from the days of the cases. */
	forgetDeadlines(): Promise<void>;
	/**
	 * Shifts all times in the tables since `from` by `by` milliseconds. Deadlines stay,
	 * because n8n counts them in business days.
	 *
	 * @param from milliseconds since 1970
	 */
	shiftAllSince(from: number, by: number): Promise<void>;
	close(): Promise<void>;
}

export async function openTimes({ userFolder }: Pick<N8n, 'userFolder'>): Promise<TableTimes> {
	const { folder } = await installN8n(defaultN8nVersion);
	const sqlite = createRequire(join(folder, 'node_modules/n8n/package.json'))('sqlite3') as {
		Database: new (path: string) => Database;
	};
	const database = new sqlite.Database(join(userFolder, '.n8n', 'database.sqlite'));
	database.configure('busyTimeout', 10_000);
	const all = promisify(database.all.bind(database)) as (
		sql: string,
		values?: object,
	) => Promise<Array<Record<'table' | 'column', string>>>;

	const columnsOf = async (name: string) =>
		await all(
			`SELECT tables.name AS "table", columns.name AS "column"
			FROM sqlite_master AS tables, pragma_table_info(tables.name) AS columns
			WHERE tables.name LIKE 'data_table_user_%' AND columns.type LIKE 'datetime%'
			AND columns.name LIKE $name`,
			{ $name: name },
		);

	return {
		async forgetDeadlines() {
			for (const { table, column } of await columnsOf(deadlineColumn))
				await all(`UPDATE "${table}" SET "${column}" = NULL`);
		},
		async shiftAllSince(from, by) {
			const values = { $from: from / dayMs + julian1970, $by: by / dayMs };
			const columns = await columnsOf('%');
			for (const { table, column } of columns.filter((one) => one.column !== deadlineColumn)) {
				await all(
					`UPDATE "${table}" SET "${column}" = strftime('%Y-%m-%d %H:%M:%f', julianday("${column}") + $by)
					WHERE julianday("${column}") >= $from`,
					values,
				);
			}
		},
		close: promisify(database.close.bind(database)),
	};
}
