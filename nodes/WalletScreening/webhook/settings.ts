import { type IHookFunctions, type IWebhookFunctions, NodeOperationError } from 'n8n-workflow';
import { type DecisionSettings, noDecision, readTriggerDecision } from '../description/decision';
import { type Options, readOptions } from '../description/options';
import { type ParameterReader, webhookReader } from '../description/parameters';
import { invalidInput, rethrowUnlessScreeningError, type ScreeningError } from '../shared/errors';
import { requireChoice, requireNumber } from '../shared/userInput';
import { type Credential, credentialType, readSecret } from '../transport/credential';
import { signedContents } from './fields';
import {
	defaultSettings,
	faultOfSecret,
	faultOfTemplate,
	type SignedContent,
	type SigningSettings,
} from './signature';

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** Whether only the editor listens: then nothing is remembered. */
export function isTest(context: IWebhookFunctions): boolean {
	return context.getMode() === 'manual';
}

/** How deliveries have to be signed. */
interface Signing {
	settings: SigningSettings;
	toleranceSeconds: number;
}

const signedContentValues = Object.keys(signedContents) as SignedContent[];

/**
 * Reads from the node's parameters how the service signs.
 * @throws {ScreeningError} `invalid_input`
 */
export function readSigning(context: TriggerContext): Signing {
	const read = webhookReader(context);
	const textOf = (name: keyof SigningSettings, label: string) =>
		stringIn(read(name, defaultSettings[name]), label);
	const settings = {
		signedContent: requireChoice(read('signedContent'), 'Signature Scheme', signedContentValues),
		signedTemplate: textOf('signedTemplate', 'Signed Template'),
		signatureHeader: textOf('signatureHeader', 'Signature Header'),
		timestampHeader: textOf('timestampHeader', 'Timestamp Header'),
		idHeader: textOf('idHeader', 'ID Header'),
	};
	const fault = settings.signedContent === 'custom' && faultOfTemplate(settings.signedTemplate);
	if (fault) {
		throw invalidInput(
			'Signed Template',
			`'Signed Template' ${fault}`,
			'Enter the text that the service signs, e.g. {timestamp}.{body}.',
		);
	}
	const advice = 'Enter a number, e.g. 300.';
	const tolerance = requireNumber(read('tolerance', 300), 'Tolerance (Seconds)', [1], advice);
	return { settings, toleranceSeconds: tolerance };
}

function stringIn(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	throw invalidInput(label, `'${label}' is not a text`, 'Check its expression.');
}

/** How the node treats a delivery that the service signed. */
export interface Settings extends Options {
	/** Whether the workflow starts with one item of all that was delivered. */
	isBatch: boolean;
	/** How each report is decided on. */
	deciding: DecisionSettings;
	/** Why the parameters cannot be used. The other settings are such that no delivery is refused or left out. */
	fault?: ScreeningError;
}

/** Reads the settings from the node's parameters. A signed delivery must not be lost to those that cannot be read, so it never throws. */
export function readSettings(context: TriggerContext): Settings {
	try {
		return readSettingsBy(webhookReader(context));
	} catch (error) {
		const readDefault: ParameterReader = (name, fallback) =>
			name === 'output' ? 'batch' : fallback;
		return {
			...readSettingsBy(readDefault),
			fetchResults: false,
			fault: rethrowUnlessScreeningError(error),
		};
	}
}

function readSettingsBy(read: ParameterReader): Settings {
	const isBatch = read('output') === 'batch';
	const deciding = isBatch ? noDecision : readTriggerDecision(read);
	return { ...readOptions(read), isBatch, deciding };
}

/** Why one of the webhook secrets can verify no delivery; undefined if each that is needed or given can. */
export function faultOfCredential(
	{ webhookSecret, previousWebhookSecret }: Credential,
	signedContent: SignedContent,
): ScreeningError | undefined {
	const previous = readSecret(previousWebhookSecret);
	const fault = faultOfSecret(readSecret(webhookSecret), signedContent);
	const previousFault = previous && faultOfSecret(previous, signedContent);
	if (!fault && !previousFault) return undefined;
	const parameter = fault ? 'Webhook Secret' : 'Previous Webhook Secret';
	return invalidInput(
		parameter,
		`'${parameter}' of the credential ${fault ?? previousFault}. Open the credential of this node and enter the secret that the service signs its webhooks with`,
		'Without the secret, the node cannot distinguish a delivery from a forgery, so the trigger does not start.',
	);
}

/** @throws {NodeOperationError} if the trigger could accept no delivery, or could do nothing with it */
export async function activate(context: IHookFunctions): Promise<void> {
	const credential = await context.getCredentials<Credential>(credentialType);
	try {
		const { fault } = readSettings(context);
		const unusable =
			faultOfCredential(credential, readSigning(context).settings.signedContent) ?? fault;
		if (unusable) throw unusable;
	} catch (error) {
		const { message, description, details } = rethrowUnlessScreeningError(error);
		// n8n shows only the message when the trigger of a published workflow does not start.
		const label = `'${details.parameter}'`;
		const isNamed = details.parameter === undefined || message.includes(label);
		const named = isNamed ? message : `${message} (see ${label})`;
		throw new NodeOperationError(context.getNode(), named, { description });
	}
}
