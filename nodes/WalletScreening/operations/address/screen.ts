import { perItem } from '../../n8n/perItem';
import { decisionFields } from '../decisionFields';
import { binaryPropertyName, chain, includePdf, options } from '../fields';
import type { Operation } from '../operation';
import { reportResult } from '../output';

export const screen: Operation = {
	option: {
		name: 'Screen',
		value: 'screen',
		action: 'Screen address',
		description: 'Get the risk report of a wallet address',
	},
	fields: [
		{
			displayName: 'Address',
			name: 'address',
			type: 'string',
			required: true,
			default: '',
			placeholder: 'e.g. 0xd8dA6BF26964aF9D7eEd9e03E53415D37aA96045',
			description: 'The wallet address to screen',
		},
		chain,
		includePdf,
		{ ...binaryPropertyName, displayOptions: { show: { includePdf: [true] } } },
		...decisionFields(),
		options('alertText', 'concurrency', 'maxRetries', 'requestTimeout', 'simplify'),
	],
	async run(context) {
		return await perItem(context, async (itemIndex, screening) => {
			const address = context.getNodeParameter('address', itemIndex);
			const asked = context.getNodeParameter('chain', itemIndex);
			const report = await screening.client.screen(address, asked);
			return await reportResult(context, itemIndex, screening, report, String(asked ?? ''));
		});
	},
};
