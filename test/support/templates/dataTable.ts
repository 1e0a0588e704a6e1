import type { IDataObject } from 'n8n-workflow';
import { dataOf } from '../../../tools/host/rest';
import { pathOfTable } from '../../../tools/trial/tables';
import { stage } from './stage';

interface Condition {
	readonly columnName: string;
	readonly condition: 'eq' | 'lte' | 'gt';
	readonly value: string | number;
}

/** Returns the condition that a column has this value. */
export const where = (columnName: string, value: string): Condition[] => [
	{ columnName, condition: 'eq', value },
];
const everyRow: Condition[] = [{ columnName: 'id', condition: 'gt', value: 0 }];

/** The most rows that n8n gives, and this file sends, in one request. */
const maxRowsAtOnce = 250;

/** A data table that *Set Up* has made. Its requests are those of n8n's owner. */
export interface DataTable {
	/** Reads all rows, from every page. */
	rows<T extends IDataObject>(): Promise<T[]>;
	insert(...rows: IDataObject[]): Promise<void>;
	/** Sets these fields in every row, or in those for which all conditions hold. */
	setAll(fields: IDataObject, conditions?: Condition[]): Promise<void>;
	/** Deletes every row, or those for which all conditions hold. */
	clear(conditions?: Condition[]): Promise<void>;
}

/** Returns the data table with this name. */
export function table(name: string): DataTable {
	const path = async () => await pathOfTable(stage.rest, name);
	const filterOf = (filters: Condition[]) => ({ type: 'and', filters });
	return {
		async rows<T extends IDataObject>(): Promise<T[]> {
			const rows: T[] = [];
			for (;;) {
				const query = `take=${maxRowsAtOnce}&skip=${rows.length}`;
				const answer = stage.rest('GET', `${await path()}/rows?${query}`);
				const { data } = await dataOf<{ data: T[] }>(answer);
				rows.push(...data);
				if (data.length < maxRowsAtOnce) return rows;
			}
		},
		async insert(...rows: IDataObject[]) {
			for (let start = 0; start < rows.length; start += maxRowsAtOnce) {
				const data = rows.slice(start, start + maxRowsAtOnce);
				await stage.rest('POST', `${await path()}/insert`, { data, returnType: 'count' });
			}
		},
		async setAll(data: IDataObject, filters = everyRow) {
			await stage.rest('PATCH', `${await path()}/rows`, { filter: filterOf(filters), data });
		},
		async clear(filters = everyRow) {
			const filter = encodeURIComponent(JSON.stringify(filterOf(filters)));
			await stage.rest('DELETE', `${await path()}/rows?filter=${filter}`);
		},
	};
}
