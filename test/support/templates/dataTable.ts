import type { IDataObject } from 'n8n-workflow';
import { dataOf } from '../../../tools/host/rest';
import { pathOfTable } from '../../../tools/trial/tables';
import { stage } from './stage';

interface Condition {
	readonly columnName: string;
	readonly condition: 'eq' | 'lte' | 'gt';
	readonly value: string | number;
}

/** The row in which a column has this value. */
export const where = (columnName: string, value: string): Condition[] => [
	{ columnName, condition: 'eq', value },
];
const everyRow: Condition[] = [{ columnName: 'id', condition: 'gt', value: 0 }];

/** The most that n8n gives at once. */
const page = 250;

/** A data table of n8n that Set Up made, as its owner sees it. */
export interface DataTable {
	/** All rows, however many pages n8n gives them in. */
	rows<T extends IDataObject>(): Promise<T[]>;
	insert(...rows: IDataObject[]): Promise<void>;
	/** Sets these fields in every row, or in those that all conditions hold for. */
	setAll(fields: IDataObject, conditions?: Condition[]): Promise<void>;
	/** Deletes every row, or those that all conditions hold for. */
	clear(conditions?: Condition[]): Promise<void>;
}

/** The data table of this name. */
export function table(name: string): DataTable {
	const path = async () => await pathOfTable(stage.rest, name);
	const all = { type: 'and', filters: everyRow };
	return {
		async rows<T extends IDataObject>(): Promise<T[]> {
			const rows: T[] = [];
			for (;;) {
				const query = `take=${page}&skip=${rows.length}`;
				const answer = stage.rest('GET', `${await path()}/rows?${query}`);
				const { data } = await dataOf<{ data: T[] }>(answer);
				rows.push(...data);
				if (data.length < page) return rows;
			}
		},
		async insert(...data: IDataObject[]) {
			for (let start = 0; start < data.length; start += page) {
				const some = data.slice(start, start + page);
				await stage.rest('POST', `${await path()}/insert`, { data: some, returnType: 'count' });
			}
		},
		async setAll(data: IDataObject, filters = everyRow) {
			await stage.rest('PATCH', `${await path()}/rows`, { filter: { ...all, filters }, data });
		},
		async clear(filters = everyRow) {
			const filter = encodeURIComponent(JSON.stringify({ ...all, filters }));
			await stage.rest('DELETE', `${await path()}/rows?filter=${filter}`);
		},
	};
}
