import type { IDataObject, INode, INodeExecutionData } from 'n8n-workflow';
import { scenarios } from '../sandbox/scenarios';
import type { Change } from '../nodes/WalletScreening/risk/change';

/** Screens the same customers on two nights. */
export interface Nights {
	/** @returns the reports of the second night, each with its change since the first */
	compareNights(nextDay: () => void): Promise<INodeExecutionData[]>;
}

const addressEndingIn = (digits: string): string => {
	const scenario = scenarios.find(({ address }) => address.endsWith(digits));
	if (!scenario) throw new Error(`No test address ends in ${digits}.`);
	return scenario.address;
};

/** A customer who turns red overnight, and one who stays green. */
export const customers: readonly IDataObject[] = [
	{ customer: 'Northwind Trading', address: addressEndingIn('20') },
	{ customer: 'Blue Harbour Cafe', address: addressEndingIn('06') },
];

const node = (name: string, parameters: INode['parameters']): INode => ({
	id: name,
	name,
	type: 'n8n-nodes-wallet-screening.walletScreening',
	typeVersion: 1,
	position: [0, 0],
	parameters,
});

/** The nodes of the demo's nights. */
export const nightNodes = {
	screen: node('Screen the Customers', {
		resource: 'bulkJob',
		operation: 'screenAndWait',
		options: { includeInputFields: true },
	}),
	compare: node('Compare with Last Night', { resource: 'report', operation: 'compare' }),
};

const lineOf = ({ json }: INodeExecutionData): string => {
	const { kind, fields } = json.change as unknown as Change;
	const said = fields
		.filter(({ field }) => ['level', 'score', 'sanctions'].includes(field))
		.map(({ field, before, after }) => `${field} ${String(before)} → ${String(after)}`);
	return `  ${String(json.customer)}: ${[kind, ...said].join(', ')}`;
};

/** What became of the customers, in lines for people. */
export function nightText(compared: readonly INodeExecutionData[]): string {
	return compared.map(lineOf).join('\n');
}
