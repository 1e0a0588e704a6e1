/** Whether all letters are small, or all are capitals. */
export const isOneCase = (text: string): boolean =>
	text === text.toLowerCase() || text === text.toUpperCase();

/** Whether at most one letter is of another case than the others. */
export const isNearlyOneCase = (text: string): boolean =>
	[/[a-z]/g, /[A-Z]/g].some((letters) => (text.match(letters) ?? []).length <= 1);
