import { parse } from 'parse5';

type Node = { nodeName: string; value?: string; childNodes?: Node[] } & {
	attrs?: Array<{ name: string; value: string }>;
};
const nodesIn = (node: Node): Node[] => [
	node,
	...(/^(style|script)$/.test(node.nodeName) ? [] : (node.childNodes ?? []).flatMap(nodesIn)),
];

/** What a page says, and what on it does something. */
export function partsOf(html: string) {
	const nodes = nodesIn(parse(html) as Node);
	const attributes = nodes.flatMap(({ attrs = [] }) => attrs);
	return {
		elements: new Set(nodes.map(({ nodeName }) => nodeName)),
		attributes: new Set(attributes.map(({ name }) => name)),
		links: attributes.filter(({ name }) => /^(href|action)$/.test(name)).map(({ value }) => value),
		words: nodes
			.map(({ value = '' }) => value)
			.join(' ')
			.replace(/\s+/g, ' '),
	};
}
