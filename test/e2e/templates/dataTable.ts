import type { IDataObject } from 'n8n-workflow';
import { dataOf, type Rest } from '../../../host/rest';

/** How n8n names a data table: the output of its node that makes one. */
export interface TableName {
	readonly id: string;
	readonly projectId: string;
}

/** A data table of n8n, as its owner sees it. */
export interface DataTable {
	rows<T extends IDataObject>(): Promise<T[]>;
	insert(...rows: IDataObject[]): Promise<void>;
	/** Sets these fields in every row. */
	setAll(data: IDataObject): Promise<void>;
	clear(): Promise<void>;
}

const everyRow = { type: 'and', filters: [{ columnName: 'id', condition: 'gt', value: 0 }] };

export function dataTable(rest: Rest, { projectId, id }: TableName): DataTable {
	const path = `/projects/${projectId}/data-tables/${id}`;
	return {
		rows: async <T>() => (await dataOf<{ data: T[] }>(rest('GET', `${path}/rows?take=250`))).data,
		async insert(...data) {
			await rest('POST', `${path}/insert`, { data, returnType: 'id' });
		},
		async setAll(data) {
			await rest('PATCH', `${path}/rows`, { filter: everyRow, data });
		},
		async clear() {
			const filter = encodeURIComponent(JSON.stringify(everyRow));
			await rest('DELETE', `${path}/rows?filter=${filter}`);
		},
	};
}
