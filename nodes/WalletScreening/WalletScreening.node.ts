import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
	NodeOperationError,
} from 'n8n-workflow';
import { isOn } from './n8n/parameters';
import { hintAtOutcome, markExecution } from './n8n/summary';
import { throwFailureOfTool } from './n8n/tool';
import { operationOf, properties, subtitle, withoutCredential } from './operations';

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
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			{
				name: 'walletScreeningApi',
				required: true,
				displayOptions: { hide: { operation: withoutCredential } },
			},
		],
		properties,
	};

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		const resource = this.getNodeParameter('resource', 0);
		const name = this.getNodeParameter('operation', 0);
		const operation = operationOf(resource, name);
		if (!operation) {
			throw new NodeOperationError(
				this.getNode(),
				`The operation '${name}' of '${resource}' is not known`,
				{ description: 'Choose an operation of this node.' },
			);
		}
		// An invalid value, which the operation refuses, is not on.
		const isMarked = isOn(this.getNodeParameter('options.markExecution', 0, false)) === true;
		const items = await operation.run(this).catch((error: unknown) => {
			if (isMarked) markExecution(this, 'stopped');
			throw error;
		});
		hintAtOutcome(this, items);
		if (isMarked) markExecution(this, items);
		throwFailureOfTool(this, items);
		return [items];
	}
}
