import { attributeOf, nodesIn, type PageNode, parsePage, textOf } from './html';

/**
 * What a person enters in a form: texts and files, by the labels of their fields. A label may be
 * cut short where it stays unambiguous.
 */
export type Entries = Readonly<Record<string, string | File>>;

/**
 * What a browser sends, by the names that n8n gives to fields: `field-` and the place on the page.
 */
export type PostedFields = Readonly<Record<string, string | File>>;

export interface FormField {
	/** The name under which a browser sends it. */
	readonly name: string;
	/** The words beside it; empty for what a person does not see. */
	readonly label: string;
	/** What is in it before a person changes it. */
	readonly value: string;
	readonly isFile: boolean;
}

function valueOf(node: PageNode): string {
	if (node.nodeName === 'textarea') return textOf(node);
	if (node.nodeName === 'input') return attributeOf(node, 'value') ?? '';
	const selected = nodesIn(node).find((option) => attributeOf(option, 'selected') !== undefined);
	return (selected && attributeOf(selected, 'value')) ?? '';
}

/** The fields of the form on a page, in its order; none if the page has no form. */
export function fieldsOf(html: string): FormField[] {
	const nodes = nodesIn(parsePage(html));
	return nodes.flatMap((node): FormField[] => {
		const name = attributeOf(node, 'name') ?? '';
		if (!/^field-\d+$/.test(name)) return [];
		const label = nodes.find((one) => attributeOf(one, 'for') === name);
		const isFile = attributeOf(node, 'type') === 'file';
		return [{ name, label: label ? textOf(label).trim() : '', value: valueOf(node), isFile }];
	});
}

/**
 * What a browser sends after a person has filled in a form: what the person entered, and what the
 * page has in all other fields.
 *
 * @throws the labels of the page, if none or several of them begin as a label of `entries`
 */
export function fillForm(fields: readonly FormField[], entries: Entries): PostedFields {
	const asIs = fields.filter(({ isFile }) => !isFile).map(({ name, value }) => [name, value]);
	const entered = Object.entries(entries).map(([label, entry]) => {
		const [field, ...others] = fields.filter((one) => one.label.startsWith(label));
		if (field && others.length === 0) return [field.name, entry];
		const labels = fields.flatMap((one) => one.label || []).join('", "');
		throw new Error(
			`${field ? 'Several fields are' : 'No field is'} called "${label}". The page has "${labels}"`,
		);
	});
	return Object.fromEntries([...asIs, ...entered]) as PostedFields;
}

/** Sends fields to a page of a form, under a proof of who sends them if it is among the headers. */
export async function postForm(
	url: string,
	fields: PostedFields,
	headers: Record<string, string> = {},
): Promise<Response> {
	const body = new FormData();
	for (const [name, value] of Object.entries(fields)) body.set(name, value);
	// While a run is in progress, n8n does not answer a second sending of its page.
	const signal = AbortSignal.timeout(30_000);
	return await fetch(url, { method: 'POST', body, headers, signal });
}
