import { isDeepStrictEqual } from 'node:util';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import type { Job } from '../../nodes/WalletScreening/answers/jobAnswer';
import { matchResults } from '../../nodes/WalletScreening/answers/match';
import { beginsAsPdf } from '../../nodes/WalletScreening/client/answerBody';
import { Client, type Send } from '../../nodes/WalletScreening/client/client';
import { statusError } from '../../nodes/WalletScreening/client/statusErrors';
import { ScreeningError } from '../../nodes/WalletScreening/shared/errors';
import { type Answer } from '../../nodes/WalletScreening/shared/http';
import { tryParseJson } from '../../nodes/WalletScreening/shared/json';
import { excerptJson } from '../../nodes/WalletScreening/shared/text';
import { systemClock } from '../../nodes/WalletScreening/transport/clock';
import { describeError } from './errors';
import { changedStates, endsOf, type Field, fieldsIn, mayBeState, possibleIds } from './fields';

export interface Findings {
	/** The names and words to enter in 'Service Names'. */
	names: ServiceNames;
	/** Whether the nodes then understand all answers that came. */
	isUnderstood: boolean;
}

export interface CheckOptions {
	baseUrl: string;
	send: Send;
	/** The first address is screened; both are in the bulk job. */
	addresses: [string, string];
	/** Seconds that the bulk job may take. */
	maxSeconds: number;
	/** Prints a finding, which is a sentence. */
	print: (finding: string) => void;
}

/** A job as the nodes read it. */
interface JobReading {
	/** `whole` if they read a report for each address, else the state that they read. */
	readonly state: 'whole' | Job['state'];
	/** What the job has in place of reports. */
	readonly errors: readonly ScreeningError[];
}

const clock = systemClock();
const ignoreError = () => undefined;

/**
 * The pauses before the rounds of requests that look for a job, which the service may show only a
 * moment after it was submitted.
 */
const pausesMs = [0, 500, 1000, 2000];

/**
 * Screens one address and submits one bulk job of two: the service may bill three screenings, the
 * first address alone, and both in the job. Neither request is sent again. The client of the nodes
 * reads the answers, and learns the names that it needs for that.
 *
 * @throws an Error with a message for the user if the report of the one address cannot be read
 * @example
 * A service answers about a job, one after the other:
 *
 *     POST /v1/bulk      { "slip": "J7", "lifecycle": "minted" }
 *     GET /v1/bulk/J7    { "slip": "J7", "lifecycle": "simmering" }
 *     GET /v1/bulk/J7    { "slip": "J7", "lifecycle": "scored", "verdicts": [a report, a report] }
 *
 * The names to teach: { jobId: ['slip'], state: ['lifecycle'], complete: ['scored'] }. With them,
 * the nodes read all of it, so `isUnderstood` is true.
 */
export async function checkService(options: CheckOptions): Promise<Findings> {
	return await new ServiceCheck(options).run();
}

class ServiceCheck {
	/** What the nodes have to be taught, as far as it is known. */
	private names: ServiceNames = {};

	constructor(private readonly options: CheckOptions) {}

	async run(): Promise<Findings> {
		const { print } = this.options;
		const isPdfRead = await this.checkReport();
		// The names that were learned before an error are worth the paid requests.
		const isJobRead = await this.checkJob().catch((error: Error) => {
			print(`Bulk job: ${describeError(error)}`);
			return false;
		});
		print('Not seen: a job that failed. Ask the vendor for its words, and add them to "failed".');
		return { names: this.names, isUnderstood: isPdfRead && isJobRead };
	}

	/**
	 * Submits a job, and looks at it until it is complete.
	 *
	 * @returns whether the nodes read all of it
	 */
	private async checkJob(): Promise<boolean> {
		const { addresses, print } = this.options;
		const submitted = await this.request('POST', '/bulk', { addresses });
		const jobId = await this.findJob(submitted);
		print('Submit: the nodes read the ID of the job.');
		return await this.watchJob(jobId, submitted);
	}

	private async request(
		method: 'GET' | 'POST',
		path: string,
		body?: Record<string, unknown>,
	): Promise<Answer> {
		const { baseUrl, send } = this.options;
		const target = { method, url: `${baseUrl}/v1${path}`, accept: '*/*', maxBytes: Infinity };
		return await send({ ...target, ...(body && { body }) });
	}

