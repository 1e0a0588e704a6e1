import type { ICredentialType } from 'n8n-workflow';

import { WalletScreeningApi } from '../../credentials/WalletScreeningApi.credentials';
import { WalletScreening } from '../../nodes/WalletScreening/WalletScreening.node';
import type { NodeTypeTable } from './nodeTypes';

/** What the package brings into n8n, under the names that n8n gives it. */
export const packageNodeTypes: NodeTypeTable = {
	'n8n-nodes-wallet-screening.walletScreening': new WalletScreening(),
};

export const packageCredentialTypes: Record<string, ICredentialType> = {
	walletScreeningApi: new WalletScreeningApi(),
};
