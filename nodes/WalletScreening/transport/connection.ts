import type { ICredentialsDecrypted, INode } from 'n8n-workflow';
import type { ServiceNames } from '../answers/standardNames';
import type { RateLimit } from '../client/rate/pace';
import { sha256Hex } from '../shared/sha256';
import { requireNumber } from '../shared/userInput';
import { normalizeBaseUrl } from './baseUrl';
import { createCredentialMask, type Credential, credentialType, requireApiKey } from './credential';
import type { Mask } from './mask';
import { readServiceNames } from './serviceNames';

/**
 * All that requests under one key need, of one reading of the credential. It is used as a whole,
 * and never changed.
 */
export interface Connection {
	/** A hash of key and base URL: equal for equal ones, and without a way back to them. */
	readonly id: string;
	/** The base URL without `/v1` and without a trailing slash. */
	readonly baseUrl: string;
	/** Null for a plan without a limit. */
	readonly rateLimit: RateLimit | null;
	/** What n8n's helper takes the key from. */
	readonly credentialForHelper: ICredentialsDecrypted;
	/** Hides the key and the webhook secrets. */
	readonly mask: Mask;
	/** What was taught of the service, see `ServiceNames`. */
	readonly serviceNames: ServiceNames | undefined;
}

/**
 * Makes the connection of a credential.
 * @throws {ScreeningError} `invalid_input` for an unusable one
 */
export function createConnection(
	credential: Credential,
	node: Pick<INode, 'credentials'>,
): Connection {
	const baseUrl = normalizeBaseUrl(credential.baseUrl, 'Base URL');
	const apiKey = requireApiKey(credential.apiKey);
	const { id: credentialId, name = '' } = node.credentials?.[credentialType] ?? {};
	return Object.freeze({
		id: hashOf([apiKey, baseUrl]),
		baseUrl,
		rateLimit: readRateLimit(credential),
		credentialForHelper: {
			id: credentialId ?? '',
			name,
			type: credentialType,
			data: { ...credential },
		},
		mask: createCredentialMask(credential),
		serviceNames: readServiceNames(credential.serviceNames),
	});
}

/**
 * The digest of a value that holds an API key, for maps that must hold none. It is the same for the
 * same JSON. Canonical JSON would not do, because it refuses some texts.
 */
export const hashOf = (value: unknown): string => sha256Hex(JSON.stringify(value));

/** The rate of the plan Pro (section 8). */
const proRate = { requestsPerSecond: 10, burst: 50 };

/**
 * Reads the rate limit of the plan that the credential names (section 8); null for a plan without
 * one.
 * @throws {ScreeningError} `invalid_input`
 */
function readRateLimit({ plan, requestsPerSecond, burst, sharedBy }: Credential): RateLimit | null {
	if (plan === 'enterprise') return null;
	// With 0 or an empty field the number of processes is not known.
	const isShareKnown = Number(sharedBy ?? 0) !== 0;
	const processes = isShareKnown ? requireAtLeast(1, sharedBy, 'Shared By') : undefined;
	if (plan !== 'custom') return { ...proRate, sharedBy: processes };
	return {
		requestsPerSecond: requireAtLeast(0.01, requestsPerSecond, 'Requests per Second'),
		burst: requireAtLeast(1, burst, 'Burst'),
		sharedBy: processes,
	};
}

const requireAtLeast = (min: number, value: unknown, label: string): number =>
	requireNumber(value, label, [min], `Correct '${label}' in the credential.`);
