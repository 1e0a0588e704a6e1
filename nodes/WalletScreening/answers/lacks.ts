import { screeningKey } from '../address/key';
import type { JsonObject } from '../shared/json';
import type { Field } from './fields';
import { isGreen } from './report';
import type { Result } from './results';
import { effectsOf } from './statements';
import { countOf } from './values';

/*
 * What an answer states to be missing:
 *
 *     missing results    results are promised that did not come. They are the reason why an address
 *                        without a result gets `missing_result`.
 *     unnamed lack       an address or a source is missing, and the answer does not name which.
 *                        If each address has a report, any report may lack the source, so none
 *                        counts.
 *
 * `partial: true` may mean either.
 */

/** What promises more results than came. */
export interface MissingResults {
	/** The field that promises them, or the names of the fields with reports elsewhere. */
	entry: JsonObject;
	/** Whether there are reports elsewhere in the answer. */
	isElsewhere: boolean;
}

/** What states that an address or a source is missing, and names no address. */
export interface UnnamedLack {
	entry: unknown;
	/**
	 * Whether it is an element of the list of results. If the addresses are not known, it then has an
	 * error of its own.
	 */
	isResult: boolean;
}

/**
 * Finds the field beside the results, or the header, that promises more results than came.
 *
 * @example Of the answer `{ total: 3, failed: 0, results: [A, B] }` with the reports A and B, the
 * entry is `{ total: 3 }`. These fields beside the results promise more, too: `failed: 1`,
 * `pages: 2`, `next: "/2"`, `partial: true`.
 */
export function findMissingResults(fields: Field[], results: Result[]): MissingResults | undefined {
	// Results that name no address count as one together: they may all be about the same address, or
	// about none, and must not hide that another result is missing.
	const addressCount = new Set(results.map(({ address = '' }) => screeningKey(address))).size;
	const failureCount = results.filter(isFailure).length;
	const field = fields.find((one) => promisesMore(one, addressCount, failureCount));
	return field && { entry: { [field.name]: field.value }, isElsewhere: false };
}

/**
 * Finds the unnamed lack of an answer: a failure that names no address, or a field about the job.
 *
 * @example Of the answer `{ errors: ["OFAC is down"], results: [A, B] }`: "OFAC is down". Either
 * report may lack that source. So may one of `{ failed: 1, results: [A, B] }`. Of
 * `{ errors: [{ address: C }], results: [A, B] }`: undefined.
 */
export function findUnnamedLack(jobFields: Field[], results: Result[]): UnnamedLack | undefined {
	const failures = results.filter(isFailure);
	const unnamed = failures.filter(({ address }) => address === undefined);
	const underFailure = unnamed.find(({ notFinalUnder }) => notFinalUnder !== undefined);
	if (underFailure) return { entry: underFailure.value, isResult: false };
	if (unnamed[0]) return { entry: unnamed[0].value, isResult: true };
	if (failures.length > 0) return undefined;
	// A verdict may be called a failure, too: `passed: 2, failed: 1`, where one report is red.
	const riskCount = results.filter(({ report }) => report && !isGreen(report.risk.level)).length;
	const field = jobFields.find((one) => mayMeanLack(one) || countsMoreFailures(one, riskCount));
	return field && { entry: { [field.name]: field.value }, isResult: false };
}

/**
 * Whether a result is a failure. An entry such as `null`, without an address or a flaw, is none.
 */
const isFailure = ({ report, address, flaw }: Result): boolean =>
	!report && (address !== undefined || flaw !== undefined);

/**
 * Whether a field of a complete job may mean that a source is missing. An error that concerned the
 * whole job would have ended it, so it concerns one source or one address.
 */
function mayMeanLack({ statements }: Field): boolean {
	const { isLack, mayBeLack } = effectsOf(statements.job);
	return isLack === true || mayBeLack === true;
}

/**
 * Whether a field promises more than came: so many addresses have results, of which so many are
 * failures.
 */
function promisesMore(field: Field, addressCount: number, failureCount: number): boolean {
	switch (field.statements.job) {
		case 'hasMore':
			return true;
		case 'countsResults':
			return countOf(field.value) > addressCount;
		case 'countsFailures':
			return countsMoreFailures(field, failureCount);
		default:
			// What is missing may be an address, unless a failure explains it.
			return effectsOf(field.statements.job).isLack === true && failureCount === 0;
	}
}

/** Whether a field counts more addresses that failed, or still run, than are known. */
const countsMoreFailures = ({ value, statements }: Field, knownCount: number): boolean =>
	statements.job === 'countsFailures' && countOf(value) > knownCount;
