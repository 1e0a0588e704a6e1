import type { IDataObject } from 'n8n-workflow';

export type Row = IDataObject & { id: number; createdAt: Date; updatedAt: Date };

interface Condition {
	columnName: string;
	condition: string;
	value: unknown;
}
interface Selection {
	filter?: { type: 'and' | 'or'; filters: Condition[] };
	sortBy?: [string, 'ASC' | 'DESC'];
	skip?: number;
	take?: number;
}
interface Column {
	name: string;
	type: string;
}

/** Returns a value to compare a cell by: the milliseconds of a time, and null for a missing value. */
const comparableOf = (value: unknown) =>
	value instanceof Date ? value.getTime() : (value ?? null);

const conditions: Record<string, (cell: any, value: any) => boolean> = {
	eq: (cell, value) => cell === value,
	neq: (cell, value) => cell !== value,
	gt: (cell, value) => cell !== null && cell > value,
	gte: (cell, value) => cell !== null && cell >= value,
	lt: (cell, value) => cell !== null && cell < value,
	lte: (cell, value) => cell !== null && cell <= value,
	isEmpty: (cell) => cell === null || cell === '',
	isNotEmpty: (cell) => cell !== null && cell !== '',
	/** @throws for a pattern that is not a text with `%` at its end */
	like(cell, value: string) {
		const [, beginning] = /^([^%_]*)%$/.exec(value) ?? [];
		if (beginning === undefined) throw new Error(`The pattern ${value} is not supported`);
		return typeof cell === 'string' && cell.startsWith(beginning);
	},
};

/** n8n's data tables in memory, with the methods that n8n's own Data Table node calls. */
export interface DataTables {
	/**
	 * The part of an execution's data through which nodes reach the tables, shaped as n8n's server
	 * shapes it.
	 */
	readonly provider: object;
	/** Returns the rows themselves, not copies: a test may change them, as a user may edit a table. */
	rows(table: string): Row[];
	/** Adds rows. @returns the rows themselves, as `rows` does */
	insert(table: string, ...rows: IDataObject[]): Row[];
}

export function createDataTables(columnsByTable: Record<string, Column[]>): DataTables {
	const tables = new Map<string, Table>();
	let lastId = 0;
	const addTable = (name: string, columns: Column[]) =>
		tables.set(name, new Table(columns, () => ++lastId));
	for (const [name, columns] of Object.entries(columnsByTable)) addTable(name, columns);

	const tableOf = (name: string) => {
		const found = tables.get(name);
		if (!found) throw new Error(`No table ${name}`);
		return found;
	};
	const aggregate = {
		async getManyAndCount({ filter }: { filter: { name: string } }) {
			const data = [...tables.keys()]
				.filter((name) => name.toLowerCase() === filter.name.toLowerCase())
				.map((name) => ({ id: name, name }));
			return { data, count: data.length };
		},
		async createDataTable({ name, columns }: { name: string; columns: Column[] }) {
			addTable(name, columns);
			return { id: name, name };
		},
	};
	return {
		provider: {
			getDataTableAggregateProxy: async () => aggregate,
			getDataTableProxy: async (_workflow: unknown, _node: unknown, id: string) =>
				proxyOf(tableOf(id)),
		},
		rows: (name) => tableOf(name).rows,
		insert: (name, ...rows) => tableOf(name).insert(rows),
	};
}

class Table {
	readonly rows: Row[] = [];

	constructor(
		readonly columns: readonly Column[],
		private readonly nextId: () => number,
	) {}

	insert(newRows: readonly IDataObject[]): Row[] {
		const now = new Date();
		const added = newRows.map((values): Row => {
			const cells = this.columns.map((column) => [
				column.name,
				cellOf(values[column.name], column),
			]);
			const { createdAt = now } = values as Partial<Row>;
			return { ...Object.fromEntries(cells), id: this.nextId(), createdAt, updatedAt: createdAt };
		});
		this.rows.push(...added);
		return added;
	}

	/** Writes these cells into the selected rows. @returns the rows */
	update(selection: Selection, data: IDataObject): Row[] {
		const cells = this.columns
			.filter((column) => column.name in data)
			.map((column) => [column.name, cellOf(data[column.name], column)]);
		const changed = { ...Object.fromEntries(cells), updatedAt: new Date() };
		return this.select(selection).map((row) => Object.assign(row, changed));
	}

	/** Returns the rows that the filter of a selection lets through. */
	select({ filter }: Selection): Row[] {
		const tests = filter?.filters ?? [];
		const isMet = (row: Row) => (test: Condition) => {
			const cell = row[test.columnName];
			const isTime = cell instanceof Date && typeof test.value === 'string';
			const value = isTime ? new Date(test.value as string) : test.value;
			const condition = conditions[test.condition];
			if (!condition) throw new Error(`The condition ${test.condition} is not supported`);
			return condition(comparableOf(cell), comparableOf(value));
		};
		return this.rows.filter((row) =>
			filter?.type === 'or' ? tests.some(isMet(row)) : tests.every(isMet(row)),
		);
	}
}

/** Returns the cell for a value: a text in a column of times becomes a time. */
const cellOf = (value: unknown, { type }: Column) =>
	type === 'date' && typeof value === 'string' ? new Date(value) : (value ?? null);

/** Compares two cells as SQLite does: an empty one comes first. */
function compareCells(first: any, second: any): number {
	if (first === second) return 0;
	if (first === null || second === null) return first === null ? -1 : 1;
	return first < second ? -1 : 1;
}

const copyOf = (row: Row) => ({ ...row });

/**
 * Returns the methods that n8n's Data Table node calls. The node gets copies, as from a database.
 */
const proxyOf = (table: Table) => ({
	getColumns: async () => table.columns,
	async getManyRowsAndCount(selection: Selection) {
		const [column, direction] = selection.sortBy ?? ['id', 'ASC'];
		const sign = direction === 'ASC' ? 1 : -1;
		const found = table
			.select(selection)
			.sort(
				(first, second) =>
					sign * compareCells(comparableOf(first[column]), comparableOf(second[column])),
			);
		const { skip = 0, take = found.length } = selection;
		return { count: found.length, data: found.slice(skip, skip + take).map(copyOf) };
	},
	insertRows: async (rows: IDataObject[]) => table.insert(rows).map(copyOf),
	updateRows: async ({ data, ...selection }: Selection & { data: IDataObject }) =>
		table.update(selection, data).map(copyOf),
	async upsertRow({ data, ...selection }: Selection & { data: IDataObject }) {
		const changed = table.update(selection, data);
		return (changed.length > 0 ? changed : table.insert([data])).map(copyOf);
	},
});
