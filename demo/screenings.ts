import type { IDataObject, INodeExecutionData } from 'n8n-workflow';
import { sanctionedAsset } from '../sandbox/sanctions';
import workflow from './workflow.json';

/** The nodes of `workflow.json` that the demo looks at. */
export const nodes = {
	list: 'Addresses to Screen',
	split: 'One Item per Address',
	screen: 'Screen Each Address',
	riskiest: 'Keep the Riskiest',
	download: 'Download Its PDF Report',
};

/** A wallet of the list, as it is written into `workflow.json`. */
export interface Wallet {
	readonly address: string;
	/** Who it belongs to. */
	readonly note: string;
}

/** The wallets that `workflow.json` screens. */
export const wallets: readonly Wallet[] = (
	JSON.parse(
		workflow.nodes.find(({ name }) => name === nodes.list)?.parameters.jsonOutput ?? '',
	) as { addresses: Wallet[] }
).addresses;

/** A report, as far as the demo shows it, beside the wallet that it was asked for. */
export interface Screening {
	/** The wallet to which n8n pairs the report; `undefined` if n8n pairs it to no wallet. */
	readonly asked: Wallet | undefined;
	readonly address: string;
	readonly chain: string;
	readonly level: string;
	readonly score: number;
	/** The outcome of the rules in the workflow. */
	readonly decision: string;
}

interface ReportShape extends IDataObject {
	address: string;
	chain: string;
	risk: { level: string; score: number };
	decision: { outcome: string };
}

function inputOf({ pairedItem }: INodeExecutionData): number {
	return typeof pairedItem === 'object' && !Array.isArray(pairedItem) ? pairedItem.item : -1;
}

/** The screenings in the items of {@link nodes.screen}, in the order in which they came out. */
export function screeningsOf(items: readonly INodeExecutionData[]): Screening[] {
	return items.map((item) => {
		const { address, chain, risk, decision } = item.json as ReportShape;
		const { level, score } = risk;
		const { outcome } = decision;
		return { asked: wallets[inputOf(item)], address, chain, level, score, decision: outcome };
	});
}

/** What is wrong with the screenings of all {@link wallets}, one sentence each; nothing when all is well. */
export function findings(screenings: readonly Screening[]): string[] {
	const unpaired = screenings.filter(({ asked, address }) => asked?.address !== address);
	const sanctioned = screenings.filter(({ address }) => sanctionedAsset(address) !== undefined);
	const missed = sanctioned.filter(({ level }) => level !== 'red');
	const unblocked = sanctioned.filter(({ decision }) => decision !== 'block');
	return [
		...(screenings.length !== wallets.length
			? [`The list has ${wallets.length} addresses, but ${screenings.length} reports came.`]
			: []),
		...unpaired.map(({ address }) => `The report on ${address} is not paired with its input.`),
		...missed.map(({ address, level }) => `${address} is sanctioned, but its level is ${level}.`),
		...unblocked.map(
			({ address, decision }) => `${address} is sanctioned, but the decision is ${decision}.`,
		),
	];
}
