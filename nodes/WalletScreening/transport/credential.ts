import type { ICredentialsDecrypted, IDataObject, INode } from 'n8n-workflow';
import type { ServiceNames } from '../answers/standardNames';
import type { RateLimit } from '../client/pace';
import { unlessAborted } from '../shared/abort';
import { descriptionOf, invalidInput, messageOf, ScreeningError } from '../shared/errors';
import { normalizeBaseUrl } from '../shared/http';
import { tryParseJson } from '../shared/json';
import { sha256Hex } from '../shared/sha256';
import { trimInvisible } from '../shared/text';
import { requireNumber } from '../shared/userInput';
import type { Context } from './context';
import { createMask, type Mask } from './mask';
import { readServiceNames } from './serviceNames';

export const credentialType = 'walletScreeningApi';

/** The credential as n8n decrypts it, with its expressions resolved. */
export interface Credential {
	apiKey: string | number;
	baseUrl: string;
	plan: 'pro' | 'enterprise' | 'custom';
	requestsPerSecond?: number;
	burst?: number;
	webhookSecret?: string | number;
	previousWebhookSecret?: string | number;
	sharedBy?: number;
	serviceNames?: string | IDataObject;
	/** A list in JSON of the expressions as entered, e.g. `["={{ $json.key }}"]`. */
	expressions?: string;
}

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
 * Makes a function that reads the credential of the node, as it is for an input item. n8n takes 2 ms
 * for that, so a credential that is the same for all items is read once.
 * @throws {ScreeningError} The function: `network` if n8n cannot read it
 * @throws The function, the reason of the signal, if that ends the reading
 */
export function createCredentialReader(
	context: Context,
	signal: AbortSignal | undefined,
): (itemIndex: number) => Promise<Credential> {
	let sameForAll: Credential | undefined;
	return async (itemIndex) => {
		if (sameForAll) return sameForAll;
		const credential = await unlessAborted(readCredential(context, itemIndex), [signal]);
		if (isSameForAll(credential)) sameForAll = credential;
		return credential;
	};
}

/** An expression that is only the name of a secret or a variable of n8n. */
const nameOfSecret = /^=\{\{\s*\$(secrets|vars)(\.[\w-]+)+\s*\}\}$/;

/**
 * Whether a credential has the same values for all input items: it is certain that no expression in
 * it reads an item.
 *
 * @example
 *
 *     expressions                        the same
 *     []                                 yes
 *     ["={{ $secrets.vault.key }}"]      yes
 *     ["={{ $json.key }}"]               no
 *     ["={{ $vars[$json.region] }}"]     no
 *     ["[object Object]"]                no: a text in it may be an expression
 *     undefined                          no: it is not known
 */
export function isSameForAll({ expressions = '' }: { expressions?: string | undefined }): boolean {
	const entered = tryParseJson(expressions);
	return Array.isArray(entered) && entered.every((text) => nameOfSecret.test(String(text)));
}

async function readCredential(context: Context, itemIndex: number): Promise<Credential> {
	try {
		return await context.getCredentials<Credential>(credentialType, itemIndex);
	} catch (error) {
		throw unreadableCredentialError(error);
	}
}

function unreadableCredentialError(thrown: unknown): ScreeningError {
	return new ScreeningError(
		'network',
		'n8n could not read the credential of this node',
		`Nothing was sent. Check whether n8n can open the credential, or run it again later. n8n's message: ${descriptionOf(thrown) || messageOf(thrown)}`,
		{ faultCode: 'CREDENTIAL' },
	);
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
	const apiKey = requireKey(credential.apiKey);
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
		mask: createMask(listSecrets(credential)),
		serviceNames: readServiceNames(credential.serviceNames),
	});
}

/**
 * The digest of a value that holds an API key, for maps that must hold none. It is the same for the
 * same JSON. Canonical JSON would not do, because it refuses some texts.
 */
export const hashOf = (value: unknown): string => sha256Hex(JSON.stringify(value));

/**
 * Reads the key as it goes into a header (section 5).
 * @throws {ScreeningError} `invalid_input`
 */
function requireKey(apiKey: unknown): string {
	const key = readSecret(apiKey);
	if (key === '') throw keyError(typeof (apiKey ?? '') === 'string' ? 'is empty' : 'is not a text');
	if (!/^[!-~]+$/.test(key)) throw keyError('contains invalid characters');
	return key;
}

const keyError = (problem: string): ScreeningError =>
	invalidInput(
		'API Key',
		`The API key ${problem}`,
		"Enter the key as the vendor sent it, in 'API Key' of the credential.",
	);

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

/**
 * Reads the key or a webhook secret as text, without what copy and paste leave around it; empty for
 * one that is no text. A credential from an import or an expression may hold a number.
 */
export function readSecret(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? trimInvisible(value) : '';
}

/** Lists the secrets that verify a delivery. None is empty. */
export function listWebhookSecrets({ webhookSecret, previousWebhookSecret }: Credential): string[] {
	return [webhookSecret, previousWebhookSecret].map(readSecret).filter(Boolean);
}

/** Lists the texts that must not leave this package. None is empty. */
export function listSecrets(credential: Credential): string[] {
	return [readSecret(credential.apiKey), ...listWebhookSecrets(credential)].filter(Boolean);
}
