import type { Sandbox } from '../../sandbox/server';
import type { Credential } from '../host/workflow';

/** The credential that a user makes for the sandbox. */
export const credentialFor = ({ keys, baseUrl }: Sandbox, webhookSecret = ''): Credential => ({
	name: 'Wallet Screening account',
	type: 'walletScreeningApi',
	data: { apiKey: keys.readWrite, baseUrl, plan: 'pro', webhookSecret },
});
