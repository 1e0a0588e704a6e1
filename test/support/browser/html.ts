import { parse } from 'parse5';

/** An element of a page, or a text in it. */
export interface PageNode {
	readonly nodeName: string;
	/** The text, if it is one. */
	readonly value?: string;
	/** The text of a comment. */
	readonly data?: string;
	readonly childNodes?: readonly PageNode[];
	readonly attrs?: ReadonlyArray<{ readonly name: string; readonly value: string }>;
}

export const parsePage = (html: string) => parse(html) as PageNode;

/** Lists a node and all nodes in it, in the order of the page. */
export const allNodesIn = (node: PageNode): PageNode[] => [
	node,
	...(node.childNodes ?? []).flatMap(allNodesIn),
];

/** Lists a node and all nodes in it, without the content of styles and scripts. */
export const visibleNodesIn = (node: PageNode): PageNode[] => [
	node,
	...(/^(style|script)$/.test(node.nodeName)
		? []
		: (node.childNodes ?? []).flatMap(visibleNodesIn)),
];

export const attributeOf = ({ attrs = [] }: PageNode, name: string): string | undefined =>
	attrs.find((attribute) => attribute.name === name)?.value;

/** Returns all text in a node. Its blanks and line breaks stay as they are. */
export const textOf = (node: PageNode): string =>
	visibleNodesIn(node)
		.map(({ value = '' }) => value)
		.join('');

/** The words of a page, and the parts of it that can act: elements, attributes and links. */
export interface PageParts {
	/** All its texts, with one blank between two words. */
	readonly words: string;
	/** The names of its elements. */
	readonly elements: ReadonlySet<string>;
	/** The names of their attributes. */
	readonly attributes: ReadonlySet<string>;
	/** The addresses to which its links and forms lead. */
	readonly links: readonly string[];
}

/** Reads what a page consists of. */
export function partsOf(html: string): PageParts {
	const nodes = visibleNodesIn(parsePage(html));
	const attributes = nodes.flatMap(({ attrs = [] }) => attrs);
	return {
		words: nodes
			.map(({ value = '' }) => value)
			.join(' ')
			.replace(/\s+/g, ' '),
		elements: new Set(nodes.map(({ nodeName }) => nodeName)),
		attributes: new Set(attributes.map(({ name }) => name)),
		links: attributes.filter(({ name }) => /^(href|action)$/.test(name)).map(({ value }) => value),
	};
}
