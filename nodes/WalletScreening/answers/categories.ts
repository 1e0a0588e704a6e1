import { type Fields, isFields, isGiven, isNumber } from '../shared/json';
import type { AnyReport } from './report';

/** The categories that every report has (section 2.3). */
export const reportCategories = [
	'sanctions',
	'darknet',
	'mixer',
	'scam',
	'stolen',
	'clean_exchange',
];

/** The one category that is in favour of an address (section 2.3). */
export const goodSign = 'clean_exchange';

/** The categories of a report by their keys (section 2.3). */
export const categoriesOf = ({ risk }: AnyReport): Fields =>
	isFields(risk.categories) ? risk.categories : {};

/** A category of a report. Its value is a fraction (section 2.3), if the report keeps to the specification. */
export interface CategoryValue {
	key: string;
	value: unknown;
}

/** The categories that are evidence against an address, the highest first. */
export const risksOf = (report: AnyReport): CategoryValue[] =>
	Object.entries(categoriesOf(report))
		.map(([key, value]) => ({ key, value }))
		.filter(({ key }) => key !== goodSign)
		.sort((one, other) => sortValue(other.value) - sortValue(one.value));

/** A value that is no number counts as the highest, so that it stands out. */
function sortValue(value: unknown): number {
	if (isNumber(value)) return value;
	return isGiven(value) ? Number.MAX_VALUE : -Number.MAX_VALUE;
}
