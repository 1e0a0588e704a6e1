import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { readDeciding, undecided } from '../n8n/decision';
import { readOptions } from '../n8n/options';
import { numberFrom, type Read, webhookReader } from '../n8n/parameters';
import { invalidInput, own, type ScreeningError } from '../service/errors';
import { signedContents } from './fields';
import type { SignatureScheme } from './signature';

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** Whether only the editor listens: then nothing is remembered. */
export function isTest(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** How the service signs, as the node's parameters say it. Throws `invalid_input`. */
export function signingOf(context: TriggerContext) {
	const read = webhookReader(context);
	const scheme = read('signedContent') as SignatureScheme;
	const signatureHeader = read('signatureHeader', '') as string;
	const timestampHeader = read('timestampHeader', '') as string;
	const toleranceSeconds = numberFrom(read('tolerance', 300));
	if (!Object.hasOwn(signedContents, scheme)) throw invalid('Signature Scheme');
	if (typeof signatureHeader !== 'string') throw invalid('Signature Header');
	if (typeof timestampHeader !== 'string') throw invalid('Timestamp Header');
	if (!(toleranceSeconds >= 0)) throw invalid('Tolerance (Seconds)');
	return { scheme, signatureHeader, timestampHeader, toleranceSeconds };
}

const invalid = (label: string) =>
	invalidInput(label, `'${label}' has an invalid value`, 'Check its expression.');

/** What the node makes of a delivery that the service signed. */
export interface Settings extends ReturnType<typeof readSettings> {
	/** Why the parameters cannot be used. The other settings are such that no delivery is refused or left out. */
	fault?: ScreeningError;
}

export function settingsOf(context: TriggerContext): Settings {
	try {
		return readSettings(webhookReader(context));
	} catch (error) {
		const usual = readSettings((name, otherwise) => (name === 'output' ? 'batch' : otherwise));
		return { ...usual, fetchResults: false, fault: own(error) };
	}
}

function readSettings(read: Read) {
	/** One item of all that was delivered. */
	const isBatch = read('output') === 'batch';
	/** What is decided on each report. */
	const deciding = isBatch ? undecided : readDeciding(read);
	return { ...readOptions(read), isBatch, deciding };
}
