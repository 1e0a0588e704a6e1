import { createHash } from 'crypto';
import { normalizeBaseUrl } from '../service/baseUrl';
import { type Client, createClient } from '../service/client';
import { invalidInput } from '../service/errors';
import type { Limit } from '../pace/pace';
import { createLimiterRegistry } from '../pace/rateLimiter';
import type { Context } from './context';
import { allSecrets, type Credential, readCredential } from './credential';
import { numberFrom } from './parameters';
import { createSend } from './send';
import { systemClock } from './time';

const limiterFor = createLimiterRegistry(systemClock());

interface Connecting {
	maxRetries: number;
	/** How often a screening with a lost answer is sent again. */
	resends: number;
	/** Seconds. */
	requestTimeout: number;
	/** Ends every wait. */
	signal?: AbortSignal | undefined;
}

/**
 * The client of one execution. All executions of the process that use the same key share its rate. Throws `invalid_input`
 * for an unusable credential, and `network` if n8n cannot read it.
 */
export async function connect(
	context: Context,
	{ maxRetries, resends, requestTimeout, signal }: Connecting,
): Promise<Client> {
	const credential = await readCredential(context);
	const baseUrl = normalizeBaseUrl(credential.baseUrl, 'Base URL');
	const apiKey = usableKey(credential.apiKey);
	const keyAndAddress = createHash('sha256').update(`${apiKey}\n${baseUrl}`).digest('hex');
	return createClient({
		baseUrl,
		send: createSend(context, { requestTimeout, signal }),
		limiter: limiterFor(keyAndAddress, limitOf(credential)),
		lane: {},
		clock: systemClock(signal),
		random: Math.random,
		maxRetries,
		resends,
		signal,
		secrets: allSecrets(credential),
	});
}

/** The key as it goes into a header (section 5). */
function usableKey(apiKey: unknown): string {
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	if (/^[!-~]+$/.test(key)) return key;
	throw invalidInput(
		'API Key',
		key === '' ? 'The API key is empty' : 'The API key contains invalid characters',
		"Enter the key as the vendor sent it, in 'API Key' of the credential.",
	);
}

/** Section 8. */
function limitOf({ plan, requestsPerSecond, burst, sharedBy }: Credential): Limit {
	if (plan === 'enterprise') return null;
	const shared = isBlank(sharedBy) ? undefined : positive(sharedBy, 'Shared By', 1);
	if (plan !== 'custom') return { requestsPerSecond: 10, burst: 50, sharedBy: shared };
	return {
		requestsPerSecond: positive(requestsPerSecond, 'Requests per Second', 0.01),
		burst: positive(burst, 'Burst', 1),
		sharedBy: shared,
	};
}

/** 0 and an empty field say that nobody knows. */
function isBlank(value: unknown): boolean {
	const text = typeof value === 'string' ? value.trim() : value;
	return text === undefined || text === null || text === '' || Number(text) === 0;
}

function positive(value: unknown, label: string, least: number): number {
	const number = numberFrom(value);
	if (number >= least && Number.isFinite(number)) return number;
	throw invalidInput(
		label,
		`'${label}' is not a number of at least ${least}`,
		`Correct '${label}' in the credential.`,
	);
}
