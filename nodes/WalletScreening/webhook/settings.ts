import type { IHookFunctions, IWebhookFunctions } from 'n8n-workflow';
import { type DecisionSettings, noDecision, readTriggerDecision } from '../description/decision';
import { readOptions } from '../description/options';
import { webhookReader } from '../description/parameters';
import { rethrowUnlessScreeningError, invalidInput, type ScreeningError } from '../shared/errors';
import { requireChoice, requireNumber } from '../shared/userInput';
import { checkTemplate, defaultSigning, signedContents, type SigningSettings } from './signature';

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** Whether only the editor listens: then nothing is remembered. */
export function isTest(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** How deliveries have to be signed. */
interface Signing {
	signing: SigningSettings;
	toleranceSeconds: number;
}

/**
 * Reads from the node's parameters how the service signs.
 * @throws {ScreeningError} `invalid_input`
 */
export function readSigning(context: TriggerContext): Signing {
	const read = webhookReader(context);
	const readText = (name: keyof SigningSettings, label: string) =>
		requireString(read(name, defaultSigning[name]), label);
	const signing = {
		signedContent: requireChoice(read('signedContent'), 'Signature Scheme', signedContents),
		signedTemplate: readText('signedTemplate', 'Signed Template'),
		signatureHeader: readText('signatureHeader', 'Signature Header'),
		timestampHeader: readText('timestampHeader', 'Timestamp Header'),
		idHeader: readText('idHeader', 'ID Header'),
	};
	const problem = signing.signedContent === 'custom' && checkTemplate(signing.signedTemplate);
	if (problem) {
		throw invalidInput(
			'Signed Template',
			`'Signed Template' ${problem}`,
			'Enter the text that the service signs, e.g. {timestamp}.{body}.',
		);
	}
	const advice = 'Enter a number, e.g. 300.';
	const tolerance = requireNumber(read('tolerance', 300), 'Tolerance (Seconds)', [1], advice);
	return { signing, toleranceSeconds: tolerance };
}

function requireString(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	throw invalidInput(label, `'${label}' is not a text`, 'Check its expression.');
}

/** How the node treats a delivery that the service signed. */
export interface TriggerOptions {
	/** Whether the workflow starts with one item of all that was delivered. */
	isBatch: boolean;
	/** Whether results that the body lacks are fetched. */
	fetchResults: boolean;
	/** Whether a delivery that was accepted before starts nothing. */
	ignoreRepeats: boolean;
	onlyNotGreen: boolean;
	alertText: boolean;
	simplify: boolean;
	/** How each report is decided on. */
	decision: DecisionSettings;
	/** Why the parameters cannot be used. */
	problem?: ScreeningError;
}

/** With these no delivery is refused or left out. */
const safeOptions: TriggerOptions = {
	isBatch: true,
	fetchResults: false,
	ignoreRepeats: true,
	onlyNotGreen: false,
	alertText: false,
	simplify: false,
	decision: noDecision,
};

/**
 * Reads from the node's parameters how it treats deliveries. A signed one must not be lost to parameters that cannot be used, so
 * it never throws.
 */
export function readTriggerOptions(context: TriggerContext): TriggerOptions {
	try {
		const read = webhookReader(context);
		const isBatch = read('output') === 'batch';
		const decision = isBatch ? noDecision : readTriggerDecision(read);
		const { fetchResults, ignoreRepeats, onlyNotGreen, alertText, simplify } = readOptions(read);
		return { isBatch, fetchResults, ignoreRepeats, onlyNotGreen, alertText, simplify, decision };
	} catch (error) {
		return { ...safeOptions, problem: rethrowUnlessScreeningError(error) };
	}
}
