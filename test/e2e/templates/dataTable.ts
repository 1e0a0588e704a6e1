import type { IDataObject } from 'n8n-workflow';
import { dataOf, type Rest } from '../../../tools/host/rest';

interface Condition {
	readonly columnName: string;
	readonly condition: 'eq' | 'lte' | 'gt';
	readonly value: string | number;
}

/** A data table of n8n, as its owner sees it. */
export interface DataTable {
	rows<T extends IDataObject>(): Promise<T[]>;
	insert(...rows: IDataObject[]): Promise<void>;
	/** Sets these fields in every row, or in those that all conditions hold for. */
	setAll(data: IDataObject, conditions?: Condition[]): Promise<void>;
	clear(): Promise<void>;
}

const everyRow: Condition = { columnName: 'id', condition: 'gt', value: 0 };
const filterOf = (filters: Condition[]) => ({ type: 'and', filters });

/** The most that n8n gives at once. */
const page = 250;

/** The data table of this name; `rest` is asked for anew each time, because n8n may have been started again. */
export function dataTable(rest: () => Rest, name: string): DataTable {
	const path = async () => {
		const query = `filter=${encodeURIComponent(JSON.stringify({ name }))}`;
		const { data } = await dataOf<{
			data: Array<{ id: string; name: string; projectId: string }>;
		}>(rest()('GET', `/data-tables-global?${query}`));
		const table = data.find((one) => one.name === name);
		if (!table) throw new Error(`n8n has no data table "${name}"`);
		return `/projects/${table.projectId}/data-tables/${table.id}`;
	};
	return {
		async rows<T>() {
			const rows: T[] = [];
			for (;;) {
				const query = `take=${page}&skip=${rows.length}`;
				const { data } = await dataOf<{ data: T[] }>(
					rest()('GET', `${await path()}/rows?${query}`),
				);
				rows.push(...data);
				if (data.length < page) return rows;
			}
		},
		async insert(...data) {
			for (let start = 0; start < data.length; start += page) {
				const some = data.slice(start, start + page);
				await rest()('POST', `${await path()}/insert`, { data: some, returnType: 'count' });
			}
		},
		async setAll(data, conditions = [everyRow]) {
			await rest()('PATCH', `${await path()}/rows`, { filter: filterOf(conditions), data });
		},
		async clear() {
			const filter = encodeURIComponent(JSON.stringify(filterOf([everyRow])));
			await rest()('DELETE', `${await path()}/rows?filter=${filter}`);
		},
	};
}
