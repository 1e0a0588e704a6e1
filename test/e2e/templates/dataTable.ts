import type { IDataObject } from 'n8n-workflow';
import { dataOf, type Rest } from '../../../host/rest';

/** How n8n names a data table: the output of its node that makes one. */
export interface TableName {
	readonly id: string;
	readonly projectId: string;
}

export interface Condition {
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

export function dataTable(rest: Rest, { projectId, id }: TableName): DataTable {
	const path = `/projects/${projectId}/data-tables/${id}`;
	return {
		async rows<T>() {
			const rows: T[] = [];
			for (;;) {
				const query = `take=${page}&skip=${rows.length}`;
				const { data } = await dataOf<{ data: T[] }>(rest('GET', `${path}/rows?${query}`));
				rows.push(...data);
				if (data.length < page) return rows;
			}
		},
		async insert(...data) {
			await rest('POST', `${path}/insert`, { data, returnType: 'id' });
		},
		async setAll(data, conditions = [everyRow]) {
			await rest('PATCH', `${path}/rows`, { filter: filterOf(conditions), data });
		},
		async clear() {
			const filter = encodeURIComponent(JSON.stringify(filterOf([everyRow])));
			await rest('DELETE', `${path}/rows?filter=${filter}`);
		},
	};
}
