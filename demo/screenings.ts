import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { type Execution, itemsOf } from '../host/instance';
import { sanctionedAsset } from '../sandbox/sanctions';

/** The nodes of `workflow.json` whose items are looked at. */
export const nodes = {
	list: 'One Item per Address',
	screen: 'Screen Each Address',
	riskiest: 'Keep the Riskiest',
	download: 'Download Its PDF Report',
};

/** One line of the table: a report, as far as it is there, beside the address that it was asked for. */
export interface Screening {
	/** The address of the list to which n8n pairs the report; `undefined` when there is none. */
	readonly asked: string | undefined;
	readonly address: string;
	readonly chain: string;
	readonly level: string;
	readonly score: number;
	/** Value of the category. */
	readonly sanctions: number;
	/** The outcome of the rules in the workflow. */
	readonly decision: string;
}

interface ReportShape extends IDataObject {
	address: string;
	chain: string;
	risk: { level: string; score: number; categories: { sanctions: number } };
	decision: { outcome: string };
}

function listedAddresses(execution: Execution): string[] {
	return itemsOf(execution, nodes.list).map(({ json }) => String(json.address));
}

function inputOf({ pairedItem }: INodeExecutionData): number {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
}

/** The screenings of an execution of `workflow.json`, in the order in which they came out. */
export function screeningsOf(execution: Execution): Screening[] {
	const addresses = listedAddresses(execution);
	return itemsOf(execution, nodes.screen).map((item) => {
		const { address, chain, risk, decision } = item.json as ReportShape;
		const { level, score, categories } = risk;
		return {
			asked: addresses[inputOf(item)],
			address,
			chain,
			level,
			score,
			sanctions: categories.sanctions,
			decision: decision.outcome,
		};
	});
}

/** What is wrong with an execution of `workflow.json`, one sentence each; nothing when all is well. */
export function findings(execution: Execution): string[] {
	const { error } = execution.data.resultData;
	const addresses = listedAddresses(execution);
	const screenings = screeningsOf(execution);
	const unpaired = screenings.filter(({ asked, address }) => asked !== address);
	const sanctioned = screenings.filter(({ address }) => sanctionedAsset(address) !== undefined);
	const missed = sanctioned.filter(({ level }) => level !== 'red');
	const unblocked = sanctioned.filter(({ decision }) => decision !== 'block');
	return [
		...(error ? [`The workflow failed: ${error.message}. ${error.description ?? ''}`] : []),
		...(screenings.length !== addresses.length
			? [`The list has ${addresses.length} addresses, but ${screenings.length} reports came.`]
			: []),
		...unpaired.map(({ address }) => `The report on ${address} is not paired with its input.`),
		...missed.map(({ address, level }) => `${address} is sanctioned, but its level is ${level}.`),
		...unblocked.map(
			({ address, decision }) => `${address} is sanctioned, but the decision is ${decision}.`,
		),
	];
}
