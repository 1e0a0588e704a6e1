import { attributeOf, visibleNodesIn, type PageNode, parsePage, textOf } from './html';

/**
 * What a person enters in a form: texts and files, by the labels of their fields. The beginning of
 * a label is enough if no other label begins in the same way.
 */
export type Entries = Readonly<Record<string, string | File>>;

/**
 * What a browser sends, by the names of the fields. n8n calls them `field-` and their place on the
 * page.
 */
export type PostedFields = Readonly<Record<string, string | File>>;

export interface FormField {
	/** The name under which a browser sends it. */
	readonly name: string;
	/** The label of the field; empty for a hidden field. */
	readonly label: string;
	/** What a browser sends if a person leaves it as it is; `undefined` if it sends nothing. */
	readonly value: string | undefined;
	readonly isFile: boolean;
}

/** Returns what a browser sends for a field that a person leaves as it is. */
function valueOf(node: PageNode): string | undefined {
	if (node.nodeName === 'textarea') return textOf(node);
	const hasAttribute = (one: PageNode, name: string) => attributeOf(one, name) !== undefined;
	if (node.nodeName === 'input') {
		const isBox = /^(checkbox|radio)$/.test(attributeOf(node, 'type') ?? '');
		if (!isBox) return attributeOf(node, 'value') ?? '';
		return hasAttribute(node, 'checked') ? (attributeOf(node, 'value') ?? 'on') : undefined;
	}
	const options = visibleNodesIn(node).filter(({ nodeName }) => nodeName === 'option');
	const selected = options.find((option) => hasAttribute(option, 'selected')) ?? options[0];
	return selected && (attributeOf(selected, 'value') ?? textOf(selected).trim());
}

/** Lists the fields of the form on a page, in their order; none if the page has no form. */
export function fieldsOf(html: string): FormField[] {
	const nodes = visibleNodesIn(parsePage(html));
	return nodes.flatMap((node): FormField[] => {
		const name = attributeOf(node, 'name') ?? '';
		if (!/^field-\d+$/.test(name)) return [];
		const label = nodes.find((one) => attributeOf(one, 'for') === name);
		const isFile = attributeOf(node, 'type') === 'file';
		return [{ name, label: label ? textOf(label).trim() : '', value: valueOf(node), isFile }];
	});
}

/**
 * Returns what a browser sends after a person has filled in a form: what the person entered, and
 * what the page has in all other fields.
 *
 * @throws an error with the labels of the page, unless each entry belongs to exactly one of them
 */
export function fillForm(fields: readonly FormField[], entries: Entries): PostedFields {
	const unchanged = fields.filter(({ isFile, value }) => !isFile && value !== undefined);
	const entered = Object.entries(entries).map(([label, entry]) => {
		const [field, ...others] = fields.filter((one) => one.label.startsWith(label));
		if (field && others.length === 0) return [field.name, entry];
		const labels = fields.flatMap((one) => one.label || []).join('", "');
		throw new Error(
			`${field ? 'Several fields are' : 'No field is'} called "${label}". The page has "${labels}"`,
		);
	});
	return Object.fromEntries([
		...unchanged.map(({ name, value }) => [name, value]),
		...entered,
	]) as PostedFields;
}

/**
 * Sends fields to a page of a form.
 *
 * @param headers may have the token that proves who sends them
 */
export async function postForm(
	url: string,
	fields: PostedFields,
	headers: Record<string, string> = {},
): Promise<Response> {
	const body = new FormData();
	for (const [name, value] of Object.entries(fields)) body.set(name, value);
	// While an execution is in progress, n8n gives no answer to a page of it that is sent again.
	const signal = AbortSignal.timeout(30_000);
	return await fetch(url, { method: 'POST', body, headers, signal });
}
