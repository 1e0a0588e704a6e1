import type { IDataObject } from 'n8n-workflow';
import { itemsOf, type Saved, type Workflow } from '../../../host/instance';
import { dataOf, type Rest } from '../../../host/rest';
import type { Stage } from './stage';

/** How n8n names a data table: the output of its node that makes one. */
export interface TableName {
	readonly id: string;
	readonly projectId: string;
}

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
/** Makes the tables of a template, as its first note asks, and gives the one that a node of it made. */
export async function makeTables(
	stage: Stage,
	workflow: Saved<Workflow>,
): Promise<(node: string) => TableName> {
	const { name } = workflow.nodes.find((node) => node.name.startsWith('Click Here Once'))!;
	const run = await stage.runFrom(workflow, name);
	expect(run.status).toBe('success');
	return (node) => itemsOf(run, node)[0]?.json as unknown as TableName;
}

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
