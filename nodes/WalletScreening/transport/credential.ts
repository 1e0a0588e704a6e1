import { createHash } from 'crypto';
import type { ICredentialsDecrypted, IDataObject, INode } from 'n8n-workflow';
import { z } from 'zod';
import { normalizeName, type ServiceNames, standardNames } from '../answers/contract';
import type { Limit } from '../client/pace';
import { invalidInput, ScreeningError, messageOf } from '../shared/errors';
import { normalizeBaseUrl } from '../shared/http';
import { tryParseJson } from '../shared/json';
import { trimInvisible } from '../shared/text';
import { requireNumber } from '../shared/userInput';
import type { Context } from './n8n';

export const credentialType = 'walletScreeningApi';

/** The credential as n8n decrypts it, with its expressions resolved. */
export interface Credential {
	apiKey: string;
	baseUrl: string;
	plan: 'pro' | 'enterprise' | 'custom';
	requestsPerSecond?: number;
	burst?: number;
	webhookSecret?: string | number;
	previousWebhookSecret?: string | number;
	sharedBy?: number;
	serviceNames?: string | IDataObject;
	/** Whether every input item has these values. Anything but `true` leaves that open. */
	isSameForAll?: boolean;
}

/** All that requests under one key need, of one reading of the credential. It is used as a whole, and never changed. */
export interface Connection {
	/** A hash of key and base URL: equal for equal ones, and without a way back to them. */
	readonly id: string;
	/** The base URL without `/v1` and without a trailing slash. */
	readonly baseUrl: string;
	/** The rate of the plan (section 8). */
	readonly limit: Limit;
	/** What n8n's helper takes the key from. */
	readonly credential: ICredentialsDecrypted;
	/** Hides the key and the webhook secrets. */
	readonly mask: Mask;
	/** What this service uses beside the usual names. */
	readonly serviceNames: ServiceNames | undefined;
}

/**
 * The credential of the node, as it is for an input item.
 * @throws {ScreeningError} `network` if n8n cannot read it
 */
export async function readCredential(context: Context, itemIndex: number): Promise<Credential> {
	try {
		return await context.getCredentials<Credential>(credentialType, itemIndex);
	} catch (error) {
		const { description } = (error ?? {}) as { description?: string };
		// The reason is not in the message, because n8n replaces a message that holds a system's error code by its own.
		const failure = new ScreeningError(
			'network',
			'n8n could not read the credential of this node',
			`Nothing was sent. Check whether n8n can open the credential, or run it again later. n8n's message: ${description || messageOf(error)}`,
			{ faultCode: 'CREDENTIAL' },
		);
		throw failure;
	}
}

/**
 * The connection that a credential makes.
 * @throws {ScreeningError} `invalid_input` for an unusable one
 */
export function createConnection(
	credential: Credential,
	node: Pick<INode, 'credentials'>,
): Connection {
	const baseUrl = normalizeBaseUrl(credential.baseUrl, 'Base URL');
	const apiKey = requireKey(credential.apiKey);
	const { id, name = '' } = node.credentials?.[credentialType] ?? {};
	return Object.freeze({
		id: hashOf([apiKey, baseUrl]),
		baseUrl,
		limit: readLimit(credential),
		credential: { id: id ?? '', name, type: credentialType, data: { ...credential } },
		mask: createMask(allSecrets(credential)),
		serviceNames: readServiceNames(credential.serviceNames),
	});
}

/** A hash that is equal for values with equal JSON. */
export const hashOf = (value: unknown) =>
	createHash('sha256').update(JSON.stringify(value)).digest('hex');

/** The key as it goes into a header (section 5). */
function requireKey(apiKey: unknown): string {
	const key = typeof apiKey === 'string' ? apiKey.trim() : '';
	if (/^[!-~]+$/.test(key)) return key;
	throw invalidInput(
		'API Key',
		key === '' ? 'The API key is empty' : 'The API key contains invalid characters',
		"Enter the key as the vendor sent it, in 'API Key' of the credential.",
	);
}

/** The rate of the plan that the credential names (section 8). */
function readLimit({ plan, requestsPerSecond, burst, sharedBy }: Credential): Limit {
	if (plan === 'enterprise') return null;
	// With 0 or an empty field the number is not known.
	const isKnown = Number(sharedBy ?? 0) !== 0;
	const shared = { sharedBy: isKnown ? requirePositive(sharedBy, 'Shared By', 1) : undefined };
	if (plan !== 'custom') return { requestsPerSecond: 10, burst: 50, ...shared };
	return {
		requestsPerSecond: requirePositive(requestsPerSecond, 'Requests per Second', 0.01),
		burst: requirePositive(burst, 'Burst', 1),
		...shared,
	};
}

