import { maxPerJob } from '../../client/client';

/** The rejected addresses that a chunk may have even if earlier chunks have used up the limit. */
const reservedRejections = 16;

/**
 * Counts what the service accepts and rejects under one key, over all chunks of the key, and limits
 * how many addresses are sent one by one to find the bad ones.
 *
 * The service seems to reject everything if it has accepted no job, and has rejected 1,000 addresses
 * one by one. Then the reason may be another one than an address. A chunk whose division begins
 * later may still have 16 addresses rejected, so that one bad chunk does not keep good addresses of
 * the next from being sent. Requests that are already on the way may exceed the limit.
 *
 * So chunks that are submitted one after another end after 1,000, 1,016 and 1,032 rejected
 * addresses. Chunks that are divided at once end together after 1,000.
 */
export class RejectionLimit {
	private hasAcceptedJob = false;
	private rejectedAddresses = 0;

	/** Notes that the service accepted a job. */
	noteJob(): void {
		this.hasAcceptedJob = true;
	}

	/** Notes that the service rejected an address in a job of its own. */
	noteRejectedAddress(): void {
		this.rejectedAddresses++;
	}

	/** How many rejected addresses there may be, under the key, for a chunk whose division begins now. */
	maxRejectionsOfDivision(): number {
		return Math.max(maxPerJob, this.rejectedAddresses + reservedRejections);
	}

	/** Whether so many addresses were rejected, and no job accepted, that more would be, too. */
	isReached(maxRejections: number): boolean {
		return !this.hasAcceptedJob && this.rejectedAddresses >= maxRejections;
	}
}
