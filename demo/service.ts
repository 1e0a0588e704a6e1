import type { Credential } from '../host/workflow';
import { startSandbox } from '../sandbox/server';

/** What the demo screens with. */
export interface Service {
	/** In words, for the user. */
	readonly description: string;
	readonly credential: Credential;
	/** Whether each address costs the user. */
	readonly billed: boolean;
	/** Of the sandbox, if it is what screens. */
	readonly sandboxUrl?: string;
	/** Lets a day pass; only a sandbox can. */
	readonly nextDay?: () => void;
	close(): Promise<void>;
}

function credentialFor(apiKey: string, baseUrl: string): Credential {
	return {
		name: 'Wallet Screening API',
		type: 'walletScreeningApi',
		data: { apiKey, baseUrl, plan: 'pro' },
	};
}

/**
 * The service that the environment names, or the sandbox, which is started.
 *
 * @throws when the environment names a service by half
 */
export async function openService(environment: NodeJS.ProcessEnv): Promise<Service> {
	const { WALLET_SCREENING_API_KEY: apiKey, WALLET_SCREENING_BASE_URL: baseUrl } = environment;
	if (apiKey && baseUrl) {
		return {
			description: `the service at ${baseUrl}`,
			credential: credentialFor(apiKey, baseUrl),
			billed: true,
			close: async () => {},
		};
	}
	if (apiKey || baseUrl) {
		const [given, missing] = ['WALLET_SCREENING_API_KEY', 'WALLET_SCREENING_BASE_URL'].sort(
			(a, b) => Number(!environment[a]) - Number(!environment[b]),
		);
		throw new Error(
			`${given} is set, but ${missing} is not. Set both to screen with that service, or none to screen with the sandbox.`,
		);
	}
	const sandbox = await startSandbox();
	return {
		description:
			'a sandbox of the service on this machine.\nIts reports are made up, but every address of the US sanctions list is red',
		credential: credentialFor(sandbox.keys.readWrite, sandbox.baseUrl),
		billed: false,
		sandboxUrl: sandbox.baseUrl,
		nextDay: () => sandbox.setDay(1),
		close: sandbox.close,
	};
}
