import type { IDataObject } from 'n8n-workflow';
import { field } from '../../description/fields';
import { options } from '../../description/options';
import type { DigestItem } from '../../execution/outputItems';
import { itemReader } from '../../description/parameters';
import { type Operation, toResult } from '../../execution/run';
import { digestOf } from '../../messages/digest';
import { optionalTextIn } from '../../shared/userInput';

export const createDigestOperation: Operation = {
	name: 'Create Digest',
	value: 'createDigest',
	action: 'Create alert digest',
	description: 'Make one message from all input items: text, HTML e-mail and Slack blocks',
	fields: [
		field('Title', 'title', {
			default: 'Wallet screening',
			placeholder: 'e.g. Customers re-screened last night',
			description: 'The first line of the message',
		}),
		options('mostListed'),
	],
	sendsNothing: true,
	async run({ context, options: { mostListed } }) {
		const all = context.getInputData();
		// "Always Output Data" of the node before gives one empty item if nothing came.
		const isNothing = all.length === 1 && !all[0]!.binary && Object.keys(all[0]!.json).length === 0;
		const result = await toResult(async () => {
			const title = optionalTextIn(itemReader(context, 0)('title', ''), 'Title');
			const items = isNothing ? [] : all.map(({ json }) => json);
			const timeZone = context.getTimezone();
			const digest: DigestItem = digestOf(items, { title, mostListed, at: new Date(), timeZone });
			return { json: digest as object as IDataObject };
		});
		return [{ result, inputIndex: all.map((_, item) => item) }];
	},
};
