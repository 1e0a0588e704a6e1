import type { ICredentialType } from 'n8n-workflow';

import { WalletScreeningApi } from '../../../credentials/WalletScreeningApi.credentials';
import type { NodeTypeTable } from './nodeTypes';

// In full: without its ending, the name stands for the JSON file beside it.
const { WalletScreening } =
	require('../../../nodes/WalletScreening/WalletScreening.node.ts') as typeof import('../../../nodes/WalletScreening/WalletScreening.node');

/** What the package brings into n8n, under the names that n8n gives it. */
export const packageNodeTypes: NodeTypeTable = {
	'n8n-nodes-wallet-screening.walletScreening': new WalletScreening(),
};

export const packageCredentialTypes: Record<string, ICredentialType> = {
	walletScreeningApi: new WalletScreeningApi(),
};
