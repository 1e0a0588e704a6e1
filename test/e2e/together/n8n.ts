import type { INodeParameters } from 'n8n-workflow';
import {
	type Credential,
	type Execution,
	type N8n,
	type Saved,
	startFreshInstance,
} from '../../../tools/host/instance';
import { screeningWorkflow } from '../../support/workflows';

/** The n8n of all tests of this folder: a start takes ten seconds. */
export let n8n: N8n;
export async function startN8n(): Promise<void> {
	n8n = await startFreshInstance('e2e-together', {
		environment: {
			N8N_LOG_LEVEL: 'info',
			// n8n 2.41 waits at its end for executions of tools that failed.
			N8N_GRACEFUL_SHUTDOWN_TIMEOUT: '1',
		},
	});
}

/** Saves a workflow that hands addresses to a Wallet Screening node, On Error: Continue. */
export async function saveScreening(
	addresses: readonly string[],
	parameters: object,
	credential: Saved<Credential>,
) {
	const input = addresses.map((address) => ({ address }));
	const given = [input, parameters as INodeParameters, credential] as const;
	return await n8n.saveWorkflow(screeningWorkflow(...given, 'continueRegularOutput'));
}

export const runScreening = async (
	...given: Parameters<typeof saveScreening>
): Promise<Execution> => await n8n.runWorkflow(await saveScreening(...given));
