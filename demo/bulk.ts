import { createHash } from 'node:crypto';
import type { INodeExecutionData } from 'n8n-workflow';
import type { Workflow } from '../host/workflow';
import { canonical, sanctionedAddresses, sanctionedAsset } from '../sandbox/sanctions';

/** The node of {@link bulkWorkflow} that screens. */
export const screenNode = 'Screen the Whole List';

const sanctioned = [
	...new Map(sanctionedAddresses.map(({ address }) => [canonical(address), address])).values(),
];

/** An address in the form of Ethereum that nobody has listed, always the same for a number. */
function unlistedAddress(number: number): string {
	const digest = createHash('sha256').update(`unlisted ${number}`).digest('hex');
	return `0x${digest.slice(0, 40)}`;
}

/** Every sanctioned address, each followed by one that is not. */
export const addresses = sanctioned.flatMap((address, number) => [
	address,
	unlistedAddress(number),
]);

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

/** What came of the reports in lines for people, and what is wrong with them. */
export function bulkSummary(items: readonly INodeExecutionData[]): {
	text: string;
	wrong: string[];
} {
	const reports = items.map(({ json }) => ({
		address: String(json.address),
		level: (json.risk as { level?: string } | undefined)?.level,
	}));
	const unequal = addresses.findIndex((address, place) => reports[place]?.address !== address);
	const listed = reports.filter(({ address }) => sanctionedAsset(address) !== undefined);
	const missed = listed.filter(({ level }) => level !== 'red');
	const others = reports.filter(({ address }) => sanctionedAsset(address) === undefined);
	const countOf = (wanted: string) => others.filter(({ level }) => level === wanted).length;
	return {
		text: [
			`${listed.length} addresses of the US sanctions list: ${listed.length - missed.length} red.`,
			`${others.length} other addresses: ${countOf('green')} green, ${countOf('yellow')} yellow, ${countOf('red')} red.`,
		].join('\n'),
		wrong: [
			...(unequal >= 0 ? [`The report for ${addresses[unequal]} is not in its place.`] : []),
			...missed.map(({ address, level }) => `${address} is sanctioned, but its level is ${level}.`),
		],
	};
}
