import { unlessAborted } from '../shared/abort';
import { descriptionOf, messageOf, ScreeningError } from '../shared/errors';
import { tryParseJson } from '../shared/json';
import type { Context } from './context';
import { type Credential, credentialType } from './credential';

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
