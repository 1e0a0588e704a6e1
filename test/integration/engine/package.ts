import type { ICredentialType } from 'n8n-workflow';

import type { NodeTypeTable } from './nodeTypes';

/** What the package brings into n8n, under the names that n8n gives it. */
export const packageNodeTypes: NodeTypeTable = {};

export const packageCredentialTypes: Record<string, ICredentialType> = {};
