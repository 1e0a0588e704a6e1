import { isDeepStrictEqual } from 'node:util';
import type { Job } from '../../nodes/WalletScreening/answers/jobAnswer';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import type { Answer } from '../../nodes/WalletScreening/shared/http';
import { type Check, clock } from './check';
import { changedStates, endsOf, type Field } from './fields';

/** How watching a job ended. */
export type WatchEnd =
	/** The nodes read a report for each address. */
	| { readonly kind: 'whole' }
	/** They do not read it as whole, and it no longer changes, or the time is up. */
	| { readonly kind: 'notWhole'; readonly state: Job['state']; readonly answer: Answer }
	/** The time is up, and the service did not show the job. */
	| { readonly kind: 'notShown' };

/** The names with which the nodes read the job as whole. They stand if its state stays the same. */
interface Lesson {
	/** The names that were taught before. */
	readonly namesBefore: ServiceNames;
	readonly names: ServiceNames;
	/** When the names stand, in milliseconds of the clock. */
	readonly confirmedAt: number;
}

/**
 * Asks for a job until the nodes read all of it. As soon as its state no longer changes, teaches
 * them what they lack for that.
 *
 * A state that does not change for a moment need not be the end. If a running word were taught as
 * `complete`, the nodes would take preliminary results for final ones. So the names are withdrawn if
 * the state changes within `confirmSeconds`.
 */
export class JobWatch {
	/** The answers about the job, without those whose state is that of the answer before. */
	private readonly answers: Answer[] = [];
	/** The names that are not confirmed yet. */
	private lesson: Lesson | undefined;

	/**
	 * @param id the ID of the job
	 * @param submitted the answer to Submit
	 */
	constructor(
		private readonly check: Check,
		private readonly id: string,
		private readonly submitted: Answer,
	) {}

	/** @throws a ScreeningError if the nodes may not see the job: status 401 or 403 */
	async run(): Promise<WatchEnd> {
		const deadline = clock.now() + this.check.options.maxSeconds * 1000;
		for (let pauseMs = 250; ; pauseMs = Math.min(10_000, pauseMs * 1.5)) {
			const answer = await this.check.requestJob(this.id);
			const isTimeUp = clock.now() > Math.max(deadline, this.lesson?.confirmedAt ?? 0);
			const end = answer ? await this.endWith(answer, isTimeUp) : this.endWithout(isTimeUp);
			if (end) return end;
			await clock.sleep(pauseMs);
		}
	}

	/** How the watch ends with this answer; `undefined` if it goes on. */
	private async endWith(answer: Answer, isTimeUp: boolean): Promise<WatchEnd | undefined> {
		const isUnchanged = this.hasLastState(answer);
		if (!isUnchanged) {
			this.answers.push(answer);
			this.withdrawLesson('The job was not over: its state changed again');
		}
		const { state } = await this.check.readJob(this.id, answer);
		if (state === 'whole') {
			const isConfirmed = !this.lesson || clock.now() >= this.lesson.confirmedAt;
			return isConfirmed ? { kind: 'whole' } : undefined;
		}
		if (isUnchanged && (await this.teach())) return undefined;
		const isStuck = isUnchanged && state !== 'running';
		return isStuck || isTimeUp ? { kind: 'notWhole', state, answer } : undefined;
	}

	private endWithout(isTimeUp: boolean): WatchEnd | undefined {
		if (!isTimeUp) return undefined;
		this.withdrawLesson('The service no longer showed the job');
		return { kind: 'notShown' };
	}

	private hasLastState(answer: Answer): boolean {
		const last = this.answers.at(-1);
		return (
			last !== undefined &&
			isDeepStrictEqual(this.check.stateFieldsOf(answer), this.check.stateFieldsOf(last))
		);
	}

	/**
	 * Teaches the nodes the first names with which they read the last answer as a whole job, and all
	 * earlier ones as a job that runs.
	 *
	 * @returns whether there are such names
	 * @example
	 * `lifecycle` was `simmering`, and is `scored`. With { complete: ['scored'] } alone, the nodes
	 * still do not know which field is the state. With { state: ['lifecycle'], complete: ['scored'] }
	 * they read the job.
	 */
	private async teach(): Promise<boolean> {
		const { check } = this;
		const namesBefore = check.names;
		for (const names of await this.possibleNames()) {
			if (!(await this.isWholeAtLast({ ...namesBefore, ...names }))) continue;
			const confirmedAt = clock.now() + check.options.confirmSeconds * 1000;
			this.lesson = { namesBefore, names, confirmedAt };
			check.names = { ...namesBefore, ...names };
			check.options.print(
				`With ${JSON.stringify(names)} in 'Service Names', the nodes read a report for each address. Watching whether the job stays in this state.`,
			);
			return true;
		}
		return false;
	}

	/** Takes the names back that are not confirmed, if there are such. */
	private withdrawLesson(reason: string): void {
		if (!this.lesson) return;
		const { namesBefore, names } = this.lesson;
		this.check.names = namesBefore;
		this.lesson = undefined;
		this.check.options.print(`${reason}. ${JSON.stringify(names)} is withdrawn.`);
	}

	/** The names that the errors of the last answer propose, then those of fields that changed. */
	private async possibleNames(): Promise<ServiceNames[]> {
		const { check, id, submitted } = this;
		const [last, ...earlier] = this.newestFirst();
		const { errors } = await check.readJob(id, last);
		const proposed = errors.flatMap(({ proposedNames }): ServiceNames[] =>
			proposedNames ? [proposedNames] : [],
		);
		const before = [...earlier, submitted].flatMap((answer) => check.stateFieldsOf(answer));
		const changed = changedStates(check.stateFieldsOf(last), before);
		return [...proposed, ...changed.flatMap(namesFor)];
	}

	/**
	 * Whether the nodes read the last answer as a whole job with these names, and all earlier ones as
	 * a job that runs.
	 */
	private async isWholeAtLast(names: ServiceNames): Promise<boolean> {
		const [last, ...earlier] = this.newestFirst();
		for (const answer of earlier) {
			if ((await this.check.readJob(this.id, answer, names)).state !== 'running') return false;
		}
		return (await this.check.readJob(this.id, last, names)).state === 'whole';
	}

	private newestFirst(): [Answer, ...Answer[]] {
		return [...this.answers].reverse() as [Answer, ...Answer[]];
	}
}

/**
 * What could be taught of a field that changed when the job ended: its word, its name, or both.
 *
 * @example
 * { name: 'lifecycle', value: 'scored' } gives { complete: ['scored'] }, { state: ['lifecycle'] },
 * and { state: ['lifecycle'], complete: ['scored'] }.
 */
function namesFor(field: Field): ServiceNames[] {
	const complete = [field.value];
	return [
		{ complete },
		...endsOf(field).flatMap((end) => [{ state: [end] }, { state: [end], complete }]),
	];
}
