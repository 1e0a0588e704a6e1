import { decisionSettingsReader } from '../../description/decision';
import { address, field } from '../../description/fields';
import { eachItem } from '../../execution/eachItem';
import { cleanTarget } from '../../address/input';
import type { Operation } from '../../execution/run';
import { readPdf, reportFields, reportResult } from '../reportResult';

export const screenOperation: Operation = {
	name: 'Screen',
	value: 'screen',
	action: 'Screen address',
	description:
		'Get the risk report of one wallet address per item. For many addresses use Bulk Job: Screen and Wait.',
	builderHint: {
		propertyHint:
			'For a single address or one at a time, e.g. of a payment. Set addDecision to true and switch on outcome.',
	},
	fields: [
		address('The wallet address to screen'),
		field('Chain', 'chain', {
			placeholder: 'e.g. ETH',
			description:
				"Use the service's name, e.g. ETH. Leave empty to let the service determine the chain.",
		}),
		...reportFields('checkAddresses'),
	],
	isBilled: true,
	async run(run) {
		const { context, options, created } = run;
		const checks = options.checkAddresses;
		const readDeciding = decisionSettingsReader(context);
		return await eachItem(
			run,
			(read, itemIndex) => ({
				...cleanTarget([read('address'), 'Address'], [read('chain', ''), 'Chain'], { checks }),
				deciding: readDeciding(read, itemIndex),
				pdf: readPdf(read),
			}),
			async ({ address, chain, deciding, pdf }, itemRun) => {
				const { report, sent } = await itemRun.client.screen(address, chain);
				created.report_ids.push(report.report_id);
				if (sent > 1) created.sentAgain++;
				const received = { report, sent, address, chain, screenedAt: new Date() };
				return await reportResult(itemRun, received, deciding, pdf);
			},
		);
	},
};
