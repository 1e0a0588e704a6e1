import { createHash } from 'node:crypto';
import { type Execution, itemsOf, type Workflow } from '../host/instance';
import { canonical, sanctionedAddresses, sanctionedAsset } from '../sandbox/sanctions';

const screenNode = 'Screen the Whole List';

const sanctioned = [
	...new Map(sanctionedAddresses.map(({ address }) => [canonical(address), address])).values(),
];

/** An address in the form of Ethereum that nobody has listed, always the same for a number. */
function unlistedAddress(number: number): string {
	const digest = createHash('sha256').update(`unlisted ${number}`).digest('hex');
	return `0x${digest.slice(0, 40)}`;
}

/** Every sanctioned address, each followed by one that is not. */
const addresses = sanctioned.flatMap((address, number) => [address, unlistedAddress(number)]);

/** Screens all sanctioned addresses and as many others in one run. */
export const bulkWorkflow = {
	name: 'Screen the Whole Sanctions List in Bulk',
	settings: {},
	nodes: [
		{
			id: 'start',
			name: 'When Clicking Execute',
			type: 'n8n-nodes-base.manualTrigger',
			typeVersion: 1,
			position: [0, 0],
			parameters: {},
		},
		{
			id: 'screen',
			name: screenNode,
			type: 'n8n-nodes-wallet-screening.walletScreening',
			typeVersion: 1,
			position: [240, 0],
			parameters: {
				resource: 'bulkJob',
				operation: 'screenAndWait',
				addressSource: 'list',
				addresses: addresses.join('\n'),
			},
		},
	],
	connections: {
		'When Clicking Execute': { main: [[{ node: screenNode, type: 'main', index: 0 }]] },
	},
} as unknown as Workflow;

/** What came of the run in one sentence, and what is wrong with it. */
export function bulkSummary(execution: Execution): { text: string; wrong: string[] } {
	const reports = itemsOf(execution, screenNode).map(({ json }) => ({
		address: String(json.address),
		level: (json.risk as { level?: string } | undefined)?.level,
	}));
	const unequal = addresses.findIndex((address, place) => reports[place]?.address !== address);
	const missed = reports.filter(
		({ address, level }) => sanctionedAsset(address) !== undefined && level !== 'red',
	);
	const green = reports.filter(({ level }) => level === 'green').length;
	return {
		text: `${reports.length} addresses screened in bulk: ${sanctioned.length} sanctioned, ${sanctioned.length - missed.length} of them red; ${green} of the ${addresses.length - sanctioned.length} others green`,
		wrong: [
			...(unequal >= 0 ? [`The report for ${addresses[unequal]} is not in its place.`] : []),
			...missed.map(({ address, level }) => `${address} is sanctioned, but its level is ${level}.`),
		],
	};
}
