import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readRules } from '../n8n/rules';
import type { Rule } from '../risk/decision';
import type { SignatureScheme } from './signature';

/** The collection "Options" of the trigger node. */
export interface Options {
	onlyNotGreen?: boolean;
	fetchResults?: boolean;
	ignoreRepeats?: boolean;
	alertText?: boolean;
	simplify?: boolean;
}

type Context = IHookFunctions | IWebhookFunctions;

export function schemeOf(context: Context): SignatureScheme {
	return context.getNodeParameter('signedContent') as SignatureScheme;
}

export function optionsOf(context: Context): Options {
	return context.getNodeParameter('options', {}) as Options;
}

/** Whether the workflow starts with one item of all that was delivered. */
export function wantsBatch(context: Context): boolean {
	return context.getNodeParameter('output') === 'batch';
}

/** The decision rules; undefined if the user wants no decision, and for a batch. Throws `invalid_input`. */
export function rulesOf(context: Context): Rule[] | undefined {
	if (wantsBatch(context)) return undefined;
	return readRules((name, otherwise) => context.getNodeParameter(name, otherwise));
}
