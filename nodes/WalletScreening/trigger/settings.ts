import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { type Deciding, readDeciding } from '../n8n/decision';
import { isUnset, switchIn, webhookReader } from '../n8n/parameters';
import type { SignatureScheme } from './signature';

/** The collection "Options" of the trigger node. */
export interface Options {
	onlyNotGreen: boolean;
	fetchResults: boolean;
	ignoreRepeats: boolean;
	alertText: boolean;
	simplify: boolean;
}

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** What the service signs. */
export function schemeOf(context: TriggerContext): SignatureScheme {
	return context.getNodeParameter('signedContent') as SignatureScheme;
}

/** Throws `invalid_input`. */
export function optionsOf(context: TriggerContext): Options {
	const given = webhookReader(context)('options', {}) as Partial<Record<keyof Options, unknown>>;
	const flag = (name: keyof Options, label: string, otherwise = false) =>
		isUnset(given[name]) ? otherwise : switchIn(given[name], label);
	return {
		onlyNotGreen: flag('onlyNotGreen', 'Only Not Green'),
		fetchResults: flag('fetchResults', 'Fetch Results', true),
		ignoreRepeats: flag('ignoreRepeats', 'Ignore Repeats', true),
		alertText: flag('alertText', 'Alert Text'),
		simplify: flag('simplify', 'Simplify'),
	};
}

/** Whether the workflow starts with one item of all that was delivered. */
export function wantsBatch(context: TriggerContext): boolean {
	return context.getNodeParameter('output') === 'batch';
}

/** What is decided on each report; nothing for a batch. Throws `invalid_input`. */
export function decidingOf(context: TriggerContext): Deciding {
	if (wantsBatch(context)) return { policy: undefined, addEvidence: false };
	return readDeciding(webhookReader(context));
}
