import type {
	IHookFunctions,
	INodeType,
	INodeTypeDescription,
	IWebhookFunctions,
	IWebhookResponseData,
} from 'n8n-workflow';
import { requireMainConnection } from './transport/context';
import { activate } from './webhook/activation';
import { receive } from './webhook/delivery';
import { triggerProperties } from './webhook/triggerProperties';

export class WalletScreeningTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Screening Trigger',
		name: 'walletScreeningTrigger',
		icon: { light: 'file:walletScreening.svg', dark: 'file:walletScreening.dark.svg' },
		group: ['trigger'],
		version: 1,
		subtitle: 'Bulk Job Completed',
		description: 'Starts the workflow when a bulk job is complete',
		eventTriggerDescription: 'Waiting for the service to deliver the results of a bulk job',
		activationMessage:
			'Signed deliveries to the Production URL of the trigger now start this workflow.',
		triggerPanel: {
			header: 'Receive the results of a bulk job',
			executionsHelp: {
				inactive:
					'While you build this workflow, listen here and let the service deliver to the <b>Test URL</b>. Once it is published, signed deliveries to the <b>Production URL</b> start it, and show up in the executions list.',
				active:
					'Signed deliveries to the <b>Production URL</b> start this workflow, and show up in the executions list. To try something out, listen here and let the service deliver to the <b>Test URL</b>.',
			},
			activationHint:
				'Publish the workflow to have it started by signed deliveries to the Production URL.',
		},
		defaults: { name: 'Wallet Screening Trigger' },
		inputs: [],
		outputs: [requireMainConnection()],
		credentials: [{ name: 'walletScreeningApi', required: true }],
		webhooks: [
			{
				name: 'default',
				httpMethod: 'POST',
				responseMode: 'onReceived',
				responseData: 'accepted',
				path: 'webhook',
			},
		],
		properties: triggerProperties,
	};

	/** The service has no call that registers a URL (section 6), so nothing is created there. */
	webhookMethods = {
		default: {
			async checkExists(this: IHookFunctions): Promise<boolean> {
				return false;
			},
			async create(this: IHookFunctions): Promise<boolean> {
				await activate(this);
				return true;
			},
			async delete(this: IHookFunctions): Promise<boolean> {
				return true;
			},
		},
	};

	async webhook(this: IWebhookFunctions): Promise<IWebhookResponseData> {
		return await receive(this);
	}
}
