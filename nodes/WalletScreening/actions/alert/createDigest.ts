import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { field } from '../../description/fields';
import { createOptionsField, readOptions } from '../../description/options';
import type { DigestItem } from '../../description/outputItems';
import type { OutputItem, Run } from '../../execution/run';
import type { Operation } from '../../execution/operation';
import { createDigest, defaultDigestTitle } from '../../messages/digest';
import { requireTextOrEmpty } from '../../shared/userInput';

export const createDigestOperation: Operation = {
	name: 'Create Digest',
	value: 'createDigest',
	action: 'Create alert digest',
	description: 'Make one alert from all input items: text, HTML e-mail and Slack blocks',
	fields: [
		field('Title', 'title', {
			default: defaultDigestTitle,
			placeholder: 'e.g. Customers re-screened last night',
			description: 'The first line of the message',
		}),
		createOptionsField('mostListed'),
	],
	sendsNothing: true,
	async execute(run) {
		const inputs = run.context.getInputData();
		const value = createDigestItem(run, inputs);
		// It waits for nothing, but each operation is asynchronous.
		return await Promise.resolve([{ value, inputIndex: inputs.map((_, index) => index) }]);
	},
};

/** @throws {ScreeningError} `invalid_input` for a title that is no text */
function createDigestItem(run: Run, inputs: INodeExecutionData[]): OutputItem {
	const title = requireTextOrEmpty(run.readFirst('title', ''), 'Title');
	const { mostListed } = readOptions(run.readFirst, ['mostListed']);
	const items = isNothing(inputs) ? [] : inputs.map(({ json }) => json);
	const digest: DigestItem = createDigest(items, {
		title,
		maxListed: mostListed,
		at: new Date(),
		timeZone: run.context.getTimezone(),
	});
	return { json: digest as object as IDataObject };
}

/**
 * Whether the input is empty. With 'Always Output Data', the previous node then gives one empty item.
 */
function isNothing([first, ...others]: INodeExecutionData[]): boolean {
	return others.length === 0 && !first?.binary && Object.keys(first?.json ?? {}).length === 0;
}
