import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import { choice, field, select } from '../description/fields';
import { createWebhookReader } from '../description/parameters';
import { invalidInput } from '../shared/errors';
import { requireChoice, requireNumber } from '../shared/userInput';
import {
	checkTemplate,
	defaultSignatureSettings,
	type SchemeName,
	schemeNames,
	type SignatureSettings,
} from './scheme';

/*
 * The parameters of the trigger node that say how a delivery is verified: how the editor shows them,
 * and how they are read.
 */

/** How the editor words a choice. */
interface ChoiceWords {
	name: string;
	description: string;
}

/** What the editor calls the schemes. */
export const schemeWords: Record<SchemeName, ChoiceWords> = {
	body: { name: 'Body', description: 'The body of the request' },
	custom: {
		name: 'Custom',
		description: "Any text that contains the body, as in 'Signed Template'",
	},
	standardWebhooks: {
		name: 'Standard Webhooks',
		description: 'ID, time and body, in the headers of the Standard Webhooks specification',
	},
	stripe: { name: 'Stripe Style', description: 'Time and body, in one header "t=…,v1=…"' },
	timestampAndBody: {
		name: 'Timestamp and Body',
		description: 'Time and body, each in a header of its own',
	},
};

/** The parameters that say how the service signs, in the order of the editor. */
const signatureFields: Record<keyof SignatureSettings, INodeProperties> = {
	signedContent: select(
		'Signature Scheme',
		'signedContent',
		defaultSignatureSettings.signedContent,
		schemeNames.map((value) => {
			const { name, description } = schemeWords[value];
			return choice(name, value, description);
		}),
		{
			description: 'What the service signs with the webhook secret',
			hint: 'Ask the vendor which scheme the service uses',
		},
	),
	signedTemplate: field('Signed Template', 'signedTemplate', {
		default: defaultSignatureSettings.signedTemplate,
		placeholder: 'e.g. v0:{timestamp}:{body}',
		description:
			'The text that the service signs. {body} stands for the body, {timestamp} for the time, {id} for the ID of the message, {url} for the Production URL of this node, and \\n for a line break.',
		hint: 'Write {body} once, and {timestamp}, {id} and {url} where the service signs them',
		displayOptions: { show: { signedContent: ['custom'] } },
	}),
	signatureHeader: field('Signature Header', 'signatureHeader', {
		default: defaultSignatureSettings.signatureHeader,
		placeholder: 'e.g. X-Signature',
		description: 'Name of the header that holds the signature',
		displayOptions: { show: { signedContent: ['body', 'timestampAndBody', 'stripe', 'custom'] } },
	}),
	timestampHeader: field('Timestamp Header', 'timestampHeader', {
		default: defaultSignatureSettings.timestampHeader,
		placeholder: 'e.g. X-Timestamp',
		description:
			'Name of the header that holds the time of signing, as Unix time, ISO 8601 or a date of HTTP. Leave empty if the signature header holds it, as t=, ts=, time= or timestamp=.',
		displayOptions: { show: { signedContent: ['timestampAndBody', 'custom'] } },
	}),
	idHeader: field('ID Header', 'idHeader', {
		placeholder: 'e.g. X-Message-Id',
		description:
			'Name of the header that holds the ID of the message, if the service signs one. Leave empty if the signature header holds it, as id=.',
		displayOptions: { show: { signedContent: ['custom'] } },
	}),
};

/** What the editor calls one of them. */
export const labelOf = (name: keyof SignatureSettings): string => signatureFields[name].displayName;

/** Seconds. */
const defaultTolerance = 300;

const toleranceField = field('Tolerance (Seconds)', 'tolerance', {
	type: 'number',
	typeOptions: { minValue: 1 },
	default: defaultTolerance,
	description: 'How much the time of signing may differ from the clock of this n8n, either way',
	displayOptions: {
		show: { signedContent: ['timestampAndBody', 'stripe', 'standardWebhooks', 'custom'] },
	},
});

/** These fields in the order of the editor. */
export const verificationFields: INodeProperties[] = [
	...Object.values(signatureFields),
	toleranceField,
];

/** How deliveries have to be signed. */
interface VerificationSettings extends SignatureSettings {
	/** How far the time of signing may be from now, either way. */
	toleranceSeconds: number;
}

/**
 * Reads from the node's parameters how its deliveries are verified.
 * @throws {ScreeningError} `invalid_input`
 */
export function readVerificationSettings(
	context: IHookFunctions | IWebhookFunctions,
): VerificationSettings {
	const read = createWebhookReader(context);
	const readText = (name: keyof SignatureSettings) =>
		requireString(read(name, defaultSignatureSettings[name]), labelOf(name));
	const signedContent = requireChoice(read('signedContent'), labelOf('signedContent'), schemeNames);
	const signedTemplate = readText('signedTemplate');
	if (signedContent === 'custom') requireTemplate(signedTemplate);
	return {
		signedContent,
		signedTemplate,
		signatureHeader: readText('signatureHeader'),
		timestampHeader: readText('timestampHeader'),
		idHeader: readText('idHeader'),
		toleranceSeconds: requireNumber(
			read('tolerance', defaultTolerance),
			toleranceField.displayName,
			[1],
			'Enter a number, e.g. 300.',
		),
	};
}

/**
 * Requires a text and does not trim it: white space in a template is signed, too.
 * @throws {ScreeningError} `invalid_input` for a value that is no text
 */
function requireString(value: unknown, label: string): string {
	if (typeof value === 'string') return value;
	throw invalidInput(label, `'${label}' is not a text`, 'Check its expression.');
}

/** @throws {ScreeningError} `invalid_input` for a template that cannot say what is signed */
function requireTemplate(template: string): void {
	const problem = checkTemplate(template);
	if (problem === undefined) return;
	const label = labelOf('signedTemplate');
	const advice = 'Enter the text that the service signs, e.g. {timestamp}.{body}.';
	throw invalidInput(label, `'${label}' ${problem}`, advice);
}