	/** A client of the nodes that gets this answer to each request. */
	private clientFor(answer: Answer, serviceNames = this.names): Client {
		return new Client({
			baseUrl: this.options.baseUrl,
			serviceNames,
			clock,
			random: Math.random,
			caller: {},
			maxRetries: 0,
			resends: 0,
			send: async () => await Promise.resolve(answer),
			// The same answer would come again, so a 429 is final here.
			queue: {
				run: async (work) => {
					const only = await work();
					if (only.status === 429) throw statusError(429, undefined);
					return only;
				},
			},
		});
	}

	/** Reads an answer. If the error proposes names, learns them and reads it again. */
	private async read<T>(answer: Answer, reading: (client: Client) => Promise<T>): Promise<T> {
		try {
			return await reading(this.clientFor(answer));
		} catch (error) {
			const { message, proposedNames } = error as ScreeningError;
			if (!proposedNames) throw error;
			this.options.print(`${message}. Taught ${JSON.stringify(proposedNames)}, the nodes read it.`);
			this.names = { ...this.names, ...proposedNames };
			return await reading(this.clientFor(answer));
		}
	}

	/**
	 * Screens an address, and gets its report and its PDF again.
	 *
	 * @returns whether the PDF is one
	 * @throws an Error if the nodes cannot read the report
	 */
	private async checkReport(): Promise<boolean> {
		const { addresses, print } = this.options;
		const [address] = addresses;
		const screened = await this.request('POST', '/screen', { address });
		const { report } = await this.read(screened, (client) => client.screen(address));
		const { report_id, risk } = report;
		print(`Screen: a report with the level "${risk.level}" and the score ${risk.score}.`);
		const path = `/reports/${encodeURIComponent(report_id)}`;
		await this.read(await this.request('GET', path), (client) => client.getReport(report_id));
		const { body, status } = await this.request('GET', `${path}/pdf`);
		const isPdf = beginsAsPdf(body);
		const download = isPdf ? 'a PDF' : `not a PDF (status ${status})`;
		print(`Get Report: the nodes read it. Download PDF: ${download}.`);
		return isPdf;
	}

	/**
	 * Asks for the job.
	 *
	 * @returns `undefined` if the service did not show it, but may show it later; then the nodes look
	 * again, too. A 401 or 403 is returned: to read it throws, which ends the check.
	 */
	private async lookAtJob(id: string): Promise<Answer | undefined> {
		const path = `/bulk/${encodeURIComponent(id)}`;
		const look = await this.request('GET', path).catch(ignoreError);
		if (!look) return undefined;
		const isLockedOut = look.status === 401 || look.status === 403;
		const isJson = look.status < 300 && tryParseJson(look.body) !== undefined;
		return isLockedOut || isJson ? look : undefined;
	}

	/**
	 * Finds the ID of the job: asks for a job by each value that may be its ID.
	 *
	 * @returns the ID of the job that the service shows; if it shows none, the ID that the nodes read
	 * @throws an Error with a message for the user if the nodes read none either
	 * @example After { "request": "R-5", "slip": "J7" }, it asks for R-5 and for J7. The service has
	 * only a job J7, so the ID is J7, and its name `slip`.
	 */
	private async findJob(submitted: Answer): Promise<string> {
		const known = await this.jobIdIn(submitted, this.names);
		const fields = this.fieldsOf(submitted);
		const candidates = new Set([...(known ? [known] : []), ...possibleIds(fields)]);
		for (const pauseMs of pausesMs) {
			await clock.sleep(pauseMs);
			for (const id of candidates) {
				const look = await this.lookAtJob(id);
				const job = look && (await this.clientFor(look).getBulk(id).catch(ignoreError));
				if (!job) continue;
				if (id === known || (await this.teachJobId(submitted, id, fields))) return id;
			}
		}
		if (known) return known;
		const answer = excerptJson(String(submitted.body));
		throw new Error(`The service showed no job by any value of this answer: ${answer}`);
	}

	/** The ID of the job that the nodes read with these names, if they read one. */
	private async jobIdIn(submitted: Answer, names: ServiceNames): Promise<string | undefined> {
		const client = this.clientFor(submitted, names);
		return (await client.submitBulk(this.options.addresses).catch(ignoreError))?.job_id;
	}

	/**
	 * Learns the name of a field with this ID, if the nodes then read the ID.
	 *
	 * @returns whether there is such a name
	 * @example For the field `job.slip` it tries `slip`, and then `job.slip`.
	 */
	private async teachJobId(
		submitted: Answer,
		id: string,
		fields: readonly Field[],
	): Promise<boolean> {
		for (const end of fields.filter(({ value }) => value === id).flatMap(endsOf)) {
			const taught = { ...this.names, jobId: [end] };
			if ((await this.jobIdIn(submitted, taught)) !== id) continue;
			this.names = taught;
			return true;
		}
		return false;
	}

