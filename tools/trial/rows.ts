import type { IDataObject } from 'n8n-workflow';
import { dataOf, type Rest } from '../host/rest';

/** Adds a row to a data table of n8n, as its owner does. */
export async function insertRow(rest: Rest, table: string, row: IDataObject): Promise<void> {
	const query = `filter=${encodeURIComponent(JSON.stringify({ name: table }))}`;
	const answer = rest('GET', `/data-tables-global?${query}`);
	const { data } = await dataOf<{ data: Array<Record<'id' | 'name' | 'projectId', string>> }>(
		answer,
	);
	const { id, projectId } = data.find(({ name }) => name === table)!;
	const body = { data: [row], returnType: 'count' };
	await rest('POST', `/projects/${projectId}/data-tables/${id}/insert`, body);
}
