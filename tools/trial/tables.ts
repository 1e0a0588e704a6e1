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
