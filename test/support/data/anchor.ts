/** Returns the anchor that GitHub gives a heading of a page. */
export const anchorOf = (heading: string): string =>
	heading
		.toLowerCase()
		.replace(/[^\p{L}\d\- _]/gu, '')
		.replaceAll(' ', '-');
