import { createHmac } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { request } from 'undici';

export const webhookSchemes = ['body', 'timestampAndBody', 'stripe', 'standardWebhooks'] as const;

export type WebhookScheme = (typeof webhookSchemes)[number];

/** Where and how the completion of a job is reported (section 6). */
export interface WebhookTarget {
	url: string;
	/** Base64 after `whsec_` for the scheme `standardWebhooks`; any text for the others. */
	secret: string;
	scheme: WebhookScheme;
	/** The most attempts of a delivery; 6 if absent. */
	maxAttempts?: number;
}

/** One attempt to report a completed job. */
export interface DeliveryAttempt {
	job_id: string;
	/** Counts from 1. */
	attempt: number;
	/** Status of the receiver's answer; `null` when there was none. */
	status: number | null;
	/** Why there was no answer, in the words of the network; empty if there was one. */
	problem: string;
}

const defaultMaxAttempts = 6;
const firstPauseMs = 200;
const answerTimeoutMs = 10_000;

/**
 * The headers that sign a webhook's body with HMAC-SHA256 (section 6). The specification shows
 * neither the header nor what is signed; these are the ways in common use.
 *
 * @param message.body the exact bytes of the body
 * @param message.id identifier of the message, the same for each attempt
 * @param message.seconds time of the attempt, in seconds since 1970
 */
export function signatureHeaders(
	{ scheme, secret }: Pick<WebhookTarget, 'scheme' | 'secret'>,
	message: { body: string | Buffer; id: string; seconds: number },
): Record<string, string> {
	const { body, id, seconds } = message;
	const isStandard = scheme === 'standardWebhooks';
	const key = isStandard ? Buffer.from(secret.replace(/^whsec_/, ''), 'base64') : secret;
	const digest = (before: string, encoding: 'hex' | 'base64') =>
		createHmac('sha256', key).update(before).update(body).digest(encoding);
	switch (scheme) {
		case 'body':
			return { 'X-Signature': digest('', 'hex') };
		case 'timestampAndBody':
			return { 'X-Timestamp': String(seconds), 'X-Signature': digest(`${seconds}.`, 'hex') };
		case 'stripe':
			return { 'X-Signature': `t=${seconds},v1=${digest(`${seconds}.`, 'hex')}` };
		case 'standardWebhooks':
			return {
				'webhook-id': id,
				'webhook-timestamp': String(seconds),
				'webhook-signature': `v1,${digest(`${id}.${seconds}.`, 'base64')}`,
			};
	}
}

/** Whether the receiver took the delivery, by the status of its answer. */
export const isAccepted = (status: number | null) =>
	status !== null && status >= 200 && status < 300;

/** Sends the body once. */
async function post(
	target: WebhookTarget,
	id: string,
	body: Buffer,
	signal: AbortSignal,
): Promise<Pick<DeliveryAttempt, 'status' | 'problem'>> {
	const seconds = Math.floor(Date.now() / 1000);
	const signature = signatureHeaders(target, { body, id, seconds });
	try {
		const answer = await request(target.url, {
			method: 'POST',
			headers: { 'Content-Type': 'application/json', ...signature },
			body,
			signal: AbortSignal.any([signal, AbortSignal.timeout(answerTimeoutMs)]),
		});
		await answer.body.dump();
		return { status: answer.statusCode, problem: '' };
	} catch (error) {
		const { message, code } = error as NodeJS.ErrnoException;
		// An error that stands for one of each IP address has a code, but no message.
		return { status: null, problem: message || String(code) };
	}
}

/** Waits before a repeated attempt, each time twice as long. The signal ends the wait. */
async function pauseBefore(attempt: number, signal: AbortSignal): Promise<void> {
	const ms = firstPauseMs * 2 ** (attempt - 2);
	await pause(ms, undefined, { ref: false, signal }).catch(() => undefined);
}

/**
 * Reports a completed job (section 6), again and again with doubled pauses until the receiver
 * answers with 2xx. The specification does not show how often, or whether at all.
 *
 * @param onAttempt called after each attempt
 * @param signal ends the deliveries, in a pause, too
 */
export async function deliver(
	target: WebhookTarget,
	job: { job_id: string; body: object },
	onAttempt: (attempt: DeliveryAttempt) => void,
	signal: AbortSignal,
): Promise<void> {
	const { job_id } = job;
	const body = Buffer.from(JSON.stringify(job.body));
	const maxAttempts = target.maxAttempts ?? defaultMaxAttempts;
	for (let attempt = 1; attempt <= maxAttempts; attempt++) {
		if (attempt > 1) await pauseBefore(attempt, signal);
		if (signal.aborted) return;
		const end = await post(target, `msg_${job_id}`, body, signal);
		if (signal.aborted) return;
		onAttempt({ job_id, attempt, ...end });
		if (isAccepted(end.status)) return;
	}
}
