import type { IHookFunctions, INodeProperties, IWebhookFunctions } from 'n8n-workflow';
import type { ServiceNames } from '../answers/standardNames';
import { choice, field, select, shownIf } from '../description/fields';
import { createOptionsField, readOptions } from '../description/options';
import { createWebhookReader } from '../description/parameters';
import {
	decisionFields,
	noReportSettings,
	readTriggerSettings,
	type ReportSettings,
} from '../description/reportSettings';
import { invalidInput } from '../shared/errors';
import { requireChoice, requireNumber } from '../shared/userInput';
import { readServiceNames } from '../transport/serviceNames';
import {
	checkTemplate,
	defaultSignatureSettings,
	type SchemeName,
	schemeNames,
	type SignatureSettings,
} from './scheme';

/* The parameters of the trigger node: how the editor shows them, and how they are read. */

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

/** The options that count for a batch, too. */
const batchOptions = ['fetchResults', 'ignoreRepeats'] as const;
const collection = createOptionsField(
	...batchOptions,
	'addEvidence',
	'alertText',
	'onlyNotGreen',
	'reference',
	'simplify',
);

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

const outputField = select('Output', 'output', 'reports', [
	choice('Batch', 'batch', 'One item with everything that was delivered'),
	choice('Reports', 'reports', 'One item per report'),
]);

/** The parameters of the trigger node. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'Expand Webhook URLs above and give the Production URL to the service as its webhook URL. Enter the webhook secret in the credential. The node refuses deliveries that this secret did not sign. If the URL is not reachable from the internet, ask the administrator of this n8n to set WEBHOOK_URL.',
		name: 'webhookNotice',
		type: 'notice',
		default: '',
	},
	...Object.values(signatureFields),
	toleranceField,
	outputField,
	...shownIf({ output: ['reports'] }, decisionFields),
	{
		...collection,
		options: collection.options.flatMap((one) =>
			batchOptions.some((name) => name === one.name)
				? one
				: shownIf({ '/output': ['reports'] }, [one]),
		),
	},
];

type TriggerContext = IHookFunctions | IWebhookFunctions;

/** How deliveries have to be signed, and how far the time of signing may be from now. */
interface VerificationSettings {
	settings: SignatureSettings;
	toleranceSeconds: number;
}

/**
 * Reads from the node's parameters how its deliveries are verified.
 * @throws {ScreeningError} `invalid_input`
 */
export function readVerificationSettings(context: TriggerContext): VerificationSettings {
	const read = createWebhookReader(context);
	const readText = (name: keyof SignatureSettings) =>
		requireString(read(name, defaultSignatureSettings[name]), labelOf(name));
	const settings = {
		signedContent: requireChoice(read('signedContent'), labelOf('signedContent'), schemeNames),
		signedTemplate: readText('signedTemplate'),
		signatureHeader: readText('signatureHeader'),
		timestampHeader: readText('timestampHeader'),
		idHeader: readText('idHeader'),
	};
	const isCustom = settings.signedContent === 'custom';
	const problem = isCustom ? checkTemplate(settings.signedTemplate) : undefined;
	if (problem) {
		const label = labelOf('signedTemplate');
		throw invalidInput(
			label,
			`'${label}' ${problem}`,
			'Enter the text that the service signs, e.g. {timestamp}.{body}.',
		);
	}
	const advice = 'Enter a number, e.g. 300.';
	const tolerance = read('tolerance', defaultTolerance);
	const toleranceSeconds = requireNumber(tolerance, toleranceField.displayName, [1], advice);
	return { settings, toleranceSeconds };
}

/**
 * Requires a text and does not trim it: white space in a template is signed, too.
 * @throws {ScreeningError} `invalid_input` for a value that is no text
 */
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
	/** What becomes of each report. */
	reportSettings: ReportSettings;
	/** The names that the user added for this service. */
	serviceNames: ServiceNames | undefined;
}

/**
 * Reads from the node's parameters, and from Service Names of its credential, how it treats
 * deliveries.
 * @throws {ScreeningError} `invalid_input`
 */
export function readTriggerOptions(
	context: TriggerContext,
	{ serviceNames }: { serviceNames?: unknown },
): TriggerOptions {
	const read = createWebhookReader(context);
	const output = requireChoice(read('output'), outputField.displayName, ['batch', 'reports']);
	const isBatch = output === 'batch';
	const reportSettings = isBatch ? noReportSettings : readTriggerSettings(read);
	const { fetchResults, ignoreRepeats, onlyNotGreen, alertText, simplify } = readOptions(read);
	return {
		isBatch,
		fetchResults,
		ignoreRepeats,
		onlyNotGreen,
		alertText,
		simplify,
		reportSettings,
		serviceNames: readServiceNames(serviceNames),
	};
}
