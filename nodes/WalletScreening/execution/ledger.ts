import { formatCount } from '../shared/text';

/**
 * What a run has made, which the service may bill. What is unsure may have been carried out, but no
 * answer confirms it.
 */
export interface CreatedResources {
	report_ids: string[];
	job_ids: string[];
	/** The number of addresses of each job that the service may have accepted without saying so. */
	unsureJobSizes: number[];
	/** The number of screenings that the service may have carried out, and whose report is not here. */
	unsureScreenings: number;
}

/** Milliseconds. The hint does not mention shorter waits. */
const minWaitShown = 10_000;

/** What a run has made, and the facts that its hint shows beside the counts of its items. */
export class RunLedger {
	readonly created: CreatedResources = {
		report_ids: [],
		job_ids: [],
		unsureJobSizes: [],
		unsureScreenings: 0,
	};
	private readonly facts: string[] = [];
	/** How many addresses the accepted jobs hold. */
	private acceptedAddresses = 0;
	private repeatedScreenings = 0;
	private allClearsLeftOut = 0;
	/** The longest wait, in milliseconds, before a request was sent again. */
	private longestWait = 0;

	/** How many screenings were sent more than once, so that the service may bill each time. */
	get repeatedScreeningCount(): number {
		return this.repeatedScreenings;
	}

	/** Notes a report that the service has made. `sent` is how often its screening was sent. */
	noteReport(report_id: string, sent: number): void {
		this.created.report_ids.push(report_id);
		if (sent > 1) this.repeatedScreenings++;
	}

	/** Notes a screening that the service may have carried out, and whose report did not arrive. */
	noteUnsureScreening(): void {
		this.created.unsureScreenings++;
	}

	/** Notes a job of so many addresses that the service has accepted. */
	noteJob(job_id: string, addressCount: number): void {
		this.created.job_ids.push(job_id);
		this.acceptedAddresses += addressCount;
	}

	/** Notes a job of so many addresses that the service may have accepted without saying so. */
	noteUnsureJob(addressCount: number): void {
		this.created.unsureJobSizes.push(addressCount);
	}

	/** Notes that a report was left out, because it is an all-clear. */
	noteAllClearLeftOut(): void {
		this.allClearsLeftOut++;
	}

	/** Notes how many milliseconds a request waits before it is sent again. */
	noteWait(wait: number): void {
		this.longestWait = Math.max(this.longestWait, wait);
	}

	/** Notes a fact for the hint, e.g. "2 duplicates not sent again". */
	noteFact(fact: string): void {
		this.facts.push(fact);
	}

	/** The facts for the hint, each as a part of a sentence. */
	describe(): string[] {
		const seconds = formatCount(Math.round(this.longestWait / 1000), 'second');
		const wait = `the node waited up to ${seconds} before it sent a request again`;
		const leftOut = `${formatCount(this.allClearsLeftOut, 'green report')} left out`;
		const jobCount = this.created.job_ids.length;
		const accepted = formatCount(this.acceptedAddresses, 'address', 'addresses');
		return [
			...(jobCount > 0 ? [`${accepted} in ${formatCount(jobCount, 'bulk job')}`] : []),
			...this.facts,
			...(this.longestWait > minWaitShown ? [wait] : []),
			...(this.allClearsLeftOut > 0 ? [leftOut] : []),
		];
	}
}
