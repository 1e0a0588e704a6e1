import { type AddressInfo, isIPv6 } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createJobs, type PlanJob } from './bulk';
import { type Dialect, dialects } from './dialects';
import { addFaultHooks } from './faultHooks';
import {
	createFaults,
	type Fault,
	type FaultEffect,
	type Faults,
	type ReceivedRequest,
} from './faults';
import { createRateLimiter, proPlan, type RateLimit } from './rateLimit';
import { createReports } from './reports';
import type { Timeline } from './scenarios';
import { addService, errorBody, type KeyName } from './service';
import { deliver, type DeliveryAttempt, type WebhookTarget } from './webhook';

declare module 'fastify' {
	interface FastifyRequest {
		record: RequestRecord;
	}
}

export interface SandboxOptions {
	/** Port to listen on; any free one if 0 or absent. */
	port?: number;
	/** Address to listen on; only this machine's own, 127.0.0.1, if absent. */
	host?: string;
	/** The day of the timeline to begin with; 0 if absent. */
	day?: number;
	/** Rate limit of each key (section 8): the Pro plan's if absent, none if `null`. */
	limit?: RateLimit | null;
	/** Pause before each answer; none if absent. */
	latencyMs?: number;
	/** Milliseconds from the submission of a bulk job to its end; 1,500 if absent. */
	jobDurationMs?: number;
	/** Makes single bulk jobs go wrong; all go well if absent. */
	planJob?: PlanJob;
	/** How jobs are written; `standard` if absent. */
	dialect?: Dialect;
	/** Where the completion of jobs is reported (section 6); nowhere if absent. */
	webhook?: WebhookTarget;
	/** Is called after each attempt to report a completed job. */
	onDeliveryAttempt?: (attempt: DeliveryAttempt) => void;
}

/** A request as it arrived, whatever became of it. */
export interface RequestRecord extends ReceivedRequest {
	/** Milliseconds since 1970. */
	at: number;
	/** Which key it carried; `null` for none that is valid. */
	key: KeyName | null;
	/** Status of the answer; `null` while or because none was given. */
	status: number | null;
	/** The fault that hit it. */
	effect?: FaultEffect;
	/** The bulk job that it created. */
	job_id?: string;
}

export interface Sandbox {
	/** The address that it listens on, without a slash at the end, e.g. `http://127.0.0.1:4010`. */
	readonly baseUrl: string;
	readonly keys: Record<KeyName, string>;
	/** Every request in the order of arrival, kept until the sandbox is closed. */
	readonly requests: RequestRecord[];
	/** Every attempt to deliver a completion webhook, in the order in which they ended. */
	readonly deliveryAttempts: DeliveryAttempt[];
	/** Provokes a fault. @returns a function that ends it */
	addFault(fault: Fault): () => void;
	clearFaults(): void;
	/** The day of the timeline. */
	day(): number;
	/** Moves the timeline, on which some test addresses change, to a day from 0 up. */
	setDay(day: number): void;
	/** Stops listening, destroys open connections, and ends deliveries. */
	close(): Promise<void>;
}

const keys: Record<KeyName, string> = {
	readWrite: 'sandbox-read-write-key',
	readOnly: 'sandbox-read-only-key',
};

function keyOf(authorization: string | undefined): KeyName | null {
	if (authorization === `Bearer ${keys.readWrite}`) return 'readWrite';
	if (authorization === `Bearer ${keys.readOnly}`) return 'readOnly';
	return null;
}

/** Keeps a record of each request, and finds out who sends it. */
function addRecording(app: FastifyInstance, requests: RequestRecord[]): void {
	app.decorateRequest('record');
	app.addHook('onRequest', async (request) => {
		request.record = {
			at: Date.now(),
			method: request.method,
			path: request.url,
			body: undefined,
			key: keyOf(request.headers.authorization),
			status: null,
		};
		requests.push(request.record);
	});
}

/** Reads each body as JSON, also if its content type is another one, and records it. */
function addBodyParser(app: FastifyInstance): void {
	app.removeAllContentTypeParsers();
	app.addContentTypeParser(
		'*',
		{ parseAs: 'string' },
		async (request: FastifyRequest, text: string) => {
			try {
				request.record.body = JSON.parse(text);
			} catch {
				// The body is refused later: faults, the key and its limit come first.
			}
			return request.record.body;
		},
	);
}

