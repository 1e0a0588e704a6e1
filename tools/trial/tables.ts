import { dataOf, type Rest } from '../host/rest';

/**
 * The path of a data table in n8n's internal REST interface.
 *
 * @throws when n8n has no table of this name
 */
export async function pathOfTable(rest: Rest, name: string): Promise<string> {
	const query = `filter=${encodeURIComponent(JSON.stringify({ name }))}`;
	const { data } = await dataOf<{ data: Array<Record<'id' | 'name' | 'projectId', string>> }>(
		rest('GET', `/data-tables-global?${query}`),
	);
	const found = data.find((one) => one.name === name);
	if (!found) throw new Error(`n8n has no data table "${name}"`);
	return `/projects/${found.projectId}/data-tables/${found.id}`;
}

/**
 * The first 250 rows of a data table, which is more than a trial has in any.
 *
 * @throws when n8n has no table of this name
 */
export async function readRows<Row>(rest: Rest, name: string): Promise<Row[]> {
	const path = await pathOfTable(rest, name);
	return (await dataOf<{ data: Row[] }>(rest('GET', `${path}/rows?take=250`))).data;
}

/** Adds rows to a data table. @throws when n8n has no table of this name */
export async function insertRows(rest: Rest, name: string, rows: object[]): Promise<void> {
	const path = await pathOfTable(rest, name);
	await rest('POST', `${path}/insert`, { data: rows, returnType: 'count' });
}
