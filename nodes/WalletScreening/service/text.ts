/** White space and characters without width. */
const edges = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;
/** To trim a longer text takes time that grows with the square of its length. */
const longestTrimmed = 2560;

/** The text without what copy and paste leave around it; a text of more than 2,560 characters as it is. */
export function withoutEdges(text: string): string {
	return text.length > longestTrimmed ? text : text.replace(edges, '');
}
