import type { IExecuteFunctions } from 'n8n-workflow';
import { DeadlineError } from '../shared/abort';
import { ScreeningError, wrapAsScreeningError } from '../shared/errors';
import { formatCount } from '../shared/text';
import { minute } from '../shared/time';
import { createTimeoutSignal, stopSignal } from '../transport/signals';

/** Milliseconds that the last status request for a job may take after the deadline. */
const maxLateness = 2000;

/** The reason of the signal after the first failure. */
const anotherItemFailed = new Error('Another item ended the node');

/**
 * What ends a run before its work is done. Each end aborts the one signal of the run, with a reason
 * of its own:
 *
 *     end                         reason              waits  GET   POST     an item that is not done
 *     stop button                 n8n's               end    ends  ends     is dropped
 *     first failure               `anotherItemFailed` end    ends  goes on  is dropped
 *     deadline + `maxLateness`    a `DeadlineError`   end    ends  goes on  fails as `job_timeout`
 *
 * Waits are in the node, the limiter, a retry and between two status requests for a job. The last
 * one begins at the deadline, and may take `maxLateness`. A POST on the wire may be billed, so only the stop
 * button ends it; `transport/send.ts` listens to that one itself.
 */
export class RunEnd {
	readonly signal: AbortSignal;
	private readonly stop: AbortSignal | undefined;
	/** The first failure and the deadline. */
	private readonly ownEnd = new AbortController();
	/** Aborts `maxLateness` after the deadline. */
	private readonly lateDeadline: AbortSignal | undefined;

	/** @param maxMinutes the minutes until the deadline, or Infinity for a run without one */
	constructor(
		context: IExecuteFunctions,
		private readonly maxMinutes: number,
	) {
		this.stop = stopSignal(context);
		const { signal } = this.ownEnd;
		this.signal = this.stop ? AbortSignal.any([this.stop, signal]) : signal;
		if (maxMinutes === Infinity) return;
		this.lateDeadline = createTimeoutSignal(maxMinutes * minute + maxLateness);
		this.lateDeadline.addEventListener('abort', this.expire);
	}

	/** Whether the user stopped the execution. */
	get isStopped(): boolean {
		return this.stop?.aborted === true;
	}

	/** Whether items that are not done are dropped. After the deadline each fails instead. */
	get dropsUnfinishedItems(): boolean {
		return this.isStopped || this.signal.reason === anotherItemFailed;
	}

	/** Calls off everything that was not sent yet, because the node fails. */
	callOffRest(): void {
		this.ownEnd.abort(anotherItemFailed);
	}

	/** Leaves the deadline without effect, because the run is done. */
	ignoreDeadline(): void {
		this.lateDeadline?.removeEventListener('abort', this.expire);
	}

	/** Whether what was thrown is the end of the run, and no failure of the work that it ends. */
	isEnd(thrown: unknown): boolean {
		return this.signal.aborted && thrown === this.signal.reason;
	}

	/**
	 * Returns the error of an item from what ended the work on it, which may be a fault of this package.
	 * @throws the reason of the signal again, if that end drops the item
	 */
	rethrowIfDropped(thrown: unknown): ScreeningError {
		// A deadline that gets here passed before a job was accepted: `waitForJob` makes an error of its
		// own.
		if (thrown instanceof DeadlineError) return notAcceptedError(this.maxMinutes);
		if (this.isEnd(thrown)) throw thrown;
		return wrapAsScreeningError(thrown);
	}

	private readonly expire = (): void => this.ownEnd.abort(new DeadlineError());
}

/** Makes the error for an address that was in no job at the deadline. */
function notAcceptedError(minutes: number): ScreeningError {
	return new ScreeningError(
		'job_timeout',
		`No bulk job took the address within ${formatCount(minutes, 'minute')}`,
		'The service accepted no job with the address. Screen it again.',
	);
}

const stoppedAdvice =
	'Treat the address as not screened. The first of these errors names the reports and jobs that exist, and so does the log of n8n.';

/** Makes the error of the items of a run that the user stopped. */
export function stoppedError(): ScreeningError {
	// n8n recognises a stopped execution by this message.
	return new ScreeningError('network', 'The execution was canceled', stoppedAdvice, {
		faultCode: 'STOPPED',
	});
}
