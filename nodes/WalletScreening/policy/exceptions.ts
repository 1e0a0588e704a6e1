import { chainKey } from '../address/chain';
import { addressKey, chainOfSpelling, tagOfSpelling } from '../address/key';
import type { AnyReport } from '../answers/report';
import { day } from '../shared/time';
import type { Exception } from './policySchema';

/** The exceptions of each address by its `addressKey`, in the order in which they were given. */
export type ExceptionsByAddress = ReadonlyMap<string, Exception[]>;

/** Finds the first exception that holds for a report at the time `at`. */
export function findException(
	exceptions: ExceptionsByAddress,
	report: AnyReport,
	at: Date,
): Exception | undefined {
	const ofAddress = exceptions.get(addressKey(report.address));
	return ofAddress?.find(
		(exception) =>
			isOfChain(exception, report) && isOfTag(exception, report) && isInForce(exception, at),
	);
}

/** Whether an exception is in force at the time `at`: up to the end of its last day (UTC). */
export const isInForce = ({ until }: Exception, at: Date): boolean =>
	at.getTime() < Date.parse(until) + day;

/**
 * Whether an exception is for the chain of the report. One without a chain is for each chain,
 * unless the spelling of its address names one: an exception for bitcoincash:q… waives nothing in a
 * report on the account of Bitcoin.
 */
function isOfChain(exception: Exception, { address, chain }: AnyReport): boolean {
	if (exception.chain !== undefined) return chainKey(exception.chain) === chainKey(chain);
	const spelledChain = chainOfSpelling(exception.address);
	return spelledChain === undefined || spelledChain === chainOfSpelling(address);
}

/** Whether an exception is for the tag of the report. One without a tag is for the whole account. */
function isOfTag(exception: Exception, { address }: AnyReport): boolean {
	const tag = tagOfSpelling(exception.address);
	return tag === undefined || tag === tagOfSpelling(address);
}
