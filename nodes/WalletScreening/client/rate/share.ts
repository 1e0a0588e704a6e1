/*
 * The numbers here, and the growth of the rate in `pace.ts`, were chosen by simulation: up to 16
 * processes that share a key take hardly a tenth longer for a list than its limit requires. `npm run
 * simulate` tries them again, and `docs/engineering/scaling.md` has what comes of them.
 */

/**
 * The part of a limit that stays free: requests arrive less evenly than they are sent, and the
 * bucket of the service has to fill.
 */
export const reservedPart = 0.08;
/**
 * How many processes a key has, if the credential does not tell. This only sets how fast a rate
 * grows.
 */
const assumedProcesses = 4;
/**
 * If the credential does not tell, the rate is never lowered below the share of one of so many
 * processes.
 */
const maxUnstatedProcesses = 16;

/** A smaller share than that of one of so many processes would let the rate grow too slowly. */
const maxStatedProcesses = 200;

/** What the share is a part of. */
interface Limit {
	/** Requests per second of the plan. */
	planRate: number;
	/** Requests that the service lets through at once after a pause. */
	burst: number;
	/** How many processes use the key, if that is known. */
	sharedBy?: number | undefined;
}

/**
 * The share of this process in the rate of a key that other processes use, too. Rates are requests
 * per second.
 *
 * The law: each process has an equal part of the plan's rate, less a reserve. If their number is
 * not stated, the first 429 shows the share: at that moment the service has given out all its
 * tokens, and the part of them that came here is the part of the rate that the others left.
 *
 * That part is too small for a process that sent little before, e.g. one screening a minute, and now
 * has a list. It is not lost for long: from the least share, the rate takes about 25 seconds to reach
 * half of the Pro plan, if nothing is refused. To count only since a pause would be no better: it is
 * unknown how many tokens the service had left then, and a process that has many short pauses would
 * get too little instead.
 *
 * @example Of a key with 10 requests per second and a burst of 50:
 *
 *     sharedBy   accepted   first 429       `atFirstRefusal`
 *     2          30         after 3 s       4.6     half of 9.2
 *     -          30         after 3 s       3.75    30 of 80 tokens came here, so 3 of 8 of the rate
 *     -          0          after 3 s       0.575   the least: a sixteenth of 9.2
 */
export class Share {
	/** How many processes use the key, if the credential tells. */
	readonly statedProcesses: number | undefined;
	/** The part of each process, if there are as many as stated or assumed. */
	readonly equalPart: number;
	/** The rate is never lowered below this. */
	readonly minRate: number;
	private acceptedCount = 0;

	constructor(
		private readonly limit: Limit,
		/** Milliseconds of the clock, at which the bucket of the service is taken to be full. */
		private readonly startsAt: number,
	) {
		const { planRate, sharedBy } = limit;
		this.statedProcesses = sharedBy && Math.min(sharedBy, maxStatedProcesses);
		const partOf = (processes: number) => (planRate * (1 - reservedPart)) / processes;
		this.equalPart = partOf(this.statedProcesses ?? assumedProcesses);
		this.minRate = partOf(this.statedProcesses ?? maxUnstatedProcesses);
	}

	/** Notes an answer that is not a 429: its request took a token of the service. */
	noteNotRefused(): void {
		this.acceptedCount++;
	}

	/** The share that the first 429 leaves. */
	atFirstRefusal(now: number): number {
		if (this.statedProcesses) return this.equalPart;
		const { planRate, burst } = this.limit;
		const tokensOfService = burst + (planRate * (now - this.startsAt)) / 1000;
		return Math.max(this.minRate, (planRate * this.acceptedCount) / tokensOfService);
	}
}
