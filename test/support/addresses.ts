/** An address in the form of Ethereum for each number; no two are equal in any spelling. */
export const addressNumber = (number: number): string =>
	`0x${number.toString(16).padStart(40, '0')}`;

/** The first of them. */
export const addressesOf = (count: number): string[] =>
	Array.from({ length: count }, (_, index) => addressNumber(index));
