import type { INodeExecutionData, IWebhookFunctions } from 'n8n-workflow';
import { printable } from '../n8n/log';
import { toErrorItem } from '../n8n/nodeError';
import { invalidInput, type ScreeningError } from '../service/errors';
import { nodeName } from './answer';
import { allowanceOfMinute, type Settings, settingsThatFit } from './fit';
import { eachMinute } from './minute';
import { signedContents } from './fields';
import type { Delivery } from './signature';

/** What may be spent on the search, and what was said of it, in this minute. */
const stateOf = eachMinute(() => ({ allowance: { ...allowanceOfMinute }, wasSaid: false }));

/**
 * Looks for settings that fit a refused delivery. While the editor listens, gives the item that names them; in production
 * n8n's log names them, at most once a minute for each node.
 * @param node its key in this process
 */
export function suggest(
	context: IWebhookFunctions,
	node: string,
	refused: Delivery,
): INodeExecutionData | undefined {
	const isTest = context.getMode() === 'manual';
	const state = stateOf(`${node} ${isTest}`, refused.now);
	if (state.wasSaid) return undefined;
	const settings = settingsThatFit(refused, state.allowance);
	if (!settings) return undefined;
	const suggestion = suggestionOf(settings, refused);
	if (isTest) return toErrorItem(suggestion, 'trigger');
	state.wasSaid = true;
	context.logger.warn(
		`Refused a delivery to ${nodeName(context)}: ${suggestion.message}. ${suggestion.description}`,
	);
	return undefined;
}

function suggestionOf(settings: Settings, refused: Delivery): ScreeningError {
	const { signedContent, ...headers } = settings;
	const named = Object.fromEntries(
		Object.entries(headers).map(([parameter, header]) => [parameter, printable(header)]),
	) as Omit<Settings, 'signedContent'>;
	const { signatureHeader, timestampHeader } = named;
	const fields = [
		['Signature Scheme', signedContents[signedContent]],
		// Standard Webhooks names its headers itself.
		...(signedContent === 'standardWebhooks' || isSame(signatureHeader, refused.signatureHeader)
			? []
			: [['Signature Header', signatureHeader]]),
		...(timestampHeader === undefined || isSame(timestampHeader, refused.timestampHeader)
			? []
			: [['Timestamp Header', timestampHeader]]),
	];
	return invalidInput(
		parameterOf(settings, refused),
		'The delivery is signed with the webhook secret, but the settings of this node do not match it',
		`Set ${fields.map(([label, value]) => `'${label}' to '${value}'`).join(', ')}.`,
		{ suggestion: { signedContent, ...named } },
	);
}

/** The label of the first field that has to change. */
function parameterOf({ signedContent, signatureHeader }: Settings, refused: Delivery): string {
	if (signedContent !== refused.scheme) return 'Signature Scheme';
	return isSame(signatureHeader, refused.signatureHeader) ? 'Timestamp Header' : 'Signature Header';
}

/** Whether both name one header. */
function isSame(header: string, set: string): boolean {
	return header.toLowerCase() === set.trim().toLowerCase();
}