	/**
	 * Looks at the job until the nodes read all of it. As soon as its state no longer changes, it
	 * tries to teach them what they lack for that.
	 *
	 * @returns whether they read all of it in the end
	 */
	private async watchJob(id: string, submitted: Answer): Promise<boolean> {
		const { maxSeconds, print } = this.options;
		const deadline = clock.now() + maxSeconds * 1000;
		/** The answers, without those whose state is that of the answer before. */
		const looks: Answer[] = [];
		for (let pause = 250; ; pause = Math.min(10_000, pause * 1.5)) {
			const look = await this.lookAtJob(id);
			const isTimeUp = clock.now() > deadline;
			if (look) {
				const { state } = await this.readJob(id, look, this.names);
				const isUnchanged = this.hasSameState(look, looks.at(-1));
				if (!isUnchanged) looks.push(look);
				const isWhole =
					state === 'whole' || (isUnchanged && (await this.teachJob(id, submitted, looks)));
				if (isWhole) {
					print('Bulk job: complete, with a report for each address.');
					return true;
				}
				const isStuck = isUnchanged && state !== 'running';
				if (isStuck || isTimeUp) {
					const answer = excerptJson(String(look.body));
					print(`Bulk job: ${state} for the nodes. The last answer: ${answer}`);
					return false;
				}
			} else if (isTimeUp) {
				const answer = excerptJson(String(submitted.body));
				print(
					`Bulk job: at the end of the wait, the service did not show job ${id}. The answer to Submit: ${answer}`,
				);
				return false;
			}
			await clock.sleep(pause);
		}
	}

	private hasSameState(look: Answer, before: Answer | undefined): boolean {
		return (
			before !== undefined &&
			isDeepStrictEqual(this.stateFieldsOf(look), this.stateFieldsOf(before))
		);
	}

	/**
	 * Learns the first names with which the nodes read the last answer as a whole job, and all
	 * earlier ones as a job that runs. It tries the names that errors propose, then those of a field
	 * that changed.
	 *
	 * @param looks answers about the job, in order
	 * @returns whether there are such names
	 * @example
	 * `lifecycle` was `simmering`, and is `scored`. With { complete: ['scored'] } alone, the nodes
	 * still do not know which field is the state. With { state: ['lifecycle'], complete: ['scored'] }
	 * they read the job.
	 */
	private async teachJob(id: string, submitted: Answer, looks: Answer[]): Promise<boolean> {
		const [last, ...earlier] = [...looks].reverse() as [Answer, ...Answer[]];
		const { errors } = await this.readJob(id, last, this.names);
		const proposed = errors.flatMap(({ proposedNames }): ServiceNames[] =>
			proposedNames ? [proposedNames] : [],
		);
		const before = [...earlier, submitted].flatMap((answer) => this.stateFieldsOf(answer));
		const changed = changedStates(this.stateFieldsOf(last), before);
		for (const candidate of [...proposed, ...changed.flatMap(namesFor)]) {
			const taught = { ...this.names, ...candidate };
			if (!(await this.readsAll(id, last, earlier, taught))) continue;
			this.names = taught;
			this.options.print(
				`Taught ${JSON.stringify(candidate)}, the nodes read all of the job, which ran before.`,
			);
			return true;
		}
		return false;
	}

	/**
	 * Whether the nodes read the last answer as a whole job with these names, and all earlier ones as
	 * a job that runs.
	 */
	private async readsAll(
		id: string,
		last: Answer,
		earlier: readonly Answer[],
		names: ServiceNames,
	): Promise<boolean> {
		for (const look of earlier) {
			if ((await this.readJob(id, look, names)).state !== 'running') return false;
		}
		return (await this.readJob(id, last, names)).state === 'whole';
	}

	private async readJob(id: string, answer: Answer, names: ServiceNames): Promise<JobReading> {
		const { addresses } = this.options;
		const job = await this.clientFor(answer, names).getBulk(id, addresses);
		const errors = matchResults(addresses, job).flatMap(({ error }) => error ?? []);
		const isWhole = job.state === 'complete' && errors.length === 0;
		return { state: isWhole ? 'whole' : job.state, errors };
	}

	private fieldsOf({ body }: Answer): Field[] {
		return fieldsIn(tryParseJson(body), this.options.addresses);
	}

	private stateFieldsOf(answer: Answer): Field[] {
		return this.fieldsOf(answer).filter(mayBeState);
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
