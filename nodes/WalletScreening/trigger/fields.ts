import type { INodeProperties } from 'n8n-workflow';
import { decisionFields } from '../n8n/decisionFields';
import { alertText, onlyNotGreen, simplify } from '../n8n/fields';
import type { SignatureScheme } from './signature';

/** What the service may sign, as the user reads it. */
export const signedContents: Record<SignatureScheme, { name: string; description: string }> = {
	body: { name: 'Body', description: 'The body of the request' },
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

/** An option that does nothing for a batch. */
const forReports = (option: INodeProperties): INodeProperties => ({
	...option,
	displayOptions: { show: { '/output': ['reports'] } },
});

/** The parameters of the trigger node. */
export const properties: INodeProperties[] = [
	{
		displayName:
			'Expand Webhook URLs above and give the Production URL to the service as its webhook URL. Enter the webhook secret in the credential. The node refuses deliveries that this secret did not sign. If the URL is not reachable from the internet, ask the administrator of this n8n to set WEBHOOK_URL.',
		name: 'webhookNotice',
		type: 'notice',
		default: '',
	},
	{
		displayName: 'Signature Scheme',
		name: 'signedContent',
		type: 'options',
		default: 'body',
		description: 'What the service signs with the webhook secret',
		hint: 'Ask the vendor which scheme the service uses',
		options: Object.entries(signedContents).map(([value, texts]) => ({ ...texts, value })),
	},
	{
		displayName: 'Signature Header',
		name: 'signatureHeader',
		type: 'string',
		default: 'X-Signature',
		placeholder: 'e.g. X-Signature',
		description: 'Name of the header that holds the signature',
		displayOptions: { show: { signedContent: ['body', 'timestampAndBody', 'stripe'] } },
	},
	{
		displayName: 'Timestamp Header',
		name: 'timestampHeader',
		type: 'string',
		default: 'X-Timestamp',
		placeholder: 'e.g. X-Timestamp',
		description: 'Name of the header that holds the time of signing, as Unix time or ISO 8601',
		displayOptions: { show: { signedContent: ['timestampAndBody'] } },
	},
	{
		displayName: 'Tolerance (Seconds)',
		name: 'tolerance',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 300,
		description: 'How much the time of signing may differ from the clock of this n8n, either way',
		displayOptions: { show: { signedContent: ['timestampAndBody', 'stripe', 'standardWebhooks'] } },
	},
	{
		displayName: 'Output',
		name: 'output',
		type: 'options',
		default: 'reports',
		description: 'Which items the workflow starts with',
		options: [
			{ name: 'Batch', value: 'batch', description: 'One item with everything that was delivered' },
			{ name: 'Reports', value: 'reports', description: 'One item per report' },
		],
	},
	...decisionFields({ output: ['reports'] }),
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add option',
		default: {},
		options: [
			forReports(alertText),
			{
				displayName: 'Fetch Results',
				name: 'fetchResults',
				type: 'boolean',
				default: true,
				description: 'Whether to fetch the results if the delivery contains only a job ID',
			},
			{
				displayName: 'Ignore Repeats',
				name: 'ignoreRepeats',
				type: 'boolean',
				default: true,
				description: 'Whether to ignore a delivery already accepted in the last 24 hours',
			},
			forReports(onlyNotGreen),
			forReports(simplify),
		],
	},
];
