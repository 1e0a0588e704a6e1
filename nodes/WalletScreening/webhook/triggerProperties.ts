import type { INodeProperties } from 'n8n-workflow';
import { deliveryOptionFields } from './deliveryOptions';
import { verificationFields } from './verificationSettings';

/** The parameters of the trigger node, in the order of the editor. */
export const triggerProperties: INodeProperties[] = [
	{
		displayName:
			'Expand Webhook URLs above and give the Production URL to the service as its webhook URL. Enter the webhook secret in the credential. The node refuses deliveries that this secret did not sign. If the URL is not reachable from the internet, ask the administrator of this n8n to set WEBHOOK_URL.',
		name: 'webhookNotice',
		type: 'notice',
		default: '',
	},
	...verificationFields,
	...deliveryOptionFields,
];
