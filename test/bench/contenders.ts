import type { IDataObject, INode } from 'n8n-workflow';
import type { Sandbox } from '../../sandbox/server';
import type { Credential } from '../../tools/host/workflow';
import type { PlainNode } from '../support/n8n/workflows';

/** A node that screens, and its credential. */
export interface Contender {
	node: PlainNode;
	credential: Credential;
}

/** Returns this package's node. */
export const walletScreening = (
	{ baseUrl, keys }: Sandbox,
	parameters: IDataObject,
	plan: 'pro' | 'enterprise',
): Contender => ({
	node: {
		name: 'Measured',
		type: 'n8n-nodes-wallet-screening.walletScreening',
		parameters: parameters as INode['parameters'],
	},
	credential: {
		name: 'Bench',
		type: 'walletScreeningApi',
		data: { apiKey: keys.readWrite, baseUrl, plan },
	},
});

/** Returns n8n's HTTP Request node, which sends the key in a header. */
export const httpRequest = ({ baseUrl, keys }: Sandbox): Contender => ({
	node: httpRequestNode('Measured', {
		method: 'POST',
		url: `${baseUrl}/v1/screen`,
		options: {},
		authentication: 'genericCredentialType',
		genericAuthType: 'httpHeaderAuth',
		sendBody: true,
		bodyParameters: { parameters: [{ name: 'address', value: '={{ $json.address }}' }] },
	}),
	credential: {
		name: 'Bench',
		type: 'httpHeaderAuth',
		data: { name: 'Authorization', value: `Bearer ${keys.readWrite}` },
	},
});

export const httpRequestNode = (name: string, parameters: IDataObject): PlainNode => ({
	name,
	type: 'n8n-nodes-base.httpRequest',
	typeVersion: 4.2,
	parameters: parameters as INode['parameters'],
});
