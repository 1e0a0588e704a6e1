import type { Sandbox } from '../../sandbox/server';
import type { Credential } from '../host/workflow';

/** What a user enters to screen with the sandbox. */
export const credentialFor = ({ keys, baseUrl }: Sandbox, webhookSecret = ''): Credential => ({
	name: 'Wallet Screening account',
	type: 'walletScreeningApi',
	data: { apiKey: keys.readWrite, baseUrl, plan: 'pro', webhookSecret },
});
