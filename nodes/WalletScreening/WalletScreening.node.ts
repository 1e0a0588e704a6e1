import type {
	IBuilderHint,
	IExecuteFunctions,
	INodeExecutionData,
	INodeType,
	INodeTypeDescription,
} from 'n8n-workflow';
import {
	actionProperties,
	operationsWithoutCredential,
	readOperationChoice,
	subtitle,
} from './actions';
import { runOperation } from './execution/runOperation';
import { requireMainConnection } from './transport/context';

/** Rules for n8n's assistant, and for programs that build workflows through n8n's MCP server. */
const builderHint: IBuilderHint = {
	searchHint: [
		'Set addDecision to true and route with a Switch on {{ $json.outcome }}: allow, review and block each need an output.',
		"Continue only with 'allow'. Send everything else, including the Switch's fallback output, to a person.",
		"Set On Error to 'continueErrorOutput' and connect the error output: an address that ends there is not screened, and must not be paid.",
		'For a list use Bulk Job: Screen and Wait, which takes all items at once, never a loop over Address: Screen.',
		'The service charges for each screening, so leave Retry On Fail off: the node itself repeats requests that are safe to repeat.',
	].join(' '),
	relatedNodes: [
		{
			nodeType: 'n8n-nodes-base.switch',
			relationHint: "Routes by {{ $json.outcome }}, with a fallback output for what is not 'allow'",
		},
		{
			nodeType: 'n8n-nodes-wallet-screening.walletScreeningTrigger',
			relationHint: 'Starts a workflow with the reports of a bulk job, so that no execution waits',
		},
		{
			nodeType: 'n8n-nodes-base.dataTable',
			relationHint: 'Keeps decisions and the IDs of bulk jobs',
		},
	],
};

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
		builderHint,
		inputs: [requireMainConnection()],
		outputs: [requireMainConnection()],
		credentials: [
			{
				name: 'walletScreeningApi',
				required: true,
				displayOptions: { hide: { operation: operationsWithoutCredential } },
			},
		],
		properties: actionProperties,
	};

	/** @throws {NodeError} the first failure, unless On Error is to continue */
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return [await runOperation(this, readOperationChoice(this))];
	}
}
