import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
} from 'n8n-workflow';
import { builderHint } from './description/builderHint';
import { mainConnection } from './transport/n8n';
import { runOperation } from './execution/runOperation';
import { operationOf, actionProperties, subtitle, withoutCredential } from './actions';

export class WalletScreening implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Wallet Screening',
		name: 'walletScreening',
		icon: { light: 'file:walletScreening.svg', dark: 'file:walletScreening.dark.svg' },
		group: ['transform'],
		version: 1,
		subtitle,
		description: 'Screen crypto wallet addresses for risk and get the reports',
		defaults: { name: 'Wallet Screening' },
		usableAsTool: true,
		builderHint,
		inputs: [mainConnection()],
		outputs: [mainConnection()],
		credentials: [
			{
				name: 'walletScreeningApi',
				required: true,
				displayOptions: { hide: { operation: withoutCredential } },
			},
		],
		properties: actionProperties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runOperation(this, operationOf)];
	}
}
