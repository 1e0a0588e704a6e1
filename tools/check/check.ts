import type { Job } from '../../nodes/WalletScreening/answers/jobAnswer';
import { matchResults } from '../../nodes/WalletScreening/answers/match';
import type { ServiceNames } from '../../nodes/WalletScreening/answers/standardNames';
import { Client, type Send } from '../../nodes/WalletScreening/client/client';
import { statusError } from '../../nodes/WalletScreening/client/statusErrors';
import type { ScreeningError } from '../../nodes/WalletScreening/shared/errors';
import type { Answer } from '../../nodes/WalletScreening/shared/http';
import { tryParseJson } from '../../nodes/WalletScreening/shared/json';
import { systemClock } from '../../nodes/WalletScreening/transport/clock';
import { type Field, fieldsIn, mayBeState } from './fields';

export interface CheckOptions {
	readonly baseUrl: string;
	readonly send: Send;
	/** The first address is screened; both are in the bulk job. */
	readonly addresses: [string, string];
	/** Seconds that the bulk job may take. */
	readonly maxSeconds: number;
	/** Seconds for which the job must keep a state, before the nodes are taught that it is the end. */
	readonly confirmSeconds: number;
	/** Prints a sentence for the user. */
	readonly print: (sentence: string) => void;
}

/** A job as the nodes read it. */
interface JobReading {
	/** `whole` if they read a report for each address, else the state that they read. */
	readonly state: 'whole' | Job['state'];
	/** What the job has in place of reports. */
	readonly errors: readonly ScreeningError[];
}

export const clock = systemClock();
export const ignoreError = () => undefined;

/** The check of one service: its requests, and the nodes' reading of the answers. */
export class Check {
	/** The names that the nodes have been taught so far. */
	names: ServiceNames = {};

	constructor(readonly options: CheckOptions) {}

	/** Sends a request to the service, once. @throws an Error if no answer comes */
	async request(
		method: 'GET' | 'POST',
		path: string,
		body?: Record<string, unknown>,
	): Promise<Answer> {
		const { baseUrl, send } = this.options;
		const target = { method, url: `${baseUrl}/v1${path}`, accept: '*/*', maxBytes: Infinity };
		return await send({ ...target, ...(body && { body }) });
	}

	/**
	 * Asks for a job.
	 *
	 * @returns `undefined` if the service did not show it, but may show it later; then the nodes ask
	 * again, too. A 401 or 403 is returned: to read it throws, which ends the check.
	 */
	async requestJob(id: string): Promise<Answer | undefined> {
		const path = `/bulk/${encodeURIComponent(id)}`;
		const answer = await this.request('GET', path).catch(ignoreError);
		if (!answer) return undefined;
		const isLockedOut = answer.status === 401 || answer.status === 403;
		const isJson = answer.status < 300 && tryParseJson(answer.body) !== undefined;
		return isLockedOut || isJson ? answer : undefined;
	}

	/** Reads an answer. If the error proposes names, teaches the nodes these and reads it again. */
	async read<T>(answer: Answer, reading: (client: Client) => Promise<T>): Promise<T> {
		try {
			return await reading(this.clientFor(answer));
		} catch (error) {
			const { message, proposedNames } = error as ScreeningError;
			if (!proposedNames) throw error;
			const setting = JSON.stringify(proposedNames);
			this.options.print(`${message}. With ${setting} in 'Service Names', the nodes read it.`);
			this.names = { ...this.names, ...proposedNames };
			return await reading(this.clientFor(answer));
		}
	}

	/** Reads an answer about a job. @throws a ScreeningError if the nodes cannot read it */
	async readJob(id: string, answer: Answer, names = this.names): Promise<JobReading> {
		const { addresses } = this.options;
		const job = await this.clientFor(answer, names).getBulk(id, addresses);
		const errors = matchResults(addresses, job).flatMap(({ error }) => error ?? []);
		const isWhole = job.state === 'complete' && errors.length === 0;
		return { state: isWhole ? 'whole' : job.state, errors };
	}

	/** A client of the nodes that gets this answer to each request. */
	clientFor(answer: Answer, serviceNames = this.names): Client {
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

	/** The fields of an answer, without those of results. */
	fieldsOf({ body }: Answer): Field[] {
		return fieldsIn(tryParseJson(body), this.options.addresses);
	}

	/** The fields of an answer that may be the state of the job. */
	stateFieldsOf(answer: Answer): Field[] {
		return this.fieldsOf(answer).filter(mayBeState);
	}
}
