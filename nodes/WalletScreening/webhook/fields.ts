import type { INodeProperties } from 'n8n-workflow';
import { decisionFields } from '../n8n/decisionFields';
import { choice, field, select, shownIf } from '../n8n/fields';
import { options } from '../n8n/options';
import type { SignatureScheme } from './signature';

/** What the service may sign, as the user reads it. */
export const signedContents: Record<SignatureScheme, [name: string, description: string]> = {
	body: ['Body', 'The body of the request'],
	standardWebhooks: [
		'Standard Webhooks',
		'ID, time and body, in the headers of the Standard Webhooks specification',
	],
	stripe: ['Stripe Style', 'Time and body, in one header "t=…,v1=…"'],
	timestampAndBody: ['Timestamp and Body', 'Time and body, each in a header of its own'],
};

/** The options that do something for a batch, too. */
const alsoForBatch = ['fetchResults', 'ignoreRepeats'] as const;
const collection = options(...alsoForBatch, 'alertText', 'onlyNotGreen', 'simplify');

/** The parameters of the trigger node. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'Expand Webhook URLs above and give the Production URL to the service as its webhook URL. Enter the webhook secret in the credential. The node refuses deliveries that this secret did not sign. If the URL is not reachable from the internet, ask the administrator of this n8n to set WEBHOOK_URL.',
		name: 'webhookNotice',
		type: 'notice',
		default: '',
	},
	select(
		'Signature Scheme',
		'signedContent',
		'body',
		Object.entries(signedContents).map(([value, [name, said]]) => choice(name, value, said)),
		{
			description: 'What the service signs with the webhook secret',
			hint: 'Ask the vendor which scheme the service uses',
		},
	),
	field('Signature Header', 'signatureHeader', {
		default: 'X-Signature',
		placeholder: 'e.g. X-Signature',
		description: 'Name of the header that holds the signature',
		displayOptions: { show: { signedContent: ['body', 'timestampAndBody', 'stripe'] } },
	}),
	field('Timestamp Header', 'timestampHeader', {
		default: 'X-Timestamp',
		placeholder: 'e.g. X-Timestamp',
		description: 'Name of the header that holds the time of signing, as Unix time or ISO 8601',
		displayOptions: { show: { signedContent: ['timestampAndBody'] } },
	}),
	field('Tolerance (Seconds)', 'tolerance', {
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300,
		description: 'How much the time of signing may differ from the clock of this n8n, either way',
		displayOptions: { show: { signedContent: ['timestampAndBody', 'stripe', 'standardWebhooks'] } },
	}),
	select('Output', 'output', 'reports', [
		choice('Batch', 'batch', 'One item with everything that was delivered'),
		choice('Reports', 'reports', 'One item per report'),
	]),
	...shownIf({ output: ['reports'] }, decisionFields),
	{
		...collection,
		options: collection.options.flatMap((one) =>
			alsoForBatch.some((name) => name === one.name)
				? one
				: shownIf({ '/output': ['reports'] }, [one]),
		),
	},
];
