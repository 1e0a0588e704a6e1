import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';
import { readOptions } from './n8n/options';
import { itemReader } from './n8n/parameters';
import { hintAtCategories } from './n8n/policyHints';
import { attempt, withoutThrowing } from './n8n/run';
import { markExecution } from './n8n/summary';
import { throwFailureOfTool } from './n8n/tool';
import { operationOf, properties, subtitle, withoutCredential } from './operations';
import { invalidInput, ScreeningError } from './service/errors';

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
		const items = await withoutThrowing(this, async () => {
			const resource = this.getNodeParameter('resource', 0);
			const name = this.getNodeParameter('operation', 0);
			const operation = operationOf(resource, name);
			if (!operation) throw unknownOperation(`'${name}' of '${resource}'`);
			// The operation refuses options that cannot be read.
			const options = await attempt(async () => readOptions(itemReader(this, 0)));
			const isMarked = !(options instanceof ScreeningError) && options.markExecution;
			const made = await operation.run(this).catch((error: unknown) => {
				if (isMarked) markExecution(this, 'stopped');
				throw error;
			});
			// Nothing that is only shown may cost a report.
			await attempt(async () => {
				hintAtCategories(this, made);
				if (isMarked) markExecution(this, made);
			});
			return made;
		});
		throwFailureOfTool(this, items);
		return [items];
	}
}

const unknownOperation = (name: string) =>
	invalidInput(
		'Operation',
		`The operation ${name} is not known`,
		'Choose an operation of this node.',
	);