/**
 * A server without endpoints, which records its requests and applies faults to them. The hooks of
 * Fastify, with those of service.ts, have this order:
 *
 * 1. `onRequest` records the request, and finds out whose key it has. Then its body is read.
 * 2. `preValidation` applies a fault that ends or delays the request (faultHooks.ts), checks the key
 *    and its rate limit, and then, in an endpoint that writes, the scope (both in service.ts).
 * 3. Fastify validates the body, and the endpoint makes the answer.
 * 4. `preSerialization` rewrites the answer, if a fault does so.
 * 5. `onSend` waits for the latency, damages the answer, if a fault does so, and records the status.
 */
function createApp(requests: RequestRecord[], faults: Faults, latencyMs: number): FastifyInstance {
	const app = Fastify({
		exposeHeadRoutes: false,
		forceCloseConnections: true,
		// An identifier of any length is looked up, not refused for its length.
		routerOptions: { maxParamLength: Number.MAX_SAFE_INTEGER },
		// No route has such a path, so no hook is called for it.
		frameworkErrors: ({ message }, _request, reply) => {
			void (reply as FastifyReply).code(400).send(errorBody(400, message));
		},
	});
	addRecording(app, requests);
	addBodyParser(app);
	if (latencyMs > 0) {
		app.addHook('onSend', () => pause(latencyMs, undefined, { ref: false }));
	}
	addFaultHooks(app, faults);
	// Last, so that it records the status that a fault set.
	app.addHook('onSend', async ({ record, socket }, { statusCode }) => {
		if (!socket.destroyed) record.status = statusCode;
	});
	return app;
}

/** @throws an Error that names the port if it is taken */
async function listen(app: FastifyInstance, port: number, host: string): Promise<void> {
	try {
		await app.listen({ port, host });
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw error;
		throw new Error(`Port ${port} is taken, perhaps by another sandbox`, { cause: error });
	}
}

/**
 * The URL of a server that listens on this address. A server that listens on all addresses of this
 * machine is called at 127.0.0.1.
 *
 * @example baseUrlOf({ address: '::1', port: 4010 }) // 'http://[::1]:4010'
 */
export function baseUrlOf({ address, port }: Pick<AddressInfo, 'address' | 'port'>): string {
	const isWildcard = address === '0.0.0.0' || address === '::';
	const host = isWildcard ? '127.0.0.1' : address;
	return `http://${isIPv6(host) ? `[${host}]` : host}:${port}`;
}

/**
 * Starts a stand-in for the wallet risk screening service on this machine: all its endpoints
 * (section 4), with made-up but consistent reports.
 *
 * @throws an Error that names the port if it is taken
 */
export async function startSandbox(options: SandboxOptions = {}): Promise<Sandbox> {
	const { dialect = dialects.standard, latencyMs = 0, limit = proPlan, webhook } = options;
	const requests: RequestRecord[] = [];
	const deliveryAttempts: DeliveryAttempt[] = [];
	const faults = createFaults();
	const closing = new AbortController();

	const app = createApp(requests, faults, latencyMs);

	const timeline: Timeline = { day: options.day ?? 0 };
	const baseUrl = () => baseUrlOf(app.server.address() as AddressInfo);
	const reports = createReports(baseUrl, timeline);
	const onAttempt = (attempt: DeliveryAttempt) => {
		deliveryAttempts.push(attempt);
		options.onDeliveryAttempt?.(attempt);
	};
	const jobs = createJobs({
		durationMs: options.jobDurationMs ?? 1500,
		planJob: options.planJob ?? (() => ({})),
		screenAll: reports.screenAll,
		onCompleted: (job_id) => {
			if (!webhook || closing.signal.aborted) return;
			const body = dialect(jobs.find(job_id)!);
			void deliver(webhook, { job_id, body }, onAttempt, closing.signal);
		},
	});
	const takeTurn = limit ? createRateLimiter(limit) : undefined;
	addService(app, { reports, jobs, timeline, takeTurn, dialect });
	await listen(app, options.port ?? 0, options.host ?? '127.0.0.1');

	return {
		baseUrl: baseUrl(),
		keys,
		requests,
		deliveryAttempts,
		addFault: faults.add,
		clearFaults: faults.clear,
		day: () => timeline.day,
		setDay: (day) => void (timeline.day = day),
		async close() {
			closing.abort();
			await app.close();
		},
	};
}