const requirePositive = (value: unknown, label: string, least: number) =>
	requireNumber(value, label, [least], `Correct '${label}' in the credential.`);

/** A secret as text, without what copy and paste leave around it. A credential from an import or an expression may hold a number. */
export function readSecret(value: unknown): string {
	if (typeof value === 'number') return String(value);
	return typeof value === 'string' ? trimInvisible(value) : '';
}

/** The secrets that verify a delivery. None is empty. */
export function webhookSecrets({ webhookSecret, previousWebhookSecret }: Credential): string[] {
	return [webhookSecret, previousWebhookSecret].map(readSecret).filter(Boolean);
}

/** The texts that must not leave this package. None is empty. */
export function allSecrets(credential: Credential): string[] {
	return [readSecret(credential.apiKey), ...webhookSecrets(credential)].filter(Boolean);
}

/** A shorter text may be a word of an honest answer: "green" has five letters. */
const shortestMasked = 6;

const hidden = '***';

/** Takes the secrets out of a text from outside. */
type Mask = (text: string) => string;

/** Masks these secrets, from six characters on: as they are, or with the escapes of JSON. */
export function createMask(secrets: string[]): Mask {
	const spellings = secrets
		.filter(({ length }) => length >= shortestMasked)
		// One secret may hold another.
		.sort((one, other) => other.length - one.length)
		.map((secret) => secret.split('').map(spellingsOf).join(''));
	if (spellings.length === 0) return (text) => text;
	const pattern = new RegExp(spellings.join('|'), 'g');
	return (text) => text.replace(pattern, hidden);
}

/** The spellings of one code unit in JSON, as a regular expression: itself, after a backslash, and by its number. */
function spellingsOf(unit: string): string {
	const digits = unit.charCodeAt(0).toString(16).padStart(4, '0');
	const eitherCase = Array.from(digits, (digit) => `[${digit}${digit.toUpperCase()}]`).join('');
	const backslash = '"/\\'.includes(unit) ? '\\\\?' : '';
	return `(?:${backslash}\\u${digits}|\\\\u${eitherCase})`;
}

/** Masks the secrets in the bytes of a text in UTF-8. */
export function maskBytes(bytes: Buffer, mask: Mask): Buffer {
	const text = bytes.toString();
	const masked = mask(text);
	return masked === text ? bytes : Buffer.from(masked);
}

const serviceNameKeys = Object.keys(standardNames) as Array<keyof ServiceNames>;
/** A name or a word counts by its letters and digits. */
const name = z.string().refine((text) => normalizeName(text) !== '');
const schema = z.object(
	Object.fromEntries(serviceNameKeys.map((key) => [key, z.array(name).optional()])),
);

/**
 * What the credential adds to the standard names of the service: an object, or its JSON. Undefined if it adds nothing.
 * @throws ScreeningError `invalid_input` for an unknown key, and for a value that is no list of texts, with the key.
 */
export function readServiceNames(field: unknown): ServiceNames | undefined {
	const given = typeof field === 'string' ? parsedField(field) : (field ?? {});
	const { error } = schema.strict().safeParse(given);
	const [issue] = error?.issues ?? [];
	if (issue?.code === 'unrecognized_keys')
		throw serviceNamesError(`has the unknown key ${JSON.stringify(issue.keys[0]!.slice(0, 60))}`);
	if (issue?.path[0] !== undefined)
		throw serviceNamesError(`has no list of texts under ${JSON.stringify(issue.path[0])}`);
	if (issue) throw serviceNamesError('is not a JSON object');
	return Object.keys(given as ServiceNames).length === 0 ? undefined : (given as ServiceNames);
}

function parsedField(text: string): unknown {
	if (text.trim() === '') return {};
	const value = tryParseJson(text);
	if (value === undefined) throw serviceNamesError('is not valid JSON');
	return value;
}

const serviceNamesError = (what: string): ScreeningError =>
	invalidInput(
		'Service Names',
		`'Service Names' ${what}`,
		`It holds lists of names and words, e.g. {"complete": ["scored"]}. Its keys are ${serviceNameKeys.join(', ')}.`,
	);
