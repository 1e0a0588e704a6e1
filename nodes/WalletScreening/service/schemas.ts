import { z } from 'zod';
import { invalidResponse } from './errors';

/**
 * Section 2.1. What a decision rests on has to be there; the rest passes as it came, unknown fields included. Whether the
 * balance or a category is well formed is for whoever uses it to judge: a paid report is not thrown away for it.
 */
const report = z
	.object({
		report_id: z.string().min(1),
		address: z.string().min(1),
		risk: z.object({ level: z.string().min(1), score: z.number().finite() }).passthrough(),
	})
	.passthrough();

export type Report = z.infer<typeof report>;

/** Parses the body of a 2xx as JSON. Throws `invalid_response`. */
export function parseJson(body: Buffer, httpCode: number, secrets: string[] = []): unknown {
	if (body.length === 0) throw invalidResponse('an empty body', httpCode);
	try {
		return maskedJson(body, secrets);
	} catch {
		return notJson(httpCode);
	}
}

/** No service issues a shorter secret, and masking one would spoil honest answers. */
const shortestMasked = 8;

/** A body as JSON. A service may repeat what it was sent: in no text of it a secret goes any further. */
export function maskedJson(body: Buffer, allSecrets: string[]): unknown {
	const text = body.toString('utf8');
	const secrets = allSecrets.filter(({ length }) => length >= shortestMasked);
	// JSON may write any character as an escape.
	const maySpell = text.includes('\\') || secrets.some((secret) => text.includes(secret));
	if (secrets.length === 0 || !maySpell) return JSON.parse(text);
	const longestFirst = [...secrets].sort((one, other) => other.length - one.length);
	return JSON.parse(text, (_, value: unknown) =>
		typeof value === 'string'
			? longestFirst.reduce((all, secret) => all.replaceAll(secret, '***'), value)
			: value,
	);
}

function notJson(httpCode: number): never {
	throw invalidResponse('a body that is not JSON', httpCode);
}

/** Keys under which a report may be wrapped where the specification does not show the body (sections 4.2, 4.4). */
const envelopes = ['report', 'data', 'result'];

/** States of a job, or of one of its results, that was given up (not shown in section 3). */
export const failedStates = [
	'failed',
	'error',
	'errored',
	'cancelled',
	'canceled',
	'expired',
	'aborted',
];

type Fields = Record<string, unknown> | null | undefined;

/** Reports have no states (section 3): what says of itself that it failed is none. */
function saysFailed(value: unknown): boolean {
	const { status, state, error, errors } = (value as Fields) ?? {};
	const failed = [status, state].some(
		(word) => typeof word === 'string' && failedStates.includes(word.trim().toLowerCase()),
	);
	return failed || Boolean(error) || (Array.isArray(errors) ? errors.length > 0 : Boolean(errors));
}

/** The report that a value is or wraps, untouched as it came; undefined where there is none. */
export function reportIn(value: unknown): Report | undefined {
	if (saysFailed(value)) return undefined;
	const wrapped = envelopes.map((key) => (value as Fields)?.[key]);
	return [value, ...wrapped].find(
		(candidate): candidate is Report =>
			report.safeParse(candidate).success && !saysFailed(candidate),
	);
}

/** The report in a body (section 2.1), bare or in one envelope. Throws `invalid_response`. */
export function parseReport(body: unknown, httpCode: number): Report {
	const found = reportIn(body);
	if (found) return found;
	const place = report.safeParse(body).error?.issues[0]?.path.join('.') || 'the body itself';
	throw invalidResponse(`something that is not a report (see '${place}')`, httpCode);
}
