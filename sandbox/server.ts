import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { createJobs, type PlanJob } from './bulk';
import { type Dialect, dialects, jobBody } from './dialects';
import { createFaults, type Fault, type FaultEffect, type FaultTarget } from './faults';
import { createRateLimiter, proPlan, type RateLimit } from './rateLimit';
import { createReports } from './reports';
import { type Answer, createService, type KeyName, refusal } from './service';
import { transmit } from './transmit';
import { deliver, type Delivery, type WebhookTarget } from './webhook';

export interface SandboxOptions {
	/** Port to listen on; any free one where 0 or absent. */
	port?: number;
	/** Rate limit of each key (section 8): the Pro plan's where absent, none where `null`. */
	limit?: RateLimit | null;
	/** Pause before each answer; none where absent. */
	latencyMs?: number;
	/** From the submission of a bulk job to its end; 1,500 where absent. */
	jobDurationMs?: number;
	/** Lets single bulk jobs depart from the good course. */
	jobs?: PlanJob;
	/** How jobs are spelled in JSON; `standard` where absent. */
	dialect?: Dialect;
	/** Where the completion of jobs is reported (section 6); nowhere where absent. */
	webhook?: WebhookTarget;
}

/** A request as it arrived, whatever became of it. */
export interface RequestRecord extends FaultTarget {
	/** Milliseconds since 1970. */
	at: number;
	/** Which key it carried; `null` for none that is valid. */
	key: KeyName | null;
	/** Status of the answer; `null` while or because none was given. */
	status: number | null;
	/** The bulk job that it created. */
	job_id?: string;
}

export interface Sandbox {
	/** `http://127.0.0.1:PORT`, without a slash at the end. */
	baseUrl: string;
	keys: Record<KeyName, string>;
	/** Every request in the order of arrival, kept until the sandbox is closed. */
	requests: RequestRecord[];
	/** Every attempt to deliver a completion webhook, in the order of their ends. */
	deliveries: Delivery[];
	/** Provokes a fault. @returns a function that ends it */
	addFault(fault: Fault): () => void;
	clearFaults(): void;
	/** Stops listening, destroys open connections, and ends deliveries. */
	close(): Promise<void>;
}

const keys: Record<KeyName, string> = {
	readWrite: 'sandbox-read-write-key',
	readOnly: 'sandbox-read-only-key',
};

function keyOf({ headers }: IncomingMessage): KeyName | null {
	if (headers.authorization === `Bearer ${keys.readWrite}`) return 'readWrite';
	if (headers.authorization === `Bearer ${keys.readOnly}`) return 'readOnly';
	return null;
}

function parsed(bytes: Buffer): unknown {
	try {
		return JSON.parse(bytes.toString('utf8'));
	} catch {
		return undefined;
	}
}

function declaresJson({ headers }: IncomingMessage): boolean {
	return /^application\/json\s*(;|$)/i.test(headers['content-type'] ?? '');
}

function spoiledAnswer(effect: FaultEffect & { kind: 'answer' }): Answer {
	return { status: effect.status, headers: effect.headers ?? {}, body: effect.body ?? '' };
}

/**
 * Starts a stand-in for the wallet risk screening service on this machine: all its endpoints
 * (section 4), with made-up but consistent reports.
 *
 * @throws when the port is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { dialect = dialects.standard, latencyMs = 0, limit = proPlan, webhook } = options;
	const requests: RequestRecord[] = [];
	const deliveries: Delivery[] = [];
	const faults = createFaults();
	const closing = new AbortController();

	const server = createServer((incoming, response) => {
		void serve(incoming, response).catch(() => response.destroy());
	});
	server.listen(options.port ?? 0, '127.0.0.1');
	await once(server, 'listening');
	const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;

	const reportCompletion = (job_id: string) => {
		const job = webhook && jobs.find(job_id);
		if (!job) return;
		const { results, ...jobOnly } = job;
		const body = jobBody(dialect, webhook.body === 'jobOnly' ? jobOnly : job);
		void deliver(
			webhook,
			{ job_id, body },
			(delivery) => deliveries.push(delivery),
			closing.signal,
		);
	};
	const reports = createReports(baseUrl);
	const jobs = createJobs({
		durationMs: options.jobDurationMs ?? 1500,
		planJob: options.jobs ?? (() => ({})),
		createReport: reports.create,
		onCompleted: reportCompletion,
	});
	const answerTo = createService({
		reports,
		jobs,
		takeTurn: limit ? createRateLimiter(limit) : () => 0,
		jobBody: (job) => jobBody(dialect, job),
	});

	async function serve(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
		const { method = '', url = '' } = incoming;
		const record: RequestRecord = {
			at: Date.now(),
			method,
			path: url,
			body: undefined,
			key: keyOf(incoming),
			status: null,
		};
		requests.push(record);
		if (faults.take('beforeRead', record)) return void incoming.socket.resetAndDestroy();

		record.body = parsed(await buffer(incoming));
		const effect = faults.take('read', record);
		if (effect?.kind === 'silence') return;
		if (effect?.kind === 'delay') await pause(effect.ms, undefined, { ref: false });

		const answer =
			effect?.kind === 'answer'
				? spoiledAnswer(effect)
				: await answerTo({
						method,
						path: url.replace(/\?.*$/, ''),
						body: declaresJson(incoming) ? record.body : undefined,
						key: record.key,
					}).catch((error: Error) => refusal(500, error.message));
		if (answer.job_id !== undefined) record.job_id = answer.job_id;
		if (latencyMs > 0) await pause(latencyMs, undefined, { ref: false });
		if (effect?.kind === 'reset') return void incoming.socket.resetAndDestroy();
		if (response.destroyed) return;

		record.status = answer.status;
		await transmit(response, answer, effect);
	}

	return {
		baseUrl,
		keys,
		requests,
		deliveries,
		addFault: faults.add,
		clearFaults: faults.clear,
		async close() {
			closing.abort();
			const closed = new Promise((resolve) => server.close(resolve));
			server.closeAllConnections();
			await closed;
		},
	};
}
